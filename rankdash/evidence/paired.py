"""What every comparison needs from two models' per-query scores: the mean difference, its paired-t interval, sign flips
of few changed queries, how many queries a difference needs; and several tests at once.

The unit is the query. Differences are rounded to 12 decimals before anything else, so that 0.1 + 0.2 against 0.3 is
a tie. What is not defined is None, never 0 or NaN. Resampling and rank tests are in ``experts.py``. Holm is for
families that may block a launch, Benjamini-Hochberg for exploration; adjusted p-values have no matching intervals.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

import numpy as np
import numpy.typing as npt

from rankdash.evidence.distributions import noncentral_t_below, normal_quantile, t_below, t_quantile
from rankdash.records import frozen, replace

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


#: From here on the normal approximation of n is off by less than one part in 10^5.
_LARGE = 10**6
#: The t-test needs about z.975^2 / 2 pairs more than the normal approximation: the search begins there.
_MORE_BY_T = 1.92
#: From this noncentrality on every n >= 2 has 80% power (even 2 pairs have 98%).
_CERTAIN = 30.0
#: From here on the tail on the other side is below 1.3e-12: nothing is lost without it.
_ONE_TAIL = 7.0


def mde80(se: float) -> float:
    """Return the smallest true difference that a two-sided 5% test finds with 80% power: 2.802 standard errors, >= 0.

    Normal approximation, unit of ``se``.
    """
    return _z80() * se


def required_n(sd: float, target: float) -> int:
    """Return the smallest n whose two-sided 5% paired t-test has 80% power for a mean difference ``target`` (> 0).

    Exact by the noncentral t, both tails. ``sd`` is the standard deviation of the differences (> 0).

    >>> required_n(0.10, 0.01)
    787
    """
    if not (sd > 0 and target > 0):
        raise ValueError(f"sd={sd!r} and target={target!r} must be positive.")
    guess = (_z80() * sd / target) ** 2
    if guess > _LARGE:
        return math.ceil(guess)
    n = max(2, math.ceil(guess + _MORE_BY_T))
    while not _enough(n, sd, target):
        n += 1
    while n > 2 and _enough(n - 1, sd, target):
        n -= 1
    return n


def required_votes(decided_share: float, target: float) -> int:
    """Return how many queries with votes find a ΔGSB of ``target`` (in (0, 1]) with 80% power at the two-sided 5%
    level.

    ``decided_share`` is the share of votes that are not "same", taken as at least .05. First-order form:
    n = (z.975 + z.80)^2 (p_d - target^2) / target^2.

    >>> required_votes(0.2, 0.05)
    621
    """
    if not 0 < target <= 1:
        raise ValueError(f"target={target!r} is not a share in (0, 1].")
    decided = max(decided_share, 0.05)
    return max(1, math.ceil(_z80() ** 2 * (decided - target**2) / target**2))


def required_votes_by_error(n: int, se: float, target: float) -> int:
    """Return how many queries with votes find a ΔGSB of ``target`` (> 0) with 80% power, where ``n`` of them give it
    the standard error ``se``: that falls with the root of their number.

    >>> required_votes_by_error(400, 0.03, 0.02)
    7064
    """
    if not target > 0:
        raise ValueError(f"target={target!r} must be positive.")
    return max(1, math.ceil(n * (_z80() * se / target) ** 2))


def _enough(n: int, sd: float, target: float) -> bool:
    """Return whether the two-sided 5% t-test with n pairs has 80% power, both tails together. It rises with n."""
    shift = target * math.sqrt(n) / sd
    if shift > _CERTAIN:
        return True
    critical = t_quantile(0.975, n - 1)
    other = noncentral_t_below(-critical, n - 1, shift) if shift < _ONE_TAIL else 0.0
    return 1.0 - noncentral_t_below(critical, n - 1, shift) + other >= 0.8


@cache
def _z80() -> float:
    return normal_quantile(0.975) + normal_quantile(0.8)


DECIMALS = 12
#: A mean is exact to more decimals than this; what cancels is then 0, and not a lead of 1e-17, and the order of the
#: queries does not decide how it is rounded.
MEAN_DECIMALS = 15
#: Sums of differences below this have cancelled: each of them was rounded to DECIMALS.
_CANCELLED = 1e-10
#: A spread below this is rounding noise: there is no variance, and no t.
NO_SPREAD = 1e-12


@frozen
class Paired:
    """Two models' scores of the same queries, compared. Δ is B - A; None means "not defined".

    ``n`` pairs were used, and ``n_dropped`` left out because a score was not finite. With weights, means, interval and
    test are weighted, ``n_eff`` = 1 / sum w^2, and ``delta_unweighted`` is the plain mean. Where queries belong to
    groups, ``clusters`` is the number of these, and ``changed`` counts those in which any query changed; wins, ties
    and losses always count queries. ``size``, the least of n, n_eff and clusters, is what every threshold
    counts. ``sd`` is the standard deviation with which n queries have this ``se`` (the plain one without weights and
    clusters). lower90 and upper90 are the one-sided 95% bounds.
    """

    n: int = 0
    n_dropped: int = 0
    n_eff: float | None = None
    wins: int = 0
    ties: int = 0
    losses: int = 0
    changed: int = 0
    clusters: int | None = None
    mean_a: float | None = None
    mean_b: float | None = None
    delta: float | None = None
    delta_unweighted: float | None = None
    sd: float | None = None
    se: float | None = None
    t: float | None = None
    df: float | None = None
    t_p: float | None = None  # two-sided
    p_harm: float | None = None  # one-sided, P(T <= t)
    p_flip: float | None = None  # one-sided by sign flips: up to 20 changed, or one difference on all
    lower95: float | None = None
    upper95: float | None = None
    lower90: float | None = None
    upper90: float | None = None
    effect_size: float | None = None  # d_z = delta / sd
    mde80: float | None = None
    required_n_mpe: int | None = None  # for the smallest gain that matters; None where any gain counts
    required_n_seen: int | None = None  # for a difference as large as delta
    inferred: bool = True  # whether the queries are a sample of others
    good: int = 1  # the sign of an improvement, for wins, losses and the p of harm

    @property
    def size(self) -> float:
        """What thresholds count: the least of the queries, their effective number and their clusters."""
        n_eff, clusters = (self.n if number is None else number for number in (self.n_eff, self.clusters))
        return min(self.n, n_eff, clusters)

    @property
    def ci95(self) -> tuple[float, float] | None:
        """The two-sided 95% interval of delta."""
        return None if self.lower95 is None or self.upper95 is None else (self.lower95, self.upper95)

    @property
    def status(self) -> str:
        """ok, or why there is no interval: fixed, no_data, n_too_small, one_group, all_ties, zero_variance, and
        groups_alike, where the queries of a group may differ.
        """
        if self.n and not self.inferred:
            return "fixed"
        if self.n < 2:
            return "n_too_small" if self.n else "no_data"
        if self.clusters == 1:
            return "one_group"
        if self.lower95 is not None:
            return "ok"
        if not self.changed:
            return "all_ties"
        return "zero_variance" if self.clusters is None else "groups_alike"


def deltas(a: npt.ArrayLike, b: npt.ArrayLike, out: Floats | None = None) -> Floats:
    """Return B - A per query, (n,), rounded to 12 decimals; NaN where either score is not finite. In ``out`` where
    given.

    >>> deltas([0.1 + 0.2, 0.5], [0.3, float("nan")])
    array([ 0., nan])
    """
    first, second = np.asarray(a, np.float64), np.asarray(b, np.float64)
    if first.shape != second.shape or first.ndim != 1:
        raise ValueError(f"a and b hold one score per query each, but have the shapes {first.shape}, {second.shape}.")
    with np.errstate(invalid="ignore"):
        difference: Floats = np.subtract(second, first, out=out)
        finite = bool(np.isfinite(difference).all())
        np.round(difference, DECIMALS, out=difference)
    difference += 0.0  # turns -0.0 into 0.0
    if not finite:
        difference[~(np.isfinite(first) & np.isfinite(second))] = np.nan
    return difference


def paired(
    a: npt.ArrayLike,
    b: npt.ArrayLike,
    *,
    weights: npt.ArrayLike | None = None,
    clusters: npt.ArrayLike | None = None,
    mpe: float | None = 0.005,
    infer: bool = True,
    good: int = 1,
) -> Paired:
    """Return what the per-query scores of A and B say about the mean of B - A.

    Parameters
    ----------
    a, b : (n,) float          one measure's score per query, the same queries in the same order
    weights : (n,) float       how much each query counts, >= 0; None: all the same. Only the proportions matter
    clusters : (n,) int        which group each query belongs to, any numbering; None: each is on its own
    mpe : float                the smallest gain that matters, >= 0; ``required_n_mpe`` is for it. None: the numbers
                               of required queries are not computed
    infer : bool               whether the queries are a sample of others; False: no tests and no intervals
    good : int                 1 where more is better, -1 where less is

    Returns
    -------
    Paired                     unit of the measure; None where n < 2, or nothing varies between queries or clusters

    Raises
    ------
    ValueError                 if the shapes differ, a weight is negative or not finite, or no weight is positive

    Source: paired Student t; weights and clusters: linearised variance, Kish's effective number.

    >>> result = paired([0.4, 0.5, 0.6], [0.45, 0.56, 0.62])
    >>> round(result.delta, 4), round(result.t, 4), result.wins
    (0.0433, 3.6056, 3)
    """
    difference = deltas(a, b)
    kept = ~np.isnan(difference)
    share = _shares(weights, kept)
    groups = None if clusters is None else Groups.of(np.asarray(clusters)[kept])
    first, second = np.ascontiguousarray(a, np.float64), np.ascontiguousarray(b, np.float64)
    if not kept.all():
        difference, first, second = difference[kept], first[kept], second[kept]
    if not len(difference):
        return Paired(n_dropped=len(kept), n_eff=0.0, clusters=None if groups is None else 0)
    mean_a, mean_b, delta = (round(_mean(values, share), MEAN_DECIMALS) for values in (first, second, difference))
    wins, losses = (int(np.count_nonzero(difference > 0)), int(np.count_nonzero(difference < 0)))[::good]
    n = len(difference)
    counted = Paired(
        n=n,
        n_dropped=len(kept) - n,
        # Rounded, so that n equal weights are worth n queries in every gate, not a hair less.
        n_eff=float(n) if share is None else round(float(1.0 / (share * share).sum()), 10),
        wins=wins,
        ties=n - wins - losses,
        losses=losses,
        changed=wins + losses if groups is None else len(np.unique(groups.of_query[difference != 0])),
        clusters=None if groups is None else groups.number,
        mean_a=mean_a,
        mean_b=mean_b,
        delta=delta,
        delta_unweighted=round(float(difference.mean()), MEAN_DECIMALS),
        inferred=infer,
        good=good,
    )
    return counted if not infer else _inferred(counted, difference, share, groups, mpe)


@frozen
class Groups:
    """Which queries belong together: ``of_query``, (n,), numbers the groups from 0."""

    of_query: npt.NDArray[np.int64]
    number: int

    @classmethod
    def of(cls, clusters: npt.NDArray[Any]) -> Groups:
        """Return the groups of queries that have the same value, (n,)."""
        values, of_query = np.unique(clusters, return_inverse=True)
        return cls(of_query.astype(np.int64), len(values))

    def sums(self, values: Floats) -> Floats:
        """Return the sum of the values of each group, (number,)."""
        sums: Floats = np.bincount(self.of_query, values, self.number).astype(np.float64, copy=False)
        return sums

    def net(self, differences: Floats) -> Floats:
        """Return the sum of the differences of each group, exactly 0 where they cancel but for rounding, (number,)."""
        sums = self.sums(differences)
        sums[np.abs(sums) < _CANCELLED] = 0.0
        return sums


def _shares(weights: npt.ArrayLike | None, kept: npt.NDArray[np.bool_]) -> Floats | None:
    """Return the weights of the queries that are used, with sum 1; None without weights."""
    if weights is None:
        return None
    weight = np.asarray(weights, np.float64)
    if weight.shape != kept.shape:
        raise ValueError(f"There are {len(kept)} queries, but the weights have the shape {weight.shape}.")
    if not np.isfinite(weight).all() or (weight < 0).any():
        raise ValueError("Weights are finite numbers >= 0.")
    weight = weight[kept]
    if len(weight) and not weight.sum() > 0:
        raise ValueError("At least one weight is positive.")
    share: Floats = weight / weight.sum()
    return share


def _mean(values: Floats, share: Floats | None) -> float:
    return float(values.mean() if share is None else (share * values).sum())


def with_interval(counted: Paired, se: float) -> Paired:
    """Add the t interval and the t test of the difference, by its standard error."""
    delta, df = counted.delta or 0.0, max(counted.size - 1.0, 1.0)
    half95, half90 = t_quantile(0.975, df) * se, t_quantile(0.95, df) * se
    return replace(
        counted,
        se=se,
        t=delta / se,
        df=df,
        t_p=2.0 * t_below(-abs(delta / se), df),
        p_harm=t_below(counted.good * delta / se, df),
        lower95=delta - half95,
        upper95=delta + half95,
        lower90=delta - half90,
        upper90=delta + half90,
    )


def _inferred(
    counted: Paired, difference: Floats, share: Floats | None, groups: Groups | None, mpe: float | None
) -> Paired:
    """Add everything that needs a spread between units: without a spread only sd, se and sign flips, for a single unit
    only sign flips.
    """
    n, delta = counted.n, counted.delta or 0.0
    moved = difference if share is None else difference * share
    if counted.changed <= EXACT_UP_TO:
        counted = replace(counted, p_flip=p_flip(counted.good * (moved if groups is None else groups.net(moved))))
    units = n if groups is None else groups.number
    if n < 2 or units < 2:
        return counted
    # Without weights and groups this is s / sqrt(n), the ordinary standard error.
    residual = difference - delta
    residual *= 1.0 / n if share is None else share  # large arrays are changed in their place
    if groups is not None:
        residual = groups.sums(residual)
    se = float(np.sqrt(units / (units - 1) * np.sum(residual * residual)))
    sd = se * float(np.sqrt(n))
    if sd <= NO_SPREAD * max(1.0, abs(delta)):
        constant = p_flip_of_constant(counted.good * delta, counted.changed) if delta else None
        return replace(counted, sd=sd, se=se, p_flip=constant)
    counted = with_interval(counted, se)
    return replace(
        counted,
        sd=sd,
        effect_size=delta / sd,
        mde80=mde80(se),
        required_n_mpe=required_n(sd, mpe) if mpe else None,
        required_n_seen=required_n(sd, abs(delta)) if delta and mpe is not None else None,
    )


def reweighted_segment(
    delta: npt.ArrayLike, weights: npt.ArrayLike, segments: Mapping[str, npt.NDArray[np.object_]]
) -> tuple[str, str] | None:
    """Return the segment, (column, value), that explains most of the weighted minus the unweighted mean difference.

    A query contributes the change of its weight times the distance of its difference from the plain mean. ``delta``,
    ``weights`` and every column are (n,); NaN is left out, and "" is not a value. None where both means are equal, or
    no segment adds more than half of all that the values of its column add and take away, "" among them.
    """
    values, weight = np.asarray(delta, np.float64), np.asarray(weights, np.float64)
    counted = np.isfinite(values)
    if not weight[counted].sum() > 0:
        return None
    gained = weight / weight[counted].sum() - 1.0 / counted.sum()
    moved = np.where(counted, gained * (values - values[counted].mean()), 0.0)
    total = float(moved.sum())
    if not round(total, DECIMALS):
        return None
    parts = dict[tuple[str, str], float]()
    for column, of in segments.items():
        each = {str(value): float(moved[of == value].sum()) / total for value in dict.fromkeys(of.tolist())}
        half = sum(map(abs, each.values())) / 2
        parts |= {(column, value): part for value, part in each.items() if value and round(part - half, DECIMALS) > 0}
    return max(parts, key=lambda part: round(parts[part], DECIMALS), default=None)


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
