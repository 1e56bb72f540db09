"""Bootstrap intervals of the mean difference: a check for experts. The paired t covers better and needs no seed."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from rankdash.evidence.distributions import normal_below, normal_quantile
from rankdash.evidence.paired import NO_SPREAD, Groups

Floats = npt.NDArray[np.float64]
Interval = tuple[float, float]

DRAWS = 10_000
_SAME = 1e-12
#: Picks that are in memory at a time: about 10 bytes each.
_BLOCK = 2_000_000


@dataclass(frozen=True)
class Bootstrap:
    """Percentile and BCa 95% intervals of the mean; None where there is no spread. ``se`` is that of the resamples."""

    percentile95: Interval | None
    bca95: Interval | None
    se: float | None
    draws: int
    seed: int


def bootstrap(
    delta: npt.ArrayLike, *, clusters: npt.ArrayLike | None = None, draws: int = DRAWS, seed: int = 0
) -> Bootstrap:
    """Return intervals of the mean of differences, (n,), from resamples of the queries, of whole clusters where
    ``clusters``, (n,), tells which queries belong together; NaN is left out.

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
        return Bootstrap(None, None, None, draws, seed)
    means = resampled_means(values, draws, seed) if groups is None else _means_of_groups(sums, sizes, draws, seed)
    low, high = np.quantile(means, (0.025, 0.975))
    bca = _bca(apart / (n - sizes), mean, means)
    return Bootstrap((float(low), float(high)), bca, float(means.std(ddof=1)), draws, seed)


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
    equal = np.abs(means - mean) <= _SAME
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
