"""Good, same and bad queries, seen from B: ΔGSB, its score interval, and whether the votes can be used.

ΔGSB is a net preference share in [-1, 1], neither a relative improvement nor a mean gain. The counts are queries, one
label each; ``raters.py`` makes labels of rows.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Literal

from rankdash.evidence.distributions import coin_at_most, coin_two_sided, normal_below, normal_quantile
from rankdash.evidence.votes.sides import Sides

Interval = tuple[float, float]

#: ΔGSB is exact to more decimals than these; counts that are off by less than _ROUNDING are whole.
_DECIMALS, _ROUNDING = 15, 1e-9
Unusable = Literal["too_few", "agreement", "sides"]


@dataclass(frozen=True)
class Gsb:
    """Counts of good, same and bad queries and what they prove. None is "not defined".

    ``delta`` = (good - bad) / n in [-1, 1]; ``ci95`` and ``ci90`` are its Tango score intervals (the ends of ci90 are
    the one-sided 95% bounds); ``p`` the mid-p and ``sign_p`` the exact two-sided sign test; ``win_rate`` the share of
    good among good and bad, with its Wilson interval. Where sides are known, ``delta``, its intervals and ``p`` are
    those at a balanced side; the counts are always the raw ones.
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
        win_rate=good / decided if decided else None,
        win_rate_ci95=wilson(good, decided) if decided else None,
    )


def at_balanced_sides(found: Gsb, sides: Sides) -> Gsb:
    """Return the same queries with ΔGSB averaged over both sides: ``sides.n`` queries with its shares of good and bad.

    Unchanged where no side is known; without interval and test where B always stood on one side.
    """
    if sides.n is None or sides.good is None or sides.bad is None or not found.n:
        return found
    delta = round(sides.good - sides.bad, _DECIMALS)
    if not sides.n:
        return replace(found, delta=delta, ci95=None, ci90=None, p=None)
    good, bad = _whole(sides.n * sides.good), _whole(sides.n * sides.bad)
    same = max(sides.n - good - bad, 0.0)
    return replace(
        found,
        delta=delta,
        ci95=tango(good, same, bad, 0.95),
        ci90=tango(good, same, bad, 0.90),
        p=mid_p(int(good), int(bad)) if good.is_integer() and bad.is_integer() else score_p(good, bad),
    )


def score_p(good: float, bad: float) -> float:
    """Two-sided p of the score |g - b| / sqrt(g + b), for counts that are not whole numbers."""
    decided = good + bad
    return 2.0 * normal_below(-abs(good - bad) / math.sqrt(decided)) if decided else 1.0


def _whole(x: float) -> float:
    """Return the whole number that x is meant to be, where it is off by rounding only."""
    return float(round(x)) if abs(x - round(x)) < _ROUNDING else x


def tango(good: float, same: float, bad: float, level: float = 0.95) -> Interval:
    """Return the score interval of ΔGSB, both ends in [-1, 1]; n > 0. Excludes 0 iff |g - b| / sqrt(g + b) > z."""
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
    """Return the Wilson interval of a share, ends in [0, 1]; n >= 1."""
    z2 = normal_quantile(0.5 + level / 2) ** 2
    share = wins / n
    middle = (share + z2 / (2 * n)) / (1 + z2 / n)
    half = math.sqrt(z2 * (share * (1 - share) / n + z2 / (4 * n * n))) / (1 + z2 / n)
    return max(0.0, middle - half), min(1.0, middle + half)


def unusable(
    decided: int,
    raters: int,
    alpha: float | None,
    n: int,
    n_side: float | None,
    *,
    votes_min: int = 20,
    agreement_min: float = 0.20,
) -> Unusable | None:
    """Return why votes cannot be used: too few good and bad ones, raters who disagree, nearly always one side; None if
    they can.

    ``raters`` is the number of raters of the same query. Agreement that is not defined is no obstacle, nor are sides
    that were not recorded. ``n_side`` is the number of the ``n`` queries that remain at a balanced side: at least half.
    """
    if decided < votes_min:
        return "too_few"
    if raters > 1 and alpha is not None and alpha < agreement_min:
        return "agreement"
    return "sides" if n_side is not None and n_side < n / 2 else None


def _score(d: float, good: float, bad: float, n: float) -> float:
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
