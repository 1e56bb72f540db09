"""Measures for incomplete judgments: the judged share, and Bpref and AUC, in which unjudged documents play no part."""

from __future__ import annotations

import numpy as np

from rankdash.metrics.lists import Floats, Ints, Lists, ratio, running_count, same_as_before
from rankdash.metrics.rows import TREC, ByRank, Definition, Peer, Worked, no_relevant, over_relevant


def bpref(lists: Lists, k: int | None = None) -> Floats:
    """Return Bpref per query, (q,), in [0, 1]: how few judged non-relevant documents are above each relevant one.

    (1/R) times the sum over relevant documents in the list of 1 - min(b, R) / min(N, R), b the judged non-relevant
    documents above it; the term is 1 where b = 0. NaN where R = 0. trec_eval m_bpref.c.
    """
    relevant, nonrelevant = lists.judged_relevant, lists.judged_nonrelevant
    rows, query = lists.hits.row, lists.hits.query
    above = running_count(~lists.relevant, lists.query)[rows]
    most = np.minimum(relevant, nonrelevant)[query]
    penalty = ratio(np.minimum(above, relevant[query]), most, nothing=0.0)
    return ratio(lists.total(query, 1.0 - penalty), relevant)


def _few_above(step: ByRank) -> Floats:
    relevant, others = step.relevant_judged
    above = np.cumsum(step.judged & ~step.relevant)
    return np.where(step.relevant, 1.0 - np.minimum(above, relevant) / max(min(relevant, others), 1), 0.0)


BPREF = Definition(
    name="Bpref",
    formula="(1/R) times the sum over relevant documents of 1 − min(b, R) / min(N, R), b judged non-relevant above",
    latex=r"\frac{1}{R}\sum_{i:\,r_i=1}\Bigl(1-\frac{\min(b_i,R)}{\min(N,R)}\Bigr)",
    source="trec_eval m_bpref.c",
    of_lists=bpref,
    cutoff="none",
    reads=("rel",),
    lacking=no_relevant,
    substitute=True,
    worked=Worked(_few_above, over_relevant, "Sum"),
    peers=(Peer(TREC, "bpref"), Peer("ir_measures", "Bpref")),
)


def judged_share(lists: Lists, k: int) -> Floats:
    """Return the judged share of the documents up to k, (q,); NaN for an empty list."""
    return ratio(lists.count(lists.query[lists.within(k)]), np.minimum(k, lists.length))


def _judged_here(step: ByRank) -> Floats:
    return (step.judged & step.counted).astype(np.float64)


def _over_documents(lists: Lists, k: int | None) -> tuple[float, str]:
    return float(min(k or 0, int(lists.length[0]))), "min(k, n)"


JUDGED = Definition(
    name="Judged",
    formula="judged documents among the first k, over min(k, n)",
    latex=r"\frac{\mathrm{judged}(k)}{\min(k,n)}",
    source="ir_measures",
    of_lists=judged_share,
    cutoff="required",
    reads=("unjudged",),
    empty=None,
    undefined="the list is empty",
    higher_is_better=None,
    worked=Worked(_judged_here, _over_documents, "Judged"),
    peers=(
        Peer(
            "ir_measures",
            cut="Judged@{k}",
            written="ir_measures:Judged(ties='docid_asc',negative='clip',score_type='float64')@k",
        ),
    ),
)


def auc(lists: Lists, k: int | None = None) -> Floats:
    """Return the share of a list's pairs (relevant, judged non-relevant) with the relevant document higher, (q,).

    In [0, 1]; equal scores count half. NaN where a list has no such pair.
    """
    first, _ = lists.tie_span
    group = np.cumsum(~same_as_before(lists.query, first)) - 1
    groups = int(group[-1]) + 1 if len(group) else 0
    tied = np.bincount(group[~lists.relevant], minlength=groups)[group]
    through_group = _at_group_end(running_count(~lists.relevant, lists.query), group)
    in_list = lists.count(lists.query[~lists.relevant])
    rows, query = lists.hits.row, lists.hits.query
    wins = in_list[query] - through_group[rows] + tied[rows] / 2
    return ratio(lists.total(query, wins), lists.count(query) * in_list)


def _at_group_end(counts: Ints, group: Ints) -> Ints:
    """Return the count at the last row of each row's group, (h,)."""
    if not len(group):
        return counts
    return counts[np.flatnonzero(np.append(group[1:] != group[:-1], True))][group]


def _pairs_won(step: ByRank) -> Floats:
    _, group = np.unique(step.group, return_inverse=True)
    others = np.bincount(group, weights=step.judged & ~step.relevant)
    return np.where(step.relevant, (others.sum() - np.cumsum(others) + others / 2)[group], 0.0)


def _over_pairs(lists: Lists, k: int | None) -> tuple[float, str]:
    relevant = int(lists.relevant.sum())
    return float(relevant * (len(lists.relevant) - relevant)), "pairs"


AUC = Definition(
    name="AUC",
    formula="share of the pairs (relevant, judged non-relevant) of a list with the relevant one higher; ties half",
    latex=r"\frac{\mathrm{pairs\ in\ order}}{\mathrm{pairs}}",
    source="pairwise accuracy",
    of_lists=auc,
    cutoff="none",
    reads=("rel",),
    empty=None,
    undefined="the list holds no pair of a relevant and another judged document",
    worked=Worked(_pairs_won, _over_pairs, "Pairs won"),
)

#: In the order in which they are shown.
MEASURES = (BPREF, JUDGED, AUC)
