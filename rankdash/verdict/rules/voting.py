"""What rules share about votes: whether they can be used, and the words for it."""

from __future__ import annotations

from rankdash import wording
from rankdash.evidence.votes import Unusable, unusable
from rankdash.policy import Policy
from rankdash.verdict.records import Condition, Conditions, VoteNumbers, all_of, are_met
from rankdash.verdict.rules.rule import Need, RuleInput

ONE_SIDED = "B stood on one side in nearly all votes."


def why_unusable(votes: VoteNumbers, policy: Policy) -> Unusable | None:
    """Return why these votes cannot be used under this policy; None where they can."""
    return unusable(votes.preferring, votes.n, votes.n_side, votes_min=policy.votes_min)


def usable_votes(case: RuleInput) -> Conditions:
    """Return that raters decide enough queries, and that votes are not nearly all for one side."""
    votes = case.evidence.votes or VoteNumbers(0, 0, 0)
    sides = () if votes.n_side is None else (Condition("balanced queries", votes.n_side, "≥", votes.n / 2, "count"),)
    return all_of(
        Condition("queries voted better or worse", votes.preferring, "≥", case.policy.votes_min, "count"),
        *sides,
        Condition("ΔGSB", "undefined" if votes.delta is None else "defined", "is", "defined", "name"),
    )


def usable(case: RuleInput) -> bool:
    """Return whether there are votes, and they can be used."""
    return are_met(usable_votes(case))


def unusable_sentence(votes: VoteNumbers, policy: Policy) -> str:
    """Return why the votes cannot be used, as a sentence; "" where they can."""
    of = f"{wording.count(votes.preferring)} of {wording.count(votes.n, 'query', 'queries')}"
    verb = "was" if votes.n == 1 else "were"
    sentences = {
        "too_few": f"Only {of} {verb} voted better or worse; {wording.count(policy.votes_min)} are needed.",
        "sides": ONE_SIDED,
    }
    return sentences.get(why_unusable(votes, policy) or "", "")


def delta_gsb(votes: VoteNumbers, policy: Policy) -> str:
    """Return ΔGSB with its interval: "ΔGSB −25.0% (95% interval −77.8 to +50.5)"; planned and open bounds are named."""
    limits = (0.0, policy.votes_mpe)
    value = f"ΔGSB {wording.points_near(votes.delta, *limits)}%"
    if votes.lower95 is None or votes.upper95 is None:
        return f"{value}, without an interval"
    kind = {"planned": f", look {votes.look} of 5", "open": ", valid at any time"}.get(votes.interval, "")
    return f"{value} (95% interval {wording.points_between(votes.lower95, votes.upper95, *limits)}{kind})"


def voters(votes: VoteNumbers) -> str:
    """Return who voted on what: "on 300 queries by 3 raters"."""
    by = "" if votes.people is None else f" by {wording.count(votes.people, 'rater', 'raters')}"
    return f"on {wording.count(votes.n, 'query', 'queries')}{by}"


def voted(case: RuleInput) -> str:
    """Return ΔGSB with its interval, and who voted."""
    return f"{delta_gsb(case.votes, case.policy)} {voters(case.votes)}"


def raters_prefer_a(case: RuleInput) -> str:
    """Return the headline of H3."""
    votes = case.votes
    if not votes.averaged:
        losses, wins = wording.count(votes.bad, "loss", "losses"), wording.count(votes.good, "win", "wins")
        return f"Raters prefer A: {losses} against {wins}, {voted(case)}."
    return f"Raters prefer A: {voted(case)}{'' if votes.n_side is None else ', averaged over both sides'}."


def _absent(case: RuleInput) -> str:
    votes = case.evidence.votes
    return "There are no votes." if votes is None or not votes.n else unusable_sentence(votes, case.policy)


#: Votes that can be used; otherwise the sentence says why they cannot.
USABLE_VOTES = Need(usable, _absent)
