"""What one rank adds to each measure, and what the sum is divided by: the textbook formulas, one line each.

They are rounded as the measures are - one operation after the other, added from rank 1 down - so that the quotient
is the value to its last digit.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from rankdash.metrics import Lists, Measure
from rankdash.metrics.binary import depth, hits
from rankdash.metrics.gain import ideal_dcg
from rankdash.metrics.lists import ratio
from rankdash.metrics.segments import Bools, Floats, Ints, product_before


@dataclass(frozen=True)
class Step:
    """One list from rank 1 down as the contributions are made of it, (n,) each: the textbook letters."""

    rank: Ints  # that counts; 0: condensed lists leave the document out
    judged: Bools
    relevant: Bools
    counted: Bools  # within the cutoff
    hits: Ints  # relevant documents up to here
    relevance: Floats  # 0 where unjudged
    gained: Floats  # the gain, discounted where the measure discounts
    group: Ints  # the same number for equal scores
    relevant_judged: tuple[int, int]  # R and N: relevant and other judged documents of the query
    measure: Measure

    @property
    def own(self) -> dict[str, float | None]:
        """The measure's own parameters."""
        return dict(self.measure.parameters)

    @property
    def hit(self) -> Bools:
        """Relevant and within the cutoff."""
        return self.relevant & self.counted


def nothing(step: Step) -> Floats:
    """The measure is no sum over the ranks of the list."""
    return np.zeros(len(step.rank))


def _gain(step: Step) -> Floats:
    return step.gained


def _hit(step: Step) -> Floats:
    return step.hit.astype(np.float64)


def _hit_twice(step: Step) -> Floats:
    return 2.0 * _hit(step)


def _judged(step: Step) -> Floats:
    return (step.judged & step.counted).astype(np.float64)


def _first_hit(step: Step) -> Floats:
    first: Floats = (step.hit & (step.hits == 1)).astype(np.float64)
    return first


def _reciprocal(step: Step) -> Floats:
    return ratio(_first_hit(step), step.rank, nothing=0.0)


def _precision_at_hits(step: Step) -> Floats:
    return ratio(step.hits * step.hit, step.rank, nothing=0.0)


def _patience(step: Step) -> Floats:
    p = float(step.own["p"] or 0.0)
    return np.where(step.hit, (1 - p) * np.power(p, np.maximum(step.rank, 1) - 1.0), 0.0)


def _cascade(step: Step) -> Floats:
    top = float(step.own["max_grade"] or 0.0)
    added = np.zeros(len(step.rank))
    rows = np.flatnonzero(step.counted & (step.relevance > 0))
    stop = np.exp2(step.relevance[rows] - top) - np.exp2(-top)  # (2^y - 1) / 2^m, also where 2^m is no number
    added[rows] = product_before(1.0 - stop, np.zeros_like(rows)) * stop / step.rank[rows]
    return added


def _few_above(step: Step) -> Floats:
    relevant, others = step.relevant_judged
    above = np.cumsum(step.judged & ~step.relevant)
    penalty = np.minimum(above, relevant) / max(min(relevant, others), 1)
    return np.where(step.relevant, 1.0 - penalty, 0.0)


def _pairs_won(step: Step) -> Floats:
    _, group = np.unique(step.group, return_inverse=True)
    others = np.bincount(group, weights=step.judged & ~step.relevant)
    won = others.sum() - np.cumsum(others) + others / 2
    return np.where(step.relevant, won[group], 0.0)


ADDS: dict[str, Callable[[Step], Floats]] = {
    "CG": _gain,
    "DCG": _gain,
    "nDCG": _gain,
    "P": _hit,
    "R": _hit,
    "Rprec": _hit,
    "F1": _hit_twice,
    "AP": _precision_at_hits,
    "RR": _reciprocal,
    "Success": _first_hit,
    "RBP": _patience,
    "ERR": _cascade,
    "Bpref": _few_above,
    "Judged": _judged,
    "AUC": _pairs_won,
}


Denominator = tuple[float | None, str]


def no_denominator(lists: Lists, measure: Measure) -> Denominator:
    """The sum is the value."""
    return None, ""


def _ideal_dcg(lists: Lists, measure: Measure) -> Denominator:
    return float(ideal_dcg(lists, measure.k)[0]), f"IDCG{'' if measure.k is None else f'@{measure.k}'}"


def _judged_relevant(lists: Lists, measure: Measure) -> Denominator:
    return float(lists.judged_relevant[0]), "R"


def _depth(lists: Lists, measure: Measure) -> Denominator:
    return float(depth(lists, measure.k or 0)[0]), _DEPTH[measure.convention.p_denominator]


def _documents(lists: Lists, measure: Measure) -> Denominator:
    return float(min(measure.k or 0, int(lists.length[0]))), _DEPTH["min(k,n)"]


def _depth_and_relevant(lists: Lists, measure: Measure) -> Denominator:
    below, name = _depth(lists, measure)
    return (below or 0.0) + float(lists.judged_relevant[0]), f"{name} + R"


def _pairs(lists: Lists, measure: Measure) -> Denominator:
    relevant = int(lists.relevant.sum())
    return float(relevant * (len(lists.relevant) - relevant)), "pairs"


def _ap_denominator(lists: Lists, measure: Measure) -> Denominator:
    relevant = float(lists.pool_relevant[0])
    name = measure.convention.ap_denominator
    if name == "hits":
        return float(hits(lists, measure.k)[0]), "hits"
    return (min(relevant, measure.k) if name == "min(R,k)" and measure.k else relevant), name


_DEPTH = {"k": "k", "min(k,n)": "min(k, n)"}

BELOW: dict[str, Callable[[Lists, Measure], Denominator]] = {
    "nDCG": _ideal_dcg,
    "AP": _ap_denominator,
    "P": _depth,
    "R": _judged_relevant,
    "Rprec": _judged_relevant,
    "F1": _depth_and_relevant,
    "Bpref": _judged_relevant,
    "Judged": _documents,
    "AUC": _pairs,
}
