"""How few queries carry a verdict: the query that moves a bound most is removed again and again, until the outcome is
of another class.

Every rule from S0 on is asked again about the remaining queries; the gates and the votes keep the full numbers.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from rankdash.comparison import Comparison
from rankdash.evidence.distributions import t_quantile
from rankdash.evidence.paired import DECIMALS
from rankdash.verdict.outcome import case_of
from rankdash.verdict.records import Evidence, Fragility, Outcome
from rankdash.verdict.remaining import NO_WEIGHT, Remaining, Series, Sums
from rankdash.verdict.rules.comparable import READING_RULES
from rankdash.verdict.rules.rule import Bound, Rule, RuleInput, lower_bound, outcome_of

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]

_FEWEST_QUERIES = 4
#: The queries among which those to remove are chosen: so many largest differences, and so many smallest.
_CANDIDATES = 400
_MOST, _LEAST, _SHARE = 200, 10, 0.02


def fragility(comparison: Comparison, evidence: Evidence, decided: Outcome) -> Fragility | None:
    """Return the fewest queries whose removal changes the outcome: a launch to none, worse to not worse, not proven or
    too small to a launch or worse.

    None where A and B cannot be compared, B changes nothing, the queries are all that matters, below 4 queries, and
    where raters or a segment decide.
    """
    case = case_of(evidence, comparison.policy)
    n = case.primary.n
    nothing = decided is Outcome.NOT_COMPARABLE or case.changes_nothing
    if nothing or case.fixed or n < _FEWEST_QUERIES:
        return None
    outcome, rule = outcome_of(READING_RULES, case)
    paths = _paths(case, outcome, rule)
    if paths is None:
        return None
    searched = min(_MOST, max(_LEAST, math.ceil(round(_SHARE * n, 9))), n - 3)
    remaining = Remaining.of(comparison)
    best: tuple[tuple[int, ...], Outcome] | None = None
    for path in paths:
        most = searched if best is None else len(best[0]) - 1
        best = _turning(case, outcome, remaining, path, most) or best
    if best is None:
        return Fragility(None, (), None, searched)
    rows, turns_to = best
    queries = tuple(comparison.scored.query_ids[int(remaining.rows[row])].as_py() for row in rows)
    return Fragility(len(rows), queries, turns_to, searched)


@dataclass(frozen=True)
class Path:
    """A bound that removals move up or down."""

    bound: Bound
    up: bool


def _paths(case: RuleInput, outcome: Outcome, rule: Rule | None) -> list[Path] | None:
    """Return what removals try to move, by the outcome and the rule that decides; None where that is no bound."""
    if rule is None:
        guards = (Bound(guard.name, -0.95) for guard in case.harms.guards)
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
    """Return the first removal of a path that changes the class of the outcome, with what it turns to."""
    df, level = remaining.df(path.bound.measure), path.bound.level
    c = math.copysign(t_quantile(abs(level), df), level) if level else 0.0
    gone: list[int] = []
    for row in removals(remaining.series(path.bound.measure), c, up=path.up, most=most):
        gone.append(row)
        left = RuleInput(replace(case.evidence, plain=remaining.without(gone)), case.policy, case.gate)
        turned, _ = outcome_of(READING_RULES, left)
        if _other_class(outcome, turned):
            return tuple(gone), turned
    return None


def _other_class(outcome: Outcome, turned: Outcome) -> bool:
    if outcome in (Outcome.LAUNCH, Outcome.WORSE):
        return turned is not outcome
    return turned in (Outcome.LAUNCH, Outcome.WORSE)


def removals(series: Series, c: float, *, up: bool, most: int) -> Iterator[int]:
    """Yield the queries, one after the other, whose removal moves mean + c standard errors most, up or down; of equal
    ones the first. It ends where no bound is left.
    """
    rows = _candidates(series)
    unit = series.unit_of(rows)
    s, t = series.units[0][unit], series.units[1][unit]  # of the unit of each candidate, as it is now
    members = series.members[unit]
    weight, moved, sums = series.weight[rows], series.weight[rows] * series.delta[rows], series.sums
    there = np.ones(len(rows), bool)
    for _ in range(most):
        last = members == 1
        after: tuple[Floats, Floats] = (np.where(last, 0.0, s - weight), np.where(last, 0.0, t - moved))
        one_less = sums.moved((s, t), after, last)
        mean, se = one_less.moments()
        with np.errstate(invalid="ignore"):  # where no weight is left, neither is a number
            bound = np.round(mean + c * se, DECIMALS)
        none = np.isnan(bound) | (one_less.s <= NO_WEIGHT * series.sums.s)
        bound[~there | none] = -np.inf if up else np.inf
        at = int(np.argmax(bound) if up else np.argmin(bound))
        if not len(bound) or not np.isfinite(bound[at]):
            return
        yield int(rows[at])
        there[at] = False
        sums = Sums(*(float(np.asarray(getattr(one_less, name))[at]) for name in ("units", "s", "t", "ss", "st", "tt")))
        same = unit == unit[at]
        s[same], t[same], members[same] = after[0][at], after[1][at], members[at] - 1


def _candidates(series: Series) -> Ints:
    """Return the queries among which those to remove are chosen, in order; of equal ones at the edge the first."""
    rows = np.flatnonzero(series.defined)
    if len(rows) <= 2 * _CANDIDATES:
        return rows
    moved = (series.weight * series.delta)[rows]
    smallest = np.argsort(moved, kind="stable")[:_CANDIDATES]
    largest = np.argsort(-moved, kind="stable")[:_CANDIDATES]
    return np.sort(rows[np.union1d(smallest, largest)])
