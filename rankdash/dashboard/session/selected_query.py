"""The selected query. It is the same on all pages, and a query parameter of each."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import streamlit as st

from rankdash import style
from rankdash.dashboard.kit.browser_history import said, tell
from rankdash.wording import count, literal

#: The query parameter with the selected query.
QUERY = "query"
#: The session key; its beginning marks what is removed when another comparison is opened.
_KEY = "query_looked_at"
#: The fragment with the list of queries.
BOX = "part_box"
#: The most queries in the list: a longer list would delay the page.
MOST = 1_000
_OPENED = "query_opened"


def offered(n: int) -> list[int]:
    """Return the places of the queries in the list: all ``n``, or the first and last ones up to the limit."""
    half = MOST // 2
    return [*range(n)] if n <= MOST else [*range(half), *range(n - half, n)]


def choose(query_id: str) -> None:
    """Select a query."""
    st.session_state[_KEY] = query_id


def among(ids: Sequence[str], otherwise: str) -> str:
    """Return the selected query if it is in ``ids``, else that of the query parameter, else ``otherwise``."""
    wanted = (st.session_state.get(_KEY), st.query_params.get(QUERY))
    return next((query_id for query_id in wanted if query_id is not None and query_id in ids), otherwise)


def write_address(query_id: str) -> None:
    """Select a query and set the query parameter, which a link to another page may have dropped."""
    choose(query_id)
    if st.query_params.get(QUERY) != query_id:
        tell(said() | {QUERY: [query_id]})


@st.fragment(key=BOX)
def box(ids: Sequence[str], name: Callable[[int], str], part: str) -> None:
    """Draw a list from which a query can be selected; ``part`` is the fragment that shows the selected query.

    The list never shows the selected query, and is empty again after a choice: so clicks elsewhere need not redraw it,
    and an old value that the browser sends cannot be taken for a choice.
    """
    times = st.session_state.get(_OPENED, 0)
    key, named = f"query_open__{times}", {ids[at]: name(at) for at in offered(len(ids))}

    def changed() -> None:
        query_id = st.session_state[key]
        if query_id is not None:
            st.session_state[_OPENED] = times + 1
            choose(query_id)
            st.rerun([part, BOX])

    with st.container(key="query_open", gap="xsmall"):
        st.selectbox(
            style.OPEN_QUERY,
            list(named),
            index=None,
            key=key,
            on_change=changed,
            placeholder=style.OPEN_HINT,
            format_func=lambda query_id: literal(named.get(query_id) or str(query_id)),
            label_visibility="collapsed",
        )
        if len(named) < len(ids):
            st.caption(style.OPEN_ENDS.format(n=count(MOST // 2)))
