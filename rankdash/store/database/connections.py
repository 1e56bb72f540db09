"""Connections to the database: its tables are made once, and its schema is looked at in every transaction.

SQLite: WAL, every commit synced, foreign keys checked, what is deleted overwritten, and a writer takes the lock as it
begins, so that none fails half way. In a folder where its log cannot be made a database is read as it is. The file is
for its user alone, whatever its folder is. PostgreSQL: READ COMMITTED, advisory locks where two must not work at once,
and limits of time.
"""

from __future__ import annotations

import os
import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from importlib.util import find_spec
from pathlib import Path
from typing import Any
from urllib.parse import quote

import sqlalchemy as sa
from sqlalchemy import event

from rankdash.store import words
from rankdash.store.database import schema
from rankdash.store.errors import StoreError, store_errors
from rankdash.strings.addresses import showable
from rankdash.system import make_folder

#: Seconds that one writer waits for another.
PATIENCE = 10
_WRITES = "rankdash_writes"
#: What SQLite says of a database that somebody else is changing.
_OCCUPIED = frozenset({sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED})
#: The numbers of our advisory locks in PostgreSQL; any two that nobody else uses.
_SCHEMA, _FILES = 0x72616E6B, 0x64617368


class Database:
    """The database of a store. ``where`` is its name as people read it, without a password."""

    def __init__(self, url: str | sa.URL, *, beside: str = "", upgrade: bool = False) -> None:
        """Open it, or make it where it is new.

        ``beside`` names files that lie in the place of its files already: then a new database is none for them, and
        is not made. ``upgrade``: bring an older store of ours up to this version. StoreError where a database cannot
        be reached, is broken, or holds the store of another version.
        """
        self._url = _with_driver(url)
        self.where = showable(str(url))  # as it was written: what was read from it may be in the wrong places
        self._file: Path | None = None
        if self.is_sqlite:
            self._file = Path(os.path.abspath(self._url.database or ""))
            self._url = self._url.set(database=str(self._file))  # whatever folder a program changes to
            self.where = str(self._file)
        self._identity: tuple[int, int] | None = None
        self._store: schema.Identity | None = None
        #: Why nothing may be written here; "" where it may.
        self.refusal = ""
        with store_errors(self.where):
            self._begin_with(beside, upgrade)
        self._identity = self._identity_now()

    @property
    def is_sqlite(self) -> bool:
        """Whether it is a file of SQLite; else it is PostgreSQL."""
        return self._url.get_backend_name() == "sqlite"

    @property
    def read_only(self) -> bool:
        """Whether nothing can be written here. What PostgreSQL allows is only seen when somebody writes."""
        return self._untouched is not None or (self._file is not None and not os.access(self._file, os.W_OK))

    @property
    def id(self) -> str:
        """The id of the store."""
        return "" if self._store is None else self._store.id

    @contextmanager
    def reading(self) -> Iterator[sa.Connection]:
        """Yield one transaction that reads. StoreError for whatever goes wrong."""
        with store_errors(self.where), self._checked(writes=False) as connection:
            yield connection

    @contextmanager
    def writing(self) -> Iterator[sa.Connection]:
        """Yield one transaction that writes, whole or not at all. StoreError for whatever goes wrong."""
        if self.refusal:
            raise StoreError(self.refusal)
        with store_errors(self.where), self._checked(writes=True) as connection:
            yield connection

    def lock_files(self, connection: sa.Connection, alone: bool = False) -> None:
        """Keep others from removing files until the transaction ends; ``alone``: from referring to further ones as
        well.
        """
        self._lock(connection, _FILES, shared=not alone)

    def shorten_log(self) -> None:
        """Put what the log of SQLite holds into the database, and give its space back."""
        with store_errors(self.where), closing(self._engine.raw_connection()) as connection:
            try:
                connection.cursor().execute("PRAGMA wal_checkpoint(TRUNCATE)")
            except sqlite3.Error as error:
                raise sa.exc.OperationalError("PRAGMA wal_checkpoint(TRUNCATE)", None, error) from None

    def close(self) -> None:
        """Close every connection; further use makes new ones."""
        self._engine.dispose()

    def _begin_with(self, beside: str, upgrade: bool) -> None:
        """Make connections, and the tables of a new database."""
        self._untouched: tuple[int, ...] | None = None  # how the files stood that are only read
        if self._file is not None and not _holds_something(self._file):
            self._refuse_new(beside, upgrade)
        elif self._file is not None:
            self._look(self._file)
        self._begun()
        with self._transaction(writes=False) as connection:
            is_new = schema.is_new(connection, self.where)
            if is_new:
                self._refuse_new(beside, upgrade)
            self._store = None if is_new else schema.identity(connection)
        if is_new or (upgrade and self._number < schema.NUMBER):
            with self._transaction(writes=True) as connection:
                self._lock(connection, _SCHEMA)
                if schema.is_new(connection, self.where):  # unless somebody else was faster
                    schema.make(connection)
                elif upgrade:
                    self._copy()
                    schema.upgrade(connection)
                self._store = schema.identity(connection)
        self._check_number(self._number)

    def _refuse_new(self, beside: str, upgrade: bool) -> None:
        """Raise StoreError where a new database is not to be made."""
        if beside or upgrade:
            raise StoreError((words.NO_STORE if upgrade else words.NEW_DATABASE).format(where=self.where, files=beside))

    @property
    def _number(self) -> int:
        return schema.NUMBER if self._store is None else self._store.schema

    def _check_number(self, number: int) -> None:
        """Raise StoreError where a store is of a newer or an older version."""
        if number != schema.NUMBER:
            sentence = words.NEWER if number > schema.NUMBER else words.OLDER
            raise StoreError(sentence.format(where=self.where, found=number, known=schema.NUMBER))

    def _look(self, file: Path) -> None:
        """Raise StoreError for a file that holds something else than a store, without a change to it: to SQLite opening
        one to write is a change. Where it cannot be looked at like this, opening it tells why.
        """
        looking = _reader(self._url, file)
        try:
            with suppress(sa.exc.DatabaseError), looking.connect() as connection:
                schema.is_new(connection, self.where)
        finally:
            looking.dispose()

    def _copy(self) -> None:
        """Copy the database beside itself. What PostgreSQL holds is copied with its own tools by who may."""
        if self._file is None:
            return
        target = self._file.with_name(f"{self._file.name}.schema-{self._number}-{schema.now():%Y%m%dT%H%M%S%f}")
        os.close(os.open(target, os.O_CREAT | os.O_EXCL, 0o600))
        with closing(sqlite3.connect(self._file)) as source, closing(sqlite3.connect(target)) as copy:
            source.backup(copy)

    def _begun(self) -> None:
        """Make connections, those that only read where nothing else can be done."""
        self._untouched = None
        try:
            self._engine = self._made()
            with self._transaction(writes=False) as connection:
                connection.execute(sa.select(1).select_from(sa.table("sqlite_master" if self._file else "pg_class")))
        except (sa.exc.OperationalError, OSError):
            if self._file is None or not self._file.is_file() or os.access(self._file.parent, os.W_OK):
                raise
            self._untouched = _stands(self._file)
            self._engine = _reader(self._url, self._file)

    @contextmanager
    def _checked(self, writes: bool) -> Iterator[sa.Connection]:
        """Yield a transaction on the store that was opened: neither another one, nor one of another version."""
        with self._transaction(writes) as connection:
            found = schema.identity(connection)
            self._check_number(found.schema)
            if found != self._store:
                raise StoreError(words.REPLACED.format(where=self.where))
            yield connection

    @contextmanager
    def _transaction(self, writes: bool) -> Iterator[sa.Connection]:
        if self._file is not None and self._identity not in (None, self._identity_now()):
            self._engine.dispose()
            raise StoreError(words.REPLACED.format(where=self.where))
        if self._file is not None and self._untouched not in (None, _stands(self._file)):
            self._engine.dispose()
            self._begun()
        with self._engine.connect().execution_options(**{_WRITES: writes}) as connection, connection.begin():
            yield connection

    def _identity_now(self) -> tuple[int, int] | None:
        """Return device and inode, by which the file differs from another that was put in its place."""
        try:
            status = os.stat(self._file) if self._file is not None else None
        except FileNotFoundError:
            return (0, 0)
        return None if status is None else (status.st_dev, status.st_ino)

    def _lock(self, connection: sa.Connection, number: int, shared: bool = False) -> None:
        """Take a lock until the transaction ends; on SQLite a writer is alone anyway."""
        if not self.is_sqlite:
            function = sa.func.pg_advisory_xact_lock_shared if shared else sa.func.pg_advisory_xact_lock
            connection.execute(sa.select(function(number)))

    def _made(self) -> sa.Engine:
        if not self.is_sqlite:
            from rankdash.store.database import postgres

            return postgres.engine_of(self._url)
        if self._file is not None:
            make_folder(self._file.parent)
            with suppress(FileExistsError):  # SQLite would give a new one to whoever may enter the folder
                os.close(os.open(self._file, os.O_CREAT | os.O_EXCL, 0o600))
        engine = sa.create_engine(self._url, connect_args={"timeout": PATIENCE})
        event.listen(engine, "connect", _prepare)
        event.listen(engine, "begin", _begin)
        return engine


def _reader(url: sa.URL, file: Path) -> sa.Engine:
    """Return connections that only read. Without a log beside it nobody has the file open; else SQLite needs what is
    there.
    """
    how = "mode=ro" if _log(file).exists() and _log(file).stat().st_size else "immutable=1"
    address = f"file:{quote(str(file))}?{how}"
    engine = sa.create_engine(
        url,
        creator=lambda: sqlite3.connect(
            address, uri=True, timeout=PATIENCE, isolation_level=None, check_same_thread=False
        ),
    )
    event.listen(engine, "begin", _begin)
    return engine


def _holds_something(file: Path) -> bool:
    """Return whether there is a database, or a log of one."""
    return any(path.exists() and path.stat().st_size for path in (file, _log(file)))


def _log(file: Path) -> Path:
    return file.with_name(f"{file.name}-wal")


def _stands(file: Path) -> tuple[int, ...]:
    """Return what changes when a database, its log, or who may write to them changes."""
    stats = [os.stat(path) for path in (file, _log(file), file.parent) if path.exists()]
    return tuple(number for stat in stats for number in (stat.st_ino, stat.st_size, stat.st_mtime_ns, stat.st_ctime_ns))


def _with_driver(url: str | sa.URL) -> sa.URL:
    """Return the URL, with the driver that we use. StoreError for a database that we do not know."""
    try:
        parsed = sa.make_url(url)
    except (sa.exc.ArgumentError, ValueError):
        raise StoreError(words.WRONG_DATABASE.format(where=repr(showable(str(url))))) from None
    shown = showable(str(url))
    if parsed.drivername in {"postgres", "postgresql", "postgresql+psycopg"}:
        if find_spec("psycopg") is None:
            raise StoreError(words.NO_DRIVER.format(where=shown))
        return parsed.set(drivername="postgresql+psycopg")
    if parsed.drivername != "sqlite" or parsed.database in (None, "", ":memory:"):
        raise StoreError(words.WRONG_DATABASE.format(where=repr(shown)))
    return parsed


def _prepare(connection: Any, _record: object) -> None:
    """Prepare a new connection to SQLite: transactions begin where we say so, and what was committed is on the disk."""
    connection.isolation_level = None
    end = time.monotonic() + PATIENCE
    while True:
        try:
            connection.execute("PRAGMA journal_mode=WAL")
            break
        except sqlite3.OperationalError as error:  # SQLite does not wait here for others who do the same
            if error.sqlite_errorcode & 0xFF not in _OCCUPIED or time.monotonic() > end:
                raise
            time.sleep(0.02)
    connection.execute("PRAGMA synchronous=FULL")
    connection.execute("PRAGMA foreign_keys=ON")
    connection.execute("PRAGMA secure_delete=ON")


def _begin(connection: sa.Connection) -> None:
    writes = connection.get_execution_options().get(_WRITES, True)
    connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")
