"""The documents that A and B show, as arrays: what explains a difference, and what to label next."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from rankdash import arrow
from rankdash.comparison.joined import Joined
from rankdash.conventions import Convention
from rankdash.evidence.documents import ABSENT, Documents
from rankdash.judged import Order, Pool, RankedRun, Side
from rankdash.judged.fingerprints import pair_prints
from rankdash.metrics import Lists
from rankdash.metrics.gain import ideal_dcg
from rankdash.metrics.lists import gains

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]


@dataclass(frozen=True)
class ShownDocuments:
    """Every document in the top k of A or B, once per query. Axes: d these documents, q the judged queries.

    ``row_a`` and ``row_b`` are rows of the runs' tables, -1 where that list does not hold the document in its top k.
    """

    documents: Documents
    row_a: Ints  # (d,)
    row_b: Ints  # (d,)
    ideal: Floats  # (q,) IDCG@k over all judged documents
    ideal_lists: tuple[Ints, Ints, Floats]  # query, rank and gain of every document of the ideal lists
    k: int

    @cached_property
    def ideal_gains(self) -> Floats:
        """The gains of each query's best judged documents, highest first, filled up with 0, (q, w).

        w is k, or less where no list would grow to k if every unjudged document were relevant.
        """
        query, rank, gain = self.ideal_lists
        unjudged = np.bincount(self.documents.query[~self.documents.judged], minlength=1)
        width = min(self.k, int(rank.max(initial=0)) + int(unjudged.max(initial=0)))
        top = rank <= width
        best = np.zeros((len(self.ideal), max(width, 1)))
        best[query[top], rank[top] - 1] = gain[top]
        return best


def shown_documents(joined: Joined, convention: Convention, k: int) -> ShownDocuments:
    """The documents in the top k of A or B, with the ranks that they have in both lists, however deep.

    k is at most the depth to which the runs were joined. The ideal is that of all judged documents, which A and B
    share, whatever pool the convention takes it from.
    """
    shared = convention.with_axes({"ideal": "judged", "ideal_cut": "k", "unjudged": "nonrelevant"})
    sides = [_Side.of(joined, "a", shared), _Side.of(joined, "b", shared)]
    columns = zip(_judged(joined.pool, sides, k), _unjudged(sides, k), strict=True)
    *of_document, row_a, row_b = (np.concatenate(column) for column in columns)
    lists = sides[0].lists
    return ShownDocuments(Documents(*of_document), row_a, row_b, ideal_dcg(lists, k), lists.ideal, k)


def order_of_ids(joined: Joined, shown: ShownDocuments) -> Ints:
    """The place of each unjudged document by query id and document id, (d,): what decides where all else is equal."""
    unjudged = np.flatnonzero(~shown.documents.judged)
    doc_ids = np.full(len(unjudged), "", object)
    for run, rows in ((joined.a, shown.row_a[unjudged]), (joined.b, shown.row_b[unjudged])):
        at = np.flatnonzero(rows >= 0)
        doc_ids[at] = run.table.column("doc_id").take(arrow.from_numpy(rows[at])).to_pylist()
    query_ids = joined.pool.query_ids.to_pylist()
    pairs = [(query_ids[query], doc) for query, doc in zip(shown.documents.query[unjudged], doc_ids, strict=True)]
    place = np.zeros(len(shown.row_a), np.int64)
    place[unjudged[sorted(range(len(pairs)), key=pairs.__getitem__)]] = np.arange(len(pairs))
    return place


@dataclass(frozen=True)
class _Side:
    """One run: its judged documents by judgment, and its first ranks."""

    ranked: RankedRun
    lists: Lists
    rank: Ints  # (j,) by judgment of the pool, 0 where the list does not hold the document
    condensed: Ints  # (j,) rank among judged documents

    @classmethod
    def of(cls, joined: Joined, side: Side, convention: Convention) -> _Side:
        ranked = joined.ranked(side, Order.of(convention))
        lists = Lists(ranked.lists, convention)
        among_judged = Lists(ranked.lists, convention.with_axes({"unjudged": "condensed"}))
        kept = ranked.document if convention.negative == "clip" else ranked.document[ranked.lists.relevance >= 0]
        rank, condensed = np.zeros((2, len(joined.pool.query)), np.int64)
        rank[kept], condensed[kept] = lists.rank, among_judged.rank
        return cls(ranked, lists, rank, condensed)


_Columns = tuple[npt.NDArray[Any], ...]


def _judged(pool: Pool, sides: list[_Side], k: int) -> _Columns:
    """Judged documents in either top k: the columns of ``Documents``, then both rows."""
    a, b = sides
    at = np.flatnonzero(_within(a.rank, k) | _within(b.rank, k))
    gain = gains(np.maximum(pool.relevance[at], 0.0), a.lists.convention.gain)
    rows = [_rows_of(side.ranked, pool.query[at], side.rank[at], k) for side in sides]
    judged = np.ones(len(at), bool)
    return (pool.query[at], a.rank[at], b.rank[at], gain, judged, a.condensed[at], b.condensed[at], *rows)


def _unjudged(sides: list[_Side], k: int) -> _Columns:
    """The same columns of the unjudged documents; one that both lists hold is known by its fingerprint."""
    found = [_unjudged_of(side, k) for side in sides]
    query, prints = (np.concatenate([part[i] for part in found]) for i in (0, 1))
    unique, first_at, inverse = np.unique(pair_prints(prints, query), return_index=True, return_inverse=True)
    columns = []
    for start, (_, _, rank, row) in zip((0, len(found[0][0])), found, strict=True):
        ranks, rows = np.full(len(unique), ABSENT, np.int64), np.full(len(unique), -1, np.int64)
        at = inverse[start : start + len(rank)]
        ranks[at], rows[at] = rank, row
        columns.append((ranks, rows))
    (rank_a, row_a), (rank_b, row_b) = columns
    nothing = np.zeros(len(unique), np.int64)
    unjudged = np.zeros(len(unique), bool)
    return (query[first_at], rank_a, rank_b, np.zeros(len(unique)), unjudged, nothing, nothing, row_a, row_b)


def _unjudged_of(side: _Side, k: int) -> tuple[Ints, npt.NDArray[np.uint64], Ints, Ints]:
    """Query, fingerprint, rank and row of the unjudged documents in the top k of one run."""
    ranked = side.ranked
    judgment = ranked.top_judgment[:, :k]
    counts = (judgment >= 0) & (side.rank[np.maximum(judgment, 0)] > 0) if len(side.rank) else judgment >= 0
    query, place = np.nonzero((ranked.top_row[:, :k] >= 0) & ~counts)
    return query, ranked.top_print[query, place], place + 1, ranked.top_row[query, place]


def _rows_of(ranked: RankedRun, query: Ints, rank: Ints, k: int) -> Ints:
    """The row of the run's table at each rank of the top k, -1 outside it."""
    inside = _within(rank, k)
    rows = np.full(len(rank), -1, np.int64)
    rows[inside] = ranked.top_row[query[inside], rank[inside] - 1]
    return rows


def _within(rank: Ints, k: int) -> npt.NDArray[np.bool_]:
    return (rank > ABSENT) & (rank <= k)
