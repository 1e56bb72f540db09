"""What every record of a comparison needs: that the comparison is there, rows that are written once, typed words."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping
from typing import Any

import sqlalchemy as sa
from sqlalchemy.dialects import postgresql, sqlite

from rankdash.store import words
from rankdash.store.database.schema import COMPARISON
from rankdash.store.errors import StoreError
from rankdash.strings.normalforms import normalized

_INSERT: Mapping[str, Any] = {"sqlite": sqlite.insert, "postgresql": postgresql.insert}


def check_there(connection: sa.Connection, id: str) -> None:
    """StoreError where a comparison does not exist or was deleted."""
    found = connection.execute(sa.select(COMPARISON.c.deleted).where(COMPARISON.c.id == id)).one_or_none()
    if found is None:
        raise StoreError(words.UNKNOWN.format(id=id))
    if found.deleted is not None:
        raise StoreError(words.DELETED.format(id=id, when=""))


def insert_once(connection: sa.Connection, table: sa.Table, values: Mapping[str, Any]) -> bool:
    """Writes a row unless one with its key is there; whether it was written. Two writers at once do not disturb."""
    insert = _INSERT[connection.dialect.name](table).values(values).on_conflict_do_nothing()
    return connection.execute(insert.returning(*table.primary_key)).first() is not None


def folded(*texts: str) -> str:
    """Texts in the form in which they are searched, one a line: letters of either case and of any width are one."""
    return "\n".join(normalized("NFKC", text).casefold() for text in texts)


def says_something(text: str) -> bool:
    """Whether there is anything in a text that a person can see."""
    return any(unicodedata.category(letter)[0] not in "CZ" for letter in text)
