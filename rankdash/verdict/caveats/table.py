"""What a reader must know beside the verdict: an ordered table of caveats over plain numbers.

First comes that lists may stand on their heads, which leaves nothing of a verdict. Then come the caveats whose other
reading, recomputed, launches where this reading does not, or the reverse; then those with another outcome; then they
stand by their effect on the deciding difference, then in the order of the table. Three are shown, the rest on demand.
What was not measured is None, and its caveat is silent.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from rankdash.evidence.paired import DECIMALS
from rankdash.policy import Policy
from rankdash.verdict.caveats import data_caveats, mean_caveats, vote_caveats
from rankdash.verdict.caveats.caveat_input import CaveatInput
from rankdash.verdict.records import Caveat, Outcome, Verdict

SHOWN = 3

#: In the order in which they are shown where nothing else decides.
ROWS = (
    data_caveats.ORDER,
    data_caveats.LEVEL,
    data_caveats.UNJUDGED,
    vote_caveats.VOTES_IGNORED,
    data_caveats.MISSING,
    data_caveats.JUDGMENTS,
    data_caveats.THRESHOLD,
    mean_caveats.FRAGILE,
    data_caveats.TIES,
    mean_caveats.SKEWED,
    mean_caveats.REPEATED_LOOKS,
    mean_caveats.FAMILY,
    vote_caveats.POSITION,
    vote_caveats.SIDES,
    vote_caveats.RATERS,
    vote_caveats.AGREEMENT,
    mean_caveats.FIXED,
    mean_caveats.REPEATED,
    data_caveats.WEIGHTS,
    mean_caveats.MAJORITY,
    mean_caveats.TUNED,
    mean_caveats.SMALL,
    data_caveats.NO_RELEVANT,
    data_caveats.DIRT,
    mean_caveats.SLICES,
)
#: What makes the order of lists doubtful stands before all else.
_FIRST = (data_caveats.ORDER.id, data_caveats.LEVEL.id)
_PLACES = {row.id: place for place, row in enumerate(ROWS)}


def caveats(facts: CaveatInput, policy: Policy, outcome: Outcome) -> tuple[Caveat, ...]:
    """Return every caveat that applies, in the order of ``ordered``. The first three (SHOWN) belong on the page."""
    applying = [
        Caveat(row.id, row.says(facts, policy), facts.other_outcomes.get(row.id), _effect(facts, row.id))
        for row in ROWS
        if row.shown(facts, policy, outcome) and not (policy.inference == "fixed" and row.of_samples)
    ]
    return ordered(applying, outcome)


def ordered(caveats: Iterable[Caveat], outcome: Outcome) -> tuple[Caveat, ...]:
    """Return caveats, the weightiest first: that the order of lists is in doubt, then those whose other reading turns
    launch into no launch or the reverse, then those with another outcome, then by the size of their effect, then in the
    order of the table.
    """
    outcome = Outcome(outcome)

    def weight(caveat: Caveat) -> tuple[bool, int, float, int]:
        turns = outcome if caveat.turns_to is None else Outcome(caveat.turns_to)
        flips = (turns is Outcome.LAUNCH) is not (outcome is Outcome.LAUNCH)
        rank = 0 if flips else 1 if turns is not outcome else 2
        return (
            caveat.id not in _FIRST,
            rank,
            -round(caveat.effect or 0.0, DECIMALS),
            _PLACES.get(caveat.id, len(_PLACES)),
        )

    return tuple(sorted(caveats, key=weight))


def _effect(facts: CaveatInput, caveat: str) -> float | None:
    """Return how far the other reading of a caveat moves the deciding difference; None where that is undefined."""
    primary, other = facts.primary, facts.other_deltas.get(caveat)
    if primary is None or primary.delta is None or other is None:
        return None
    return abs(other - primary.delta)


def with_caveats(verdict: Verdict, facts: CaveatInput, policy: Policy) -> Verdict:
    """Return the verdict with its caveats and with the looks and candidates of ``facts``; nothing else changes."""
    applying = caveats(facts, policy, verdict.outcome)
    return replace(verdict, caveats=applying, looks=facts.looks, candidates=facts.candidates)
