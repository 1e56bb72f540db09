"""H1 to H5, the rules of harm, and N1, U3 and U4, which rule a loss out: on the primary measure, on the guardrails, by
the raters. Where harm is only possible it stops a launch all the same, but nobody says "worse".
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from rankdash import wording
from rankdash.evidence.paired import EXACT_UP_TO
from rankdash.verdict import rule
from rankdash.verdict.harms import LEVEL, Tested, above, below, severe_harm_p
from rankdash.verdict.records import Condition, Conditions, Outcome, Relation, Severe, all_of, are_met
from rankdash.verdict.rule import Bound, Doubt, Need, OnLaunch, Rule, RuleInput

#: Sign flips with a p below this agree with a 95% interval that ends below 0.
_ONE_SIDED = 0.025


def _enough_to_say_worse(case: RuleInput) -> bool:
    """Return whether enough queries stand for others; a fixed set stands for none."""
    policy, gate = case.policy, case.gate
    return case.fixed or (not below(gate.size, policy.harm_n_min) and gate.changed >= policy.harm_changed_min)


GATE = Need(
    _enough_to_say_worse,
    lambda case: (
        f"Too little to say worse: {rule.queries_of(case)}, {rule.in_score(case.primary.changed, case.primary)}; "
        f"{wording.count(case.policy.harm_n_min)} and {wording.count(case.policy.harm_changed_min)} are needed."
    ),
)
INTERVAL = Need(lambda case: case.primary.upper95 is not None, "The primary measure has no interval.")
GUARDED = Need(lambda case: bool(case.harms.guards), "The policy names no guardrail that was measured.")


def _improve(case: RuleInput) -> bool:
    return case.policy.intent == "improve"


def limit_of(margin: float) -> str:
    """Return the loss that is allowed, as a limit: "−0.010"."""
    return wording.limit(-margin)


def _doubt(proof: Callable[[RuleInput], tuple[Condition, ...]], says: Callable[[RuleInput], str]) -> Doubt:
    """Return the doubt about a harm: it stops a launch and claims nothing."""
    return Doubt(proof, says, rule.POSSIBLE, rule.LOOK_AT_THESE)


def _primary_harmless(case: RuleInput) -> Conditions:
    bound = Condition("upper bound", case.primary.upper95, "≥", 0.0)
    if _improve(case):
        return all_of(bound)
    return ((Condition("difference", case.primary.delta, ">", -case.policy.primary_margin), bound),)


def _flips_agree(case: RuleInput) -> tuple[Condition, ...]:
    """Return that sign flips prove the loss too; they are tried only where few queries changed."""
    primary = case.primary
    if primary.p_flip is None or primary.changed > EXACT_UP_TO:
        return ()
    return (Condition("p of sign flips", primary.p_flip, "<", _ONE_SIDED, "p"),)


def _primary_note(case: RuleInput) -> str:
    primary, margin = case.primary, case.policy.primary_margin
    if not below(primary.upper95 or 0.0, 0.0):
        return ""
    loss = wording.size_near(-(primary.delta or 0.0), 0.0, margin)
    return f"A loss of {loss} is proven, but it is inside the limit of {wording.limit(margin)}."


def _measured(case: RuleInput) -> str:
    """Return the primary measure beside the limit of the rule."""
    return rule.measured(case) if _improve(case) else rule.measured(case, -case.policy.primary_margin)


H1 = Rule(
    "H1",
    "Loss of the primary measure",
    "harmed",
    Outcome.WORSE,
    needs=(GATE, INTERVAL),
    conditions=_primary_harmless,
    says=lambda case: f"B is worse: {_measured(case)} {rule.on_queries(case)}.",
    doubt=_doubt(
        _flips_agree,
        lambda case: (
            f"B may be worse: {_measured(case)} {rule.on_queries(case)}, but only "
            f"{rule.in_score(case.primary.changed, case.primary)} and sign flips give p = "
            f"{wording.p_value(case.primary.p_flip)}."
        ),
    ),
    passes=lambda case: f"No loss is proven: {_measured(case)}.",
    note=_primary_note,
    moved_by=lambda case: (Bound(case.policy.primary, 0.975),),
    tells=1,
)


def worst(tested: Sequence[Tested]) -> Tested:
    """Return the proven harm that lost most, in margins; else that which stops a launch, else the lowest difference."""
    return min(tested, key=lambda harm: (not harm.proven, not harm.stops, harm.margins_lost))


def _interval(case: RuleInput, harm: Tested) -> str:
    return rule.interval(harm.lower90, harm.upper90, 90, grouped=case.primary.clusters is not None)


def _harmed(case: RuleInput, harm: Tested) -> str:
    delta, bounds = wording.near(harm.delta, 0.0, -harm.margin), "" if case.fixed else f" ({_interval(case, harm)})"
    return f"{harm.what}: {delta}{bounds} {rule.on_queries(case, harm.of)}"


def _claim(case: RuleInput, harm: Tested) -> str:
    return f"B harms {_harmed(case, harm)}, beyond the limit of {limit_of(harm.margin)}."


def _possible(case: RuleInput, harm: Tested) -> str:
    """Return a harm that is no claim, and why: too few queries changed, or chance among all harm tests can do it."""
    why = _by_chance(case)
    if not harm.claimable:
        least = wording.count(case.policy.harm_changed_min)
        why = f"only {rule.in_score(harm.of.changed, case.primary)}, {least} are needed to prove it"
    return f"Possible harm to {_harmed(case, harm)}; {why}."


def _by_chance(case: RuleInput) -> str:
    return f"among {wording.count(case.harms.tests, 'harm test', 'harm tests')} chance can do this"


def harmless(tested: Sequence[Tested]) -> Conditions:
    """Return that none of these is harmed, beginning with the worst."""
    first = worst(tested)
    return tuple(harm.harmless for harm in (first, *(other for other in tested if other is not first)))


def _none_harmed(of: Callable[[RuleInput], Sequence[Tested]], **row: Any) -> Rule:
    """Return a rule that stops a launch where one of several measures or segments is harmed; ``of`` returns them."""
    return Rule(
        question="harmed",
        outcome=Outcome.WORSE,
        conditions=lambda case: harmless(of(case)),
        says=lambda case: _claim(case, worst(of(case))),
        tag=lambda case: f"B harms {worst(of(case)).what}",
        doubt=_doubt(lambda case: worst(of(case)).proof, lambda case: _possible(case, worst(of(case)))),
        moved_by=lambda case: _moved_by(worst(of(case))),
        **row,
    )


def _bounded(case: RuleInput) -> list[Tested]:
    return [guard for guard in case.harms.guards if guard.harmless]


def _guard_note(case: RuleInput) -> str:
    proven = [f"{guard.what} {wording.signed(guard.delta)}" for guard in _bounded(case) if guard.proven_loss]
    return f"A loss is proven, but it is inside the limit: {', '.join(proven)}." if proven else ""


def _guards_pass(case: RuleInput) -> str:
    lowest = min(_bounded(case), key=lambda guard: guard.margins_lost)
    delta = wording.near(lowest.delta, 0.0, -lowest.margin)
    bounds, limit = _interval(case, lowest), limit_of(lowest.margin)
    return f"No harm beyond the limit is proven: {lowest.what} {delta} ({bounds}), limit {limit}."


def _moved_by(tested: Tested) -> tuple[Bound, ...] | None:
    """Return the bound of a measure; None for a segment."""
    return None if tested.of.column else (Bound(tested.of.measure, 0.95),)


H2 = _none_harmed(
    _bounded,
    id="H2",
    name="Harm to a guardrail",
    needs=(GATE, GUARDED, Need(lambda case: bool(_bounded(case)), "No guardrail has an interval on enough queries.")),
    passes=_guards_pass,
    note=_guard_note,
    tells=2,
)


def _raters_tag(case: RuleInput) -> str:
    """Return the tag of an objection: that raters prefer A where the measure proves a gain, else that B is worse."""
    primary = case.primary
    gains = (primary.delta or 0.0) > 0 if case.fixed else above(primary.lower95 or 0.0, 0.0)
    return "raters prefer A" if gains else "B is worse"


def _no_objection(case: RuleInput) -> list[str]:
    """Return what a launch says of votes that may only stop it; of votes that must confirm it, U4 says it."""
    return [] if case.policy.votes == "confirm" else [f"raters: {rule.voted(case)}, no objection proven"]


def _not_objected(case: RuleInput) -> Conditions:
    """Return that no objection of raters is proven; without an interval nothing is."""
    upper = case.votes.upper95
    return () if upper is None else all_of(Condition("upper bound of ΔGSB", upper, "≥", 0.0, "points"))


H3 = Rule(
    "H3",
    "Objection of raters",
    "harmed",
    Outcome.WORSE,
    needs=(Need(lambda case: case.policy.votes != "inform", "The policy only shows votes."), rule.USABLE_VOTES, GATE),
    conditions=_not_objected,
    says=rule.raters_prefer_a,
    tag=_raters_tag,
    passes=lambda case: f"No objection of raters is proven: {rule.voted(case)}.",
    on_launch=OnLaunch(safe=_no_objection, place=rule.OF_RATERS),
)


def watched(case: RuleInput) -> Sequence[Tested]:
    """Return the watch measures and the segments."""
    return (*case.harms.watched, *case.harms.segmented)


def watched_names(case: RuleInput) -> list[str]:
    """Return the watch measures, and the columns whose segments are watched."""
    columns = dict.fromkeys(f"segments of {harm.of.column}" for harm in case.harms.segmented)
    return [*(harm.what for harm in case.harms.watched), *columns]


def _watch_passes(case: RuleInput) -> str:
    lowest = worst(watched(case))
    delta = wording.near(lowest.delta, 0.0, -lowest.margin)
    return f"No harm is proven to watch measures and segments; the lowest is {lowest.what} {delta}."


H4 = _none_harmed(
    watched,
    id="H4",
    name="Harm to watched measures",
    needs=(GATE, Need(lambda case: bool(watched(case)), "No watch measure and no segment can be judged.")),
    passes=_watch_passes,
    on_launch=OnLaunch(safe=watched_names, begins="no harm proven to", place=rule.OF_WATCHED),
)


def _by_more_than_chance(severe: Severe) -> bool:
    """Return whether there are more severe losses than wins, and more than chance makes of so many severe changes."""
    return severe.losses > severe.wins and severe_harm_p(severe) < LEVEL


def _excess(case: RuleInput, relation: Relation) -> Condition:
    """Return that severe losses exceed severe wins by no more than the policy allows, as a share of the queries."""
    severe, n = case.harms.severe, case.primary.n if case.fixed else case.gate.size
    share = (severe.losses - severe.wins) / max(n, 1.0)
    return Condition("excess of big losses", share, relation, case.policy.big_excess_min, "share")


def _breaks_no_more(case: RuleInput) -> Conditions:
    """Return that there are no more severe losses than the policy allows, than severe wins, or than chance makes. In a
    fixed set only the policy's limit counts, which may be reached.
    """
    if case.fixed:
        return all_of(_excess(case, "≤"))
    severe = case.harms.severe
    more = Condition("big losses", severe.losses, "≤", severe.wins, "count")
    chance = Condition("p of big losses", severe_harm_p(severe), "≥", LEVEL, "p")
    return ((_excess(case, "<"), more, chance),)


def _severe_counts(case: RuleInput) -> str:
    """Return "45 big losses against 20 big wins"."""
    severe = case.harms.severe
    losses = wording.count(severe.losses, "big loss", "big losses")
    return f"{losses} against {wording.count(severe.wins, 'big win', 'big wins')}"


def _severe_on(case: RuleInput) -> str:
    """Return the same with the size that is big, and the queries."""
    return f"{_severe_counts(case)} (|Δ| ≥ {wording.limit(case.policy.severe)}) {rule.on_queries(case)}"


def _excess_of_limit(case: RuleInput) -> str:
    """Return how far severe losses exceed severe wins, beside the limit: "an excess of 0.4% of the queries, …"."""
    shown, limit = rule.shown_numbers(_excess(case, "<"))
    return f"an excess of {shown} of the queries, the limit is {limit}"


def _severe_passes(case: RuleInput) -> str:
    severe = case.harms.severe
    if severe.losses <= severe.wins:
        return f"{_severe_counts(case)}."
    why = _excess_of_limit(case) if case.fixed or _by_more_than_chance(severe) else "no more than chance makes"
    return f"{_severe_counts(case)}: {why}."


H5 = Rule(
    "H5",
    "Big losses",
    "harmed",
    Outcome.WORSE,
    needs=(GATE, Need(lambda case: case.reading.severe is not None, "Severe changes were not counted.")),
    conditions=_breaks_no_more,
    says=lambda case: f"B breaks more queries than it rescues: {_severe_on(case)}.",
    tag=lambda case: "B breaks some queries",
    doubt=_doubt(
        lambda case: case.harms.severe_proof,
        lambda case: f"B may break more queries than it rescues: {_severe_on(case)}; {_by_chance(case)}.",
    ),
    passes=_severe_passes,
    moved_by=lambda case: (Bound(case.policy.primary, 0.0),),
)

HARM = (H1, H2, H3, H4, H5)


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
    return f"; about {wording.about(rule.judged(case, missing))} more {which} if the difference stays"


def _worst_near(case: RuleInput) -> str:
    return wording.near(case.at_worst, -case.policy.primary_margin)


N1 = Rule(
    "N1",
    "Loss within the limit",
    "better",
    Outcome.NOT_PROVEN,
    is_one_sided=True,
    needs=(DO_NO_HARM, INTERVAL),
    conditions=lambda case: all_of(Condition("lower bound", case.at_worst, ">", -case.policy.primary_margin)),
    says=lambda case: (
        f"B may be worse by up to {wording.size_near(-case.at_worst, case.policy.primary_margin)} "
        f"{rule.on_queries(case)}; the limit is {wording.limit(case.policy.primary_margin)}."
    ),
    passes=lambda case: f"At worst {_worst_near(case)}; the limit is {limit_of(case.policy.primary_margin)}.",
    would_change=lambda case: (
        f"lower bound {_worst_near(case)}, needs > {limit_of(case.policy.primary_margin)}"
        + _more_for_bound(case, case.primary.n, case.primary.delta, case.at_worst, case.policy.primary_margin)
    ),
    moved_by=lambda case: (rule.lower_bound(case),),
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
    return f"{text}: it may be {wording.size_near(-guard.lower90, guard.margin)} {rule.on_queries(case, guard.of)}."


def _guard_bound(case: RuleInput) -> str:
    guard = _least_safe(case)
    if guard.lower90 is None:
        changed, needed = guard.of.changed, case.policy.harm_changed_min
        units = ("query", "queries") if case.primary.clusters is None else ("group", "groups")
        some = f"{wording.count(changed, *units)} that {rule.differs(changed)} by {guard.what}"
        return f"{some}, needs ≥ {wording.count(needed)}"
    bound = wording.near(guard.lower90, -guard.margin)
    more = _more_for_bound(case, guard.of.n, guard.delta, guard.lower90, guard.margin)
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
    moved_by=lambda case: (Bound(_least_safe(case).of.measure, -0.95),),
    tells=3,
    on_launch=OnLaunch(safe=_safe_guards, kept=True, place=rule.OF_GUARDRAILS),
)


def _confirming(case: RuleInput) -> Conditions:
    """Return that the votes can be used, and rule out a loss; where B must be better they prefer it, too."""
    enough = rule.usable_votes(case)
    if not are_met(enough):
        return enough
    bound = Condition("lower bound of ΔGSB", case.votes.lower90, ">", -case.policy.votes_margin, "points")
    ahead = Condition("ΔGSB", case.votes.delta, "≥", 0.0, "points")
    return (*all_of(*((ahead, bound) if case.policy.intent == "improve" else (bound,))), *enough)


def _not_confirmed(case: RuleInput) -> str:
    votes = case.evidence.votes
    if votes is not None and rule.why_unusable(votes, case.policy) == "sides":
        return "The policy asks for votes; B stood on one side in nearly all of them."
    if not rule.usable(case):
        return "The policy asks for votes; there are none, or too few."
    return f"Raters do not confirm it: {rule.voted(case)}."


U4 = Rule(
    "U4",
    "Raters confirm it",
    "harmed",
    Outcome.NOT_PROVEN,
    needs=(Need(lambda case: case.policy.votes == "confirm", "The policy does not ask votes to confirm."),),
    conditions=_confirming,
    says=_not_confirmed,
    passes=lambda case: f"Raters confirm it: {rule.voted(case)}.",
    next_step=lambda case: "Collect more votes.",
    on_launch=OnLaunch(safe=lambda case: [f"raters confirm it: {rule.voted(case)}"], place=rule.OF_RATERS),
)

SAFETY = (N1, U3, U4)
