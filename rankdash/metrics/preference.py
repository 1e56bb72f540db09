"""Measures over pairs of judged documents: Bpref and AUC. Unjudged documents play no part in them."""

from __future__ import annotations

import numpy as np

from rankdash.metrics.lists import Lists, ratio
from rankdash.metrics.segments import Floats, Ints, running_count, same_as_before


def bpref(lists: Lists, k: int | None = None) -> Floats:
    """Bpref per query, (q,), in [0, 1]: how few judged non-relevant documents stand above each relevant one.

    (1/R) times the sum over relevant documents in the list of 1 - min(b, R) / min(N, R), b the judged non-relevant
    documents above it; the term is 1 where b = 0. NaN where R = 0. trec_eval m_bpref.c.
    """
    relevant, nonrelevant = lists.judged_relevant, lists.judged_nonrelevant
    rows = np.flatnonzero(lists.relevant)
    query = lists.query[rows]
    above = running_count(~lists.relevant, lists.query)[rows]
    most = np.minimum(relevant, nonrelevant)[query]
    penalty = ratio(np.minimum(above, relevant[query]), most, nothing=0.0)
    total = lists.total(query, 1.0 - penalty)
    return ratio(total, relevant)


def auc(lists: Lists, k: int | None = None) -> Floats:
    """Share of the pairs (relevant, judged non-relevant) of a list with the relevant one higher, (q,), in [0, 1].

    Equal scores count half. NaN where a list holds no such pair. The Accuracy of ir_measures.
    """
    first, _ = lists.tie_span
    group = np.cumsum(~same_as_before(lists.query, first)) - 1
    groups = int(group[-1]) + 1 if len(group) else 0
    tied = np.bincount(group[~lists.relevant], minlength=groups)[group]
    through_group = _at_group_end(running_count(~lists.relevant, lists.query), group)
    in_list = lists.count(lists.query[~lists.relevant])
    rows = np.flatnonzero(lists.relevant)
    query = lists.query[rows]
    wins = in_list[query] - through_group[rows] + tied[rows] / 2
    pairs = lists.count(query) * in_list
    total = lists.total(query, wins)
    return ratio(total, pairs)


def _at_group_end(counts: Ints, group: Ints) -> Ints:
    """The count at the last row of each row's group, (h,)."""
    if not len(group):
        return counts
    ends = np.flatnonzero(np.append(group[1:] != group[:-1], True))
    return counts[ends][group]
