"""What the store keeps of the open comparison: saved as it happens, taken over where somebody else was faster.

Every change of what is open goes through ``state``, and from there through here. What cannot be saved is said, and
tried again with the next change; the comparison stays open in memory.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

import streamlit as st

from rankdash.dashboard.session.saved import browsers, shelf
from rankdash.store import Clash, Content, Saved, State, StoreError, questions

T = TypeVar("T")
_SAVED, _PROBLEM = "saved_comparison", "saved_problem"
#: There while this session is asked about clashes; whether the later edits are its own.
_ASKED = "saved_asked"


def now() -> Saved | None:
    """Return what the store had when this session saved, or took over, last; None for what has no record."""
    found: Saved | None = st.session_state.get(_SAVED)
    return found


def problem() -> str:
    """Return why the open comparison could not be saved or followed; "" where all of it is saved."""
    found: str = st.session_state.get(_PROBLEM, "")
    return found


def clashes() -> tuple[Clash, ...]:
    """Return the documents that two people changed at once and this session is asked about."""
    known = now()
    return questions(known.state) if known is not None and _ASKED in st.session_state else ()


def is_own_clash() -> bool:
    """Whether the later one of the two is this session itself."""
    return bool(st.session_state.get(_ASKED))


def ask(own: bool) -> None:
    """Let this session be asked what waits for an answer in the open comparison; ``own`` as for ``is_own_clash``."""
    st.session_state[_ASKED] = own


def ask_no_more() -> None:
    """Ask nothing more: there is an answer."""
    st.session_state.pop(_ASKED, None)


def forget() -> None:
    """Begin without a record: another comparison is open."""
    for key in (_SAVED, _PROBLEM, _ASKED):
        st.session_state.pop(key, None)


def take(saved: Saved) -> None:
    """Go on from what the store has, with nothing to be asked."""
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
    and this session is asked: where it is closed without an answer nothing is lost, and whoever opens the comparison
    next is asked.
    """
    known = now()
    found = None if known is None else attempt(lambda: shelf.store().save(known, state, what=what))
    if found is None:
        return False
    take(found)
    if set(questions(found.state)) - set(state.asked):
        ask(own=True)
    return found.state != state


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
