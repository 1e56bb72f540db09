"""Several tests at once: Holm for families that may block a launch, Benjamini-Hochberg for exploration.

Adjusted p-values have no matching intervals; none are made up.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]


def holm(p: npt.ArrayLike) -> Floats:
    """Return Holm-adjusted p-values in the order given, (m,), in [0, 1]. NaN stays NaN and is not in the family.

    A test below alpha is significant, and the chance of any false alarm in the family stays at alpha. Source: Holm
    1979.

    >>> holm([0.01, 0.04, 0.03]).round(3).tolist()
    [0.03, 0.06, 0.06]
    """
    return _stepped(p, lambda sorted_p: np.maximum.accumulate(sorted_p * np.arange(len(sorted_p), 0, -1)))


def bh(p: npt.ArrayLike) -> Floats:
    """Return Benjamini-Hochberg adjusted p-values in the order given, (m,), in [0, 1]. NaN stays NaN, outside the
    family.

    Of the tests below q at most a share q is expected to be false. Source: Benjamini and Hochberg 1995.

    >>> bh([0.01, 0.04, 0.03]).round(3).tolist()
    [0.03, 0.04, 0.04]
    """

    def step_up(sorted_p: Floats) -> Floats:
        scaled = sorted_p * len(sorted_p) / np.arange(1, len(sorted_p) + 1)
        return np.minimum.accumulate(scaled[::-1])[::-1]

    return _stepped(p, step_up)


def _stepped(p: npt.ArrayLike, adjust: Callable[[Floats], Floats]) -> Floats:
    """Return the adjustment of the defined p-values, taken in ascending order and put back in place."""
    values = np.asarray(p, np.float64)
    defined = np.flatnonzero(~np.isnan(values))
    order = defined[np.argsort(values[defined], kind="stable")]
    adjusted = np.full(values.shape, np.nan)
    adjusted[order] = np.minimum(adjust(values[order]), 1.0)
    return adjusted
