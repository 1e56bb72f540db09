"""Measures of relevant ranks: P, R, AP, RR, Success, Rprec, F1, which see only relevant or not, and those of a user who
may stop at every rank: ERR, where the documents decide, and RBP; last those that see a list as a set, whatever its
order: its precision and recall, and what is counted in it.
"""

from __future__ import annotations

from functools import partial

import numpy as np

from rankdash.metrics.lists import WHOLE, Floats, Ints, Lists, MeasureError, product_before, ratio
from rankdash.metrics.rows import TREC, ByRank, Definition, Peer, Worked, no_positive_grade, no_relevant, over_relevant

_binary = partial(Definition, reads=("rel", "unjudged"), lacking=no_relevant)


def hits(lists: Lists, k: int | None) -> Ints:
    """Return the number of relevant documents among the first k of each list, (q,): hits(k)."""
    retrieved = lists.hits
    return lists.count(retrieved.query if k is None else retrieved.query[retrieved.rank <= k])


def precision(lists: Lists, k: int) -> Floats:
    """Return P@k per query, (q,), in [0, 1]: hits(k) over k, or over the documents up to k. trec_eval m_P.c."""
    return ratio(hits(lists, k), depth(lists, k), nothing=0.0)


def depth(lists: Lists, k: int) -> Ints:
    """Return the divisor of P@k, (q,): k, or the number of documents up to k."""
    return np.full_like(lists.length, k) if lists.convention.p_denominator == "k" else np.minimum(k, lists.length)


def _hit(step: ByRank) -> Floats:
    return step.hit.astype(np.float64)


def _over_depth(lists: Lists, k: int | None) -> tuple[float, str]:
    letter = {"k": "k", "min(k,n)": "min(k, n)"}[lists.convention.p_denominator]
    return float(depth(lists, k or 0)[0]), letter


P = _binary(
    name="P",
    formula="relevant documents among the first k, over k (or over min(k, n))",
    latex=r"\frac{\mathrm{hits}(k)}{k}",
    source="trec_eval m_P.c",
    of_lists=precision,
    cutoff="required",
    spellings="precision",
    uncut="SetP reads the whole list.",
    reads=("p_denominator", "rel", "unjudged"),
    worked=Worked(_hit, _over_depth, "Hits"),
    peers=(
        Peer(TREC, cut="P_{k}"),
        Peer("ranklib ir_measures textbook", cut="P@{k}"),
        Peer("xgboost", cut="pre@{k}"),
        Peer("quepid", cut="P@{k}"),
        Peer("rank_eval", cut="precision(k={k})"),
        Peer("srw lenskit", cut="Precision@{k}"),
    ),
)


def recall(lists: Lists, k: int) -> Floats:
    """Return R@k per query, (q,), in [0, 1]: hits(k) / R; NaN where R = 0. trec_eval m_recall.c."""
    return ratio(hits(lists, k), lists.judged_relevant)


R = _binary(
    name="R",
    formula="recall: relevant documents among the first k, over R, all relevant documents of the query",
    latex=r"\frac{\mathrm{hits}(k)}{R}",
    source="trec_eval m_recall.c",
    of_lists=recall,
    cutoff="required",
    spellings="recall",
    uncut="SetR reads the whole list.",
    substitute=True,
    worked=Worked(_hit, over_relevant, "Hits"),
    peers=(
        Peer(TREC, cut="recall_{k}"),
        Peer("ir_measures", cut="R@{k}"),
        Peer("rank_eval", cut="recall(k={k})"),
        Peer("srw", cut="Recall@{k}"),
    ),
)


def f1(lists: Lists, k: int) -> Floats:
    """Return the harmonic mean of P@k and R@k per query, (q,), in [0, 1]; NaN where R = 0. van Rijsbergen 1979.

    2PQ / (P + Q) with P = hits/depth and Q = hits/R is 2 hits / (depth + R).
    """
    relevant = lists.judged_relevant
    return np.where(relevant > 0, ratio(2 * hits(lists, k), depth(lists, k) + relevant), np.nan)


def _hit_twice(step: ByRank) -> Floats:
    return 2.0 * _hit(step)


def _over_depth_and_relevant(lists: Lists, k: int | None) -> tuple[float, str]:
    below, letter = _over_depth(lists, k)
    return below + float(lists.judged_relevant[0]), f"{letter} + R"


F1 = _binary(
    name="F1",
    formula="2 P Q / (P + Q) with P = P@k and Q = R@k; 0 where both are 0",
    latex=r"\frac{2PQ}{P+Q}",
    source="van Rijsbergen 1979",
    of_lists=f1,
    cutoff="required",
    spellings="f",
    uncut="F1(p_denominator='min(k,n)')@1000 reads lists of up to 1,000 documents whole.",
    reads=("p_denominator", "rel", "unjudged"),
    substitute=True,
    worked=Worked(_hit_twice, _over_depth_and_relevant, "2 × hits"),
)


def r_precision(lists: Lists, k: int | None = None) -> Floats:
    """Return precision at R per query, (q,), in [0, 1], also for a list shorter than R; NaN where R = 0. m_Rprec.c."""
    relevant = lists.judged_relevant
    retrieved = lists.hits
    return ratio(lists.count(retrieved.query[retrieved.rank <= relevant[retrieved.query]]), relevant)


def _relevant_ranks(lists: Lists) -> Ints:
    """Return the ranks that count where R is the cutoff."""
    return lists.judged_relevant


RPREC = _binary(
    name="Rprec",
    formula="relevant documents among the first R, over R",
    latex=r"\frac{\mathrm{hits}(R)}{R}",
    source="trec_eval m_Rprec.c",
    of_lists=r_precision,
    cutoff="none",
    spellings="r-precision r_precision",
    substitute=True,
    worked=Worked(_hit, over_relevant, "Hits", depth=_relevant_ranks),
    peers=(Peer(f"{TREC} ir_measures", "Rprec"),),
)


def average_precision(lists: Lists, k: int | None) -> Floats:
    """Return AP@k per query, (q,), in [0, 1]: hits(i) / i at each relevant rank i, over the denominator.

    The denominator is R of the pool, or the smallest of R, k and perhaps n, or the hits; a numerator of 0 gives 0. NaN
    where the pool has no relevant document. trec_eval m_map.c, m_map_cut.c.
    """
    retrieved, relevant = lists.hits, lists.pool_relevant
    precisions = retrieved.number / retrieved.rank
    if k is not None:
        precisions[retrieved.rank > k] = 0.0
    total = lists.total(retrieved.query, precisions)
    return np.where(relevant > 0, ratio(total, _divisor(lists, k), nothing=0.0), np.nan)


def _divisor(lists: Lists, k: int | None) -> Ints:
    """Return the denominator of AP, (q,)."""
    most = np.minimum(lists.pool_relevant, k or WHOLE)
    match lists.convention.ap_denominator:
        case "min(R,k)":
            return most
        case "min(R,k,n)":
            return np.minimum(most, lists.length)
        case "hits":
            return hits(lists, k)
    return lists.pool_relevant


def _precision_at_hits(step: ByRank) -> Floats:
    return ratio(step.hits * step.hit, step.rank, nothing=0.0)


def _over_chosen(lists: Lists, k: int | None) -> tuple[float, str]:
    return float(_divisor(lists, k)[0]), lists.convention.ap_denominator


def _no_relevant_in_pool(lists: Lists, k: int | None) -> Ints:
    return lists.pool_relevant


AP = _binary(
    name="AP",
    mean="MAP",
    formula="the sum of hits(i) / i over the relevant ranks i up to k, over R (or min(R, k), or the hits)",
    latex=r"\frac{1}{R}\sum_{i=1}^{n} r_i\,\frac{\mathrm{hits}(i)}{i}",
    source="trec_eval m_map.c, m_map_cut.c",
    of_lists=average_precision,
    spellings="map map_cut_ mean_average_precision",
    reads=("ideal", "ap_denominator", "rel", "unjudged"),
    lacking=_no_relevant_in_pool,
    substitute=True,
    worked=Worked(_precision_at_hits, _over_chosen, "Sum", shows="precisions"),
    peers=(
        Peer(TREC, "map", "map_cut_{k}"),
        Peer("ranklib", "MAP"),
        Peer("lightgbm xgboost", cut="map@{k}"),
        Peer("ir_measures", "AP", "AP@{k}"),
        Peer("quepid", cut="AP@{k}"),
        Peer("srw", cut="MAP@{k}"),
        Peer("lenskit", "AveragePrecision", "AveragePrecision@{k}"),
        Peer("textbook", "AP"),
    ),
)


def reciprocal_rank(lists: Lists, k: int | None) -> Floats:
    """Return 1 / rank of the first relevant document among the first k, (q,), in [0, 1]; none: 0. m_recip_rank.c."""
    retrieved = lists.hits
    first = np.flatnonzero((retrieved.number == 1) & (retrieved.rank <= (k or WHOLE)))
    return lists.total(retrieved.query[first], 1.0 / retrieved.rank[first])


def _first_hit(step: ByRank) -> Floats:
    first: Floats = (step.hit & (step.hits == 1)).astype(np.float64)
    return first


def _reciprocal(step: ByRank) -> Floats:
    return ratio(_first_hit(step), step.rank, nothing=0.0)


RR = _binary(
    name="RR",
    mean="MRR",
    formula="1 / rank of the first relevant document among the first k; none: 0",
    latex=r"\frac{1}{\min\{i : r_i = 1\}}",
    source="trec_eval m_recip_rank.c; with a cutoff: MS MARCO",
    of_lists=reciprocal_rank,
    spellings="mrr recip_rank mean_reciprocal_rank",
    worked=Worked(_reciprocal),
    peers=(
        Peer(TREC, "recip_rank"),
        Peer("ranklib", cut="RR@{k}"),
        Peer("ir_measures", "RR"),
        Peer("ir_measures", cut="RR@{k}", written="ir_measures:RR(ties='docid_asc',score_type='float64')@k"),
        Peer("quepid", cut="RR@{k}"),
        Peer("rank_eval", cut="mean_reciprocal_rank(k={k})"),
        Peer("srw", cut="MRR"),
        Peer("lenskit", "RecipRank", "RecipRank@{k}"),
        Peer("textbook", "RR"),
    ),
)


def success(lists: Lists, k: int) -> Floats:
    """Return 1 where a relevant document is among the first k, else 0, (q,). trec_eval m_success.c."""
    return (hits(lists, k) > 0).astype(np.float64)


SUCCESS = _binary(
    name="Success",
    formula="1 where a relevant document is among the first k, else 0",
    latex=r"[\,\mathrm{hits}(k) > 0\,]",
    source="trec_eval m_success.c",
    of_lists=success,
    range="0 or 1",
    cutoff="required",
    spellings="hit_rate hitrate hit_ratio hitratio hit hr",
    uncut="Success@1000 reads lists of up to 1,000 documents whole.",
    worked=Worked(_first_hit),
    peers=(Peer(TREC, cut="success_{k}"), Peer("ir_measures", cut="Success@{k}"), Peer("lenskit", cut="Hit@{k}")),
)


def err(lists: Lists, k: int | None, max_grade: float | None) -> Floats:
    """Return the expected reciprocal rank of the document at which a user stops, per query, (q,), in [0, 1].

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


def _stops_here(step: ByRank) -> Floats:
    top = float(step.own["max_grade"] or 0.0)
    added = np.zeros(len(step.rank))
    rows = np.flatnonzero(step.counted & (step.relevance > 0))
    stop = np.exp2(step.relevance[rows] - top) - np.exp2(-top)  # (2^y - 1) / 2^m, also where 2^m is no number
    added[rows] = product_before(1.0 - stop, np.zeros_like(rows)) * stop / step.rank[rows]
    return added


ERR = Definition(
    name="ERR",
    formula="the sum over i up to k of (1/i) s_i (1 − s_1) … (1 − s_{i−1}), s_i = (2^y_i − 1) / 2^max_grade",
    latex=r"\sum_{i=1}^{k} \frac{s_i}{i}\prod_{j<i}(1-s_j),\quad s_i=\frac{2^{y_i}-1}{2^{m}}",
    source="Chapelle et al. 2009",
    of_lists=err,
    spellings="expected_reciprocal_rank",
    reads=("unjudged",),
    defaults={"max_grade": None},
    lacking=no_positive_grade,
    worked=Worked(_stops_here),
    peers=(
        Peer("ranklib", cut="ERR@{k}", own="(max_grade=4)"),
        Peer("gdeval", cut="err@{k}, 5 decimals", own="(max_grade=4)"),
        Peer("ir_measures", cut="ERR@{k}, 5 decimals", own="(max_grade=4)"),
        Peer("rank_eval", cut="expected_reciprocal_rank(k={k})"),
        Peer("quepid", cut="ERR@{k}", own="(max_grade=3)"),
    ),
)


def rank_biased_precision(lists: Lists, k: int | None, p: float) -> Floats:
    """Return the sum of (1 - p) p^(i - 1) over relevant ranks i, per query, (q,), in [0, 1]. Moffat and Zobel 2008."""
    retrieved = lists.hits
    return lists.total(retrieved.query, (1 - p) * np.power(p, retrieved.rank - 1.0))


def _patience(step: ByRank) -> Floats:
    p = float(step.own["p"] or 0.0)
    return np.where(step.hit, (1 - p) * np.power(p, np.maximum(step.rank, 1) - 1.0), 0.0)


RBP = Definition(
    name="RBP",
    formula="(1 − p) times the sum of p^(i − 1) over the relevant ranks i",
    latex=r"(1-p)\sum_{i=1}^{n} r_i\,p^{\,i-1}",
    source="Moffat and Zobel 2008, binary",
    of_lists=rank_biased_precision,
    cutoff="none",
    reads=("rel", "unjudged"),
    defaults={"p": 0.8},
    lacking=no_relevant,
    worked=Worked(_patience),
    peers=(Peer("ir_measures", "RBP"), Peer("lenskit", "RBP", own="(p=0.85)")),
)

_set = partial(Definition, reads=("rel", "unjudged"), cutoff="none", lacking=no_relevant)
_number = partial(Definition, range="0..∞", bounded=False, higher_is_better=None, adds_up=True, cutoff="none")


def set_precision(lists: Lists, k: int | None = None) -> Floats:
    """Return the share of relevant documents in the whole list, (q,), in [0, 1]. trec_eval m_set_P.c."""
    return ratio(hits(lists, None), lists.length, nothing=0.0)


SET_P = _set(
    name="SetP",
    formula="relevant documents in the list, over the documents in it",
    latex=r"\frac{\mathrm{hits}(n)}{n}",
    source="trec_eval m_set_P.c",
    of_lists=set_precision,
    spellings="set_p",
    peers=(Peer(TREC, "set_P"), Peer("ir_measures", "SetP")),
)


def set_recall(lists: Lists, k: int | None = None) -> Floats:
    """Return the share of all relevant documents that the list holds, (q,), in [0, 1]; NaN where R = 0.
    trec_eval m_set_recall.c.
    """
    return recall(lists, WHOLE)


SET_R = _set(
    name="SetR",
    formula="relevant documents in the list, over R, all relevant documents of the query",
    latex=r"\frac{\mathrm{hits}(n)}{R}",
    source="trec_eval m_set_recall.c",
    of_lists=set_recall,
    spellings="set_recall set_r",
    substitute=True,
    peers=(Peer(TREC, "set_recall"), Peer("ir_measures", "SetR")),
)


def number_of_queries(lists: Lists, k: int | None = None) -> Floats:
    """Return 1 for each query, (q,)."""
    return np.ones(lists.run.queries)


NUM_Q = _number(
    name="NumQ",
    formula="1 for each query that counts; their number is the sum",
    source="trec_eval m_num_q.c",
    of_lists=number_of_queries,
    reads=(),
    of_judgments=True,
    spellings="num_q",
    peers=(Peer(TREC, "num_q"), Peer("ir_measures", "NumQ", written="ir_measures:NumQ(missing_query='skip')")),
)


def number_retrieved(lists: Lists, k: int | None = None) -> Floats:
    """Return the number of documents in each list, (q,). trec_eval m_num_ret.c."""
    return lists.length.astype(np.float64)


NUM_RET = _number(
    name="NumRet",
    formula="documents in the list",
    source="trec_eval m_num_ret.c",
    of_lists=number_retrieved,
    reads=("unjudged",),
    instead={"rel": "NumRelRet"},  # NumRet(rel=1) of ir_measures counts the relevant ones
    spellings="num_ret",
    peers=(Peer(TREC, "num_ret"), Peer("ir_measures", "NumRet")),
)


def number_relevant(lists: Lists, k: int | None = None) -> Floats:
    """Return R, the number of relevant documents in the judgments of each query, (q,). trec_eval m_num_rel.c."""
    return lists.judged_relevant.astype(np.float64)


NUM_REL = _number(
    name="NumRel",
    formula="R, all relevant documents of the query",
    source="trec_eval m_num_rel.c",
    of_lists=number_relevant,
    reads=("rel",),
    of_judgments=True,
    spellings="num_rel",
    peers=(Peer(TREC, "num_rel"), Peer("ir_measures", "NumRel", written="ir_measures:NumRel(missing_query='skip')")),
)


def number_relevant_retrieved(lists: Lists, k: int | None = None) -> Floats:
    """Return the number of relevant documents among the first k of each list, (q,). trec_eval m_num_rel_ret.c."""
    return hits(lists, k).astype(np.float64)


NUM_REL_RET = _number(
    name="NumRelRet",
    formula="relevant documents among the first k",
    latex=r"\mathrm{hits}(k)",
    source="trec_eval m_num_rel_ret.c; with a cutoff: hits of ranx",
    of_lists=number_relevant_retrieved,
    cutoff="optional",
    reads=("rel", "unjudged"),
    higher_is_better=True,
    spellings="num_rel_ret hits_",
    uncut="hits.1000 has the mean for lists of up to 1,000 documents, NumRelRet the sum over the queries.",
    peers=(Peer(TREC, "num_rel_ret"), Peer("ir_measures", "NumRet(rel=1)")),
)

#: In the order in which they are shown.
MEASURES = (P, R, AP, RR, SUCCESS, RPREC, F1, ERR, RBP, SET_P, SET_R, NUM_Q, NUM_RET, NUM_REL, NUM_REL_RET)
