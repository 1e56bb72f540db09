"""Votes without lists or judgments: what they say, and its verdict on record."""

from __future__ import annotations

from rankdash.case import Case, compared
from rankdash.dashboard.host.results import once
from rankdash.dashboard.session import session
from rankdash.dashboard.session.saved import seen
from rankdash.policy import Policy
from rankdash.scoring import VotesAlone
from rankdash.store import RecordedVerdict
from rankdash.tables import Votes
from rankdash.verdict import Verdict, decide


def decided(votes: Votes, policy: Policy, times: seen.Times = seen.ONCE) -> tuple[VotesAlone, Verdict]:
    """Return what the votes say, and the verdict on it. ComparisonError for a table without votes."""
    comparison = said(votes, policy)
    return comparison, decide(comparison, *times)


@once
def said(votes: Votes, policy: Policy) -> VotesAlone:
    """Return what the votes say. ComparisonError for a table without votes."""
    made = compared(Case(votes=votes), policy)
    assert isinstance(made, VotesAlone)
    return made


def shown(votes: Votes) -> RecordedVerdict | None:
    """Write down that the verdict of votes that are open is shown, and return it; None where it is not on record."""
    policy = session.now().policy
    return seen.record(votes, policy, *decided(votes, policy, seen.times()))


def put_on_record(votes: Votes) -> None:
    """Write down the verdict of votes that are open, on whatever page."""
    policy = session.now().policy
    comparison = said(votes, policy)
    seen.computed(votes, policy, comparison, lambda times: decide(comparison, *times))
