"""A least recently used cache with a limit in bytes, shared by the sessions of a server.

The size of a result is the number of bytes in its arrays, tables and texts. Memory that several results share is
counted once, because results are computed from each other and refer to the same tables.

Why: Streamlit limits a cache by its number of entries (``max_entries``), and a comparison has 10 kB to 1 GB.

It can go together with ``content_cache``.
"""

from __future__ import annotations

import os
import sys
import threading
import time
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from types import NoneType
from typing import Any

import numpy as np
import pyarrow as pa

SETTING = "RANKDASH_CACHE_MB"
_MEGABYTE = 1_000_000
_OTHERWISE = 1_000 * _MEGABYTE
#: Items of a long sequence that are measured; the others are assumed to have the same sizes.
_LOOKED_AT = 200
#: Measuring again what has taken longer than that, in seconds, waits until that many times as long has gone by.
_QUICK, _PAUSE = 0.001, 20
#: How often a mapping is read that other threads are filling meanwhile.
_TRIES = 10
#: Bytes of its own from which a result is a large one, and how many large ones of a function a session keeps.
_LARGE, _KEPT = 8 * _MEGABYTE, 3
_CGROUP = Path("/sys/fs/cgroup/memory.max")
Parts = dict[int, int]


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


def parts_of(value: Any) -> Parts:
    """Return the sizes in bytes of all parts of a value, by address or id()."""
    parts: Parts = {}
    _add(value, parts, set(), 1)
    return parts


def _add(value: Any, parts: Parts, seen: set[int], times: int) -> None:
    kind = type(value)
    add = _ADDS.get(kind) or _ADDS.setdefault(kind, next(add for kinds, add in _BY_KIND if issubclass(kind, kinds)))
    if add is not _add_nothing and id(value) not in seen:
        seen.add(id(value))
        add(value, parts, seen, times)


def _add_nothing(value: Any, parts: Parts, seen: set[int], times: int) -> None:
    """Add a value that every container of it counts."""


def _add_numbers(value: Any, parts: Parts, seen: set[int], times: int) -> None:
    base = value
    while isinstance(base.base, np.ndarray):
        base = base.base
    parts[base.ctypes.data] = base.nbytes * times


def _add_columns(value: Any, parts: Parts, seen: set[int], times: int) -> None:
    for array in value.columns if isinstance(value, pa.Table) else value.chunks:
        _add(array, parts, seen, times)


def _add_column(value: Any, parts: Parts, seen: set[int], times: int) -> None:
    buffers = [*value.buffers(), *(value.dictionary.buffers() if pa.types.is_dictionary(value.type) else ())]
    parts.update({buffer.address: buffer.size * times for buffer in buffers if buffer is not None})


def _add_text(value: Any, parts: Parts, seen: set[int], times: int) -> None:
    parts[id(value)] = sys.getsizeof(value) * times


def _add_mapping(value: Any, parts: Parts, seen: set[int], times: int) -> None:
    inside = [each for pair in _pairs(value) for each in pair]
    _add_all(inside, value, parts, seen, max(times, times * len(value) // _LOOKED_AT))


def _add_items(value: Any, parts: Parts, seen: set[int], times: int) -> None:
    _add_all(islice(value, _LOOKED_AT), value, parts, seen, max(times, times * len(value) // _LOOKED_AT))


def _add_record(value: Any, parts: Parts, seen: set[int], times: int) -> None:
    _add_all((), value, parts, seen, times)


def _add_all(inside: Iterable[Any], value: Any, parts: Parts, seen: set[int], times: int) -> None:
    """Add the items of a container, and the attributes of a record including cached properties."""
    parts[id(value)] = sys.getsizeof(value)
    for each in (*inside, *getattr(value, "__dict__", {}).values()):
        _add(each, parts, seen, times)


_Add = Callable[[Any, Parts, set[int], int], None]
#: How values are added, by what they are; the first row that fits counts. And what fitted the types that came so far:
#: most of what a result holds are texts and small records, and a result is measured while somebody waits for it.
_BY_KIND: tuple[tuple[Any, _Add], ...] = (
    ((NoneType, bool, int, float, type), _add_nothing),
    (np.ndarray, _add_numbers),
    ((pa.Table, pa.ChunkedArray), _add_columns),
    (pa.Array, _add_column),
    ((str, bytes), _add_text),
    (Mapping, _add_mapping),
    ((tuple, list, set, frozenset), _add_items),
    (object, _add_record),
)
_ADDS: dict[type, _Add] = {}


def _pairs(mapping: Mapping[Any, Any]) -> list[tuple[Any, Any]]:
    """Return the items that are looked at. Other threads may be filling the mapping: then it is read again, and where
    it grows on and on it counts with its next measurement.
    """
    for _ in range(_TRIES):
        try:
            return list(islice(mapping.items(), _LOOKED_AT))
        except RuntimeError:  # changed size during iteration
            continue
    return []


@dataclass
class _Entry:
    value: Any
    parts: Parts
    used: float
    sessions: set[str] = field(default_factory=set)
    own: int = 0  # bytes that no other result had when it was made
    may_have_grown: bool = True  # handed out since it was measured


class _Places:
    """The total bytes of the memory that results refer to, updated as results are added and removed.

    Every address counts once, with the size that was measured last.
    """

    def __init__(self) -> None:
        self.total = 0
        self._bytes: Parts = {}
        self._users: dict[int, int] = {}

    def add(self, parts: Parts) -> None:
        """Count the parts of one more result."""
        for place, found in parts.items():
            self.total += found - self._bytes.get(place, 0)
            self._bytes[place] = found
            self._users[place] = self._users.get(place, 0) + 1

    def remove(self, parts: Parts) -> None:
        """Discount the parts of a result that was removed."""
        for place in parts:
            self._users[place] -= 1
            if not self._users[place]:
                self.total -= self._bytes.pop(place)
                del self._users[place]


class Shared:
    """Results by key, safe for threads: while one thread makes a result, others that ask for it wait.

    ``limit`` returns the bytes that all results may take; the newest one stays, however large. Exceptions are not
    cached. Where keys are tuples, they begin with the name of a function: of its large results a session keeps the few
    that it used last, so that twenty edits of a large comparison do not take twenty times the memory of one. Results
    that have grown since they were measured count when another one is made, where measuring them does not take more
    than a twentieth of the time, and with each ``sweep``. ``large`` is the number of large results that were made.
    """

    def __init__(self, limit: Callable[[], int] = budget) -> None:
        self._limit = limit
        self._lock = threading.RLock()
        self._entries: dict[Hashable, _Entry] = {}
        self._places = _Places()
        self._making: dict[Hashable, tuple[threading.Lock, int]] = {}
        self._rests_until = 0.0
        self.large = 0

    def get(self, key: Hashable, make: Callable[[], Any], session: str = "") -> Any:
        """Return the result of a key, making it if necessary. ``session`` is the id of the session, "" for none."""
        entry = self._used(key, session)
        if entry is not None:
            return entry.value
        with self._alone(key):
            entry = self._used(key, session)
            if entry is None:
                value = make()
                if time.monotonic() >= self._rests_until:
                    self._measure_again()
                entry = _Entry(value, parts_of(value), time.monotonic(), {session} - {""})
                with self._lock:
                    before = self.size
                    self._entries[key] = entry
                    self._places.add(entry.parts)
                    entry.own = self.size - before
                    self._leave_few(key, session)
                    self._shrink()
        return entry.value

    def sweep(self, lives: Callable[[str], bool], after: float = 60.0) -> int:
        """Remove results that only ended sessions used, ``after`` that many seconds without use; return their number.

        All other results are measured again, because cached properties make them grow.
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
        """Remove all results."""
        with self._lock:
            self._entries.clear()
            self._places = _Places()

    def __len__(self) -> int:
        return len(self._entries)

    def _used(self, key: Hashable, session: str) -> _Entry | None:
        with self._lock:
            entry = self._entries.pop(key, None)
            if entry is not None:
                self._entries[key] = entry  # moved to the end: used last
                entry.used, entry.may_have_grown = time.monotonic(), True
                entry.sessions |= {session} - {""}
            return entry

    def _measure_again(self) -> None:
        """Measures what was handed out since it was measured: much of a result is computed when it is first read."""
        started = time.thread_time()
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
        took = time.thread_time() - started
        self._rests_until = time.monotonic() + (took * _PAUSE if took > _QUICK else 0.0)

    def _leave_few(self, newest: Hashable, session: str) -> None:
        """Remove large results of a function that only this session used, but for those that it used last."""
        entries = self._entries
        if entries[newest].own < _LARGE:
            return
        self.large += 1
        if session:
            mine = [key for key, one in entries.items() if one.own >= _LARGE and one.sessions == {session}]
            for key in [key for key in mine if _function(key) == _function(newest)][:-_KEPT]:
                self._let_go(key)

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
        """Hold the lock of a key, so that no other thread makes its result meanwhile."""
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


def _function(key: Hashable) -> Hashable:
    """Return what tells the function of a key: its first part."""
    return key[0] if isinstance(key, tuple) else key
