import streamlit as st

from rankdash.style import queries as words
from rankdash.view import Viewed
from rankdash.views import drawn, drilldown, looked_at, looking, state
from rankdash.views.literal import plain
from rankdash.wording import shown


def open_query(ids: tuple[str, ...]) -> str:
    """The id of the query that is open: the one chosen here or on another page, else the largest loss."""
    wanted = st.session_state.get(drawn.OPEN)
    chosen = wanted if wanted in ids else looked_at.among(ids, ids[0])
    if wanted != chosen:
        st.session_state[drawn.OPEN] = chosen
    looked_at.write_address(chosen)
    return chosen


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
    with above:
        all_queries(opened, kept, len(found))


@st.fragment(key=drawn.ALL)
def all_queries(opened: state.Opened, kept: Viewed, of: int) -> None:
    """One chart and the table of the queries that pass the filters."""
    chosen = open_query(kept.changes.query_ids) if len(kept) else None
    left, right = st.columns([1.05, 1], gap="small")
    with left.container(border=True, height="stretch"):
        drawn.chart(opened.comparison, kept, chosen)
    with right.container(border=True, height="stretch"):
        if chosen is None:
            st.markdown(words.NO_MATCH)
        else:
            drawn.table(kept, of)


@st.fragment(key=drawn.ONE)
def one_query(opened: state.Opened, kept: Viewed) -> None:
    """The query that is open, among those that pass."""
    drilldown.query(opened.comparison, kept, open_query(kept.changes.query_ids))


inputs = state.current()
if inputs is not None:
    page(state.opened(inputs))
