"""The distributions that the evidence needs, as scalar functions over scipy.special.

scipy.special costs more to import than a small comparison takes, so it is imported at the first use; ``load`` brings
that forward, for instance while the files are being read.
"""

from __future__ import annotations

from functools import cache
from types import ModuleType


@cache
def load() -> ModuleType:
    """scipy.special, imported once."""
    import scipy.special

    return scipy.special  # type: ignore[no-any-return, unused-ignore]


def t_below(t: float, df: float) -> float:
    """P(T <= t) of Student's t with df degrees of freedom (df > 0, not only whole numbers)."""
    return float(load().stdtr(df, t))


def t_quantile(p: float, df: float) -> float:
    """Return the t with P(T <= t) = p, for p in (0, 1)."""
    return float(load().stdtrit(df, p))


def noncentral_t_below(t: float, df: float, shift: float) -> float:
    """P(T <= t) of the noncentral t with df degrees of freedom and noncentrality ``shift``."""
    return float(load().nctdtr(df, shift, t))


def normal_below(z: float) -> float:
    """P(Z <= z) of the standard normal."""
    return float(load().ndtr(z))


def normal_quantile(p: float) -> float:
    """Return the z with P(Z <= z) = p; infinite for p = 0 and p = 1."""
    return float(load().ndtri(p))


def coin_at_most(k: int, n: int) -> float:
    """P(X <= k) for X ~ Bin(n, 1/2); 0 for k < 0 and 1 for k >= n."""
    if k < 0:
        return 0.0
    return 1.0 if k >= n else float(load().bdtr(float(k), n, 0.5))


def coin_two_sided(k: int, n: int) -> float:
    """Exact two-sided p of k heads in n throws of a fair coin; 1 for n = 0."""
    return min(1.0, 2.0 * coin_at_most(min(k, n - k), n)) if n else 1.0
