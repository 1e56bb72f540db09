"""Which side B stood on, and what that side is worth: preference at a balanced side, and the pull of the side itself.

The unit is the query: h is (votes with B on the left - votes with A on the left) / votes of the query, in [-1, 1].
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from rankdash.evidence.distributions import t_below, t_quantile
from rankdash.evidence.votes.intervals import possible

Floats = npt.NDArray[np.float64]

#: Sums of shares are exact to more decimals than the first, slopes of labels over sides to the second.
_DECIMALS, _SLOPE_DECIMALS = 10, 14
#: From a ΔGSB of -1 on one side to one of 1 on the other.
FURTHEST = 2.0


@dataclass(frozen=True)
class Sides:
    """What is known about sides. Every field is None where no vote says which side B stood on.

    ``left`` is the share of votes with B on the left among those that say; ``n`` how many balanced queries these are
    worth, 0 where B always stood on one side; ``good`` and ``bad`` are the shares of queries at a balanced side.
    ``effect`` is what the left side gains over the right one, in ΔGSB, with its 95% interval and test: a difference
    of two ΔGSB, so that -2 to 2 is possible, and of lines through them, whose ends may lie further out.
    """

    left: float | None = None
    n: float | None = None
    good: float | None = None
    bad: float | None = None
    effect: float | None = None
    se: float | None = None
    lower95: float | None = None
    upper95: float | None = None
    p: float | None = None

    @property
    def shift(self) -> tuple[float, float, float] | None:
        """How far standing on the left moves ΔGSB from where it is at a balanced side, and the 95% interval of that.

        Standing on the right moves it as far the other way. All three lie in [-1, 1]; None where no such interval can
        be drawn: without one of the effect, or where it leaves out no value.

        >>> found = sides([1, 1, 1, 1, 0, -1], [1, 1, 1, 1, -1, -1], 0.5)
        >>> round(found.upper95, 2), [round(number, 2) for number in found.shift]
        (2.7, [0.75, 0.15, 1.0])
        """
        if self.effect is None or self.lower95 is None or self.upper95 is None or abs(self.effect) > FURTHEST:
            return None
        ends = possible(self.lower95 / 2, self.upper95 / 2)
        return None if ends is None else (self.effect / 2, *ends)


#: No vote says which side B stood on.
UNKNOWN = Sides()


def sides(labels: npt.ArrayLike, h: npt.ArrayLike, left: float) -> Sides:
    """What labels of queries in -1, 0, 1, (n,), say at a balanced side; ``h`` (n,) is the side of each query.

    Shares of good and bad at h = 0 by least squares, clipped to [0, 1] and scaled to a sum of at most 1; for one vote
    per query that is the mean of both sides. The effect is twice the slope of the label, with the variance of
    MacKinnon and White's HC1.

    >>> found = sides([1, 0, -1, -1], [1, 1, -1, -1], 0.5)
    >>> found.good, found.bad, found.effect
    (0.25, 0.5, 1.5)
    """
    label, at = np.asarray(labels, np.int64), np.asarray(h, np.float64)
    n = len(label)
    spread = at - at.mean()
    squares = float((spread * spread).sum())
    if round(squares, _DECIMALS) <= 0:
        always = n if not at.any() else 0
        return Sides(left, float(always), float((label > 0).mean()), float((label < 0).mean()))
    good, bad = (_at_zero((label * sign > 0).astype(np.float64), float(at.mean()), spread, squares) for sign in (1, -1))
    scale = max(1.0, good + bad)
    worth = round(n * (1.0 - float(at.mean() ** 2 / ((at * at).sum() / n))), _DECIMALS)
    known = Sides(left, worth, good / scale, bad / scale)
    return _with_effect(known, label.astype(np.float64), spread, squares)


def _at_zero(y: Floats, mean_h: float, spread: Floats, squares: float) -> float:
    """The least-squares line of y at h = 0, clipped to [0, 1]."""
    return min(1.0, max(0.0, float(y.mean()) - _slope(y, spread, squares) * mean_h))


def _slope(y: Floats, spread: Floats, squares: float) -> float:
    """The slope of the least-squares line of y; exactly 0 where all y are the same."""
    return float((spread * (y - y.mean())).sum()) / squares


def _with_effect(known: Sides, label: Floats, spread: Floats, squares: float) -> Sides:
    n = len(label)
    slope = _slope(label, spread, squares)
    effect = round(2.0 * slope, _SLOPE_DECIMALS)
    if n <= 2:
        return replace(known, effect=effect)
    residual = np.round(label - label.mean() - slope * spread, _SLOPE_DECIMALS)
    se = 2.0 * math.sqrt(n / (n - 2) * float(((spread * residual) ** 2).sum())) / squares
    half = t_quantile(0.975, n - 2) * se
    p = 2.0 * t_below(-abs(effect) / se, n - 2) if se else float(not effect)
    return replace(known, effect=effect, se=se, lower95=effect - half, upper95=effect + half, p=p)
