"""The tests for experts beside the paired t: permutation, Wilcoxon, sign test, equivalence. None of these decides.

t and permutation test the mean, Wilcoxon symmetry around 0, the sign test the majority; launches are about the mean.
All take the differences of ``paired.deltas``; NaN (a dropped pair) is left out.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt

from rankdash.evidence.distributions import coin_two_sided, normal_below, t_below
from rankdash.evidence.paired import Paired

Floats = npt.NDArray[np.float64]
ZeroMethod = Literal["wilcox", "pratt"]

DRAWS = 10_000
#: Sums that differ by less are equal: the same terms, added in another order.
_SAME = 1e-12
_EXACT_UP_TO = 20
_BYTE = 8
_BLOCK = 1_000


@dataclass(frozen=True)
class Permutation:
    """The two-sided sign-flip test of the mean. ``changed`` differences are not 0; ``draws`` is None where exact."""

    p: float
    method: Literal["exact", "monte_carlo", "all_ties"]
    changed: int
    draws: int | None = None
    seed: int | None = None

    @property
    def floor(self) -> float:
        """The smallest p that so few changed queries can give, 2 / 2^m."""
        return min(1.0, 2.0 ** (1 - self.changed)) if self.changed else 1.0

    @property
    def note(self) -> str:
        """What the reader must know where the floor is above 5%; "" elsewhere."""
        if self.floor <= 0.05:
            return ""
        lowest = f"p cannot go below {self.floor:.3f}: no outcome can reach 5%."
        return f"With {self.changed} queries that differ in score {lowest}"


@dataclass(frozen=True)
class Wilcoxon:
    """The signed-rank test. ``w`` is the smaller rank sum; None where every query is tied."""

    p: float
    w: float | None
    zero_method: ZeroMethod


@dataclass(frozen=True)
class MarginTest:
    """A difference compared with a margin > 0. The p values are one-sided; None without an interval."""

    margin: float
    p_lower: float | None  # H0: delta <= -margin; small means not worse
    p_upper: float | None  # H0: delta >= margin

    @property
    def not_inferior(self) -> bool | None:
        """Whether a loss of the margin is ruled out at 5%."""
        return None if self.p_lower is None else self.p_lower < 0.05

    @property
    def p(self) -> float | None:
        """The p of equivalence (TOST): the larger of the two."""
        return None if self.p_lower is None or self.p_upper is None else max(self.p_lower, self.p_upper)


def permutation(delta: npt.ArrayLike, *, draws: int = DRAWS, seed: int = 0) -> Permutation:
    """Return the sign-flip test of differences, (n,): how often random signs give a sum as far from 0.

    Exact over all sign patterns where at most 20 differences are not 0; otherwise p = (c + 1) / (draws + 1), never 0.
    All ties: p = 1 by convention. Source: Fisher's randomisation test; Phipson and Smyth 2010 for the + 1.

    >>> permutation([0.05, 0.06, 0.02]).p
    0.25
    """
    moved = _moved(delta)
    m = len(moved)
    if not m:
        return Permutation(1.0, "all_ties", 0)
    reach = abs(float(moved.sum())) - _SAME
    if m <= _EXACT_UP_TO:
        # The first sign can be fixed: to turn all signs turns that of the sum, and only its size counts.
        sums = moved[:1]
        for difference in moved[1:]:
            sums = np.concatenate((sums + difference, sums - difference))
        return Permutation(float((np.abs(sums) >= reach).mean()), "exact", m)
    reached = int((np.abs(_random_sums(moved, draws, seed)) >= reach).sum())
    return Permutation((reached + 1) / (draws + 1), "monte_carlo", m, draws, seed)


def wilcoxon(delta: npt.ArrayLike, zero_method: ZeroMethod = "wilcox") -> Wilcoxon:
    """Return the signed-rank test of differences, (n,), two-sided, normal approximation without continuity correction.

    ``wilcox`` drops ties before ranking, ``pratt`` ranks them and drops their ranks. All ties: p = 1 by convention.
    """
    values = _finite(delta)
    zeros = int((values == 0).sum())
    if zeros == len(values):
        return Wilcoxon(1.0, None, zero_method)
    if zero_method == "wilcox":
        values, zeros = values[values != 0], 0
    _, group, sizes = np.unique(np.abs(values), return_inverse=True, return_counts=True)
    rank = (np.cumsum(sizes) - (sizes - 1) / 2)[group]
    n = len(values)
    up, down = float(rank[values > 0].sum()), float(rank[values < 0].sum())
    mean = (n * (n + 1) - zeros * (zeros + 1)) / 4
    tied = sizes[1:] if zeros else sizes  # the zeros are the smallest group, and their ranks are gone
    ties = float((tied.astype(np.float64) ** 3 - tied).sum()) / 2
    variance = (n * (n + 1) * (2 * n + 1) - zeros * (zeros + 1) * (2 * zeros + 1) - ties) / 24
    w = min(up, down)
    return Wilcoxon(min(1.0, 2.0 * normal_below((w - mean) / math.sqrt(variance))), w, zero_method)


def sign_test(delta: npt.ArrayLike) -> float:
    """Return the exact two-sided binomial p of wins against losses; ties are left out. All ties: 1."""
    values = _finite(delta)
    wins, losses = int((values > 0).sum()), int((values < 0).sum())
    return coin_two_sided(wins, wins + losses)


def against_margin(result: Paired, margin: float) -> MarginTest:
    """Test for non-inferiority and equivalence (TOST) with a margin > 0. Source: Schuirmann 1987."""
    if not margin > 0:
        raise ValueError(f"margin={margin!r} must be positive.")
    if result.t is None or result.se is None or result.delta is None or result.df is None:
        return MarginTest(margin, None, None)
    low, high = (result.delta + margin) / result.se, (result.delta - margin) / result.se
    return MarginTest(margin, t_below(-low, result.df), t_below(high, result.df))


def _finite(delta: npt.ArrayLike) -> Floats:
    values = np.asarray(delta, np.float64)
    finite: Floats = values[np.isfinite(values)]
    return finite


def _moved(delta: npt.ArrayLike) -> Floats:
    values = _finite(delta)
    moved: Floats = values[values != 0]
    return moved


def _random_sums(moved: Floats, draws: int, seed: int) -> Floats:
    """Return sums of the differences under random signs, (draws,).

    Eight differences share a random byte, which looks up their signed sum among the 256 there are: an eighth of the
    random numbers and additions, and the tables of a block of bytes are all the memory it takes.
    """
    groups = -(-len(moved) // _BYTE)
    padded = np.zeros(groups * _BYTE)
    padded[: len(moved)] = moved
    bytes_ = padded.reshape(groups, _BYTE)
    random = np.random.Generator(np.random.SFC64(seed))
    sums = np.zeros(draws)
    for start in range(0, groups, _BLOCK):
        for table in _signed_sums(bytes_[start : start + _BLOCK]):
            sums += table.take(np.frombuffer(random.bytes(draws), np.uint8))
    return sums


def _signed_sums(bytes_: Floats) -> Floats:
    """Return the sums of the differences of each byte, (b, 8), under the signs of every byte, (b, 256): bit i set is a
    minus before difference i.
    """
    sums = np.zeros((len(bytes_), 1))
    for column in bytes_.T:
        sums = np.concatenate((sums + column[:, None], sums - column[:, None]), axis=1)
    return sums
