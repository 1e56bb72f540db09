"""Several files in: what each of them holds, what part it takes in a comparison, and what is wrong between them."""

from __future__ import annotations

from rankdash.intake.between import Input, Mistake, mistakes, unmet_run, unmet_tables
from rankdash.intake.files import Decisions, Given, Look, Reading, look, pair_of_models, read
from rankdash.intake.near import Near, near
from rankdash.intake.parts import PARTS, Part, Placed, Role, placed
from rankdash.intake.scratch import OnDisk
from rankdash.intake.votes import VotesError, typed_votes

__all__ = [
    "PARTS",
    "Decisions",
    "Given",
    "Input",
    "Look",
    "Mistake",
    "Near",
    "OnDisk",
    "Part",
    "Placed",
    "Reading",
    "Role",
    "VotesError",
    "look",
    "mistakes",
    "near",
    "pair_of_models",
    "placed",
    "read",
    "typed_votes",
    "unmet_run",
    "unmet_tables",
]
