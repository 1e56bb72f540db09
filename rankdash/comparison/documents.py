"""The documents that A and B show, as arrays: what explains a difference, and what to label next."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from rankdash import arrow
from rankdash.comparison.rankings import Rankings
from rankdash.conventions import Convention
from rankdash.evidence.documents.shown import ABSENT, Documents
from rankdash.judged import Order, Pool, RankedRun, Side, Top, matches, top
from rankdash.metrics import Lists
from rankdash.metrics.gain import ideal_dcg
from rankdash.metrics.lists import gains
from rankdash.records.lazy import cached_property
from rankdash.tables import Run

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
        """Return the gains of each query's best judged documents, highest first, filled up with 0, (q, w).

        w is k, or less where no list would grow to k if every unjudged document were relevant.
        """
        query, rank, gain = self.ideal_lists
        unjudged = np.bincount(self.documents.query[~self.documents.judged], minlength=1)
        width = min(self.k, int(rank.max(initial=0)) + int(unjudged.max(initial=0)))
        top = rank <= width
        best = np.zeros((len(self.ideal), max(width, 1)))
        best[query[top], rank[top] - 1] = gain[top]
        return best


def shown_documents(joined: Rankings, convention: Convention, k: int) -> ShownDocuments:
    """Return the documents in the top k of A or B, with their ranks in both lists, however deep.

    k is at most the depth to which the runs were joined. The ideal list is that of all judged documents, the same for A
    and B, whatever pool the convention takes it from.
    """
    shared = convention.with_axes({"ideal": "judged", "ideal_cut": "k", "unjudged": "nonrelevant"})
    sides = [_Side.of(joined, "a", shared), _Side.of(joined, "b", shared)]
    columns = zip(_judged(joined.pool, sides, k), _unjudged(joined, sides, k), strict=True)
    *of_document, row_a, row_b = (np.concatenate(column) for column in columns)
    lists = sides[0].lists
    return ShownDocuments(Documents(*of_document), row_a, row_b, ideal_dcg(lists, k), lists.ideal, k)


def order_of_ids(joined: Rankings, shown: ShownDocuments) -> Ints:
    """Return the place of each unjudged document in the order of query id and document id, (d,), which decides where
    all else is equal.
    """
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
    def of(cls, joined: Rankings, side: Side, convention: Convention) -> _Side:
        ranked = joined.ranked(side, Order.of(convention))
        lists = Lists(ranked.lists, convention)
        among_judged = Lists(ranked.lists, convention.with_axes({"unjudged": "condensed"}))
        kept = ranked.document if convention.negative == "clip" else ranked.document[ranked.lists.relevance >= 0]
        rank, condensed = np.zeros((2, len(joined.pool.query)), np.int64)
        rank[kept], condensed[kept] = lists.rank, among_judged.rank
        return cls(ranked, lists, rank, condensed)


_Columns = tuple[npt.NDArray[Any], ...]


def _judged(pool: Pool, sides: list[_Side], k: int) -> _Columns:
    """Return judged documents in either top k: the columns of ``Documents``, then both rows."""
    a, b = sides
    at = np.flatnonzero(_within(a.rank, k) | _within(b.rank, k))
    gain = gains(np.maximum(pool.relevance[at], 0.0), a.lists.convention.gain)
    rows = [_rows_of(side.ranked, pool.query[at], side.rank[at], k) for side in sides]
    judged = np.ones(len(at), bool)
    return (pool.query[at], a.rank[at], b.rank[at], gain, judged, a.condensed[at], b.condensed[at], *rows)


def _unjudged(joined: Rankings, sides: list[_Side], k: int) -> _Columns:
    """Return the same columns of the unjudged documents, each once: those of A, then those of B alone."""
    a, b = (_unjudged_of(run, side, k) for run, side in zip((joined.a, joined.b), sides, strict=True))
    in_b = matches(a, b)
    common = np.flatnonzero(in_b >= 0)
    new = np.delete(np.arange(len(b.row)), in_b[common])
    size = len(a.row) + len(new)
    rank_a, rank_b = np.full((2, size), ABSENT, np.int64)
    row_a, row_b = np.full((2, size), -1, np.int64)
    rank_a[: len(a.row)], row_a[: len(a.row)] = a.rank, a.row
    rank_b[common], row_b[common] = b.rank[in_b[common]], b.row[in_b[common]]
    rank_b[len(a.row) :], row_b[len(a.row) :] = b.rank[new], b.row[new]
    query, nothing = np.concatenate((a.query, b.query[new])), np.zeros(size, np.int64)
    return (query, rank_a, rank_b, np.zeros(size), np.zeros(size, bool), nothing, nothing, row_a, row_b)


def _unjudged_of(run: Run, side: _Side, k: int) -> Top:
    """Return the unjudged documents in the top k of one run."""
    judgment = side.ranked.top_judgment[:, :k]
    counts = (judgment >= 0) & (side.rank[np.maximum(judgment, 0)] > 0) if len(side.rank) else judgment >= 0
    return top(run, side.ranked, k, ~counts)


def _rows_of(ranked: RankedRun, query: Ints, rank: Ints, k: int) -> Ints:
    """Return the row of the run's table at each rank of the top k, -1 outside it."""
    inside = _within(rank, k)
    rows = np.full(len(rank), -1, np.int64)
    rows[inside] = ranked.top_row[query[inside], rank[inside] - 1]
    return rows


def _within(rank: Ints, k: int) -> npt.NDArray[np.bool_]:
    return (rank > ABSENT) & (rank <= k)
