"""``decide_from``: the table of rules, read from top to bottom, and the sentence for what comes out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType

from rankdash.evidence.votes import gsb
from rankdash.policy import Policy
from rankdash.verdict.caveats import CaveatInput, with_caveats
from rankdash.verdict.records import Check, Evidence, Outcome, Status, Verdict, VoteNumbers
from rankdash.verdict.rules.comparable import FIXED, RULES
from rankdash.verdict.rules.launch import asks_no_harm, launch_rule, launch_sentence, launch_would_change
from rankdash.verdict.rules.rule import Rule, RuleInput, deciding, outcome_of
from rankdash.verdict.rules.votes_only import VOTES_RULES
from rankdash.verdict.rules.words import AS_GOOD, PRESENTATION, needs

__all__ = ["FIXED", "RULES", "RULE_OF", "VOTES_RULES", "case_of", "decide_from", "outcome_from", "rules_of"]

#: Id -> rule. The rules for votes alone have the names and the number formats of those beside judgments.
RULE_OF: Mapping[str, Rule] = MappingProxyType({rule.id: rule for rule in (*VOTES_RULES, *RULES)})
_NOTHING = "There is nothing to compare."


def decide_from(evidence: Evidence, policy: Policy, looks: int = 1, candidates: int = 1) -> Verdict:
    """Return the verdict of the policy on this evidence: a pure function of plain numbers.

    Every rule is evaluated, also after the one that decides; the outcome is a function of the checklist alone.
    Without a plain reading the votes alone are judged. ``looks`` counts the states of the data with which the verdict
    was looked at, ``candidates`` the models compared with this A on these judgments; the caveats are those that these
    numbers alone decide. ValueError for a reading without data checks.

    >>> decide_from(Evidence(votes=VoteNumbers(good=1, same=1, bad=2)), Policy()).rule
    'V1'
    """
    case = case_of(evidence, policy)
    rules = _rules(case)
    checks = _checklist(rules, case)
    rule = deciding(rules, {check.rule: check.status for check in checks})
    verdict = _launched(case, checks) if rule is None else _stopped(case, rule, checks)
    return with_caveats(verdict, CaveatInput(case.evidence, looks=looks, candidates=candidates), policy)


def outcome_from(evidence: Evidence, policy: Policy) -> Outcome:
    """Return the outcome that ``decide_from`` comes to, without its sentences."""
    case = case_of(evidence, policy)
    return outcome_of(_rules(case), case)[0]


def case_of(evidence: Evidence, policy: Policy) -> RuleInput:
    """Return the evidence beside the policy, with ΔGSB and its interval where the counts give them."""
    if evidence.plain is not None and evidence.data is None:
        raise ValueError("A reading needs the data checks beside it.")
    return RuleInput(replace(evidence, votes=_with_interval(evidence.votes)), policy)


def rules_of(policy: Policy) -> tuple[Rule, ...]:
    """Return the rules of a comparison with judgments under a policy: of a sample of queries, or of a fixed set."""
    return FIXED if policy.inference == "fixed" else RULES


def _rules(case: RuleInput) -> Sequence[Rule]:
    return VOTES_RULES if case.evidence.plain is None else rules_of(case.policy)


def _with_interval(votes: VoteNumbers | None) -> VoteNumbers | None:
    """Return the votes with ΔGSB and its interval by the counts, where neither an interval nor sides are given."""
    given = votes is None or votes.lower95 is not None or votes.n_side is not None
    if votes is None or given or not votes.n:
        return votes
    table = gsb(votes.good, votes.same, votes.bad)
    (low, high), lower90 = table.ci95 or (None, None), (table.ci90 or (None, None))[0]
    return replace(votes, delta=table.delta, lower95=low, upper95=high, lower90=lower90)


def _checklist(rules: Sequence[Rule], case: RuleInput) -> tuple[Check, ...]:
    """Return the check of every rule; where the first finds nothing to compare, no other rule can say anything."""
    first = rules[0].check(case)
    if first.status is Status.PASSED:
        return (first, *(rule.check(case) for rule in rules[1:]))
    silent = (Check(rule.id, rule.question, Status.NOT_APPLICABLE, _NOTHING) for rule in rules[1:])
    return (first, *silent)


def _stopped(case: RuleInput, rule: Rule, checks: tuple[Check, ...]) -> Verdict:
    check = next(check for check in checks if check.rule == rule.id)
    doubt = rule.doubt if check.status is Status.NOT_PROVEN else None
    outcome = Outcome.NOT_PROVEN if doubt else rule.outcome
    shown = PRESENTATION[outcome]
    next_step = doubt.next_step if doubt else rule.next_step(case) if rule.next_step else ""
    return Verdict(
        outcome=outcome,
        rule=rule.id,
        screen=shown.screen,
        tag=doubt.tag if doubt else rule.tag(case) if rule.tag else shown.tag,
        exit_code=shown.exit_code,
        sentence=check.sentence,
        next_step=next_step or shown.next_step,
        would_change=_would_change(case, rule, check),
        checks=checks,
        needed=rule.needed(case),
        notes=_notes(case, checks),
    )


def _would_change(case: RuleInput, rule: Rule, check: Check) -> str:
    """Return what a rule says of that, or the limit that is not met."""
    return rule.would_change(case) if rule.would_change is not None else needs(check.deciding[0])


def _launched(case: RuleInput, checks: tuple[Check, ...]) -> Verdict:
    shown = PRESENTATION[Outcome.LAUNCH]
    passed = _passed(case, checks)
    alone = next((rule for rule in passed if rule.launches), None)
    next_step = alone.next_step(case) if alone and alone.next_step else ""
    return Verdict(
        outcome=Outcome.LAUNCH,
        rule=alone.id if alone else launch_rule(case),
        screen=shown.screen,
        tag=AS_GOOD if asks_no_harm(case) else shown.tag,
        exit_code=shown.exit_code,
        sentence=alone.passes(case) if alone else launch_sentence(case, passed),
        next_step=next_step or shown.next_step,
        would_change=alone.would_change(case) if alone and alone.would_change else launch_would_change(case, passed),
        checks=checks,
        notes=_notes(case, checks),
    )


def _notes(case: RuleInput, checks: Sequence[Check]) -> tuple[str, ...]:
    """Return the notes of the rules that passed."""
    return tuple(note for note in (rule.note(case) for rule in _passed(case, checks)) if note)


def _passed(case: RuleInput, checks: Sequence[Check]) -> list[Rule]:
    """Return the rules that passed, in their order."""
    rules = {rule.id: rule for rule in _rules(case)}
    return [rules[check.rule] for check in checks if check.status is Status.PASSED]
