"""What the store keeps of the open comparison: saved as it happens, taken over where somebody else was faster.

Every change of what is open goes through ``state``, and from there through here. What cannot be saved is said, and
tried again with the next change; the comparison stays open in memory.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

import streamlit as st

from rankdash.dashboard.session.saved import browsers, shelf
from rankdash.store import Clashes, Content, Saved, State, StoreError

T = TypeVar("T")
_SAVED, _PROBLEM, _CLASHES = "saved_comparison", "saved_problem", "saved_clashes"


def now() -> Saved | None:
    """Return what the store had when this session saved, or took over, last; None for what has no record."""
    found: Saved | None = st.session_state.get(_SAVED)
    return found


def problem() -> str:
    """Return why the open comparison could not be saved or followed; "" where all of it is saved."""
    found: str = st.session_state.get(_PROBLEM, "")
    return found


def clashes() -> Clashes | None:
    """Return what somebody else did otherwise to the same documents meanwhile; None where nothing has to be asked."""
    found: Clashes | None = st.session_state.get(_CLASHES)
    return found


def forget() -> None:
    """Begin without a record: another comparison is open."""
    for key in (_SAVED, _PROBLEM, _CLASHES):
        st.session_state.pop(key, None)


def take(saved: Saved) -> None:
    """Go on from what the store has."""
    forget()
    st.session_state[_SAVED] = saved


def create(content: Content, state: State) -> None:
    """Save a comparison that has no record yet."""
    attempt(lambda: take(shelf.store().create(content, state)))
    note_browser()


def note_browser() -> None:
    """On a server of several people, let the list of this browser name the open comparison."""
    known = now()
    if known is not None and shelf.is_shared():
        attempt(lambda: shelf.store().opened_by(known.id, browsers.browser()))


def replace(content: Content, state: State) -> None:
    """Save other tables as the next revision of the open comparison; as a new one where it has no record."""
    known = now()
    if known is None:
        create(content, state)
    else:
        attempt(lambda: take(shelf.store().replace(known, content, state)))


def keep(state: State, what: str) -> bool:
    """Save a change. Return whether others had changed the comparison too, so that it holds what both did.

    Where both changed the same document of the same query nothing is saved, and ``clashes`` says what to ask.
    """
    known = now()
    if known is None:
        return False
    return _taken(attempt(lambda: shelf.store().save(known, state, what=what)), state)


def settle(mine: bool) -> bool:
    """End a clash: the edits of this session stand, or those of somebody else. Return whether it is over."""
    found = clashes()
    if found is None:
        return False
    state = found.mine if mine else found.yielded
    _taken(attempt(lambda: shelf.store().save(found.theirs, state, what="edited")), state)
    return clashes() is None


def _taken(found: Saved | Clashes | None, state: State) -> bool:
    if isinstance(found, Clashes):
        st.session_state[_CLASHES] = found
    elif found is not None:
        take(found)
        return found.state != state
    return False


def newer() -> Saved | None:
    """Return the comparison as somebody else left it since; None where nobody changed it, or where that is unknown."""
    known = now()
    return None if known is None else attempt(lambda: _newer(known))


def _newer(known: Saved) -> Saved | None:
    store = shelf.store()
    return None if store.head(known.id) == known.number else store.since(known)


def attempt(what: Callable[[], T]) -> T | None:
    """Do something with the store. Where it cannot be done, remember why, and return None."""
    try:
        found = what()
    except StoreError as error:
        st.session_state[_PROBLEM] = str(error)
        return None
    st.session_state.pop(_PROBLEM, None)
    return found
