"""Uploaded files with the decisions about them and the result of reading: in a drop zone, and of what is open."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from rankdash.intake import PARTS, Decisions, FileLook, FileReading, Given, PlacedFile, Role
from rankdash.reading import LETOR, Choice, Understood
from rankdash.tables import Run

_BESIDE = ("scores_a", "scores_b", "groups")


@dataclass(frozen=True)
class DroppedFile:
    """A file of a drop zone; ``id`` identifies it within the session."""

    id: str
    given: Given


@dataclass(frozen=True)
class FileEntry:
    """A file and the result of reading it. ``token`` is part of the keys of its widgets."""

    file: DroppedFile
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
        if self.placed.why == "copies":
            return "asks"
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
        return graded and not run.source.order_was_asked


@dataclass
class Box:
    """What a session remembers of a drop zone, by the tokens of its files. It changes while somebody decides."""

    wishes: dict[str, Role] = field(default_factory=dict)
    decisions: dict[str, Decisions] = field(default_factory=dict)
    choices: dict[str, dict[tuple[str, str], Choice]] = field(default_factory=dict)
    looks: dict[tuple[str, Decisions], FileLook] = field(default_factory=dict)
    readings: dict[tuple[Any, ...], FileReading] = field(default_factory=dict)
    opened: set[str] = field(default_factory=set)
    dropped: dict[str, int] = field(default_factory=dict)  # with which drop a file came
    removed: set[str] = field(default_factory=set)  # files that were removed, and are still in the uploader
    #: The file that is corrected, by its digest, and how it was read.
    corrected: tuple[str, Decisions] | None = None

    def wish(self, token: str, role: Role) -> None:
        """Give a file a part; a file that had been given this part gets another."""
        self.wishes = {other: had for other, had in self.wishes.items() if had != role or role == "none"}
        self.wishes[token] = role


@dataclass(frozen=True)
class CachedFile:
    """One file of the open comparison. ``given`` is None where its bytes were not kept."""

    role: Role
    decisions: Decisions
    understood: Understood
    given: Given | None = field(default=None, repr=False)

    @property
    def is_gone(self) -> bool:
        """Whether the file was too large for the cache."""
        return self.given is None

    @property
    def size(self) -> int:
        """The bytes that were kept of it."""
        return 0 if self.given is None else len(self.given.source.getvalue())

    def is_for(self, slot: str) -> bool:
        """Whether it was read as what stands in a slot, and not as something else that it holds too."""
        return self.role == "both" or {self.role, slot} <= {"a", "b"} or self.role not in ("a", "b")

    def file(self, digest: str) -> DroppedFile | None:
        """Return the file for a drop zone; None where its bytes were not kept, or it needs the scores of LETOR."""
        if self.given is None or self.understood.format == LETOR:
            return None
        return DroppedFile(digest, self.given)
