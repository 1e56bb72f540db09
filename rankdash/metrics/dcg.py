"""Measures that add up gain: CG, DCG, IDCG and nDCG.

The discount of rank i is 1 / log2(i + 1), or that of the convention. Contributions are written as gain / log2(i + 1)
and added in rank order, so that the last digit is trec_eval's.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from rankdash.conventions import SHIFTS
from rankdash.metrics.lists import WHOLE, Floats, Ints, Lists, inverse_discount, ratio
from rankdash.metrics.rows import TREC, ByRank, Definition, Peer, Worked, no_positive_grade


def cumulative_gain(lists: Lists, k: int | None) -> Floats:
    """Return CG@k per query, (q,), >= 0: the gains of the first k documents, added. Järvelin and Kekäläinen 2002."""
    return _gained(lists, k, _undiscounted)


def dcg(lists: Lists, k: int | None, half_life: float | None = None) -> Floats:
    """Return DCG@k per query, (q,), >= 0: gain / inverse discount, added. Järvelin and Kekäläinen 2002.

    With a ``half_life`` a gain fades: gain x 2^(-age / half_life), the age of a document in days.
    """
    return _gained(lists.fading(half_life), k, inverse_discount)


def _undiscounted(rank: Ints, shift: int) -> Ints:
    return np.ones_like(rank)


def _gained(lists: Lists, k: int | None, inverse: Callable[[Ints, int], Floats | Ints]) -> Floats:
    """Return the gains of the first k over the inverse discounts of their ranks, added per query, (q,).

    Where ties average, documents with equal scores have the mean discount of their group's ranks, 0 beyond k.
    """
    shift = SHIFTS[lists.convention.discount]
    if lists.convention.ties != "average":
        rows = np.flatnonzero(lists.within(k))
        return lists.total(lists.query[rows], lists.gain[rows] / inverse(lists.rank[rows], shift))
    cut = k or WHOLE
    first, last = lists.tie_span
    rows = np.flatnonzero(first <= cut)
    first, last = first[rows], last[rows]
    up_to = np.append(0.0, np.cumsum(1 / inverse(np.arange(1, int(last.max(initial=0)) + 1), shift)))
    weight = (up_to[np.minimum(last, cut)] - up_to[first - 1]) / (last - first + 1)
    return lists.total(lists.query[rows], lists.gain[rows] * weight)


def ideal_dcg(lists: Lists, k: int | None) -> Floats:
    """Return DCG@k of the pool sorted by gain, per query, (q,), >= 0; cut as ``ideal_cut`` says."""
    cut = lists.convention.ideal_cut
    if cut == "min(k,n)":
        return _ideal_dcg(lists, np.minimum(lists.length, k or WHOLE)[lists.ideal[0]])
    depth = WHOLE if k is None or cut == "none" else k
    return lists.of_pool(("IDCG", depth, lists.convention.discount), lambda: _ideal_dcg(lists, depth))


def _ideal_dcg(lists: Lists, depth: Ints | int) -> Floats:
    query, rank, gain = lists.ideal
    top = rank <= depth
    query, rank, gain = query[top], rank[top], gain[top]
    return lists.total(query, gain / inverse_discount(rank, SHIFTS[lists.convention.discount]))


def ndcg(lists: Lists, k: int | None, half_life: float | None = None) -> Floats:
    """Return DCG@k / IDCG@k per query, (q,), in [0, 1]; NaN where IDCG is 0. trec_eval m_ndcg_cut.c, m_ndcg.c.

    With a ``half_life`` the gains of both fade, as those of ``dcg``.
    """
    lists = lists.fading(half_life)
    return ratio(dcg(lists, k), ideal_dcg(lists, k))


def _gain_at_rank(step: ByRank) -> Floats:
    return step.gained


def _over_ideal(lists: Lists, k: int | None, half_life: float | None = None) -> tuple[float, str]:
    return float(ideal_dcg(lists.fading(half_life), k)[0]), f"IDCG{'' if k is None else f'@{k}'}"


CG = Definition(
    name="CG",
    formula="the sum of the gains of the first k documents",
    latex=r"\sum_{i=1}^{k} g_i",
    source="Järvelin and Kekäläinen 2002",
    of_lists=cumulative_gain,
    range="0..∞",
    bounded=False,
    reads=("gain", "unjudged"),
    lacking=no_positive_grade,
    worked=Worked(_gain_at_rank, shows="gains", discount=_undiscounted),
    peers=(Peer("textbook", "CG", "CG@{k}"), Peer("quepid", cut="CG@{k}", written="quepid:CG(gain='linear')@k")),
)

DCG = Definition(
    name="DCG",
    formula="the sum of gain / log2(rank + 1), or by another discount, over the first k documents",
    latex=r"\sum_{i=1}^{k} \frac{g_i}{\log_2(i+1)}",
    source="Järvelin and Kekäläinen 2002; gain 2^y − 1: Burges et al. 2005",
    of_lists=dcg,
    range="0..∞",
    bounded=False,
    variants={"dcg_burges": {"gain": "exp2"}},
    defaults={"half_life": None},
    reads=("gain", "discount", "unjudged"),
    lacking=no_positive_grade,
    worked=Worked(_gain_at_rank, shows="discounted gains", discount=inverse_discount),
    peers=(
        Peer("trec_eval-10", "dcg"),
        Peer("scikit-learn", "dcg_score", "dcg_score(k={k})"),
        Peer("ranklib", cut="DCG@{k}"),
        Peer("rank_eval", cut="dcg(k={k})"),
        Peer("quepid srw", cut="DCG@{k}"),
        Peer("lenskit", "DCG", "DCG@{k}"),
        Peer("textbook", "DCG", "DCG@{k}"),
    ),
)

IDCG = Definition(
    name="IDCG",
    formula="DCG@k of the pool of documents sorted by gain",
    latex=r"\max_{\pi}\, \mathrm{DCG@}k(\pi)",
    source="trec_eval 10, ideal_dcg",
    of_lists=ideal_dcg,
    range="0..∞",
    bounded=False,
    higher_is_better=None,
    spellings="ideal_dcg",
    reads=("gain", "discount", "ideal", "ideal_cut"),
    lacking=no_positive_grade,
    worked=Worked(None, ideal=True),
    peers=(Peer("trec_eval-10", "ideal_dcg"), Peer("textbook", "IDCG", "IDCG@{k}")),
)

NDCG = Definition(
    name="nDCG",
    mean="NDCG",
    formula="DCG@k / IDCG@k; with half_life every gain is halved by as many days of age",
    latex=r"\frac{\mathrm{DCG@}k}{\mathrm{IDCG@}k}",
    source="Järvelin and Kekäläinen 2002; trec_eval m_ndcg_cut.c, m_ndcg.c",
    of_lists=ndcg,
    spellings="ndcg_cut_",
    variants={"ndcg_burges": {"gain": "exp2"}},
    defaults={"half_life": None},
    reads=("gain", "discount", "ideal", "ideal_cut", "unjudged"),
    lacking=ideal_dcg,
    substitute=True,
    worked=Worked(
        _gain_at_rank, _over_ideal, "DCG{cut}", shows="discounted gains", discount=inverse_discount, ideal=True
    ),
    peers=(
        Peer(TREC, "ndcg", "ndcg_cut_{k}"),
        Peer("scikit-learn", "ndcg_score", "ndcg_score(k={k})"),
        Peer("ranklib", cut="NDCG@{k}"),
        Peer("lightgbm xgboost", cut="ndcg@{k}"),
        Peer("gdeval", cut="ndcg@{k}, 5 decimals"),
        Peer("ir_measures", "nDCG", "nDCG@{k}"),
        Peer("ir_measures", cut="nDCG(dcg='exp-log2')@{k}, 5 decimals", own="(gain='exp2')"),
        Peer("rank_eval", cut="dcg(normalize, k={k})"),
        Peer("quepid srw", cut="NDCG@{k}"),
        Peer("lenskit", "NDCG", "NDCG@{k}"),
        Peer("textbook", "NDCG", "NDCG@{k}"),
    ),
)

#: In the order in which they are shown.
MEASURES = (CG, DCG, IDCG, NDCG)
