"""Brings a database to the newest schema with alembic, inside the transaction and the lock of whoever calls.

Alembic keeps its state in modules, so one thread at a time may run it; it is imported only where the schema is not
the newest.
"""

from __future__ import annotations

import threading
from pathlib import Path

import sqlalchemy as sa

from rankdash.store import words
from rankdash.store.database import schema
from rankdash.store.errors import StoreError

_ONE_AT_A_TIME = threading.Lock()
_VERSIONS = sa.Table("alembic_version", sa.MetaData(), sa.Column("version_num", sa.String(32)))


def version_of(connection: sa.Connection) -> str | None:
    """Return the schema that a database has; None for an empty one. StoreError, or an error of the database,
    otherwise.
    """
    tables = sa.inspect(connection).get_table_names()
    if _VERSIONS.name not in tables:
        return None
    return connection.scalar(sa.select(_VERSIONS.c.version_num))


def is_current(version: str | None, where: str) -> bool:
    """Return whether a schema is the newest one. StoreError for one that this version does not know."""
    if version is not None and version not in schema.KNOWN:
        raise StoreError(words.NEWER.format(where=where, found=version, known=schema.VERSION))
    return version == schema.VERSION


def load() -> None:
    """Import what upgrading needs, so that nobody waits for that under a lock."""
    import alembic.command  # noqa: F401 - the import is all that is needed


def upgrade(connection: sa.Connection, where: str) -> None:
    """Run the missing migrations, unless somebody did while we waited."""
    if is_current(version_of(connection), where):
        return
    from alembic import command
    from alembic.config import Config

    config = Config(attributes={"connection": connection})
    config.set_main_option("script_location", str(Path(__file__).parent / "migrations").replace("%", "%%"))
    config.set_main_option("path_separator", "os")
    with _ONE_AT_A_TIME:
        command.upgrade(config, "head")
