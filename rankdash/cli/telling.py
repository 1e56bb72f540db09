"""What the command line tells on stderr: problems, one line each, and what is going on."""

from __future__ import annotations

import sys
from collections.abc import Iterable

from rankdash import ComparisonError, ConventionError, MeasureError, PolicyError, ReadError, TableError
from rankdash.cli.arguments import ArgumentError
from rankdash.cli.serve import ServeError
from rankdash.report.edits_file import EditsError


class SavingError(ValueError):
    """Something that the store of saved comparisons cannot do: what is kept, and what to do."""


#: What a user can have got wrong. Anything else is our mistake, and is allowed to show itself.
MISTAKES = (
    ArgumentError,
    ServeError,
    SavingError,
    ReadError,
    MeasureError,
    ConventionError,
    PolicyError,
    ComparisonError,
    TableError,
    EditsError,
    OSError,
)
DONE, BAD_INPUT = 0, 2


def words(error: Exception) -> list[str]:
    """Return an error as lines for people."""
    if isinstance(error, OSError):
        return [f"{error.filename}: {error.strerror or error}." if error.filename else str(error)]
    return str(error).splitlines()


def tell(lines: Iterable[str]) -> None:
    """Lines for people."""
    for line in lines:
        sys.stderr.write(f"{line}\n")


def progress(doing: str) -> None:
    """What is going on, on a terminal; nothing in a pipe."""
    if sys.stderr.isatty():
        sys.stderr.write(f"\r\x1b[K{doing + ' …' if doing else ''}")
        sys.stderr.flush()
