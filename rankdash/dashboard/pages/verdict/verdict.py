"""The Verdict page: one sentence, four numbers, and what they stand on."""

import streamlit as st

from rankdash.comparison import Comparison
from rankdash.dashboard.pages.verdict import decision, deltas, experts, neighbours, segments, stored
from rankdash.dashboard.parts import caveats, checklist, headline, set_aside, vote_counts
from rankdash.dashboard.session import record, state, verdicts
from rankdash.dashboard.session.saved import seen
from rankdash.report.sections.rules import evaluated_rules, wrong_sentences


def further(comparison: Comparison) -> None:
    """Draw segments, where there are any, beside what good, same and bad are counted from."""
    if not comparison.plain.segments:
        with st.container(border=True, key="further"):
            vote_counts.panel(comparison)
        return
    with st.grid(2, key="further"):
        with st.container(border=True, height="stretch", key="segments"):
            segments.panel(comparison)
        with st.container(border=True, height="stretch"):
            vote_counts.panel(comparison)


case = state.current()
if case is not None:
    if (old := seen.older()) is not None:
        stored.panel(old)
        st.stop()
    opened = verdicts.looked_at(verdicts.opened(case), seen.times())
    beside = headline.banner(opened.verdict, opened.comparison, record.now().has_changed_policy(*case.file_digests))
    set_aside.panel(opened)
    headline.cards(opened.comparison)
    wrong = wrong_sentences(opened.verdict, opened.comparison)
    with st.grid(2, key="grounds"):
        with st.container(border=True, height="stretch"):
            checklist.questions(opened.verdict, evaluated_rules(opened.comparison), wrong)
            checklist.convention(opened.comparison)
        with st.container(border=True, height="stretch"):
            checklist.intervals(opened.comparison)
    with st.container(key="deltas"):
        deltas.per_query(opened)
    deltas.extremes(opened)
    caveats.panel(opened.verdict)
    further(opened.comparison)
    experts.panel(case)
    decision.panel(seen.record(opened.case, opened.policy, opened.comparison, opened.verdict))
    seen.keep_values(opened.case, opened.comparison)
    neighbours.line(case, record.now().policy, beside)
