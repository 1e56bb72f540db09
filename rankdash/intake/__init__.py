"""Several files at once: what each of them holds, and its part in a comparison."""

from __future__ import annotations

from rankdash.intake.files import Decisions, FileLook, FileReading, Given, look, read
from rankdash.intake.parts import PARTS, Part, PlacedFile, Role, placed

__all__ = [
    "PARTS",
    "Decisions",
    "FileLook",
    "FileReading",
    "Given",
    "Part",
    "PlacedFile",
    "Role",
    "look",
    "placed",
    "read",
]
