"""The query that is looked at: chosen on one page it is open on the others, and it stands in the address of each."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import streamlit as st

from rankdash import style
from rankdash.views import held

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


def box(called: str, ids: Sequence[str], place: int, name: Callable[[int], str], chosen: Callable[[str], None],
        width: Any = "stretch", **looks: Any) -> None:  # fmt: skip
    """A list of the queries around the one at a place, which is the one it shows; ``chosen`` is told another one."""
    places = offered(len(ids), place)
    named = {ids[at]: name(at) for at in places}
    key = held.key_of(called, ids[place])

    def changed() -> None:
        # A browser sends the words of what it shows: after a swap they have other numbers, and name no query.
        if held.is_chosen(key) and st.session_state[key] in named:
            chosen(st.session_state[key])

    with st.container(key=called, width=width):
        st.selectbox(
            style.OPEN_QUERY, list(named), index=places.index(place), key=key, on_change=changed,
            format_func=lambda query_id: named.get(query_id, query_id), **looks,
        )  # fmt: skip
