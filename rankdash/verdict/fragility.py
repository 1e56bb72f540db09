"""How few queries carry a verdict: the smallest set without which the outcome would be of another class.

Every rule from S0 on is asked again about the remaining queries; the gates and the votes keep the full numbers.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from rankdash.comparison import Comparison
from rankdash.evidence.distributions import t_quantile
from rankdash.verdict.outcome import case_of
from rankdash.verdict.records import Evidence, Fragility, Outcome
from rankdash.verdict.remaining import Remaining
from rankdash.verdict.removals import Path
from rankdash.verdict.rules.comparable import READING_RULES
from rankdash.verdict.rules.harm import named_by
from rankdash.verdict.rules.rule import Case, Rule, outcome_of
from rankdash.verdict.rules.safety import least_safe

_FEWEST_QUERIES = 4


def fragility(comparison: Comparison, evidence: Evidence, decided: Outcome) -> Fragility | None:
    """Return the smallest set of queries whose removal changes the outcome: a launch to none, worse to not worse, not
    proven or too small to a launch or worse.

    None where A and B cannot be compared, below 4 queries, and where raters or a segment decide.
    """
    case = case_of(evidence, comparison.policy)
    outcome, rule = outcome_of(READING_RULES, case)
    n = case.primary.n
    if decided is Outcome.NOT_COMPARABLE or n < _FEWEST_QUERIES or _not_searched(case, rule):
        return None
    remaining = Remaining.of(comparison)
    searched = min(200, max(10, int(round(0.02 * n, 9))))
    most = min(searched, n - 2)
    best: tuple[tuple[int, ...], Outcome] | None = None
    for path in _paths(case, outcome, rule, remaining):
        limit = most if best is None else len(best[0]) - 1
        best = _turning(case, outcome, remaining, path, limit) or best
    if best is None:
        return Fragility(None, (), None, searched)
    rows, turns_to = best
    queries = tuple(comparison.scored.query_ids[int(remaining.rows[row])].as_py() for row in rows)
    return Fragility(len(rows), queries, turns_to, searched)


def _not_searched(case: Case, rule: Rule | None) -> bool:
    """Whether what decides is no mean of the policy's measures over all queries."""
    if rule is None:
        return False
    return rule.id in ("H3", "U4") or (rule.id == "H4" and named_by("H4", case).n is not None)


def _turning(
    case: Case, outcome: Outcome, remaining: Remaining, path: Path, most: int
) -> tuple[tuple[int, ...], Outcome] | None:
    """Return the first removal of a path that changes the class of the outcome, with what it turns to."""
    if most < 1:
        return None
    for gone in path.orders(most):
        reading = remaining.without(gone)
        left = Case(replace(case.evidence, plain=reading), case.policy, case.gate)
        turned, _ = outcome_of(READING_RULES, left)
        if _other_class(outcome, turned):
            return gone, turned
    return None


def _other_class(outcome: Outcome, turned: Outcome) -> bool:
    if outcome in (Outcome.LAUNCH, Outcome.WORSE):
        return turned is not outcome
    return turned in (Outcome.LAUNCH, Outcome.WORSE)


def _paths(case: Case, outcome: Outcome, rule: Rule | None, remaining: Remaining) -> Iterator[Path]:
    """Yield what removals try to move, by the outcome and the rule that decides."""
    primary = case.policy.primary
    lower = 0.975 if case.policy.intent == "improve" else 0.95
    if rule is None:
        yield _path(remaining, primary, -lower, up=False)
        for guard in case.harms.guards:
            yield _path(remaining, guard.name, -0.95, up=False)
        return
    if rule.id == "H1":
        yield _path(remaining, primary, 0.975, up=True)
    elif rule.id in ("H2", "H4"):
        yield _path(remaining, named_by(rule.id, case).name, 0.95, up=True)
    elif rule.id == "U3":
        yield _path(remaining, least_safe(case).name, -0.95, up=True)
    elif rule.id in ("H5", "U2"):
        yield _path(remaining, primary, 0.0, up=True)
    elif rule.id != "S1":
        yield _path(remaining, primary, -lower, up=True)
    if outcome is not Outcome.WORSE:
        yield _path(remaining, primary, 0.975, up=False)


def _path(remaining: Remaining, measure: str, level: float, *, up: bool) -> Path:
    """Return the bound of a measure at a signed level of t; 0 is the mean."""
    df = max(remaining.df(measure), 1.0)
    c = 0.0 if not level else float(np.sign(level)) * t_quantile(abs(level), df)
    return Path(remaining.series(measure), c, up)
