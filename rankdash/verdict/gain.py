"""S0, S1, F1, U1 and U2: is there enough, and is it a gain that matters?"""

from __future__ import annotations

import math
from dataclasses import replace

from rankdash import wording
from rankdash.verdict import rule
from rankdash.verdict.harm import INTERVAL
from rankdash.verdict.records import Condition, Conditions, Needed, Outcome, above, all_of, below
from rankdash.verdict.rule import Bound, Doubt, Need, Rule, RuleInput

IMPROVE = Need(lambda case: case.policy.intent == "improve", "The policy asks only that B does no harm.")


def _no_interval(case: RuleInput) -> str:
    primary = case.primary
    if not primary.changed:
        return f"B changes nothing that {case.primary_label} sees: the difference is 0 on every {case.nouns.query}."
    if primary.clusters == 1:
        return f"All {case.nouns.queries} are in one group, so any difference could be chance."
    if not primary.delta:
        return f"Gains and losses cancel in every group of {case.nouns.queries}: the difference is 0 in each."
    number, on = (primary.n, "on") if primary.clusters is None else (primary.clusters, "in")
    where = f"the only {rule.units(case)[0]}" if number == 1 else f"all {wording.count(number, *rule.units(case))}"
    return f"The difference is {wording.signed(primary.delta)} {on} {where}, which could be chance."


def _more_that_differ(case: RuleInput) -> str:
    primary = case.primary
    if not primary.changed:
        more = f"{rule.judge(case).lower()} {case.nouns.queries}"
        return f"Check that B is the run you mean, or {more} on which {case.primary_label} differs."
    number = primary.n if primary.clusters is None else primary.clusters
    least = case.policy.harm_changed_min - number
    unit = rule.units(case)[least > 1]
    return f"{rule.judge(case)} at least {wording.count(least)} more {unit}." if least > 0 else ""


S0 = Rule(
    "S0",
    "Differences vary",
    "enough",
    Outcome.NOT_PROVEN,
    conditions=lambda case: all_of(
        Condition(
            "95% interval", "undefined" if case.primary.lower95 is None else "defined", "is", "defined", unit="name"
        )
    ),
    says=_no_interval,
    passes=lambda case: (
        f"The difference is {rule.shown_interval(case)}, so the exact test decides."
        if case.reading.primary.lower95 is None
        else "The differences vary, so an interval can be drawn."
    ),
    would_change=lambda case: case.nouns.say("more queries, or groups of queries, with other differences"),
    next_step=_more_that_differ,
    moved_by=lambda case: (rule.lower_bound(case),),
)


def _gate_lacks(case: RuleInput) -> Needed:
    """Return what the gate of a launch lacks: queries or groups, and such that differ in score; 0 where it lacks none.

    Queries that lack weight have no number.
    """
    primary, policy = case.primary, case.policy
    number = primary.n if primary.clusters is None else primary.clusters
    light = primary.n_eff is not None and below(primary.n_eff, number)
    more = policy.n_min - number if _few(case) and not light else 0
    asked = {"more": more, "more_in_score": max(policy.changed_min - primary.changed, 0)}
    if primary.clusters is None and more and policy.population == "affected":
        asked["judged"] = rule.judged(case, more)
    return asked


def _missing_to_launch(case: RuleInput) -> str:
    """Return what a launch still takes: more queries or groups, or weight, and more that differ in score."""
    lacking = _gate_lacks(case)
    more, in_scores = lacking["more"], lacking["more_in_score"]
    unit = tuple(f"more {what}" for what in rule.units(case))
    scored = f"{wording.count(in_scores, *unit)} with a different score" if in_scores else ""
    if not more:
        least = wording.count(case.policy.n_min)
        equal = f"more {case.nouns.queries} until they count as {least}" if _few(case) else ""
        short = ((name, math.ceil(round(case.policy.n_min - size, 9))) for name, size in _lacking(case))
        guarded = " and ".join(f"{wording.count(n, *unit)} with {name}" for name, n in short)
        return ", and at least ".join(filter(None, (equal, scored))) or guarded
    which = f" that {'differs' if more == 1 else 'differ'} in list" if case.policy.population == "affected" else ""
    judged = lacking.get("judged", more)
    about = f" (about {wording.about(judged)} judged {case.nouns.queries})" if judged != more else ""
    if in_scores >= more:  # each of these counts as a query, too
        return scored
    most = f", at least {wording.count(in_scores)} of them with a different score" if in_scores else ""
    return f"{wording.count(more, *unit)}{which}{about}{most}"


def _or_unweighted(case: RuleInput) -> str:
    """Return the other way where there are enough queries, and only their weights are too uneven."""
    light = case.primary.clusters is None and not below(case.primary.n, case.policy.n_min)
    return ", or compare without weights: choose no column for them" if _few(case) and light else ""


def _few(case: RuleInput) -> bool:
    return below(case.gate.size, case.policy.n_min)


def _guarded(case: RuleInput) -> list[tuple[str, float]]:
    """Return the guardrails with what the gates count of each, as far as the evidence holds them."""
    sizes = {one.measure: one.size for one in (case.full or case.reading).guardrails}
    return [(case.policy.label(name), sizes[name]) for name, _ in case.policy.guardrails if name in sizes]


def _lacking(case: RuleInput) -> list[tuple[str, float]]:
    return [(name, size) for name, size in _guarded(case) if below(size, case.policy.n_min)]


def _counted(case: RuleInput) -> str:
    return rule.counted(case, "A launch needs", case.policy.n_min, case.policy.changed_min)


def _too_few(case: RuleInput) -> str:
    primary, policy = case.primary, case.policy
    differs = case.gate.changed >= policy.changed_min
    if _few(case) and differs:
        which = f"{'' if primary.clusters is None else ' groups'}{rule.in_list(case)}"
        return f"Only {rule.queries_of(case)}. A launch needs {wording.count(policy.n_min)}{which}."
    if _few(case):
        return f"Only {_counted(case)}"
    if differs:
        one, several = rule.units(case)
        units = f"{one} has", f"{several} have"
        lacking = (f"{wording.count(rule.worth(size), *units)} {name}" for name, size in _lacking(case))
        return f"Only {', '.join(lacking)}. A launch needs {wording.count(policy.n_min)}."
    of = wording.count(primary.n if primary.clusters is None else primary.clusters, *rule.units(case))
    verb = "has" if primary.changed == 1 else "have"
    changed = f"{wording.count(primary.changed)} of {of} {verb} a different score"
    return f"Only {changed}. A launch needs {wording.count(policy.changed_min)}."


def _enough(case: RuleInput) -> Conditions:
    """Return that enough queries have the primary measure, and differ in its score, and enough have each guardrail."""
    n_min, gate, unit = case.policy.n_min, case.gate, rule.units(case)[1]
    return all_of(
        Condition(unit, rule.worth(gate.size), "≥", n_min, "count"),
        Condition(f"{unit} that differ in score", gate.changed, "≥", case.policy.changed_min, "count"),
        *(Condition(f"{unit} with {name}", rule.worth(size), "≥", n_min, "count") for name, size in _guarded(case)),
    )


S1 = Rule(
    "S1",
    "Enough, and enough that differ in score",
    "enough",
    Outcome.NOT_PROVEN,
    conditions=_enough,
    says=_too_few,
    passes=_counted,
    would_change=lambda case: _missing_to_launch(case) + _and_a_better_model(case),
    next_step=lambda case: f"{rule.judge(case)} {_missing_to_launch(case)}{_or_unweighted(case)}.",
    needed=_gate_lacks,
    moved_by=lambda case: (),
    tells=2,
)


def _and_a_better_model(case: RuleInput) -> str:
    """Return that a better model is needed too, where B must be better and is not ahead."""
    behind = case.policy.intent == "improve" and not above(case.gain.delta, 0.0)
    return f", and {_better_model(case)}" if behind else ""


def _better_model(case: RuleInput) -> str:
    return f"a better B: {_needs_gain(case)}"


def _needs_gain(case: RuleInput) -> str:
    least = f"≥ {case.gain.matters}" if case.policy.mpe else "> 0"
    return f"difference {wording.near(case.gain.delta, case.policy.mpe)}, needs {least}"


def _needs_bound(case: RuleInput) -> str:
    return f"lower bound {wording.near(case.gain.beyond_chance, 0.0)}, needs > 0"


def _unlikely(case: RuleInput) -> str:
    gain = case.gain
    loss = f", and so is a loss over {gain.limit(gain.loss)}" if not above(gain.lower, 0.0) else ""
    return f"A {gain.name} of {gain.matters} is unlikely{loss}: {_result(case)}."


def _loss_possible(case: RuleInput) -> str:
    gain = case.gain
    loss = gain.near(min(1.0, -gain.lower), gain.loss).removeprefix("+")
    return f"A {gain.name} of {gain.matters} is unlikely; a loss of {loss} is possible: {_result(case)}."


def _result(case: RuleInput) -> str:
    """Return the gain with its interval, and what it was measured on."""
    if case.evidence.plain is None:
        return rule.voted(case)
    return f"{rule.measured(case, case.policy.mpe)} {rule.on_queries(case)}"


F1 = Rule(
    "F1",
    "Gain still possible",
    "better",
    Outcome.TOO_SMALL,
    needs=(IMPROVE, INTERVAL, Need(lambda case: case.policy.mpe > 0, "Any proven gain counts.")),
    conditions=lambda case: all_of(
        Condition(f"upper bound{case.gain.of}", case.gain.upper, "≥", case.gain.least, case.gain.unit)
    ),
    says=_unlikely,
    doubt=Doubt(
        lambda case: (Condition(f"lower bound{case.gain.of}", case.gain.lower, ">", -case.gain.loss, case.gain.unit),),
        _loss_possible,
        "no gain in sight",
        lambda case: f"Look at the losses. More {case.nouns.queries} are unlikely to show a gain.",
    ),
    passes=lambda case: (
        f"A {case.gain.name} of {case.gain.matters} is still possible: the 95% interval ends at "
        f"{case.gain.near(case.gain.upper, 0.0, case.gain.least)}."
    ),
    moved_by=lambda case: (rule.lower_bound(case),),
    tells=1,
)


def _looks(case: RuleInput) -> str:
    if below(case.gain.upper, 0.0):  # a loss, which chance alone would rarely make
        return f"There is no sign of a gain: {rule.measured(case)} {rule.on_queries(case)}."
    if wording.signed(case.gain.delta) == wording.signed(0.0):
        return f"A and B cannot be told apart by {case.primary_label} {rule.on_queries(case)}."
    side = "better" if case.gain.delta > 0 else "worse"
    size = wording.number(abs(case.gain.delta))
    # A gain that a single candidate would have proven is not proven for one of several.
    tried = f"with {wording.count(case.evidence.candidates)} candidates " if above(case.gain.lower, 0.0) else ""
    where = f"in {case.primary_label} ({rule.shown_interval(case)}) {rule.on_queries(case)}"
    return f"B is {size} {side} {where}, but {tried}this could be chance."


def _reaches(case: RuleInput) -> bool:
    """Return whether B is ahead by a difference that matters."""
    return case.gain.delta > 0 and not below(case.gain.delta, case.policy.mpe)


def _like_these(case: RuleInput) -> str:
    what = f"judged {case.nouns.queries}" if case.policy.population == "affected" else case.nouns.queries
    return f"{what} in groups like these" if case.primary.clusters is not None else what


def _to_tell(case: RuleInput) -> Needed:
    """Return the difference that this set resolves, and how many judged queries tell from 0 a gain that matters, and a
    difference as seen, where that is more than there are.
    """
    primary, found = case.primary, dict[str, float]()
    if primary.mde80 is not None:
        found["resolves"] = primary.mde80
    for_mpe, for_seen = (rule.required(case, n or 0) for n in (primary.required_n_mpe, primary.required_n_seen))
    if for_mpe > primary.n:
        found["gain"] = rule.judged(case, for_mpe)
    if _reaches(case) and for_seen > primary.n:
        found["as_seen"] = rule.judged(case, for_seen)
        found["more_as_seen"] = rule.judged(case, for_seen - primary.n)
    return found


def _more_judged(case: RuleInput) -> str:
    """Return how many more queries would settle it, or what to do before where more queries alone will not do."""
    primary, gain = case.primary, case.gain
    if not above(gain.delta, 0.0):
        level = f"{rule.judge(case)} more {case.nouns.queries}: A and B are level."
        return level if wording.signed(gain.delta) == wording.signed(0.0) else "Look at the losses first: A is ahead."
    required = rule.required(case, (primary.required_n_seen if _reaches(case) else primary.required_n_mpe) or 0)
    if required <= primary.n:
        return ""
    like = " in groups like these" if primary.clusters is not None else ""
    more = f"about {wording.about(rule.judged(case, required - primary.n))} more {case.nouns.queries}{like}"
    size = wording.near(gain.delta, 0.0, gain.least).removeprefix("+") if _reaches(case) else gain.matters
    what = f"{'confirm' if _reaches(case) else 'find'} a gain of {size}"
    if not rule.can_settle(primary.n, required):
        return f"Improve B first. It takes {more} to {what}."
    return rule.more_judged(case, more, what)


def _lower_bound_change(case: RuleInput) -> str:
    """Return what a launch lacks: a better B, the gain and the bound, or queries only."""
    n, required = case.primary.n, rule.required(case, case.primary.required_n_seen or 0)
    if not above(case.gain.delta, 0.0):
        return f"{_better_model(case)}; more {case.nouns.queries} alone do not launch it"
    if not _reaches(case):
        return f"{_needs_gain(case)}, and {_needs_bound(case)}"
    if not rule.can_settle(n, required):
        return _needs_bound(case)
    more = f"about {wording.about(rule.judged(case, required - n))} more {_like_these(case)} to tell it from 0"
    return f"{more}, if the difference stays ({_needs_bound(case)})"


def above_chance(case: RuleInput) -> tuple[Condition, ...]:
    """Return what must hold for the gain to be proven: of several candidates, the bound at their level first."""
    gain, candidates = case.gain, case.evidence.candidates
    single = Condition(f"lower bound{gain.of}", gain.lower, ">", 0.0, gain.unit)
    several = replace(single, what=f"{single.what} for {candidates:,} candidates", value=gain.beyond_chance)
    return (several, single) if candidates > 1 else (single,)


U1 = Rule(
    "U1",
    "Gain beyond chance",
    "better",
    Outcome.NOT_PROVEN,
    needs=(IMPROVE, INTERVAL),
    conditions=lambda case: all_of(*above_chance(case)),
    says=_looks,
    passes=lambda case: (
        f"The {wording.family_level(case.evidence.candidates)} interval{case.gain.of}"
        f"{f' for {case.evidence.candidates:,} candidates' if case.evidence.candidates > 1 else ''} starts at "
        f"{case.gain.near(case.gain.beyond_chance, 0.0)}, above 0."
    ),
    would_change=_lower_bound_change,
    next_step=_more_judged,
    needed=_to_tell,
    moved_by=lambda case: (rule.lower_bound(case),),
    tells=3,
    kept=True,
)


def _below_what_matters(case: RuleInput) -> str:
    if case.gain.delta:
        return f"{rule.moves(case, case.gain.least)}. {case.gain.required}"
    return f"{case.primary_label} is the same for A and B {rule.on_queries(case)}. {case.gain.required}"


U2 = Rule(
    "U2",
    "Gain that matters",
    "better",
    Outcome.NOT_PROVEN,
    needs=(IMPROVE, INTERVAL),
    conditions=lambda case: all_of(
        Condition(
            case.gain.name if case.gain.of else "difference", case.gain.delta, "≥", case.gain.least, case.gain.unit
        )
    ),
    says=_below_what_matters,
    passes=lambda case: (
        f"{'The gain' if not case.gain.of else case.gain.name} is {case.gain.near(case.gain.delta, case.gain.least)}. "
        f"{case.gain.required}"
    ),
    next_step=lambda case: (
        f"{rule.judge(case)} more {case.nouns.queries} to tell whether the gain reaches {case.gain.matters}."
    ),
    moved_by=lambda case: (Bound(case.policy.primary, 0.0),),
    kept=True,
)

#: What a gain takes; S0 stands before the harm rules, these behind them.
GAIN = (S1, F1, U1, U2)
