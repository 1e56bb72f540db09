"""The Queries page: where B wins and loses, query by query. A list on the left, the query that is open on the right."""

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from rankdash.dashboard.kit.literal import plain
from rankdash.dashboard.parts import one_query, query_parts
from rankdash.dashboard.session import actions, open_comparison, verdicts
from rankdash.inspect.view import Viewed
from rankdash.metrics import MeasureError
from rankdash.style import queries as words


@st.fragment
def page(opened: verdicts.Opened) -> None:
    """Draw everything on the page, without the frame around it."""
    try:
        with st.container(horizontal=True, vertical_alignment="center", gap="small", key="view_bar"):
            with st.expander(words.FILTERS, icon=":material/filter_list:", key="view_open"):
                viewed = query_parts.view(opened)
                kept = query_parts.filtered(viewed)
            # Streamlit knows a part by its place, which no further filter before it may move.
            with st.container(horizontal=True, vertical_alignment="center", gap="small", key="view_set"):
                query_parts.chips(opened.comparison, viewed)
                query_parts.tally(opened.comparison, viewed, kept)
            tabs = st.container(width="content")
    except MeasureError as error:
        st.markdown(words.NOT_COMPUTED.format(why=plain(str(error))))
        query_parts.chips(opened.comparison)
        return
    if not len(viewed):
        st.markdown(words.NO_QUERIES.format(measure=plain(viewed.measure.label)))
        return
    if not len(kept):
        st.markdown(open_comparison.spoken(words.NO_MATCH))
        return
    below(opened, kept, len(viewed), tabs)


@st.fragment
def below(opened: verdicts.Opened, kept: Viewed, of: int, tabs: DeltaGenerator) -> None:
    """Draw what a click draws anew: the query that is open, first, and a chart and the list, in which it is marked."""
    if actions.refresh():
        st.rerun()
    left, right = st.columns([1, 1.9], gap="small")
    with right.container(border=True, height="stretch", gap="xsmall", key="query_panel"):
        ids = kept.changes.query_ids
        chosen = open_comparison.query_among(ids, ids[0])
        one_query.query(opened, kept, chosen)
        open_comparison.write_query(chosen)
    with tabs:
        kind = query_parts.kind(opened.comparison)
    with left.container(border=True, height="stretch", gap="xxsmall", key="query_list"):
        query_parts.means(opened, kept, of)
        query_parts.show_chart(opened.comparison, kept, kind)
        query_parts.show_list(kept)


case = open_comparison.current()
if case is not None:
    page(verdicts.opened(case))
