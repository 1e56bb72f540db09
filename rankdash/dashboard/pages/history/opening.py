"""A saved comparison opened from the History page."""

from __future__ import annotations

import streamlit as st

from rankdash.dashboard.kit.literal import plain
from rankdash.dashboard.session import actions, views
from rankdash.store import StoreError
from rankdash.style import history as words


def open_saved(comparison: str) -> None:
    """Open a comparison, and go to its verdict; where it cannot be opened, say why."""
    try:
        with st.spinner(words.OPEN):
            actions.open_saved(comparison, by_link=False)
    except StoreError as error:
        st.warning(plain(str(error)), icon=":material/warning:")
    else:
        views.show_verdict()
