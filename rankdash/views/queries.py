import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from rankdash.style import queries as words
from rankdash.view import Viewed
from rankdash.views import drawn, drilldown, edited, grounds, looked_at, looking, state
from rankdash.views.literal import plain
from rankdash.wording import shown


@st.fragment(key=drawn.PAGE)
def page(opened: state.Opened) -> None:
    """Everything on the page, without the frame around it."""
    found = looking.view(opened)
    if found is None:
        return
    if not len(found):
        st.markdown(words.NO_QUERIES.format(measure=plain(shown(found.measure.name))))
        return
    kept = looking.filtered(found)
    left, right = st.columns([1.05, 1], gap="small")
    below = st.container(key="query_one")
    with left.container(border=True, height="stretch"):
        all_queries(opened, kept, below)
    with right.container(border=True, height="stretch"):
        if len(kept):
            drawn.table(kept, len(found), edited.history().query_ids)
        else:
            st.markdown(words.NO_MATCH)
    if found.measure.convention == opened.comparison.convention:
        grounds.convention(opened.comparison)


@st.fragment
def all_queries(opened: state.Opened, kept: Viewed, below: DeltaGenerator) -> None:
    """A chart of the queries that pass the filters, chosen among five, and below it the query that is open."""
    kind = drawn.kind(opened.comparison, kept)
    one_query(opened, kept, kind, below)


@st.fragment(key=drawn.OPEN)
def one_query(opened: state.Opened, kept: Viewed, kind: str, below: DeltaGenerator) -> None:
    """What a click draws anew: the chart, which shows what is open, and below it the query that is open."""
    ids = kept.changes.query_ids
    chosen = looked_at.among(ids, ids[0]) if ids else None
    drawn.chart(opened.comparison, kept, kind, chosen)
    if chosen is not None:
        with below:
            drilldown.query(opened.comparison, kept, chosen)
        looked_at.write_address(chosen)


inputs = state.current()
if inputs is not None:
    page(state.opened(inputs))
