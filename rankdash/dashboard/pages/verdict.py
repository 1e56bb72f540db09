"""The Verdict page: one sentence, three numbers, and why."""

import streamlit as st

from rankdash.dashboard.kit.literal import plain
from rankdash.dashboard.parts import one_query, verdict_parts
from rankdash.dashboard.session import open_comparison, saving, session, verdicts
from rankdash.report.sections import Reported, explained, further_caveats, notes
from rankdash.scoring import Comparison
from rankdash.style import verdict as words
from rankdash.verdict import Outcome
from rankdash.verdict.records import LEVEL


def further(comparison: Comparison) -> None:
    """Draw what people voted, where they did, and segments, where there are any; folded, unless one can stop a launch
    or loses beyond chance.
    """
    matter = any(
        one.judged or (one.adjusted_p is not None and one.adjusted_p < LEVEL and (one.paired.delta or 0.0) < 0)
        for one in comparison.plain.segments
    )
    if comparison.votes is not None:
        with st.expander(words.GSB_PANEL, key="votes"):
            verdict_parts.show_vote_counts(comparison)
    if comparison.plain.segments:
        # Under one key it would stay as the comparison before left it.
        with st.expander(words.SEGMENTS, expanded=matter, key="segments_open" if matter else "segments"):
            verdict_parts.show_segments(comparison)


votes, case = session.now().votes, open_comparison.current()
if votes is not None:
    verdict_parts.show_votes_alone(votes)
elif case is not None:
    opened = verdicts.looked_at(verdicts.opened(case), saving.times())
    comparison, verdict = opened.comparison, opened.verdict
    verdict_parts.follow_click(opened.changes)
    decided = verdict_parts.entries()
    verdict_parts.banner(verdict, comparison, decided)
    verdict_parts.show_set_aside(opened)
    verdict_parts.cards(comparison, verdict.outcome)
    with st.grid(1 + comparison.is_judged, key="grounds"):
        with st.container(border=True, height="stretch"):
            verdict_parts.questions(verdict, comparison.sample.inferred, notes(verdict, comparison))
        if comparison.is_judged:
            with st.container(border=True, height="stretch"):
                verdict_parts.intervals(comparison, verdict.outcome is not Outcome.NOT_COMPARABLE)
    if comparison.is_judged:
        if len(opened.changes) != 1:  # one bar says nothing that its query below does not
            with st.container(border=True, key="deltas"):
                verdict_parts.deltas(opened)
        one_query.extremes(opened)
    slow = verdict_parts.show_caveats(further_caveats(verdict, comparison), comparison)
    verdict_parts.show_decision(saving.record(comparison, verdict), decided)
    further(comparison)
    verdict_parts.show_neighbours(opened, slow)
    st.container(key="made").caption(plain(" ".join((*explained(comparison), Reported(comparison, verdict).made))))
