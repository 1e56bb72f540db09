"""Two runs list by list: which documents they share, and at which ranks."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pyarrow as pa

from rankdash import arrow
from rankdash.arrow import Text
from rankdash.judged.fingerprints import Index, Prints, pair_prints, same_text
from rankdash.judged.order import Order
from rankdash.judged.pool import Pool, pooled
from rankdash.judged.ranked import RankedRun, all_ranked_rows, ranked
from rankdash.judged.splicing import only
from rankdash.metrics.segments import Bools, Ints
from rankdash.metrics.similarity import ListPair
from rankdash.tables import Judgments, Run


@dataclass(frozen=True)
class Top:
    """Documents among the first ranks of a run, of all queries. Axis d: documents, by query and rank."""

    text: Text  # the document ids of the run
    row: Ints  # (d,) the row of its table
    query: Ints  # (d,)
    rank: Ints  # (d,) from 1
    prints: Prints  # (d,) fingerprints of (query, document)


def top(run: Run, ranked: RankedRun, k: int, among: Bools | None = None) -> Top:
    """Return the first ``k`` ranks of a run, or those ``among`` them, (q, k)."""
    rows = ranked.top_row[:, :k]
    query, place = np.nonzero(rows >= 0 if among is None else (rows >= 0) & among)
    prints = pair_prints(ranked.top_print[query, place], query)
    return Top(Text.of(run.table.column("doc_id")), rows[query, place], query, place + 1, prints)


def matches(a: Top, b: Top) -> Ints:
    """Return the index in ``b`` of each document of ``a`` for the same query, (d,); -1 where ``b`` does not have it."""
    return Index.of(b.prints, b.text, b.row).find(a.prints, a.text, a.row)


def same_tops(a: Run, ranked_a: RankedRun, b: Run, ranked_b: RankedRun, k: int) -> Bools:
    """Return whether the first ``k`` of two runs are the same documents in the same order, (q,)."""
    same: Bools = (ranked_a.top_print[:, :k] == ranked_b.top_print[:, :k]) & (
        (ranked_a.top_row[:, :k] >= 0) == (ranked_b.top_row[:, :k] >= 0)
    )
    query, place = np.nonzero(same & (ranked_a.top_row[:, :k] >= 0))
    rows_a, rows_b = ranked_a.top_row[query, place], ranked_b.top_row[query, place]
    same[query, place] = same_text(Text.of(a.table.column("doc_id")), rows_a, Text.of(b.table.column("doc_id")), rows_b)
    whole: Bools = np.all(same, axis=1)
    return whole


def same_lists(a: Run, b: Run, pool: Pool, order: Order, among: Bools | None = None) -> Bools:
    """Return whether the lists of two runs are the same, documents and order, (q,); False outside the queries
    ``among``, whose lists are not put in order.
    """
    same: Bools = np.ones(pool.queries, bool) if among is None else among.copy()
    if not same.any():
        return same
    query_ids = None if same.all() else pool.query_ids.take(arrow.from_numpy(np.flatnonzero(same)))
    whole = [_judged_lists(run if query_ids is None else only(run, query_ids)[0], pool, order) for run in (a, b)]
    lengths_a, lengths_b = (np.bincount(lists.query, minlength=pool.queries) for lists in whole)
    same &= lengths_a == lengths_b
    (text_a, rows_a, query), (text_b, rows_b, _) = (
        (lists.text, lists.rows[same[lists.query]], lists.query[same[lists.query]]) for lists in whole
    )
    same[query[~same_text(text_a, rows_a, text_b, rows_b)]] = False
    return same


@dataclass(frozen=True)
class _Whole:
    """The lists of judged queries to their ends. Axis d: documents, by query and rank."""

    text: Text
    rows: Ints  # (d,)
    query: Ints  # (d,)


def _judged_lists(run: Run, pool: Pool, order: Order) -> _Whole:
    query, rows, _ = all_ranked_rows(run, pool, order)
    by_query = np.argsort(query, kind="stable")  # within a query the rows are in ranked order
    by_query = by_query[query[by_query] < pool.queries]
    return _Whole(Text.of(run.table.column("doc_id")), rows[by_query], query[by_query])


def list_pair(a: Run, b: Run, query_ids: pa.Array, order: Order) -> ListPair:
    """Return the documents that A and B share on each of the queries, (q,) in the order of ``query_ids``.

    The documents of A are used as judgments, so that both runs have the same numbers for the same documents.
    """
    table = a.table.select(["query_id", "doc_id"])
    no_grades = arrow.from_numpy(np.zeros(len(table)))
    pool = pooled(Judgments(table.append_column("relevance", no_grades)))
    ranked_a, ranked_b = ranked(a, pool, order, depth=0), ranked(b, pool, order, depth=0)
    at = arrow.positions(query_ids, pool.query_ids)
    lengths_a = _spread(ranked_a.lists.length, at)
    lengths_b = _spread(_lengths(b, query_ids, order), np.arange(len(query_ids)))
    rank_b, tie_b = np.zeros((2, len(pool.query)), np.int64)
    rank_b[ranked_b.document] = ranked_b.lists.rank
    tie_b[ranked_b.document] = ranked_b.lists.tie_first
    axis = np.full(pool.queries, -1, np.int64)
    axis[at[at >= 0]] = np.flatnonzero(at >= 0)
    query = axis[ranked_a.lists.query]
    both = np.flatnonzero((rank_b[ranked_a.document] > 0) & (query >= 0))
    both = both[np.argsort(query[both])]
    document = ranked_a.document[both]
    return ListPair(
        lengths_a,
        lengths_b,
        query[both],
        ranked_a.lists.rank[both],
        rank_b[document],
        ranked_a.lists.tie_first[both],
        tie_b[document],
    )


def _spread(values: Ints, at: Ints) -> Ints:
    """Return the values at places, 0 where there is no place."""
    return np.where(at >= 0, np.append(values, 0)[at], 0)


def _lengths(run: Run, query_ids: pa.Array, order: Order) -> Ints:
    """Return the number of documents in each list of a run, without duplicates, (q,)."""
    one_each = pa.Table.from_arrays(
        [query_ids.dictionary_encode(), query_ids, arrow.from_numpy(np.zeros(len(query_ids)))],
        names=["query_id", "doc_id", "relevance"],
    )
    return ranked(run, pooled(Judgments(one_each)), order, depth=0).lists.length
