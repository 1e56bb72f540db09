import streamlit as st

from rankdash.style import queries as words
from rankdash.views import drawn, drilldown, looking, state
from rankdash.views.literal import plain
from rankdash.wording import shown

#: The name of the open query in the address.
QUERY = "query"


def open_query(ids: tuple[str, ...]) -> str:
    """The id of the query that is open: the one chosen before, the one in the address, or the largest loss."""
    wanted = st.session_state.get(drawn.OPEN) or st.query_params.get(QUERY)
    chosen = wanted if wanted in ids else ids[0]
    if st.session_state.get(drawn.OPEN) != chosen:
        st.session_state[drawn.OPEN] = chosen
    if st.query_params.get(QUERY) != chosen:
        st.query_params[QUERY] = chosen
    return chosen


@st.fragment
def page(opened: state.Opened) -> None:
    """Everything on the page: a click redraws it without the frame around it."""
    found = looking.view(opened.comparison)
    if found is None:
        return
    if not len(found):
        st.markdown(words.NO_QUERIES.format(measure=plain(shown(found.measure.name))))
        return
    kept = looking.filtered(found)
    chosen = open_query(kept.changes.query_ids) if len(kept) else None
    left, right = st.columns([1.05, 1], gap="small")
    with left.container(border=True, height="stretch"):
        drawn.chart(opened.comparison, kept, chosen)
    with right.container(border=True, height="stretch"):
        if chosen is None:
            st.markdown(words.NO_MATCH)
        else:
            drawn.table(kept, len(found))
    if chosen is not None:
        drilldown.query(opened.comparison, kept, chosen)


inputs = state.current()
if inputs is not None:
    page(state.opened(inputs))
