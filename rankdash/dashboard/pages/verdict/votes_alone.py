"""The verdict page of votes that are open by themselves."""

from __future__ import annotations

import streamlit as st

from rankdash.dashboard.kit.literal import plain
from rankdash.dashboard.pages.verdict import decision, stored
from rankdash.dashboard.parts import caveats, checklist, headline, vote_counts, votes_only
from rankdash.dashboard.session import session, views
from rankdash.dashboard.session.saved import seen
from rankdash.style import evidence as words
from rankdash.tables import Votes
from rankdash.verdict import VOTES_RULES


def panel(votes: Votes) -> None:
    """Draw the verdict, the votes, the rules behind it, and what was decided on it."""
    digest, decided = votes.source.sha256, decision.entries()
    if (old := seen.older()) is not None:
        stored.panel(old, decided[:1])
        return
    views.saw_results(digest)
    comparison, verdict = votes_only.decided(votes, session.now().policy, seen.times())
    st.caption(" ".join((words.VOTES_ONLY_WHY, *(plain(note.phrase("page")) for note in votes.source.notes))))
    is_changed = session.now().has_changed_policy(digest)
    headline.banner(verdict, stamps=headline.stamps(verdict.outcome.value, is_changed, decided[:1]))
    left, right = st.columns([1, 1.25], gap="small")
    with left:
        headline.voted_card(comparison.votes)
        with st.container(border=True):
            checklist.questions(verdict, VOTES_RULES)
            checklist.behind(verdict)
    with right.container(border=True, height="stretch"):
        vote_counts.panel(comparison)
    caveats.panel(verdict)
    decision.panel(votes_only.shown(votes), decided)
