"""The verdict again under neighbouring choices: would somebody with another habit have decided otherwise?"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from rankdash.evidence.threads import each
from rankdash.scoring import REMOVED, Comparison, existing, numbers_under, without_each_rater
from rankdash.verdict.outcome import outcome_from
from rankdash.verdict.records import Outcome
from rankdash.verdict.rule_evidence import evidence_of, votes_of


@dataclass(frozen=True)
class Setting:
    """A neighbouring choice and the outcome under it."""

    name: str
    outcome: Outcome
    holds: bool


@dataclass(frozen=True)
class Robustness:
    """Every setting, the policy's own left out."""

    settings: tuple[Setting, ...]

    @property
    def holding(self) -> int:
        """In how many settings the outcome is the same."""
        return sum(setting.holds for setting in self.settings)

    @property
    def not_with(self) -> tuple[str, ...]:
        """The settings with another outcome, by name."""
        return tuple(setting.name for setting in self.settings if not setting.holds)

    @property
    def sentence(self) -> str:
        """Return "Holds in 9 of 10 neighbouring settings", followed by the settings in which it does not."""
        names = f"; not with {', '.join(self.not_with)}" if self.not_with else ""
        return f"Holds in {self.holding} of {len(self.settings)} neighbouring settings{names}."


def robustness(comparison: Comparison) -> Robustness:
    """Return the outcome with the other gain, half and double the cutoff, unjudged documents removed (not where
    judgments name only relevant ones), and each rater left out.
    """
    outcome = outcome_from(evidence_of(comparison), comparison.policy)
    outcomes = (*_other_policies(comparison), *_other_raters(comparison))
    return Robustness(tuple(Setting(name, other, other is outcome) for name, other in outcomes))


def _other_policies(comparison: Comparison) -> Iterator[tuple[str, Outcome]]:
    """Yield each setting beside the policy, and the outcome of the same lists and judgments under it."""
    policies = dict(existing(comparison.policy, comparison.scored.scope.grades))
    if comparison.counts.kind == "positive_only":
        policies.pop(REMOVED, None)  # every document without a grade counts as not relevant
    size = 0 if comparison.has_lists else len(comparison.scored)  # lists are put in order in threads of their own

    def outcome(name: str) -> Outcome:
        other = numbers_under(comparison, name, policies[name])
        return outcome_from(evidence_of(other), policies[name])

    yield from zip(policies, each(outcome, policies, size), strict=True)


def _other_raters(comparison: Comparison) -> Iterator[tuple[str, Outcome]]:
    """Yield each rater left out in turn, where there are several, and the outcome without this rater."""
    evidence = evidence_of(comparison)
    for name, rated in without_each_rater(comparison.vote_rows):
        other = replace(evidence, votes=votes_of(rated))
        yield f"rater {name} left out", outcome_from(other, comparison.policy)
