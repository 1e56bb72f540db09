"""Intervals of ΔGSB, cut to the values that it can have."""

from __future__ import annotations


def possible(low: float, high: float) -> tuple[float, float] | None:
    """Return an interval of ΔGSB cut to [-1, 1]; None where it then leaves out no value at all.

    To cut an interval at the ends of what is possible takes nothing from its coverage.

    >>> possible(-0.2, 1.3), possible(-1.1, 1.3)
    ((-0.2, 1.0), None)
    """
    low, high = max(low, -1.0), min(high, 1.0)
    return None if (low, high) == (-1.0, 1.0) else (low, high)
