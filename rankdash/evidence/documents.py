"""What single documents do to a difference: the documents two models show -> parts of the mean difference,
preference derived from judgments, the kind of judgments, and what to label next.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Literal

import numpy as np
import numpy.typing as npt

from rankdash.evidence.gsb import Gsb, gsb
from rankdash.evidence.paired import DECIMALS
from rankdash.records import field, frozen

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
Bools = npt.NDArray[np.bool_]

ABSENT = 0


@frozen
class Documents:
    """One row per document that A or B shows for a query, in any order; each (query, document) once.

    Axis d over these rows, q over the queries. Ranks count from 1; 0 (ABSENT) means that the document is not in the
    list. Documents outside both top k may be included, and have no effect.
    """

    query: Ints  # (d,) in 0..q-1
    rank_a: Ints  # (d,)
    rank_b: Ints  # (d,)
    gain: Floats  # (d,) >= 0; 0 for the unjudged
    judged: Bools  # (d,)
    condensed_a: Ints  # (d,) rank among the judged documents of A's list, as deep as it goes; 0 if absent
    condensed_b: Ints  # (d,) the same in B's list
    shift: int = field(default=1, kw_only=True)  # what the discount adds to a rank before it takes the logarithm

    def moves(self, k: int) -> Floats:
        """Return how much discount each document gains from A to B, (d,), in [-1, 1]: disc_B - disc_A in the top k."""
        return discounts(self.rank_b, k, self.shift) - discounts(self.rank_a, k, self.shift)

    def shown(self, k: int) -> Bools:
        """Return whether each document is in the top k of A or of B, (d,)."""
        return in_top(self.rank_a, k) | in_top(self.rank_b, k)


def in_top(rank: Ints, k: int) -> Bools:
    """Return whether each rank is in the top k, same shape; ABSENT is not."""
    return (rank > ABSENT) & (rank <= k)


def discounts(rank: Ints, k: int, shift: int = 1) -> Floats:
    """Return 1 / log2(rank + shift) in the top k, at most 1, else 0; same shape."""
    deepest = min(k, int(rank.max(initial=0)))  # a cutoff may be far beyond every list
    at = np.append(0.0, _from_first(deepest, shift))
    return at[np.where(in_top(rank, k), rank, 0)]


def _from_first(deepest: int, shift: int) -> Floats:
    """Return the discounts of the ranks from 1 down."""
    at: Floats = 1.0 / np.log2(np.maximum(np.arange(1.0, deepest + 1.0) + shift, 2.0))
    return at


def per_query(query: Ints, values: Floats, queries: int) -> Floats:
    """Return sums of values per query, (q,)."""
    return np.bincount(query, weights=values, minlength=queries).astype(np.float64, copy=False)


def over_ideal(values: Floats, ideal: Floats) -> Floats:
    """Return values over ideal DCG, same shape; 0 where a query has nothing ideal."""
    return np.divide(values, ideal, out=np.zeros(np.shape(values)), where=ideal > 0)


PARTS = ("unjudged_moved_in", "relevant_dropped", "relevant_gained", "reordering")
_UNJUDGED, _DROPPED, _GAINED, _REORDERED = range(len(PARTS))


@frozen
class Decomposition:
    """Axes: d the documents, q the queries, p the four PARTS, in the unit of nDCG.

    ``part`` is the index into PARTS, -1 for a document that is not relevant or not in a top k; ``parts`` adds up over
    p to each query's difference.
    """

    contribution: Floats  # (d,)
    part: Ints  # (d,)
    parts: Floats  # (q, p)


def decompose(documents: Documents, ideal: Floats, k: int) -> Decomposition:
    """Return the parts of each query's difference of nDCG@k.

    ``ideal`` is (q,), the IDCG@k of each query, the same for A and B; where it is 0 every part is 0. Swapping A and B
    turns every sign and exchanges dropped and gained.
    """
    relevant = documents.shown(k) & (documents.gain > 0)
    move = documents.moves(k)
    contribution = np.where(relevant, over_ideal(documents.gain * move, ideal[documents.query]), 0.0) + 0.0
    part = np.where(relevant & (ideal[documents.query] > 0), _part(documents, move, k), -1)
    counted = part >= 0
    cell = documents.query[counted] * len(PARTS) + part[counted]
    parts = per_query(cell, contribution[counted], len(ideal) * len(PARTS))
    return Decomposition(contribution, part, parts.reshape(len(ideal), len(PARTS)))


def _part(documents: Documents, move: Floats, k: int) -> Ints:
    """Return the part to which each document would belong if it were relevant and shown, (d,)."""
    place_a, place_b = _place(documents.condensed_a), _place(documents.condensed_b)
    pushed = ((move < 0) & (place_b <= place_a)) | ((move > 0) & (place_b >= place_a))
    top_a: Bools = in_top(documents.rank_a, k)
    top_b: Bools = in_top(documents.rank_b, k)
    return np.select(
        (pushed, top_a & ~top_b, top_b & ~top_a), (_UNJUDGED, _DROPPED, _GAINED), default=_REORDERED
    ).astype(np.int64)


def _place(condensed: Ints) -> Floats:
    """Return the rank among judged documents, infinite where the list does not hold the document."""
    return np.where(condensed == ABSENT, np.inf, condensed)


#: Smucker's minimum difference.
TAU = 0.01


def derived(delta: npt.ArrayLike, tau: float = TAU) -> Gsb:
    """Count good, same and bad queries by their difference, (n,): good above tau, bad below -tau; NaN is left out.

    >>> table = derived([0.2, 0.01, -0.011])
    >>> table.good, table.same, table.bad
    (1, 1, 1)
    """
    values = np.round(np.asarray(delta, np.float64), DECIMALS)
    values = values[np.isfinite(values)]
    good, bad = int(np.count_nonzero(values > tau)), int(np.count_nonzero(values < -tau))
    return gsb(good, len(values) - good - bad, bad)


JudgmentKind = Literal["judged", "positive_only"]
#: What only the user can say: which grades are relevant, or whether 0 was judged or merely logged.
Ask = Literal["threshold", "judged_or_logged"]

#: Below this judged@k, judgments of 0 and 1 look like a log.
WELL_JUDGED = 0.70


def judgment_kind(
    grades: Collection[float], unjudged_shown: int, judged_share: float | None, said: str = "auto", rel: float = 1
) -> tuple[JudgmentKind, Ask | None]:
    """Return the kind of judgments, and what to ask about them; None where nothing is in doubt.

    Parameters
    ----------
    grades                     the distinct grades, negative ones included
    unjudged_shown             documents in the top k of A or B without a judgment
    judged_share               the lower judged@k of A and B, in [0, 1]; None where no list is answered
    said                       the policy's word: auto, judged or positive_only
    rel                        the lowest relevant grade; a user chose it if it is not 1

    >>> judgment_kind({1}, 900, 0.1), judgment_kind({0, 1, 2}, 3, 0.95)
    (('positive_only', None), ('judged', None))
    """
    if said == "positive_only":
        return "positive_only", None
    positive = [grade for grade in grades if grade > 0]
    if said == "auto" and len(positive) == len(grades) == 1 and unjudged_shown:
        return "positive_only", None
    if len(positive) == len(grades) > 1 and said == "auto" and rel == 1:
        return "judged", "threshold"
    if set(grades) == {0, 1} and judged_share is not None and judged_share < WELL_JUDGED and said == "auto":
        return "judged", "judged_or_logged"
    return "judged", None


#: Numbers of an intermediate matrix that are in memory at a time.
_BLOCK = 2_000_000


@frozen
class Worklist:
    """Unjudged documents by the size of their effect on the mean difference, the largest first. Axis w."""

    row: Ints  # (w,) index into the documents
    if_best: Floats  # (w,) change of the mean difference if this document alone got the best grade
    if_worst: Floats  # (w,) and the worst
    effect: Floats  # (w,) the larger of the two in size


@frozen
class _Ideal:
    """The ideal lists, and what becomes of IDCG@k when documents of a high and of a low gain join them."""

    gains: Floats  # (q, k), highest first
    high: float
    low: float
    shift: int

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
        cases, at = _numbered((of[query] * sizes[0] + highs) * sizes[1] + lows)
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
        discount = np.append(_from_first(k, self.shift), 0.0)  # beyond k nothing counts
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
    ideal: Floats,
    k: int,
    *,
    best: float,
    worst: float,
    weights: Floats,
    nothing: Floats,
    order: Ints,
) -> Worklist:
    """Return the unjudged documents in the top k of A or B, by how far a label could move the mean difference.

    Parameters
    ----------
    documents : Documents      queries numbered 0..q-1
    ideal : (q, k) float       the gains of each query's k best judged documents, highest first, filled up with 0
    k : int                    the cutoff
    best, worst : float        the gains of the highest and the lowest grade (>= 0) in the judgments
    weights : (q,) float       how much each query counts, 0: not at all, nor its documents
    nothing : (q,) float       the difference of a query whose IDCG is 0; NaN: such a query does not count until a label
                               gives it a gain
    order : (d,) int           decides among equal effects, lowest first

    Returns
    -------
    Worklist                   unit: the mean difference of nDCG@k; IDCG moves with the label
    """
    row = np.flatnonzero(documents.shown(k) & ~documents.judged & (weights > 0)[documents.query])
    query, move = documents.query[row], documents.moves(k)[row]
    dcg, every = _difference(documents, len(ideal), k), np.arange(len(ideal))
    now = _value(dcg, _Ideal(ideal, best, best, documents.shift).dcg(every, 0 * every, 0 * every), nothing)
    counts = (weights > 0) & ~np.isnan(now)
    total = float(weights[counts].sum())
    mean = float((weights * now)[counts].sum()) / total if total else 0.0
    # A query that already counts moves the mean by its own change, a new one by its distance from the mean.
    start, joins = np.where(counts, now, mean)[query], ~counts[query]
    share = weights[query] / np.maximum(total + weights[query] * joins, np.finfo(np.float64).tiny)
    single = np.ones(len(row), np.int64)
    after = [
        _value(dcg[query] + label.high * move, label.dcg(query, single, 0 * single), nothing[query])
        for label in (_Ideal(ideal, gain, gain, documents.shift) for gain in (best, worst))
    ]
    if_best, if_worst = (np.where(np.isnan(value), 0.0, share * (value - start)) for value in after)
    effect = np.where(np.abs(if_worst) > np.abs(if_best), if_worst, if_best)
    by_size = np.lexsort((order[row], -np.round(np.abs(effect), DECIMALS)))
    return Worklist(row[by_size], if_best[by_size], if_worst[by_size], effect[by_size])


def disagreements(documents: Documents, k: int, order: Ints) -> Worklist:
    """Return every document in the top k of A or B by how far the two lists disagree on it, then by ``order``, (d,).

    That is |1 / log2(1 + rank in B) - 1 / log2(1 + rank in A)|, with 0 for a list that lacks it in its top k: by so
    much one unit of gain would move the difference of DCG@k. The effect has the sign of B minus A.
    """
    move, row = documents.moves(k), np.flatnonzero(documents.shown(k))
    row = row[np.lexsort((order[row], -np.round(np.abs(move[row]), DECIMALS)))]
    return Worklist(row, move[row], np.zeros(len(row)), move[row])


@frozen
class LabelBounds:
    """How far labels of unjudged documents could move the delta of nDCG@k of each query. Axis q."""

    least: Floats  # (q,) the smallest delta, NaN where no labels give the query a value
    most: Floats  # (q,) the largest
    may_not_count: Bools  # (q,) some labels leave the query without a value

    def means(self, weights: Floats) -> tuple[float, float] | None:
        """Return the smallest and the largest mean delta of queries, weighed; None where no query counts under any
        labels.
        """
        low = _furthest_mean(self.least, self.may_not_count, weights, -1)
        high = _furthest_mean(self.most, self.may_not_count, weights, 1)
        return None if low is None or high is None else (low, high)


def label_bounds(
    documents: Documents, ideal: Floats, k: int, *, best: float, worst: float, nothing: Floats
) -> LabelBounds:
    """Return the smallest and largest delta of nDCG@k of each query over all ways to label what is unjudged best or
    worst.

    Exact: IDCG depends only on how many of a query's documents get the high gain, and for each number the difference
    is largest when these are the documents that moved up most. Arguments as for ``worklist``.
    """
    label = _Ideal(ideal, max(best, worst), min(best, worst), documents.shift)
    query, move = _unjudged_by_move(documents, k)
    size = np.bincount(query, minlength=len(ideal))
    # One case per query and number of high labels, from none to all of its unjudged documents.
    first = np.cumsum(size + 1) - (size + 1)
    owner = np.repeat(np.arange(len(ideal)), size + 1)
    highs = np.arange(len(owner)) - first[owner]
    lows = size[owner] - highs
    so_far = _running_sums(move, first, size)
    at = first[owner]
    everything = so_far[at + size[owner]]
    most = so_far[at + highs]
    least = everything - so_far[at + lows]
    dcg, new = _difference(documents, len(ideal), k)[owner], label.dcg(owner, highs, lows)
    low, high = (
        _value(dcg + label.high * up + label.low * (everything - up), new, nothing[owner]) for up in (least, most)
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


def _alike(lists: Floats) -> Ints:
    """Return a number from 0 for each list, (q,), the same for equal lists; ``lists`` is (q, k)."""
    of = np.zeros(len(lists), np.int64)
    for column in lists.T:  # column by column: whole rows are slow to put in order
        values, at = np.unique(column, return_inverse=True)
        if len(values) > 1:
            _, of = _numbered(of * len(values) + at)
    return of


def _numbered(values: Ints) -> tuple[Ints, Ints]:
    """Return the distinct numbers, ascending, and which of them each value is; all are 0 or more. They are not put in
    order where the largest is small.
    """
    most = int(values.max(initial=-1)) + 1
    if most > len(values):
        return np.unique(values, return_inverse=True)
    there = np.zeros(most, bool)
    there[values] = True
    return np.flatnonzero(there), (np.cumsum(there) - 1)[values]


def _unjudged_by_move(documents: Documents, k: int) -> tuple[Ints, Floats]:
    """Return query and move of the unjudged documents in either top k, by query, the largest move first."""
    row = np.flatnonzero(documents.shown(k) & ~documents.judged)
    query, move = documents.query[row], documents.moves(k)[row]
    order = np.lexsort((-move, query))
    return query[order], move[order]


def _difference(documents: Documents, queries: int, k: int) -> Floats:
    """Return DCG@k of B minus DCG@k of A, (q,)."""
    return per_query(documents.query, documents.gain * documents.moves(k), queries)
