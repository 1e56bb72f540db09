"""What the order of tied scores could do: the lists again with every group of equal scores at its best or worst."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import numpy.typing as npt

from rankdash import arrow
from rankdash.comparison.rankings import Rankings
from rankdash.conventions import Gains
from rankdash.judged import Order, Side
from rankdash.metrics import Measure, score
from rankdash.metrics.lists import JudgedRun, gains
from rankdash.metrics.segments import same_as_before

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
Bools = npt.NDArray[np.bool_]


def scores_at_tie_end(joined: Rankings, side: Side, measures: tuple[Measure, ...], *, best: bool) -> Floats:
    """Return per-query values of a run, (measures, q), with every group of equal scores in its best or worst order for
    each measure.
    """
    values = np.empty((len(measures), joined.pool.queries))
    ends: dict[tuple[Order, float, str | Gains], list[int]] = {}
    for at, measure in enumerate(measures):
        convention, axes = measure.convention, measure.definition.axes
        rel = convention.rel if "rel" in axes else 1.0
        if rel <= 0 and convention.negative == "clip":
            rel = -np.inf  # a grade below 0 is read as 0, and that is relevant
        gain = convention.gain if "gain" in axes and isinstance(convention.gain, Gains) else "linear"
        ends.setdefault((Order.of(convention), rel, gain), []).append(at)
    for (order, rel, gain), rows in ends.items():
        run = joined.ranked(side, order)
        lists = at_tie_end(run.lists, best=best, rel=rel, gain=gain) if run.findings.tied_rows else run.lists
        values[rows] = score(lists, [measures[row] for row in rows])
    return values


def has_tie_ends(measure: Measure) -> bool:
    """Return whether no order of ties gives a higher value than the best by grade, or a lower one than the worst.

    AP@k over the hits falls where one more relevant document comes into the first k at their end.
    """
    return measure.key != "AP" or measure.k is None or measure.convention.ap_denominator != "hits"


def at_tie_end(run: JudgedRun, *, best: bool, rel: float = 1.0, gain: str | Gains = "linear") -> JudgedRun:
    """Return the lists with each group of equal scores ordered by what a grade is worth: what gains or is relevant
    first (or last), the other graded documents last (or first), and those without a grade between them. No tie remains.
    """
    tied = np.flatnonzero(run.tie_first < run.tie_last)  # the hits of a group stand together
    query, first, last = run.query[tied], run.tie_first[tied], run.tie_last[tied]
    grade = run.relevance[tied]
    worth = grade if isinstance(gain, str) else gains(grade, gain)
    order = np.lexsort((-worth if best else worth, first, query))
    starts = np.flatnonzero(~same_as_before(query, first))
    size = np.diff(starts, append=len(tied))
    place = np.arange(len(tied)) - np.repeat(starts, size)
    in_front = ((worth > 0) | (grade >= rel))[order] == best
    ranks, relevances = run.tie_first.copy(), run.relevance.copy()
    ranks[tied] = np.where(in_front, first + place, last - (np.repeat(size, size) - 1 - place))
    relevances[tied] = grade[order]
    return replace(run, rank=ranks, tie_first=ranks, tie_last=ranks, relevance=relevances)


def tied_places(joined: Rankings, side: Side, order: Order, k: int) -> Bools:
    """Return which of the first k places hold a document with the score of a neighbour, (q, at most k).

    The neighbour may stand at place k + 1: where fewer first ranks are kept, the run is put in order again.
    """
    return tied_among(joined.reaching(k + 1), side, order, k + 1)[:, :k]


def tied_among(joined: Rankings, side: Side, order: Order, depth: int) -> Bools:
    """Return which of the first ``depth`` places have the score of a neighbour among them, (q, at most ``depth``)."""
    run = joined.run(side)
    rows = joined.ranked(side, order).top_row[:, :depth]
    tied = np.zeros(rows.shape, bool)
    if run.ordered_by == "score" and len(run.table):
        scores = arrow.numbers_at(run.table.column("score"), np.maximum(rows, 0))
        with np.errstate(over="ignore"):
            values = np.where(rows >= 0, scores.astype(order.score_type), np.nan)
        same = (values[:, 1:] == values[:, :-1]) & np.isfinite(values[:, 1:])
        tied[:, 1:] = same
        tied[:, :-1] |= same
    return tied
