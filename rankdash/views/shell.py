"""What stands on every page: the row under the navigation, the way to a new comparison, and what to say when there is
nothing to show.
"""

from __future__ import annotations

import streamlit as st

from rankdash import style
from rankdash.views import state, uploads
from rankdash.views.literal import plain
from rankdash.wording import count


def frame() -> None:
    """The row of the open comparison. Where nothing is open, that is said, and no page follows."""
    inputs = state.current()
    if inputs is None:
        _nothing_open()
        st.stop()
    state.write_address(inputs)
    comparison = state.opened(inputs).comparison
    queries = count(comparison.primary.paired.n, "query", "queries")
    models = f"**A** {plain(inputs.a.name)} → **B** {plain(inputs.b.name)}"
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.markdown(f"**{plain(inputs.name)}** :gray[·] {models} :gray[·] {queries}", width="content")
        if inputs.holds_demo:
            st.badge(style.DEMO_BADGE, color="blue")
        st.space("stretch")
        if st.button(style.NEW_COMPARISON, icon=":material/add:", key="new_comparison"):
            _new_comparison()


@st.dialog(style.NEW_COMPARISON, width="large")
def _new_comparison() -> None:
    uploads.form("new")
    if state.demo_inputs() is not None:
        with st.container(horizontal=True, vertical_alignment="center"):
            st.markdown(style.OR_DEMO, width="content")
            if st.button(style.OPEN_DEMO, key="open_demo"):
                uploads.show(state.demo_inputs())


def _nothing_open() -> None:
    gone = state.ADDRESS in st.query_params
    st.header(style.GONE if gone else style.NOTHING_OPEN, anchor=False)
    st.markdown(style.GONE_WHY if gone else style.NOTHING_OPEN_WHY)
    uploads.form("lost")
    if state.demo_inputs() is not None and st.button(style.OPEN_DEMO, key="open_demo"):
        uploads.show(state.demo_inputs())
