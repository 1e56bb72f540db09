"""Votes without lists or judgments: the one page that they can give."""

from __future__ import annotations

import streamlit as st

from rankdash.case import Case, compared
from rankdash.comparison import VotesAlone
from rankdash.dashboard.host.results import once
from rankdash.dashboard.kit.literal import plain
from rankdash.dashboard.parts import caveats, checklist, headline, vote_counts
from rankdash.dashboard.session import record, views
from rankdash.dashboard.session.saved import seen
from rankdash.policy import Policy
from rankdash.style import evidence as words
from rankdash.tables import Votes
from rankdash.verdict import VOTES_RULES, Verdict, decide


def decided(votes: Votes, policy: Policy, times: seen.Times = seen.ONCE) -> tuple[VotesAlone, Verdict]:
    """Return what the votes say, and the verdict on it. ComparisonError for a table without votes."""
    found = said(votes, policy)
    return found, decide(found, *times)


@once
def said(votes: Votes, policy: Policy) -> VotesAlone:
    """Return what the votes say. ComparisonError for a table without votes."""
    made = compared(Case(votes=votes), policy)
    assert isinstance(made, VotesAlone)
    return made


def put_on_record(votes: Votes) -> None:
    """Write down the verdict of votes that are open, on whatever page."""
    policy = record.now().policy
    found = said(votes, policy)
    seen.computed(votes, policy, found, lambda times: decide(found, *times))


def page(votes: Votes) -> None:
    """Draw the verdict, the votes, and the rules behind it."""
    digest = votes.source.sha256
    views.saw_results(digest)
    found, verdict = decided(votes, record.now().policy, seen.times())
    st.caption(" ".join((words.VOTES_ONLY_WHY, *map(plain, votes.source.notes))))
    headline.banner(verdict, stamps=headline.stamps(verdict.outcome.value, record.now().has_changed_policy(digest)))
    left, right = st.columns([1, 1.25], gap="small")
    with left:
        headline.voted_card(found.votes)
        with st.container(border=True):
            checklist.questions(verdict, VOTES_RULES)
            checklist.behind(verdict)
    with right.container(border=True, height="stretch"):
        vote_counts.panel(found)
    caveats.panel(verdict)
    seen.record(votes, record.now().policy, found, verdict)
