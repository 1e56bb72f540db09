"""Results that sessions share, within a budget of bytes: what was used longest ago goes first.

Knows nothing of pages. How large a result is, is the bytes of its arrays, tables and texts, counted once however often
they occur: results made of one another hold the same tables.

Why: Streamlit bounds a cache by entries (``max_entries``), and a comparison takes anything from 10 kB to 1 GB.

It can go together with ``content_cache``.
"""

from __future__ import annotations

import os
import sys
import threading
import time
from collections.abc import Callable, Hashable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

SETTING = "RANKDASH_CACHE_MB"
_MEGABYTE = 1_000_000
_OTHERWISE = 1_000 * _MEGABYTE
#: Of a long sequence so many items are looked at; the others are taken to be like them.
_LOOKED_AT = 200
_CGROUP = Path("/sys/fs/cgroup/memory.max")
Parts = dict[int, int]


def budget() -> int:
    """The bytes that results may take: ``RANKDASH_CACHE_MB``, else a quarter of the memory of the machine."""
    said = os.environ.get(SETTING, "")
    if said.isascii() and said.isdecimal() and len(said) < 10:
        return int(said) * _MEGABYTE
    found = [_OTHERWISE * 4]
    with suppress(AttributeError, ValueError, OSError):
        found = [os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")]
    with suppress(OSError, ValueError):
        found.append(int(_CGROUP.read_text()))
    return min(found) // 4


def parts_of(value: Any) -> Parts:
    """The bytes of everything that a value holds, by where it lies in memory."""
    found: Parts = {}
    _add(value, found, set(), 1)
    return found


def _add(value: Any, found: Parts, seen: set[int], times: int) -> None:
    if value is None or isinstance(value, (bool, int, float, type)) or id(value) in seen:
        return
    seen.add(id(value))
    if isinstance(value, np.ndarray):
        base = value
        while isinstance(base.base, np.ndarray):
            base = base.base
        found[base.ctypes.data] = base.nbytes * times
    elif isinstance(value, (pa.Table, pa.ChunkedArray)):
        for array in value.columns if isinstance(value, pa.Table) else value.chunks:
            _add(array, found, seen, times)
    elif isinstance(value, pa.Array):
        buffers = [*value.buffers(), *(value.dictionary.buffers() if pa.types.is_dictionary(value.type) else ())]
        found.update({buffer.address: buffer.size * times for buffer in buffers if buffer is not None})
    elif isinstance(value, (str, bytes)):
        found[id(value)] = sys.getsizeof(value) * times
    else:
        _add_all(value, found, seen, times)


def _add_all(value: Any, found: Parts, seen: set[int], times: int) -> None:
    """What is in a container, or in the fields of a record, those that were computed meanwhile too."""
    inside: list[Any] = []
    if isinstance(value, Mapping):
        pairs = list(islice(value.items(), _LOOKED_AT))  # at once: other threads may be filling it
        inside = [each for pair in pairs for each in pair]
    elif isinstance(value, (tuple, list, set, frozenset)):
        inside = list(islice(value, _LOOKED_AT))
    if isinstance(value, (Mapping, tuple, list, set, frozenset)):
        times = max(times, times * len(value) // _LOOKED_AT)
    found[id(value)] = sys.getsizeof(value)
    for each in (*inside, *getattr(value, "__dict__", {}).values()):
        _add(each, found, seen, times)


@dataclass
class _Entry:
    value: Any
    parts: Parts
    used: float
    sessions: set[str] = field(default_factory=set)
    may_have_grown: bool = True  # handed out since it was measured


class _Places:
    """The bytes of all places in memory that results hold, added up as results come and go.

    A place counts once, with the bytes that the newest measurement found there.
    """

    def __init__(self) -> None:
        self.total = 0
        self._bytes: Parts = {}
        self._users: dict[int, int] = {}

    def add(self, parts: Parts) -> None:
        """One more result holds these."""
        for place, found in parts.items():
            self.total += found - self._bytes.get(place, 0)
            self._bytes[place] = found
            self._users[place] = self._users.get(place, 0) + 1

    def remove(self, parts: Parts) -> None:
        """A result that held these is gone."""
        for place in parts:
            self._users[place] -= 1
            if not self._users[place]:
                self.total -= self._bytes.pop(place)
                del self._users[place]


class Shared:
    """Results by key. Threads may ask at once: a result is made once, the others wait for it. What raises is not kept.

    ``limit`` gives the bytes that all of them may take; the newest stays, however large it is.
    """

    def __init__(self, limit: Callable[[], int] = budget) -> None:
        self._limit = limit
        self._lock = threading.RLock()
        self._entries: dict[Hashable, _Entry] = {}
        self._places = _Places()
        self._making: dict[Hashable, tuple[threading.Lock, int]] = {}

    def get(self, key: Hashable, make: Callable[[], Any], session: str = "") -> Any:
        """The result of a key, made where it is not there. ``session`` is who asks, "" where nobody is known."""
        entry = self._used(key, session)
        if entry is not None:
            return entry.value
        with self._alone(key):
            entry = self._used(key, session)
            if entry is None:
                value = make()
                self._measure_again()
                entry = _Entry(value, parts_of(value), time.monotonic(), {session} - {""})
                with self._lock:
                    self._entries[key] = entry
                    self._places.add(entry.parts)
                    self._shrink()
        return entry.value

    def sweep(self, lives: Callable[[str], bool], after: float = 60.0) -> int:
        """Lets go of what only sessions used that are gone, ``after`` so many seconds without use; how many results.

        What has grown since it was made, by what was computed of it, is measured again.
        """
        with self._lock:
            entries, now = dict(self._entries), time.monotonic()
        gone = [
            key
            for key, one in entries.items()
            if one.sessions and now - one.used >= after and not any(map(lives, tuple(one.sessions)))
        ]
        with self._lock:
            for key in gone:
                self._let_go(key)
            for entry in self._entries.values():
                entry.may_have_grown = True  # by what other results compute of it
        self._measure_again()
        with self._lock:
            self._shrink()
        return len(gone)

    @property
    def size(self) -> int:
        """The bytes of all results."""
        return self._places.total

    def clear(self) -> None:
        """Lets go of everything."""
        with self._lock:
            self._entries.clear()
            self._places = _Places()

    def __len__(self) -> int:
        return len(self._entries)

    def _used(self, key: Hashable, session: str) -> _Entry | None:
        with self._lock:
            entry = self._entries.pop(key, None)
            if entry is not None:
                self._entries[key] = entry  # behind all that were used before
                entry.used, entry.may_have_grown = time.monotonic(), True
                entry.sessions |= {session} - {""}
            return entry

    def _measure_again(self) -> None:
        """Measures what was handed out since it was measured: much of a result is computed when it is first read."""
        with self._lock:
            entries = {key: one for key, one in self._entries.items() if one.may_have_grown}
            for entry in entries.values():
                entry.may_have_grown = False
        measured = {key: parts_of(one.value) for key, one in entries.items()}
        with self._lock:
            for key, parts in measured.items():
                if self._entries.get(key) is entries[key]:
                    self._places.add(parts)
                    self._places.remove(entries[key].parts)
                    entries[key].parts = parts

    def _shrink(self) -> None:
        most = self._limit()
        while len(self._entries) > 1 and self.size > most:
            self._let_go(next(iter(self._entries)))

    def _let_go(self, key: Hashable) -> None:
        entry = self._entries.pop(key, None)
        if entry is not None:
            self._places.remove(entry.parts)

    @contextmanager
    def _alone(self, key: Hashable) -> Iterator[None]:
        """Nobody else makes the result of this key meanwhile."""
        with self._lock:
            lock, waiting = self._making.get(key, (threading.Lock(), 0))
            self._making[key] = (lock, waiting + 1)
        try:
            with lock:
                yield
        finally:
            with self._lock:
                lock, waiting = self._making.pop(key)
                if waiting > 1:
                    self._making[key] = (lock, waiting - 1)
