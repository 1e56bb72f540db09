"""The edits of this browser session: what was done, undone and taken back, on top of what is open."""

from __future__ import annotations

import streamlit as st

from rankdash.dashboard.kit import editors
from rankdash.edits import Edit, History

_HISTORY, _UPLOADS = "edits_history", "edits_uploads"


def history() -> History:
    """What was edited in the open comparison, in order."""
    found: History = st.session_state.get(_HISTORY) or History()
    return found


def set_history(history: History, *, in_place: bool = False) -> None:
    """Puts edits in force. Editors on the screen begin anew, for a cell that was typed is in their tables now; with
    ``in_place`` they stay, and the cursor in them, and go on showing what was typed.
    """
    st.session_state[_HISTORY] = history
    if not in_place:
        editors.renew()


def uploads() -> int:
    """How many files of labels were taken over: part of the key of the next upload, which begins empty."""
    found: int = st.session_state.get(_UPLOADS, 0)
    return found


def next_upload() -> None:
    """Lets the upload of labels begin anew."""
    st.session_state[_UPLOADS] = uploads() + 1


def begin(edits: tuple[Edit, ...]) -> None:
    """Begins with the edits of another comparison, mostly none; those of the one before are forgotten."""
    set_history(History().done(*edits))
