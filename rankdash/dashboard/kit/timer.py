"""Parts of a page that look again after some seconds, without a click."""

from __future__ import annotations

from collections.abc import Callable
from uuid import uuid4

import streamlit as st


def repeat(seconds: float, draw: Callable[[], None]) -> None:
    """Draw a part of the page, and again after each so many seconds, until the whole page is run.

    Each run gives the part another name, by which Streamlit knows it. Where a timer of the run before asks for a part
    of that name in the moment in which a run has ended, the end of that run is never told (``request_rerun`` of
    Streamlit's AppSession says how), and what only the run before had drawn stays on the page. What nobody knows any
    more is not asked for.
    """

    def part() -> None:
        draw()

    part.__qualname__ = f"{repeat.__qualname__}.{uuid4().hex}"
    st.fragment(part, run_every=seconds)()
