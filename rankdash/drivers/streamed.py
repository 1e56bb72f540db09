"""Files of any size: A and B read block by block in two threads, each block reduced as it comes to what is kept.

The values equal those of the runs in memory to the last bit, for the same functions put the lists in order and score
them. Irregular files are left to the reading in memory: ``WholeNeededError`` says that it is needed, not why.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import FIRST_EXCEPTION, ThreadPoolExecutor, wait
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
from threading import Event

import numpy as np
import pyarrow as pa

from rankdash import arrow
from rankdash.comparison import Rankings, join, scope_of
from rankdash.comparison.rankings import RunRankings
from rankdash.drivers.kept import KeptRankings, KeptRun
from rankdash.drivers.scattered import Scattered
from rankdash.judged import SIDES, Order, Side
from rankdash.judged.first_ranks import FirstRanks, ScatteredError
from rankdash.metrics import Measure
from rankdash.mistakes import Sampled, together
from rankdash.policy import Policy
from rankdash.reading.pieces import PIECE, RunInPieces, WholeNeededError, run_in_pieces
from rankdash.system import give_back
from rankdash.tables import NO_ROWS, Judgments, Run


@dataclass(frozen=True)
class Progress:
    """How far the reading of one file is: rows, bytes, and the bytes of the whole file."""

    side: Side
    rows: int
    done: int
    size: int


Watch = Callable[[Progress], None]


@dataclass(frozen=True)
class RunFiles:
    """Two files of runs, the order that their lists are to be put in, and whether anybody reads their digests."""

    a: str | os.PathLike[str]
    b: str | os.PathLike[str]
    order: str = "auto"
    digests: bool = True
    piece: int = PIECE

    def opened(self, side: Side, *, digest: bool = False) -> AbstractContextManager[RunInPieces]:
        """Open one file to be read piece by piece."""
        path = self.a if side == "a" else self.b
        return run_in_pieces(path, order=self.order, digest=digest, piece=self.piece)


def rankings_of(
    files: RunFiles,
    judgments: Judgments,
    policy: Policy,
    measures: str | Measure | Iterable[str | Measure] = (),
    watch: Watch = lambda _: None,
) -> Rankings:
    """Return both runs in order against the judgments, with all of their lists that a comparison reads.

    ``watch`` is called in two threads. WholeNeededError where only the runs in memory can tell; MeasureError for a
    measure that does not exist.
    """
    frame = join(Run("A", NO_ROWS, "score"), Run("B", NO_ROWS, "score"), judgments)
    scope = scope_of(policy, measures, frame.pool.grades, apart=frame.apart)
    if scope.apart or scope.alike:
        raise WholeNeededError
    orders = tuple(dict.fromkeys(Order.of(measure.convention) for measure in (scope.explained, *scope.measures)))
    ended = Event()

    def read(side: Side) -> _ReadRun:
        def at(rows: int, done: int, size: int) -> None:
            if ended.is_set():
                raise WholeNeededError  # the other file, or a person, has ended it
            watch(Progress(side, rows, done, size))

        with files.opened(side, digest=files.digests) as pieces:
            reading = _Reading(pieces, judgments, at)
            return _read_run(pieces, reading, lambda: FirstRanks(frame.pool, orders, 2 * policy.cutoff + 1))

    rankings = _together(files, frame, 2 * policy.cutoff + 1, _of_both(read, ended))
    give_back()  # the memory of the pieces, which is more than is kept of them
    return rankings


def _of_both(read: Callable[[Side], _ReadRun], ended: Event) -> dict[Side, _ReadRun]:
    """Return both runs, read in two threads. ``ended`` is set with the first error, which is raised."""
    with ThreadPoolExecutor(len(SIDES), "rankdash-stream") as threads:
        reading = [threads.submit(read, side) for side in SIDES]
        try:
            for ended_first in wait(reading, return_when=FIRST_EXCEPTION).done:
                ended_first.result()
        finally:
            ended.set()
    return {side: run.result() for side, run in zip(SIDES, reading, strict=True)}


@dataclass(frozen=True)
class _ReadRun:
    """A run that was read: its kept rows, and what makes rankings of them. ``sampled``: documents from all over it.
    ``scattered``: the rows were brought together on disk.
    """

    run: Run
    sampled: Sampled
    kept: FirstRanks
    scattered: bool


class _Reading:
    """One file while it is read: counts its rows, and remembers its first part and some documents from all over it."""

    def __init__(self, pieces: RunInPieces, judgments: Judgments, at: Callable[[int, int, int], None]) -> None:
        self._pieces, self._judgments, self._at = pieces, judgments, at
        self.rows, self.sampled = 0, Sampled(judgments.table)
        self.first: Run | None = None

    def __iter__(self) -> Iterator[Run]:
        self.rows, self.sampled = 0, Sampled(self._judgments.table)
        for piece in self._pieces:
            self.sampled.add(piece.run.table)
            self.rows += len(piece.run.table)
            self.first = self.first or piece.run
            self._at(self.rows, piece.end, self._pieces.size)
            yield piece.run


def _read_run(pieces: RunInPieces, reading: _Reading, empty: Callable[[], FirstRanks]) -> _ReadRun:
    """Return a run whose lists are put in order as they come, from the disk where the rows of one are scattered."""
    try:
        kept = _kept(pieces, whole_lists(reading), empty())
        ids, scattered = kept.query_ids(), False
    except ScatteredError:
        apart = Scattered(pieces.size)
        kept = _kept(pieces, apart.lists(reading), empty())
        ids, scattered = apart.query_ids, True
    if reading.first is None:
        raise WholeNeededError
    source = pieces.source(reading.first.source, reading.rows, ids)
    return _ReadRun(replace(reading.first, table=kept.table(ids), source=source), reading.sampled, kept, scattered)


def _kept(pieces: RunInPieces, lists: Iterable[Run], kept: FirstRanks) -> FirstRanks:
    """Return what is kept of blocks of whole lists. ScatteredError where a query has rows in several of them."""
    noted = False
    for block in lists:
        kept.add(block)
        noted = noted or pieces.has_noted_ranks(block)
    kept.query_ids()  # raises where a query came twice: then nothing that was noted holds
    if noted:
        raise WholeNeededError
    return kept


def _together(files: RunFiles, frame: Rankings, depth: int, runs: Mapping[Side, _ReadRun]) -> Rankings:
    """Return the rankings of two runs that were read. WholeNeededError where no document of one is judged, or others
    would be under ids that are written otherwise.
    """
    longest = max(run.kept.longest for run in runs.values())
    depth = min(depth, longest)
    by_side: dict[Side, RunRankings] = {}
    for side, run in runs.items():
        by_order = run.kept.ranked(depth)
        if not all(len(ranked.document) for ranked in by_order.values()):
            raise WholeNeededError  # the documents of the whole run tell whether they are those of other judgments
        if together([run.sampled.written_otherwise()]):
            raise WholeNeededError
        by_side[side] = KeptRun(run.run, frame.pool, depth, by_order=by_order)

    scattered = {side: run.scattered for side, run in runs.items()}  # so that ``again`` does not hold the runs

    def again(side: Side) -> Iterator[Run]:
        with files.opened(side) as pieces:
            parts = (piece.run for piece in pieces)
            yield from Scattered(pieces.size).lists(parts) if scattered[side] else whole_lists(parts)

    a, b = runs["a"].run, runs["b"].run
    return KeptRankings(a, b, frame.judgments, frame.pool, depth, by_side, longest, again)


def whole_lists(parts: Iterable[Run]) -> Iterator[Run]:
    """Yield the rows of consecutive parts of a run in blocks, cut where the query changes."""
    waiting: list[Run] = []
    for part in parts:
        last = _last_list(part)
        if last:
            yield _joined([*waiting, _rows(part, 0, last)])
            waiting = []
        waiting.append(_rows(part, last, len(part.table)))
    if waiting:
        yield _joined(waiting)


def _last_list(part: Run) -> int:
    """Return the first row of the last query, whose rows all follow."""
    codes = arrow.codes(arrow.one_chunk(part.table.column("query_id")))
    others = np.flatnonzero(codes != codes[-1])
    return int(others[-1]) + 1 if len(others) else 0


def _rows(run: Run, start: int, end: int) -> Run:
    return replace(run, table=run.table.slice(start, end - start))


def _joined(parts: Sequence[Run]) -> Run:
    """Return parts of a run as one, with one chunk per column."""
    table = pa.concat_tables([part.table for part in parts])
    columns = {name: arrow.one_chunk(table.column(name)) for name in table.column_names}
    return replace(parts[0], table=pa.table(columns))
