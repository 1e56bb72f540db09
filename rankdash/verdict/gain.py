"""S0, S1, F1, U1 to U4 and N1: is there enough, is it a gain that matters, and is nothing left open?"""

from __future__ import annotations

import math

from rankdash import wording
from rankdash.verdict.families import Guard, guards
from rankdash.verdict.harm import GUARDED, INTERVAL
from rankdash.verdict.records import Outcome, Primary
from rankdash.verdict.rule import Case, Need, Rule, above, below
from rankdash.verdict.voting import delta_gsb, unusable_limit, usable
from rankdash.verdict.words import can_settle, needed

IMPROVE = Need(lambda case: case.policy.intent == "improve", "The policy asks only that B does no harm.")
DO_NO_HARM = Need(lambda case: case.policy.intent == "do_no_harm", "The policy asks for a gain.")


def _lower(case: Case) -> float:
    return case.primary.lower95 or 0.0


def _upper(case: Case) -> float:
    return case.primary.upper95 or 0.0


def _delta(case: Case) -> float:
    return case.primary.delta or 0.0


S0 = Rule(
    "S0",
    "enough",
    Outcome.NOT_PROVEN,
    trips=lambda case: case.primary.lower95 is None,
    observed=lambda case: case.primary.delta,
    says=lambda case: (
        f"The difference is {wording.signed(case.primary.delta)} on every query; no interval can be drawn."
    ),
    passes=lambda case: "The differences vary, so an interval can be drawn.",
    would_change=lambda case: f"a query on which the difference is not {wording.signed(case.primary.delta)}",
)


def _more(have: float, limit: int, one: str, many: str) -> str:
    return wording.count(max(math.ceil(limit - have), 1), one, many) if below(have, limit) else ""


def _queries(primary: Primary) -> str:
    weighted = primary.n_eff is not None and round(primary.n_eff) != primary.n
    effective = " after weighting" if weighted else ""
    return f"{wording.count(math.floor(primary.size), 'query', 'queries')}{effective}"


def _missing_to_launch(case: Case) -> str:
    primary, policy = case.primary, case.policy
    queries = _more(primary.size, policy.n_min, "more query", "more queries")
    changed = _more(primary.changed, policy.changed_min, "more changed query", "more changed queries")
    return " and ".join(part for part in (queries, changed) if part)


def _few(case: Case) -> bool:
    return below(case.primary.size, case.policy.n_min)


S1 = Rule(
    "S1",
    "enough",
    Outcome.NOT_PROVEN,
    trips=lambda case: _few(case) or case.primary.changed < case.policy.changed_min,
    observed=lambda case: float(case.primary.size if _few(case) else case.primary.changed),
    limit=lambda case: float(case.policy.n_min if _few(case) else case.policy.changed_min),
    says=lambda case: (
        f"Only {_queries(case.primary)}, {wording.count(case.primary.changed)} of them changed; "
        f"a launch needs {wording.count(case.policy.n_min)} and {wording.count(case.policy.changed_min)}."
    ),
    passes=lambda case: (
        f"{_queries(case.primary)}, {wording.count(case.primary.changed)} of them changed; "
        f"a launch needs {wording.count(case.policy.n_min)} and {wording.count(case.policy.changed_min)}."
    ),
    would_change=_missing_to_launch,
    next_step=lambda case: f"Add {_missing_to_launch(case)}, or collect votes.",
)


def _best(case: Case) -> tuple[str, str]:
    return wording.apart(_upper(case), case.policy.mpe)


def _gain(case: Case) -> tuple[str, str]:
    return wording.apart(_delta(case), case.policy.mpe)


F1 = Rule(
    "F1",
    "better",
    Outcome.TOO_SMALL,
    needs=(IMPROVE, INTERVAL),
    trips=lambda case: below(_upper(case), case.policy.mpe),
    observed=_upper,
    limit=lambda case: case.policy.mpe,
    says=lambda case: f"Even at best ({_best(case)[0]}) B gains less than the {_best(case)[1]} that matters.",
    passes=lambda case: f"A gain of {_best(case)[1]} is still possible: the 95% interval ends at {_best(case)[0]}.",
    would_change=lambda case: f"upper bound {_best(case)[0]}, needs ≥ {_best(case)[1]}",
)


def _looks(case: Case) -> str:
    if wording.signed(_delta(case)) == wording.signed(0.0):
        queries = wording.count(case.primary.n, "query", "queries")
        return f"The difference is not distinguishable from zero with {queries}."
    side = "better" if _delta(case) > 0 else "worse"
    return f"B looks {side} by {wording.signed(_delta(case))}, but chance alone can do this."


def _resolution(case: Case) -> str:
    things = "affected queries" if case.policy.population == "affected" else "queries"
    return needed(case.primary.n, case.primary.required_n, case.primary.mde80, things)


def _lower_bound_change(case: Case) -> str:
    """The bound, and the queries that are missing where more of them can help."""
    n, required = case.primary.n, case.primary.required_n
    bound = f"lower bound {wording.end(_lower(case))}, needs > 0"
    if required is None or not can_settle(n, required):
        return bound
    return f"about {wording.about(required - n)} more queries ({bound})"


U1 = Rule(
    "U1",
    "better",
    Outcome.NOT_PROVEN,
    needs=(IMPROVE, INTERVAL),
    trips=lambda case: not above(_lower(case), 0.0),
    observed=_lower,
    limit=lambda case: 0.0,
    says=_looks,
    passes=lambda case: f"Chance alone cannot do this: the 95% interval begins at {wording.end(_lower(case))}.",
    would_change=_lower_bound_change,
    next_step=_resolution,
)

U2 = Rule(
    "U2",
    "better",
    Outcome.NOT_PROVEN,
    needs=(IMPROVE, INTERVAL),
    trips=lambda case: below(_delta(case), case.policy.mpe),
    observed=_delta,
    limit=lambda case: case.policy.mpe,
    says=lambda case: (
        f"B is really better, but perhaps by less than the {wording.limit(case.policy.mpe)} that matters."
    ),
    passes=lambda case: f"The gain of {_gain(case)[0]} reaches the {_gain(case)[1]} that matters.",
    would_change=lambda case: f"difference {_gain(case)[0]}, needs ≥ {_gain(case)[1]}",
)


def _more_for_bound(case: Case, delta: float | None, lower: float | None, margin: float) -> str:
    """The queries after which a lower bound clears the margin if the difference stays: it nears by 1 / sqrt(n)."""
    room = (delta or 0.0) + margin
    if delta is None or lower is None or room <= 0:
        return ""
    missing = case.primary.n * (((delta - lower) / room) ** 2 - 1)
    return f"; about {wording.about(missing)} more queries if the difference stays" if missing >= 1 else ""


def _at_worst(case: Case) -> float:
    return case.primary.lower90 or 0.0


N1 = Rule(
    "N1",
    "better",
    Outcome.NOT_PROVEN,
    needs=(DO_NO_HARM, INTERVAL),
    trips=lambda case: not above(_at_worst(case), -case.policy.primary_margin),
    observed=_at_worst,
    limit=lambda case: -case.policy.primary_margin,
    says=lambda case: (
        f"B may be worse by up to {wording.number(-_at_worst(case))}; "
        f"the limit is {wording.limit(case.policy.primary_margin)}."
    ),
    passes=lambda case: (
        f"At worst {wording.signed(_at_worst(case))}; the limit is {wording.limit(-case.policy.primary_margin)}."
    ),
    would_change=lambda case: (
        f"lower bound {wording.signed(_at_worst(case))}, needs > {wording.limit(-case.policy.primary_margin)}"
        + _more_for_bound(case, case.primary.delta, case.primary.lower90, case.policy.primary_margin)
    ),
)


def _least_safe(case: Case) -> Guard:
    """The guardrail that is not safe, the furthest beyond its margin first; else the one nearest to it."""
    return min(guards(case), key=lambda guard: (guard.safe, _worst_value(guard) / guard.margin))


def _worst_value(guard: Guard) -> float:
    return guard.delta if guard.lower90 is None else guard.lower90


def _guard_bound(case: Case) -> str:
    guard = _least_safe(case)
    if guard.lower90 is None:
        return f"{guard.what} is {wording.signed(guard.delta)} on every query, so it has no lower bound"
    bound, limit = wording.apart(guard.lower90, -guard.margin)
    more = _more_for_bound(case, guard.delta, guard.lower90, guard.margin)
    return f"{guard.what} lower bound {bound}, needs > {limit}{more}"


U3 = Rule(
    "U3",
    "harmed",
    Outcome.NOT_PROVEN,
    needs=(GUARDED,),
    trips=lambda case: not _least_safe(case).safe,
    observed=lambda case: _worst_value(_least_safe(case)),
    limit=lambda case: -_least_safe(case).margin,
    says=lambda case: (
        f"A loss over {wording.limit(_least_safe(case).margin)} on {_least_safe(case).what} cannot be ruled out yet."
    ),
    passes=lambda case: (
        "; ".join(f"{guard.what} is safe within {wording.limit(guard.margin)}" for guard in guards(case)) + "."
    ),
    would_change=_guard_bound,
)


def _confirmed(case: Case) -> bool:
    if not usable(case):
        return False
    at_worst = case.votes.lower90
    supports = case.policy.intent != "improve" or (case.votes.delta or 0.0) >= 0
    return at_worst is not None and above(at_worst, -case.policy.votes_margin) and supports


def _not_confirmed(case: Case) -> str:
    if not usable(case):
        return "The policy asks for votes; there are none, or too few."
    return f"Raters do not confirm it: {delta_gsb(case.votes)}."


def _confirming(case: Case) -> str:
    votes = case.evidence.votes
    if votes is None or not votes.n:
        return f"votes: {case.policy.votes_min} queries called good or bad"
    if not usable(case):
        return unusable_limit(votes, case.policy)
    if case.policy.intent == "improve" and (votes.delta or 0.0) < 0:
        return f"ΔGSB {wording.points(votes.delta)}, needs ≥ 0"
    bound = wording.points(votes.lower90)
    return f"lower bound of ΔGSB {bound}, needs > {wording.points(-case.policy.votes_margin)}"


U4 = Rule(
    "U4",
    "harmed",
    Outcome.NOT_PROVEN,
    needs=(Need(lambda case: case.policy.votes == "confirm", "The policy does not ask votes to confirm."),),
    trips=lambda case: not _confirmed(case),
    observed=lambda case: case.evidence.votes.lower90 if case.evidence.votes else None,
    limit=lambda case: -case.policy.votes_margin,
    says=_not_confirmed,
    passes=lambda case: f"Raters confirm it: {delta_gsb(case.votes)}.",
    would_change=_confirming,
)

#: What follows the harm rules, in order; S0 stands before them.
GAIN = (S1, F1, U1, U2, N1, U3, U4)
