"""A measure over pairs of judged documents: AUC. Unjudged documents play no part in it."""

from __future__ import annotations

import numpy as np

from rankdash.metrics.lists import Lists, ratio
from rankdash.metrics.rows import ByRank, Definition, Example, Peer, Worked
from rankdash.metrics.segments import Floats, Ints, running_count, same_as_before


def auc(lists: Lists, k: int | None = None) -> Floats:
    """Return the share of the pairs (relevant, judged non-relevant) of a list with the relevant one higher, (q,), in
    [0, 1].

    Equal scores count half. NaN where a list has no such pair. The Accuracy of ir_measures.
    """
    first, _ = lists.tie_span
    group = np.cumsum(~same_as_before(lists.query, first)) - 1
    groups = int(group[-1]) + 1 if len(group) else 0
    tied = np.bincount(group[~lists.relevant], minlength=groups)[group]
    through_group = _at_group_end(running_count(~lists.relevant, lists.query), group)
    in_list = lists.count(lists.query[~lists.relevant])
    rows, query = lists.hits.row, lists.hits.query
    wins = in_list[query] - through_group[rows] + tied[rows] / 2
    pairs = lists.count(query) * in_list
    total = lists.total(query, wins)
    return ratio(total, pairs)


def _at_group_end(counts: Ints, group: Ints) -> Ints:
    """Return the count at the last row of each row's group, (h,)."""
    if not len(group):
        return counts
    ends = np.flatnonzero(np.append(group[1:] != group[:-1], True))
    return counts[ends][group]


def _pairs_won(step: ByRank) -> Floats:
    _, group = np.unique(step.group, return_inverse=True)
    others = np.bincount(group, weights=step.judged & ~step.relevant)
    won = others.sum() - np.cumsum(others) + others / 2
    return np.where(step.relevant, won[group], 0.0)


def _over_pairs(lists: Lists, k: int | None) -> tuple[float, str]:
    relevant = int(lists.relevant.sum())
    return float(relevant * (len(lists.relevant) - relevant)), "pairs"


AUC = Definition(
    name="AUC",
    formula="share of the pairs (relevant, judged non-relevant) of a list with the relevant one higher; ties half",
    latex=r"\frac{\mathrm{pairs\ in\ order}}{\mathrm{pairs}}",
    source="pairwise accuracy; ir_measures Accuracy",
    of_lists=auc,
    cutoff="none",
    spellings="accuracy",
    reads=("rel",),
    empty=None,
    undefined="the list holds no pair of a relevant and another judged document",
    worked=Worked(_pairs_won, _over_pairs, "Pairs won"),
    peers=(Peer("ir_measures", "Accuracy"),),
    example=Example("a x b y", {"a": 1, "b": 2, "x": 0, "y": 0}, (2 + 1) / 4),
)

#: In the order in which they are shown.
MEASURES = (AUC,)
