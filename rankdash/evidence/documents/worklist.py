"""What to label next: how far the label of each unjudged document, and of all together, could move the mean."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from rankdash.evidence.documents.shown import Bools, Documents, Floats, Ints, over_ideal, per_query
from rankdash.evidence.paired import DECIMALS

#: Numbers of an intermediate matrix that are in memory at a time.
_BLOCK = 2_000_000
#: Numbers up to which a table of them is quicker than putting them in order.
_TABLE = 1 << 20


@dataclass(frozen=True)
class Worklist:
    """Unjudged documents by the size of their effect on the mean difference, the largest first. Axis w."""

    row: Ints  # (w,) index into the documents
    if_best: Floats  # (w,) change of the mean difference if this document alone got the best grade
    if_worst: Floats  # (w,) and the worst
    effect: Floats  # (w,) the larger of the two in size


@dataclass(frozen=True)
class _Ideal:
    """The ideal lists, and what becomes of IDCG@k when documents of a high and of a low gain join them."""

    gains: Floats  # (q, k), highest first
    high: float
    low: float

    def dcg(self, query: Ints, highs: Ints, lows: Ints) -> Floats:
        """Return IDCG@k of queries, (r,), after ``highs`` documents of the high gain and ``lows`` of the low join.

        Many queries have the same ideal list, a single relevant document for instance; each case is computed once.
        """
        if not len(query):
            return np.zeros(0)
        of = _alike(self.gains)
        _, first = np.unique(of, return_index=True)
        lists = self.gains[first]
        sizes = (int(highs.max()) + 1, int(lows.max()) + 1)
        case = (of[query] * sizes[0] + highs) * sizes[1] + lows
        cases, at = _distinct(case, len(lists) * sizes[0] * sizes[1])
        high, low = cases // sizes[1] % sizes[0], cases % sizes[1]
        ideal = cases // (sizes[0] * sizes[1])
        step = max(1, _BLOCK // max(lists.shape[1], 1))
        parts = (slice(start, start + step) for start in range(0, len(cases), step))
        values = np.concatenate([self._dcg(lists[ideal[part]], high[part, None], low[part, None]) for part in parts])
        spread: Floats = values[at]
        return spread

    def _dcg(self, ideal: Floats, highs: Ints, lows: Ints) -> Floats:
        k = ideal.shape[1]
        place = np.arange(k)
        discount = np.append(1.0 / np.log2(place + 2.0), 0.0)  # beyond k nothing counts
        up_to = np.concatenate(([0.0], np.cumsum(discount[:k])))
        over_high = (ideal >= self.high).sum(axis=1, keepdims=True)
        over_low = (ideal >= self.low).sum(axis=1, keepdims=True)
        shifted = place + highs * (place >= over_high) + lows * (place >= over_low)
        total = np.cumsum(ideal * discount[np.minimum(shifted, k)], axis=1)[:, -1:]
        for gain, start, size in ((self.high, over_high, highs), (self.low, over_low + highs, lows)):
            total += gain * (up_to[np.minimum(start + size, k)] - up_to[np.minimum(start, k)])
        return np.ravel(total)


def worklist(
    documents: Documents,
    ideal: npt.ArrayLike,
    k: int,
    *,
    best: float,
    worst: float,
    weights: npt.ArrayLike | None = None,
    nothing: npt.ArrayLike | None = None,
    order: npt.ArrayLike | None = None,
) -> Worklist:
    """Return the unjudged documents in the top k of A or B, by how far a label could move the mean difference.

    Parameters
    ----------
    documents : Documents      queries numbered 0..q-1
    ideal : (q, k) float       the gains of each query's k best judged documents, highest first, filled up with 0
    k : int                    the cutoff
    best, worst : float        the gains of the highest and the lowest grade (>= 0) in the judgments
    weights : (q,) float       how much each query counts, 0: not at all, nor its documents; None: all the same
    nothing : (q,) float       the difference of a query whose IDCG is 0; NaN: such a query does not count until a label
                               gives it a gain; None: 0
    order : (d,) int           decides among equal effects, lowest first; None: the order of the rows

    Returns
    -------
    Worklist                   unit: the mean difference of nDCG@k; IDCG moves with the label
    """
    gains = np.asarray(ideal, np.float64)
    weight, without = _per_query(weights, len(gains), 1.0), _per_query(nothing, len(gains), 0.0)
    row = np.flatnonzero(documents.shown(k) & ~documents.judged & (weight > 0)[documents.query])
    query, move = documents.query[row], documents.moves(k)[row]
    dcg, every = _difference(documents, len(gains), k), np.arange(len(gains))
    now = _value(dcg, _Ideal(gains, best, best).dcg(every, 0 * every, 0 * every), without)
    counts = (weight > 0) & ~np.isnan(now)
    total = float(weight[counts].sum())
    mean = float((weight * now)[counts].sum()) / total if total else 0.0
    # A query that already counts moves the mean by its own change, a new one by its distance from the mean.
    start, joins = np.where(counts, now, mean)[query], ~counts[query]
    share = weight[query] / np.maximum(total + weight[query] * joins, np.finfo(np.float64).tiny)
    single = np.ones(len(row), np.int64)
    after = [
        _value(dcg[query] + gain * move, _Ideal(gains, gain, gain).dcg(query, single, 0 * single), without[query])
        for gain in (best, worst)
    ]
    if_best, if_worst = (np.where(np.isnan(value), 0.0, share * (value - start)) for value in after)
    effect = np.where(np.abs(if_worst) > np.abs(if_best), if_worst, if_best)
    among_equals = np.arange(len(row)) if order is None else np.asarray(order)[row]
    by_size = np.lexsort((among_equals, -np.round(np.abs(effect), DECIMALS)))
    return Worklist(row[by_size], if_best[by_size], if_worst[by_size], effect[by_size])


@dataclass(frozen=True)
class LabelBounds:
    """How far labels of unjudged documents could move the delta of nDCG@k of each query. Axis q."""

    least: Floats  # (q,) the smallest delta, NaN where no labels give the query a value
    most: Floats  # (q,) the largest
    may_not_count: Bools  # (q,) some labels leave the query without a value

    def means(self, weights: npt.ArrayLike | None = None) -> tuple[float, float] | None:
        """Return the smallest and the largest mean delta of queries, weighed; None where no query counts under any
        labels.
        """
        weight = _per_query(weights, len(self.least), 1.0)
        low = _furthest_mean(self.least, self.may_not_count, weight, -1)
        high = _furthest_mean(self.most, self.may_not_count, weight, 1)
        return None if low is None or high is None else (low, high)


def label_bounds(
    documents: Documents,
    ideal: npt.ArrayLike,
    k: int,
    *,
    best: float,
    worst: float,
    nothing: npt.ArrayLike | None = None,
) -> LabelBounds:
    """Return the smallest and largest delta of nDCG@k of each query over all ways to label what is unjudged best or
    worst.

    Exact: IDCG depends only on how many of a query's documents get the high gain, and for each number the difference
    is largest when these are the documents that moved up most. Arguments as for ``worklist``.
    """
    gains = np.asarray(ideal, np.float64)
    without = _per_query(nothing, len(gains), 0.0)
    label = _Ideal(gains, max(best, worst), min(best, worst))
    query, move = _unjudged_by_move(documents, k)
    size = np.bincount(query, minlength=len(gains))
    # One case per query and number of high labels, from none to all of its unjudged documents.
    first = np.cumsum(size + 1) - (size + 1)
    owner = np.repeat(np.arange(len(gains)), size + 1)
    highs = np.arange(len(owner)) - first[owner]
    lows = size[owner] - highs
    so_far = _running_sums(move, first, size)
    at = first[owner]
    everything = so_far[at + size[owner]]
    most = so_far[at + highs]
    least = everything - so_far[at + lows]
    dcg, new = _difference(documents, len(gains), k)[owner], label.dcg(owner, highs, lows)
    low, high = (
        _value(dcg + label.high * up + label.low * (everything - up), new, without[owner]) for up in (least, most)
    )
    if not len(first):
        return LabelBounds(np.zeros(0), np.zeros(0), np.zeros(0, bool))
    undefined: Bools = np.logical_or.reduceat(np.isnan(low), first)
    return LabelBounds(np.fmin.reduceat(low, first), np.fmax.reduceat(high, first), undefined)


def _running_sums(values: Floats, first: Ints, size: Ints) -> Floats:
    """Return the sums of the first 0, 1, ... values of each query, query by query; each is added up alone, so that its
    sums do not depend on the queries before.
    """
    sums = np.zeros(len(values) + len(size))
    begin = np.cumsum(size) - size
    open_ = np.arange(len(size))
    for place in range(int(size.max(initial=0))):
        open_ = open_[size[open_] > place]
        at = first[open_] + place
        sums[at + 1] = sums[at] + values[begin[open_] + place]
    return sums


def _furthest_mean(value: Floats, may_not_count: Bools, weight: Floats, sign: int) -> float | None:
    """Return the largest (sign 1) or smallest (-1) weighted mean that labels can produce by deciding which queries
    count; None without any query that counts.

    A query that may or may not count is better left out once its value is worse than the mean of the others: the best
    choice adds them in the order of their values.
    """
    counts = ~np.isnan(value) & (weight > 0)
    sure, free = np.flatnonzero(counts & ~may_not_count), np.flatnonzero(counts & may_not_count)
    free = free[np.argsort(-sign * value[free], kind="stable")]
    totals = (weight[sure] * value[sure]).sum() + np.concatenate(([0.0], np.cumsum(weight[free] * value[free])))
    weights = weight[sure].sum() + np.concatenate(([0.0], np.cumsum(weight[free])))
    means = totals[weights > 0] / weights[weights > 0]
    return float(sign * (sign * means).max()) if len(means) else None


def _value(dcg: Floats, ideal: Floats, nothing: Floats) -> Floats:
    """Return differences of DCG over IDCG, same shape; ``nothing`` where a query has nothing ideal."""
    return np.where(ideal > 0, over_ideal(dcg, ideal), nothing)


def _per_query(values: npt.ArrayLike | None, queries: int, default: float) -> Floats:
    return np.full(queries, default) if values is None else np.asarray(values, np.float64)


def _alike(lists: Floats) -> Ints:
    """Return a number from 0 for each list, (q,), the same for equal lists; ``lists`` is (q, k)."""
    of = np.zeros(len(lists), np.int64)
    for column in lists.T:  # column by column: whole rows are slow to put in order
        values, at = np.unique(column, return_inverse=True)
        if len(values) > 1:
            _, of = np.unique(of * len(values) + at, return_inverse=True)
    return of


def _distinct(numbers: Ints, below: int) -> tuple[Ints, Ints]:
    """Return the distinct numbers, ascending, and the place of each number among them; all are from 0 to ``below``.
    Numbers of a small range are not sorted.
    """
    if below > _TABLE:
        different, of = np.unique(numbers, return_inverse=True)
        return different, np.ravel(of)
    there = np.zeros(below, bool)
    there[numbers] = True
    place = np.cumsum(there, dtype=np.int32) - 1
    return np.flatnonzero(there), place[numbers].astype(np.int64)


def _unjudged_by_move(documents: Documents, k: int) -> tuple[Ints, Floats]:
    """Return query and move of the unjudged documents in either top k, by query, the largest move first."""
    row = np.flatnonzero(documents.shown(k) & ~documents.judged)
    query, move = documents.query[row], documents.moves(k)[row]
    order = np.lexsort((-move, query))
    return query[order], move[order]


def _difference(documents: Documents, queries: int, k: int) -> Floats:
    """Return DCG@k of B minus DCG@k of A, (q,)."""
    return per_query(documents.query, documents.gain * documents.moves(k), queries)
