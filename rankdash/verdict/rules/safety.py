"""N1, U3 and U4: is a loss ruled out, on the primary measure, on the guardrails and by the raters?"""

from __future__ import annotations

from rankdash import wording
from rankdash.verdict.records import Condition, Conditions, Outcome, all_of, are_met
from rankdash.verdict.rules.families import Tested
from rankdash.verdict.rules.harm import GUARDED, INTERVAL, limit_of
from rankdash.verdict.rules.rule import (
    OF_GUARDRAILS,
    OF_RATERS,
    Bound,
    Need,
    OnLaunch,
    Rule,
    RuleInput,
    lower_bound,
)
from rankdash.verdict.rules.voting import usable, usable_votes, voted, why_unusable
from rankdash.verdict.rules.words import differs, judged, on_queries

DO_NO_HARM = Need(lambda case: case.policy.intent == "do_no_harm", "The policy asks for a gain.")


def _more_for_bound(case: RuleInput, n: int, delta: float | None, lower: float | None, margin: float) -> str:
    """Return how many more queries bring a lower bound above the margin if the difference stays: the distance of the
    two falls with 1 / sqrt(n).
    """
    room = (delta or 0.0) + margin
    if delta is None or lower is None or room <= 0:
        return ""
    missing = n * (((delta - lower) / room) ** 2 - 1)
    if missing < 1:
        return ""
    which = "judged queries" if case.policy.population == "affected" else "queries"
    return f"; about {wording.about(judged(case, missing))} more {which} if the difference stays"


def _at_worst(case: RuleInput) -> float:
    return case.primary.lower90 or 0.0


def _worst_near(case: RuleInput) -> str:
    return wording.near(_at_worst(case), -case.policy.primary_margin)


N1 = Rule(
    "N1",
    "Loss within the limit",
    "better",
    Outcome.NOT_PROVEN,
    is_one_sided=True,
    needs=(DO_NO_HARM, INTERVAL),
    conditions=lambda case: all_of(Condition("lower bound", _at_worst(case), ">", -case.policy.primary_margin)),
    says=lambda case: (
        f"B may be worse by up to {wording.size_near(-_at_worst(case), case.policy.primary_margin)} "
        f"{on_queries(case)}; the limit is {wording.limit(case.policy.primary_margin)}."
    ),
    passes=lambda case: f"At worst {_worst_near(case)}; the limit is {limit_of(case.policy.primary_margin)}.",
    would_change=lambda case: (
        f"lower bound {_worst_near(case)}, needs > {limit_of(case.policy.primary_margin)}"
        + _more_for_bound(case, case.primary.n, case.primary.delta, case.primary.lower90, case.policy.primary_margin)
    ),
    moved_by=lambda case: (lower_bound(case),),
    tells=2,
    on_launch=OnLaunch(kept=True),
)


def _from_least_safe(case: RuleInput) -> list[Tested]:
    """Return the guardrails, those that are not safe first, and of these that which lies furthest beyond its margin."""
    return sorted(case.harms.guards, key=lambda guard: (guard.safe, _worst_value(guard) / guard.margin))


def _least_safe(case: RuleInput) -> Tested:
    return _from_least_safe(case)[0]


def _worst_value(guard: Tested) -> float:
    return guard.delta if guard.lower90 is None else guard.lower90


def _guard_says(case: RuleInput) -> str:
    guard = _least_safe(case)
    text = f"A loss over {wording.limit(guard.margin)} on {guard.what} cannot be ruled out yet"
    if guard.lower90 is None:
        units = "queries" if case.primary.clusters is None else "groups"
        return f"{text}: too few {units} differ in score."
    return f"{text}: it may be {wording.size_near(-guard.lower90, guard.margin)} {on_queries(case, guard.of)}."


def _guard_bound(case: RuleInput) -> str:
    guard = _least_safe(case)
    if guard.lower90 is None:
        changed, needed = guard.changed or 0, case.policy.harm_changed_min
        units = ("query", "queries") if case.primary.clusters is None else ("group", "groups")
        some = f"{wording.count(changed, *units)} that {differs(changed)} by {guard.what}"
        return f"{some}, needs ≥ {wording.count(needed)}"
    bound = wording.near(guard.lower90, -guard.margin)
    more = _more_for_bound(case, guard.of.n or case.primary.n, guard.delta, guard.lower90, guard.margin)
    return f"{guard.what} lower bound {bound}, needs > {limit_of(guard.margin)}{more}"


def _safe_guards(case: RuleInput) -> list[str]:
    return [f"{guard.what} is safe within {wording.limit(guard.margin)}" for guard in case.harms.guards]


U3 = Rule(
    "U3",
    "Guardrail shown safe",
    "harmed",
    Outcome.NOT_PROVEN,
    is_one_sided=True,
    needs=(GUARDED,),
    conditions=lambda case: tuple(guard.is_safe for guard in _from_least_safe(case)),
    says=_guard_says,
    passes=lambda case: f"{'; '.join(_safe_guards(case))}.",
    would_change=_guard_bound,
    moved_by=lambda case: (Bound(_least_safe(case).name, -0.95),),
    tells=3,
    on_launch=OnLaunch(safe=_safe_guards, kept=True, place=OF_GUARDRAILS),
)


def _confirming(case: RuleInput) -> Conditions:
    """Return that the votes can be used, and rule out a loss; where B must be better they prefer it, too."""
    usable = usable_votes(case)
    if not are_met(usable):
        return usable
    bound = Condition("lower bound of ΔGSB", case.votes.lower90, ">", -case.policy.votes_margin, "points")
    ahead = Condition("ΔGSB", case.votes.delta, "≥", 0.0, "points")
    return (*all_of(*((ahead, bound) if case.policy.intent == "improve" else (bound,))), *usable)


def _not_confirmed(case: RuleInput) -> str:
    votes = case.evidence.votes
    if votes is not None and why_unusable(votes, case.policy) == "sides":
        return "The policy asks for votes; B stood on one side in nearly all of them."
    if not usable(case):
        return "The policy asks for votes; there are none, or too few."
    return f"Raters do not confirm it: {voted(case)}."


U4 = Rule(
    "U4",
    "Raters confirm it",
    "harmed",
    Outcome.NOT_PROVEN,
    needs=(Need(lambda case: case.policy.votes == "confirm", "The policy does not ask votes to confirm."),),
    conditions=_confirming,
    says=_not_confirmed,
    passes=lambda case: f"Raters confirm it: {voted(case)}.",
    next_step=lambda case: "Collect more votes.",
    on_launch=OnLaunch(safe=lambda case: [f"raters confirm it: {voted(case)}"], place=OF_RATERS),
)

SAFETY = (N1, U3, U4)
