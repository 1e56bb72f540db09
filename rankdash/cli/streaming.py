"""Decides which comparisons of files are streamed, and shows how far the reading is.

A streamed comparison gives what a comparison in memory gives, byte for byte. Where it meets anything irregular, it
ends, and the files are read into memory as ever.
"""

from __future__ import annotations

import argparse
import os
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any, TypeVar

from rankdash import Comparison, Policy
from rankdash.case import Case, compared
from rankdash.cli.decisions import decided
from rankdash.cli.inputs import further_measures, read_files
from rankdash.cli.telling import MISTAKES, progress
from rankdash.reading.readers import stem

if TYPE_CHECKING:
    from rankdash.comparison import Rankings
    from rankdash.drivers.streamed import Progress

T = TypeVar("T")
#: Bytes of A and B together from which streaming pays.
LEAST = 1 << 25
#: Seconds between two looks at how far the reading is.
_OFTEN = 0.2
#: With a larger cutoff most of a list is kept, and nothing is gained.
LARGEST_CUTOFF = 100

#: The size of the pieces, where it is another than usual.
_SIZES: Mapping[str, int] = {}
#: The conditions of streaming: both runs have a file of their own about which nothing is decided, there are judgments,
#: and there are no edits, which may change documents anywhere in a list.
_CONDITIONS: tuple[Callable[[argparse.Namespace], Any], ...] = (
    lambda options: options.a and options.b and options.judgments,
    lambda options: not options.edits,
    lambda options: not decided(options, "a") and not decided(options, "b"),
    lambda options: os.path.isfile(options.a) and os.path.isfile(options.b),
    lambda options: os.path.getsize(options.a) + os.path.getsize(options.b) >= LEAST,
)


def streamed(options: argparse.Namespace, policy: Policy, use: Callable[[Comparison], int]) -> int | None:
    """Return what ``use`` returns of the comparison of two files that were never whole in memory.

    None where they have to be: because of the files, or of what ``use`` asks for.
    """
    streamed_files = streamed_rankings(options, policy, digests=_names_files(options))
    comparison = (
        None if streamed_files is None else _unless_irregular(lambda: _compared(options, policy, *streamed_files))
    )
    if comparison is None:
        return None
    from rankdash.reading.pieces import WholeNeededError

    with suppress(WholeNeededError):
        return use(comparison)
    return None


def _names_files(options: argparse.Namespace) -> bool:
    """Return whether something is written that names the files with their digests."""
    return bool(options.json or options.outputs or options.github)


def streamed_rankings(
    options: argparse.Namespace, policy: Policy, *, digests: bool
) -> tuple[Rankings, dict[str, Any]] | None:
    """Return two files in order that were never whole in memory, and the tables beside them; None as above."""
    if policy.cutoff > LARGEST_CUTOFF or not all(holds(options) for holds in _CONDITIONS):
        return None
    return _unless_irregular(lambda: _rankings(options, policy, digests or _share_a_size(options)))


def _unless_irregular(work: Callable[[], T]) -> T | None:
    """Return what work returns; None where a file has to be whole, or anything is wrong with the input: the reading in
    memory reports that. A full disk is reported at once.
    """
    from rankdash.drivers.scattered import DiskError
    from rankdash.reading.pieces import WholeNeededError

    try:
        return work()
    except DiskError:
        raise
    except (WholeNeededError, *MISTAKES):
        return None


def _rankings(options: argparse.Namespace, policy: Policy, digests: bool) -> tuple[Rankings, dict[str, Any]] | None:
    from rankdash.drivers.streamed import RunFiles, rankings_of

    names = stem(os.path.basename(options.a)), stem(os.path.basename(options.b))
    tables = read_files(options, ("judgments", "votes", "queries"), names)
    files = RunFiles(options.a, options.b, order=options.order, digests=digests, **_SIZES)
    joined = rankings_of(files, tables["judgments"], policy, further_measures(options), ReadingProgress())
    return (joined, tables) if (joined.a.name, joined.b.name) == names else None


def _compared(options: argparse.Namespace, policy: Policy, joined: Rankings, tables: Mapping[str, Any]) -> Comparison:
    progress("comparing")
    case = Case((joined.a, joined.b), **tables)
    made = compared(
        case, policy, measures=further_measures(options), experts=options.experts, rankings=lambda *_: joined
    )
    assert isinstance(made, Comparison)
    return made


class ReadingProgress:
    """Shows on a terminal how far both files are, a few times a second."""

    def __init__(self) -> None:
        self._begun = self._shown = time.monotonic()
        self._at: dict[str, Progress] = {}

    def __call__(self, file: Progress) -> None:
        """Take how far a file is; show it where some time has passed."""
        self._at[file.side] = file
        now = time.monotonic()
        if now - self._shown > _OFTEN:
            self._shown = now
            progress(reading_text(list(self._at.values()), now - self._begun))


def reading_text(files: Sequence[Progress], seconds: float) -> str:
    """Return how far the files are after some seconds: rows, and bytes and time where the sizes are known.

    >>> from rankdash.drivers.streamed import Progress
    >>> reading_text([Progress("a", 1_500_000, 40_000_000, 120_000_000)], 2.0)
    'reading: 1,500,000 rows, 40 of 120 MB, 4 s left'
    """
    rows = f"reading: {sum(file.rows for file in files):,} rows"
    done, size = sum(file.done for file in files), sum(file.size for file in files)
    if not done or not all(file.size for file in files):
        return rows
    left = seconds * max(size - done, 0) / done
    return f"{rows}, {done / 1e6:,.0f} of {size / 1e6:,.0f} MB, {left:,.0f} s left"


def _share_a_size(options: argparse.Namespace) -> bool:
    """Return whether two of the files may be the same, which their digests tell."""
    sizes = [os.path.getsize(path) for path in (options.a, options.b, options.judgments)]
    return len(set(sizes)) < len(sizes)
