"""The tables of the database, the same for SQLite and PostgreSQL, and the number that tells this schema from others.

A later version only adds tables and nullable columns, and raises the number: ``upgrade`` adds what is missing.

Ids are 128 random bits in hexadecimal digits; times are UTC. Rows of ``revision``, ``step``, ``input``, ``result``,
``decision`` and ``outcome`` are written once and never changed. Erasing a comparison erases its rows everywhere, save
what was decided about it and what was seen online: these stay on record.
"""

from __future__ import annotations

import re
import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

import sqlalchemy as sa
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.engine import Dialect

from rankdash.store import words
from rankdash.store.errors import StoreError

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


def _subject() -> list[sa.Column[Any]]:
    """Return what an entry was about, as it stood: names, the case, and digests of the lists of A (``baseline``) and B
    (``candidate``), the judgments and the votes.
    """
    names = [sa.Column(name, StoredText, nullable=False) for name in ("name", "model_a", "model_b")]
    return [*names, _case(), *(_id(name) for name in ("baseline", "candidate", "judgments", "votes"))]


def _case() -> sa.Column[str]:
    """Return the digest of everything that a verdict is made of (``records.case_digest``)."""
    return _id("case", nullable=False)


METADATA = sa.MetaData()

#: One row: the id of the store, which stands beside its files as well, and the number of its schema.
STORE = sa.Table("store", METADATA, _id("id", primary_key=True), sa.Column("schema", sa.Integer, nullable=False))
#: One row per comparison. ``group``: the same for comparisons that belong together, which nothing sets yet; ``name``,
#: ``model_a``, ``model_b``: as the head calls them; ``words``: for search; ``deleted_clock``: the reading of the clock
#: when it was deleted; ``decision``: the decision in force.
COMPARISON = sa.Table(
    "comparison",
    METADATA,
    _id("id", primary_key=True),
    _id("lineage", nullable=False, index=True),
    _id("group", index=True),
    sa.Column("head", sa.Integer, nullable=False),
    sa.Column("created", Moment, nullable=False),
    sa.Column("changed", Moment, nullable=False, index=True),
    sa.Column("archived", sa.Boolean, nullable=False),
    sa.Column("deleted", Moment, index=True),
    sa.Column("deleted_clock", sa.Text),
    sa.Column("browser", StoredText, nullable=False),
    sa.Column("name", StoredText, nullable=False),
    sa.Column("model_a", StoredText, nullable=False),
    sa.Column("model_b", StoredText, nullable=False),
    sa.Column("words", StoredText, nullable=False),
    _id("decision"),
)
#: The stored files, named by the digest of their bytes.
BLOB = sa.Table(
    "blob",
    METADATA,
    _id("sha256", primary_key=True),
    sa.Column("bytes", sa.BigInteger, nullable=False),
    sa.Column("created", Moment, nullable=False),
)
#: The tables of a comparison as they were read. ``kind``: a, b, judgments, queries, votes or scored; ``digest``: its
#: file; ``content``: what it holds, whatever bytes that is written as.
INPUT = sa.Table(
    "input",
    METADATA,
    _id("id", primary_key=True),
    _comparison(),
    sa.Column("kind", sa.String(16), nullable=False),
    sa.Column("digest", sa.String(64), sa.ForeignKey("blob.sha256"), nullable=False, index=True),
    _id("content", nullable=False, index=True),
    sa.Column("source_name", StoredText, nullable=False),
    sa.Column("source_sha256", StoredText, nullable=False),
    sa.Column("description", sa.JSON, nullable=False),
)
#: The file with the per-query values of a comparison, and the digest of everything that these are made of.
SCORED = sa.Table(
    "scored",
    METADATA,
    _comparison(primary_key=True),
    _id("key", nullable=False, index=True),
    sa.Column("blob", sa.String(64), sa.ForeignKey("blob.sha256"), nullable=False, index=True),
    sa.Column("at", Moment, nullable=False),
)
#: What was done to the tables: a tree, in which each step names the step before it.
STEP = sa.Table(
    "step",
    METADATA,
    _id("id", primary_key=True),
    _comparison(),
    _id("previous"),
    sa.Column("body", sa.JSON, nullable=False),
)
#: What a comparison was at each number, constant in size: the edits are the steps up to a tip.
REVISION = sa.Table(
    "revision",
    METADATA,
    _comparison(primary_key=True),
    sa.Column("number", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("at", Moment, nullable=False),
    sa.Column("browser", StoredText, nullable=False),
    sa.Column("what", StoredText, nullable=False),
    sa.Column("state", sa.JSON, nullable=False),
    _case(),
)
#: What a verdict said, as it was first computed of a case; ``revision``: the first that was of this case.
RESULT = sa.Table(
    "result",
    METADATA,
    _id("id", primary_key=True),
    _comparison(index=False),
    sa.Column("revision", sa.Integer, nullable=False),
    sa.Column("at", Moment, nullable=False),
    sa.Column("engine", sa.String(64), nullable=False),
    sa.Column("policy_version", sa.Integer, nullable=False),
    sa.Column("outcome", sa.String(32), nullable=False),
    sa.Column("measure", StoredText),
    sa.Column("delta", sa.Double),
    sa.Column("lower", sa.Double),
    sa.Column("upper", sa.Double),
    sa.Column("n", sa.Integer),
    sa.Column("looks", sa.Integer, nullable=False),
    _id("content", nullable=False),
    sa.Column("json", sa.JSON, nullable=False),
    _case(),
    *(sa.Column(name, StoredText, nullable=False) for name in ("screen", "tag")),
    sa.Index("ix_result_case", "comparison", "case"),
)
#: The states of the data for which a verdict was shown, in digests alone: what was looked at stays looked at when the
#: comparison is erased. ``a`` and ``b``: the lists.
LOOK = sa.Table(
    "look",
    METADATA,
    _id("id", primary_key=True),
    _id("lineage", nullable=False),
    _id("content", nullable=False),
    _id("a", index=True),
    _id("b"),
    _id("judgments"),
    sa.Column("at", Moment, nullable=False),
    sa.UniqueConstraint("lineage", "content"),
)
#: What people decided, with what it was about: both outlast the comparison. A correction is a further row.
DECISION = sa.Table(
    "decision",
    METADATA,
    _id("id", primary_key=True),
    _id("comparison", nullable=False),
    sa.Column("revision", sa.Integer, nullable=False),
    sa.Column("at", Moment, nullable=False),
    sa.Column("by", StoredText, nullable=False),
    sa.Column("choice", sa.String(16), nullable=False),
    sa.Column("reason", StoredText, nullable=False),
    sa.Column("verdict", sa.JSON, nullable=False),
    *_subject(),
    sa.Index("ix_decision_newest", "comparison", "at"),
)
#: What the online test showed later, kept likewise.
OUTCOME = sa.Table(
    "outcome",
    METADATA,
    _id("id", primary_key=True),
    _id("comparison", nullable=False),
    sa.Column("at", Moment, nullable=False),
    sa.Column("by", StoredText, nullable=False),
    sa.Column("metric", StoredText, nullable=False),
    sa.Column("delta", sa.Double, nullable=False),
    *_subject(),
    sa.Index("ix_outcome_newest", "comparison", "at"),
)
#: ``words``: the tag as it is searched; so two spellings of a word are one tag.
TAG = sa.Table(
    "tag",
    METADATA,
    _comparison(primary_key=True),
    sa.Column("words", StoredText, primary_key=True),
    sa.Column("tag", StoredText, nullable=False),
)
#: Which browser opened which comparison, for servers of several people; so each has the launch log of what it opened.
SEEN = sa.Table(
    "seen",
    METADATA,
    sa.Column("browser", sa.String(64), primary_key=True),
    _id("comparison", primary_key=True),
    sa.Column("at", Moment, nullable=False),
)


@dataclass(frozen=True)
class Identity:
    """The id of a store, and the number of its schema."""

    id: str
    schema: int


def identity(connection: sa.Connection) -> Identity:
    """Return which store a database holds."""
    return Identity(*connection.execute(sa.select(STORE.c.id, STORE.c.schema)).one())


def is_new(connection: sa.Connection, where: str) -> bool:
    """Return whether a database holds nothing yet. StoreError where it holds an old store, or something else."""
    names = set(sa.inspect(connection).get_table_names())
    if STORE.name not in names and names:
        raise StoreError((words.OLD if _OF_OLD_STORES in names else words.FOREIGN).format(where=where))
    return not names


def make(connection: sa.Connection) -> None:
    """Make every table, and give the store an id."""
    METADATA.create_all(connection)
    connection.execute(sa.insert(STORE).values(id=new_id(), schema=NUMBER))


def upgrade(connection: sa.Connection) -> None:
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
