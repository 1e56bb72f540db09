"""The rules of harm. Where harm is only possible it stops a launch all the same, but nobody says "worse"."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Sequence

from rankdash import wording
from rankdash.evidence.harm_signflips import EXACT_UP_TO
from rankdash.verdict.records import Outcome, Severe
from rankdash.verdict.rules.families import LEVEL, Tested, above, below, severe_harm_p
from rankdash.verdict.rules.rule import OF_RATERS, OF_WATCHED, Bound, Doubt, Need, OnLaunch, Rule, RuleInput
from rankdash.verdict.rules.voting import USABLE_VOTES, raters_prefer_a, voted
from rankdash.verdict.rules.words import LOOK_AT_THESE, POSSIBLE, interval, measured, on_queries, queries_of

#: Sign flips with a p below this agree with a 95% interval that ends below 0.
_ONE_SIDED = 0.025


def _enough_to_say_worse(case: RuleInput) -> bool:
    policy, gate = case.policy, case.gate
    return not below(gate.size, policy.harm_n_min) and gate.changed >= policy.harm_changed_min


GATE = Need(
    _enough_to_say_worse,
    lambda case: (
        f"Too little to say worse: {queries_of(case)}, {wording.count(case.primary.changed)} changed; "
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


def _doubt(proven: Callable[[RuleInput], bool], says: Callable[[RuleInput], str]) -> Doubt:
    """Return the doubt about a harm: it stops a launch and claims nothing."""
    return Doubt(proven, says, POSSIBLE, LOOK_AT_THESE)


def _primary_harmed(case: RuleInput) -> bool:
    primary = case.primary
    reaches = _improve(case) or not above(primary.delta or 0.0, -case.policy.primary_margin)
    return below(primary.upper95 or 0.0, 0.0) and reaches


def _flips_agree(case: RuleInput) -> bool:
    """Return whether sign flips prove the loss too; they are tried only where few queries changed."""
    primary = case.primary
    return primary.p_flip is None or primary.changed > EXACT_UP_TO or primary.p_flip < _ONE_SIDED


def _primary_note(case: RuleInput) -> str:
    primary, margin = case.primary, case.policy.primary_margin
    if not below(primary.upper95 or 0.0, 0.0):
        return ""
    loss = wording.size_near(-(primary.delta or 0.0), 0.0, margin)
    return f"A loss of {loss} is proven, but it is inside the limit of {wording.limit(margin)}."


def _measured(case: RuleInput) -> str:
    """Return the primary measure beside the limit of the rule."""
    return measured(case) if _improve(case) else measured(case, -case.policy.primary_margin)


def _upper_bound_needs(case: RuleInput) -> str:
    if _improve(case):
        return f"upper bound {wording.near(case.primary.upper95, 0.0)}, needs ≥ 0"
    margin = case.policy.primary_margin
    return f"difference {wording.near(case.primary.delta, -margin)}, needs > {limit_of(margin)}"


H1 = Rule(
    "H1",
    "Loss of the primary measure",
    "harmed",
    Outcome.WORSE,
    needs=(GATE, INTERVAL),
    trips=_primary_harmed,
    observed=lambda case: case.primary.upper95 if _improve(case) else case.primary.delta,
    limit=lambda case: 0.0 if _improve(case) else -case.policy.primary_margin,
    must="at least",
    says=lambda case: f"B is worse: {_measured(case)} {on_queries(case)}.",
    doubt=_doubt(
        _flips_agree,
        lambda case: (
            f"B may be worse: {_measured(case)} {on_queries(case)}, but only {wording.count(case.primary.changed)} of "
            f"them changed and sign flips give p = {wording.p_value(case.primary.p_flip)}."
        ),
    ),
    passes=lambda case: f"No loss is proven: {_measured(case)}.",
    note=_primary_note,
    would_change=_upper_bound_needs,
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
    return f"{harm.what}: {delta} ({_interval(case, harm)}) {on_queries(case, harm.segment)}"


def _claim(case: RuleInput, harm: Tested) -> str:
    return f"B harms {_harmed(case, harm)}, beyond the limit of {limit_of(harm.margin)}."


def _possible(case: RuleInput, harm: Tested) -> str:
    """Return a harm that is no claim, and why: too few queries changed, or chance among all harm tests can do it."""
    why = _by_chance(case)
    if not harm.claimable:
        least = wording.count(case.policy.harm_changed_min)
        why = f"only {wording.count(harm.changed or 0)} of them changed, {least} are needed to prove it"
    return f"Possible harm to {_harmed(case, harm)}; {why}."


def _by_chance(case: RuleInput) -> str:
    return f"among {wording.count(case.harms.tests, 'harm test', 'harm tests')} chance can do this"


def lost(harm: Tested) -> str:
    """Return the difference that would have to be higher: "AP −0.020, needs > −0.010"."""
    return f"{harm.what} {wording.near(harm.delta, -harm.margin)}, needs > {limit_of(harm.margin)}"


def _bounded(case: RuleInput) -> list[Tested]:
    return [guard for guard in case.harms.guards if guard.upper90 is not None]


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
    needs=(GATE, GUARDED, Need(lambda case: bool(_bounded(case)), "No guardrail has an interval.")),
    trips=lambda case: worst(_bounded(case)).stops,
    observed=lambda case: worst(_bounded(case)).delta,
    limit=lambda case: -worst(_bounded(case)).margin,
    must="above",
    says=lambda case: _claim(case, worst(_bounded(case))),
    tag=lambda case: f"B harms {worst(_bounded(case)).what}",
    doubt=_doubt(lambda case: worst(_bounded(case)).proven, lambda case: _possible(case, worst(_bounded(case)))),
    passes=_guards_pass,
    note=_guard_note,
    would_change=lambda case: lost(worst(_bounded(case))),
    moved_by=lambda case: _moved_by(worst(_bounded(case))),
    tells=2,
)


def _raters_tag(case: RuleInput) -> str:
    """Return the tag of an objection: that raters prefer A where the measure proves a gain, else that B is worse."""
    return "raters prefer A" if above(case.primary.lower95 or 0.0, 0.0) else "B is worse"


def _no_objection(case: RuleInput) -> list[str]:
    """Return what a launch says of votes that may only stop it; of votes that must confirm it, U4 says it."""
    return [] if case.policy.votes == "confirm" else [f"raters: {voted(case)}, no objection proven"]


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
    trips=lambda case: case.votes.upper95 is not None and below(case.votes.upper95, 0.0),
    observed=lambda case: case.votes.upper95,
    limit=lambda case: 0.0,
    shown=wording.points,
    must="at least",
    says=raters_prefer_a,
    tag=_raters_tag,
    passes=lambda case: f"No objection of raters is proven: {voted(case)}.",
    would_change=lambda case: f"upper bound of ΔGSB {wording.points_near(case.votes.upper95, 0.0)}%, needs ≥ 0",
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
    trips=lambda case: worst(watched(case)).stops,
    observed=lambda case: worst(watched(case)).delta,
    limit=lambda case: -worst(watched(case)).margin,
    must="above",
    says=lambda case: _claim(case, worst(watched(case))),
    tag=lambda case: f"B harms {worst(watched(case)).what}",
    doubt=_doubt(lambda case: worst(watched(case)).proven, lambda case: _possible(case, worst(watched(case)))),
    passes=_watch_passes,
    would_change=lambda case: lost(worst(watched(case))),
    moved_by=lambda case: _moved_by(worst(watched(case))),
    on_launch=OnLaunch(safe=watched_names, begins="no harm proven to", place=OF_WATCHED),
)


def _by_more_than_chance(severe: Severe) -> bool:
    """Return whether there are more severe losses than wins, and more than chance makes of so many severe changes."""
    return severe.losses > severe.wins and severe_harm_p(severe) < LEVEL


def _breaks_more(case: RuleInput, severe: Severe) -> bool:
    """Return whether there are more severe losses than chance makes, and more than the policy allows among so many
    queries.
    """
    return _by_more_than_chance(severe) and not below(_excess(case, severe), case.policy.big_excess_min)


def _excess(case: RuleInput, severe: Severe) -> float:
    """Return by how much severe losses exceed severe wins, as a share of the queries."""
    n = case.primary.n if case.fixed else case.gate.size
    return (severe.losses - severe.wins) / max(n, 1.0)


def _severe_allowed(case: RuleInput) -> int:
    """Return the most severe losses that pass beside so many severe wins."""
    wins = case.harms.severe.wins
    most = wins + int(case.policy.big_excess_min * case.gate.size) + 1
    possible = range(wins, max(4 * wins + 20, most) + 1)  # the last number breaks more, whatever the wins
    return possible[bisect_left(possible, True, key=lambda losses: _breaks_more(case, Severe(wins, losses))) - 1]


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
    excess, limit = 100 * _excess(case, case.harms.severe), 100 * case.policy.big_excess_min
    shown = wording.near(excess, limit, decimals=1).removeprefix("+")
    return f"an excess of {shown}% of the queries, the limit is {wording.limit(limit, decimals=1)}%"


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
    trips=lambda case: _breaks_more(case, case.harms.severe),
    observed=lambda case: float(case.harms.severe.losses),
    limit=lambda case: float(_severe_allowed(case)),
    shown=wording.count,
    must="at most",
    says=lambda case: f"B breaks more queries than it rescues: {severe_on(case)}.",
    tag=lambda case: "B breaks some queries",
    doubt=_doubt(
        lambda case: case.harms.severe_proven,
        lambda case: f"B may break more queries than it rescues: {severe_on(case)}; {_by_chance(case)}.",
    ),
    passes=_severe_passes,
    would_change=lambda case: f"{severe_counts(case)}, needs ≤ {wording.count(_severe_allowed(case))}",
    moved_by=lambda case: (Bound(case.policy.primary, 0.0),),
)

HARM = (H1, H2, H3, H4, H5)
