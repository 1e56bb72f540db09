"""What is wrong with a file, in one sentence per problem: where, what was found, what is allowed, what to do."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from rankdash.reading.source.advice import Advice, Medium, phrased
from rankdash.reading.source.options import Choice

#: Problems are shown together, but nobody reads more than this many.
SHOWN = 20
_LONGEST = 60

Rows = npt.NDArray[np.int64]


@dataclass(frozen=True)
class Problem:
    """One problem: ``file`` as shown to people, ``row`` as counted in the file, ``column`` as headed there.

    ``what`` ends the sentence that begins with place and find ("is not a number"); ``allowed`` says what would be
    accepted, or what to do, an ``Advice`` where that is a decision; ``choice`` is the decision that would help, where
    there is one. ``str()`` is the whole text, for people at a shell.
    """

    file: str
    what: str
    row: int | None = None
    column: str | None = None
    found: str | None = None
    allowed: str = ""
    choice: Choice | None = None

    @property
    def code(self) -> str:
        """Which problem it is, where a program may know what to do about it; else ""."""
        return self.allowed.code if isinstance(self.allowed, Advice) else ""

    @property
    def facts(self) -> Mapping[str, Any]:
        """What its advice is about."""
        return self.allowed.facts if isinstance(self.allowed, Advice) else {}

    def __str__(self) -> str:
        return self.phrased("shell")

    def phrased(self, medium: Medium) -> str:
        """The whole text, for one medium."""
        row = "" if self.row is None else f", row {self.row}"
        column = "" if self.column is None else f', column "{printable(self.column)}"'
        found = "" if self.found is None else f'"{printable(self.found)}" '
        return f"{printable(self.file)}{row}{column}: {found}{self.what}. {phrased(self.allowed, medium)}".rstrip()


class ReadError(ValueError):
    """A source that cannot be read as what it was given for.

    ``problems`` holds the first 20 problems, ``count`` says how many there are; ``str()`` is one line per problem, for
    people at a shell; ``lines("api")`` names what to give a reader in Python.
    """

    def __init__(self, problems: Sequence[Problem], count: int | None = None) -> None:
        self.problems = tuple(problems[:SHOWN])
        self.count = len(problems) if count is None else count
        super().__init__(self.problems, self.count)

    @property
    def choices(self) -> tuple[Choice, ...]:
        """The decisions that the source leaves open, each once."""
        return tuple(dict.fromkeys(problem.choice for problem in self.problems if problem.choice is not None))

    def __str__(self) -> str:
        return "\n".join(self.lines("shell"))

    def lines(self, medium: Medium) -> list[str]:
        """One line per problem, for one medium."""
        lines = [problem.phrased(medium) for problem in self.problems]
        more = self.count - len(self.problems)
        if more:
            lines.append(f"{self.problems[0].file}: and {more:,} more {'problem' if more == 1 else 'problems'}.")
        return lines


class LimitError(ReadError):
    """A source that is larger than the limits; no other way of reading it will help."""


class NotUtf8Error(ReadError):
    """A text that is not UTF-8; another encoding may read it."""


@dataclass(frozen=True)
class BadCells:
    """Cells of one column that are all wrong in the same way.

    ``rows`` are data rows from 0, ``text`` gives the content of the cell of one data row (None: not worth showing).
    """

    rows: Rows
    column: str
    what: str
    allowed: str = ""
    text: Callable[[int], str] | None = None
    choice: Choice | None = None


def refuse(file: str, what: str, allowed: str = "", choice: Choice | None = None) -> ReadError:
    """The error for a file that is wrong as a whole."""
    return ReadError((Problem(file, what, allowed=allowed, choice=choice),))


def check(file: str, bad: Iterable[BadCells], row_of: Callable[[Rows], Rows]) -> None:
    """Raise one ReadError for all bad cells, the first 20 in the order of the file; do nothing without any.

    ``row_of`` turns data rows from 0 into rows as counted in the file.
    """
    found = [cells for cells in bad if len(cells.rows)]
    if not found:
        return
    places = sorted((int(row), i) for i, cells in enumerate(found) for row in cells.rows[:SHOWN].tolist())[:SHOWN]
    shown = row_of(np.array([row for row, _ in places], np.int64)).tolist()
    problems = [_problem(file, found[i], row, number) for (row, i), number in zip(places, shown, strict=True)]
    raise ReadError(problems, sum(len(cells.rows) for cells in found))


def _problem(file: str, cells: BadCells, row: int, number: int) -> Problem:
    found = None if cells.text is None else cells.text(row)
    return Problem(file, cells.what, number, cells.column, found, cells.allowed, cells.choice)


def printable(text: str) -> str:
    """The text on one line, shortened, with control characters spelled out: files may hold anything."""
    kept = text if len(text) <= _LONGEST else text[: _LONGEST - 1] + "…"
    if kept.isprintable():
        return kept
    return "".join(c if c.isprintable() else c.encode("unicode_escape", "surrogatepass").decode() for c in kept)


def listed(names: Iterable[str]) -> str:
    """Names in quotes, separated by commas; at most the first 20."""
    quoted = [f'"{printable(name)}"' for name in names]
    return ", ".join(quoted[:SHOWN]) + (", …" if len(quoted) > SHOWN else "")
