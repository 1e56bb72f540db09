"""Measures that see only relevant or not: P, R, AP, RR, Success, Rprec, F1, RBP, and the share that is judged."""

from __future__ import annotations

import numpy as np

from rankdash.metrics.lists import WHOLE, Lists, ratio
from rankdash.metrics.segments import Floats, Ints


def hits(lists: Lists, k: int | None) -> Ints:
    """Relevant documents among the first k of each list, (q,): hits(k)."""
    return lists.count(lists.query[lists.relevant & lists.within(k)])


def precision(lists: Lists, k: int) -> Floats:
    """P@k per query, (q,), in [0, 1]: hits(k) / k, or over the documents there are up to k. trec_eval m_P.c."""
    return ratio(hits(lists, k), depth(lists, k), nothing=0.0)


def depth(lists: Lists, k: int) -> Ints:
    """What P@k divides by, (q,): k, or the number of documents there are up to k."""
    return np.full_like(lists.length, k) if lists.convention.p_denominator == "k" else np.minimum(k, lists.length)


def recall(lists: Lists, k: int) -> Floats:
    """R@k per query, (q,), in [0, 1]: hits(k) / R; NaN where R = 0. trec_eval m_recall.c."""
    return ratio(hits(lists, k), lists.judged_relevant)


def f1(lists: Lists, k: int) -> Floats:
    """The harmonic mean of P@k and R@k per query, (q,), in [0, 1]; NaN where R = 0. van Rijsbergen 1979.

    2PQ / (P + Q) with P = hits/depth and Q = hits/R is 2 hits / (depth + R).
    """
    relevant = lists.judged_relevant
    return np.where(relevant > 0, ratio(2 * hits(lists, k), depth(lists, k) + relevant), np.nan)


def r_precision(lists: Lists, k: int | None = None) -> Floats:
    """Precision at R per query, (q,), in [0, 1], also for a list shorter than R; NaN where R = 0. m_Rprec.c."""
    relevant = lists.judged_relevant
    found = lists.count(lists.query[lists.relevant & (lists.rank <= relevant[lists.query])])
    return ratio(found, relevant)


def average_precision(lists: Lists, k: int | None) -> Floats:
    """AP@k per query, (q,), in [0, 1]: hits(i) / i at each relevant rank i, over the denominator.

    The denominator is R of the pool, the smaller of it and k, or the hits; a numerator of 0 gives 0. NaN where the
    pool has no relevant document. trec_eval m_map.c, m_map_cut.c.
    """
    rows = np.flatnonzero(lists.relevant & lists.within(k))
    total = lists.total(lists.query[rows], lists.hits_so_far[rows] / lists.rank[rows])
    relevant = lists.pool_relevant
    below = {
        "R": relevant,
        "min(R,k)": np.minimum(relevant, k or WHOLE),
        "hits": lists.count(lists.query[rows]),
    }
    values = ratio(total, below[lists.convention.ap_denominator], nothing=0.0)
    return np.where(relevant > 0, values, np.nan)


def reciprocal_rank(lists: Lists, k: int | None) -> Floats:
    """1 / rank of the first relevant document among the first k, (q,), in [0, 1]; none: 0. m_recip_rank.c."""
    rows = np.flatnonzero(lists.relevant & lists.within(k) & (lists.hits_so_far == 1))
    return lists.total(lists.query[rows], 1.0 / lists.rank[rows])


def success(lists: Lists, k: int) -> Floats:
    """1 where a relevant document is among the first k, else 0, (q,). trec_eval m_success.c."""
    return (hits(lists, k) > 0).astype(np.float64)


def rank_biased_precision(lists: Lists, k: int | None, p: float) -> Floats:
    """The sum of (1 - p) p^(i - 1) over relevant ranks i, per query, (q,), in [0, 1]. Moffat and Zobel 2008."""
    rows = np.flatnonzero(lists.relevant)
    return lists.total(lists.query[rows], (1 - p) * np.power(p, lists.rank[rows] - 1.0))


def judged_share(lists: Lists, k: int) -> Floats:
    """Judged documents among the first k, over the documents there are up to k, (q,); NaN for an empty list."""
    return ratio(lists.count(lists.query[lists.within(k)]), np.minimum(k, lists.length))
