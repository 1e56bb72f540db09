"""The edits of this browser session, with what was undone."""

from __future__ import annotations

import streamlit as st

from rankdash.dashboard.kit import editors
from rankdash.edits import Edit, Held, History

_HISTORY, _UPLOADS = "edits_history", "edits_uploads"


def history() -> History:
    """Return the edits of the open comparison, in order."""
    edits: History = st.session_state.get(_HISTORY) or History()
    return edits


def set_history(history: History, *, in_place: bool = False) -> None:
    """Apply edits to the open comparison.

    Editors on the screen are replaced, because typed cells are part of their tables now. With ``in_place`` they stay,
    with the cursor and the typed cells.
    """
    st.session_state[_HISTORY] = history
    if not in_place:
        editors.renew()


def uploads() -> int:
    """Return the number of label files that were applied. It is part of the key of the upload, which then is empty."""
    number: int = st.session_state.get(_UPLOADS, 0)
    return number


def next_upload() -> None:
    """Replace the upload of labels by an empty one."""
    st.session_state[_UPLOADS] = uploads() + 1


def begin(edits: tuple[Edit, ...], held: tuple[Held, ...] = ()) -> None:
    """Replace the history by the edits of a comparison that is opened, mostly none, and the lists for which votes hold,
    as somebody said.
    """
    set_history(History().holding(*held).done(*edits))
