"""The worked calculation of one measure on one query, rank by rank, so that anyone can redo it by hand.

The value is the one that every comparison shows; the rows say where it comes from. What a rank adds is written down
here a second time, as in a textbook and without arrays; a test holds the sum of the rows against the measure.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

import numpy as np
import pyarrow as pa

from rankdash import arrow
from rankdash.conventions import STANDARD, Convention, preset
from rankdash.judged import Order, pooled, ranked, ranked_rows
from rankdash.metrics import Lists, Measure, MeasureError, parse_measure, score
from rankdash.metrics.binary import hits
from rankdash.metrics.gain import ideal_dcg
from rankdash.metrics.lists import Bools, Floats, Ints, gains, ratio
from rankdash.tables import Judgments, Run


@dataclass(frozen=True)
class Rank:
    """One document of a list, and what it adds to the measure.

    ``rank`` is None where condensed lists leave the document out; ``relevance`` None where it is unjudged. ``discount``
    is 1 / log2(rank + 1), or the mean of its tie group where the convention averages over ties; ``hits`` the relevant
    documents up to here; ``contribution`` what the document adds to the numerator and ``running`` the sum so far.
    """

    rank: int | None
    doc_id: str
    relevance: float | None
    relevant: bool
    gain: float
    discount: float
    hits: int
    contribution: float
    running: float
    counted: bool  # within the cutoff
    tied: bool  # its score equals a neighbour's
    row: int  # of the run's table


@dataclass(frozen=True)
class Ideal:
    """One document of the ideal list."""

    rank: int
    relevance: float
    gain: float
    discount: float
    contribution: float
    running: float


@dataclass(frozen=True)
class Explanation:
    """A measure's value for one query, with everything it was computed from.

    ``value`` is ``above`` / ``below`` where the measure is a quotient (``below`` None: it is not, and ``above`` is the
    value). ``value`` None: undefined. ``tied_at_cutoff``: k cuts a group of equal scores, so the order of ties decides.
    """

    measure: Measure
    query_id: str
    value: float | None
    above: float
    below: float | None
    below_is: str
    ranks: tuple[Rank, ...]
    ideal: tuple[Ideal, ...]
    relevant: int  # R, of all judgments of the query
    judged: int
    unjudged_shown: int  # in the first k
    tied_at_cutoff: bool


def explain(
    run: Run,
    judgments: Judgments,
    measure: str | Measure,
    query_id: str,
    convention: str | Convention = STANDARD,
) -> Explanation:
    """The worked calculation of one measure on one query of a run.

    A query that the run does not answer has an empty list. MeasureError for a measure that does not exist or compares
    two lists, and for a query without judgments.
    """
    active = preset(convention) if isinstance(convention, str) else convention
    measure = parse_measure(measure, active) if isinstance(measure, str) else measure
    if measure.compares_lists:
        raise MeasureError(f"{measure.name} compares two lists; it has no calculation of its own.")
    measure = _with_max_grade(measure, judgments)
    judgments = Judgments(_of_query(judgments.table, query_id))
    if not len(judgments.table):
        raise MeasureError(f"The query {query_id!r} has no judgments.")
    pool, order = pooled(judgments), Order.of(measure.convention)
    joined = ranked(replace(run, table=_of_query(run.table, query_id)), pool, order, depth=1)
    value = float(score(joined.lists, [measure])[0, 0])
    lists = Lists(joined.lists, measure.convention)
    walked = _walk(run, query_id, judgments, measure, order, lists)
    ranks = tuple(_ranks(walked))
    ideal = tuple(_ideal(lists, measure)) if measure.key in ("nDCG", "IDCG") else ()
    counted = [rank for rank in ranks if rank.counted]
    below, below_is = _BELOW.get(measure.key, _no_denominator)(lists, measure)
    above = float(walked.adds.sum())
    return Explanation(
        measure,
        query_id,
        None if math.isnan(value) else value,
        above,
        below,
        below_is,
        ranks,
        ideal,
        int(lists.judged_relevant[0]),
        len(pool.relevance),
        sum(rank.relevance is None for rank in counted),
        any(walked.tied[i] and walked.cut_inside[i] for i in range(len(ranks))),
    )


def _with_max_grade(measure: Measure, judgments: Judgments) -> Measure:
    """ERR with the largest grade of all judgments written into it: that of one query would give another number."""
    if measure.key != "ERR" or dict(measure.parameters)["max_grade"] is not None:
        return measure
    largest = max(0.0, float(_numbers(judgments.table, "relevance").max(initial=0.0)))
    return replace(measure, parameters=(("max_grade", largest),))


def _of_query(table: pa.Table, query_id: str) -> pa.Table:
    """The rows of one query, in their order."""
    ids = arrow.one_chunk(table.column("query_id"))
    code = arrow.position(ids.dictionary, query_id)
    rows = np.flatnonzero(arrow.codes(ids) == code) if code is not None else np.empty(0, np.int64)
    return table.take(arrow.from_numpy(rows.astype(np.int64)))


def _numbers(table: pa.Table, name: str) -> Floats:
    return arrow.as_numpy(arrow.one_chunk(table.column(name))).astype(np.float64, copy=False)


# --- what each rank adds ---------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Walk:
    """One list from rank 1 down; all arrays are (n,)."""

    doc_ids: list[str]
    row: Ints
    place: Ints  # the rank that counts; 0: condensed lists leave the document out
    relevance: Floats  # NaN: unjudged
    relevant: Bools
    gain: Floats
    discount: Floats
    hits: Ints
    counted: Bools
    tied: Bools
    cut_inside: Bools  # the cutoff runs through the group of equal scores
    adds: Floats


def _walk(run: Run, query_id: str, judgments: Judgments, measure: Measure, order: Order, lists: Lists) -> _Walk:
    convention = measure.convention
    row, first, last = ranked_rows(run, query_id, order)
    doc_ids = run.table.column("doc_id").take(arrow.from_numpy(row)).to_pylist()
    relevance = _relevance(doc_ids, judgments, convention)
    judged = ~np.isnan(relevance)
    place = np.cumsum(judged) * judged if convention.unjudged == "condensed" else np.arange(1, len(row) + 1)
    cut = {"Rprec": int(lists.judged_relevant[0])}.get(measure.key, measure.k or len(row))
    counted = (place > 0) & (place <= cut)
    discount = np.divide(1.0, np.log2(place + 1.0), out=np.zeros(len(row)), where=place > 0)
    relevant = relevance >= convention.rel
    gain = gains(np.nan_to_num(relevance), convention.gain)
    weight = counted * (np.ones(len(row)) if measure.key == "CG" else discount)
    if convention.ties == "average" and measure.key in ("CG", "DCG", "nDCG"):
        weight = discount = _group_means(weight, first)
    step = _Step(
        place, counted & relevant, np.cumsum(relevant), gain * weight, np.nan_to_num(relevance), counted, measure
    )
    adds = _ADDS.get(measure.key, _nothing)(step)
    cut_inside = (first <= cut) & (last > cut)
    return _Walk(
        doc_ids, row, place, relevance, relevant, gain, discount, step.hits, counted, last > first, cut_inside, adds
    )


def _relevance(doc_ids: list[str], judgments: Judgments, convention: Convention) -> Floats:
    """The relevance of each document under the convention, NaN where it counts as unjudged; the first grade counts."""
    grades: dict[str, float] = {}
    for doc_id, grade in zip(
        judgments.table.column("doc_id").to_pylist(), _numbers(judgments.table, "relevance"), strict=True
    ):
        grades.setdefault(doc_id, float(grade))
    relevance = np.array([grades.get(doc_id, np.nan) for doc_id in doc_ids])
    instead = 0.0 if convention.negative == "clip" else np.nan
    return np.where(relevance < 0, instead, relevance)


def _group_means(values: Floats, group: Ints) -> Floats:
    """The mean over each group of equal scores, (n,)."""
    _, at, size = np.unique(group, return_inverse=True, return_counts=True)
    means: Floats = (np.bincount(at, weights=values) / size)[at]
    return means


def _ranks(walk: _Walk) -> Iterator[Rank]:
    running = np.cumsum(walk.adds)
    for i, doc_id in enumerate(walk.doc_ids):
        yield Rank(
            rank=int(walk.place[i]) or None,
            doc_id=doc_id,
            relevance=None if np.isnan(walk.relevance[i]) else float(walk.relevance[i]),
            relevant=bool(walk.relevant[i]),
            gain=float(walk.gain[i]),
            discount=float(walk.discount[i]),
            hits=int(walk.hits[i]),
            contribution=float(walk.adds[i]),
            running=float(running[i]),
            counted=bool(walk.counted[i]),
            tied=bool(walk.tied[i]),
            row=int(walk.row[i]),
        )


def _ideal(lists: Lists, measure: Measure) -> Iterator[Ideal]:
    """The ideal list, as far as it counts."""
    _, rank, gain = lists.ideal
    _, relevance = lists.pool
    cut = measure.k if measure.k is not None and measure.convention.ideal_cut == "k" else len(rank)
    by_gain = sorted(relevance, key=lambda grade: -float(gains(np.array([grade]), measure.convention.gain)[0]))
    running = 0.0
    for i in range(min(cut, len(rank))):
        discount = 1 / math.log2(rank[i] + 1)
        running += gain[i] * discount
        yield Ideal(
            int(rank[i]), float(by_gain[i]), float(gain[i]), discount, float(gain[i] * discount), float(running)
        )


@dataclass(frozen=True)
class _Step:
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


def _nothing(step: _Step) -> Floats:
    return np.zeros(len(step.rank))


def _gain(step: _Step) -> Floats:
    return step.weighted_gain


def _hit(step: _Step) -> Floats:
    return step.relevant.astype(np.float64)


def _first_hit(step: _Step) -> Floats:
    added: Floats = (step.relevant & (step.hits == 1)).astype(np.float64)
    return added


def _precision_at_hits(step: _Step) -> Floats:
    return ratio(step.hits * step.relevant, step.rank, nothing=0.0)


def _patience(step: _Step) -> Floats:
    p = float(step.own["p"] or 0.0)
    left = np.power(p, step.rank - 1.0)
    return np.where(step.relevant, (1 - p) * left, 0.0)


def _cascade(step: _Step) -> Floats:
    top = float(step.own["max_grade"] or 0.0)
    stop = np.where(step.counted, (np.exp2(step.relevance) - 1) / 2**top, 0.0)
    still_there = np.concatenate(([1.0], np.cumprod(1 - stop)[:-1])) if len(stop) else stop
    return ratio(np.multiply(still_there, stop), step.rank, nothing=0.0)


_ADDS: dict[str, Callable[[_Step], Floats]] = {
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


# --- what the sum is divided by --------------------------------------------------------------------------------------

_Denominator = tuple[float | None, str]


def _no_denominator(lists: Lists, measure: Measure) -> _Denominator:
    return None, ""


def _ideal_dcg(lists: Lists, measure: Measure) -> _Denominator:
    return float(ideal_dcg(lists, measure.k)[0]), f"IDCG{'' if measure.k is None else f'@{measure.k}'}"


def _judged_relevant(lists: Lists, measure: Measure) -> _Denominator:
    return float(lists.judged_relevant[0]), "R"


def _depth(lists: Lists, measure: Measure) -> _Denominator:
    k = measure.k or 0
    if measure.convention.p_denominator == "k":
        return float(k), "k"
    return float(min(k, int(lists.length[0]))), "min(k, n)"


def _ap_denominator(lists: Lists, measure: Measure) -> _Denominator:
    relevant = float(lists.pool_relevant[0])
    name = measure.convention.ap_denominator
    if name == "hits":
        return float(hits(lists, measure.k)[0]), "hits"
    return (min(relevant, measure.k) if name == "min(R,k)" and measure.k else relevant), name


_BELOW: dict[str, Callable[[Lists, Measure], _Denominator]] = {
    "nDCG": _ideal_dcg,
    "AP": _ap_denominator,
    "P": _depth,
    "R": _judged_relevant,
    "Rprec": _judged_relevant,
}
