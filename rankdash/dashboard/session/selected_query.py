"""The query that is looked at: chosen on one page it is open on the others, and it stands in the address of each."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import streamlit as st

from rankdash import style
from rankdash.dashboard.kit.browser_history import said, tell
from rankdash.wording import count, literal

#: The name of the query in the address.
QUERY = "query"
#: Begins as everything does that is forgotten when another comparison is opened.
_KEY = "query_looked_at"
#: The part of a page that is the list of queries to open.
BOX = "part_box"
#: Queries that the list offers, at most: more would make a page wait for the list.
MOST = 1_000
_OPENED = "query_opened"


def offered(n: int) -> list[int]:
    """The places of the queries that the list offers, of ``n``: all of them, or as many as it may from both ends."""
    half = MOST // 2
    return [*range(n)] if n <= MOST else [*range(half), *range(n - half, n)]


def choose(query_id: str) -> None:
    """Makes a query the one that is looked at."""
    st.session_state[_KEY] = query_id


def among(ids: Sequence[str], otherwise: str) -> str:
    """The query that is looked at, if it is among some; else the one that the address names; else another one."""
    wanted = (st.session_state.get(_KEY), st.query_params.get(QUERY))
    return next((query_id for query_id in wanted if query_id is not None and query_id in ids), otherwise)


def write_address(query_id: str) -> None:
    """Puts the query into the address, for pages begin without what stood in that of another page."""
    choose(query_id)
    if st.query_params.get(QUERY) != query_id:
        tell(said() | {QUERY: [query_id]})


@st.fragment(key=BOX)
def box(ids: Sequence[str], name: Callable[[int], str], part: str) -> None:
    """A list to open one of some queries with; ``part`` of the page shows it.

    It never shows which one is open: then no click would have to wait for it, and what a browser sends of it that was
    not drawn anew yet could not be taken for a choice. After a choice it is empty again.
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
