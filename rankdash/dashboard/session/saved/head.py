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

    Where both changed the same document of the same query, the later edit stands, the earlier one is a step before it,
    and ``clashes`` says what to ask: a tab that is closed without an answer has lost nothing.
    """
    known = now()
    if known is None:
        return False
    found = attempt(lambda: shelf.store().save(known, state, what=what))
    if isinstance(found, Clashes):
        both = found
        found = attempt(lambda: shelf.store().save(both.theirs, both.mine, what=what, anyway=True))
        if isinstance(found, Saved):
            take(found)
            st.session_state[_CLASHES] = both
            return True
    elif found is not None:
        take(found)
        return found.state != state
    return False


def settle(mine: bool) -> bool:
    """End a clash: the edits of this session stand, or those of somebody else. Return whether it is over."""
    found, known = clashes(), now()
    if found is None or known is None:
        return False
    if mine:
        st.session_state.pop(_CLASHES)
        return True
    yielded = attempt(lambda: shelf.store().save(known, found.yielded, what="edited", anyway=True))
    if isinstance(yielded, Saved):
        take(yielded)
    return clashes() is None


def newer() -> Saved | None:
    """Return the comparison as somebody else left it since; None where nobody changed it, or where that is unknown.

    Asked where everything of this session is saved: where that can be told again, there is no problem any more.
    """
    known = now()
    found = None if known is None else attempt(lambda: shelf.store().since(known))
    if found is not None:
        st.session_state.pop(_PROBLEM, None)
    return None if found is known else found


def attempt(what: Callable[[], T]) -> T | None:
    """Do something with the store. Where it cannot be done, remember why, and return None.

    What was not saved stays a problem until it is saved, whatever else can be done meanwhile.
    """
    try:
        return what()
    except StoreError as error:
        st.session_state[_PROBLEM] = str(error)
        return None
