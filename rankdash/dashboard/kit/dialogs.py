"""Whether a dialog may be open: a page that is run again without being asked closes it.

Why: Streamlit tells a script neither that a dialog is open nor that it was closed.

It can go when ``st.rerun`` leaves dialogs open.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx

_OPENED = "dialog_opened"


@contextmanager
def noticed() -> Iterator[None]:
    """Run a page inside this context, and remember whether it opened a dialog."""
    try:
        yield
    finally:
        context = get_script_run_ctx(suppress_warning=True)
        st.session_state[_OPENED] = context is not None and context.has_dialog_opened


def may_be_open() -> bool:
    """Whether the last run of a page opened a dialog; parts of a page that run alone do not count."""
    return bool(st.session_state.get(_OPENED, False))
