"""Parts of a page that look again after some seconds, without a click.

Why: Streamlit knows such a part (a fragment with ``run_every``) by its name and place, so a page that is run anew has
the same one. Where the timer of the run before asks for it in the moment in which the new run has ended, the message of
that end is lost (``AppSession.request_rerun`` of Streamlit says how), and what only the run before had drawn stays on
the page. So each run gives the part a name of its own: what nobody knows any more is not asked for.

It can go when the end of a run is told whatever is asked for meanwhile.
"""

from __future__ import annotations

from collections.abc import Callable
from uuid import uuid4

import streamlit as st


def repeat(seconds: float, draw: Callable[[], None]) -> None:
    """Draw a part of the page, and again after each so many seconds, until the whole page is run."""

    def part() -> None:
        draw()

    part.__qualname__ = f"{repeat.__qualname__}.{uuid4().hex}"
    st.fragment(part, run_every=seconds)()
