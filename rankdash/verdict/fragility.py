"""How few queries carry a verdict: the query that moves a bound most is removed, again and again, until the outcome is
of another class.

Every rule from S0 on is evaluated again on the remaining queries; the gates and the votes keep the full numbers.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from rankdash.evidence.distributions import t_quantile
from rankdash.scoring import Comparison
from rankdash.verdict.outcome import case_of
from rankdash.verdict.records import Evidence, Fragility, Outcome
from rankdash.verdict.remaining import Differences, Remaining
from rankdash.verdict.rules.comparable import READING_RULES
from rankdash.verdict.rules.rule import Bound, Rule, RuleInput, lower_bound, outcome_of

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]

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
