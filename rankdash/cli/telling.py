"""Writes on stderr: problems, a line each, and how far the work is."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path, PurePath

from rankdash import (
    Comparison,
    ComparisonError,
    ConventionError,
    MeasureError,
    PolicyError,
    ReadError,
    TableError,
    VotesAlone,
)
from rankdash.report.exports import ExportError
from rankdash.report.notes import mistakes_of
from rankdash.system import permissions, write_whole
from rankdash.wording import literal


class ArgumentError(ValueError):
    """An option, or a decision about a file, that is not written as it must be."""


class ServeError(ValueError):
    """A port or host that the server cannot listen on. ``str()`` is one sentence that says what to do."""


class SavingError(ValueError):
    """Something that the store of saved comparisons cannot do: what is kept, and what to do."""


#: What a user can have got wrong. Anything else is our mistake, and is allowed to show itself.
MISTAKES = (
    ArgumentError,
    ServeError,
    SavingError,
    ExportError,
    ReadError,
    MeasureError,
    ConventionError,
    PolicyError,
    ComparisonError,
    TableError,
    OSError,
)
#: Endings of files that stand for a form, or for a packed one.
_FORMS = frozenset(
    ".csv .tsv .tab .json .jsonl .ndjson .parquet .pq .arrow .feather .xlsx .xls .html .xml .gz .zip".split()
)
DONE, BAD_INPUT, INTERRUPTED = 0, 2, 130
#: The inputs that a decision can be for.
INPUTS = ("a", "b", "models", "judgments", "votes", "queries")


def words(error: Exception) -> list[str]:
    """Return an error as lines for people."""
    if isinstance(error, OSError):
        return [f"{error.filename}: {error.strerror or error}." if error.filename else str(error)]
    if isinstance(error, ReadError):
        return [line for text in error.lines("shell") for line in text.splitlines()]
    return str(error).splitlines()


def tell(lines: Iterable[str]) -> None:
    """Write lines for people; what came from a file is seen, and drives no terminal."""
    for line in lines:
        sys.stderr.write(f"{literal(line)}\n")


def tell_wrong(comparison: Comparison | VotesAlone, silent: bool = False) -> bool:
    """Write what is wrong between the files of a comparison, unless ``silent``; return whether that leaves nothing to
    compare.
    """
    wrong = () if isinstance(comparison, VotesAlone) else mistakes_of(comparison)
    tell(mistake.sentence for mistake in wrong if not silent)
    return any(mistake.fatal for mistake in wrong)


def progress(doing: str) -> None:
    """Show what is going on, on a terminal; nothing in a pipe."""
    if sys.stderr.isatty():
        sys.stderr.write(f"\r\x1b[K{doing + ' …' if doing else ''}")
        sys.stderr.flush()


def check_ending(path: str, option: str, endings: Sequence[str]) -> None:
    """Raise ArgumentError where the ending of a file stands for a form that an option does not write."""
    ending = PurePath(path).suffix.lower()
    if ending in _FORMS and ending not in endings:
        raise ArgumentError(f"{path}: {option} writes {' or '.join(endings)}, and no {ending}.")


def write(path: str, content: bytes) -> None:
    """Write a file as a whole or not at all, whatever ends the writing. OSError with the name of the file.

    What is no ordinary file, such as a pipe, is written as it comes; so is a file in a folder that takes no other.
    """
    place = Path(os.path.realpath(path))
    in_place = place.exists() and not (place.is_file() and os.access(place.parent, os.W_OK))
    try:
        if in_place:
            place.write_bytes(content)
        else:
            write_whole(place, content, permissions(path))
    except OSError as error:
        raise OSError(error.errno, error.strerror, path) from None
