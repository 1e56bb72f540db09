"""The Verdict page: one sentence, four numbers, and what they stand on."""

import streamlit as st

from rankdash.dashboard.pages.verdict import decision, deltas, experts, neighbours, segments, stored, votes_alone
from rankdash.dashboard.parts import caveats, checklist, headline, set_aside, vote_counts
from rankdash.dashboard.session import open_comparison, session, verdicts
from rankdash.dashboard.session.saved import seen
from rankdash.report.sections.rules import evaluated_rules, wrong_sentences
from rankdash.scoring import Comparison


def further(comparison: Comparison) -> None:
    """Draw segments, where there are any, beside what people voted, where they did."""
    panels = {"segments": segments.panel} if comparison.plain.segments else {}
    panels |= {"votes": vote_counts.panel} if comparison.votes is not None else {}
    if not panels:
        return
    with st.grid(len(panels), key="further"):
        for key, panel in panels.items():
            with st.container(border=True, height="stretch", key=key):
                panel(comparison)


votes, case = session.now().votes, open_comparison.current()
if votes is not None:
    votes_alone.panel(votes)
elif case is not None:
    if (old := seen.older()) is not None:
        stored.panel(old, decision.entries()[:1])
        st.stop()
    opened = verdicts.looked_at(verdicts.opened(case), seen.times())
    decided = decision.entries()
    is_changed = session.now().has_changed_policy(*case.file_digests)
    stamps = headline.stamps(opened.verdict.outcome.value, is_changed, decided[:1])
    headline.banner(opened.verdict, opened.comparison, stamps)
    set_aside.panel(opened)
    headline.cards(opened.comparison)
    wrong = wrong_sentences(opened.verdict, opened.comparison)
    with st.grid(2, key="grounds"):
        with st.container(border=True, height="stretch"):
            checklist.questions(opened.verdict, evaluated_rules(opened.comparison), wrong)
            beside = checklist.behind(opened.verdict, opened.comparison)
        with st.container(border=True, height="stretch"):
            checklist.intervals(opened.comparison)
            checklist.convention(opened.comparison)
    with st.container(key="deltas"):
        deltas.per_query(opened)
    deltas.extremes(opened)
    caveats.panel(opened.verdict, opened.comparison)
    further(opened.comparison)
    experts.panel(case)
    decision.panel(verdicts.shown(case), decided)
    seen.keep_values(opened.case, opened.comparison)
    neighbours.line(case, session.now().policy, beside)
