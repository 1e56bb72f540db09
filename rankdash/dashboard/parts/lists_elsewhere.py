"""What is said where a comparison was made of scored queries, and something needs their lists."""

from __future__ import annotations

import streamlit as st

from rankdash.dashboard.kit.literal import plain
from rankdash.dashboard.session import verdicts
from rankdash.dashboard.session.lists_elsewhere import NoListsError
from rankdash.inspect.lists import QueryLists
from rankdash.metrics import Measure
from rankdash.style import queries as words


def needed_for(what: str) -> None:
    """Say that a part of a page needs the lists, and what to do; ``what`` is a key of ``NEEDS_LISTS``."""
    st.markdown(f":material/info: {words.NEEDS_LISTS[what]} {words.NEEDS_LISTS_DO}")


def lists_of(
    opened: verdicts.Opened, query_id: str, depth: int | None = None, measure: Measure | None = None
) -> QueryLists | None:
    """Return the two lists of a query, read from their files where they are elsewhere; None where they cannot be shown,
    which is said.
    """
    if opened.comparison.has_lists:
        return opened.lists_of(query_id, depth, measure)
    try:
        with st.spinner(words.LISTS_READING):
            return opened.lists_of(query_id, depth, measure)
    except NoListsError as error:
        st.caption(f":material/info: {plain(str(error))}")
        return None
