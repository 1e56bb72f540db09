"""Uploaded files with the decisions about them and the result of reading."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from rankdash.intake import PARTS, Decisions, FileLook, FileReading, Given, PlacedFile, Role
from rankdash.reading import Choice
from rankdash.tables import Run

_BESIDE = ("scores_a", "scores_b", "groups")


@dataclass(frozen=True)
class File:
    """One file of a drop zone; ``known`` identifies it within the session."""

    known: str
    given: Given


@dataclass(frozen=True)
class Entry:
    """One file and the result of reading it. ``token`` is part of the keys of its widgets."""

    file: File
    token: str
    look: FileLook
    placed: PlacedFile
    decisions: Decisions
    reading: FileReading | None = None

    @property
    def role(self) -> Role:
        """The part of the comparison that the file is used for."""
        return self.placed.role

    @property
    def kind(self) -> str:
        """The kind of table that the file is read as; "" where it is only read together with another file."""
        return PARTS[self.role].kind

    @property
    def choices(self) -> tuple[Choice, ...]:
        """The decisions that are necessary before the file can be read."""
        error = self.look.error if self.reading is None and self.placed.why == "unknown" else None
        error = error if self.reading is None else self.reading.error
        return () if error is None else error.choices

    @property
    def status(self) -> str:
        """The status of the file, a key of ``style.reading.STATUS``."""
        if self.reading is None and self.placed.why == "unknown":
            return "asks" if self.choices else "refused"
        if self.reading is None:
            return "beside" if self.role == "groups" else "unused"
        if self.reading.table is None:
            return "asks" if self.choices else "refused"
        return "beside" if self.role in _BESIDE else "read"

    @property
    def table(self) -> Any:
        """The table that was read; None where there is none."""
        return None if self.reading is None else self.reading.table

    @property
    def may_be_judgments(self) -> bool:
        """Whether it was read as a run and has grades, and nothing but its rows orders the lists."""
        run = self.table
        graded = isinstance(run, Run) and run.ordered_by == "position" and "relevance" in run.table.column_names
        return graded and not run.order_was_asked
