"""Caveats about votes: whether they count, which side B stood on, and for which raters they speak."""

from __future__ import annotations

from rankdash import wording
from rankdash.evidence.votes.gsb_of_votes import ENOUGH_RATERS
from rankdash.policy import Policy
from rankdash.verdict.caveats.caveat_input import CaveatInput, CaveatRow
from rankdash.verdict.records import Outcome, VoteNumbers
from rankdash.verdict.rules.families import LEVEL, above, below
from rankdash.verdict.rules.voting import delta_gsb, unusable_sentence, why_unusable

#: Below the first number the caveat says that raters agree little, below the second also what to do about it.
_AGREEMENT, _LITTLE = 0.40, 0.20
_POSITION = "Which side B stood on was not recorded: the pull of a side cannot be excluded."
_UNKNOWN = "Who voted was not recorded: this may be one person’s preference."
_ONE = "This is one person’s preference."


def _votes_ignored(facts: CaveatInput, policy: Policy, outcome: Outcome) -> bool:
    votes = facts.evidence.votes
    return facts.primary is not None and votes is not None and votes.n > 0 and why_unusable(votes, policy) is not None


def _votes_ignored_says(facts: CaveatInput, policy: Policy) -> str:
    votes = facts.evidence.votes
    assert votes is not None
    why = unusable_sentence(votes, policy)
    return f"The votes are ignored. {why} They would have said {delta_gsb(votes, policy)}."


def _usable(facts: CaveatInput, policy: Policy) -> VoteNumbers | None:
    votes = facts.evidence.votes
    if votes is None or not votes.n or why_unusable(votes, policy) is not None:
        return None
    return votes


def _position(facts: CaveatInput, policy: Policy, outcome: Outcome) -> bool:
    votes = _usable(facts, policy)
    return votes is not None and votes.left is None and votes.n_side is None


def _sides(facts: CaveatInput, policy: Policy, outcome: Outcome) -> bool:
    votes = _usable(facts, policy)
    return votes is not None and votes.side_effect_p is not None and votes.side_effect_p < LEVEL


def _sides_says(facts: CaveatInput, policy: Policy) -> str:
    votes = facts.evidence.votes
    assert votes is not None
    effect = votes.side_effect or 0.0
    sign, side = (1, "left") if effect >= 0 else (-1, "right")
    ends = sorted(sign * (end or 0.0) / 2 for end in (votes.side_lower95, votes.side_upper95))
    half, low, high = (wording.points_near(_possible(end), 0.0) for end in (abs(effect) / 2, *ends))
    return (
        f"Standing on the {side} moves ΔGSB by {half} points (95% interval {low} to {high}); "
        "it is averaged over both sides."
    )


def _possible(share: float) -> float:
    """Return a ΔGSB, or a change of it, cut to what is possible: -1 to 1."""
    return max(-1.0, min(1.0, share))


def _proves(low: float | None, high: float | None) -> str:
    """Return the model that an interval proves to be preferred: "B", "A", or "" for neither."""
    return "B" if above(low or 0.0, 0.0) else "A" if below(high or 0.0, 0.0) else ""


def _raters_says(votes: VoteNumbers) -> str:
    """Return for whom the votes speak; "" where that is raters in general."""
    if votes.people is None:
        return _UNKNOWN
    if votes.people == 1:
        return _ONE
    if votes.people < ENOUGH_RATERS:
        return f"This holds for the {votes.people} raters who voted, not for raters in general."
    low, high = votes.rater_lower95, votes.rater_upper95
    if low is None or high is None or _proves(low, high) == _proves(votes.lower95, votes.upper95):
        return ""
    ends = wording.points_between(_possible(low), _possible(high))
    return (
        f"Counted by rater the interval is {ends}: what holds for these {wording.count(votes.people)} raters is not "
        "proven for raters in general."
    )


def _raters(facts: CaveatInput, policy: Policy, outcome: Outcome) -> bool:
    votes = _usable(facts, policy)
    return votes is not None and bool(_raters_says(votes))


def _raters_text(facts: CaveatInput, policy: Policy) -> str:
    votes = facts.evidence.votes
    assert votes is not None
    return _raters_says(votes)


def _agreement(facts: CaveatInput, policy: Policy, outcome: Outcome) -> bool:
    votes = _usable(facts, policy)
    return votes is not None and votes.alpha is not None and below(votes.alpha, _AGREEMENT)


def _agreement_says(facts: CaveatInput, policy: Policy) -> str:
    votes = facts.evidence.votes
    assert votes is not None
    alpha = votes.alpha or 0.0
    little = below(alpha, _LITTLE)
    shown = wording.near(alpha, _AGREEMENT, _LITTLE, decimals=2).removeprefix("+")
    what_to_do = ": ask for clearer instructions or more queries" if little else ""
    return f"Raters agree little (α = {shown}){what_to_do}."


VOTES_IGNORED = CaveatRow("votes_ignored", _votes_ignored, _votes_ignored_says)
POSITION = CaveatRow("position", _position, lambda facts, policy: _POSITION)
SIDES = CaveatRow("sides", _sides, _sides_says)
RATERS = CaveatRow("raters", _raters, _raters_text)
AGREEMENT = CaveatRow("agreement", _agreement, _agreement_says)
