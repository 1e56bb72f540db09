"""Results shared by all sessions of the server: each computed once, limited in bytes, gone with the last session.

The key of a result is the digest of all arguments, and a function whose results are kept reads nothing else, in
particular not the session state. A test checks every such function for that. What a result takes is its ``nbytes``,
which the records that can be large declare.

Why: ``st.cache_data`` and ``st.cache_resource`` hash only a sample of the rows of a large table, so that two files can
share a result (https://github.com/streamlit/streamlit/issues/14622), and ``st.cache_resource`` has no limit in bytes.

It can go when they hash all of a value and accept a limit in bytes.
"""

from __future__ import annotations

import gc
import os
import secrets
import threading
from collections.abc import Callable, Hashable
from contextlib import suppress
from contextvars import ContextVar
from dataclasses import dataclass, field
from functools import wraps
from inspect import signature
from pathlib import Path
from typing import Any, ParamSpec, TypeVar

import streamlit as st
from cachetools import Cache, LRUCache
from streamlit.errors import StreamlitAPIException

from rankdash.dashboard.host import background
from rankdash.dashboard.host.digests import digest
from rankdash.system import give_back

P = ParamSpec("P")
T = TypeVar("T")
SETTING = "RANKDASH_CACHE_MB"
_MEGABYTE = 1_000_000
_OTHERWISE = 1_000 * _MEGABYTE
_CGROUP = Path("/sys/fs/cgroup/memory.max")
#: Bytes of a result that declares none, and from which on making a result frees memory that is worth returning.
_SMALL, _LARGE = 20_000, 8 * _MEGABYTE
#: Seconds for which the results of a session stay after it has ended: a line that was cut comes back.
_AFTER = 60.0


def budget() -> int:
    """Return the bytes that results may take: ``RANKDASH_CACHE_MB``, else a quarter of the machine's memory."""
    setting = os.environ.get(SETTING, "")
    if setting.isascii() and setting.isdecimal() and len(setting) < 10:
        return int(setting) * _MEGABYTE
    memory = [_OTHERWISE * 4]
    with suppress(AttributeError, ValueError, OSError):
        memory = [os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")]
    with suppress(OSError, ValueError):
        memory.append(int(_CGROUP.read_text()))
    return min(memory) // 4


@dataclass(frozen=True)
class _Kept:
    """One result, and the leases of the sessions that used it."""

    value: Any
    leases: set[str] = field(default_factory=set)

    @property
    def nbytes(self) -> int:
        """Return what the result takes, as it declares."""
        return int(getattr(self.value, "nbytes", _SMALL))


class Results:
    """Results by key, safe for threads: while a thread makes a result, others that ask for it wait.

    Beyond ``most`` bytes the result that was used longest ago goes; the newest stays, however large. Exceptions are not
    kept: whoever asks next tries again.
    """

    def __init__(self, most: int) -> None:
        most = max(most, 1)
        self._kept: LRUCache[Hashable, _Kept] = LRUCache(most, getsizeof=lambda kept: min(max(kept.nbytes, 1), most))
        self._making: set[Hashable] = set()
        self._changed = threading.Condition()

    def get(self, key: Hashable, make: Callable[[], Any], lease: str = "") -> Any:
        """Return the result of a key, making it if necessary. ``lease`` is that of the session, "" for none."""
        with self._changed:
            self._changed.wait_for(lambda: key not in self._making)
            kept = self._kept.get(key)
            if kept is not None:
                kept.leases.update({lease} - {""})
                return kept.value
            self._making.add(key)
        try:
            kept = _Kept(make(), {lease} - {""})
            with self._changed:
                self._kept[key] = kept
        finally:
            with self._changed:
                self._making.discard(key)
                self._changed.notify_all()
        if kept.nbytes >= _LARGE:
            give_back()
        return kept.value

    def leave(self, lease: str) -> None:
        """Let go of the results that nobody but the session of a lease has used."""
        with self._changed:
            for key in list(self._kept):
                kept = Cache.__getitem__(self._kept, key)  # which is no use of it
                if lease in kept.leases:
                    kept.leases.discard(lease)
                    if not kept.leases:
                        del self._kept[key]
        gc.collect()
        give_back()

    @property
    def nbytes(self) -> int:
        """Return what all results take."""
        return int(self._kept.currsize)

    def clear(self) -> None:
        """Let go of all results."""
        with self._changed:
            self._kept.clear()

    def __len__(self) -> int:
        return len(self._kept)


RESULTS = Results(budget())
#: The lease of the session for which a thread computes that is none of Streamlit's.
_computing_for: ContextVar[str] = ContextVar("computing_for", default="")


@st.cache_resource(
    scope="session", show_spinner=False, on_release=lambda lease: background.later(_AFTER, lambda: RESULTS.leave(lease))
)
def _lease() -> str:
    """Return a token for this session until it ends; after a lost connection it is another."""
    return secrets.token_hex(8)


def once(make: Callable[P, T]) -> Callable[P, T]:
    """Decorate a function of records so that its results are kept under the digest of all arguments.

    Threads and sessions share the results, so nothing may modify them. TypeError for a function without parameters.
    """
    if not signature(make).parameters:
        raise TypeError(f"{make.__qualname__} takes nothing, so that nothing can tell its results apart.")

    @wraps(make)
    def kept(*args: P.args, **kwargs: P.kwargs) -> T:
        return otherwise(kept, lambda: make(*args, **kwargs), *args, **kwargs)

    return kept


def otherwise(kept: Callable[P, T], make: Callable[[], T], *args: P.args, **kwargs: P.kwargs) -> T:
    """Return the result of a function that ``once`` decorated, made by ``make`` where it is not there.

    ``make`` is a shorter way to the very same result, which whoever asks for it later gets.
    """
    key = kept.__module__, kept.__qualname__, digest((args, kwargs))
    result: T = RESULTS.get(key, make, _session())
    return result


def ahead(kept: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> None:
    """Begin to make a result of a function that ``once`` decorated, for this session, which will ask for it.

    Who asks meanwhile waits for it. What it raises is raised again by whoever asks.
    """
    background.begin(_for_session, _session(), lambda: kept(*args, **kwargs))


def _for_session(lease: str, make: Callable[[], object]) -> None:
    before = _computing_for.set(lease)
    try:
        make()
    finally:
        _computing_for.reset(before)


def _session() -> str:
    """Return the lease of this session, or of the session for which this thread computes; "" outside of a session."""
    if lease := _computing_for.get():
        return lease
    try:
        return _lease()
    except StreamlitAPIException:
        return ""
