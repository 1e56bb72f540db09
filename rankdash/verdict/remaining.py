"""The numbers of a comparison without some of its queries: sums less what those queries gave, not counted anew."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from rankdash.comparison import Comparison, Result, SegmentResult, Weighed
from rankdash.evidence.distributions import t_below, t_quantile
from rankdash.evidence.paired import MEAN_DECIMALS, Groups, Paired, paired
from rankdash.evidence.signflips import EXACT_UP_TO, p_flip
from rankdash.records.lazy import cached_property
from rankdash.verdict.evidence import reading_of
from rankdash.verdict.records import Reading

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
Bools = npt.NDArray[np.bool_]
Numbers = Any

#: Where less than this part of the squares is left, sums have cancelled, and the differences are asked themselves.
_CANCELLED = 1e-6
#: A part of all weight that is none: what rounding leaves where every query with a weight is gone.
NO_WEIGHT = 1e-12


@dataclass(frozen=True)
class Sums:
    """What a mean and its standard error are made of: sums over units, which are clusters or single queries.

    A unit has the weight S and the weighted difference T. Numbers, or arrays of the same shape.
    """

    units: Numbers
    s: Numbers
    t: Numbers
    ss: Numbers
    st: Numbers
    tt: Numbers

    @classmethod
    def of(cls, s: Floats, t: Floats) -> Sums:
        """Return the sums over units with the weights ``s`` and the weighted differences ``t``, (u,) each."""
        return cls(float(len(s)), *(float(term.sum()) for term in (s, t, s * s, s * t, t * t)))

    def moved(self, before: tuple[Floats, Floats], after: tuple[Floats, Floats], gone: Bools) -> Sums:
        """Return the sums where each of some units, in turn, has other S and T, (u,) each; those ``gone`` have none."""
        (s0, t0), (s1, t1) = before, after
        return Sums(
            self.units - gone,
            self.s - s0 + s1,
            self.t - t0 + t1,
            self.ss - s0 * s0 + s1 * s1,
            self.st - s0 * t0 + s1 * t1,
            self.tt - t0 * t0 + t1 * t1,
        )

    def moments(self) -> tuple[Floats, Floats]:
        """Return mean and standard error; what is not defined is no number."""
        with np.errstate(all="ignore"):
            mean = np.divide(self.t, self.s)
            squares = np.maximum(self.tt - 2.0 * mean * self.st + mean * mean * self.ss, 0.0)
            se = np.sqrt(np.divide(self.units, self.units - 1.0) * squares) / self.s
        return np.asarray(mean, np.float64), np.asarray(se, np.float64)

    @property
    def cancelled(self) -> bool:
        """Whether rounding has eaten what is left of the squares."""
        _, se = self.moments()
        return not (float(se) * float(self.s)) ** 2 > _CANCELLED * float(self.tt)


@dataclass(frozen=True)
class Series:
    """One vector of differences: a policy's measure, or the primary measure on a segment. Axis n: the population."""

    delta: Floats  # (n,) 0 where it is not defined
    weight: Floats  # (n,) 0 where the difference is not defined
    defined: Bools  # (n,)
    groups: Groups | None
    weighted: bool

    @classmethod
    def of(cls, delta: Floats, weights: Floats | None, groups: Groups | None) -> Series:
        """Return the series of differences, NaN where not defined. Weights that leave nothing count as none."""
        defined = ~np.isnan(delta)
        weighted = weights is not None and bool(weights[defined].sum() > 0)
        weight = np.where(defined, weights if weighted and weights is not None else 1.0, 0.0)
        return cls(np.where(defined, delta, 0.0), weight, defined, groups, weighted)

    @cached_property
    def units(self) -> tuple[Floats, Floats]:
        """Weight and weighted difference of each unit, (u,)."""
        s, t = self.weight, self.weight * self.delta
        return (s, t) if self.groups is None else (self.groups.sums(s), self.groups.sums(t))

    @cached_property
    def members(self) -> Ints:
        """The number of queries of each unit, (u,)."""
        if self.groups is None:
            return self.defined.astype(np.int64)
        return np.bincount(self.groups.of_query[self.defined], minlength=self.groups.number)

    @cached_property
    def sums(self) -> Sums:
        """The sums over all units."""
        there = self.members > 0
        return Sums.of(self.units[0][there], self.units[1][there])

    @cached_property
    def changed(self) -> Ints:
        """The number of queries of each unit that are not tied, (u,)."""
        moved: Bools = self.delta != 0
        if self.groups is None:
            return moved.astype(np.int64)
        return np.bincount(self.groups.of_query[moved], minlength=self.groups.number)

    @cached_property
    def counts(self) -> tuple[int, int, int, int, float, float]:
        """Queries, wins, losses, changed units, and the sums of squared weights and of plain differences."""
        wins, losses = int(np.count_nonzero(self.delta > 0)), int(np.count_nonzero(self.delta < 0))
        squares, changed = float((self.weight * self.weight).sum()), int(np.count_nonzero(self.changed))
        return int(np.count_nonzero(self.defined)), wins, losses, changed, squares, float(self.delta.sum())

    def unit_of(self, rows: Ints) -> Ints:
        """Return the unit of each of some queries, (r,)."""
        return rows if self.groups is None else self.groups.of_query[rows]

    def without(self, gone: Ints) -> Paired:
        """Return what the paired comparison says without some queries: what the rules read of it, and nothing else."""
        gone = gone[self.defined[gone]]
        touched, place = np.unique(self.unit_of(gone), return_inverse=True)
        s, t, members = self.units[0][touched], self.units[1][touched], self.members[touched]
        lost_w = np.bincount(place, self.weight[gone], len(touched))
        lost_t = np.bincount(place, self.weight[gone] * self.delta[gone], len(touched))
        empty = members == np.bincount(place, minlength=len(touched))
        after: tuple[Floats, Floats] = (np.where(empty, 0.0, s - lost_w), np.where(empty, 0.0, t - lost_t))
        one_by_one = self.sums.moved((s, t), after, empty)
        sums = Sums(*(_together(getattr(one_by_one, name), getattr(self.sums, name)) for name in _NAMES))
        return self._paired(gone, sums)

    def _paired(self, gone: Ints, sums: Sums) -> Paired:
        n, wins, losses, changed, squares, plain = self.counts
        lost, weight = self.delta[gone], self.weight[gone]
        n, wins, losses = n - len(gone), wins - int((lost > 0).sum()), losses - int((lost < 0).sum())
        if n < 2 or sums.units < 2 or not sums.s > NO_WEIGHT * self.sums.s or not wins + losses or sums.cancelled:
            return self._anew(gone)
        mean, se = map(float, sums.moments())
        delta = round(mean, MEAN_DECIMALS)
        n_eff = (
            round(float(sums.s) ** 2 / (squares - float((weight * weight).sum())), 10) if self.weighted else float(n)
        )
        touched, moved = np.unique(self.unit_of(gone[lost != 0]), return_counts=True)
        changed -= int((self.changed[touched] == moved).sum())
        known = Paired(n, 0, n_eff, wins, n - wins - losses, losses, changed)
        known = replace(known, clusters=None if self.groups is None else int(sums.units))
        df = max(known.size - 1.0, 1.0)
        half95, half90 = t_quantile(0.975, df) * se, t_quantile(0.95, df) * se
        return replace(
            known,
            delta=delta,
            se=se,
            df=df,
            p_harm=t_below(delta / se, df),
            lower95=delta - half95,
            upper95=delta + half95,
            lower90=delta - half90,
            upper90=delta + half90,
            delta_unweighted=(plain - float(lost.sum())) / n,
            p_flip=self._flipped(gone, float(sums.s)) if changed <= EXACT_UP_TO else None,
        )

    def _flipped(self, gone: Ints, total: float) -> float | None:
        """Return the sign flips of the changed queries that are left, of whole groups."""
        left = np.setdiff1d(np.flatnonzero(self.delta), gone)
        moved = self.delta[left]
        if self.weighted:
            moved = self.weight[left] * moved / total
        if self.groups is not None:
            moved = Groups.of(self.groups.of_query[left]).net(moved)
        return p_flip(moved)

    def _anew(self, gone: Ints) -> Paired:
        kept = self.defined.copy()
        kept[gone] = False
        d, weights = self.delta[kept], self.weight[kept]
        clusters = None if self.groups is None else self.groups.of_query[kept]
        use = weights if self.weighted and weights.sum() > 0 else None
        return paired(np.zeros(len(d)), d, weights=use, clusters=clusters, mpe=0.0)


_NAMES = ("units", "s", "t", "ss", "st", "tt")


def _together(one_by_one: Numbers, before: Numbers) -> float:
    """Return a sum after all changes, by what it is after each alone."""
    return float(before + (np.asarray(one_by_one) - before).sum())


@dataclass(frozen=True)
class Remaining:
    """Every vector that the rules read, over the queries of the population that have a primary difference.

    ``rows`` are their places among the queries of the comparison.
    """

    rows: Ints  # (n,)
    comparison: Comparison
    weights: Floats | None
    groups: Groups | None
    measures: tuple[Series, ...]

    @classmethod
    def of(cls, comparison: Comparison) -> Remaining:
        """Return the policy's measures, and the segments that it names, of a comparison."""
        sample = comparison.sample
        rows = np.flatnonzero(comparison.counted & ~np.isnan(comparison.deltas[0]))
        weights = None if sample.weights is None else sample.weights[rows]
        groups = None if sample.clusters is None else Groups.of(sample.clusters[rows])
        many = len(comparison.policy.measures)
        series = tuple(Series.of(delta[rows], weights, groups) for delta in comparison.deltas[:many])
        return cls(rows, comparison, weights, groups, series)

    def series(self, measure: str) -> Series:
        """Return the differences of one of the policy's measures."""
        return self.measures[self.comparison.policy.measures.index(measure)]

    def df(self, measure: str) -> float:
        """Return the degrees of freedom of that measure over all of its queries."""
        at = self.comparison.policy.measures.index(measure)
        return max(self.comparison.results[at].paired.size - 1.0, 1.0)

    @cached_property
    def _segments(self) -> tuple[tuple[SegmentResult, Bools], ...]:
        """The segments that the policy names, each with the queries in it, (n,)."""
        sample = self.comparison.sample
        named = (one for one in self.comparison.plain.segments if one.named)
        return tuple((one, sample.segments[one.column][self.rows] == one.value) for one in named)

    def without(self, gone: Sequence[int]) -> Reading:
        """Return the reading that the rules see without some queries, given by their places in ``rows``."""
        at = np.array(gone, np.int64)
        results = tuple(
            Result(result.measure, result.role, result.margin, series.without(at), None)
            for result, series in zip(self.comparison.results, self.measures, strict=False)
        )
        segments = tuple(self._segment(one, inside, at) for one, inside in self._segments)
        return reading_of(Weighed(results, segments, *self._severe(at)))

    def _segment(self, one: SegmentResult, inside: Bools, gone: Ints) -> SegmentResult:
        """Return a segment without some queries; it stays as it is where none of them is in it."""
        own = gone[inside[gone]]
        if not len(own):
            return one
        part = Series.of(np.where(inside, self.measures[0].delta, np.nan), self.weights, self.groups)
        return replace(one, paired=part._anew(own))

    def _severe(self, gone: Ints) -> tuple[int, int]:
        """Return severe wins and losses without some queries; a group counts once, for what more of it does."""
        sign, units, wins, losses = self._severe_units
        unit = self.measures[0].unit_of(gone)
        touched, place = np.unique(unit, return_inverse=True)
        before = units[touched]
        after = before - np.bincount(place, sign[gone], len(touched))
        wins += int((after > 0).sum()) - int((before > 0).sum())
        return wins, losses + int((after < 0).sum()) - int((before < 0).sum())

    @cached_property
    def _severe_units(self) -> tuple[Floats, Floats, int, int]:
        """+1, -1 or 0 for each query that rises or falls by a severe change, the sum of these for each unit, and how
        many units rise, and how many fall.
        """
        delta, least = self.measures[0].delta, self.comparison.policy.severe
        sign = (delta >= least).astype(np.float64) - (delta <= -least)
        units = sign if self.groups is None else self.groups.sums(sign)
        return sign, units, int((units > 0).sum()), int((units < 0).sum())
