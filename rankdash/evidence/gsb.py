"""Good, same and bad queries, seen from B: ΔGSB, its score interval, and whether the votes can be used.

ΔGSB is a net preference share in [-1, 1], neither a relative improvement nor a mean gain. The counts are queries, one
label each; ``raters.py`` makes labels of rows.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from rankdash.evidence.distributions import coin_at_most, coin_two_sided, normal_quantile

Interval = tuple[float, float]
Unusable = Literal["too_few", "agreement", "sides"]


@dataclass(frozen=True)
class Gsb:
    """Counts of good, same and bad queries and what they prove. None is "not defined".

    ``delta`` = (good - bad) / n in [-1, 1]; ``ci95`` and ``ci90`` are its Tango score intervals (the ends of ci90 are
    the one-sided 95% bounds); ``p`` the mid-p and ``sign_p`` the exact two-sided sign test; ``win_rate`` the share of
    good among good and bad, with its Wilson interval.
    """

    good: int
    same: int
    bad: int
    delta: float | None = None
    ci95: Interval | None = None
    ci90: Interval | None = None
    p: float | None = None
    sign_p: float | None = None
    win_rate: float | None = None
    win_rate_ci95: Interval | None = None

    @property
    def n(self) -> int:
        """All queries."""
        return self.good + self.same + self.bad

    @property
    def decided(self) -> int:
        """Queries that are good or bad."""
        return self.good + self.bad


def gsb(good: int, same: int, bad: int) -> Gsb:
    """What so many good, same and bad queries prove. ValueError for a negative count.

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
        win_rate=good / decided if decided else None,
        win_rate_ci95=wilson(good, decided) if decided else None,
    )


def tango(good: int, same: int, bad: int, level: float = 0.95) -> Interval:
    """The score interval of ΔGSB, both ends in [-1, 1]; n >= 1. Excludes 0 iff |g - b| / sqrt(g + b) > z."""
    n = good + same + bad
    z = normal_quantile(0.5 + level / 2)
    estimate = (good - bad) / n
    low = -1.0 if bad == n else _root(lambda d: _score(d, good, bad, n) - z, -1.0, estimate)
    high = 1.0 if good == n else _root(lambda d: _score(d, good, bad, n) + z, estimate, 1.0)
    return low, high


def mid_p(good: int, bad: int) -> float:
    """Two-sided mid-p of the sign test: the exact p less the probability of what was seen, at most 1."""
    decided = good + bad
    if good == bad:
        return 1.0
    fewer = min(good, bad)
    return min(1.0, coin_at_most(fewer, decided) + coin_at_most(fewer - 1, decided))


def wilson(wins: int, n: int, level: float = 0.95) -> Interval:
    """The Wilson interval of a share, ends in [0, 1]; n >= 1."""
    z2 = normal_quantile(0.5 + level / 2) ** 2
    share = wins / n
    middle = (share + z2 / (2 * n)) / (1 + z2 / n)
    half = math.sqrt(z2 * (share * (1 - share) / n + z2 / (4 * n * n))) / (1 + z2 / n)
    return max(0.0, middle - half), min(1.0, middle + half)


def unusable(
    decided: int,
    raters: int,
    alpha: float | None,
    side_p: float | None,
    *,
    votes_min: int = 20,
    agreement_min: float = 0.20,
    side_p_min: float = 0.001,
) -> Unusable | None:
    """Why votes cannot be used: too few good and bad ones, raters who disagree, sides not balanced; None if they can.

    ``raters`` is how many judged the same query; agreement that is not defined blocks nothing.
    """
    if decided < votes_min:
        return "too_few"
    if raters > 1 and alpha is not None and alpha < agreement_min:
        return "agreement"
    return "sides" if side_p is not None and side_p < side_p_min else None


def _score(d: float, good: int, bad: int, n: int) -> float:
    """Tango's score statistic at a trial value d of ΔGSB; it falls as d rises."""
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
    """Where a falling function crosses 0 between low and high: halving, to the last digit."""
    for _ in range(200):
        middle = (low + high) / 2
        if not low < middle < high:
            break
        low, high = (middle, high) if f(middle) > 0 else (low, middle)
    return (low + high) / 2
