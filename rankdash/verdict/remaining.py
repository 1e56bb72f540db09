"""The numbers of a comparison without some of its queries: sums less what those queries gave, not counted anew."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from rankdash.comparison import Comparison, Result, SegmentResult, Weighed
from rankdash.evidence.distributions import t_below, t_quantile
from rankdash.evidence.paired import MEAN_DECIMALS, Paired, paired
from rankdash.evidence.signflips import EXACT_UP_TO, p_flip
from rankdash.lazy import cached_property
from rankdash.verdict.evidence import reading_of
from rankdash.verdict.kinds import Kinds, moments
from rankdash.verdict.records import Reading

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
Bools = npt.NDArray[np.bool_]

#: Where less than this part of the squares is left, sums have cancelled, and the differences are asked themselves.
_CANCELLED = 1e-6


@dataclass(frozen=True)
class Series:
    """One vector of differences: a policy's measure, or the primary measure on a segment. Axis n: the population."""

    delta: Floats  # (n,) 0 where it is not defined
    weight: Floats | None  # (n,) 0 where the difference is not defined; None: each weighs 1
    defined: Bools  # (n,)
    sums: Floats  # (9,) of what the queries add

    @classmethod
    def of(cls, delta: Floats, weights: Floats | None) -> Series:
        """Return the series of differences, NaN where not defined. Weights that leave nothing count as none."""
        defined = ~np.isnan(delta)
        d = delta if defined.all() else np.where(defined, delta, 0.0)
        if weights is not None and weights[defined].sum() > 0:
            w = np.where(defined, weights, 0.0)
            return cls(d, w, defined, np.array([term.sum() for term in _terms(defined, w, d)]))
        n, total, squares = defined.sum(), d.sum(), (d * d).sum()
        wins, losses = np.count_nonzero(d > 0), np.count_nonzero(d < 0)
        return cls(d, None, defined, np.array([n, n, total, n, total, squares, wins, losses, total], np.float64))

    def added(self, rows: Ints) -> Floats:
        """Return what some queries, of any shape, add to the sums, (9, *shape)."""
        weight = (self.defined if self.weight is None else self.weight)[rows].astype(np.float64)
        terms = np.empty((*rows.shape, len(self.sums)))
        for place, term in enumerate(_terms(self.defined[rows], weight, self.delta[rows])):
            terms[..., place] = term
        return np.moveaxis(terms, -1, 0)

    @cached_property
    def kinds(self) -> Kinds:
        """The queries by weight and difference."""
        return Kinds.of(self.delta, self.weight, self.defined)

    def without(self, gone: Ints) -> Paired:
        """Return what the paired comparison says without some queries: what the rules read of it, and nothing else."""
        n, total, first, w2, w2d, w2d2, wins, losses, plain = self.sums - self.added(gone).sum(axis=1)
        n, wins, losses = round(n), round(wins), round(losses)
        if n < 2 or not total > 0:
            return self._anew(gone)
        mean = first / total
        if not wins + losses:
            return Paired(n, 0, _n_eff(total, w2, n, self.weight is not None), 0, n, 0, delta=0.0, delta_unweighted=0.0)
        squares = w2d2 - 2.0 * mean * w2d + mean**2 * w2
        if not squares > _CANCELLED * w2d2:
            return self._anew(gone)
        se = float(np.sqrt(n / (n - 1) * squares)) / total
        delta = round(float(mean), MEAN_DECIMALS)
        n_eff = _n_eff(total, w2, n, self.weight is not None)
        df = max(n_eff - 1.0, 1.0)
        half95, half90 = t_quantile(0.975, df) * se, t_quantile(0.95, df) * se
        return Paired(
            n=n,
            n_dropped=0,
            n_eff=n_eff,
            wins=wins,
            ties=n - wins - losses,
            losses=losses,
            delta=delta,
            se=se,
            df=df,
            p_harm=t_below(delta / se, df),
            lower95=delta - half95,
            upper95=delta + half95,
            lower90=delta - half90,
            upper90=delta + half90,
            delta_unweighted=float(plain / n),
            p_flip=self._flipped(gone) if wins + losses <= EXACT_UP_TO else None,
        )

    def _flipped(self, gone: Ints) -> float | None:
        rows = np.setdiff1d(self._changed, gone)
        if self.weight is None:
            return p_flip(self.delta[rows])
        return p_flip(self.weight[rows] * self.delta[rows] / (self.sums[1] - self.weight[gone].sum()))

    @cached_property
    def _changed(self) -> Ints:
        """The queries that are not tied."""
        return np.flatnonzero(self.delta)

    def _anew(self, gone: Ints) -> Paired:
        kept = self.defined.copy()
        kept[gone] = False
        d = self.delta[kept]
        weights = None if self.weight is None else self.weight[kept]
        weights = weights if weights is not None and weights.sum() > 0 else None
        return paired(np.zeros(len(d)), d, weights=weights, mpe=0.0)


def _terms(defined: Bools, w: Floats, d: Floats) -> Iterator[Floats | Bools]:
    """Yield what queries add to each sum, one by one, for all of them take much memory."""
    yield defined
    yield from moments(w, d)
    yield from (d > 0, d < 0, d)


def _n_eff(total: float, squares: float, n: int, weighted: bool) -> float:
    return round(float(total**2 / squares), 10) if weighted else float(n)


@dataclass(frozen=True)
class Remaining:
    """Every vector that the rules read, over the queries of the population that have a primary difference.

    ``rows`` are their places among the queries of the comparison.
    """

    rows: Sequence[int] | Ints  # (n,)
    results: tuple[Result, ...]
    measures: tuple[Series, ...]
    segments: tuple[SegmentResult, ...]
    parts: tuple[Series, ...]  # of the segments
    severe: float

    @classmethod
    def of(cls, comparison: Comparison) -> Remaining:
        """Return the policy's measures, and the segments that it names, of a comparison."""
        counted = comparison.counted & ~np.isnan(comparison.deltas[0])
        many = len(comparison.policy.measures)
        rows: Sequence[int] | Ints = range(len(counted))
        deltas, weights = comparison.deltas[:many], comparison.sample.weights
        if not counted.all():
            rows = np.flatnonzero(counted)
            deltas, weights = deltas[:, rows], None if weights is None else weights[rows]
        named = tuple(one for one in comparison.plain.segments if one.named)
        parts = []
        for one in named:
            inside = comparison.sample.segments[one.column][counted] == one.value
            parts.append(Series.of(np.where(inside, deltas[0], np.nan), weights))
        return cls(
            rows,
            comparison.results[:many],
            tuple(Series.of(delta, weights) for delta in deltas),
            named,
            tuple(parts),
            comparison.policy.severe,
        )

    def series(self, measure: str) -> Series:
        """Return the differences of one of the policy's measures."""
        return self.measures[self._at(measure)]

    def df(self, measure: str) -> float:
        """Return the degrees of freedom of that measure over all of its queries."""
        return self.results[self._at(measure)].paired.n_eff - 1.0

    def _at(self, measure: str) -> int:
        return next(i for i, result in enumerate(self.results) if result.measure == measure)

    def without(self, gone: Sequence[int]) -> Reading:
        """Return the reading that the rules see without some queries, given by their places in ``rows``."""
        at = np.array(gone, np.int64)
        results = tuple(
            Result(result.measure, result.role, result.margin, series.without(at), None)
            for result, series in zip(self.results, self.measures, strict=True)
        )
        segments = tuple(
            SegmentResult(one.column, one.value, part.without(at), one.named, one.judged, None)
            for one, part in zip(self.segments, self.parts, strict=True)
        )
        lost = self.measures[0].delta[at]
        wins, losses = self._severe
        wins, losses = wins - int((lost >= self.severe).sum()), losses - int((lost <= -self.severe).sum())
        return reading_of(Weighed(results, segments, wins, losses))

    @cached_property
    def _severe(self) -> tuple[int, int]:
        """The queries on which the primary measure rises and falls by a large change."""
        primary = self.measures[0].delta
        return int((primary >= self.severe).sum()), int((primary <= -self.severe).sum())
