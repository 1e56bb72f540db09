"""The store of this server, and which of its comparisons a browser may list.

It is opened once for its settings, and tried again after a while where that fails.
"""

from __future__ import annotations

import threading
import time
import uuid

from rankdash.dashboard.host.requests import identity
from rankdash.dashboard.session import session
from rankdash.store import Settings, Store, StoreError

#: Seconds after which a store that could not be opened is tried again.
RETRY = 10.0
#: Signs of what tells a browser that stand at its edits.
_AUTHOR = 16
_lock = threading.Lock()
_stores: dict[Settings, Store] = {}
_failed: dict[Settings, tuple[float, str]] = {}


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


def read_only() -> str:
    """Return where comparisons can only be read; "" where they are saved, or where there is no store."""
    try:
        return store().read_only
    except StoreError:
        return ""


def store() -> Store:
    """Return the store that the settings name. StoreError where there is none, or where it cannot be opened."""
    settings = Settings.from_environment()
    with _lock:
        opened = _stores.get(settings)
        if opened is not None:
            return opened
        at, why = _failed.get(settings, (0.0, ""))
        if why and time.monotonic() - at < RETRY:
            raise StoreError(why)
        try:
            opened = _stores[settings] = Store.open(settings)
        except StoreError as error:
            _failed[settings] = time.monotonic(), str(error)
            raise
        _failed.pop(settings, None)
        return opened


def listed() -> str | None:
    """Return the browser whose comparisons may be listed: this browser on a server of several people; None:
    everybody's.
    """
    return browser() if is_shared() else None


def author() -> str:
    """Return what tells the edits of this browser from those of others: too little of what tells it to be it."""
    return browser()[:_AUTHOR]


def browser() -> str:
    """Return what tells this browser from others, which nobody can guess; without cookies it is this session's own."""
    own = session.now().browser or session.change(browser=uuid.uuid4().hex).browser
    return identity() or own
