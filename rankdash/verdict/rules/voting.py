"""What the rules need to know about votes: whether they can be used, and how that is said."""

from __future__ import annotations

from rankdash import wording
from rankdash.evidence.votes.gsb import Unusable, unusable
from rankdash.policy import Policy
from rankdash.verdict.records import Votes
from rankdash.verdict.rules.rule import Case, Need


def why_unusable(votes: Votes, policy: Policy) -> Unusable | None:
    """Why these votes cannot be used under this policy; None where they can."""
    return unusable(
        votes.good + votes.bad,
        votes.raters,
        votes.alpha,
        votes.n,
        votes.n_side,
        votes_min=policy.votes_min,
        agreement_min=policy.agreement_min,
    )


def usable(case: Case) -> bool:
    """Whether there are votes, and they can be used."""
    votes = case.evidence.votes
    return votes is not None and votes.delta is not None and why_unusable(votes, case.policy) is None


def unusable_sentence(votes: Votes, policy: Policy) -> str:
    """Why the votes cannot be used, as a sentence; "" where they can."""
    decided = votes.good + votes.bad
    sentences = {
        "too_few": f"Only {wording.count(decided, 'query is', 'queries are')} voted good or bad; "
        f"{wording.count(policy.votes_min)} are needed.",
        "agreement": f"The raters agree too little: {wording.number(votes.alpha, 2)}, "
        f"and {wording.number(policy.agreement_min, 2)} is needed.",
        "sides": "B stood on one side in nearly all votes.",
    }
    return sentences.get(why_unusable(votes, policy) or "", "")


def unusable_limit(votes: Votes, policy: Policy) -> str:
    """What was seen and what is needed, for votes that cannot be used; "" where they can."""
    alpha, needed = wording.number(votes.alpha, 2), wording.number(policy.agreement_min, 2)
    balanced = "n/a" if votes.n_side is None else wording.count(votes.n_side, "query", "queries")
    limits = {
        "too_few": f"{votes.good + votes.bad} queries voted good or bad, needs ≥ {policy.votes_min}",
        "agreement": f"agreement α {alpha}, needs ≥ {needed}",
        "sides": f"votes worth {balanced} with balanced sides, needs ≥ {wording.number(votes.n / 2, 1)}",
    }
    return limits.get(why_unusable(votes, policy) or "", "")


def delta_gsb(votes: Votes) -> str:
    """ΔGSB with its interval: "ΔGSB −25.0% (−77.8 to +50.5)"."""
    if votes.lower95 is None:
        return f"ΔGSB {wording.points(votes.delta)}, without an interval"
    ends = wording.points_between(votes.lower95, votes.upper95)
    return f"ΔGSB {wording.points(votes.delta)} ({ends})"


def _absent(case: Case) -> str:
    votes = case.evidence.votes
    return "There are no votes." if votes is None or not votes.n else unusable_sentence(votes, case.policy)


#: Votes that can be used; otherwise the sentence says why not.
USABLE_VOTES = Need(usable, _absent)
