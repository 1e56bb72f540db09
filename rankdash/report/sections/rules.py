"""The four questions with the rules behind each, and how the numbers were computed, in one sentence."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from rankdash import style
from rankdash.report.mistakes import all_alike, mistakes_of
from rankdash.report.notes import preset_of
from rankdash.report.questions import Answer
from rankdash.scoring import Comparison, VotesAlone
from rankdash.verdict import VOTES_RULES, Check, Outcome, Verdict, rules_of
from rankdash.verdict.rules.rule import Rule
from rankdash.verdict.rules.words import needs


@dataclass(frozen=True)
class RuleRow:
    """A rule as a row of text: its id and name, the condition that decides ("" where it has none), its status and its
    sentence.
    """

    rule: str
    name: str
    condition: str
    status: str
    sentence: str


def evaluated_rules(comparison: Comparison | VotesAlone) -> Sequence[Rule]:
    """Return the rules that the verdict on a comparison evaluates."""
    return VOTES_RULES if isinstance(comparison, VotesAlone) else rules_of(comparison.policy)


def rule_rows(answer: Answer, rules: Sequence[Rule]) -> tuple[RuleRow, ...]:
    """Return the rules behind the answer to a question, in order; ``rules`` are all that were evaluated."""
    by_id = {rule.id: rule for rule in rules}
    return tuple(_row(check, by_id) for check in answer.checks)


def _row(check: Check, rules: Mapping[str, Rule]) -> RuleRow:
    rule = rules[check.rule]
    return RuleRow(
        check.rule,
        rule.name,
        "; or ".join(map(needs, check.deciding)),
        check.status.value,
        check.sentence,
    )


def wrong_sentences(verdict: Verdict, comparison: Comparison | VotesAlone) -> list[str]:
    """Return what is wrong between the files, where nothing can be compared; otherwise only that all labels are alike,
    of which no rule knows.
    """
    if isinstance(comparison, VotesAlone):
        return []
    is_whole = verdict.outcome is Outcome.NOT_COMPARABLE
    wrong = mistakes_of(comparison) if is_whole else all_alike(comparison)
    return [mistake.sentence for mistake in wrong]


def convention_words(comparison: Comparison) -> str:
    """Return the convention in force, by the axes that change numbers between the presets."""
    spelled = comparison.convention.spelled_out()
    axes = [
        style.OWN_GAINS.format(table=comparison.convention.gain)
        if isinstance(spelled[axis], dict)
        else words[spelled[axis]]
        for axis, words in style.AXES.items()
    ]
    population = style.POPULATION[comparison.policy.population].format(k=comparison.policy.cutoff)
    name = preset_of(comparison) or style.CUSTOM
    return f"{style.CONVENTION.format(name=name, axes=', '.join(axes))} {population}".rstrip()
