"""How few queries carry a verdict: the query that moves a bound most is removed, again and again, until the outcome is
of another class.

Every rule from S0 on is evaluated again on the remaining queries; the gates and the votes keep the full numbers. Each
query is subtracted from sums: to count anew would take as long as the comparison itself, and there are hundreds.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from rankdash.evidence.distributions import t_quantile
from rankdash.evidence.paired import DECIMALS, EXACT_UP_TO, MEAN_DECIMALS, Groups, Paired, p_flip, paired, with_interval
from rankdash.scoring import Comparison, Weighed
from rankdash.verdict.comparable import READING_RULES
from rankdash.verdict.outcome import reading_of
from rankdash.verdict.records import Evidence, Fragility, Outcome, Reading
from rankdash.verdict.rule import Bound, Rule, RuleInput, lower_bound, outcome_of

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
Bools = npt.NDArray[np.bool_]

#: Where less than this part of the squares is left, sums have cancelled: what rounding left may be no spread at all, or
#: below 0. The differences are counted anew.
_CANCELLED = 1e-6
#: A part of all weight that counts as none: rounding leaves it where every query with a weight is gone.
_NO_WEIGHT = 1e-12


def _terms(s: Floats, t: Floats, there: Bools) -> Floats:
    """Return what units with weights S and weighted differences T add to the sums from which a mean and its standard
    error follow, (6, u): the number of units, S, T, SS, ST and TT.
    """
    return np.where(there, np.stack((np.ones_like(s), s, t, s * s, s * t, t * t)), 0.0)


def _moments(sums: Floats) -> tuple[Floats, Floats]:
    """Return mean and standard error of sums, (6,) or (6, r); NaN or infinite where undefined."""
    units, s, t, ss, st, tt = sums
    with np.errstate(all="ignore"):
        mean = t / s
        squares = np.maximum(tt - 2.0 * mean * st + mean * mean * ss, 0.0)
        return mean, np.sqrt(units / (units - 1.0) * squares) / s


class Differences:
    """The differences that are left of a measure, in the units that are counted: clusters, or single queries.

    ``delta`` is (n,), NaN where undefined. Weights are ignored where they are 0 for every difference.
    """

    def __init__(self, delta: Floats, weights: Floats | None, groups: Groups | None) -> None:
        self.there = ~np.isnan(delta)
        self.weighted = weights is not None and bool(weights[self.there].sum() > 0)
        self.weight = np.where(self.there, weights if self.weighted and weights is not None else 1.0, 0.0)
        self.delta = np.where(self.there, delta, 0.0)
        self.grouped = groups is not None
        self.unit = np.arange(len(delta)) if groups is None else groups.of_query
        number = len(delta) if groups is None else groups.number
        self.s: Floats = np.bincount(self.unit, self.weight, number).astype(np.float64, copy=False)
        self.t: Floats = np.bincount(self.unit, self.weight * self.delta, number).astype(np.float64, copy=False)
        self.members = np.bincount(self.unit[self.there], minlength=number)
        self.moved = np.bincount(self.unit[self.delta != 0], minlength=number)
        self.sums = _terms(self.s, self.t, self.members > 0).sum(axis=1)
        self.all_weight, self.all_squares = float(self.sums[1]), float(self.sums[5])
        self.n, self.changed = int(self.there.sum()), int(np.count_nonzero(self.moved))
        self.wins, self.losses = int((self.delta > 0).sum()), int((self.delta < 0).sum())
        self.squares, self.plain = float((self.weight * self.weight).sum()), float(self.delta.sum())

    def drop(self, row: int) -> None:
        """Take a query out."""
        if not self.there[row]:
            return
        self.sums = self._without(np.array([row]))[:, 0]
        unit, weight, delta = self.unit[row], self.weight[row], float(self.delta[row])
        self.there[row] = False
        self.members[unit] -= 1
        is_empty = not self.members[unit]
        self.s[unit] = 0.0 if is_empty else self.s[unit] - weight
        self.t[unit] = 0.0 if is_empty else self.t[unit] - weight * delta
        self.moved[unit] -= delta != 0
        self.changed -= int(delta != 0 and not self.moved[unit])
        self.n, self.wins, self.losses = self.n - 1, self.wins - (delta > 0), self.losses - (delta < 0)
        self.squares, self.plain = self.squares - float(weight * weight), self.plain - delta

    def _without(self, rows: Ints) -> Floats:
        """Return the sums without each of some queries, (6, r)."""
        unit, weight = self.unit[rows], self.weight[rows]
        s, t, several = self.s[unit], self.t[unit], self.members[unit] > 1
        after = _terms(s - weight, t - weight * self.delta[rows], several)
        gained: Floats = self.sums[:, None] - _terms(s, t, np.ones_like(several)) + after
        return gained

    def farthest(self, rows: Ints, c: float, *, up: bool) -> int | None:
        """Return the query whose removal moves mean + c standard errors most, up or down; of equals the first. None
        where no removal leaves a bound.
        """
        rows = rows[self.there[rows]]
        sums = self._without(rows)
        mean, se = _moments(sums)
        with np.errstate(invalid="ignore"):  # without weight mean and standard error are no numbers
            bound = np.round(mean + c * se, DECIMALS)
        bound[np.isnan(bound) | (sums[1] <= _NO_WEIGHT * self.all_weight)] = -np.inf if up else np.inf
        at = int(np.argmax(bound) if up else np.argmin(bound)) if len(bound) else 0
        return int(rows[at]) if len(bound) and np.isfinite(bound[at]) else None

    def paired(self) -> Paired:
        """Return the paired comparison, with the fields that the rules read and no others."""
        units, s, *_, tt = map(float, self.sums)
        mean, se = map(float, _moments(self.sums))
        is_cancelled = not (se * s) ** 2 > _CANCELLED * max(tt, self.all_squares)
        if self.n < 2 or units < 2 or not s > _NO_WEIGHT * self.all_weight or not self.changed or is_cancelled:
            return self.among(self.there)
        counted = Paired(
            n=self.n,
            n_dropped=0,
            n_eff=round(s * s / self.squares, 10) if self.weighted else float(self.n),
            wins=self.wins,
            ties=self.n - self.wins - self.losses,
            losses=self.losses,
            changed=self.changed,
            clusters=int(units) if self.grouped else None,
            delta=round(mean, MEAN_DECIMALS),
            delta_unweighted=self.plain / self.n,
            p_flip=self._flipped() if self.changed <= EXACT_UP_TO else None,
        )
        return with_interval(counted, se)

    def _flipped(self) -> float | None:
        """Return the p of sign flips of the changed queries, or of whole groups of them."""
        left = np.flatnonzero(self.there & (self.delta != 0))
        moved = self.delta[left]
        if self.weighted:
            moved = self.weight[left] * moved / self.sums[1]
        return p_flip(Groups.of(self.unit[left]).net(moved) if self.grouped else moved)

    def among(self, rows: Bools) -> Paired:
        """Return the paired comparison of some of the queries that are left, (n,), counted anew."""
        rows = rows & self.there
        delta, weights = self.delta[rows], self.weight[rows]
        use = weights if self.weighted and weights.sum() > 0 else None
        clusters = self.unit[rows] if self.grouped else None
        return paired(np.zeros(len(delta)), delta, weights=use, clusters=clusters, mpe=0.0)


class Remaining:
    """Every number that the rules read, over the queries of the population that have a difference of the primary.

    ``rows`` are the places of these queries among those of the comparison.
    """

    def __init__(self, comparison: Comparison) -> None:
        sample = comparison.sample
        self.comparison = comparison
        self.rows = np.flatnonzero(comparison.counted & ~np.isnan(comparison.deltas[0]))
        weights = None if sample.weights is None else sample.weights[self.rows]
        groups = None if sample.clusters is None else Groups.of(sample.clusters[self.rows])
        of_policy = comparison.deltas[: len(comparison.policy.measures)]
        self.measures = [Differences(delta[self.rows], weights, groups) for delta in of_policy]
        named = [segment for segment in comparison.plain.segments if segment.named]
        self.segments = [(segment, sample.segments[segment.column][self.rows] == segment.value) for segment in named]
        primary, least = self.measures[0], comparison.policy.severe
        self.severe = (primary.delta >= least).astype(np.int64) - (primary.delta <= -least)
        self.severe_units = np.bincount(primary.unit, self.severe, len(primary.s))
        self.severe_wins, self.severe_losses = int((self.severe_units > 0).sum()), int((self.severe_units < 0).sum())

    def in_order(self, rows: Ints) -> Ints:
        """Return some of ``rows`` in an order that follows from values, groups and ids, not from where they stand."""
        primary, ids = self.measures[0], self.comparison.scored.query_ids
        unit = primary.unit[rows]
        of_unit = (np.round(values[unit], DECIMALS) for values in (primary.t, primary.s, primary.members))
        inside = (inside[rows] for _, inside in sorted(self.segments, key=lambda one: (one[0].column, one[0].value)))
        names = np.argsort(np.array([ids[int(self.rows[row])].as_py() for row in rows], object))
        place = np.empty(len(rows), np.int64)
        place[names] = np.arange(len(rows))
        deltas = (differences.delta[rows] for differences in reversed(self.measures))
        order = np.lexsort((place, *inside, *of_unit, primary.weight[rows], *deltas))
        in_order: Ints = rows[order]
        return in_order

    def of(self, measure: str) -> Differences:
        """Return the differences of a measure of the policy."""
        return self.measures[self.comparison.policy.measures.index(measure)]

    def df(self, measure: str) -> float:
        """Return the degrees of freedom of that measure over all of its queries."""
        at = self.comparison.policy.measures.index(measure)
        return max(self.comparison.results[at].paired.size - 1.0, 1.0)

    def drop(self, row: int) -> None:
        """Take a query out, by its place in ``rows``."""
        for differences in self.measures:
            differences.drop(row)
        primary = self.measures[0]
        self.segments = [
            (replace(segment, paired=primary.among(inside)) if inside[row] else segment, inside)
            for segment, inside in self.segments
        ]
        unit = primary.unit[row]
        before = self.severe_units[unit]
        after = self.severe_units[unit] = before - self.severe[row]
        self.severe_wins += int(after > 0) - int(before > 0)
        self.severe_losses += int(after < 0) - int(before < 0)

    def reading(self) -> Reading:
        """Return the reading that the rules see. A group counts once as severe, by what is more: wins or losses."""
        results = tuple(
            replace(result, paired=differences.paired(), holm_p=None)
            for result, differences in zip(self.comparison.results, self.measures, strict=False)
        )
        segments = tuple(segment for segment, _ in self.segments)
        return reading_of(Weighed(results, segments, self.severe_wins, self.severe_losses))


_FEWEST_QUERIES = 4
#: Queries are removed from among so many largest differences and so many smallest.
_CANDIDATES = 400
_MOST, _LEAST, _SHARE = 200, 10, 0.02


def fragility(comparison: Comparison, evidence: Evidence, decided: Outcome) -> Fragility | None:
    """Return the fewest queries whose removal changes the outcome: a launch to none, worse to not worse, not proven or
    too small to a launch or worse.

    None where A and B cannot be compared, B changes nothing, the queries are all that matters, below 4 queries, and
    where raters or a segment decide.
    """
    case = RuleInput(evidence, comparison.policy)
    n = case.primary.n
    nothing = decided is Outcome.NOT_COMPARABLE or case.changes_nothing
    if nothing or case.fixed or n < _FEWEST_QUERIES:
        return None
    outcome, rule = outcome_of(READING_RULES, case)
    paths = _paths(case, outcome, rule)
    if paths is None:
        return None
    searched = min(_MOST, max(_LEAST, math.ceil(round(_SHARE * n, 9))), n - 3)
    rows = Remaining(comparison).rows
    best: tuple[tuple[int, ...], Outcome] | None = None
    for path in paths:
        most = searched if best is None else len(best[0]) - 1
        best = _turning(case, outcome, Remaining(comparison), path, most) or best
    if best is None:
        return Fragility(None, (), None, searched)
    gone, turns_to = best
    queries = tuple(comparison.scored.query_ids[int(rows[row])].as_py() for row in gone)
    return Fragility(len(gone), queries, turns_to, searched)


@dataclass(frozen=True)
class Path:
    """A bound that removals move up or down."""

    bound: Bound
    up: bool


def _paths(case: RuleInput, outcome: Outcome, rule: Rule | None) -> list[Path] | None:
    """Return the bounds that removals try to move, by the outcome and the rule that decides; None without any."""
    if rule is None:
        guards = (Bound(guard.of.measure, -0.95) for guard in case.harms.guards)
        return [Path(bound, up=False) for bound in (lower_bound(case), *guards)]
    moved = rule.moved_by(case)
    if moved is None:
        return None
    paths = [Path(bound, up=True) for bound in moved]
    if outcome is not Outcome.WORSE:
        paths.append(Path(Bound(case.policy.primary, 0.975), up=False))
    return paths


def _turning(
    case: RuleInput, outcome: Outcome, remaining: Remaining, path: Path, most: int
) -> tuple[tuple[int, ...], Outcome] | None:
    """Return the first queries on a path whose removal changes the class of the outcome, and the new outcome."""
    moved, level = remaining.of(path.bound.measure), path.bound.level
    c = math.copysign(t_quantile(abs(level), remaining.df(path.bound.measure)), level) if level else 0.0
    candidates, gone = _candidates(moved, remaining.in_order), list[int]()
    while len(gone) < most:
        row = moved.farthest(candidates, c, up=path.up)
        if row is None:
            return None
        gone.append(row)
        remaining.drop(row)
        left = RuleInput(replace(case.evidence, plain=remaining.reading()), case.policy, case.reading)
        turned, _ = outcome_of(READING_RULES, left)
        if _other_class(outcome, turned):
            return tuple(gone), turned
    return None


def _other_class(outcome: Outcome, turned: Outcome) -> bool:
    if outcome in (Outcome.LAUNCH, Outcome.WORSE):
        return turned is not outcome
    return turned in (Outcome.LAUNCH, Outcome.WORSE)


def _candidates(differences: Differences, in_order: Callable[[Ints], Ints]) -> Ints:
    """Return the queries that may be removed, ``in_order``: of equals at an edge, and in a search, the first is taken.

    Where that order follows from what the queries are, what is found does not depend on where their rows stand.
    """
    rows = np.flatnonzero(differences.there)
    if len(rows) > 2 * _CANDIDATES:
        moved = (differences.weight * differences.delta)[rows]
        rows = np.union1d(_smallest(rows, moved, in_order), _smallest(rows, -moved, in_order))
    return in_order(rows)


def _smallest(rows: Ints, moved: Floats, in_order: Callable[[Ints], Ints]) -> Ints:
    """Return the queries with the smallest values of all; those without a difference as they stand."""
    edge = np.partition(moved, _CANDIDATES - 1)[_CANDIDATES - 1]
    below, equal = rows[moved < edge], rows[moved == edge]
    return np.append(below, (in_order(equal) if edge else equal)[: _CANDIDATES - len(below)])
