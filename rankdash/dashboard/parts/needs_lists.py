"""What is said where a comparison was made of scored queries, and something needs their lists."""

from __future__ import annotations

import streamlit as st

from rankdash.dashboard.session import verdicts
from rankdash.inspect.lists import QueryLists
from rankdash.metrics import Measure
from rankdash.style import queries as words


def needed_for(what: str) -> None:
    """Say that a part of a page needs the lists, and what to do; ``what`` is a key of ``NEEDS_LISTS``."""
    st.markdown(f":material/info: {words.NEEDS_LISTS[what]} {words.NEEDS_LISTS_DO}")


def lists_of(
    opened: verdicts.Opened, query_id: str, depth: int | None = None, measure: Measure | None = None
) -> QueryLists | None:
    """Return the two lists of a query; None, which is said, where the comparison has none."""
    if opened.comparison.has_lists:
        return opened.lists_of(query_id, depth, measure)
    st.caption(f":material/info: {words.LISTS_UNTOLD}")
    return None
