import streamlit as st

from rankdash import style
from rankdash.verdict import Verdict
from rankdash.verdict.caveats import SHOWN
from rankdash.views import deltas, grounds, headline, state
from rankdash.views.literal import plain


def caveats(verdict: Verdict) -> None:
    """What a reader must know beside the verdict: three at most, the rest on demand."""
    if not verdict.caveats:
        return
    sentences = [f"- {plain(caveat.sentence)}" for caveat in verdict.caveats]
    with st.container(border=True):
        st.subheader(style.CAVEATS, anchor=False)
        st.markdown("\n".join(sentences[:SHOWN]))
        if len(sentences) > SHOWN:
            with st.expander(style.MORE_CAVEATS.format(n=len(sentences) - SHOWN)):
                st.markdown("\n".join(sentences[SHOWN:]))


inputs = state.current()
if inputs is not None:
    opened = state.opened(inputs)
    headline.banner(opened.verdict)
    headline.cards(opened.comparison)
    left, right = st.columns([1, 1.25], gap="small")
    with left.container(border=True, height="stretch"):
        grounds.questions(opened.verdict)
        grounds.convention(opened.comparison)
    with right.container(border=True, height="stretch"):
        grounds.intervals(opened.comparison)
    deltas.per_query(opened)
    deltas.extremes(opened)
    caveats(opened.verdict)
