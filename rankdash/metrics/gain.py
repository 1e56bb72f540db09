"""Measures that add up gain: CG, DCG, IDCG, nDCG, and the cascade ERR.

The discount of rank i is 1 / log2(i + 1), always. Contributions are written as gain / log2(i + 1) and added in rank
order, so that the last digit is trec_eval's.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from rankdash.metrics.lists import WHOLE, Lists, MeasureError, ratio
from rankdash.metrics.segments import Floats, Ints, product_before


def cumulative_gain(lists: Lists, k: int | None) -> Floats:
    """CG@k per query, (q,), >= 0: the gains of the first k documents, added. Järvelin and Kekäläinen 2002."""
    return _gained(lists, k, np.ones_like)


def dcg(lists: Lists, k: int | None) -> Floats:
    """DCG@k per query, (q,), >= 0: gain / log2(rank + 1), added. Järvelin and Kekäläinen 2002."""
    return _gained(lists, k, _inverse_discount)


def _inverse_discount(rank: Ints) -> Floats:
    """What a gain is divided by at each rank, same shape."""
    return np.log2(rank + 1)


def _gained(lists: Lists, k: int | None, inverse: Callable[[Ints], Floats | Ints]) -> Floats:
    """The gains of the first k over the inverse discounts of their ranks, added per query, (q,).

    Where ties average, documents with equal scores have the mean discount of their group's ranks, 0 beyond k.
    """
    if lists.convention.ties != "average":
        rows = np.flatnonzero(lists.within(k))
        return lists.total(lists.query[rows], lists.gain[rows] / inverse(lists.rank[rows]))
    cut = k or WHOLE
    first, last = lists.tie_span
    rows = np.flatnonzero(first <= cut)
    first, last = first[rows], last[rows]
    up_to = np.append(0.0, np.cumsum(1 / inverse(np.arange(1, int(last.max(initial=0)) + 1))))
    weight = (up_to[np.minimum(last, cut)] - up_to[first - 1]) / (last - first + 1)
    return lists.total(lists.query[rows], lists.gain[rows] * weight)


def ideal_dcg(lists: Lists, k: int | None) -> Floats:
    """DCG@k of the pool sorted by gain, per query, (q,), >= 0; not cut where ``ideal_cut`` is none."""
    return lists.of_pool(("IDCG", k, lists.convention.ideal_cut), lambda: _ideal_dcg(lists, k))


def _ideal_dcg(lists: Lists, k: int | None) -> Floats:
    query, rank, gain = lists.ideal
    if k is not None and lists.convention.ideal_cut == "k":
        top = rank <= k
        query, rank, gain = query[top], rank[top], gain[top]
    return lists.total(query, gain / _inverse_discount(rank))


def ndcg(lists: Lists, k: int | None) -> Floats:
    """DCG@k / IDCG@k per query, (q,), in [0, 1]; NaN where IDCG is 0. trec_eval m_ndcg_cut.c, m_ndcg.c."""
    return ratio(dcg(lists, k), ideal_dcg(lists, k))


def err(lists: Lists, k: int | None, max_grade: float | None) -> Floats:
    """Expected reciprocal rank of the document at which a user stops, per query, (q,), in [0, 1].

    The user stops at rank i with probability (2^grade - 1) / 2^max_grade. Chapelle et al. 2009. MeasureError for a
    grade above max_grade, which would give probabilities above 1.
    """
    largest = lists.run.pool.largest_grade
    top = largest if max_grade is None else max_grade
    if largest > top:
        raise MeasureError(
            f"ERR with max_grade={top:g}, but the judgments hold the grade {largest:g}. "
            f"Use ERR(max_grade={largest:g}), or leave max_grade out."
        )
    rows = np.flatnonzero(lists.within(k) & (lists.relevance > 0))
    query, rank = lists.query[rows], lists.rank[rows]
    stops = np.exp2(lists.relevance[rows] - top) - np.exp2(-top)
    return lists.total(query, product_before(1.0 - stops, query) * stops / rank)
