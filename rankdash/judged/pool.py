"""The judgments of a comparison, each (query, document) once, and how they are matched with rows."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from rankdash import arrow
from rankdash.arrow import Text
from rankdash.judged.fingerprints import Index, Prints, fingerprints, pair_prints, repeats
from rankdash.metrics.lists import JudgedPool
from rankdash.metrics.segments import Bools, Floats, Ints
from rankdash.records.lazy import cached_property
from rankdash.tables import Judgments, Run

#: How many times as many queries as ids there have to be for the ids to be few.
_FEW = 8


@dataclass(frozen=True)
class Conflict:
    """Two grades for the same (query, document). The first counts; ``row`` of the judgments table has the other."""

    query_id: str
    doc_id: str
    kept: float
    other: float
    row: int = field(default=-1, compare=False)


@dataclass(frozen=True)
class Pool:
    """The judgments, each (query, document) once. Axes: q queries, in order of appearance; j judgments, by query,
    and within a query by relevance, highest first.
    """

    query_ids: pa.Array  # (q,) strings
    query: Ints  # (j,)
    relevance: Floats  # (j,)
    row: Ints  # (j,) the row of the judgments table
    index: Index  # the judgments by fingerprint
    repeated: int  # rows with the same grade as an earlier row
    conflicts: tuple[Conflict, ...]  # the first 20
    contradicted: Ints  # (c,) the query of each row with another grade than an earlier row, in order of the rows
    all_grades: Floats | None = None  # the grades of all judgments; None: of these, which are all

    @property
    def queries(self) -> int:
        """The number of judged queries."""
        return len(self.query_ids)

    def places(self, ids: pa.Array) -> Ints:
        """Return the number of the query that each id names, (ids,); -1 where it is not judged.

        A few ids are looked up one by one: making Arrow's table of all queries takes longer, and each block of a large
        run would make it again.
        """
        if len(ids) * _FEW > self.queries:
            return arrow.positions(ids, self.query_ids)
        return np.array([self._place_of.get(value, -1) for value in ids.to_pylist()], np.int64)

    @cached_property
    def _place_of(self) -> dict[str, int]:
        return {value: place for place, value in enumerate(self.query_ids.to_pylist())}

    @property
    def conflict_count(self) -> int:
        """The rows with another grade than an earlier row."""
        return len(self.contradicted)

    @cached_property
    def grades(self) -> tuple[float, ...]:
        """Return the distinct grades of all judgments, ascending, even where these are only a part of them."""
        return tuple(arrow.distinct(self.relevance if self.all_grades is None else self.all_grades).tolist())

    @cached_property
    def judged(self) -> JudgedPool:
        """Return the judgments as the measures see them."""
        whole = None if self.all_grades is None else JudgedPool(np.empty(0, np.int64), self.all_grades)
        return JudgedPool(self.query, self.relevance, whole)


@dataclass(frozen=True)
class JudgedFilter:
    """Finds the judgments of rows: a mark per fingerprint first, then its place in the index."""

    index: Index
    marked: Bools  # by the first bits of a fingerprint: whether any judgment has these
    mark_shift: np.uint64
    starts: npt.NDArray[np.int32]  # by fewer first bits: where the judgments with these begin
    start_shift: np.uint64

    @classmethod
    def of(cls, pool: Pool) -> JudgedFilter:
        """Return a filter with about one start and 100 marks or more per judgment, as far as the cache has room."""
        prints = pool.index.prints
        size = int(np.ceil(np.log2(len(prints) + 1)))
        mark_shift, start_shift = (np.uint64(64 - int(np.clip(bits, 10, 20))) for bits in (size + 7, size))
        marked = np.zeros(1 << (64 - int(mark_shift)), bool)
        marked[prints >> mark_shift] = True
        sizes = np.bincount((prints >> start_shift).astype(np.int64), minlength=1 << (64 - int(start_shift)))
        starts = (np.cumsum(sizes) - sizes).astype(np.int32)
        return cls(pool.index, marked, mark_shift, starts, start_shift)

    def maybe(self, prints: Prints) -> Bools:
        """Return which rows may be judged, (rows,); no others are."""
        first_bits = (prints >> self.mark_shift).view(np.int64)  # numpy would cast unsigned places
        maybe: Bools = self.marked[first_bits]
        return maybe

    def matches(self, prints: Prints, text: Text, rows: Ints, among: Bools | None = None) -> tuple[Ints, Ints]:
        """Return the rows of a block that are judged, ascending, and which judgment of the pool each of them is."""
        maybe = np.flatnonzero(self.maybe(prints) if among is None else among)
        prints = prints[maybe]
        start = self.starts[prints >> self.start_shift].astype(np.int64)
        judgment = self.index.find(prints, text, rows[maybe], start)
        matched = judgment >= 0
        return maybe[matched], judgment[matched]


def pooled(judgments: Judgments, grades: Iterable[float] | None = None) -> Pool:
    """Return the judgments with each (query, document) once: the first is kept, a different grade later is a conflict.

    ``grades`` are the grades of all judgments, where these are the judgments of some queries only.
    """
    table = judgments.table
    ids = arrow.one_chunk(table.column("query_id"))
    query = arrow.codes(ids).astype(np.int64)
    query_ids, query = _used(ids.dictionary, query)
    relevance = arrow.as_numpy(arrow.one_chunk(table.column("relevance"))).astype(np.float64, copy=False)
    text = Text.of(table.column("doc_id"))
    prints = pair_prints(fingerprints(text, slice(0, len(text))), query)
    repeated, firsts = repeats(prints, query, text, np.arange(len(query)))
    by_row = np.argsort(repeated)
    repeated, firsts = repeated[by_row], firsts[by_row]
    differ = relevance[repeated] != relevance[firsts]
    conflicts = tuple(
        Conflict(query_ids[int(query[row])].as_py(), table.column("doc_id")[row].as_py(), kept, other, row)
        for row, kept, other in zip(
            repeated[differ][:20].tolist(),
            relevance[firsts][differ].tolist(),
            relevance[repeated][differ].tolist(),
            strict=False,
        )
    )
    row = np.delete(np.arange(len(query)), repeated)
    row = row[np.lexsort((-relevance[row], query[row]))]
    index = Index.of(prints[row], text, row)
    contradicted = query[repeated[differ]]
    repeated_alike = len(repeated) - len(contradicted)
    every = None if grades is None else np.array(sorted(grades), np.float64)
    return Pool(query_ids, query[row], relevance[row], row, index, repeated_alike, conflicts, contradicted, every)


def inline_judgments(*runs: Run) -> Judgments | None:
    """Return the grades written beside the documents of the runs, pooled in their order; None where no run has any."""
    columns: list[tuple[pa.Array, pa.Array, pa.Array]] = []
    for run in runs:
        if "relevance" not in run.table.column_names:
            continue
        relevance = arrow.one_chunk(run.table.column("relevance"))
        graded = np.flatnonzero(~np.isnan(arrow.as_numpy(relevance)))
        rows = arrow.from_numpy(graded.astype(np.int64))
        ids = arrow.one_chunk(run.table.column("query_id"))
        text = arrow.one_chunk(run.table.column("doc_id")).cast(pa.large_string())
        columns.append((ids.take(rows), text.take(rows), relevance.take(rows)))
    if not columns:
        return None
    chunked = [pa.chunked_array([part[i] for part in columns]) for i in range(3)]
    arrays = [arrow.one_chunk(column) for column in chunked]
    return Judgments(pa.Table.from_arrays(arrays, names=["query_id", "doc_id", "relevance"]))


def _used(dictionary: pa.Array, codes: Ints) -> tuple[pa.Array, Ints]:
    """Return the dictionary without the values that no row uses, and the codes in it."""
    used = np.zeros(len(dictionary), bool)
    used[codes] = True
    if used.all():
        return dictionary, codes
    return dictionary.take(arrow.from_numpy(np.flatnonzero(used))), (np.cumsum(used) - 1)[codes]
