"""The way to a new comparison: the button on every page, its dialog, and the two doors in it."""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st

from rankdash import style
from rankdash.dashboard.kit import screen, widgets
from rankdash.dashboard.new import typed, uploads
from rankdash.dashboard.session import file_cache, open_comparison
from rankdash.style import editing as words

#: The place of the dialog's drop zone.
_NEW = "new"
_DOOR = "{place}_door"


def button() -> None:
    """Draw the button that stands on every page. Its dialog is fresh each time: a browser forgets what stood in
    the fields of a dialog that is gone, so the server forgets it too.
    """
    if st.button(style.NEW_COMPARISON, icon=":material/add:", key="new_comparison"):
        widgets.forget(_DOOR.format(place=_NEW))
        widgets.forget(typed.KEYS)
        file_cache.forget_box(_NEW)
        _dialog()


@screen.form(style.NEW_COMPARISON, width="large")
def _dialog() -> None:
    doors(_NEW, lambda: screen.cancel(_NEW, lambda: file_cache.forget_box(_NEW)))
    if open_comparison.demo_inputs() is not None:
        with st.container(horizontal=True, vertical_alignment="center"):
            st.markdown(style.OR_DEMO, width="content")
            if st.button(style.OPEN_DEMO, key="open_demo"):
                uploads.show_demo()


def doors(place: str, beside: Callable[[], None] = lambda: None) -> None:
    """Draw two ways in: files, and lists that are typed or pasted; and what stands beside them."""
    with st.container(horizontal=True, vertical_alignment="center"):
        door = st.segmented_control(
            words.DOOR,
            list(words.DOORS),
            format_func=words.DOORS.__getitem__,
            default="files",
            key=_DOOR.format(place=place),
            required=True,
            label_visibility="collapsed",
        )
        beside()
    if door == "typed":
        typed.door()
    else:
        uploads.form(place)
        typed.examples()
