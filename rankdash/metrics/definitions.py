"""Every measure, one row each: the table from which names, help texts, pages and axis titles are made."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from types import MappingProxyType
from typing import Literal

from rankdash.metrics import binary, gain, preference, similarity
from rankdash.metrics.lists import Lists
from rankdash.metrics.segments import Floats, Ints

Cutoff = Literal["required", "optional", "none"]


@dataclass(frozen=True)
class Definition:
    """What a measure is, in words and in code.

    ``reads`` the axes of a convention that change its value beyond order and query set; ``defaults`` its own
    parameters; ``lacking`` counts, per query, what must not be 0 for the measure to say anything; ``substitute``
    whether the convention's ``no_relevant`` then gives the value (otherwise the value stands, and only ``skip`` takes
    it away); ``empty`` the value of an empty list (None: undefined).
    """

    name: str
    formula: str
    range: str
    source: str
    cutoff: Cutoff
    of_lists: Callable[..., Floats] | None = None
    of_pair: Callable[..., Floats] | None = None
    reads: tuple[str, ...] = ()
    defaults: Mapping[str, float | None] = field(default_factory=dict)
    lacking: Callable[[Lists, int | None], Ints | Floats] | None = None
    substitute: bool = False
    empty: float | None = 0.0
    bounded: bool = True
    higher_is_better: bool = True


def _no_relevant(lists: Lists, k: int | None) -> Ints:
    return lists.judged_relevant


def _no_relevant_in_pool(lists: Lists, k: int | None) -> Ints:
    return lists.pool_relevant


def _no_positive_grade(lists: Lists, k: int | None) -> Ints:
    return lists.positive_grades


def _no_ideal(lists: Lists, k: int | None) -> Floats:
    return gain.ideal_dcg(lists, k)


_gain_measure = partial(
    Definition, range="0..∞", reads=("gain", "unjudged"), bounded=False, lacking=_no_positive_grade, cutoff="optional"
)
_binary_measure = partial(Definition, range="0..1", reads=("rel", "unjudged"), lacking=_no_relevant)
_list_comparison = partial(Definition, range="0..1", higher_is_better=False)

_ROWS = (
    _gain_measure(
        name="CG",
        formula="the sum of the gains of the first k documents",
        source="Järvelin and Kekäläinen 2002",
        of_lists=gain.cumulative_gain,
    ),
    _gain_measure(
        name="DCG",
        formula="the sum of gain / log2(rank + 1) over the first k documents",
        source="Järvelin and Kekäläinen 2002; gain 2^y − 1: Burges et al. 2005",
        of_lists=gain.dcg,
    ),
    _gain_measure(
        name="IDCG",
        formula="DCG@k of the pool of documents sorted by gain",
        source="trec_eval 10, ideal_dcg",
        of_lists=gain.ideal_dcg,
        reads=("gain", "ideal", "ideal_cut"),
        higher_is_better=False,
    ),
    Definition(
        name="nDCG",
        formula="DCG@k / IDCG@k",
        range="0..1",
        source="Järvelin and Kekäläinen 2002; trec_eval m_ndcg_cut.c, m_ndcg.c",
        cutoff="optional",
        of_lists=gain.ndcg,
        reads=("gain", "ideal", "ideal_cut", "unjudged"),
        lacking=_no_ideal,
        substitute=True,
    ),
    _binary_measure(
        name="P",
        formula="relevant documents among the first k, over k (or over min(k, n))",
        source="trec_eval m_P.c",
        cutoff="required",
        of_lists=binary.precision,
        reads=("p_denominator", "rel", "unjudged"),
    ),
    _binary_measure(
        name="R",
        formula="relevant documents among the first k, over R, all relevant documents of the query",
        source="trec_eval m_recall.c",
        cutoff="required",
        of_lists=binary.recall,
        substitute=True,
    ),
    _binary_measure(
        name="AP",
        formula="the sum of hits(i) / i over the relevant ranks i up to k, over R (or min(R, k), or the hits)",
        source="trec_eval m_map.c, m_map_cut.c",
        cutoff="optional",
        of_lists=binary.average_precision,
        reads=("ideal", "ap_denominator", "rel", "unjudged"),
        lacking=_no_relevant_in_pool,
        substitute=True,
    ),
    _binary_measure(
        name="RR",
        formula="1 / rank of the first relevant document among the first k; none: 0",
        source="trec_eval m_recip_rank.c; with a cutoff: MS MARCO",
        cutoff="optional",
        of_lists=binary.reciprocal_rank,
    ),
    _binary_measure(
        name="Success",
        formula="1 where a relevant document is among the first k, else 0",
        range="0 or 1",
        source="trec_eval m_success.c",
        cutoff="required",
        of_lists=binary.success,
    ),
    _binary_measure(
        name="Rprec",
        formula="relevant documents among the first R, over R",
        source="trec_eval m_Rprec.c",
        cutoff="none",
        of_lists=binary.r_precision,
        substitute=True,
    ),
    _binary_measure(
        name="F1",
        formula="2 P Q / (P + Q) with P = P@k and Q = R@k; 0 where both are 0",
        source="van Rijsbergen 1979",
        cutoff="required",
        of_lists=binary.f1,
        reads=("p_denominator", "rel", "unjudged"),
        substitute=True,
    ),
    _gain_measure(
        name="ERR",
        formula="the sum over i up to k of (1/i) s_i (1 − s_1) … (1 − s_{i−1}), s_i = (2^y_i − 1) / 2^max_grade",
        range="0..1",
        source="Chapelle et al. 2009",
        of_lists=gain.err,
        reads=("unjudged",),
        defaults={"max_grade": None},
        bounded=True,
    ),
    _binary_measure(
        name="RBP",
        formula="(1 − p) times the sum of p^(i − 1) over the relevant ranks i",
        source="Moffat and Zobel 2008, binary",
        cutoff="none",
        of_lists=binary.rank_biased_precision,
        defaults={"p": 0.8},
    ),
    _binary_measure(
        name="Bpref",
        formula="(1/R) times the sum over relevant documents of 1 − min(b, R) / min(N, R), b judged non-relevant above",
        source="trec_eval m_bpref.c",
        cutoff="none",
        of_lists=preference.bpref,
        reads=("rel",),
        substitute=True,
    ),
    Definition(
        name="Judged",
        formula="judged documents among the first k, over min(k, n)",
        range="0..1",
        source="ir_measures",
        cutoff="required",
        of_lists=binary.judged_share,
        reads=("unjudged",),
        empty=None,
        higher_is_better=False,
    ),
    Definition(
        name="AUC",
        formula="share of the pairs (relevant, judged non-relevant) of a list with the relevant one higher; ties half",
        range="0..1",
        source="pairwise accuracy; ir_measures Accuracy",
        cutoff="none",
        of_lists=preference.auc,
        reads=("rel",),
        empty=None,
    ),
    _list_comparison(
        name="overlap",
        formula="documents in both first k, over documents in either",
        source="Jaccard 1912",
        cutoff="required",
        of_pair=similarity.overlap,
    ),
    _list_comparison(
        name="RBO_ext",
        formula="rank-biased overlap of the first 100 ranks, extrapolated (eq. 32)",
        source="Webber et al. 2010",
        cutoff="none",
        of_pair=similarity.rbo,
        defaults={"p": 0.9},
    ),
    _list_comparison(
        name="tau_b",
        formula="(C − D) / sqrt((m − t_A)(m − t_B)) over the m pairs of documents in both lists",
        range="−1..1",
        source="Kendall 1945; scipy kendalltau",
        cutoff="none",
        of_pair=similarity.tau_b,
    ),
)

#: Name -> definition, in the order in which they are shown.
DEFINITIONS: Mapping[str, Definition] = MappingProxyType({row.name: row for row in _ROWS})

#: Other spellings, in lower case; they say which measure is meant, never which variant.
ALIASES: Mapping[str, str] = MappingProxyType(
    {
        "ndcg_cut": "nDCG",
        "ndcg_burges": "nDCG",
        "dcg_burges": "DCG",
        "ideal_dcg": "IDCG",
        "map": "AP",
        "map_cut": "AP",
        "mrr": "RR",
        "recip_rank": "RR",
        "precision": "P",
        "recall": "R",
        "hit_rate": "Success",
        "hit": "Success",
        "r-precision": "Rprec",
        "r_precision": "Rprec",
        "accuracy": "AUC",
        "rbo": "RBO_ext",
        "jaccard": "overlap",
        "kendall": "tau_b",
        "f": "F1",
        **{name.lower(): name for name in DEFINITIONS},
    }
)
