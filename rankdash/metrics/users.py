"""Measures that add up what a user gets who may stop at every rank: ERR, where the documents decide, and RBP."""

from __future__ import annotations

import numpy as np

from rankdash.metrics.lists import Lists, MeasureError
from rankdash.metrics.rows import ByRank, Definition, Example, Peer, Worked, no_positive_grade, no_relevant
from rankdash.metrics.segments import Floats, product_before


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
    ),
    example=Example("a b c", {"a": 1, "b": 2, "c": 0}, 1 / 4 + (1 - 1 / 4) * (3 / 4) / 2),
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
    peers=(Peer("ir_measures", "RBP"),),
    example=Example("a b c", {"a": 1, "b": 0, "c": 2, "missed": 1}, 0.2 * (1 + 0.8**2)),
)

#: In the order in which they are shown.
MEASURES = (ERR, RBP)
