"""The tables of the database, the same for SQLite and PostgreSQL, the number of the schema, and the transactions.

A later version only adds tables and nullable columns, and raises the number: ``add_missing`` creates them.

Ids are 128 random bits in hexadecimal digits; times are UTC. Rows of ``revision``, ``input``, ``result``, ``decision``
and ``outcome`` are written once and never changed. Erasing a comparison erases its rows everywhere, save what was
decided about it and what was seen online: these stay on record.

SQLite: WAL, every commit synced, foreign keys checked, deleted data overwritten, and a writer takes the lock at its
beginning, so that none fails half way. Only the user can read the file, whatever its folder allows. PostgreSQL: READ
COMMITTED, advisory locks where two must not work at once, and limits of time.
"""

from __future__ import annotations

import os
import re
import secrets
import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager, suppress
from datetime import UTC, datetime
from importlib.util import find_spec
from pathlib import Path
from typing import Any
from urllib.parse import quote

import sqlalchemy as sa
from sqlalchemy import event
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.engine import Dialect

from rankdash.store import settings as errors
from rankdash.store.settings import StoreError, store_errors
from rankdash.strings import showable
from rankdash.system import make_folder

#: The number of this schema.
NUMBER = 1
_INSERT: Mapping[str, Any] = {"sqlite": sqlite.insert, "postgresql": postgresql.insert}
#: A table that stores of rankdash 0.3 and before have, and later ones do not.
_OF_OLD_STORES = "alembic_version"


class Moment(sa.TypeDecorator[datetime]):
    """A time with its zone, as ISO text in UTC of one width, so that texts sort as times."""

    impl = sa.String(32)
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> str | None:
        """Return the time as text."""
        return None if value is None else value.astimezone(UTC).isoformat(timespec="microseconds")

    def process_result_value(self, value: str | None, dialect: Dialect) -> datetime | None:
        """Return the time in UTC."""
        return None if value is None else datetime.fromisoformat(value)


class StoredText(sa.TypeDecorator[str]):
    """Text for searching and showing. What no database takes, NUL and lone surrogates, becomes U+FFFD."""

    impl = sa.Text
    cache_ok = True

    def process_bind_param(self, value: str | None, dialect: Dialect) -> str | None:
        """Return the text with what is refused exchanged."""
        return None if value is None else re.sub("[\0\ud800-\udfff]", "\ufffd", value)


def now() -> datetime:
    """Return this moment."""
    return datetime.now(UTC)


def new_id() -> str:
    """Return an id that nobody can guess: 128 random bits as 32 hexadecimal digits."""
    return secrets.token_hex(16)


def insert_once(connection: sa.Connection, table: sa.Table, values: Mapping[str, Any]) -> bool:
    """Write a row unless its key is there already. Return whether it was written. Two writers at once do no harm."""
    insert = _INSERT[connection.dialect.name](table).values(values).on_conflict_do_nothing()
    return connection.execute(insert.returning(*table.primary_key)).first() is not None


def _id(name: str, **more: Any) -> sa.Column[str]:
    return sa.Column(name, sa.String(64), **more)


def _comparison(primary_key: bool = False, index: bool = True) -> sa.Column[str]:
    """Return the comparison that a row belongs to, and goes with."""
    key, indexed = sa.ForeignKey("comparison.id", ondelete="CASCADE"), index and not primary_key
    return sa.Column("comparison", sa.String(64), key, primary_key=primary_key, nullable=False, index=indexed)


def _columns(kind: Any, *names: str, nullable: bool = False) -> list[sa.Column[Any]]:
    """Return columns of one kind."""
    return [sa.Column(name, kind, nullable=nullable) for name in names]


def _subject() -> list[sa.Column[Any]]:
    """Return what an entry was about, as it stood: names, the digest of everything that a verdict is made of
    (``records.case_digest``), and digests of the lists of A (``baseline``) and B (``candidate``), the judgments and the
    votes.
    """
    digests = _columns(sa.String(64), "baseline", "candidate", "judgments", "votes", nullable=True)
    return [*_columns(StoredText, "name", "model_a", "model_b"), _id("case", nullable=False), *digests]


METADATA = sa.MetaData()

#: One row: the id of the store, which stands beside its files as well, and the number of its schema.
STORE = sa.Table("store", METADATA, _id("id", primary_key=True), *_columns(sa.Integer, "schema"))
#: One row per comparison. ``group``: the same for comparisons that are shown together, NULL: of none; ``name``,
#: ``model_a``, ``model_b``: as the head calls them; ``words``: for search; ``edits``: those in force
#: now; ``decision``: the decision in force.
COMPARISON = sa.Table(
    "comparison",
    METADATA,
    _id("id", primary_key=True),
    _id("lineage", nullable=False, index=True),
    _id("group", index=True),
    *_columns(sa.Integer, "head"),
    *_columns(Moment, "created"),
    sa.Column("changed", Moment, nullable=False, index=True),
    sa.Column("deleted", Moment, index=True),
    *_columns(sa.JSON, "edits"),
    *_columns(StoredText, "name", "model_a", "model_b", "words"),
    _id("decision"),
)
#: The stored files, named by the digest of their bytes.
BLOB = sa.Table(
    "blob", METADATA, _id("sha256", primary_key=True), *_columns(sa.BigInteger, "bytes"), *_columns(Moment, "created")
)
#: The tables of a comparison as they were read. ``kind``: a, b, judgments, queries, votes or items; ``digest``: its
#: file; ``content``: what it holds, whatever bytes that is written as.
INPUT = sa.Table(
    "input",
    METADATA,
    _id("id", primary_key=True),
    _comparison(),
    *_columns(sa.String(16), "kind"),
    sa.Column("digest", sa.String(64), sa.ForeignKey("blob.sha256"), nullable=False, index=True),
    _id("content", nullable=False, index=True),
    *_columns(StoredText, "source_name", "source_sha256"),
    *_columns(sa.JSON, "description"),
)
#: What a comparison was at each number, whatever edits it had; ``by``: the name that somebody typed.
REVISION = sa.Table(
    "revision",
    METADATA,
    _comparison(primary_key=True),
    sa.Column("number", sa.Integer, primary_key=True, autoincrement=False),
    *_columns(Moment, "at"),
    *_columns(StoredText, "by"),
    *_columns(sa.JSON, "state"),
    *_subject(),
)
#: What a verdict said, as it was first computed of a case; ``revision``: the first that was of this case.
RESULT = sa.Table(
    "result",
    METADATA,
    _id("id", primary_key=True),
    _comparison(index=False),
    *_columns(sa.Integer, "revision", "policy_version", "looks"),
    *_columns(Moment, "at"),
    *_columns(sa.String(64), "engine", "content", "case"),
    *_columns(sa.String(32), "outcome"),
    *_columns(StoredText, "measure", nullable=True),
    *_columns(sa.Double, "delta", "lower", "upper", nullable=True),
    *_columns(sa.Integer, "n", nullable=True),
    *_columns(sa.JSON, "json"),
    *_columns(StoredText, "screen", "tag"),
    sa.Index("ix_result_case", "comparison", "case"),
)
#: The states of the data for which a verdict was shown, in digests alone: what was looked at stays looked at when the
#: comparison is erased. ``a`` and ``b``: the lists. A row without ``a`` may say how lists are ranked: ``journal``.
LOOK = sa.Table(
    "look",
    METADATA,
    _id("id", primary_key=True),
    *_columns(sa.String(64), "lineage", "content"),
    _id("a", index=True),
    *_columns(sa.String(64), "b", "judgments", nullable=True),
    *_columns(Moment, "at"),
    sa.UniqueConstraint("lineage", "content"),
)
#: What people decided, with what it was about: both outlast the comparison. A correction is a further row.
DECISION = sa.Table(
    "decision",
    METADATA,
    _id("id", primary_key=True),
    _id("comparison", nullable=False),
    *_columns(sa.Integer, "revision"),
    *_columns(Moment, "at"),
    *_columns(sa.String(16), "choice"),
    *_columns(StoredText, "by", "reason"),
    *_columns(sa.JSON, "verdict"),
    *_subject(),
    sa.Index("ix_decision_newest", "comparison", "at"),
)
#: What the online test showed later, kept likewise.
OUTCOME = sa.Table(
    "outcome",
    METADATA,
    _id("id", primary_key=True),
    _id("comparison", nullable=False),
    *_columns(Moment, "at"),
    *_columns(StoredText, "by", "metric"),
    *_columns(sa.Double, "delta"),
    *_subject(),
    sa.Index("ix_outcome_newest", "comparison", "at"),
)
#: ``words``: the tag as it is searched; so two spellings of a word are one tag.
TAG = sa.Table(
    "tag",
    METADATA,
    _comparison(primary_key=True),
    sa.Column("words", StoredText, primary_key=True),
    *_columns(StoredText, "tag"),
)
#: Which browser opened which comparison, for servers of several people; so each has the launch log of what it opened.
SEEN = sa.Table(
    "seen", METADATA, _id("browser", primary_key=True), _id("comparison", primary_key=True), *_columns(Moment, "at")
)


def identity(connection: sa.Connection) -> Any:
    """Return which store a database holds: the row with its id, and the number of its schema."""
    return connection.execute(sa.select(STORE)).one()


def is_new(connection: sa.Connection, where: str) -> bool:
    """Return whether a database holds nothing yet. StoreError where it holds an old store, or something else."""
    names = set(sa.inspect(connection).get_table_names())
    if STORE.name not in names and names:
        raise StoreError((errors.OLD if _OF_OLD_STORES in names else errors.FOREIGN).format(where=where))
    return not names


def make_tables(connection: sa.Connection) -> None:
    """Make every table, and give the store an id."""
    METADATA.create_all(connection)
    connection.execute(sa.insert(STORE).values(id=new_id(), schema=NUMBER))


def add_missing(connection: sa.Connection) -> None:
    """Add the tables and the nullable columns that an older store lacks."""
    before = sa.inspect(connection)
    lacking = [
        (table.name, sa.schema.CreateColumn(column).compile(dialect=connection.dialect))
        for table in METADATA.sorted_tables
        if before.has_table(table.name)
        for column in table.columns
        if column.name not in {there["name"] for there in before.get_columns(table.name)}
    ]
    METADATA.create_all(connection)
    for table, column in lacking:
        connection.exec_driver_sql(f'ALTER TABLE "{table}" ADD COLUMN {column}')
    connection.execute(sa.update(STORE).values(schema=NUMBER))


# --- transactions ---

#: Seconds that one writer waits for another.
PATIENCE = 10
_WRITES = "rankdash_writes"
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
        if self._url.get_backend_name() == "sqlite":
            self._file = Path(os.path.abspath(self._url.database or ""))
            self._url = self._url.set(database=str(self._file))  # whatever folder a program changes to
            self.where = str(self._file)
        self._identity: tuple[int, int] | None = None
        #: Why nothing may be written here; "" where it may.
        self.refusal = ""
        with store_errors(self.where):
            self._engine = self._made(beside, upgrade)
            self._store = self._found(beside, upgrade)
        #: The id of the store.
        self.id: str = self._store.id
        self._identity = self._identity_now()

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
        if self._file is not None:
            with store_errors(self.where), closing(self._engine.raw_connection()) as connection:
                connection.cursor().execute("PRAGMA wal_checkpoint(TRUNCATE)")

    def close(self) -> None:
        """Close every connection; further use makes new ones."""
        self._engine.dispose()

    def _found(self, beside: str, upgrade: bool) -> Any:
        """Return which store this is, with its tables made where the database is new."""
        with self._transaction(writes=False) as connection:
            is_empty = is_new(connection, self.where)
            found: Any = None if is_empty else identity(connection)
        if is_empty:
            self._refuse_new(beside, upgrade)
        if is_empty or (upgrade and found.schema < NUMBER):
            with self._transaction(writes=True) as connection:
                self._lock(connection, _SCHEMA)
                if is_new(connection, self.where):  # unless another writer was faster
                    make_tables(connection)
                elif upgrade:
                    self._copy(found.schema)
                    add_missing(connection)
                found = identity(connection)
        self._check_number(found.schema)
        return found

    def _refuse_new(self, beside: str, upgrade: bool) -> None:
        """Raise StoreError where a new database is not to be made."""
        if beside or upgrade:
            raise StoreError(
                (errors.NO_STORE if upgrade else errors.NEW_DATABASE).format(where=self.where, files=beside)
            )

    def _check_number(self, number: int) -> None:
        """Raise StoreError where a store is of a newer or an older version."""
        if number != NUMBER:
            sentence = errors.NEWER if number > NUMBER else errors.OLDER
            raise StoreError(sentence.format(where=self.where, found=number, known=NUMBER))

    def _look(self, file: Path) -> None:
        """Raise StoreError for a file that holds something else than a store, without a change to it: to SQLite opening
        one to write is a change. Where it cannot be looked at like this, opening it tells why.
        """
        how = {"uri": "true"} | ({"mode": "ro"} if _size(_log(file)) else {"immutable": "1"})
        url = sa.URL.create("sqlite", database=f"file:{quote(str(file))}", query=how)
        with suppress(sa.exc.DatabaseError), sa.create_engine(url, poolclass=sa.NullPool).connect() as connection:
            is_new(connection, self.where)

    def _copy(self, number: int) -> None:
        """Copy the database beside itself. What PostgreSQL holds is copied with its own tools by who may."""
        if self._file is None:
            return
        target = self._file.with_name(f"{self._file.name}.schema-{number}-{now():%Y%m%dT%H%M%S%f}")
        os.close(os.open(target, os.O_CREAT | os.O_EXCL, 0o600))
        with closing(sqlite3.connect(self._file)) as source, closing(sqlite3.connect(target)) as copy:
            source.backup(copy)

    @contextmanager
    def _checked(self, writes: bool) -> Iterator[sa.Connection]:
        """Yield a transaction on the store that was opened: neither another one, nor one of another version."""
        with self._transaction(writes) as connection:
            found = identity(connection)
            self._check_number(found.schema)
            if found != self._store:
                raise StoreError(errors.REPLACED.format(where=self.where))
            yield connection

    @contextmanager
    def _transaction(self, writes: bool) -> Iterator[sa.Connection]:
        if self._file is not None and self._identity not in (None, self._identity_now()):
            self._engine.dispose()
            raise StoreError(errors.REPLACED.format(where=self.where))
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
        if self._file is None:
            function = sa.func.pg_advisory_xact_lock_shared if shared else sa.func.pg_advisory_xact_lock
            connection.execute(sa.select(function(number)))

    def _made(self, beside: str, upgrade: bool) -> sa.Engine:
        """Return connections, to a file that is there or is made."""
        if self._file is None:
            return _postgres(self._url)
        if _size(self._file) or _size(_log(self._file)):
            self._look(self._file)
        else:
            self._refuse_new(beside, upgrade)
        make_folder(self._file.parent)
        with suppress(FileExistsError):  # SQLite would give a new one to whoever may enter the folder
            os.close(os.open(self._file, os.O_CREAT | os.O_EXCL, 0o600))
        # What is wrong is told by the first transaction. SQLite does not wait here for others who do the same.
        with suppress(sqlite3.Error), closing(sqlite3.connect(self._file, timeout=PATIENCE)) as connection:
            connection.execute("PRAGMA journal_mode=WAL")
        engine = sa.create_engine(self._url, connect_args={"timeout": PATIENCE})
        event.listen(engine, "connect", _prepare)
        event.listen(engine, "begin", _begin)
        return engine


def _size(file: Path) -> int:
    return file.stat().st_size if file.exists() else 0


def _log(file: Path) -> Path:
    return file.with_name(f"{file.name}-wal")


def _with_driver(url: str | sa.URL) -> sa.URL:
    """Return the URL, with the driver that we use. StoreError for a database that we do not know."""
    try:
        parsed = sa.make_url(url)
    except (sa.exc.ArgumentError, ValueError):
        raise StoreError(errors.WRONG_DATABASE.format(where=repr(showable(str(url))))) from None
    shown = showable(str(url))
    if parsed.drivername in {"postgres", "postgresql", "postgresql+psycopg"}:
        if find_spec("psycopg") is None:
            raise StoreError(errors.NO_DRIVER.format(where=shown))
        return parsed.set(drivername="postgresql+psycopg")
    if parsed.drivername != "sqlite" or parsed.database in (None, "", ":memory:"):
        raise StoreError(errors.WRONG_DATABASE.format(where=repr(shown)))
    return parsed


def _prepare(connection: Any, _record: object) -> None:
    """Prepare a new connection to SQLite: transactions begin where we say so, and what was committed is on the disk."""
    connection.isolation_level = None
    connection.execute("PRAGMA synchronous=FULL")
    connection.execute("PRAGMA foreign_keys=ON")
    connection.execute("PRAGMA secure_delete=ON")


def _begin(connection: sa.Connection) -> None:
    writes = connection.get_execution_options().get(_WRITES, True)
    connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")


def _postgres(url: sa.URL) -> sa.Engine:
    """Return connections whose server ends what takes too long, or waits too long for a lock."""
    limits = {"connect_timeout": PATIENCE, "tcp_user_timeout": 1_000 * PATIENCE}
    engine = sa.create_engine(url, pool_pre_ping=True, pool_timeout=PATIENCE, connect_args=limits)

    def limited(connection: Any, _record: object) -> None:
        for setting in ("statement_timeout", "lock_timeout"):
            connection.execute(f"SET {setting} = '{PATIENCE}s'")
        connection.commit()

    event.listen(engine, "connect", limited)
    return engine
