"""The Verdict page: one sentence, four numbers, and what they stand on."""

import streamlit as st

from rankdash.dashboard.parts import one_query, verdict_parts
from rankdash.dashboard.session import open_comparison, saving, session, verdicts
from rankdash.report.sections import wrong_sentences
from rankdash.scoring import Comparison
from rankdash.verdict import rules_of


def further(comparison: Comparison) -> None:
    """Draw segments, where there are any, beside what people voted, where they did."""
    panels = {"segments": verdict_parts.show_segments} if comparison.plain.segments else {}
    panels |= {"votes": verdict_parts.show_vote_counts} if comparison.votes is not None else {}
    if not panels:
        return
    with st.grid(len(panels), key="further"):
        for key, panel in panels.items():
            with st.container(border=True, height="stretch", key=key):
                panel(comparison)


votes, case = session.now().votes, open_comparison.current()
if votes is not None:
    verdict_parts.show_votes_alone(votes)
elif case is not None:
    opened = verdicts.looked_at(verdicts.opened(case), saving.times())
    decided = verdict_parts.entries()
    verdict_parts.banner(opened.verdict, decided)
    verdict_parts.show_set_aside(opened)
    verdict_parts.cards(opened.comparison)
    wrong = wrong_sentences(opened.verdict, opened.comparison)
    with st.grid(2, key="grounds"):
        with st.container(border=True, height="stretch"):
            verdict_parts.questions(opened.verdict, rules_of(opened.comparison.policy), wrong)
            beside = verdict_parts.behind(opened.verdict, opened.comparison)
        with st.container(border=True, height="stretch"):
            verdict_parts.intervals(opened.comparison)
            verdict_parts.convention(opened.comparison)
    with st.container(key="deltas"):
        one_query.per_query(opened)
    one_query.extremes(opened)
    verdict_parts.show_caveats(opened.verdict, opened.comparison)
    further(opened.comparison)
    verdict_parts.show_decision(saving.record(opened.comparison, opened.verdict), decided)
    verdict_parts.show_neighbours(case, session.now().policy, beside)
