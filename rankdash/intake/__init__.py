"""Several files in: what each of them holds, and what part it takes in a comparison."""

from __future__ import annotations

from rankdash.intake.files import Decisions, Given, Look, Reading, look, read
from rankdash.intake.parts import PARTS, Part, Placed, Role, placed

__all__ = [
    "PARTS",
    "Decisions",
    "Given",
    "Look",
    "Part",
    "Placed",
    "Reading",
    "Role",
    "look",
    "placed",
    "read",
]
