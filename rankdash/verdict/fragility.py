"""How few queries carry a verdict: the query that moves a bound most is removed, again and again, until the outcome is
of another class.

The removals of a path are found first, by sums from which each query is subtracted. Then every rule from S0 on is
evaluated again without the first 1, 2, 4, 8 ... of them, and without each number between the last two; the gates and
the votes keep the full numbers.
"""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import numpy.typing as npt

from rankdash.evidence.distributions import t_quantile
from rankdash.evidence.paired import DECIMALS
from rankdash.scoring import Comparison, Weighed
from rankdash.verdict.records import Evidence, Fragility, Outcome, Reading, reading_of
from rankdash.verdict.rule import Bound, Rule, RuleInput, lower_bound, outcome_of
from rankdash.verdict.rules import READING_RULES

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
Bools = npt.NDArray[np.bool_]

#: A part of all weight that counts as none: rounding leaves it where every query with a weight is gone.
_NO_WEIGHT = 1e-12
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
    nothing = decided is Outcome.NOT_COMPARABLE or case.evidence.changes_nothing
    if nothing or case.fixed or n < _FEWEST_QUERIES:
        return None
    outcome, rule = outcome_of(READING_RULES, case)
    paths = _paths(case, outcome, rule)
    if paths is None:
        return None
    searched = min(_MOST, max(_LEAST, math.ceil(round(_SHARE * n, 9))), n - 3)
    counted = Counted(comparison)
    best: tuple[list[int], Outcome] | None = None
    for bound, up in paths:
        most = searched if best is None else len(best[0]) - 1
        best = _turning(case, outcome, counted, counted.removals(bound, most, up=up)) or best
    if best is None:
        return Fragility(None, (), None, searched)
    gone, turns_to = best
    queries = tuple(comparison.query_ids[counted.rows[row]] for row in gone)
    return Fragility(len(gone), queries, turns_to, searched)


def _paths(case: RuleInput, outcome: Outcome, rule: Rule | None) -> list[tuple[Bound, bool]] | None:
    """Return the bounds that removals try to move, and whether up, by the outcome and the rule that decides; None
    without any.
    """
    if rule is None:
        guards = (Bound(guard.of.measure, -0.95) for guard in case.harms.guards)
        return [(bound, False) for bound in (lower_bound(case), *guards)]
    moved = rule.moved_by(case)
    if moved is None:
        return None
    falling = [] if outcome is Outcome.WORSE else [(Bound(case.policy.primary, 0.975), False)]
    return [*((bound, True) for bound in moved), *falling]


def _turning(case: RuleInput, outcome: Outcome, counted: Counted, gone: list[int]) -> tuple[list[int], Outcome] | None:
    """Return the first removals that change the class of the outcome, and the new outcome."""

    def without(number: int) -> Outcome:
        left = replace(case.evidence, plain=counted.reading(gone[:number]))
        return outcome_of(READING_RULES, RuleInput(left, case.policy, case.reading))[0]

    kept = 0
    while kept < len(gone):
        next_ = min(max(2 * kept, 1), len(gone))
        if _other_class(outcome, without(next_)):
            numbers = ((number, without(number)) for number in range(kept + 1, next_ + 1))
            return next((gone[:number], turned) for number, turned in numbers if _other_class(outcome, turned))
        kept = next_
    return None


def _other_class(outcome: Outcome, turned: Outcome) -> bool:
    if outcome in (Outcome.LAUNCH, Outcome.WORSE):
        return turned is not outcome
    return turned in (Outcome.LAUNCH, Outcome.WORSE)


class Counted:
    """The queries of the population that have a difference of the primary measure: the places ``rows`` among those of
    the comparison, (n,), their weights, and the unit that each belongs to: its cluster, or the query itself.
    """

    def __init__(self, comparison: Comparison) -> None:
        sample = comparison.sample
        self.comparison = comparison
        self.rows = np.flatnonzero(comparison.counted & ~np.isnan(comparison.deltas[0]))
        self.weights = np.ones(len(self.rows)) if sample.weights is None else sample.weights[self.rows]
        self.unit: Ints = np.arange(len(self.rows))
        if sample.clusters is not None:
            _, self.unit = np.unique(sample.clusters[self.rows], return_inverse=True)

    def reading(self, gone: list[int]) -> Reading:
        """Return the reading that the rules see without some queries, all other numbers counted anew."""
        compared = self.comparison
        kept = np.zeros(len(compared.counted), bool)
        kept[np.delete(self.rows, gone)] = True
        sample = replace(compared.sample, counted=kept)
        values = zip(compared.results, compared.scores_a, compared.scores_b, strict=True)
        results = tuple(
            replace(result, paired=sample.pair(a, b, None, good=result.paired.good), holm_p=None)
            for result, a, b in list(values)[: len(compared.policy.measures)]
        )
        a, b = compared.scores_a[0], compared.scores_b[0]
        segments = tuple(
            replace(one, paired=sample.pair(a, b, None, sample.segments[one.column] == one.value))
            for one in compared.plain.segments
            if one.named
        )
        return reading_of(Weighed(results, segments, *sample.severe(compared.deltas[0], compared.policy.severe)))

    def removals(self, bound: Bound, most: int, *, up: bool) -> list[int]:
        """Return the queries whose removal, one after the other, moves a bound most: mean + c standard errors, up or
        down; of equals the first of ``_in_order``.
        """
        at = self.comparison.policy.measures.index(bound.measure)
        df = max(self.comparison.results[at].paired.size - 1.0, 1.0)
        c = math.copysign(t_quantile(abs(bound.level), df), bound.level) if bound.level else 0.0
        delta, there, weight = self._differences(at)
        s, t, members = self._units(at)
        sums = _terms(s, t, members > 0).sum(axis=1)
        all_weight, worst = sums[1], -np.inf if up else np.inf
        candidates, gone = self._candidates(np.flatnonzero(there), weight * delta), list[int]()
        while len(gone) < most and len(candidates):
            unit, own = self.unit[candidates], weight[candidates]
            several = members[unit] > 1
            s_left, t_left = s[unit] - own, t[unit] - own * delta[candidates]
            left = sums[:, None] - _terms(s[unit], t[unit], np.ones_like(several)) + _terms(s_left, t_left, several)
            mean, se = _moments(left)
            with np.errstate(invalid="ignore"):  # without weight mean and standard error are no numbers
                ends = np.round(mean + c * se, DECIMALS)
            ends[np.isnan(ends) | (left[1] <= _NO_WEIGHT * all_weight)] = worst
            place = int(np.argmax(ends) if up else np.argmin(ends))
            if not np.isfinite(ends[place]):
                break
            gone.append(int(candidates[place]))
            s[unit[place]], t[unit[place]] = (s_left[place], t_left[place]) if several[place] else (0.0, 0.0)
            members[unit[place]] -= 1
            sums, candidates = left[:, place], np.delete(candidates, place)
        return gone

    def _differences(self, measure: int) -> tuple[Floats, Bools, Floats]:
        """Return the differences of a measure, the better ones above 0, 0 where undefined; where they are defined; and
        what each weighs.
        """
        delta = self.comparison.results[measure].paired.good * self.comparison.deltas[measure, self.rows]
        there = ~np.isnan(delta)
        return np.where(there, delta, 0.0), there, np.where(there, self.weights, 0.0)

    def _units(self, measure: int) -> tuple[Floats, Floats, Ints]:
        """Return the weight of each unit, its weighted difference, and the number of its queries."""
        delta, there, weight = self._differences(measure)
        number = int(self.unit.max(initial=-1)) + 1
        s, t = (np.bincount(self.unit, of, number).astype(np.float64) for of in (weight, weight * delta))
        return s, t, np.bincount(self.unit[there], minlength=number)

    def _candidates(self, rows: Ints, moved: Floats) -> Ints:
        """Return the queries that may be removed, in order: of equals at an edge, and in a search, the first is taken.

        The order depends on the content of the queries, so that the result does not depend on the order of rows.
        """
        if len(rows) > 2 * _CANDIDATES:
            ends = self._smallest(rows, moved[rows]), self._smallest(rows, -moved[rows])
            rows = np.flatnonzero(np.bincount(np.concatenate(ends)))
        return self._in_order(rows)

    def _smallest(self, rows: Ints, moved: Floats) -> Ints:
        """Return the queries with the smallest values of all; those without a difference as they stand."""
        edge = np.partition(moved, _CANDIDATES - 1)[_CANDIDATES - 1]
        below, equal = rows[moved < edge], rows[moved == edge]
        return np.append(below, (self._in_order(equal) if edge else equal)[: _CANDIDATES - len(below)])

    def _in_order(self, rows: Ints) -> Ints:
        """Return some queries by their differences, weights, units, segments and ids."""
        sample, ids = self.comparison.sample, self.comparison.query_ids
        named = sorted({(one.column, one.value) for one in self.comparison.plain.segments if one.named})
        inside = [(sample.segments[column] == value)[self.rows[rows]] for column, value in named]
        s, t, members = (of[self.unit[rows]] for of in self._units(0))
        deltas = [self._differences(at)[0][rows] for at in range(len(self.comparison.policy.measures))]
        names = np.argsort(np.array([ids[row] for row in self.rows[rows]], object))
        place = np.empty(len(rows), np.int64)
        place[names] = np.arange(len(rows))
        of_unit = np.round(t, DECIMALS), np.round(s, DECIMALS), members
        order = np.lexsort((place, *inside, *of_unit, self.weights[rows], *reversed(deltas)))
        return np.asarray(rows[order])


def _terms(s: Floats, t: Floats, there: Bools) -> Floats:
    """Return what units with weights S and weighted differences T add to the sums from which a mean and its standard
    error follow, (6, u): the number of units, S, T, SS, ST and TT.
    """
    return np.where(there, np.stack((np.ones_like(s), s, t, s * s, s * t, t * t)), 0.0)


def _moments(sums: Floats) -> tuple[Floats, Floats]:
    """Return mean and standard error of sums, (6, r); NaN or infinite where undefined."""
    units, s, t, ss, st, tt = sums
    with np.errstate(all="ignore"):
        mean = t / s
        squares = np.maximum(tt - 2.0 * mean * st + mean * mean * ss, 0.0)
        return mean, np.sqrt(units / (units - 1.0) * squares) / s
