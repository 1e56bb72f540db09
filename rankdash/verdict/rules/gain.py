"""S0, S1, F1, U1 and U2: is there enough, and is it a gain that matters?"""

from __future__ import annotations

import math

from rankdash import wording
from rankdash.verdict.records import Outcome, Primary
from rankdash.verdict.rules.families import above, below
from rankdash.verdict.rules.harm import INTERVAL
from rankdash.verdict.rules.rule import Case, Doubt, Need, Rule
from rankdash.verdict.rules.words import can_settle, interval

IMPROVE = Need(lambda case: case.policy.intent == "improve", "The policy asks only that B does no harm.")


def _lower(case: Case) -> float:
    return case.primary.lower95 or 0.0


def _upper(case: Case) -> float:
    return case.primary.upper95 or 0.0


def _delta(case: Case) -> float:
    return case.primary.delta or 0.0


def _no_interval(case: Case) -> str:
    primary, least = case.primary, case.policy.harm_changed_min
    if not primary.delta:
        return f"B changes nothing that {wording.shown(case.policy.primary)} sees: the difference is 0 on every query."
    queries = wording.count(primary.n, "query is", "queries are")
    return (
        f"The difference is {wording.signed(primary.delta)} on every query; "
        f"{queries} too few to rule out chance, {wording.count(least)} are needed."
    )


def _another_difference(case: Case) -> str:
    if not case.primary.delta:
        return f"a query on which {wording.shown(case.policy.primary)} differs"
    missing = case.policy.harm_changed_min - case.primary.changed
    return _more(0, missing, "more query that differs", "more queries that differ")


S0 = Rule(
    "S0",
    "Differences vary",
    "enough",
    Outcome.NOT_PROVEN,
    trips=lambda case: case.primary.lower95 is None,
    observed=lambda case: case.primary.delta,
    says=_no_interval,
    passes=lambda case: (
        "The difference is the same on every query, so the exact test decides."
        if case.reading.primary.lower95 is None
        else "The differences vary, so an interval can be drawn."
    ),
    would_change=_another_difference,
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
    return below(case.gate.size, case.policy.n_min)


S1 = Rule(
    "S1",
    "Queries, and changed queries",
    "enough",
    Outcome.NOT_PROVEN,
    trips=lambda case: _few(case) or case.gate.changed < case.policy.changed_min,
    observed=lambda case: float(case.primary.size if _few(case) else case.primary.changed),
    limit=lambda case: float(case.policy.n_min if _few(case) else case.policy.changed_min),
    shown=wording.count,
    must="at least",
    says=lambda case: (
        f"Only {_queries(case.primary)}, {wording.count(case.primary.changed)} of them changed; "
        f"a launch needs {wording.count(case.policy.n_min)} and {wording.count(case.policy.changed_min)}."
    ),
    passes=lambda case: (
        f"{_queries(case.primary)}, {wording.count(case.primary.changed)} of them changed; "
        f"a launch needs {wording.count(case.policy.n_min)} and {wording.count(case.policy.changed_min)}."
    ),
    would_change=lambda case: _missing_to_launch(case) + _and_a_better_model(case),
    next_step=lambda case: f"Add {_missing_to_launch(case)}, or collect votes.",
)


def _and_a_better_model(case: Case) -> str:
    """Return what more queries alone cannot give, where B must be better and is not ahead."""
    behind = case.policy.intent == "improve" and not above(_delta(case), 0.0)
    return f", and {_better_model(case)}" if behind else ""


def _better_model(case: Case) -> str:
    return f"a better B: difference {wording.signed(_delta(case))}, needs ≥ {_mpe(case)}"


def _mpe(case: Case) -> str:
    return wording.limit(case.policy.mpe)


def _loss_to_rule_out(case: Case) -> float:
    return max(case.policy.mpe, case.policy.primary_margin)


def _at_best(case: Case) -> str:
    return f"Even at best B gains less than the {_mpe(case)} that matters"


def _shown(case: Case) -> str:
    return interval(_lower(case), _upper(case), 95)


F1 = Rule(
    "F1",
    "Gain still possible",
    "better",
    Outcome.TOO_SMALL,
    needs=(IMPROVE, INTERVAL, Need(lambda case: case.policy.mpe > 0, "Any proven gain counts.")),
    trips=lambda case: below(_upper(case), case.policy.mpe),
    observed=_upper,
    limit=lambda case: case.policy.mpe,
    must="at least",
    says=lambda case: (
        f"{_at_best(case)}, and it does not lose more than {wording.limit(_loss_to_rule_out(case))} ({_shown(case)})."
    ),
    doubt=Doubt(
        lambda case: above(_lower(case), -_loss_to_rule_out(case)),
        lambda case: f"{_at_best(case)}, and it may lose {wording.number(-_lower(case))} ({_shown(case)}).",
        "no gain in sight",
        "Look at the losses; more queries can only tell how large the loss is.",
    ),
    passes=lambda case: (
        f"A gain of {_mpe(case)} is still possible: the 95% interval ends at {wording.signed(_upper(case))}."
    ),
    would_change=lambda case: f"upper bound {wording.signed(_upper(case))}, needs ≥ {_mpe(case)}",
)


def _looks(case: Case) -> str:
    if wording.signed(_delta(case)) == wording.signed(0.0):
        queries = wording.count(case.primary.n, "query", "queries")
        return f"The difference is not distinguishable from zero with {queries}."
    side = "better" if _delta(case) > 0 else "worse"
    return f"B looks {side} by {wording.number(abs(_delta(case)))}, but chance alone can do this."


def _reaches(case: Case) -> bool:
    """Whether B is ahead by what matters."""
    return _delta(case) > 0 and not below(_delta(case), case.policy.mpe)


def _needed(case: Case) -> list[str]:
    """Return how many queries a gain that matters takes, and a difference as seen, where these are more
    than there are.
    """
    primary, result = case.primary, []
    if primary.required_n_mpe is not None and primary.required_n_mpe > primary.n:
        result.append(f"; a gain of {_mpe(case)} needs about {wording.about(primary.required_n_mpe)} queries")
    if _reaches(case) and primary.required_n_seen is not None and primary.required_n_seen > primary.n:
        about, seen = wording.about(primary.required_n_seen), f"a difference as seen ({wording.signed(_delta(case))})"
        result.append(f", {seen} about {about}" if result else f"; {seen} needs about {about} queries")
    return result


def _who_is_ahead(case: Case) -> str:
    """Return what more queries cannot settle, or cannot mend."""
    primary = case.primary
    if _delta(case) < 0:
        return " A is ahead: look at the losses first."
    if not _delta(case):
        return " A and B are level."
    needed = primary.required_n_seen if _reaches(case) else primary.required_n_mpe
    hopeless = needed is not None and needed > 10 * primary.n
    return " More queries will not settle this; use votes or an online test." if hopeless else ""


def _resolution(case: Case) -> str:
    """Return what this set can tell; "" where that is not known."""
    if case.primary.mde80 is None:
        return ""
    return (
        f"This set resolves about ±{wording.number(case.primary.mde80)}{''.join(_needed(case))}.{_who_is_ahead(case)}"
    )


def _lower_bound_change(case: Case) -> str:
    """What is missing: a better B, the gain and the bound, or only queries."""
    n, required = case.primary.n, case.primary.required_n_seen
    bound = f"lower bound {wording.signed(_lower(case))}, needs > 0"
    if not above(_delta(case), 0.0):
        return f"{_better_model(case)}; more queries alone do not launch it"
    if not _reaches(case):
        return f"difference {wording.signed(_delta(case))}, needs ≥ {_mpe(case)}, and {bound}"
    if required is None or not can_settle(n, required):
        return bound
    return f"about {wording.about(required - n)} more queries if the difference stays ({bound})"


U1 = Rule(
    "U1",
    "Gain is not chance",
    "better",
    Outcome.NOT_PROVEN,
    needs=(IMPROVE, INTERVAL),
    trips=lambda case: not above(_lower(case), 0.0),
    observed=_lower,
    limit=lambda case: 0.0,
    must="above",
    says=_looks,
    passes=lambda case: f"Chance alone cannot do this: the 95% interval begins at {wording.signed(_lower(case))}.",
    would_change=_lower_bound_change,
    next_step=_resolution,
)

U2 = Rule(
    "U2",
    "Gain that matters",
    "better",
    Outcome.NOT_PROVEN,
    needs=(IMPROVE, INTERVAL),
    trips=lambda case: below(_delta(case), case.policy.mpe),
    observed=_delta,
    limit=lambda case: case.policy.mpe,
    must="at least",
    says=lambda case: (
        f"B is really better, but perhaps by less than the {wording.limit(case.policy.mpe)} that matters."
    ),
    passes=lambda case: f"The gain of {wording.signed(_delta(case))} reaches the {_mpe(case)} that matters.",
    would_change=lambda case: f"difference {wording.signed(_delta(case))}, needs ≥ {_mpe(case)}",
)

#: What a gain takes; S0 stands before the harm rules, these behind them.
GAIN = (S1, F1, U1, U2)
