"""Files that people give: each with what was decided about it, and what became of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from rankdash.intake import PARTS, Decisions, Given, Look, Placed, Reading, Role
from rankdash.reading import Choice

_BESIDE = ("scores_a", "scores_b", "groups")


@dataclass(frozen=True)
class File:
    """One file of a drop zone; ``known`` tells it from every other that this session has seen."""

    known: str
    given: Given


@dataclass(frozen=True)
class Entry:
    """One file and what became of it. ``token`` stands in the keys of its widgets; ``kind`` is what it is read as."""

    file: File
    token: str
    look: Look
    placed: Placed
    decisions: Decisions
    reading: Reading | None = None

    @property
    def role(self) -> Role:
        """The part that the file takes."""
        return self.placed.role

    @property
    def kind(self) -> str:
        """What the file is read as; "" where it is not read by itself."""
        return PARTS[self.role].kind

    @property
    def choices(self) -> tuple[Choice, ...]:
        """What has to be decided before the file can be read."""
        error = self.look.error if self.reading is None and self.placed.why == "unknown" else None
        error = error if self.reading is None else self.reading.error
        return () if error is None else error.choices

    @property
    def status(self) -> str:
        """A word of ``style.reading.STATUS``."""
        if self.reading is None and self.placed.why == "unknown":
            return "asks" if self.choices else "refused"
        if self.reading is None:
            return "beside" if self.role == "groups" else "unused"
        if self.reading.table is None:
            return "asks" if self.choices else "refused"
        return "beside" if self.role in _BESIDE else "read"

    @property
    def table(self) -> Any:
        """What was read; None where there is nothing."""
        return None if self.reading is None else self.reading.table
