"""The command line: arguments -> files read and compared, and text on a terminal. It knows nothing of pages.

Here is what all commands share: what they write on stderr, problems, a line each, and how far the work is.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from threading import Event, Thread

from rankdash import Comparison, ComparisonError, ConventionError, MeasureError, PolicyError, ReadError, TableError
from rankdash.report import ExportError
from rankdash.report.notes import mistakes_of
from rankdash.scoring import VotesAlone
from rankdash.system import permissions, write_whole
from rankdash.wording import literal


class ArgumentError(ValueError):
    """An option, or a decision about a file, that is not written as it must be."""


class ServeError(ValueError):
    """A port or host that the server cannot listen on. ``str()`` is one sentence that says what to do."""


class SavingError(ValueError):
    """An error of the store of saved comparisons; the message says what is unchanged, and what to do."""


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
DONE, BAD_INPUT, INTERRUPTED = 0, 2, 130
#: The inputs that a decision can be for.
INPUTS = ("a", "b", "models", "judgments", "votes", "queries", "items", "seen")
#: How many warnings are printed, and the seconds after which progress is shown.
_MOST, _PATIENCE = 5, 1.0


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


def print_mistakes(comparison: Comparison | VotesAlone, *, silent: bool = False) -> bool:
    """Return whether the files leave nothing to compare, and write what is wrong between them, unless ``silent``."""
    wrong = () if isinstance(comparison, VotesAlone) else mistakes_of(comparison)
    refused = any(mistake.fatal for mistake in wrong)
    tell(mistake.sentence for mistake in wrong if refused and not silent)
    return refused


def warn(lines: Sequence[str], *, verbose: bool) -> None:
    """Write the first warnings, and how many more there are; with ``verbose`` all lines."""
    shown = lines if verbose else lines[:_MOST]
    tell(shown)
    if more := len(lines) - len(shown):
        tell([f"{more} more: --verbose"])


@contextmanager
def progress(doing: str, of: int = 1) -> Iterator[Callable[[], None]]:
    """Show on a terminal what takes longer than a second; write nothing into a pipe. What is yielded counts a step."""
    if not sys.stderr.isatty():
        yield lambda: None
        return
    steps, ended = list[None](), Event()

    def show() -> None:
        while not ended.wait(_PATIENCE):
            sys.stderr.write(f"\r\x1b[K{doing}{f' {len(steps)} of {of}' if of > 1 else ''} …")
            sys.stderr.flush()

    thread = Thread(target=show, daemon=True)
    thread.start()
    try:
        yield lambda: steps.append(None)
    finally:
        ended.set()
        thread.join()
        sys.stderr.write("\r\x1b[K")
        sys.stderr.flush()


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
