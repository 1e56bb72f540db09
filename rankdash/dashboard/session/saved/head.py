"""What the store keeps of the open comparison: saved as it happens, taken over where somebody else was faster.

Every change of what is open goes through ``state``, and from there through here. What cannot be saved is said, and
tried again with the next change; the comparison stays open in memory.

A large comparison is written beside the page, once that is drawn, so that its verdict need not wait. Until it is on the
disk it has no record, and no page says that it is saved; a change of it waits for that. Who leaves before has saved it
all the same.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import dataclass, field
from threading import Event
from typing import TypeVar

import streamlit as st

from rankdash.case import Case
from rankdash.dashboard.host import background
from rankdash.dashboard.session.saved import browsers, shelf
from rankdash.store import Clash, Saved, State, StoreError, description_of, is_large, questions, suspects

T = TypeVar("T")
_SAVED, _PROBLEM, _WRITTEN = "saved_comparison", "saved_problem", "saved_beside"
#: There while this session is asked about clashes; whether the later edits are its own.
_ASKED = "saved_asked"
#: Seconds in which the page with the verdict is drawn, which writing would slow down.
_DRAWN = 2.0


def now() -> Saved | None:
    """Return what the store had when this session saved, or took over, last; None for what has no record."""
    found: Saved | None = st.session_state.get(_SAVED)
    return found


def problem() -> str:
    """Return why the open comparison could not be saved or followed; "" where all of it is saved."""
    found: str = st.session_state.get(_PROBLEM, "")
    return found


def note() -> str:
    """Return what people wrote down about the open comparison; "" where they wrote nothing, or nothing is saved."""
    known = now()
    return "" if known is None else known.state.note


def misread() -> tuple[str, ...]:
    """Return the roles of the tables of the open comparison that an older version may have read wrongly."""
    known = now()
    if known is None:
        return ()
    return suspects(((role, description_of(table)) for role, table in known.content.tables.items()), is_recomputed=True)


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
    for key in (_SAVED, _PROBLEM, _ASKED, _WRITTEN):
        st.session_state.pop(key, None)


def take(saved: Saved) -> None:
    """Go on from what the store has, with nothing to be asked."""
    forget()
    st.session_state[_SAVED] = saved


def create(content: Case, state: State) -> None:
    """Save a comparison that has no record yet: a large one beside the page."""
    if is_large(content):
        forget()
        when = _Awaited(time.monotonic() + _DRAWN)
        st.session_state[_WRITTEN] = background.begin(_created, content, state, browsers.listed(), when), when
    elif (store := attempt(shelf.store)) is not None:
        attempt(lambda: take(store.create(content, state)))
        note_browser()


def _created(content: Case, state: State, browser: str | None, when: _Awaited) -> Saved:
    """Write a comparison, and let the list of a browser name it, though its session may have ended."""
    when.wait()
    store = shelf.store()  # the first time it loads packages and makes the database
    saved = store.create(content, state)
    if browser is not None:
        with suppress(StoreError):  # tried again by the session
            store.opened_by(saved.id, browser)
    return saved


@dataclass(frozen=True)
class _Awaited:
    """A time of ``time.monotonic`` that need not come where somebody is waiting for what shall be done then."""

    time: float
    now: Event = field(default_factory=Event)

    def wait(self) -> None:
        """Return at that time, or as soon as somebody waits."""
        self.now.wait(max(0.0, self.time - time.monotonic()))


def _beside() -> tuple[Future[Saved], _Awaited] | None:
    """Return what is written beside the page; None where nothing is."""
    found: tuple[Future[Saved], _Awaited] | None = st.session_state.get(_WRITTEN)
    return found


def is_written() -> bool | None:
    """Whether what is written beside the page is on the disk, or cannot be; None where nothing is written."""
    beside = _beside()
    return None if beside is None else beside[0].done()


def take_written(*, wait: bool = False) -> bool:
    """Go on from what was written beside the page, if that is done; with ``wait`` as soon as it is. Return whether
    anything is another than it was.
    """
    beside = _beside()
    if beside is None or not (wait or beside[0].done()):
        return False
    st.session_state.pop(_WRITTEN)
    written, when = beside
    when.now.set()
    attempt(lambda: take(written.result()))
    note_browser()
    return True


def note_browser() -> None:
    """On a server of several people, let the list of this browser name the open comparison."""
    known, browser = now(), browsers.listed()
    if known is not None and browser is not None and not shelf.read_only():
        attempt(lambda: shelf.store().opened_by(known.id, browser))


def replace(content: Case, state: State, *, what: str = "replaced") -> None:
    """Save other tables as the next revision of the open comparison, under a word for what was done; as a new one where
    it has no record.
    """
    take_written(wait=True)
    known = now()
    if known is None:
        create(content, state)
    else:
        attempt(lambda: take(shelf.store().replace(known, content, state, what=what)))


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
