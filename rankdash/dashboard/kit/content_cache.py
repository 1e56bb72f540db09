"""Results that are made once per content, and shared by every session of the server, within a budget of bytes.

The key of a result is the digest of everything that its function is given, and a function reads nothing else: no
session, no argument that the key leaves out. A test holds every cached function to that.

Why: ``st.cache_data`` and ``st.cache_resource`` tell large tables apart by a sample of their rows, so that two files
can share a result (https://github.com/streamlit/streamlit/issues/14622), count entries in place of bytes, and keep what
sessions made that are gone.

It can go when they hash all of a value, and take a budget in bytes.
"""

from __future__ import annotations

import ctypes
import gc
import inspect
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from functools import wraps
from typing import Any, ParamSpec, TypeVar

import pyarrow as pa
from streamlit import runtime
from streamlit.runtime.scriptrunner import get_script_run_ctx

from rankdash.dashboard.kit.digests import digest
from rankdash.dashboard.kit.shared_results import Shared

P = ParamSpec("P")
T = TypeVar("T")
RESULTS = Shared()
#: Seconds between two looks for sessions that are gone.
EVERY = 30.0
_started = threading.Event()


def once(make: Callable[P, T]) -> Callable[P, T]:
    """Keeps the results of a function of records, each under the digest of all of its arguments.

    Results are shared by threads and sessions: nothing may change them. What raises is not kept.
    """
    if not inspect.signature(make).parameters:
        raise TypeError(f"{make.__qualname__} takes nothing, so that nothing can tell its results apart.")
    name = f"{make.__module__}.{make.__qualname__}"

    @wraps(make)
    def known(*args: P.args, **kwargs: P.kwargs) -> T:
        _start()
        found: T = RESULTS.get((name, digest((args, kwargs))), lambda: make(*args, **kwargs), _session())
        return found

    return known


def _session() -> str:
    """The session that asks; "" outside of one."""
    context = get_script_run_ctx(suppress_warning=True)
    return "" if context is None or not runtime.exists() else context.session_id


def _start() -> None:
    """Lets a thread look for sessions that are gone, where there is a server."""
    if not _started.is_set() and runtime.exists():
        _started.set()
        threading.Thread(target=_sweeping, name="rankdash-sweeper", daemon=True).start()


def _sweeping() -> None:
    while runtime.exists():
        time.sleep(EVERY)
        sweep()


def sweep() -> None:
    """Lets go of what belongs to sessions that are gone, and gives the memory back to the system."""
    if not runtime.exists():
        return
    server: Any = runtime.get_instance()
    stored: Any = getattr(getattr(getattr(server, "_session_mgr", None), "_session_storage", None), "_cache", None)
    ended = 0
    if hasattr(stored, "expire"):  # Streamlit forgets a session that was left only when another one comes or goes
        ended = len(stored.expire() or ())
    if RESULTS.sweep(server.is_active_session) or ended:
        gc.collect()
        pa.default_memory_pool().release_unused()
        with suppress(OSError, AttributeError):
            ctypes.CDLL("libc.so.6").malloc_trim(0)
