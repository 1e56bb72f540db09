"""Caveats about votes: whether they count, which side B stood on, and what they say counted in another way."""

from __future__ import annotations

from rankdash import wording
from rankdash.evidence.votes.intervals import possible
from rankdash.policy import Policy
from rankdash.verdict.caveats.caveat_input import CaveatInput, Row
from rankdash.verdict.records import Outcome, Votes
from rankdash.verdict.rules.families import LEVEL
from rankdash.verdict.rules.voting import delta_gsb, unusable_sentence, why_unusable

_AGREEMENT = 0.40
_NO_VALUE = "an interval that leaves out no value"
_POSITION = "Which side B stood on was not recorded: the pull of a side cannot be excluded."


def _votes_ignored(known: CaveatInput, policy: Policy, outcome: Outcome) -> bool:
    votes = known.evidence.votes
    return known.primary is not None and votes is not None and votes.n > 0 and why_unusable(votes, policy) is not None


def _votes_ignored_says(known: CaveatInput, policy: Policy) -> str:
    votes = known.evidence.votes
    assert votes is not None
    return f"The votes are ignored. {unusable_sentence(votes, policy)} They would have said {delta_gsb(votes)}."


def _usable_votes(known: CaveatInput, policy: Policy) -> Votes | None:
    votes = known.evidence.votes
    if votes is None or not votes.n or why_unusable(votes, policy) is not None:
        return None
    return votes


def _position(known: CaveatInput, policy: Policy, outcome: Outcome) -> bool:
    votes = _usable_votes(known, policy)
    return votes is not None and votes.left is None and votes.n_side is None


def _sides(known: CaveatInput, policy: Policy, outcome: Outcome) -> bool:
    votes = known.evidence.votes
    return votes is not None and votes.side_effect_p is not None and votes.side_effect_p < LEVEL


def _sides_says(known: CaveatInput, policy: Policy) -> str:
    votes = known.evidence.votes
    assert votes is not None
    effect = votes.side_effect or 0.0
    sign, side = (1, "left") if effect >= 0 else (-1, "right")
    ends = [sign * (end or 0.0) for end in (votes.side_lower95, votes.side_upper95)]
    size, low, high = (wording.number(100 * value, 1) for value in (abs(effect), min(ends), max(ends)))
    return (
        f"Raters favour the {side} side by {size} points (95% interval {low} to {high}); "
        "ΔGSB is averaged over both sides."
    )


def _proves(low: float | None, high: float | None) -> str | None:
    """Whom an interval prefers: "B", "A" or "" for nobody; None without one."""
    if low is None or high is None:
        return None
    return "B" if low > 0 else "A" if high < 0 else ""


def _pooled(known: CaveatInput, policy: Policy, outcome: Outcome) -> bool:
    votes = known.evidence.votes
    if votes is None or votes.raters <= 1:
        return False
    by_query = _proves(votes.lower95, votes.upper95)
    by_vote = _proves(votes.pooled_lower95, votes.pooled_upper95)
    return by_query is not None and by_vote is not None and by_query != by_vote


def _pooled_says(known: CaveatInput, policy: Policy) -> str:
    votes = known.evidence.votes
    assert votes is not None
    ends = possible(votes.pooled_lower95 or 0.0, votes.pooled_upper95 or 0.0)
    pooled = _NO_VALUE if ends is None else wording.points_between(*ends)
    by_query = wording.points_between(votes.lower95, votes.upper95)
    return (
        f"Counted vote by vote, ΔGSB is {wording.points(votes.pooled_delta)} ({pooled}); by the majority per query "
        f"{wording.points(votes.delta)} ({by_query}): they do not prove the same."
    )


def _agreement(known: CaveatInput, policy: Policy, outcome: Outcome) -> bool:
    votes = known.evidence.votes
    if votes is None or not votes.n:
        return False
    return votes.raters <= 1 or (votes.alpha is not None and policy.agreement_min <= votes.alpha < _AGREEMENT)


def _agreement_says(known: CaveatInput, policy: Policy) -> str:
    votes = known.evidence.votes
    assert votes is not None
    if votes.raters <= 1:
        return "One rater per query: how far raters agree is not known."
    return f"The raters agree only moderately: α {wording.number(votes.alpha, 2)}, {votes.raters} raters per query."


VOTES_IGNORED = Row("votes_ignored", _votes_ignored, _votes_ignored_says)
POSITION = Row("position", _position, lambda known, policy: _POSITION)
SIDES = Row("sides", _sides, _sides_says)
POOLED = Row("pooled", _pooled, _pooled_says)
AGREEMENT = Row("agreement", _agreement, _agreement_says)
