"""The rules of harm. Where harm is only possible it stops a launch all the same, but nobody says "worse"."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from rankdash import wording
from rankdash.evidence.paired import EXACT_UP_TO
from rankdash.verdict.records import Condition, Conditions, Outcome, Relation, Severe, all_of
from rankdash.verdict.rules.families import LEVEL, Tested, above, below, severe_harm_p
from rankdash.verdict.rules.rule import OF_RATERS, OF_WATCHED, Bound, Doubt, Need, OnLaunch, Rule, RuleInput
from rankdash.verdict.rules.voting import USABLE_VOTES, raters_prefer_a, voted
from rankdash.verdict.rules.words import (
    LOOK_AT_THESE,
    POSSIBLE,
    in_score,
    interval,
    measured,
    on_queries,
    queries_of,
    shown_numbers,
)

#: Sign flips with a p below this agree with a 95% interval that ends below 0.
_ONE_SIDED = 0.025


def _enough_to_say_worse(case: RuleInput) -> bool:
    policy, gate = case.policy, case.gate
    return not below(gate.size, policy.harm_n_min) and gate.changed >= policy.harm_changed_min


GATE = Need(
    _enough_to_say_worse,
    lambda case: (
        f"Too little to say worse: {queries_of(case)}, {in_score(case.primary.changed, case.primary)}; "
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
    return Doubt(proof, says, POSSIBLE, LOOK_AT_THESE)


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
    return measured(case) if _improve(case) else measured(case, -case.policy.primary_margin)


H1 = Rule(
    "H1",
    "Loss of the primary measure",
    "harmed",
    Outcome.WORSE,
    needs=(GATE, INTERVAL),
    conditions=_primary_harmless,
    says=lambda case: f"B is worse: {_measured(case)} {on_queries(case)}.",
    doubt=_doubt(
        _flips_agree,
        lambda case: (
            f"B may be worse: {_measured(case)} {on_queries(case)}, but only "
            f"{in_score(case.primary.changed, case.primary)} and sign flips give p = "
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
    return interval(harm.lower90, harm.upper90, 90, grouped=case.primary.clusters is not None)


def _harmed(case: RuleInput, harm: Tested) -> str:
    delta = wording.near(harm.delta, 0.0, -harm.margin)
    return f"{harm.what}: {delta} ({_interval(case, harm)}) {on_queries(case, harm.of)}"


def _claim(case: RuleInput, harm: Tested) -> str:
    return f"B harms {_harmed(case, harm)}, beyond the limit of {limit_of(harm.margin)}."


def _possible(case: RuleInput, harm: Tested) -> str:
    """Return a harm that is no claim, and why: too few queries changed, or chance among all harm tests can do it."""
    why = _by_chance(case)
    if not harm.claimable:
        least = wording.count(case.policy.harm_changed_min)
        why = f"only {in_score(harm.changed or 0, case.primary)}, {least} are needed to prove it"
    return f"Possible harm to {_harmed(case, harm)}; {why}."


def _by_chance(case: RuleInput) -> str:
    return f"among {wording.count(case.harms.tests, 'harm test', 'harm tests')} chance can do this"


def harmless(tested: Sequence[Tested]) -> Conditions:
    """Return that none of these is harmed, beginning with the worst."""
    first = worst(tested)
    return tuple(harm.harmless for harm in (first, *(other for other in tested if other is not first)))


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
    return (Bound(tested.name, 0.95),) if tested.segment is None else None


H2 = Rule(
    "H2",
    "Harm to a guardrail",
    "harmed",
    Outcome.WORSE,
    needs=(GATE, GUARDED, Need(lambda case: bool(_bounded(case)), "No guardrail has an interval on enough queries.")),
    conditions=lambda case: harmless(_bounded(case)),
    says=lambda case: _claim(case, worst(_bounded(case))),
    tag=lambda case: f"B harms {worst(_bounded(case)).what}",
    doubt=_doubt(lambda case: worst(_bounded(case)).proof, lambda case: _possible(case, worst(_bounded(case)))),
    passes=_guards_pass,
    note=_guard_note,
    moved_by=lambda case: _moved_by(worst(_bounded(case))),
    tells=2,
)


def _raters_tag(case: RuleInput) -> str:
    """Return the tag of an objection: that raters prefer A where the measure proves a gain, else that B is worse."""
    return "raters prefer A" if above(case.primary.lower95 or 0.0, 0.0) else "B is worse"


def _no_objection(case: RuleInput) -> list[str]:
    """Return what a launch says of votes that may only stop it; of votes that must confirm it, U4 says it."""
    return [] if case.policy.votes == "confirm" else [f"raters: {voted(case)}, no objection proven"]


def no_objection(case: RuleInput) -> tuple[Condition, ...]:
    """Return that no objection of raters is proven; without an interval nothing is."""
    upper = case.votes.upper95
    return () if upper is None else (Condition("upper bound of ΔGSB", upper, "≥", 0.0, "points"),)


H3 = Rule(
    "H3",
    "Objection of raters",
    "harmed",
    Outcome.WORSE,
    needs=(
        Need(lambda case: case.policy.votes != "inform", "The policy only shows votes."),
        USABLE_VOTES,
        GATE,
    ),
    conditions=lambda case: all_of(*no_objection(case)),
    says=raters_prefer_a,
    tag=_raters_tag,
    passes=lambda case: f"No objection of raters is proven: {voted(case)}.",
    on_launch=OnLaunch(safe=_no_objection, place=OF_RATERS),
)


def watched(case: RuleInput) -> Sequence[Tested]:
    """Return the watch measures and the segments."""
    return (*case.harms.watched, *case.harms.segmented)


def watched_names(case: RuleInput) -> list[str]:
    """Return the watch measures, and the columns whose segments are watched."""
    segments = (harm.segment for harm in case.harms.segmented)
    columns = dict.fromkeys(f"segments of {segment.column}" for segment in segments if segment is not None)
    return [*(harm.what for harm in case.harms.watched), *columns]


def _watch_passes(case: RuleInput) -> str:
    lowest = worst(watched(case))
    delta = wording.near(lowest.delta, 0.0, -lowest.margin)
    return f"No harm is proven to watch measures and segments; the lowest is {lowest.what} {delta}."


H4 = Rule(
    "H4",
    "Harm to watched measures",
    "harmed",
    Outcome.WORSE,
    needs=(
        GATE,
        Need(lambda case: bool(watched(case)), "No watch measure and no segment can be judged."),
    ),
    conditions=lambda case: harmless(watched(case)),
    says=lambda case: _claim(case, worst(watched(case))),
    tag=lambda case: f"B harms {worst(watched(case)).what}",
    doubt=_doubt(lambda case: worst(watched(case)).proof, lambda case: _possible(case, worst(watched(case)))),
    passes=_watch_passes,
    moved_by=lambda case: _moved_by(worst(watched(case))),
    on_launch=OnLaunch(safe=watched_names, begins="no harm proven to", place=OF_WATCHED),
)


def _by_more_than_chance(severe: Severe) -> bool:
    """Return whether there are more severe losses than wins, and more than chance makes of so many severe changes."""
    return severe.losses > severe.wins and severe_harm_p(severe) < LEVEL


def excess(case: RuleInput, relation: Relation) -> Condition:
    """Return that severe losses exceed severe wins by no more than the policy allows, as a share of the queries."""
    severe, n = case.harms.severe, case.primary.n if case.fixed else case.gate.size
    share = (severe.losses - severe.wins) / max(n, 1.0)
    return Condition("excess of big losses", share, relation, case.policy.big_excess_min, "share")


def _breaks_no_more(case: RuleInput) -> Conditions:
    """Return that there are no more severe losses than the policy allows, than severe wins, or than chance makes."""
    severe = case.harms.severe
    more = Condition("big losses", severe.losses, "≤", severe.wins, "count")
    chance = Condition("p of big losses", severe_harm_p(severe), "≥", LEVEL, "p")
    return ((excess(case, "<"), more, chance),)


def severe_counts(case: RuleInput) -> str:
    """Return "45 big losses against 20 big wins"."""
    severe = case.harms.severe
    losses = wording.count(severe.losses, "big loss", "big losses")
    return f"{losses} against {wording.count(severe.wins, 'big win', 'big wins')}"


def severe_on(case: RuleInput) -> str:
    """Return the same with the size that is big, and the queries."""
    return f"{severe_counts(case)} (|Δ| ≥ {wording.limit(case.policy.severe)}) {on_queries(case)}"


def excess_of_limit(case: RuleInput) -> str:
    """Return how far severe losses exceed severe wins, beside the limit: "an excess of 0.4% of the queries, …"."""
    shown, limit = shown_numbers(excess(case, "<"))
    return f"an excess of {shown} of the queries, the limit is {limit}"


def _severe_passes(case: RuleInput) -> str:
    severe = case.harms.severe
    if severe.losses <= severe.wins:
        return f"{severe_counts(case)}."
    why = excess_of_limit(case) if _by_more_than_chance(severe) else "no more than chance makes"
    return f"{severe_counts(case)}: {why}."


H5 = Rule(
    "H5",
    "Big losses",
    "harmed",
    Outcome.WORSE,
    needs=(GATE, Need(lambda case: case.reading.severe is not None, "Severe changes were not counted.")),
    conditions=_breaks_no_more,
    says=lambda case: f"B breaks more queries than it rescues: {severe_on(case)}.",
    tag=lambda case: "B breaks some queries",
    doubt=_doubt(
        lambda case: case.harms.severe_proof,
        lambda case: f"B may break more queries than it rescues: {severe_on(case)}; {_by_chance(case)}.",
    ),
    passes=_severe_passes,
    moved_by=lambda case: (Bound(case.policy.primary, 0.0),),
)

HARM = (H1, H2, H3, H4, H5)
