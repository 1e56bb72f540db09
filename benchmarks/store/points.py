"""The file and database calls of a store in the order in which it makes them, one of which fails.

The calls are those of Python: of ``os``, of pyarrow's filesystem, and of the drivers of the databases, which answer as
they do where a disk fails or a server goes away. What SQLite does inside of a call is its own.
"""

from __future__ import annotations

import errno
import io
import logging
import os
import signal
import sqlite3
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from typing import Any
from unittest import mock

import psycopg
import pyarrow as pa
from pyarrow import fs

from rankdash.store import Store

#: The process ends at the call; the call fails once; the disk is full from this call on.
KILLED, EIO, ENOSPC = FAULTS = ("killed", "EIO", "ENOSPC")
#: What a full disk refuses; everything else goes on.
_GROWS = {"open", "mkdir", "mkstemp", "write", "fsync", "posix_fallocate", "statement that writes", "commit"}
_READS = ("SELECT", "BEGIN", "ROLLBACK", "PRAGMA", "SET", "SHOW")
_OF_SQLITE = {EIO: "disk I/O error", ENOSPC: "database or disk is full"}


class Points:
    """Counts calls, and has the one with the number ``at`` fail; ``failed`` is which it was, "" where none did."""

    def __init__(self, at: int, fault: str, home: str) -> None:
        self.failed, self.is_over = "", False
        self._at, self._fault, self._home, self._count = at, fault, home, 0
        self._lock = threading.Lock()

    def passed(self, call: str, error: Callable[[str], Exception], half: Callable[[], object] | None = None) -> None:
        """Counts a call. Where it is to fail, ``half`` of it is done, and the process killed or the error raised."""
        if self.is_over or (self._fault == ENOSPC and call not in _GROWS):
            return
        with self._lock:
            number, self._count = self._count, self._count + 1
        if number == self._at or (self._fault == ENOSPC and number > self._at):
            self.failed = self.failed or call
            if half is not None:
                half()
            if self._fault == KILLED:
                os.kill(os.getpid(), signal.SIGKILL)
            raise error(self._fault)

    def of_file(self, call: str, path: object = None) -> None:
        """Counts a call about an open file, or about a path at home."""
        if path is None or (isinstance(path, str | os.PathLike) and os.fspath(path).startswith(self._home)):
            self.passed(call, _os_error)


@contextmanager
def failing(store: Store, home: str, at: int, fault: str) -> Iterator[Points]:
    """What a store of a folder calls meanwhile is counted, from new connections on, and fails at a number."""
    points = Points(at, fault, home)
    store.database.close()
    logging.getLogger("sqlalchemy.pool").setLevel(logging.CRITICAL)  # says that it could not roll back
    with ExitStack() as everything:
        for owner, name, value in (*_of_os(points), *_of_databases(points)):
            everything.enter_context(mock.patch.object(owner, name, value))
        everything.enter_context(mock.patch.object(store.files, "_system", _Folder(points)))
        try:
            yield points
        finally:
            points.is_over = True
            store.database.close()


def _os_error(fault: str) -> OSError:
    number = getattr(errno, fault)
    return OSError(number, os.strerror(number))


def _of_os(points: Points) -> Iterator[tuple[Any, str, Any]]:
    for name in ("open", "mkdir", "replace", "remove", "unlink", "stat", "fsync", "posix_fallocate"):
        yield os, name, _counted(points, name, getattr(os, name), has_path=name not in {"fsync", "posix_fallocate"})
    yield os, "fdopen", lambda handle, mode: io.BufferedWriter(_Raw(points, handle, mode))
    yield pa, "OSFile", _counted(points, "open to read", pa.OSFile, has_path=True)


def _counted(points: Points, name: str, call: Callable[..., Any], has_path: bool) -> Callable[..., Any]:
    def counted(first: Any, *args: Any, **more: Any) -> Any:
        points.of_file(name, first if has_path else None)
        return call(first, *args, **more)

    return counted


class _Raw(io.FileIO):
    """A file of which half is written where writing fails."""

    def __init__(self, points: Points, handle: int, mode: str) -> None:
        super().__init__(handle, mode)
        self._points = points

    def write(self, data: Any) -> int:
        """Writes."""
        whole, to_file = memoryview(data), super().write
        self._points.passed("write", _os_error, lambda: to_file(whole[: len(whole) // 2]))
        return to_file(whole)


class _Folder(fs.LocalFileSystem):  # type: ignore[misc]
    """The folder of the files, as pyarrow reads it."""

    def __init__(self, points: Points) -> None:
        super().__init__()
        self._points = points

    def get_file_info(self, what: Any) -> Any:
        """Says what is there."""
        self._points.of_file("list")
        return super().get_file_info(what)

    def open_input_file(self, path: str) -> Any:
        """Opens a file."""
        self._points.of_file("open to read")
        return super().open_input_file(path)

    def delete_file(self, path: str) -> None:
        """Removes a file."""
        self._points.of_file("delete")
        super().delete_file(path)


def _of_databases(points: Points) -> Iterator[tuple[Any, str, Any]]:
    yield sqlite3.dbapi2, "connect", _connect_of_sqlite(points)
    connect = psycopg.Connection.connect.__func__  # type: ignore[attr-defined]

    def connected(cls: Any, *args: Any, **more: Any) -> Any:
        points.passed("connect", lambda _: psycopg.OperationalError("connection refused"))
        return connect(cls, *args, **more)

    yield psycopg.Connection, "connect", classmethod(connected)
    for owner, name in ((psycopg.Cursor, "execute"), (psycopg.Cursor, "executemany")):
        yield owner, name, _asked_of_postgresql(points, getattr(owner, name))
    for name in ("commit", "rollback"):
        yield psycopg.Connection, name, _asked_of_postgresql(points, getattr(psycopg.Connection, name), name)


def _asked_of_postgresql(points: Points, call: Callable[..., Any], name: str = "") -> Callable[..., Any]:
    def asked(self: Any, *args: Any, **more: Any) -> Any:
        def error(fault: str) -> Exception:
            if fault == ENOSPC:
                return psycopg.errors.DiskFull("could not extend file: No space left on device")
            getattr(self, "connection", self).close()
            return psycopg.OperationalError("server closed the connection unexpectedly")

        points.passed(name or _statement(args[0]), error)
        return call(self, *args, **more)

    return asked


def _connect_of_sqlite(points: Points) -> Callable[..., sqlite3.Connection]:
    def passed(call: str) -> None:
        points.passed(call, lambda fault: sqlite3.OperationalError(_OF_SQLITE[fault]))

    class Cursor(sqlite3.Cursor):
        def execute(self, sql: str, *args: Any) -> Any:
            passed(_statement(sql))
            return super().execute(sql, *args)

        def executemany(self, sql: str, *args: Any) -> Any:
            passed(_statement(sql))
            return super().executemany(sql, *args)

    class Connection(sqlite3.Connection):
        def cursor(self, *_: Any) -> Any:
            return super().cursor(Cursor)

        def execute(self, *args: Any) -> Any:
            return self.cursor().execute(*args)

        def commit(self) -> None:
            passed("commit")
            super().commit()

        def rollback(self) -> None:
            passed("rollback")
            super().rollback()

    connect = sqlite3.connect

    def connected(*args: Any, **more: Any) -> sqlite3.Connection:
        passed("connect")
        return connect(*args, factory=Connection, **more)

    return connected


def _statement(sql: Any) -> str:
    is_read = str(sql).lstrip().upper().startswith(_READS)
    return "statement that reads" if is_read else "statement that writes"
