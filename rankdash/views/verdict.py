import streamlit as st

from rankdash.comparison import Comparison
from rankdash.report.mistakes import mistakes_of
from rankdash.verdict import Outcome
from rankdash.views import caveats, deltas, experts, grounds, headline, in_force, neighbours, segments, state, voted


def further(comparison: Comparison) -> None:
    """Segments, where there are any, beside what good, same and bad are counted from."""
    if not comparison.plain.segments:
        with st.container(border=True, key="further"):
            voted.panel(comparison)
        return
    with st.grid(2, key="further"):
        with st.container(border=True, height="stretch", key="segments"):
            segments.panel(comparison)
        with st.container(border=True, height="stretch"):
            voted.panel(comparison)


def _wrong(opened: state.Opened) -> list[str]:
    """What is wrong between the files, asked only where nothing can be compared."""
    if opened.verdict.outcome is not Outcome.NOT_COMPARABLE:
        return []
    return [one.sentence for one in mistakes_of(opened.comparison)]


inputs = state.current()
if inputs is not None:
    opened = state.opened(inputs)
    beside = headline.banner(opened.verdict, opened.comparison, in_force.was_changed(*inputs.ranked_digests))
    headline.cards(opened.comparison)
    with st.grid(2, key="grounds"):
        with st.container(border=True, height="stretch"):
            grounds.questions(opened.verdict, _wrong(opened))
            grounds.convention(opened.comparison)
        with st.container(border=True, height="stretch"):
            grounds.intervals(opened.comparison)
    with st.container(key="deltas"):
        deltas.per_query(opened)
    deltas.extremes(opened)
    caveats.panel(opened.verdict)
    further(opened.comparison)
    experts.panel(inputs)
    neighbours.line(inputs, in_force.policy(), beside)
