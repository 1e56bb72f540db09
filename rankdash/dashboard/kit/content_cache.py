"""A cache keyed by the content of arguments, shared by all sessions of the server and limited in bytes.

The key of a result is the digest of all arguments, and a cached function reads nothing else, in particular not the
session state. A test checks every cached function for that.

Why: ``st.cache_data`` and ``st.cache_resource`` hash only a sample of the rows of a large table, so that two files can
share a result (https://github.com/streamlit/streamlit/issues/14622). They limit the number of entries instead of bytes,
and keep the results of sessions that have ended.

It can go when they hash all of a value and accept a limit in bytes.
"""

from __future__ import annotations

import gc
import inspect
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from contextvars import ContextVar
from functools import wraps
from typing import Any, ParamSpec, TypeVar

from streamlit import runtime
from streamlit.runtime.scriptrunner import get_script_run_ctx

from rankdash.dashboard.kit.digests import digest
from rankdash.dashboard.kit.shared_results import Shared
from rankdash.system import give_back, one_pool

P = ParamSpec("P")
T = TypeVar("T")
RESULTS = Shared()
#: Seconds between two searches for sessions that have ended.
EVERY = 30.0
_started = threading.Event()
#: One thread for what sessions will ask for, and the session that it computes for.
_AHEAD = ThreadPoolExecutor(1, "rankdash-ahead")
_computing_for: ContextVar[str] = ContextVar("computing_for", default="")


def once(make: Callable[P, T]) -> Callable[P, T]:
    """Decorate a function of records so that its results are cached under the digest of all arguments.

    Threads and sessions share the results, so nothing may modify them. Exceptions are not cached. TypeError for a
    function without parameters.
    """
    if not inspect.signature(make).parameters:
        raise TypeError(f"{make.__qualname__} takes nothing, so that nothing can tell its results apart.")
    name = f"{make.__module__}.{make.__qualname__}"

    @wraps(make)
    def cached(*args: P.args, **kwargs: P.kwargs) -> T:
        _start()
        return _known((name, digest((args, kwargs))), lambda: make(*args, **kwargs))

    return cached


def otherwise(cached: Callable[P, T], make: Callable[[], T], *args: P.args, **kwargs: P.kwargs) -> T:
    """Return the result of a function that ``once`` decorated, made by ``make`` where it is not cached.

    ``make`` is a shorter way to the very same result: whoever asks for it later gets this one.
    """
    _start()
    return _known((f"{cached.__module__}.{cached.__qualname__}", digest((args, kwargs))), make)


def ahead(cached: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> None:
    """Begin to make a result of a function that ``once`` decorated, for this session, which will ask for it.

    Who asks meanwhile waits for it. What it raises is raised again by whoever asks.
    """
    _AHEAD.submit(_for_session, _session(), lambda: cached(*args, **kwargs))


def _for_session(session: str, make: Callable[[], object]) -> None:
    before = _computing_for.set(session)
    try:
        with suppress(Exception):
            make()
    finally:
        _computing_for.reset(before)


def _known(key: tuple[str, str], make: Callable[[], T]) -> T:
    """Return the result of a key. What making a large one has left behind goes back to the operating system."""
    before = RESULTS.large
    result: T = RESULTS.get(key, make, _session())
    if RESULTS.large > before:
        give_back()
    return result


def _session() -> str:
    """Return the id of the current session, or of that for which this thread computes; "" outside of one."""
    if session := _computing_for.get():
        return session
    context = get_script_run_ctx(suppress_warning=True)
    return "" if context is None or not runtime.exists() else context.session_id


def _start() -> None:
    """Start the thread that removes results of ended sessions, once, if a server is running."""
    if not _started.is_set() and runtime.exists():
        _started.set()
        one_pool()
        threading.Thread(target=_sweeping, name="rankdash-sweeper", daemon=True).start()


def _sweeping() -> None:
    while runtime.exists():
        time.sleep(EVERY)
        sweep()


def sweep() -> None:
    """Remove the results of sessions that have ended, and return the memory to the operating system."""
    if not runtime.exists():
        return
    server: Any = runtime.get_instance()
    stored: Any = getattr(getattr(getattr(server, "_session_mgr", None), "_session_storage", None), "_cache", None)
    ended = 0
    if hasattr(stored, "expire"):  # Streamlit drops expired sessions only when another one connects or disconnects
        ended = len(stored.expire() or ())
    if RESULTS.sweep(server.is_active_session) or ended:
        gc.collect()
        give_back()
