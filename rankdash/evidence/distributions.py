"""The distributions that the evidence needs, as scalar functions, each to about 14 significant digits.

They are of our own because scipy.special takes longer to import than a comparison of small runs takes in all (see
docs/decisions/0010-small-numerics-of-our-own.md). Those of t are integrals of smooth functions, for which the
trapezoidal rule is exact to rounding once a change of variable lets both ends fall to 0.
"""

from __future__ import annotations

import math
from functools import lru_cache

import numpy as np

_SQRT2, _SQRT_PI = math.sqrt(2.0), math.sqrt(math.pi)
#: log(sqrt(x) Γ(x) / Γ(x + 1/2)) = 1/(8 x) - 1/(192 x^3) + ..., accurate from x = 16 on.
_SERIES = (1 / 8, -1 / 192, 1 / 640, -17 / 14336, 31 / 18432)
#: The points w and weights of the integral of exp(-w) g(w) over [0, ∞), where g may be as steep as w^-1/2 at 0.
_S = np.arange(-70, 64) / 16
_W = np.exp(_S - np.exp(-_S))
_WEIGHTS = np.exp(-_W) * _W * (1.0 + np.exp(-_S)) / 16
#: Up to so many throws of a coin are counted in whole numbers, so that 1/8 is 1/8.
_FEW = 128
#: A density that has fallen to exp(-_NOTHING) of its peak adds nothing to a double.
_NOTHING = 40.0


def t_below(t: float, df: float) -> float:
    """Return P(T <= t) of Student's t with df degrees of freedom (df > 0, not only whole numbers)."""
    tail = _t_tail(abs(t), df)
    return tail if t < 0 else 1.0 - tail


@lru_cache(maxsize=4096)
def t_quantile(p: float, df: float) -> float:
    """Return the t with P(T <= t) = p, for p in (0, 1)."""
    if p == 0.5:
        return 0.0
    tail = min(p, 1.0 - p)
    z = abs(normal_quantile(tail))
    t = z + (z**3 + z) / (4.0 * df)
    # Newton on the logarithms of both: log P(T > t) is concave in log t, so that it converges from any start.
    for _ in range(100):
        reached = _t_tail(t, df)
        step = math.log(reached / tail) * reached / _t_times_density(t, df)
        t *= math.exp(min(step, 700.0))
        if abs(step) < 1e-9:  # the error after this step is of the order of its square
            break
    return math.copysign(t, p - 0.5)


def noncentral_t_below(t: float, df: float, shift: float) -> float:
    """Return P(T <= t) of the noncentral t with df degrees of freedom and noncentrality ``shift``.

    The mean of P(Z <= t s - shift) over the sample deviation s, whose logarithm y/2 has the density below.
    """
    reach = 2.0 * _NOTHING / df
    low, high = -reach - math.sqrt(2.0 * reach), min(math.sqrt(2.0 * reach), math.log1p(reach) + 2.0)
    y = np.linspace(low, high, 96 + int(400 / df))
    density = np.exp(df / 2.0 * (y - np.expm1(y)))
    below = [normal_below(z) for z in (t * np.exp(y / 2.0) - shift).tolist()]
    return float((density * np.array(below)).sum() / density.sum())


def normal_below(z: float) -> float:
    """Return P(Z <= z) of the standard normal."""
    return 0.5 * math.erfc(-z / _SQRT2)


@lru_cache(maxsize=256)
def normal_quantile(p: float) -> float:
    """Return the z with P(Z <= z) = p; infinite for p = 0 and p = 1."""
    tail = min(p, 1.0 - p)
    if tail <= 0.0:
        return math.copysign(math.inf, p - 0.5)
    # P(Z > z) <= exp(-z^2 / 2) / 2, so this start is too large, and Newton on the concave log P comes down from it.
    z = math.sqrt(max(0.0, -2.0 * math.log(2.0 * tail)))
    for _ in range(100):
        reached = normal_below(-z)
        step = math.log(reached / tail) * reached * math.sqrt(2.0 * math.pi) * math.exp(z * z / 2.0)
        z += step
        if abs(step) < 1e-9:
            break
    return math.copysign(z, p - 0.5)


@lru_cache(maxsize=4096)
def coin_at_most(k: int, n: int) -> float:
    """Return P(X <= k) for X ~ Bin(n, 1/2); 0 for k < 0 and 1 for k >= n."""
    if k < 0:
        return 0.0
    if k >= n:
        return 1.0
    if 2 * k >= n:
        return 1.0 - coin_at_most(n - k - 1, n)
    if n <= _FEW:
        ways: int = sum(math.comb(n, heads) for heads in range(k + 1))
        return ways / (1 << n)
    # Down from the middle each probability is that of one head more times j / (n - j + 1); 20 sqrt(n) below, it is 0.
    half = n // 2
    heads = np.arange(half, max(-1, half - 20 * math.isqrt(n) - 20), -1, dtype=np.float64)
    to_next = np.concatenate([[1.0], heads[:-1] / (n - heads[:-1] + 1.0)])
    middle = _gamma_ratio((n + 1) // 2) / _SQRT_PI
    return float(middle * np.cumprod(to_next)[half - k :].sum())


def coin_two_sided(k: int, n: int) -> float:
    """Return the exact two-sided p of k heads in n throws of a fair coin; 1 for n = 0."""
    return min(1.0, 2.0 * coin_at_most(min(k, n - k), n)) if n else 1.0


def _t_tail(t: float, df: float) -> float:
    """Return P(T > t) for t >= 0, half an incomplete beta function of x = df / (df + t^2).

    With y = x exp(-w / a), a = df / 2, the integral of y^(a-1) (1-y)^-1/2 over [0, x] becomes x^a / a times that of
    exp(-w) (1 - y)^-1/2 over [0, ∞).
    """
    if t < 1.0:
        return 0.5 - _t_middle(t, df)
    a, log_x = df / 2.0, _log_x(t, df)
    spread = np.sqrt(-np.expm1(log_x - _W / a))
    return 0.5 / _SQRT_PI * _gamma_ratio(a) * math.exp(a * log_x) * float((_WEIGHTS / spread).sum())


def _t_middle(t: float, df: float) -> float:
    """Return P(0 < T <= t) for small t >= 0, by the power series in t^2 / (df + t^2), whose terms are all positive."""
    part = t * t / (df + t * t)
    term = total = 1.0
    n = 0.5
    while term > 1e-17 * total:
        term *= part * (df / 2.0 + n) / (n + 1.0)
        total += term
        n += 1.0
    return _t_times_density(t, df) * total


def _t_times_density(t: float, df: float) -> float:
    """Return t times the density at t >= 0: a number even far out, where the density alone is none."""
    ratio = t / math.sqrt(df)
    scale = _gamma_ratio(df / 2.0) * df / (2.0 * _SQRT_PI)
    return scale * ratio / math.hypot(1.0, ratio) * math.exp(df / 2.0 * _log_x(t, df))


def _log_x(t: float, df: float) -> float:
    """Return the logarithm of df / (df + t^2)."""
    ratio = t / math.sqrt(df)
    return -math.log1p(ratio * ratio) if ratio < 1e8 else -2.0 * math.log(ratio)


@lru_cache(maxsize=256)
def _gamma_ratio(a: float) -> float:
    """Return Γ(a + 1/2) / Γ(a + 1), for a > 0."""
    below = 1.0
    while a < 16.0:
        a += 1.0
        below *= a / (a - 0.5)
    terms = sum(term / a ** (2 * power + 1) for power, term in enumerate(_SERIES))
    return below * math.exp(-terms) / math.sqrt(a)
