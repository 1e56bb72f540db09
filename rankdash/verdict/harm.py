"""H1 to H5, the rules of harm, and N1, U3 and U4, which rule a loss out: on the primary measure, on the guardrails, by
the raters. Where harm is only possible it stops a launch all the same, but nobody says "worse".
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from statistics import NormalDist
from typing import Any

from rankdash import wording
from rankdash.evidence.paired import EXACT_UP_TO
from rankdash.metrics import definition_of
from rankdash.verdict import rule
from rankdash.verdict.records import (
    LEVEL,
    Condition,
    Conditions,
    Outcome,
    Relation,
    Tested,
    above,
    all_of,
    are_met,
    below,
    severe_harm_p,
    toward,
)
from rankdash.verdict.rule import Bound, Doubt, Need, Rule, RuleInput

#: Sign flips with a p below this agree with a 95% interval that ends below 0.
_ONE_SIDED = 0.025


def _enough_to_say_worse(case: RuleInput) -> bool:
    """Return whether enough queries were sampled; a fixed set is no sample."""
    policy, gate = case.policy, case.gate
    return case.fixed or (not below(gate.size, policy.harm_n_min) and gate.changed >= policy.harm_changed_min)


GATE = Need(
    _enough_to_say_worse,
    lambda case: (
        f"Only {rule.counted(case, 'To say worse takes', case.policy.harm_n_min, case.policy.harm_changed_min)}"
    ),
)
INTERVAL = Need(lambda case: case.primary.upper95 is not None, "The primary measure has no interval.")
GUARDED = Need(lambda case: bool(case.harms.guards), "No guardrail was measured.")


def _doubt(
    proof: Callable[[RuleInput], tuple[Condition, ...]],
    says: Callable[[RuleInput], str],
    losses: Callable[[RuleInput], str],
) -> Doubt:
    """Return the doubt about a harm: it stops a launch and claims nothing. ``losses`` names where to look."""
    return Doubt(
        proof,
        says,
        rule.POSSIBLE,
        lambda case: f"Look at {losses(case)}. More {case.nouns.queries} show whether the harm is real.",
    )


def _losses_on(case: RuleInput) -> str:
    return f"the losses on {case.primary_label}"


def _primary_harmless(case: RuleInput) -> Conditions:
    bound = Condition("upper bound", case.primary.upper95, "≥", 0.0)
    if case.policy.intent == "improve":
        return all_of(bound)
    return ((Condition("difference", case.primary.delta, ">", -case.policy.primary_margin), bound),)


def _flips_agree(case: RuleInput) -> tuple[Condition, ...]:
    """Return that sign flips prove the loss too; they are tried only where few queries changed."""
    primary = case.primary
    if primary.p_flip is None or primary.changed > EXACT_UP_TO:
        return ()
    return (Condition("p of sign flips", primary.p_flip, "<", _ONE_SIDED, "p"),)


def _primary_note(case: RuleInput) -> str:
    delta = wording.near(case.primary.delta, 0.0, -case.policy.primary_margin)
    allowed = f"A loss is proven, but it is allowed: {case.primary_label} {delta}."
    return allowed if below(case.primary.upper95 or 0.0, 0.0) else ""


def _moves(case: RuleInput) -> str:
    """Return what B does to the primary measure, beside the limit of the rule."""
    limits = () if case.policy.intent == "improve" else (case.policy.primary_margin,)
    return f"{rule.moves(case, *limits)}."


H1 = Rule(
    "H1",
    "Loss of the primary measure",
    "harmed",
    Outcome.WORSE,
    needs=(GATE, INTERVAL),
    conditions=_primary_harmless,
    says=_moves,
    next_step=lambda case: f"Do not launch: fix {_losses_on(case)}.",
    doubt=_doubt(
        _flips_agree,
        lambda case: (
            f"{_moves(case)} It rests on only {rule.in_score(case.primary.changed, case)}, so it could be chance."
        ),
        _losses_on,
    ),
    passes=lambda case: _primary_note(case) or f"On {case.primary_label} no loss is proven.",
    note=_primary_note,
    moved_by=lambda case: (Bound(case.policy.primary, 0.975),),
    tells=1,
)


def worst(tested: Sequence[Tested]) -> Tested:
    """Return the largest proven harm, in margins; else the harm that stops a launch, else the lowest difference."""
    return min(tested, key=lambda harm: (not harm.proven, not harm.stops, harm.margins_lost))


def _interval(case: RuleInput, harm: Tested) -> str:
    low, high = toward(harm.of.good, harm.lower90, harm.upper90)
    return rule.interval(low, high, 90, each=rule.units(case)[0], decimals=1 if _unit(harm) else 3)


def _unit(harm: Tested) -> str:
    """Return the unit behind a number of a measure where less is better; "" for others."""
    return f" {definition_of(harm.of.measure).unit}" if harm.of.good < 0 else ""


def _loss_on(harm: Tested, fall: str = "loss on") -> str:
    return f"{'rise of' if _unit(harm) else fall} {harm.what}"


def _falls(case: RuleInput, harm: Tested, verbs: tuple[str, str]) -> str:
    unit, bounds = _unit(harm), "" if case.fixed else f" ({_interval(case, harm)})"
    size = wording.size_near(-harm.delta, 0.0, harm.margin, decimals=1 if unit else 3)
    what = f"{case.primary_label} on {harm.what}" if harm.of.column else harm.what
    return f"{what} {verbs[bool(unit)]} by {size}{unit}{bounds} {rule.on_queries(case, harm.of)}"


def _possible(case: RuleInput, harm: Tested) -> str:
    """Return a harm that is no claim, and why: too few queries changed, or chance among all harm tests can do it."""
    why = f". {_by_chance(case)}"
    if not harm.claimable:
        least = wording.count(case.policy.harm_changed_min)
        why = f"; it has only {rule.in_score(harm.of.changed, case)}, and {least} are needed to prove it"
    return f"{_falls(case, harm, ('may fall', 'may rise'))}{why}."


def _by_chance(case: RuleInput) -> str:
    tests = case.harms.tests
    return "This could be chance" if tests == 1 else f"One of {wording.count(tests)} such tests can show this by chance"


def harmless(tested: Sequence[Tested]) -> Conditions:
    """Return that none of these is harmed, beginning with the worst."""
    first = worst(tested)
    return tuple(harm.harmless for harm in (first, *(other for other in tested if other is not first)))


def _none_harmed(of: Callable[[RuleInput], Sequence[Tested]], **row: Any) -> Rule:
    """Return a rule that stops a launch where one of several measures or segments is harmed; ``of`` returns them."""

    def says(case: RuleInput) -> str:
        harm = worst(of(case))
        return f"{_falls(case, harm, ('falls', 'rises'))}; {rule.allowed(case, harm.margin, _unit(harm))}."

    return Rule(
        question="harmed",
        outcome=Outcome.WORSE,
        conditions=lambda case: harmless(of(case)),
        says=says,
        tag=lambda case: f"B harms {worst(of(case)).what}",
        next_step=lambda case: f"Do not launch: fix the {_loss_on(worst(of(case)))}.",
        doubt=_doubt(
            lambda case: worst(of(case)).proof,
            lambda case: _possible(case, worst(of(case))),
            lambda case: f"the {_loss_on(worst(of(case)), 'losses on')}",
        ),
        moved_by=lambda case: _moved_by(worst(of(case))),
        **row,
    )


def _bounded(case: RuleInput) -> list[Tested]:
    return [guard for guard in case.harms.guards if guard.harmless]


def _guard_note(case: RuleInput) -> str:
    proven = [f"{guard.what} {wording.signed(guard.delta)}" for guard in _bounded(case) if guard.proven_loss]
    return f"A loss is proven, but it is allowed: {', '.join(proven)}." if proven else ""


def within(case: RuleInput, tested: Sequence[Tested]) -> str:
    """Return that no loss is beyond its limit, in a sample that none is proven to be, with the worst of them."""
    lowest = worst(tested)
    delta, margin = (lowest.of.good * number for number in (lowest.delta, lowest.margin))
    bounds = "" if case.fixed else f" ({_interval(case, lowest)})"
    shown = f"{lowest.what} {wording.near(delta, 0.0, -margin)}{bounds}, limit {wording.limit(-margin)}"
    return f"No loss beyond its limit{'' if case.fixed else ' is proven'}. The worst is {shown}."


def _moved_by(tested: Tested) -> tuple[Bound, ...] | None:
    """Return the bound of a measure; None for a segment."""
    return None if tested.of.column else (Bound(tested.of.measure, 0.95),)


H2 = _none_harmed(
    _bounded,
    id="H2",
    name="Harm to a guardrail",
    needs=(GATE, GUARDED, Need(lambda case: bool(_bounded(case)), "No guardrail has an interval on enough queries.")),
    passes=lambda case: within(case, _bounded(case)),
    note=_guard_note,
    tells=2,
)


def _raters_tag(case: RuleInput) -> str:
    """Return the tag of an objection: that raters prefer A where the measure proves a gain, else that B is worse."""
    primary = case.primary
    gains = (primary.delta or 0.0) > 0 if case.fixed else above(primary.lower95 or 0.0, 0.0)
    return "raters prefer A" if gains else "B is worse"


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
    next_step=lambda case: f"Do not launch: look at the {case.nouns.queries} that raters call bad.",
    passes=lambda case: "It is not proven that raters prefer A.",
)


def watched(case: RuleInput) -> Sequence[Tested]:
    """Return the watch measures and the segments."""
    return (*case.harms.watched, *case.harms.segmented)


def watched_names(case: RuleInput) -> list[str]:
    """Return the watch measures, and the columns whose segments are watched."""
    columns = dict.fromkeys(f"segments of “{harm.of.column}”" for harm in case.harms.segmented)
    return [*(harm.what for harm in case.harms.watched), *columns]


def _watch_passes(case: RuleInput) -> str:
    *others, last = watched_names(case)
    names = f"{', '.join(others)} and {last}" if others else last
    which = " beyond its limit" if any(harm.proven_loss for harm in watched(case)) else ""
    harm = "rise" if all(map(_unit, watched(case))) else "harm" if any(map(_unit, watched(case))) else "loss"
    return f"On {names} no {harm}{which} is proven."


H4 = _none_harmed(
    watched,
    id="H4",
    name="Harm to watched measures",
    needs=(GATE, Need(lambda case: bool(watched(case)), "No watch measure and no segment can be judged.")),
    passes=_watch_passes,
    tells=3,
)


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


def _by_group(case: RuleInput) -> bool:
    """Return whether a group counts once, by what its queries gain and lose together."""
    return not case.fixed and case.primary.clusters is not None


def _severe_counts(case: RuleInput) -> str:
    """Return "45 big losses and 20 big gains"."""
    severe = case.harms.severe
    losses = wording.count(severe.losses, "big loss", "big losses")
    return f"{losses} and {wording.count(severe.wins, 'big gain', 'big gains')}"


def _severe_on(case: RuleInput) -> str:
    """Return the same with the size that is big, whether groups are counted, and the queries."""
    by = ", by group" if _by_group(case) else ""
    return f"{_severe_counts(case)} ({wording.limit(case.policy.severe)} or more{by}) {rule.on_queries(case)}"


def _excess_of_limit(case: RuleInput) -> str:
    """Return how far severe losses exceed severe wins, beside the limit."""
    shown, limit = rule.shown_numbers(_excess(case, "<"))
    return f"an excess of {shown}, the limit is {limit}"


def _severe_passes(case: RuleInput) -> str:
    severe, counts = case.harms.severe, f"{_severe_counts(case)}{' by group' if _by_group(case) else ''}"
    if severe.losses <= severe.wins:
        return f"{counts}."
    why = _excess_of_limit(case) if case.fixed or severe_harm_p(severe) < LEVEL else "chance can do this"
    return f"{counts}: {why}."


def _big(case: RuleInput) -> str:
    return f"the {case.nouns.queries} with big losses"


H5 = Rule(
    "H5",
    "Big losses",
    "harmed",
    Outcome.WORSE,
    needs=(GATE, Need(lambda case: case.reading.severe is not None, "Severe changes were not counted.")),
    conditions=_breaks_no_more,
    says=lambda case: f"B has {_severe_on(case)}.",
    next_step=lambda case: f"Do not launch: fix {_big(case)}.",
    tag=lambda case: f"B breaks some {case.nouns.queries}",
    doubt=_doubt(
        lambda case: case.harms.severe_proof, lambda case: f"B has {_severe_on(case)}. {_by_chance(case)}.", _big
    ),
    passes=_severe_passes,
    moved_by=lambda case: (Bound(case.policy.primary, 0.0),),
)

HARM = (H1, H2, H3, H4, H5)


DO_NO_HARM = Need(lambda case: case.policy.intent == "do_no_harm", "The policy asks for a gain.")


#: How many times as many queries a power of 80% takes as one of 50%, for a one-sided bound at 5%.
_LIKELY = (1 + NormalDist().inv_cdf(0.8) / NormalDist().inv_cdf(0.95)) ** 2


def _to_rule_out(
    case: RuleInput, what: str, n: int, delta: float | None, lower: float | None, margin: float
) -> tuple[str, str]:
    """Return how many more queries bring a lower bound above the margin if the difference stays, "" where that is not
    known, and the next step: enough queries for a power of 80%, as where a gain is confirmed. The distance between the
    difference and its bound falls with 1 / sqrt(n).
    """
    room = (delta or 0.0) + margin
    if room <= 0:
        return "", f"Look at the losses on {what} first."
    wide = 0.0 if delta is None or lower is None else n * ((delta - lower) / room) ** 2
    more, likely = wide - n, _LIKELY * wide - n
    which = f"judged {case.nouns.queries}" if case.policy.population == "affected" else case.nouns.queries
    stays = f"about {wording.about(rule.judged(case, more))} more {which}" if more >= 1 else ""
    asked = f"about {wording.about(rule.judged(case, likely))} more" if likely >= 1 else "more"
    why = f"rule out a loss of {wording.limit(margin)} on {what}"
    return stays, rule.more_judged(case, f"{asked} {case.nouns.queries}", why)


def _primary_to_rule_out(case: RuleInput) -> tuple[str, str]:
    of = case.primary
    return _to_rule_out(case, case.primary_label, of.n, of.delta, case.at_worst, case.policy.primary_margin)


def _stays(more: str) -> str:
    return f"; {more} if the difference stays" if more else ""


N1 = Rule(
    "N1",
    "Loss within the limit",
    "better",
    Outcome.NOT_PROVEN,
    needs=(DO_NO_HARM, INTERVAL),
    conditions=lambda case: all_of(Condition("lower bound", case.at_worst, ">", -case.policy.primary_margin)),
    says=lambda case: (
        f"{case.primary_label} could still fall by "
        f"{wording.size_near(min(1.0, -case.at_worst), case.policy.primary_margin)} "
        f"{rule.on_queries(case)}; {rule.allowed(case, case.policy.primary_margin)}."
    ),
    passes=lambda case: rule.safe(case.primary_label, case.at_worst, case.policy.primary_margin, case.primary.lower95),
    would_change=lambda case: (
        f"lower bound {wording.near(case.at_worst, -case.policy.primary_margin)}, "
        f"needs > {wording.limit(-case.policy.primary_margin)}{_stays(_primary_to_rule_out(case)[0])}"
    ),
    next_step=lambda case: _primary_to_rule_out(case)[1],
    moved_by=lambda case: (rule.lower_bound(case),),
    tells=2,
    kept=True,
)


def _from_least_safe(case: RuleInput) -> list[Tested]:
    """Return the guardrails, those that are not safe first, and of these that which lies furthest beyond its margin."""
    return sorted(
        case.harms.guards,
        key=lambda guard: (guard.safe, (guard.delta if guard.lower90 is None else guard.lower90) / guard.margin),
    )


def _least_safe(case: RuleInput) -> Tested:
    return _from_least_safe(case)[0]


def _changed(case: RuleInput, guard: Tested) -> str:
    return f"{wording.count(guard.of.changed, *rule.units(case))} with a different {guard.what}"


def _guard_says(case: RuleInput) -> str:
    guard = _least_safe(case)
    if guard.lower90 is None:
        needed = wording.count(case.policy.harm_changed_min)
        return f"Only {_changed(case, guard)}. To rule out a loss takes {needed}."
    size = wording.size_near(min(1.0, -guard.lower90), guard.margin)
    on = rule.on_queries(case, guard.of)
    return f"{guard.what} could still fall by {size} {on} (90% interval); {rule.allowed(case, guard.margin)}."


def _guard_to_rule_out(case: RuleInput) -> tuple[str, str]:
    guard = _least_safe(case)
    return _to_rule_out(case, guard.what, guard.of.n, guard.delta, guard.lower90, guard.margin)


def _guard_bound(case: RuleInput) -> str:
    guard = _least_safe(case)
    if guard.lower90 is None:
        return f"{_changed(case, guard)}, needs ≥ {wording.count(case.policy.harm_changed_min)}"
    bound = wording.near(guard.lower90, -guard.margin)
    return (
        f"{guard.what} lower bound {bound}, needs > {wording.limit(-guard.margin)}{_stays(_guard_to_rule_out(case)[0])}"
    )


U3 = Rule(
    "U3",
    "Guardrail shown safe",
    "harmed",
    Outcome.NOT_PROVEN,
    needs=(GUARDED,),
    conditions=lambda case: tuple(guard.is_safe for guard in _from_least_safe(case)),
    says=_guard_says,
    passes=lambda case: " ".join(
        rule.safe(guard.what, guard.lower90, guard.margin, guard.of.lower95, " (90% interval)")
        for guard in case.harms.guards
    ),
    would_change=_guard_bound,
    next_step=lambda case: _guard_to_rule_out(case)[1],
    moved_by=lambda case: (Bound(_least_safe(case).of.measure, -0.95),),
    tells=3,
    kept=True,
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
    if not rule.usable(case):
        return f"The policy asks for votes. {rule.absent_votes(case)}"
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
    next_step=lambda case: (
        f"Look at the {case.nouns.queries} that raters call bad."
        if rule.usable(case) and (case.votes.delta or 0.0) < 0
        else "Collect more votes."
    ),
)

SAFETY = (N1, U3, U4)
