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
from contextlib import suppress
from threading import Event
from typing import TypeVar

from rankdash.case import Case
from rankdash.dashboard.host import background
from rankdash.dashboard.session import session
from rankdash.dashboard.session.saved import shelf, translation
from rankdash.store import Clash, Mark, Saved, State, StoreError, is_large, questions

T = TypeVar("T")
#: Seconds in which the page with the verdict is drawn, which writing would slow down.
_DRAWN = 2.0


def note() -> str:
    """Return what people wrote down about the open comparison; "" where they wrote nothing, or nothing is saved."""
    saved = session.now().saved
    return "" if saved is None else saved.state.note


def clashes() -> tuple[Clash, ...]:
    """Return the documents that two people changed at once, about which this session has to be asked."""
    current = session.now()
    return () if current.saved is None or current.owns_clashes is None else questions(current.saved.state)


def ask(own: bool) -> None:
    """Ask this session about what two people changed at once. ``own``: the later edits are its own."""
    session.change(owns_clashes=own)


def forget() -> None:
    """Forget the record: another comparison is open."""
    take(None)


def take(saved: Saved | None) -> None:
    """Go on from what the store has, without a question."""
    session.change(saved=saved, problem="", owns_clashes=None, turn=None, writing=None)


def create(content: Case, state: State) -> None:
    """Save a comparison that has no record yet: a large one beside the page."""
    if is_large(content):
        forget()
        hurry, until = Event(), time.monotonic() + _DRAWN
        written = background.begin(_created, content, state, shelf.listed(), hurry, until)
        session.change(writing=(written, hurry))
    elif (store := attempt(shelf.store)) is not None:
        attempt(lambda: take(store.create(content, state)))
        note_browser()


def _created(content: Case, state: State, browser: str | None, hurry: Event, until: float) -> Saved:
    """Write a comparison at a time of ``time.monotonic``, or as soon as somebody waits for it, and let the list of a
    browser name it, though its session may have ended.
    """
    hurry.wait(max(0.0, until - time.monotonic()))
    store = shelf.store()  # the first time it loads packages and makes the database
    saved = store.create(content, state)
    if browser is not None:
        with suppress(StoreError):  # tried again by the session
            store.opened_by(saved.id, browser)
    return saved


def is_written() -> bool | None:
    """Return whether what is written beside the page is on the disk, or cannot be; None where nothing is written."""
    writing = session.now().writing
    return None if writing is None else writing[0].done()


def take_written(*, wait: bool = False) -> bool:
    """Go on from what was written beside the page, if that is done; with ``wait`` as soon as it is. Return whether
    anything is another than it was.
    """
    writing = session.now().writing
    if writing is None or not (wait or writing[0].done()):
        return False
    session.change(writing=None)
    written, hurry = writing
    hurry.set()
    attempt(lambda: take(written.result()))
    note_browser()
    return True


def note_browser() -> None:
    """Let the list of this browser name the open comparison, on a server of several people."""
    saved, browser = session.now().saved, shelf.listed()
    if saved is not None and browser is not None and not shelf.read_only():
        attempt(lambda: shelf.store().opened_by(saved.id, browser))


def replace(content: Case, state: State, *, what: str = "replaced") -> bool:
    """Save other tables as the next revision of the open comparison, under a word for what was done; where it has no
    record, save a new comparison. Return, and ask, as ``keep`` does.
    """
    take_written(wait=True)
    saved = session.now().saved
    if saved is None:
        create(content, state)
        return False
    content = translation.as_saved(content, saved.content)
    newest = attempt(lambda: shelf.store().replace(saved, content, state, what=what))
    if newest is None:
        return False
    return _take_merged(newest, state) or not translation.same_tables(newest.content, content)


def keep(state: State, what: str) -> bool:
    """Save a change. Return whether others had changed the comparison too, so that it holds what both did.

    Where both changed the same document of the same query, the later edit stands, the earlier one is a step before it,
    and this session is asked: where it is closed without an answer nothing is lost, and whoever opens the comparison
    next is asked.
    """
    saved = session.now().saved
    newest = None if saved is None else attempt(lambda: shelf.store().save(saved, state, what=what))
    return newest is not None and _take_merged(newest, state)


def _take_merged(newest: Saved, state: State) -> bool:
    """Go on from what the store made of a state, and ask what that leaves open. Return whether it differs."""
    take(newest)
    if set(questions(newest.state)) - set(state.clashes):
        ask(own=True)
    return newest.state != state


def newer() -> Saved | None:
    """Return the comparison as somebody else left it since; None where nobody changed it, or where that is unknown.

    Everything of this session is saved when this is called: where the store answers, no problem is left.
    """
    saved = session.now().saved
    newest = None if saved is None else attempt(lambda: shelf.store().since(saved))
    if newest is not None:
        session.change(problem="")
    return None if newest is saved else newest


def mark() -> Mark | None:
    """Return the state of the open comparison in the store; None where that is unknown. Nothing of it is kept, and it
    is cheap enough to be looked up again and again.
    """
    saved = session.now().saved
    with suppress(StoreError):
        return None if saved is None else shelf.store().mark(saved.id)
    return None


def is_behind(drawn: Mark | None) -> bool:
    """Return whether somebody else has changed the open comparison, or added to its record, since a page was drawn with
    a mark; False where that is unknown.
    """
    saved, now = session.now().saved, mark()
    if saved is None or now is None:
        return False
    if now.number != saved.number:
        return True
    return drawn is not None and (now.entries, now.tags) != (drawn.entries, drawn.tags)


def attempt(what: Callable[[], T]) -> T | None:
    """Do something with the store. Where it cannot be done, remember why, and return None.

    What was not saved stays a problem until it is saved, whatever else can be done meanwhile.
    """
    try:
        return what()
    except StoreError as error:
        session.change(problem=str(error))
        return None
