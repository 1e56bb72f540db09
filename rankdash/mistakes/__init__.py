"""What is wrong between the tables of one comparison, though each of them could be read, and ids that almost match."""

from __future__ import annotations

from rankdash.mistakes.between import (
    Input,
    Mistake,
    is_same,
    judged_otherwise,
    labels_alike,
    mistakes,
    mistakes_of_run,
    naming,
    off_the_scale,
    unmet_run,
    unmet_tables,
)
from rankdash.mistakes.graded import check_roles, judgments_as_runs
from rankdash.mistakes.near import Near, near
from rankdash.mistakes.texts import by_texts
from rankdash.mistakes.written import Sampled, together

__all__ = [
    "Input",
    "Mistake",
    "Near",
    "Sampled",
    "by_texts",
    "check_roles",
    "is_same",
    "judged_otherwise",
    "judgments_as_runs",
    "labels_alike",
    "mistakes",
    "mistakes_of_run",
    "naming",
    "near",
    "off_the_scale",
    "together",
    "unmet_run",
    "unmet_tables",
]
