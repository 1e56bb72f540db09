"""S0, S1, F1, U1 and U2: is there enough, and is it a gain that matters?"""

from __future__ import annotations

import math
from dataclasses import replace

from rankdash import wording
from rankdash.verdict import rule
from rankdash.verdict.harm import INTERVAL
from rankdash.verdict.harms import above, below
from rankdash.verdict.records import Condition, Conditions, Needed, Outcome, all_of
from rankdash.verdict.rule import Bound, Doubt, Need, OnLaunch, Rule, RuleInput

IMPROVE = Need(lambda case: case.policy.intent == "improve", "The policy asks only that B does no harm.")


def _no_interval(case: RuleInput) -> str:
    primary, name = case.primary, case.primary_label
    if not primary.changed:
        return f"B changes nothing that {name} sees: the difference is 0 on every query."
    if primary.clusters == 1:
        return "All queries are one group: nothing tells a difference from chance."
    if not primary.delta:
        return "Gains and losses cancel in every group of queries: the difference is 0 in each."
    least, grouped = wording.count(case.policy.harm_changed_min), primary.clusters is not None
    number = primary.clusters if primary.clusters is not None else primary.n
    unit = ("group is", "groups are") if grouped else ("query is", "queries are")
    return (
        f"The difference is {wording.signed(primary.delta)} {'in every group' if grouped else 'on every query'}; "
        f"{wording.count(number, *unit)} too few to rule out chance, {least} are needed."
    )


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
        f"The difference is {rule.shown_interval(case.primary)}, so the exact test decides."
        if case.reading.primary.lower95 is None
        else "The differences vary, so an interval can be drawn."
    ),
    would_change=lambda case: "more queries, or groups of queries, with other differences",
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
    unit = ("query", "queries") if case.primary.clusters is None else ("group", "groups")
    parts = []
    if more:
        which = f" that {'differs' if more == 1 else 'differ'} in list" if case.policy.population == "affected" else ""
        parts.append(f"{wording.count(more, f'more {unit[0]}', f'more {unit[1]}')}{which}")
    elif _few(case):
        parts.append(f"queries until they are worth {wording.count(case.policy.n_min)} equal ones")
    if in_scores:
        parts.append(
            f"{wording.count(in_scores, f'more {unit[0]}', f'more {unit[1]}')} that {rule.differs(int(in_scores))}"
        )
    if not parts:
        short = ((name, math.ceil(round(case.policy.n_min - size, 9))) for name, size in _lacking(case))
        parts = [wording.count(n, f"more {unit[0]} with {name}", f"more {unit[1]} with {name}") for name, n in short]
    about = f" (about {wording.about(lacking['judged'])} judged queries)" if "judged" in lacking else ""
    return f"{' and '.join(parts)}{about}"


def _few(case: RuleInput) -> bool:
    return below(case.gate.size, case.policy.n_min)


def _guarded(case: RuleInput) -> list[tuple[str, float]]:
    """Return the guardrails with what the gates count of each, as far as the evidence holds them."""
    sizes = {one.measure: one.size for one in (case.full or case.reading).guardrails}
    return [(case.policy.label(name), sizes[name]) for name, _ in case.policy.guardrails if name in sizes]


def _lacking(case: RuleInput) -> list[tuple[str, float]]:
    return [(name, size) for name, size in _guarded(case) if below(size, case.policy.n_min)]


def _counted(case: RuleInput) -> str:
    """Return the queries, and how many of them, or of their groups, differ in score."""
    changed = case.primary.changed
    if case.primary.clusters is not None:
        return f"{rule.queries_of(case)}, {rule.in_score(changed, case.primary)}"
    return f"{rule.queries_of(case)}, {wording.count(changed)} of them {rule.differs(changed)}"


def _too_few(case: RuleInput) -> str:
    primary, policy = case.primary, case.policy
    if _few(case):
        needed = f"{wording.count(policy.n_min)} and {wording.count(policy.changed_min)}"
        return f"Only {_counted(case)}; a launch needs {needed}."
    if case.gate.changed >= policy.changed_min:
        units = ("query has", "queries have") if primary.clusters is None else ("group has", "groups have")
        lacking = (f"{wording.count(math.floor(round(size, 9)), *units)} {name}" for name, size in _lacking(case))
        return f"Only {', '.join(lacking)}; a launch needs {wording.count(policy.n_min)}."
    of = wording.count(primary.n, "query", "queries")
    if primary.clusters is not None:
        of = wording.count(primary.clusters, "group", "groups")
    changed = f"{wording.count(primary.changed)} of {of} {rule.differs(primary.changed)}"
    return f"Only {changed}; a launch needs {wording.count(policy.changed_min)}."


def _enough(case: RuleInput) -> Conditions:
    """Return that enough queries have the primary measure, and differ in its score, and enough have each guardrail."""
    n_min, gate, unit = case.policy.n_min, case.gate, "queries" if case.primary.clusters is None else "groups"
    return all_of(
        Condition(unit, gate.size, "≥", n_min, "count"),
        Condition(f"{unit} that differ in score", gate.changed, "≥", case.policy.changed_min, "count"),
        *(Condition(f"{unit} with {name}", size, "≥", n_min, "count") for name, size in _guarded(case)),
    )


S1 = Rule(
    "S1",
    "Queries, and those that differ in score",
    "enough",
    Outcome.NOT_PROVEN,
    conditions=_enough,
    says=_too_few,
    passes=lambda case: (
        f"{_counted(case)}; a launch needs {wording.count(case.policy.n_min)} and "
        f"{wording.count(case.policy.changed_min)}."
    ),
    would_change=lambda case: _missing_to_launch(case) + _and_a_better_model(case),
    next_step=lambda case: f"Add {_missing_to_launch(case)}.",
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
    loss = gain.near(-gain.lower, gain.loss).removeprefix("+")
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
        "Look at the losses; more queries can only tell how large the loss is.",
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
        return f"The difference is not distinguishable from zero with {rule.queries_of(case)}."
    side = "better" if case.gain.delta > 0 else "worse"
    size = wording.number(abs(case.gain.delta))
    bounds = rule.shown_interval(case.primary)
    # A gain that a single candidate would have proven is not proven for one of several.
    tried = f"with {wording.count(case.evidence.candidates)} candidates " if above(case.gain.lower, 0.0) else ""
    return f"B looks {side} by {size} ({bounds}) {rule.on_queries(case)}, but {tried}chance alone can do this."


def _reaches(case: RuleInput) -> bool:
    """Return whether B is ahead by a difference that matters."""
    return case.gain.delta > 0 and not below(case.gain.delta, case.policy.mpe)


def _like_these(case: RuleInput) -> str:
    what = "judged queries" if case.policy.population == "affected" else "queries"
    return f"{what} in groups like these" if case.primary.clusters is not None else what


def _to_tell(case: RuleInput) -> Needed:
    """Return the difference that this set resolves, and how many judged queries tell from 0 a gain that matters, and a
    difference as seen, where that is more than there are.
    """
    primary, found = case.primary, dict[str, float]()
    if primary.mde80 is not None:
        found["resolves"] = primary.mde80
    if primary.required_n_mpe is not None and primary.required_n_mpe > primary.n:
        found["gain"] = rule.judged(case, primary.required_n_mpe)
    if _reaches(case) and primary.required_n_seen is not None and primary.required_n_seen > primary.n:
        found["as_seen"] = rule.judged(case, primary.required_n_seen)
        found["more_as_seen"] = rule.judged(case, primary.required_n_seen - primary.n)
    return found


def _needed(case: RuleInput, needed: Needed) -> str:
    """Return how many queries it takes, in words."""
    text = ""
    if "gain" in needed:
        about = wording.about(needed["gain"])
        text = f"; to tell a gain of {case.gain.matters} from 0 takes about {about} {_like_these(case)}"
    if "as_seen" in needed:
        about, seen = wording.about(needed["as_seen"]), f"a difference as seen ({wording.signed(case.gain.delta)})"
        text += f", {seen} about {about}" if text else f"; {seen} takes about {about} {_like_these(case)}"
    return text


def _who_is_ahead(case: RuleInput) -> str:
    """Return who is ahead, or how many more queries it takes, where more queries alone will not do."""
    primary = case.primary
    if case.gain.delta < 0:
        return " A is ahead: look at the losses first."
    if not case.gain.delta:
        return " A and B are level."
    needed = primary.required_n_seen if _reaches(case) else primary.required_n_mpe
    if needed is None or needed <= 10 * primary.n:
        return ""
    return f" It would take about {wording.about(needed / primary.n)} times as many queries."


def _resolution(case: RuleInput) -> str:
    """Return the difference that this set of queries resolves; "" where that is undefined."""
    needed = _to_tell(case)
    if "resolves" not in needed:
        return ""
    return f"This set resolves about ±{wording.number(needed['resolves'])}{_needed(case, needed)}.{_who_is_ahead(case)}"


def _lower_bound_change(case: RuleInput) -> str:
    """Return what a launch lacks: a better B, the gain and the bound, or queries only."""
    n, required = case.primary.n, case.primary.required_n_seen
    if not above(case.gain.delta, 0.0):
        return f"{_better_model(case)}; more queries alone do not launch it"
    if not _reaches(case):
        return f"{_needs_gain(case)}, and {_needs_bound(case)}"
    if required is None or not rule.can_settle(n, required):
        return _needs_bound(case)
    more = f"about {wording.about(rule.judged(case, required - n))} more {_like_these(case)} to tell it from 0"
    return f"{more}, if the difference stays ({_needs_bound(case)})"


def above_chance(case: RuleInput) -> tuple[Condition, ...]:
    """Return what must hold for the gain to be proven: of several candidates, the bound at their level first."""
    gain, candidates = case.gain, case.evidence.candidates
    single = Condition(f"lower bound{gain.of}", gain.lower, ">", 0.0, gain.unit)
    if candidates == 1:
        return (single,)
    return replace(single, what=f"{single.what} for {candidates:,} candidates", value=gain.beyond_chance), single


U1 = Rule(
    "U1",
    "Gain beyond chance",
    "better",
    Outcome.NOT_PROVEN,
    needs=(IMPROVE, INTERVAL),
    conditions=lambda case: all_of(*above_chance(case)),
    says=_looks,
    passes=lambda case: (
        f"Chance alone would rarely do this: the {wording.family_level(case.evidence.candidates)} "
        f"interval{case.gain.of} begins at {case.gain.near(case.gain.beyond_chance, 0.0)}."
    ),
    would_change=_lower_bound_change,
    next_step=_resolution,
    needed=_to_tell,
    moved_by=lambda case: (rule.lower_bound(case),),
    tells=3,
    on_launch=OnLaunch(kept=True),
)


def _below_what_matters(case: RuleInput) -> str:
    start = "A gain is proven, but estimated" if above(case.gain.beyond_chance, 0.0) else "The difference is estimated"
    return (
        f"{start} at {case.gain.near(case.gain.delta, 0.0, case.gain.least)}, less than the {case.gain.matters} "
        f"that matters ({rule.shown_interval(case.primary)}) {rule.on_queries(case)}."
    )


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
        f"The {case.gain.name} is estimated at {case.gain.near(case.gain.delta, case.gain.least)}; "
        f"the least that matters is {case.gain.matters}."
    ),
    next_step=lambda case: f"More queries tell whether the {case.gain.name} reaches {case.gain.matters}.",
    moved_by=lambda case: (Bound(case.policy.primary, 0.0),),
    on_launch=OnLaunch(kept=True),
)

#: What a gain takes; S0 stands before the harm rules, these behind them.
GAIN = (S1, F1, U1, U2)
