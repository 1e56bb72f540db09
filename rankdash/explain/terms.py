"""What one rank adds to each measure, and what the sum is divided by: the textbook formulas, one line each."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from rankdash.metrics import Lists, Measure
from rankdash.metrics.binary import hits
from rankdash.metrics.gain import ideal_dcg
from rankdash.metrics.lists import ratio
from rankdash.metrics.segments import Bools, Floats, Ints


@dataclass(frozen=True)
class Step:
    """What the contributions are made of, (n,) each: the textbook letters."""

    rank: Ints
    relevant: Bools  # and within the cutoff
    hits: Ints
    weighted_gain: Floats
    relevance: Floats
    counted: Bools
    measure: Measure

    @property
    def own(self) -> dict[str, float | None]:
        """The measure's own parameters."""
        return dict(self.measure.parameters)


def nothing(step: Step) -> Floats:
    """The measure is no sum over ranks."""
    return np.zeros(len(step.rank))


def _gain(step: Step) -> Floats:
    return step.weighted_gain


def _hit(step: Step) -> Floats:
    return step.relevant.astype(np.float64)


def _first_hit(step: Step) -> Floats:
    added: Floats = (step.relevant & (step.hits == 1)).astype(np.float64)
    return added


def _precision_at_hits(step: Step) -> Floats:
    return ratio(step.hits * step.relevant, step.rank, nothing=0.0)


def _patience(step: Step) -> Floats:
    p = float(step.own["p"] or 0.0)
    left = np.power(p, step.rank - 1.0)
    return np.where(step.relevant, (1 - p) * left, 0.0)


def _cascade(step: Step) -> Floats:
    top = float(step.own["max_grade"] or 0.0)
    stop = np.where(step.counted, (np.exp2(step.relevance) - 1) / 2**top, 0.0)
    still_there = np.concatenate(([1.0], np.cumprod(1 - stop)[:-1])) if len(stop) else stop
    return ratio(np.multiply(still_there, stop), step.rank, nothing=0.0)


ADDS: dict[str, Callable[[Step], Floats]] = {
    "CG": _gain,
    "DCG": _gain,
    "nDCG": _gain,
    "P": _hit,
    "R": _hit,
    "Rprec": _hit,
    "AP": _precision_at_hits,
    "RR": lambda step: _first_hit(step) * ratio(np.ones(len(step.rank)), step.rank, nothing=0.0),
    "Success": _first_hit,
    "RBP": _patience,
    "ERR": _cascade,
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
    k = measure.k or 0
    if measure.convention.p_denominator == "k":
        return float(k), "k"
    return float(min(k, int(lists.length[0]))), "min(k, n)"


def _ap_denominator(lists: Lists, measure: Measure) -> Denominator:
    relevant = float(lists.pool_relevant[0])
    name = measure.convention.ap_denominator
    if name == "hits":
        return float(hits(lists, measure.k)[0]), "hits"
    return (min(relevant, measure.k) if name == "min(R,k)" and measure.k else relevant), name


BELOW: dict[str, Callable[[Lists, Measure], Denominator]] = {
    "nDCG": _ideal_dcg,
    "AP": _ap_denominator,
    "P": _depth,
    "R": _judged_relevant,
    "Rprec": _judged_relevant,
}
