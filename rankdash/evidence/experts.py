"""The tests for experts beside the paired t: permutation, bootstrap, Wilcoxon, sign test. None of these decides.

t, permutation and bootstrap are about the mean, Wilcoxon about symmetry around 0, the sign test about the majority;
launches are about the mean. All take the differences of ``paired.deltas``; NaN (a dropped pair) is left out.
"""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

from rankdash.evidence.distributions import coin_two_sided, normal_below, normal_quantile
from rankdash.evidence.paired import EXACT_UP_TO, NO_SPREAD, SAME, Groups
from rankdash.records import frozen

Floats = npt.NDArray[np.float64]

DRAWS = 10_000
_BYTE = 8
_FLIPPED_AT_ONCE = 1_000


def permutation(delta: npt.ArrayLike, *, draws: int = DRAWS, seed: int = 0) -> float:
    """Return the p of the two-sided sign-flip test of differences, (n,): how often random signs give a sum as far from
    0.

    Exact over all sign patterns where at most 20 differences are not 0; otherwise p = (c + 1) / (draws + 1), never 0.
    All ties: p = 1 by convention. Source: Fisher's randomisation test; Phipson and Smyth 2010 for the + 1.

    >>> permutation([0.05, 0.06, 0.02])
    0.25
    """
    moved = _moved(delta)
    if not len(moved):
        return 1.0
    reach = abs(float(moved.sum())) - SAME
    if len(moved) <= EXACT_UP_TO:
        # The first sign can be fixed: to turn all signs turns that of the sum, and only its size counts.
        sums = moved[:1]
        for difference in moved[1:]:
            sums = np.concatenate((sums + difference, sums - difference))
        return float((np.abs(sums) >= reach).mean())
    return (int((np.abs(_random_sums(moved, draws, seed)) >= reach).sum()) + 1) / (draws + 1)


def wilcoxon(delta: npt.ArrayLike) -> float:
    """Return the p of the two-sided signed-rank test of differences, (n,): the normal approximation without continuity
    correction.

    Ties are dropped before ranking. All ties: p = 1 by convention.
    """
    values = _moved(delta)
    if not len(values):
        return 1.0
    _, group, sizes = np.unique(np.abs(values), return_inverse=True, return_counts=True)
    rank = (np.cumsum(sizes) - (sizes - 1) / 2)[group]
    n = len(values)
    up, down = float(rank[values > 0].sum()), float(rank[values < 0].sum())
    ties = float((sizes.astype(np.float64) ** 3 - sizes).sum()) / 2
    mean, variance = n * (n + 1) / 4, (n * (n + 1) * (2 * n + 1) - ties) / 24
    return min(1.0, 2.0 * normal_below((min(up, down) - mean) / math.sqrt(variance)))


def sign_test(delta: npt.ArrayLike) -> float:
    """Return the exact two-sided binomial p of wins against losses; ties are left out. All ties: 1."""
    values = _finite(delta)
    wins, losses = int((values > 0).sum()), int((values < 0).sum())
    return coin_two_sided(wins, wins + losses)


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
    for start in range(0, groups, _FLIPPED_AT_ONCE):
        for table in _signed_sums(bytes_[start : start + _FLIPPED_AT_ONCE]):
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


Interval = tuple[float, float]

#: Picks that are in memory at a time: about 10 bytes each.
_BLOCK = 2_000_000


def bootstrap(
    delta: npt.ArrayLike, *, clusters: npt.ArrayLike | None = None, draws: int = DRAWS, seed: int = 0
) -> Interval | None:
    """Return the BCa 95% interval of the mean of differences, (n,), from resamples of the queries, of whole clusters
    where ``clusters``, (n,), tells which queries belong together; NaN is left out. None where there is no spread.

    Source: Efron 1987 for BCa: bias from the share of resamples below the mean (equal ones count half), acceleration
    by the jackknife.
    """
    values = np.asarray(delta, np.float64)
    finite = np.isfinite(values)
    values = values[finite]
    groups = None if clusters is None else Groups.of(np.asarray(clusters)[finite])
    n, mean = len(values), float(values.mean()) if len(values) else 0.0
    # Leaving out query i moves the mean by (d_i - mean) / (n - 1); leaving out a group, by what it adds.
    sums, sizes = (values, np.ones(n)) if groups is None else (groups.sums(values), groups.sums(np.ones(n)))
    apart = sums - mean * sizes
    if len(sums) < 2 or float(np.sqrt((apart**2).sum() / n)) <= NO_SPREAD * max(1.0, abs(mean)):
        return None
    means = resampled_means(values, draws, seed) if groups is None else _means_of_groups(sums, sizes, draws, seed)
    return _bca(apart / (n - sizes), mean, means)


def resampled_means(values: Floats, draws: int, seed: int) -> Floats:
    """Return means of random resamples of the values, (draws,), each as large as the values.

    Zeros add nothing: only the number of picks that are not zero (binomial) is drawn, and these picks themselves.
    """
    random = np.random.Generator(np.random.SFC64(seed))
    n, moved = len(values), values[values != 0]
    picks = random.binomial(n, len(moved) / n, draws)
    kind = np.uint16 if len(moved) <= 2**16 else np.uint32
    sums = np.zeros(draws)
    step = max(1, _BLOCK // n)
    for start in range(0, draws, step):
        block = picks[start : start + step]
        filled = np.flatnonzero(block)  # reduceat has no empty segments
        chosen = moved.take(random.integers(0, len(moved), int(block.sum()), kind))
        begins = np.concatenate(([0], np.cumsum(block[filled])[:-1])) if len(filled) else filled
        sums[start + filled] = np.add.reduceat(chosen, begins) if len(filled) else 0.0
    return sums / n


def _means_of_groups(sums: Floats, sizes: Floats, draws: int, seed: int) -> Floats:
    """Return means over the queries of random resamples of whole groups, (draws,), from the sum and the size of each
    group.
    """
    random = np.random.Generator(np.random.SFC64(seed))
    number, means = len(sums), np.empty(draws)
    step = max(1, _BLOCK // number)
    for start in range(0, draws, step):
        picked = random.integers(0, number, (min(step, draws - start), number))
        means[start : start + step] = sums[picked].sum(axis=1) / sizes[picked].sum(axis=1)
    return means


def _bca(apart: Floats, mean: float, means: Floats) -> Interval | None:
    """Return the bias-corrected and accelerated interval; None where all resampled means are on the same side of the
    mean. ``apart`` is how far the mean moves without each query or group.
    """
    equal = np.abs(means - mean) <= SAME
    below = float(((means < mean) & ~equal).mean() + equal.mean() / 2)
    if not 0 < below < 1:
        return None
    bias = normal_quantile(below)
    centred = apart - apart.mean()
    acceleration = float((centred**3).sum() / (6.0 * (centred**2).sum() ** 1.5))
    ends = []
    for p in (0.025, 0.975):
        shifted = bias + normal_quantile(p)
        ends.append(normal_below(bias + shifted / (1.0 - acceleration * shifted)))
    low, high = np.quantile(means, ends)
    return float(low), float(high)


@frozen
class Expertise:
    """The tests of a measure, unweighted: p-values, and the BCa 95% interval of the mean (None where there is no
    spread). Sign flips and resamples keep the queries of a cluster together.
    """

    permutation_p: float
    bca95: Interval | None
    wilcoxon_p: float
    sign_p: float


def expertise(delta: npt.ArrayLike, *, clusters: npt.ArrayLike | None = None, seed: int = 0) -> Expertise:
    """Return the sign-flip permutation, the BCa bootstrap, Wilcoxon and the sign test.

    ``delta`` is (n,), rounded as ``paired`` rounds it; NaN is left out. ``clusters``, (n,), says which queries belong
    together; rank and sign tests count each query on its own all the same.
    """
    values = np.asarray(delta, np.float64)
    finite = np.isfinite(values)
    values = values[finite]
    groups = None if clusters is None else np.asarray(clusters)[finite]
    flipped = values if groups is None else Groups.of(groups).net(values)
    return Expertise(
        permutation(flipped, seed=seed),
        bootstrap(values, clusters=groups, seed=seed),
        wilcoxon(values),
        sign_test(values),
    )
