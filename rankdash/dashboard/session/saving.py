"""The store under the open comparison: opened once per server, saved as it happens, taken over where somebody else was
faster; and what was computed and seen of it. It knows nothing of pages.

What cannot be saved is said, and tried again with the next change; the comparison stays open in memory. A verdict is
recorded only for the revision it was computed from.
"""

from __future__ import annotations

import time
import uuid
from collections.abc import Callable
from dataclasses import replace
from typing import NamedTuple, TypeVar

from rankdash.case import Case, votes_title
from rankdash.dashboard.host import identity
from rankdash.dashboard.session import session
from rankdash.scoring import Comparison, VotesAlone
from rankdash.store import ConflictError, RecordedVerdict, Saved, Settings, State, Store, StoreError
from rankdash.store.journal import result_of
from rankdash.tables import Votes
from rankdash.verdict import Verdict

T = TypeVar("T")
#: Seconds after which a store that could not be opened is tried again.
RETRY = 10.0
_failed: dict[Settings, tuple[float, str]] = {}


# --- the store of this server ---


def is_on() -> bool:
    """Return whether comparisons are saved on this server."""
    try:
        return Settings.from_environment().on
    except StoreError:
        return True  # it is meant to be, and whoever asks for the store hears what is wrong


def is_shared() -> bool:
    """Return whether several people use this server, none of whom may see what others opened."""
    try:
        return Settings.from_environment().shared
    except StoreError:
        return True


def refusal() -> str:
    """Return why comparisons can only be read; "" where they are saved, or where there is no store."""
    try:
        return store().refusal
    except StoreError:
        return ""


def store() -> Store:
    """Return the store that the settings name. StoreError where there is none, or where it cannot be opened."""
    settings = Settings.from_environment()
    at, why = _failed.get(settings, (0.0, ""))
    if why and time.monotonic() - at < RETRY:
        raise StoreError(why)
    try:
        opened = Store.open(settings)
    except StoreError as error:
        _failed[settings] = time.monotonic(), str(error)
        raise
    _failed.pop(settings, None)
    return opened


def listed() -> str | None:
    """Return the browser whose comparisons may be listed: this browser on a server of several people; None:
    everybody's.
    """
    if not is_shared():
        return None
    own = session.now().browser or session.change(browser=uuid.uuid4().hex).browser
    return identity() or own  # without cookies it is this session's own


def attempt(what: Callable[[], T]) -> T | None:
    """Do something with the store. Where it cannot be done, remember why, and return None.

    What was not saved stays a problem until it is saved, whatever else can be done meanwhile.
    """
    try:
        return what()
    except StoreError as error:
        session.change(problem=str(error))
        return None


# --- the open comparison ---


def take(saved: Saved | None) -> None:
    """Go on from what the store has; None: another comparison is open, which it does not have."""
    session.change(saved=saved, problem="", conflict=None, has_new_tables=False)


def content_of(opened: Case | Votes) -> Case:
    """Return the tables of the open comparison, with A and B as they are stored."""
    if isinstance(opened, Votes):
        return Case(votes=opened)
    return (opened.swapped() if session.now().is_turned else opened).unedited


def state_of(opened: Case | Votes) -> State:
    """Return what can change of what is open, as the store keeps it."""
    now = session.now()
    before = None if now.saved is None else now.saved.state
    if isinstance(opened, Votes):
        name = votes_title(opened) if before is None else before.name  # votes have no name of their own
        return State(name, swapped=now.is_turned, policy=now.policy)
    kept = opened
    if now.is_turned:
        edits, held = tuple(edit.swapped() for edit in opened.edits), tuple(held.swapped() for held in opened.held)
        kept = replace(opened, runs=(opened.b, opened.a), edits=edits, held=held)
    names = (kept.name, kept.a.name, kept.b.name)
    return State(*names, now.is_turned, now.policy, kept.edits, kept.held, now.set_aside)


def create(opened: Case | Votes) -> None:
    """Save what is open as a comparison that has no record yet."""
    now, content, state = session.now(), content_of(opened), state_of(opened)
    saved = attempt(lambda: store().create(content, state, by=now.person, group=now.group_id))
    if saved is not None:
        take(saved)
        note_browser()


def save(opened: Case | Votes, state: State, *, tables: bool, reread: bool = False) -> Saved | None:
    """Save a change of the open comparison, with its ``tables`` where these are others. Return what is saved then, with
    what others changed; None where it cannot be saved.
    """
    saved, by = session.now().saved, session.now().person
    assert saved is not None
    try:
        newest = (
            store().replace(saved, content_of(opened), state, by=by, reread=reread)
            if tables
            else store().save(saved, state, by=by)
        )
    except ConflictError as error:
        session.change(problem=str(error), conflict=error.theirs, has_new_tables=tables)
        return None
    except StoreError as error:
        session.change(problem=str(error), conflict=None, has_new_tables=tables)
        return None
    take(newest)
    return newest


def note_browser() -> None:
    """Let the list of this browser name the open comparison, on a server of several people."""
    saved, browser = session.now().saved, listed()
    if saved is not None and browser is not None and not refusal():
        attempt(lambda: store().opened_by(saved.id, browser))


def newer() -> Saved | None:
    """Return the comparison as another user has saved it since; None if nobody did, or the store cannot be read."""
    saved = session.now().saved
    newest = None if saved is None else attempt(lambda: store().since(saved))
    if newest is not None:
        session.change(problem="")
    return None if newest is saved else newest


# --- results and looks ---


class Times(NamedTuple):
    """For how many states of the data the verdict of a pair was shown, and how many candidates were compared with this
    A on these judgments; this one included.
    """

    looks: int
    candidates: int


#: Of what is not saved.
ONCE = Times(1, 1)


def times() -> Times:
    """Return what is on record of the open comparison, and how many candidates are open beside it, where these are
    more. It is read each time, for any comparison may have added to it.
    """
    saved, beside = session.now().saved, max(1, len(session.now().group))
    if saved is None:
        return Times(1, beside)
    others = [pair.saved for pair in session.now().pairs if pair.saved is not None]
    looks, candidates = attempt(lambda: Times(store().looks(saved), store().candidates(saved, *others))) or ONCE
    return Times(looks, max(candidates, beside))


def computed(comparison: Comparison | VotesAlone, decide: Callable[[Times], Verdict], *, is_look: bool = False) -> None:
    """Record the verdict of the open comparison, once for each revision, so that lists can show it.

    ``comparison`` is the open one under its policy, ``decide`` returns its verdict for a number of looks and
    candidates, and ``is_look`` is whether the verdict is shown.
    """
    saved = session.now().saved
    if saved is None or session.now().computed == (saved.id, saved.number):
        return
    if session.now().problem or refusal():
        return
    if attempt(lambda: store().seen(saved, comparison, decide(times()), is_look=is_look)) is not None:
        session.change(computed=(saved.id, saved.number))


def record(comparison: Comparison | VotesAlone, verdict: Verdict) -> RecordedVerdict | None:
    """Write down that the verdict of what is open is shown, with its look. Return the result as it is shown; None where
    it is not on record.
    """
    saved = session.now().saved
    if saved is None or session.now().problem or refusal():
        return None
    recorded = attempt(lambda: store().seen(saved, comparison, verdict))
    if recorded is None:
        return None
    return replace(result_of(comparison, verdict, saved, recorded.content), at=recorded.at)
