"""N1, U3 and U4: is a loss ruled out, on the primary measure, on the guardrails and by the raters?"""

from __future__ import annotations

from rankdash import wording
from rankdash.verdict.records import Outcome
from rankdash.verdict.rules.families import Tested, above
from rankdash.verdict.rules.harm import GUARDED, INTERVAL
from rankdash.verdict.rules.rule import Case, Need, Rule
from rankdash.verdict.rules.voting import delta_gsb, unusable_limit, usable

DO_NO_HARM = Need(lambda case: case.policy.intent == "do_no_harm", "The policy asks for a gain.")


def _more_for_bound(case: Case, delta: float | None, lower: float | None, margin: float) -> str:
    """Return the queries after which a lower bound clears the margin if the difference stays: it nears by 1
    / sqrt(n).
    """
    room = (delta or 0.0) + margin
    if delta is None or lower is None or room <= 0:
        return ""
    missing = case.primary.n * (((delta - lower) / room) ** 2 - 1)
    return f"; about {wording.about(missing)} more queries if the difference stays" if missing >= 1 else ""


def _at_worst(case: Case) -> float:
    return case.primary.lower90 or 0.0


N1 = Rule(
    "N1",
    "Not worse than allowed",
    "better",
    Outcome.NOT_PROVEN,
    needs=(DO_NO_HARM, INTERVAL),
    trips=lambda case: not above(_at_worst(case), -case.policy.primary_margin),
    observed=_at_worst,
    limit=lambda case: -case.policy.primary_margin,
    must="above",
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


def least_safe(case: Case) -> Tested:
    """Return the guardrail that is not safe, the furthest beyond its margin first; else the one nearest to it."""
    return min(case.harms.guards, key=lambda guard: (guard.safe, _worst_value(guard) / guard.margin))


def _worst_value(guard: Tested) -> float:
    return guard.delta if guard.lower90 is None else guard.lower90


def _guard_bound(case: Case) -> str:
    guard = least_safe(case)
    if guard.lower90 is None:
        return f"{guard.what} is {wording.signed(guard.delta)} on every query, so it has no lower bound"
    bound, limit = wording.signed(guard.lower90), wording.limit(-guard.margin)
    more = _more_for_bound(case, guard.delta, guard.lower90, guard.margin)
    return f"{guard.what} lower bound {bound}, needs > {limit}{more}"


U3 = Rule(
    "U3",
    "Guardrail shown safe",
    "harmed",
    Outcome.NOT_PROVEN,
    needs=(GUARDED,),
    trips=lambda case: not least_safe(case).safe,
    observed=lambda case: _worst_value(least_safe(case)),
    limit=lambda case: -least_safe(case).margin,
    must="above",
    says=lambda case: (
        f"A loss over {wording.limit(least_safe(case).margin)} on {least_safe(case).what} cannot be ruled out yet."
    ),
    passes=lambda case: (
        "; ".join(f"{guard.what} is safe within {wording.limit(guard.margin)}" for guard in case.harms.guards) + "."
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
    "Raters confirm it",
    "harmed",
    Outcome.NOT_PROVEN,
    needs=(Need(lambda case: case.policy.votes == "confirm", "The policy does not ask votes to confirm."),),
    trips=lambda case: not _confirmed(case),
    observed=lambda case: case.evidence.votes.lower90 if case.evidence.votes else None,
    limit=lambda case: -case.policy.votes_margin,
    shown=wording.points,
    must="above",
    says=_not_confirmed,
    passes=lambda case: f"Raters confirm it: {delta_gsb(case.votes)}.",
    would_change=_confirming,
)

SAFETY = (N1, U3, U4)
