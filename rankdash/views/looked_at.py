"""The query that is looked at: chosen on one page it is open on the others, and it stands in the address of each."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import streamlit as st

from rankdash import style

#: The name of the query in the address.
QUERY = "query"
#: Begins as everything does that is forgotten when another comparison is opened.
_KEY = "query_looked_at"
#: Queries that a list offers, at most: more make every answer of the page wait for the list.
MOST = 1_000


def offered(n: int, place: int) -> range:
    """The places of the queries that a list offers, of ``n``: all of them, or as many as it may around the open one."""
    first = max(0, min(place - MOST // 2, n - MOST))
    return range(first, min(first + MOST, n))


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
        st.query_params[QUERY] = query_id


def opened(ids: Sequence[str]) -> str:
    """The query of some that is open on a page, at first the first one, written into the address."""
    found = among(ids, ids[0])
    write_address(found)
    return found


def box(key: str, ids: Sequence[str], place: int, name: Callable[[int], str], chosen: Callable[[str], None],
        **looks: Any) -> None:  # fmt: skip
    """A list of the queries around the one at a place, which is the one it shows; ``chosen`` is told another one."""
    named = {ids[at]: name(at) for at in offered(len(ids), place)}
    # Written in this very run: what a callback wrote before its rerun never reaches the box in the browser.
    st.session_state[key] = ids[place]
    st.selectbox(
        style.OPEN_QUERY, list(named), format_func=lambda query_id: named.get(query_id, query_id), key=key,
        on_change=lambda: chosen(st.session_state[key]), **looks,
    )  # fmt: skip
