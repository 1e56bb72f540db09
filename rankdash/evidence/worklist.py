"""What to label next: what each unjudged document could do to the mean difference, and all of them together."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from rankdash.evidence.documents import Documents, Floats, Ints, mean_over, over_ideal, per_query
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
        """IDCG@k of queries, (r,), each with so many documents more of the high and of the low gain, (r,).

        Many queries have the same ideal list, one relevant document for instance; each case is computed once.
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
        total = (ideal * discount[np.minimum(shifted, k)]).sum(axis=1, keepdims=True)
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
    order: npt.ArrayLike | None = None,
) -> Worklist:
    """The unjudged documents in the top k of A or B, by what one label could do.

    Parameters
    ----------
    documents : Documents      all of the population, queries numbered 0..q-1
    ideal : (q, k) float       the gains of each query's k best judged documents, highest first, filled up with 0
    k : int                    the cutoff
    best, worst : float        the gains of the highest and the lowest grade (>= 0) in the judgments
    weights : (q,) float       how much each query counts; None: all the same
    order : (d,) int           decides among equal effects, lowest first; None: the order of the rows

    Returns
    -------
    Worklist                   unit: the mean difference of nDCG@k; IDCG moves with the label
    """
    gains = np.asarray(ideal, np.float64)
    row = np.flatnonzero(documents.shown(k) & ~documents.judged)
    query, move = documents.query[row], documents.moves(k)[row]
    dcg = _difference(documents, len(gains), k)[query]
    none, one = np.zeros(len(row), np.int64), np.ones(len(row), np.int64)
    now = over_ideal(dcg, _Ideal(gains, best, best).dcg(query, none, none))
    share = _shares(weights, len(gains))[query]
    if_best, if_worst = (
        share * (over_ideal(dcg + gain * move, _Ideal(gains, gain, gain).dcg(query, one, none)) - now)
        for gain in (best, worst)
    )
    effect = np.where(np.abs(if_worst) > np.abs(if_best), if_worst, if_best)
    among_equals = np.arange(len(row)) if order is None else np.asarray(order)[row]
    by_size = np.lexsort((among_equals, -np.round(np.abs(effect), DECIMALS)))
    return Worklist(row[by_size], if_best[by_size], if_worst[by_size], effect[by_size])


def bounds(
    documents: Documents,
    ideal: npt.ArrayLike,
    k: int,
    *,
    best: float,
    worst: float,
    weights: npt.ArrayLike | None = None,
) -> tuple[float, float]:
    """The smallest and largest mean difference of nDCG@k over all ways to label what is unjudged best or worst.

    Exact: IDCG depends only on how many of a query's documents get the high gain, and for each number the difference
    is largest when these are the documents that moved up most. Arguments as for ``worklist``.
    """
    gains = np.asarray(ideal, np.float64)
    label = _Ideal(gains, max(best, worst), min(best, worst))
    query, move = _unjudged_by_move(documents, k)
    size = np.bincount(query, minlength=len(gains))
    # One case per query and number of high labels, from none to all of its unjudged documents.
    first = np.cumsum(size + 1) - (size + 1)
    owner = np.repeat(np.arange(len(gains)), size + 1)
    highs = np.arange(len(owner)) - first[owner]
    lows = size[owner] - highs
    begin = (np.cumsum(size) - size)[owner]
    so_far = np.concatenate(([0.0], np.cumsum(move)))
    everything = so_far[begin + size[owner]] - so_far[begin]
    most = so_far[begin + highs] - so_far[begin]
    least = everything - (so_far[begin + lows] - so_far[begin])
    dcg, new = _difference(documents, len(gains), k)[owner], label.dcg(owner, highs, lows)
    ends = []
    for up, extreme in ((least, np.minimum), (most, np.maximum)):
        value = over_ideal(dcg + label.high * up + label.low * (everything - up), new)
        ends.append(mean_over(extreme.reduceat(value, first) if len(value) else value, weights))
    return ends[0], ends[1]


def _alike(lists: Floats) -> Ints:
    """A number from 0 for each list, the same for those that are the same, (q,); ``lists`` is (q, k)."""
    of = np.zeros(len(lists), np.int64)
    for column in lists.T:  # one column after the other: whole rows are slow to put in order
        values, at = np.unique(column, return_inverse=True)
        if len(values) > 1:
            _, of = np.unique(of * len(values) + at, return_inverse=True)
    return of


def _distinct(numbers: Ints, below: int) -> tuple[Ints, Ints]:
    """The different numbers among some from 0 to ``below``, ascending, and which of them each is. Many numbers of a
    small range are not sorted for that.
    """
    if below > _TABLE:
        different, of = np.unique(numbers, return_inverse=True)
        return different, np.ravel(of)
    there = np.zeros(below, bool)
    there[numbers] = True
    place = np.cumsum(there, dtype=np.int32) - 1
    return np.flatnonzero(there), place[numbers].astype(np.int64)


def _unjudged_by_move(documents: Documents, k: int) -> tuple[Ints, Floats]:
    """Query and move of the unjudged documents in either top k, by query, the largest move first."""
    row = np.flatnonzero(documents.shown(k) & ~documents.judged)
    query, move = documents.query[row], documents.moves(k)[row]
    order = np.lexsort((-move, query))
    return query[order], move[order]


def _difference(documents: Documents, queries: int, k: int) -> Floats:
    """DCG@k of B less that of A, (q,)."""
    return per_query(documents.query, documents.gain * documents.moves(k), queries)


def _shares(weights: npt.ArrayLike | None, queries: int) -> Floats:
    weight: Floats = np.ones(queries) if weights is None else np.asarray(weights, np.float64)
    return weight / max(float(weight.sum()), np.finfo(np.float64).tiny)
