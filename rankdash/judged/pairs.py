"""Two runs list by list: which documents they share, and where those stand in each."""

from __future__ import annotations

import numpy as np
import pyarrow as pa

from rankdash import arrow
from rankdash.judged.order import Order
from rankdash.judged.pool import pooled
from rankdash.judged.ranked import ranked
from rankdash.metrics.segments import Ints
from rankdash.metrics.similarity import ListPair
from rankdash.tables import Judgments, Run


def list_pair(a: Run, b: Run, query_ids: pa.Array, order: Order) -> ListPair:
    """The documents that A and B share on each of the queries, (q,) in the order of ``query_ids``.

    The documents of A play the judgments here, so that both runs meet the same numbers for the same documents.
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
    both = both[np.argsort(query[both], kind="stable")]
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
    """The values at places, 0 where there is no place."""
    return np.where(at >= 0, np.append(values, 0)[at], 0)


def _lengths(run: Run, query_ids: pa.Array, order: Order) -> Ints:
    """Documents in each list of a run, without duplicates, (q,)."""
    one_each = pa.Table.from_arrays(
        [query_ids.dictionary_encode(), query_ids, arrow.from_numpy(np.zeros(len(query_ids)))],
        names=["query_id", "doc_id", "relevance"],
    )
    return ranked(run, pooled(Judgments(one_each)), order, depth=0).lists.length
