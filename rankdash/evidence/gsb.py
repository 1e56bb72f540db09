"""ΔGSB of counts of good, same and bad queries: its intervals and what they prove.

ΔGSB is a net preference share in [-1, 1], neither a relative improvement nor a mean gain.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Literal

from rankdash.evidence.distributions import coin_at_most, coin_two_sided, normal_below, normal_quantile, t_quantile
from rankdash.records import frozen

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
