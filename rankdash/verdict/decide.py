"""``decide``: Comparison -> Verdict, with the caveats that a reader of the page must know."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from rankdash.evidence.threads import each
from rankdash.scoring import Comparison, VotesAlone
from rankdash.verdict.caveats import with_caveats
from rankdash.verdict.fragility import fragility
from rankdash.verdict.outcome import decide_from
from rankdash.verdict.records import Fragility, Verdict
from rankdash.verdict.rule_evidence import evidence_of
from rankdash.verdict.sensitivity import caveat_input


def decide(comparison: Comparison | VotesAlone, looks: int = 1, candidates: int = 1) -> Verdict:
    """Return the verdict: launch or not, the rule that decided, the checklist of all rules, and the caveats.

    ``looks`` is the number of different states of the data for which the verdict of this comparison was looked at,
    including this one; ``candidates`` the number of different models that were compared with this A on these judgments,
    including this B. ValueError where one of them is below 1.
    """
    if not isinstance(comparison, (Comparison, VotesAlone)):
        raise TypeError(f"decide takes what compare or compare_votes returns, not a {type(comparison).__name__}")
    for name, number, this in (("looks", looks, "look"), ("candidates", candidates, "candidate")):
        if number < 1:
            raise ValueError(f"{name}={number!r}: this {this} is one, so the number is at least 1.")
    evidence = evidence_of(comparison)
    verdict = decide_from(evidence, comparison.policy, looks, candidates)
    if isinstance(comparison, VotesAlone):
        return verdict
    works: list[Callable[[], Fragility | None]] = [
        lambda: fragility(comparison, evidence, verdict.outcome),
        lambda: _read_ahead(comparison),
    ]
    fewest = each(lambda work: work(), works, len(comparison.scored))[0]
    facts = caveat_input(comparison, evidence, fewest, looks, candidates)
    return replace(with_caveats(verdict, facts, comparison.policy), fragility=fewest)


def _read_ahead(comparison: Comparison) -> None:
    """Compute what the caveats will read of the comparison, which keeps it."""
    if comparison.primary_is_explained:
        _ = comparison.delta_bounds
    if comparison.has_ties:
        _ = comparison.tie_bounds
