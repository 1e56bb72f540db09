"""What is wrong between the tables of one comparison, though each of them could be read, and ids that almost match."""

from __future__ import annotations

from rankdash.mistakes.between import (
    HEAD,
    Input,
    Mistake,
    almost_judged,
    is_same,
    labels_alike,
    mistakes,
    mistakes_of_run,
    naming,
    unmet_run,
    unmet_tables,
)
from rankdash.mistakes.graded import check_roles, judgments_as_runs
from rankdash.mistakes.near import Near, near

__all__ = [
    "HEAD",
    "Input",
    "Mistake",
    "Near",
    "almost_judged",
    "check_roles",
    "is_same",
    "judgments_as_runs",
    "labels_alike",
    "mistakes",
    "mistakes_of_run",
    "naming",
    "near",
    "unmet_run",
    "unmet_tables",
]
