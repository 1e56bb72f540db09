"""What raters said: the panel of good, same and bad queries."""

from __future__ import annotations

import streamlit as st

from rankdash import charts
from rankdash.case import Case, compared
from rankdash.dashboard.host.results import cached
from rankdash.dashboard.kit.literal import plain, show_table
from rankdash.dashboard.parts import verdict_parts
from rankdash.dashboard.session import saving, session, views
from rankdash.policy import Policy
from rankdash.report.sections import vote_bars, vote_notes, vote_rows
from rankdash.scoring import Comparison, VotesAlone
from rankdash.store import RecordedVerdict
from rankdash.style import verdict as words
from rankdash.tables import Votes
from rankdash.verdict import VOTES_RULES, Verdict, decide


def show_vote_counts(comparison: Comparison | VotesAlone) -> None:
    """Draw the bars of the votes and of the derived counts, with the numbers of each as text."""
    bars = vote_bars(comparison)
    st.subheader(words.GSB_PANEL, anchor=False)
    st.caption(words.GSB_PANEL_HINT)
    st.plotly_chart(charts.gsb_chart(bars), key="gsb_chart", config=charts.CONFIG, alt=charts.gsb_alt(bars))
    show_table(vote_rows(comparison), words.GSB_TABLE, words.GSB_PANEL)
    for note in _together(comparison):
        st.caption(note)


def _together(comparison: Comparison | VotesAlone) -> list[str]:
    """Return the notes as captions: a single caption beside other panels, several where there are votes alone."""
    notes = [plain(note) for note in vote_notes(comparison)]
    return notes if isinstance(comparison, VotesAlone) else [" ".join(notes)]


# --- votes without lists or judgments: what they say, and its verdict on record ---


def decide_votes(votes: Votes, policy: Policy, times: saving.Times = saving.ONCE) -> tuple[VotesAlone, Verdict]:
    """Return what the votes say, and the verdict on it. ComparisonError for a table without votes."""
    comparison = said(votes, policy)
    return comparison, decide(comparison, *times)


@cached()
def said(votes: Votes, policy: Policy) -> VotesAlone:
    """Return what the votes say. ComparisonError for a table without votes."""
    made = compared(Case(votes=votes), policy)
    assert isinstance(made, VotesAlone)
    return made


def shown(votes: Votes) -> RecordedVerdict | None:
    """Write down that the verdict of votes that are open is shown, and return it; None where it is not on record."""
    policy = session.now().policy
    return saving.record(*decide_votes(votes, policy, saving.times()))


def put_on_record(votes: Votes) -> None:
    """Write down the verdict of votes that are open, on whatever page."""
    policy = session.now().policy
    comparison = said(votes, policy)
    saving.computed(comparison, lambda times: decide(comparison, *times))


# --- the verdict page of votes that are open by themselves ---


def show_votes_alone(votes: Votes) -> None:
    """Draw the verdict, the votes, the rules behind it, and what was decided on it."""
    digest, decided = votes.source.sha256, verdict_parts.entries()
    if (old := saving.older()) is not None:
        verdict_parts.show_stored(old, decided[:1])
        return
    views.saw_results(digest)
    comparison, verdict = decide_votes(votes, session.now().policy, saving.times())
    st.caption(" ".join((words.VOTES_ONLY_WHY, *(plain(note.phrase("page")) for note in votes.source.notes))))
    is_changed = session.now().has_changed_policy(digest)
    verdict_parts.banner(verdict, stamps=verdict_parts.stamps(verdict.outcome.value, is_changed, decided[:1]))
    left, right = st.columns([1, 1.25], gap="small")
    with left:
        verdict_parts.voted_card(comparison.votes)
        with st.container(border=True):
            verdict_parts.questions(verdict, VOTES_RULES)
            verdict_parts.behind(verdict)
    with right.container(border=True, height="stretch"):
        show_vote_counts(comparison)
    verdict_parts.show_caveats(verdict)
    verdict_parts.show_decision(shown(votes), decided)
