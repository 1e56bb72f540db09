import streamlit as st

from rankdash.style import queries as words
from rankdash.view import Viewed
from rankdash.views import drawn, drilldown, looked_at, looking, state
from rankdash.views.literal import plain
from rankdash.wording import shown


@st.fragment(key=drawn.PAGE)
def page(opened: state.Opened) -> None:
    """Everything on the page, without the frame around it. The query that is open is put together first: it is what a
    click waits for.
    """
    found = looking.view(opened.comparison)
    if found is None:
        return
    if not len(found):
        st.markdown(words.NO_QUERIES.format(measure=plain(shown(found.measure.name))))
        return
    kept = looking.filtered(found)
    above, below = st.container(), st.container(key="query_one")
    if len(kept):
        with below:
            one_query(opened, kept)
    left, right = above.columns([1.05, 1], gap="small")
    with left.container(border=True, height="stretch"):
        all_queries(opened, kept)
    with right.container(border=True, height="stretch"):
        if len(kept):
            drawn.table(kept, len(found))
        else:
            st.markdown(words.NO_MATCH)


@st.fragment(key=drawn.CHART)
def all_queries(opened: state.Opened, kept: Viewed) -> None:
    """One chart of the queries that pass the filters, with a mark at the one that is open."""
    drawn.chart(opened.comparison, kept, looked_at.opened(kept.changes.query_ids) if len(kept) else None)


@st.fragment(key=drawn.ONE)
def one_query(opened: state.Opened, kept: Viewed) -> None:
    """The query that is open, among those that pass."""
    drilldown.query(opened.comparison, kept, looked_at.opened(kept.changes.query_ids))


inputs = state.current()
if inputs is not None:
    page(state.opened(inputs))
