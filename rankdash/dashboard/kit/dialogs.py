"""Whether a dialog may be open, which a page that is run again without a click closes; and dialogs that only their own
buttons close.

Why: Streamlit tells a script neither that a dialog is open nor, unless the page is run for it, that it was closed. A
slip, such as Escape in a field or a click beside the dialog, takes what was typed with it.

It can go when ``st.rerun`` leaves dialogs open, and a dialog that is closed by a key keeps what was typed.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, ParamSpec

import streamlit as st

from rankdash import style

P = ParamSpec("P")
_OPENED = "dialog_opened"


def dialog(title: str, **how: Any) -> Callable[[Callable[P, None]], Callable[P, None]]:
    """Decorate a function as ``st.dialog`` does, and remember when it has opened its dialog."""

    def decorated(draw: Callable[P, None]) -> Callable[P, None]:
        shown = st.dialog(title, **how)(draw)

        @wraps(draw)
        def opened(*args: P.args, **kwargs: P.kwargs) -> None:
            st.session_state[_OPENED] = True
            shown(*args, **kwargs)

        return opened

    return decorated


def form(title: str, **how: Any) -> Callable[[Callable[P, None]], Callable[P, None]]:
    """Decorate a function as ``dialog`` does, of a dialog in which something is typed: only its buttons close it, and
    one of them is ``cancel``.
    """
    return dialog(title, dismissible=False, **how)


def cancel(name: str, forget: Callable[[], None] | None = None) -> None:
    """Draw the button that closes the dialog called ``name``, at the end of its row; ``forget`` drops what it holds."""
    st.space("stretch")
    if st.button(style.CANCEL, icon=":material/close:", key=f"{name}_cancel", type="tertiary", on_click=forget):
        st.rerun()


def begin() -> None:
    """Begin to draw a page, which no dialog is open over yet."""
    st.session_state[_OPENED] = False


def may_be_open() -> bool:
    """Return whether the last run of a page opened a dialog; parts of a page that run alone do not count."""
    return bool(st.session_state.get(_OPENED, False))
