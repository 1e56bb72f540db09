"""Which side B stood on, and what that side is worth: preference at a balanced side, and the pull of the side itself.

The unit is the query: y is the mean of its votes, h is (votes with B on the left - votes with A on the left) / votes of
the query, both in [-1, 1]. A straight line of y on h, read at h = 0, is what raters prefer at a balanced side.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from rankdash.evidence.distributions import t_below, t_quantile
from rankdash.evidence.votes.intervals import possible

Floats = npt.NDArray[np.float64]

#: Sums of shares are exact to more decimals than the first, slopes of votes over sides to the second.
_DECIMALS, _SLOPE_DECIMALS = 10, 14
#: From a ΔGSB of -1 on one side to one of 1 on the other.
FURTHEST = 2.0


@dataclass(frozen=True)
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
        if h is None or round(squares, _DECIMALS) <= 0:
            return cls(equal, float(y.mean()), None, y - y.mean())
        # about the mean, so that the slope is exactly 0 where all y are the same
        slope = float((spread * (y - y.mean())).sum()) / squares
        residual = np.round(y - y.mean() - slope * spread, _SLOPE_DECIMALS)
        middle = float(h.mean())
        return cls(equal - middle * spread / squares, float(y.mean()) - slope * middle, slope, residual)


@dataclass(frozen=True)
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

    @property
    def shift(self) -> tuple[float, float, float] | None:
        """How far standing on the left moves ΔGSB from where it is at a balanced side, and the 95% interval of that.

        Standing on the right moves it as far the other way. All three lie in [-1, 1]; None where the effect is
        impossibly large or has no interval, and where the interval leaves out no value.

        >>> result = sides([1, 1, 1, 1, 0, -1], [1, 1, 1, 1, -1, -1], 0.5)
        >>> round(result.upper95, 2), [round(number, 2) for number in result.shift]
        (2.7, [0.75, 0.15, 1.0])
        """
        if self.effect is None or self.lower95 is None or self.upper95 is None or abs(self.effect) > FURTHEST:
            return None
        ends = possible(self.lower95 / 2, self.upper95 / 2)
        return None if ends is None else (self.effect / 2, *ends)


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
    worth = round(n * (1.0 - float(at.mean() ** 2 / ((at * at).sum() / n))), _DECIMALS)
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
