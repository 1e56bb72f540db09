"""``decide``: Comparison -> Verdict, with the caveats that a reader of the page must know."""

from __future__ import annotations

from rankdash.comparison import Comparison, VotesAlone
from rankdash.verdict.caveats import CaveatInput, with_caveats
from rankdash.verdict.decide import decide_from
from rankdash.verdict.evidence import evidence_of
from rankdash.verdict.readings import caveat_input
from rankdash.verdict.records import Verdict


def decide(comparison: Comparison | VotesAlone) -> Verdict:
    """Launch or not, the rule that decided, every other rule with what it observed, and the caveats."""
    evidence = evidence_of(comparison)
    verdict = decide_from(evidence, comparison.policy)
    known = CaveatInput(evidence) if isinstance(comparison, VotesAlone) else caveat_input(comparison, evidence)
    return with_caveats(verdict, known, comparison.policy)
