"""L1 and L2: what a launch says. It names only rules that were evaluated, and how near the nearest limit is."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import groupby

from rankdash import wording
from rankdash.verdict.records import Condition
from rankdash.verdict.rules.families import above
from rankdash.verdict.rules.harm import limit_of
from rankdash.verdict.rules.rule import Rule, RuleInput
from rankdash.verdict.rules.voting import voted
from rankdash.verdict.rules.words import needs, on_queries, shown_interval


def launch_rule(case: RuleInput) -> str:
    """Return the id of the reason for a launch: L1 for a gain, L2 for no harm."""
    return "L2" if asks_no_harm(case) else "L1"


def asks_no_harm(case: RuleInput) -> bool:
    """Return whether B need not be better: votes alone always have to prefer it."""
    return case.evidence.plain is not None and case.policy.intent == "do_no_harm"


def launch_sentence(case: RuleInput, passed: Sequence[Rule]) -> str:
    """Return why B may launch, and in a second sentence what the rules that passed show to be safe."""
    if case.evidence.plain is None:
        mpe = case.policy.votes_mpe
        enough = f"{_compared(case.votes.delta, mpe)} {wording.limit(100 * mpe, decimals=1)}% that matters"
        return f"Raters prefer B: {voted(case)}, {enough}."
    reason = _no_harm(case) if asks_no_harm(case) else _gain(case)
    return f"{reason}{_safeguards(case, passed)}{_overall(case)}"


def _compared(value: float | None, limit: float) -> str:
    return "estimated above the" if above(value or 0.0, limit) else "estimated as much as the"


def _gain(case: RuleInput) -> str:
    primary, policy = case.primary, case.policy
    means = ""
    if primary.mean_a is not None and primary.mean_b is not None:
        means = f"{wording.number(primary.mean_a)} → {wording.number(primary.mean_b)}"
    gain = f"B raises {case.primary_label} by {wording.near(primary.delta, 0.0, policy.mpe)}"
    inside = [part for part in (means, "" if case.fixed else shown_interval(primary)) if part]
    shown = f" ({'; '.join(inside)})" if inside else ""
    if not policy.mpe:
        return f"{gain}{shown} {on_queries(case)}, any {'' if case.fixed else 'proven '}gain counts."
    enough = _compared(primary.delta, policy.mpe)
    enough = enough.removeprefix("estimated ") if case.fixed else enough
    return f"{gain}{shown} {on_queries(case)}, {enough} {wording.limit(policy.mpe)} that matters."


def _no_harm(case: RuleInput) -> str:
    primary, margin = case.primary, case.policy.primary_margin
    start = f"B is as good as A: {case.primary_label} {wording.near(primary.delta, 0.0, -margin)}"
    if case.fixed:
        return f"{start} {on_queries(case)}, limit {limit_of(margin)}."
    at_worst = wording.near(primary.lower90, -margin)
    return f"{start}, at worst {at_worst}, limit {limit_of(margin)}, {on_queries(case)}."


def _safeguards(case: RuleInput, passed: Sequence[Rule]) -> str:
    """Return the second sentence: what the rules that passed show to be safe."""
    parts: list[str] = []
    for begins, rules in groupby(_in_order(passed), lambda rule: rule.on_launch.begins):
        safe = [name for rule in rules for name in rule.on_launch.safe(case)]
        parts += [f"{begins} {', '.join(safe)}"] if begins and safe else safe
    return f" {_begun('; '.join(parts))}." if parts else ""


def _in_order(passed: Sequence[Rule]) -> list[Rule]:
    return sorted(passed, key=lambda rule: rule.on_launch.place)


def _overall(case: RuleInput) -> str:
    """Return the mean over all queries, where not all count."""
    overall = case.primary.delta_all if case.policy.population == "affected" and not case.fixed else None
    return "" if overall is None else f" Over all queries the mean is {wording.near(overall, 0.0)}."


def _begun(text: str) -> str:
    """Return a sentence with a capital, unless it begins with the name of a measure."""
    return text[0].upper() + text[1:] if text.startswith(("no ", "raters")) else text


def launch_would_change(case: RuleInput, passed: Sequence[Rule]) -> str:
    """Return the condition that is nearest to stopping this launch."""
    keeping = [rule for rule in _in_order(passed) if rule.on_launch.kept]
    kept = [group[0] for rule in keeping for group in rule.conditions(case) if group[0].holds]
    return needs(min(kept, key=_room), "must stay")


def _room(condition: Condition) -> float:
    """Return how far a number lies from its limit."""
    if isinstance(condition.value, float) and isinstance(condition.limit, float):
        return abs(condition.value - condition.limit)
    return math.inf
