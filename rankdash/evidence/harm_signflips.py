"""The one-sided sign-flip test of harm: exact for few changed queries, where the t interval promises too much."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]

#: Up to so many changed queries a claim of harm uses sign flips.
EXACT_UP_TO = 20
#: Sums that differ by less are equal: the same terms, added in another order.
SAME = 1e-12


def p_flip(moved: npt.ArrayLike) -> float | None:
    """Return the share of sign patterns of (weighted) differences, (m,), whose sum is at most the sum seen, in (0, 1].

    Small means harm. Exact by two sorted halves; None for no difference, and for more than 20, where the t-test holds.

    >>> p_flip([-0.1, -0.2, -0.1])
    0.125
    """
    values = np.asarray(moved, np.float64)
    m = int(np.count_nonzero(values))
    if not 0 < m <= EXACT_UP_TO:
        return None
    values = values[values != 0]
    seen = float(values.sum()) + SAME
    left, right = _sums(values[: m // 2]), np.sort(_sums(values[m // 2 :]))
    return float(np.searchsorted(right, seen - left, side="right").sum()) / 2.0**m


def p_flip_of_constant(difference: float, m: int) -> float:
    """Return the p of sign flips of m equal differences, however many: no other pattern is as low as a loss on all, and
    none is above a gain on all.

    >>> p_flip_of_constant(-0.02, 6), p_flip_of_constant(0.02, 6)
    (0.015625, 1.0)
    """
    return 2.0**-m if difference < 0 else 1.0


def _sums(values: Floats) -> Floats:
    """Return the sums under every sign pattern, (2^m,)."""
    sums = np.zeros(1)
    for value in values:
        sums = np.concatenate((sums + value, sums - value))
    return sums
