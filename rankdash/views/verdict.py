import streamlit as st

from rankdash.comparison import Comparison
from rankdash.style import evidence as words
from rankdash.views import caveats, deltas, experts, grounds, headline, in_force, segments, state, voted


def further(comparison: Comparison) -> None:
    """Segments, where there are any, beside what good, same and bad are counted from."""
    if not comparison.plain.segments:
        with st.container(border=True):
            voted.panel(comparison)
        return
    with st.grid(2):
        with st.container(border=True, height="stretch", key="segments"):
            segments.panel(comparison)
        with st.container(border=True, height="stretch"):
            voted.panel(comparison)


inputs = state.current()
if inputs is not None:
    opened = state.opened(inputs)
    headline.banner(opened.verdict, opened.comparison, in_force.was_changed(*inputs.ranked_digests))
    headline.cards(opened.comparison)
    with st.grid(2):
        with st.container(border=True, height="stretch"):
            grounds.questions(opened.verdict)
            grounds.convention(opened.comparison)
        with st.container(border=True, height="stretch"):
            grounds.intervals(opened.comparison)
    with st.container(horizontal=True, horizontal_alignment="right"):
        details = st.toggle(words.DETAILS, value=True, key="details", help=words.DETAILS_HELP)
    if details:
        deltas.per_query(opened)
    deltas.extremes(opened)
    caveats.panel(opened.verdict)
    if details:
        further(opened.comparison)
        experts.panel(inputs)
