"""One file: its recognition, and reading it as the kind of table that was chosen."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field, replace
from typing import Any

from rankdash.reading import (
    LETOR,
    LIMITS,
    Choice,
    Limits,
    Options,
    ReadError,
    Understood,
    form_of,
    read_as,
    recognised,
)
from rankdash.reading.words.headings import Kind
from rankdash.tables import Judgments, Models, Queries, Run, Scored, Votes

Table = Run | Judgments | Models | Queries | Votes | Scored

#: Digits of the size of a group.
_LONGEST_SIZE = 18


@dataclass(frozen=True)
class Decisions:
    """What a person decided about a file; empty fields are decided from its content. Hashable, so that a file and its
    decisions identify a reading.
    """

    columns: tuple[tuple[str, str], ...] = ()
    grades: tuple[tuple[str, float], ...] = ()
    encoding: str = ""
    sheet: str = ""
    member: str = ""
    header: int = 0
    pair: tuple[str, str] | None = None
    order: str = "auto"

    def how(self) -> dict[str, Any]:
        """Return the decisions that every reader takes, by name."""
        decided = {
            "columns": dict(self.columns),
            "grades": dict(self.grades),
            "encoding": self.encoding,
            "sheet": self.sheet,
            "member": self.member,
            "header": self.header,
        }
        return {name: value for name, value in decided.items() if value}


@dataclass(frozen=True)
class Given:
    """A file as it was given: its name, and a source that readers take (a path, or an open binary file)."""

    name: str
    source: Any = field(repr=False)


@dataclass(frozen=True)
class FileLook:
    """The recognition of a file.

    ``kind`` is "" where the file is no table of any kind, or a decision is necessary first, which ``error`` tells.
    ``form`` is what was understood of its format. ``digest`` is the SHA-256 of its bytes. ``lines`` is the number of
    lines with content in a LETOR file or a file of numbers, and ``total`` the sum of these numbers if all are sizes
    (else None). ``snapshot`` are the name and the time of a snapshot, where the file is a table of one.
    """

    name: str
    digest: str
    kind: str = ""
    choices: tuple[Choice, ...] = ()
    form: Understood = field(default_factory=Understood)
    error: ReadError | None = None
    lines: int = 0
    total: int | None = None
    snapshot: tuple[str, str] = ("", "")

    @property
    def is_letor(self) -> bool:
        """Whether it is a LETOR file."""
        return self.form.format == LETOR


@dataclass(frozen=True)
class FileReading:
    """A file that was read as a kind of table: the table or the error, and what was understood of the file."""

    table: Table | None = None
    error: ReadError | None = None
    understood: Understood = field(default_factory=Understood)


def look(given: Given, decisions: Decisions | None = None, *, limits: Limits = LIMITS) -> FileLook:
    """Return a first look at a file: what it holds, judged by its first part. No content raises an exception."""
    digest = digest_of(given.source)
    how = (decisions or Decisions()).how()
    try:
        recognition = recognised(given.source, limits=limits, **how)
    except ReadError as error:
        return FileLook(given.name, digest, form=form_of(given.source, limits, Options(**how)), error=error)
    first = FileLook(given.name, digest, recognition.kind, recognition.choices, recognition.form)
    first = replace(first, snapshot=recognition.snapshot)
    if first.kind != "numbers" and not first.is_letor:
        return first
    lines = bytes(content_of(given.source)).decode("utf-8-sig", "replace").splitlines()
    words = [word for line in lines for word in line.split(maxsplit=1)[:1] if not word.startswith("#")]
    if first.kind == "numbers" and words and words[0].isidentifier():
        words = words[1:]
    are_sizes = first.kind == "numbers" and all(word.isdecimal() and len(word) <= _LONGEST_SIZE for word in words)
    total = sum(map(int, words)) if words and are_sizes else None
    return replace(first, lines=len(words), total=total)


def read(
    given: Given,
    kind: Kind,
    decisions: Decisions | None = None,
    *,
    name: str | None = None,
    scores: Given | None = None,
    groups: Given | None = None,
    form: Understood | None = None,
    models: tuple[str, str] | None = None,
    limits: Limits = LIMITS,
) -> FileReading:
    """Return a file read as a kind of ``KINDS``. ``scores`` and ``groups`` belong to a LETOR file; ``form`` comes from
    the first look; ``models`` are the names of the runs A and B, which votes may name.
    """
    decisions = decisions or Decisions()
    how: dict[str, Any] = decisions.how()
    if kind in ("run", "models"):
        how["order"] = decisions.order
    if kind == "run" and name:
        how["name"] = name
    if kind == "votes":
        how |= {"pair": decisions.pair, "models": models}
    how |= {key: each.source for key, each in (("scores", scores), ("groups", groups)) if each is not None}
    form = form or Understood()
    outcome = read_as(kind, given.source, limits=limits, **how)
    return FileReading(outcome.table, outcome.error, form.with_grid(outcome.grid) if outcome.grid else form)


def digest_of(source: Any) -> str:
    """Return the SHA-256 of the bytes of a file that was given."""
    return hashlib.sha256(content_of(source)).hexdigest()


def size_of(source: Any) -> int:
    """Return the number of bytes of a file that was given."""
    return len(content_of(source))


def content_of(source: Any) -> Any:
    """Return the bytes of a file, without a copy where they are in memory."""
    if hasattr(source, "getvalue"):
        return source.getvalue()
    if isinstance(source, (bytes, bytearray, memoryview)):
        return source
    with open(source, "rb") as file:
        return file.read()
