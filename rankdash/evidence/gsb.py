"""ΔGSB, a net preference share in [-1, 1], neither a relative improvement nor a mean gain: its intervals and what
they prove. What raters say: votes -> one label per query, ΔGSB, and the effect of the side a list stood on.

A row is one rater's vote on one query, seen from B: above 0 good, 0 same, below 0 bad. Several rows of a query are
never independent: the unit is the query, and its value the mean of its votes.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Literal

import numpy as np
import numpy.typing as npt

from rankdash.evidence.distributions import (
    coin_at_most,
    coin_two_sided,
    normal_below,
    normal_quantile,
    t_below,
    t_quantile,
)
from rankdash.records import frozen, replace

Interval = tuple[float, float]
#: How an interval was made: Tango's for one vote per query, t for the mean of several.
Kind = Literal["tango", "t"]

#: Counts that are off by less are whole.
_ROUNDING = 1e-9


@frozen
class Gsb:
    """Counts of good, same and bad queries and what they prove. None is "not defined".

    ``delta`` = (good - bad) / n in [-1, 1]; ``ci95`` and ``ci90`` are its intervals of the kind ``interval`` (the ends
    of ci90 are the one-sided 95% bounds); ``p`` the mid-p and ``sign_p`` the exact two-sided sign test. Where sides are
    known, or a query has several votes, ``delta``, its intervals and ``p`` are those of the mean votes at a balanced
    side; the counts stay the queries by majority.
    """

    good: int
    same: int
    bad: int
    delta: float | None = None
    ci95: Interval | None = None
    ci90: Interval | None = None
    p: float | None = None
    sign_p: float | None = None
    interval: Kind = "tango"
    se: float | None = None  # of ``delta``, where a query has several votes, or sides are known
    df: int | None = None  # of the interval t
    counted: tuple[float, float, float] | None = None  # good, same and bad in Tango's interval, where not the counts

    @property
    def n(self) -> int:
        """All queries."""
        return self.good + self.same + self.bad

    @property
    def decided(self) -> int:
        """Queries that are good or bad."""
        return self.good + self.bad

    def lower_bound(self, level: float) -> float | None:
        """Return the one-sided lower bound of ``delta`` at a level in (0.5, 1), as the intervals are made; None where
        there are none.
        """
        if self.ci95 is None or self.delta is None:
            return None
        if self.df is not None and self.se is not None:
            return max(-1.0, self.delta - t_quantile(level, self.df) * self.se)
        good, same, bad = self.counted or (self.good, self.same, self.bad)
        return tango(good, same, bad, 2.0 * level - 1.0)[0]


def gsb(good: int, same: int, bad: int) -> Gsb:
    """Return what so many good, same and bad queries prove. ValueError for a negative count.

    Source: interval Tango 1998, Statistics in Medicine 17:891;
    mid-p Fagerland, Lydersen and Laake 2013, doi:10.1186/1471-2288-13-91; win rate Wilson 1927.

    >>> table = gsb(1, 1, 2)
    >>> table.delta, [round(end, 3) for end in table.ci95]
    (-0.25, [-0.778, 0.505])
    """
    if min(good, same, bad) < 0:
        raise ValueError(f"Counts are at least 0, not {good}, {same}, {bad}.")
    n, decided = good + same + bad, good + bad
    if not n:
        return Gsb(good, same, bad)
    return Gsb(
        good,
        same,
        bad,
        delta=(good - bad) / n,
        ci95=tango(good, same, bad, 0.95),
        ci90=tango(good, same, bad, 0.90),
        p=mid_p(good, bad),
        sign_p=coin_two_sided(good, decided),
    )


def two_sided_p(good: float, bad: float) -> float:
    """Return the mid-p where counts are whole, as far as rounding goes, else the p of the score."""
    whole = [float(round(x)) if abs(x - round(x)) < _ROUNDING else x for x in (good, bad)]
    if all(x.is_integer() for x in whole):
        return mid_p(int(whole[0]), int(whole[1]))
    return score_p(*whole)


def score_p(good: float, bad: float) -> float:
    """Return the two-sided p of the score |g - b| / sqrt(g + b), for counts that are not whole numbers."""
    decided = good + bad
    return 2.0 * normal_below(-abs(good - bad) / math.sqrt(decided)) if decided else 1.0


def tango(good: float, same: float, bad: float, level: float = 0.95) -> Interval:
    """Return the score interval of ΔGSB, both ends in [-1, 1]; n > 0. Excludes 0 iff |g - b| / sqrt(g + b) > z."""
    n = good + same + bad
    z = normal_quantile(0.5 + level / 2)
    estimate = (good - bad) / n
    low = -1.0 if bad == n else _root(lambda d: _score(d, good, bad, n) - z, -1.0, estimate)
    high = 1.0 if good == n else _root(lambda d: _score(d, good, bad, n) + z, estimate, 1.0)
    return low, high


def mid_p(good: int, bad: int) -> float:
    """Return the two-sided mid-p of the sign test: the exact p less the probability of what was seen, at most 1."""
    decided = good + bad
    if good == bad:
        return 1.0
    fewer = min(good, bad)
    return min(1.0, coin_at_most(fewer, decided) + coin_at_most(fewer - 1, decided))


def _score(d: float, good: float, bad: float, n: float) -> float:
    """Return Tango's score statistic at a trial value d of ΔGSB; it falls as d rises."""
    a, b, c = 2 * n, -good - bad + (2 * n - good + bad) * d, -bad * d * (1 - d)
    root = math.sqrt(max(b * b - 4 * a * c, 0.0))
    # The positive root in the form that does not cancel.
    q = (root - b) / (2 * a) if b <= 0 else -2 * c / (root + b) if root + b else 0.0
    difference = good - bad - n * d
    variance = n * (2 * q + d * (1 - d))
    if variance <= 0:
        return math.copysign(math.inf, difference) if difference else 0.0
    return difference / math.sqrt(variance)


def _root(f: Callable[[float], float], low: float, high: float) -> float:
    """Return where a falling function crosses 0 between low and high, to the last digit, by halving."""
    for _ in range(200):
        middle = (low + high) / 2
        if not low < middle < high:
            break
        low, high = (middle, high) if f(middle) > 0 else (low, middle)
    return (low + high) / 2


def possible(low: float, high: float) -> tuple[float, float] | None:
    """Return an interval of ΔGSB cut to [-1, 1]; None where it then leaves out no value at all.

    To cut an interval at the ends of what is possible takes nothing from its coverage.

    >>> possible(-0.2, 1.3), possible(-1.1, 1.3)
    ((-0.2, 1.0), None)
    """
    low, high = max(low, -1.0), min(high, 1.0)
    return None if (low, high) == (-1.0, 1.0) else (low, high)


Floats = npt.NDArray[np.float64]

#: Sums of shares are exact to more decimals than the first, slopes of votes over sides to the second.
_SHARE_DECIMALS, _SLOPE_DECIMALS = 10, 14


@frozen
class SideLine:
    """The straight line of mean votes over sides; level where no side is known, or all queries have the same.

    ``at_zero``, (n,), is what each query adds to the value at h = 0; ``residual``, (n,), what the line leaves over.
    """

    at_zero: Floats
    value: float  # at h = 0
    slope: float | None  # None: there is none
    residual: Floats

    @classmethod
    def of(cls, y: Floats, h: Floats | None) -> SideLine:
        """Return the line of least squares through mean votes and sides, (n,) each."""
        n = len(y)
        equal = np.full(n, 1.0 / n)
        spread = np.zeros(n) if h is None else h - h.mean()
        squares = float((spread * spread).sum())
        if h is None or round(squares, _SHARE_DECIMALS) <= 0:
            return cls(equal, float(y.mean()), None, y - y.mean())
        # about the mean, so that the slope is exactly 0 where all y are the same
        slope = float((spread * (y - y.mean())).sum()) / squares
        residual = np.round(y - y.mean() - slope * spread, _SLOPE_DECIMALS)
        middle = float(h.mean())
        return cls(equal - middle * spread / squares, float(y.mean()) - slope * middle, slope, residual)


@frozen
class Sides:
    """What is known about sides. Every field is None where no vote says which side B stood on.

    ``left`` is the share of votes with B on the left among those that say; ``n`` how many balanced queries these are
    worth, 0 where B always stood on one side. ``effect`` is what the left side gains over the right side, in ΔGSB, with
    its 95% interval and test. As a difference of two ΔGSB it lies from -2 to 2; it is estimated by a line, whose ends
    may lie further out.
    """

    left: float | None = None
    n: float | None = None
    effect: float | None = None
    se: float | None = None
    lower95: float | None = None
    upper95: float | None = None
    p: float | None = None


#: No vote says which side B stood on.
UNKNOWN = Sides()


def sides(mean_votes: npt.ArrayLike, h: npt.ArrayLike, left: float) -> Sides:
    """Return what the side is worth, by the mean votes of queries in [-1, 1], (n,), and the side of each, ``h`` (n,).

    The effect is twice the slope of the votes over the sides, with the variance of MacKinnon and White's HC1.

    >>> result = sides([1, 0, -1, -1], [1, 1, -1, -1], 0.5)
    >>> result.n, result.effect
    (4.0, 1.5)
    """
    y, at = np.asarray(mean_votes, np.float64), np.asarray(h, np.float64)
    n, line = len(y), SideLine.of(y, at)
    if line.slope is None:
        return Sides(left, float(n if not at.any() else 0))
    worth = round(n * (1.0 - float(at.mean() ** 2 / ((at * at).sum() / n))), _SHARE_DECIMALS)
    effect = round(2.0 * line.slope, _SLOPE_DECIMALS)
    untested = Sides(left, worth, effect)
    if n <= 2:
        return untested
    spread = at - at.mean()
    squares = float((spread * spread).sum())
    se = 2.0 * math.sqrt(n / (n - 2) * float(((spread * line.residual) ** 2).sum())) / squares
    half = t_quantile(0.975, n - 2) * se
    p = 2.0 * t_below(-abs(effect) / se, n - 2) if se else float(not effect)
    return replace(untested, se=se, lower95=effect - half, upper95=effect + half, p=p)


Ints = npt.NDArray[np.int64]

#: ΔGSB is exact to these decimals; a standard error below _NO_SPREAD is rounding noise.
_DECIMALS, _NO_SPREAD = 12, 1e-12
#: The fewest raters who say anything about raters in general.
ENOUGH_RATERS = 5


@frozen
class Rated:
    """Votes per query: ``labels`` in -1, 0, 1 and the mean vote of the queries ``query``, and numbers for the
    checks.

    ``rater_lower95`` and ``rater_upper95`` are the ends of a second interval of ΔGSB, which counts raters and not
    queries; it decides nothing. None: fewer than 5 raters, or unknown raters.
    """

    query: Ints
    labels: Ints
    mean: Floats
    gsb: Gsb
    raters: int  # per query, at most
    alpha: float | None
    side: Sides
    repeated: int  # earlier votes of a rater on a query; the last vote counts
    decided: int = 0  # queries whose votes do not cancel
    people: int | None = None  # different raters; None where a vote does not say who gave it
    rater_lower95: float | None = None
    rater_upper95: float | None = None


@frozen
class Ballot:
    """The votes that count. Axes r: votes, n: queries."""

    query: Ints  # (r,) which query, from 0
    vote: Ints  # (r,) -1, 0, 1
    per_query: Ints  # (n,) votes of each query

    @property
    def sums(self) -> Ints:
        """The sum of the votes of each query, (n,)."""
        return np.bincount(self.query, self.vote, len(self.per_query)).astype(np.int64)

    def share(self, label: int) -> Floats:
        """Return the share of the votes of each query with a label, (n,), in [0, 1]."""
        return np.bincount(self.query[self.vote == label], minlength=len(self.per_query)) / self.per_query


def rated(
    query: npt.ArrayLike,
    vote: npt.ArrayLike,
    *,
    rater: npt.ArrayLike | None = None,
    about: npt.ArrayLike | None = None,
    left: npt.ArrayLike | None = None,
) -> Rated:
    """Return what rows of votes say.

    Parameters
    ----------
    query : (r,) int           which query each row is about; any numbering
    vote : (r,) number         above 0 good, 0 same, below 0 bad, seen from B
    rater : (r,) int           who voted, below 0 where unknown; None: every row is another rater
    about : (r,) int           what of the query each vote is about, a document for instance; None: the query
    left : (r,) int            1 where B stood on the left, -1 where A did, 0 where unknown; None: unknown for all

    Returns
    -------
    Rated                      a query's label is the strict majority of its rows; 1 of 2 is same
    """
    row_query, codes = np.asarray(query, np.int64), np.sign(np.asarray(vote, np.float64)).astype(np.int64)
    who = _distinct(rater, len(codes))
    kept = last_votes(row_query, who, np.zeros_like(who) if about is None else np.asarray(about, np.int64))
    row_query, codes, who = row_query[kept], codes[kept], who[kept]
    queries, at = np.unique(row_query, return_inverse=True)
    ballot = Ballot(at, codes, np.bincount(at, minlength=len(queries)))
    h, side = _sides(ballot, None if left is None else np.asarray(left, np.int64)[kept])
    are_known = rater is not None and bool((np.asarray(rater, np.int64)[kept] >= 0).all())
    line = SideLine.of(ballot.sums / ballot.per_query, h) if len(queries) else None
    people = len(np.unique(who)) if are_known else None
    low, high = _by_rater(ballot, line, h, who) if line and side.n != 0 and are_known else (None, None)
    return Rated(
        query=queries,
        labels=majority(at, codes, len(queries)),
        mean=ballot.sums / ballot.per_query,
        gsb=_estimate(ballot, line, side),
        raters=int(np.bincount(at[_last_of_equal(at, who)]).max(initial=0)),
        alpha=krippendorff(at, codes),
        side=side,
        repeated=int((~kept).sum()),
        decided=int(np.count_nonzero(ballot.sums)),
        people=people,
        rater_lower95=low,
        rater_upper95=high,
    )


def _estimate(ballot: Ballot, line: SideLine | None, side: Sides) -> Gsb:
    """Return ΔGSB at a balanced side with its interval: t where any query has several votes, else Tango's."""
    labels = majority(ballot.query, ballot.vote, len(ballot.per_query))
    counted = gsb(*(int((labels == label).sum()) for label in (1, 0, -1)))
    one_each = bool((ballot.per_query == 1).all())
    if line is None or (one_each and side.n is None):
        return counted
    delta = round(min(1.0, max(-1.0, line.value)), _DECIMALS) + 0.0
    if side.n == 0:
        return replace(counted, delta=delta, ci95=None, ci90=None, p=None)
    n = len(ballot.per_query)
    df = n - 1 if line.slope is None else n - 2
    se = math.sqrt(n / df * float(((line.at_zero * line.residual) ** 2).sum())) if df > 0 else 0.0
    if one_each or se <= _NO_SPREAD:
        worth = n if side.n is None or not one_each else side.n
        return _by_score(counted, _balanced_shares(ballot, line), worth)
    ends95, ends90 = (
        (max(-1.0, delta - half), min(1.0, delta + half)) for half in (t_quantile(p, df) * se for p in (0.975, 0.95))
    )
    p = 2.0 * t_below(-abs(delta) / se, df)
    return replace(counted, delta=delta, ci95=ends95, ci90=ends90, p=p, interval="t", se=se, df=df)


def _balanced_shares(ballot: Ballot, line: SideLine) -> tuple[float, float]:
    """Return the shares of good and bad votes at a balanced side, each in [0, 1], with a sum of at most 1."""
    good, bad = (float(np.clip((line.at_zero * ballot.share(label)).sum(), 0.0, 1.0)) for label in (1, -1))
    scale = max(1.0, good + bad)
    return good / scale, bad / scale


def _by_score(counted: Gsb, shares: tuple[float, float], n: float) -> Gsb:
    """Return the same counts with ΔGSB by shares of good and bad among so many queries, and Tango's interval."""
    good, bad = (n * share for share in shares)
    same, delta = max(n - good - bad, 0.0), round(shares[0] - shares[1], _DECIMALS) + 0.0
    return replace(
        counted,
        delta=delta,
        se=math.sqrt(max(shares[0] + shares[1] - delta * delta, 0.0) / n),
        ci95=tango(good, same, bad, 0.95),
        ci90=tango(good, same, bad, 0.90),
        p=two_sided_p(good, bad),
        counted=(good, same, bad),
    )


def _by_rater(ballot: Ballot, line: SideLine, h: Floats | None, who: Ints) -> tuple[float | None, float | None]:
    """Return the 95% interval of ΔGSB that counts raters: each adds the distance of the rater's votes from the line."""
    _, number = np.unique(who, return_inverse=True)
    raters = int(number.max(initial=-1)) + 1
    if raters < ENOUGH_RATERS:
        return None, None
    fit = np.full(len(ballot.per_query), line.value) + (0.0 if h is None or line.slope is None else line.slope * h)
    apart = (ballot.vote - fit[ballot.query]) * (line.at_zero / ballot.per_query)[ballot.query]
    added = np.bincount(number, weights=apart, minlength=raters)
    half = t_quantile(0.975, raters - 1) * math.sqrt(raters / (raters - 1) * float((added * added).sum()))
    return line.value - half, line.value + half


def _distinct(rater: npt.ArrayLike | None, rows: int) -> Ints:
    """Return a number for the rater of each row; unknown raters are different people in every row."""
    if rater is None:
        return np.arange(rows)
    who = np.asarray(rater, np.int64)
    return np.where(who < 0, who.max(initial=0) + 1 + np.arange(rows), who)


def last_votes(query: Ints, rater: Ints, about: Ints) -> npt.NDArray[np.bool_]:
    """Return which rows count, (r,): a rater's last vote on the same thing.

    >>> last_votes(np.array([0, 0, 0]), np.array([7, 8, 7]), np.array([0, 0, 0])).tolist()
    [False, True, True]
    """
    kept = np.zeros(len(query), bool)
    kept[_last_of_equal(query, rater, about)] = True
    return kept


def _last_of_equal(*columns: Ints) -> Ints:
    """Return the last row of each combination of values."""
    order = np.lexsort(columns)
    again = [column[order[1:]] == column[order[:-1]] for column in columns]
    return order[np.append(~np.logical_and.reduce(again), True)] if len(order) else order


def _sides(ballot: Ballot, left: Ints | None) -> tuple[Floats | None, Sides]:
    """Return the side of each query, (n,), and what sides do to votes; None and UNKNOWN where no row says a side."""
    with_side = 0 if left is None else int(np.abs(left).sum())
    if left is None or not with_side:
        return None, UNKNOWN
    h = np.bincount(ballot.query, weights=left, minlength=len(ballot.per_query)) / ballot.per_query
    return h, sides(ballot.sums / ballot.per_query, h, float((left > 0).sum() / with_side))


def majority(query: Ints, vote: Ints, queries: int) -> Ints:
    """Return the strict majority label of each query, (q,), in -1, 0, 1: good or bad if more than half of its rows say
    so.

    >>> majority(np.array([0, 0, 1, 1, 1]), np.array([1, 0, -1, -1, 1]), 2)
    array([ 0, -1])
    """
    rows = np.bincount(query, minlength=queries)
    good = np.bincount(query[vote > 0], minlength=queries)
    bad = np.bincount(query[vote < 0], minlength=queries)
    return (2 * good > rows).astype(np.int64) - (2 * bad > rows).astype(np.int64)


def krippendorff(query: npt.ArrayLike, vote: npt.ArrayLike) -> float | None:
    """Return Krippendorff's nominal alpha of rows of labels, at most 1; None where no query has two, or only one label
    occurs.

    Queries with a single row say nothing about agreement and are left out. Source: Krippendorff 2011.
    """
    codes = np.asarray(vote, np.int64)
    _, at = np.unique(np.asarray(query, np.int64), return_inverse=True)
    values, column = np.unique(codes, return_inverse=True)
    table = np.bincount(at * len(values) + column, minlength=(at.max(initial=-1) + 1) * len(values)).astype(np.float64)
    units = table.reshape(-1, max(len(values), 1))
    sizes = units.sum(axis=1)
    units, sizes = units[sizes >= 2], sizes[sizes >= 2]
    n = float(sizes.sum())
    expected = n**2 - float((units.sum(axis=0) ** 2).sum())  # ordered pairs of different labels, over all rows
    if not expected:
        return None
    observed = float(((sizes**2 - (units**2).sum(axis=1)) / (sizes - 1)).sum())
    return 1.0 - (n - 1) * observed / expected
