"""``decide_from``: the table of rules, read from top to bottom, and the sentence for what comes out."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType

from rankdash import wording
from rankdash.evidence.votes import Rated
from rankdash.policy import Policy
from rankdash.scoring import Comparison, VotesAlone, Weighed, WeighedNumbers
from rankdash.verdict import records
from rankdash.verdict.caveats import CaveatInput, with_caveats
from rankdash.verdict.harms import above
from rankdash.verdict.records import Evidence, Numbers, Outcome, Reading, Status, Verdict, VoteNumbers
from rankdash.verdict.rule import Rule, RuleInput, allowed, deciding, moves, needs, on_queries, outcome_of, voted
from rankdash.verdict.rules import FIXED, RULES, VOTES_RULES


def evidence_of(comparison: Comparison | WeighedNumbers | VotesAlone, candidates: int = 1) -> Evidence:
    """Return everything that the rules look at, as plain numbers."""
    votes = None if comparison.votes is None else votes_of(comparison.votes, candidates)
    if isinstance(comparison, VotesAlone):
        return Evidence(votes=votes, candidates=candidates)
    everywhere, plain = comparison.primary_everywhere, reading_of(comparison.plain)
    primary = replace(plain.primary, n_all=everywhere.n, delta_all=everywhere.delta)
    return Evidence(
        comparison.counts, replace(plain, primary=primary), reading_of(comparison.condensed), votes, candidates
    )


def reading_of(weighed: Weighed) -> Reading:
    """Return a reading as the rules see it."""
    guardrails, watch = (
        tuple(Numbers(**vars(one.paired), measure=one.measure) for one in weighed.results if one.role == role)
        for role in ("guardrail", "watch")
    )
    named = (segment for segment in weighed.segments if segment.named)
    return Reading(
        Numbers(**vars(weighed.results[0].paired)),
        guardrails,
        watch,
        tuple(Numbers(**vars(one.paired), column=one.column, value=one.value) for one in named),
        records.Severe(weighed.severe_wins, weighed.severe_losses),
    )


def votes_of(rated: Rated, candidates: int = 1) -> VoteNumbers:
    """Return the votes as the rules see them: queries by vote, ΔGSB with its interval, effect of sides, raters."""
    table, side = rated.gsb, rated.side
    low, high = table.ci95 or (None, None)
    return VoteNumbers(
        **{name: getattr(table, name) for name in ("good", "same", "bad", "delta", "se")},
        **{name: getattr(rated, name) for name in ("alpha", "people", "decided", "rater_lower95", "rater_upper95")},
        lower95=low,
        upper95=high,
        lower90=None if table.ci90 is None else table.ci90[0],
        lower_family=None if candidates == 1 else table.lower_bound(1.0 - 0.025 / candidates),
        n_side=side.n,
        left=side.left,
        side_effect=side.effect,
        side_lower95=side.lower95,
        side_upper95=side.upper95,
        side_effect_p=side.p,
    )


def asks_no_harm(case: RuleInput) -> bool:
    """Return whether B need not be better: votes alone always have to prefer it."""
    return case.evidence.plain is not None and case.policy.intent == "do_no_harm"


def launch_sentence(case: RuleInput) -> str:
    """Return why B may launch."""
    if case.evidence.plain is None:
        mpe = case.policy.votes_mpe
        return f"Raters prefer B: {voted(case)}, {_compared(case.votes.delta, mpe)} {case.gain.matters} required."
    return f"{_no_harm(case) if asks_no_harm(case) else _gain(case)}{_overall(case)}"


def _compared(value: float | None, limit: float) -> str:
    return "more than the" if above(value or 0.0, limit) else "as much as the"


def _gain(case: RuleInput) -> str:
    policy, primary = case.policy, case.primary
    some = case.fixed or policy.population == "affected" or primary.clusters is not None or primary.size < primary.n
    gain = moves(case, policy.mpe, queries=some)
    if not policy.mpe:
        return f"{gain}; any {'' if case.fixed else 'proven '}gain counts."
    return f"{gain}, {_compared(primary.delta, policy.mpe)} {wording.limit(policy.mpe)} required."


def _no_harm(case: RuleInput) -> str:
    primary, margin = case.primary, case.policy.primary_margin
    delta = f"{case.primary_label} {wording.near(primary.delta, 0.0, -margin)}"
    at_worst = "" if case.fixed else f", at worst {wording.near(case.at_worst, 0.0, -margin)},"
    return f"{delta}{at_worst} {on_queries(case)}; a loss of {allowed(case, margin)}."


def _overall(case: RuleInput) -> str:
    """Return the mean over all queries, where not all count."""
    some = case.policy.population == "affected" and not case.fixed and case.primary.n_all != case.primary.n
    overall = case.primary.delta_all if some else None
    return "" if overall is None else f" Over all {case.nouns.queries} the mean is {wording.near(overall, 0.0)}."


def launch_would_change(case: RuleInput, passed: Sequence[Rule]) -> str:
    """Return the condition that is nearest to stopping this launch."""
    keeping = (rule for rule in passed if rule.kept)
    kept = [group[0] for rule in keeping for group in rule.conditions(case) if group[0].holds]
    return needs(min(kept, key=_room), is_kept=True)


def _room(condition: records.Condition) -> float:
    """Return how far a number lies from its limit."""
    if isinstance(condition.value, float) and isinstance(condition.limit, float):
        return abs(condition.value - condition.limit)
    return math.inf


#: Id -> rule. The rules for votes alone have the names and the number formats of those beside judgments.
RULE_OF: Mapping[str, Rule] = MappingProxyType({rule.id: rule for rule in (*VOTES_RULES, *RULES)})


def decide_from(evidence: Evidence, policy: Policy, looks: int = 1, candidates: int = 1) -> Verdict:
    """Return the verdict of the policy on this evidence: a pure function of plain numbers.

    Every rule is evaluated, also after the one that decides; the outcome is a function of the checklist alone.
    Without a plain reading the votes alone are judged. ``looks`` counts the states of the data with which the verdict
    was looked at, ``candidates`` the models compared with this A on these judgments; the caveats are those that these
    numbers alone decide.

    >>> decide_from(Evidence(votes=VoteNumbers(good=1, same=1, bad=2)), Policy()).rule
    'V1'
    """
    case = RuleInput(replace(evidence, candidates=candidates), policy)
    rules = {rule.id: rule for rule in _rules(case)}
    checks = _checklist(tuple(rules.values()), case)
    statuses = {check.rule: check.status for check in checks}
    rule, _ = deciding(tuple(rules.values()), lambda rule: statuses[rule.id])
    passed = [rules[check.rule] for check in checks if check.status is Status.PASSED]
    verdict = _launched(case, passed) if rule is None else _stopped(case, rule)
    notes = tuple(note for note in (one.note(case) for one in passed) if note)
    known = CaveatInput(evidence, looks=looks, candidates=candidates)
    return with_caveats(replace(verdict, checks=checks, notes=notes), known, policy)


def outcome_from(evidence: Evidence, policy: Policy) -> Outcome:
    """Return the outcome that ``decide_from`` comes to, without its sentences."""
    case = RuleInput(evidence, policy)
    return outcome_of(_rules(case), case)[0]


def _rules(case: RuleInput) -> tuple[Rule, ...]:
    """Return the rules of votes alone, of a sample of queries, or of a fixed set."""
    return VOTES_RULES if case.evidence.plain is None else FIXED if case.policy.inference == "fixed" else RULES


def _checklist(rules: Sequence[Rule], case: RuleInput) -> tuple[records.Check, ...]:
    """Return the check of every rule; where the first finds nothing to compare, no other rule can say anything."""
    first, *others = rules
    check, nothing = first.check(case), "There is nothing to compare."
    if check.status is Status.PASSED:
        return (check, *(rule.check(case) for rule in others))
    return (check, *(records.Check(rule.id, rule.question, Status.NOT_APPLICABLE, nothing) for rule in others))


def _stopped(case: RuleInput, rule: Rule) -> Verdict:
    check = rule.check(case)
    doubt = rule.doubt if check.status is Status.NOT_PROVEN else None
    shown = records.PRESENTATION[outcome := Outcome.NOT_PROVEN if doubt else rule.outcome]
    next_step = doubt.next_step(case) if doubt else rule.next_step(case) if rule.next_step else ""
    return Verdict(
        outcome,
        rule.id,
        tag=doubt.tag if doubt else rule.tag(case) if rule.tag else shown.tag,
        sentence=check.sentence,
        next_step=next_step or case.nouns.say(shown.next_step),
        would_change=rule.would_change(case) if rule.would_change else needs(check.deciding[0]),
        needed=rule.needed(case),
    )


def _launched(case: RuleInput, passed: Sequence[Rule]) -> Verdict:
    shown, no_harm = records.PRESENTATION[Outcome.LAUNCH], asks_no_harm(case)
    alone = next((rule for rule in passed if rule.launches), None)
    next_step = alone.next_step(case) if alone and alone.next_step else ""
    return Verdict(
        Outcome.LAUNCH,
        alone.id if alone else "L2" if no_harm else "L1",
        tag="B is as good as A" if no_harm else shown.tag,
        sentence=alone.passes(case) if alone else launch_sentence(case),
        next_step=next_step or shown.next_step,
        would_change=alone.would_change(case) if alone and alone.would_change else launch_would_change(case, passed),
    )
