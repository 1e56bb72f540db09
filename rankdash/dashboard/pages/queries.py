"""The Queries page: where B wins and loses, query by query."""

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from rankdash.dashboard.kit.literal import plain
from rankdash.dashboard.parts import one_query, query_parts, verdict_parts
from rankdash.dashboard.session import actions, open_comparison, verdicts
from rankdash.inspect.view import Viewed
from rankdash.style import queries as words


@st.fragment(key=query_parts.PAGE)
def page(opened: verdicts.Opened) -> None:
    """Draw everything on the page, without the frame around it."""
    viewed = query_parts.view(opened)
    if viewed is None:
        return
    if not len(viewed):
        st.markdown(words.NO_QUERIES.format(measure=plain(viewed.measure.label)))
        return
    kept = query_parts.filtered(viewed)
    if not len(kept):
        with st.container(border=True, key="no_match"):
            st.markdown(words.NO_MATCH)
            st.button(words.SHOW_ALL, key="show_all", on_click=query_parts.show_all)
        return
    left, right = st.columns([1.05, 1], gap="small")
    below = st.container(key="query_one")
    with right.container(border=True, height="stretch"):
        query_parts.table_head(kept, len(viewed), tuple(dict.fromkeys(edit.query_id for edit in opened.case.edits)))
        beside = st.container()
    with left.container(border=True, height="stretch"):
        all_queries(opened, kept, beside, below)
    if viewed.measure.convention == opened.comparison.convention:
        verdict_parts.convention(opened.comparison)


@st.fragment
def all_queries(opened: verdicts.Opened, kept: Viewed, beside: DeltaGenerator, below: DeltaGenerator) -> None:
    """Draw a chart of the queries that pass the filters, chosen among four, beside it their table, and below both the
    query that is open.
    """
    with st.container():  # Streamlit knows a part by its place, which no further line above it may move
        kind = query_parts.kind(opened.comparison, kept)
    open_query(opened, kept, kind, beside, below)


@st.fragment(key=one_query.OPEN)
def open_query(opened: verdicts.Opened, kept: Viewed, kind: str, beside: DeltaGenerator, below: DeltaGenerator) -> None:
    """Draw what a click draws anew: the chart, the query that is open, and the table, in which it is marked."""
    if actions.refresh():
        st.rerun()
    ids = kept.changes.query_ids
    chosen = open_comparison.query_among(ids, ids[0])
    query_parts.show_chart(opened.comparison, kept, kind, chosen)
    with below:
        one_query.query(opened, kept, chosen)
    with beside:
        query_parts.show_table(kept, chosen)
    open_comparison.write_query(chosen)


case = open_comparison.current()
if case is not None:
    page(verdicts.opened(case))
