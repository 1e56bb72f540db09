"""The tables of a comparison as rows and files, and back. Files are written before any row names them."""

from __future__ import annotations

import hashlib
import threading
import weakref
from collections.abc import Collection, Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

import pyarrow as pa
import sqlalchemy as sa

from rankdash.case import Case, Role, Tabled, content_digest
from rankdash.store import words
from rankdash.store.database import Database
from rankdash.store.database.schema import BLOB, INPUT, SCORED, insert_once, new_id, now
from rankdash.store.errors import StoreError
from rankdash.store.files import FileStore, table_of, written
from rankdash.store.records import Input, description_of, record_of

#: Rows of all tables from which they are large.
_LARGE = 1_000_000
#: Bytes of a file that are put into the digest at a time.
_PART = 1 << 20


@dataclass(frozen=True)
class Prepared:
    """One table whose file is written, and whose row is not."""

    input: Input
    table: Tabled
    data: pa.Buffer


class StoredTables:
    """The tables of a store. What is open somewhere in this process is not read again."""

    def __init__(self, files: FileStore) -> None:
        self._files = files
        self._open: weakref.WeakValueDictionary[str, Tabled] = weakref.WeakValueDictionary()
        self._lock = threading.Lock()

    def prepared(self, tables: Mapping[Role, Tabled]) -> list[Prepared]:
        """Write the files of tables, and return both by role. Large tables are written one by one, for making a file
        takes as much memory as its table.
        """
        rows = sum(len(table.table) for table in tables.values())
        with ThreadPoolExecutor(2 if rows < _LARGE else 1) as several:
            return list(several.map(self._prepared, tables.items()))

    def insert(self, connection: sa.Connection, comparison: str, tables: Iterable[Prepared]) -> None:
        """Write the rows. The caller holds the lock of the files: nobody removes one meanwhile."""
        for prepared in tables:
            self._files.restore(prepared.input.blob, prepared.data)
            insert_once(
                connection, BLOB, {"sha256": prepared.input.blob, "bytes": prepared.data.size, "created": now()}
            )
            row = {
                "id": prepared.input.id,
                "comparison": comparison,
                "kind": prepared.input.role,
                "digest": prepared.input.blob,
            }
            source = prepared.table.source
            about = {"content": prepared.input.content, "source_name": source.name, "source_sha256": source.sha256}
            connection.execute(sa.insert(INPUT), row | about | {"description": description_of(prepared.table)})

    def keep(self, tables: Iterable[Prepared]) -> None:
        """Remember tables that are stored for as long as somebody uses them."""
        with self._lock:
            self._open.update({prepared.input.id: prepared.table for prepared in tables})

    def read(self, rows: Mapping[str, Any]) -> tuple[Case, tuple[Input, ...]]:
        """Return the tables of rows of ``input``, by role. StoreError where a file is missing or has changed."""
        with self._lock:
            opened = {role: self._open.get(row.id) for role, row in rows.items()}
        unknown = [row for role, row in rows.items() if opened[role] is None]
        if unknown:
            with ThreadPoolExecutor(2) as several:
                opened |= {
                    row.kind: table for row, table in zip(unknown, several.map(self._read, unknown), strict=True)
                }
        tables = [table for table in opened.values() if table is not None]
        inputs = tuple(Input(row.id, row.kind, row.digest, row.content) for row in rows.values())
        return Case.of(dict(zip(rows, tables, strict=True))), inputs

    def _prepared(self, item: tuple[Role, Tabled]) -> Prepared:
        role, table = item
        data = written(table.table)
        return Prepared(Input(new_id(), role, self._files.put(data), content_digest(table)), table, data)

    def _read(self, row: Any) -> Tabled:
        description = row.description if isinstance(row.description, dict) else {}
        what = words.ROLES[row.kind].format(name=description.get("name") or row.source_name)
        where = self._files.path(row.digest)
        file = self._files.opened(row.digest)
        if file is None:
            raise StoreError(words.MISSING_FILE.format(what=what, where=where))
        if _digest(file) != row.digest:
            raise StoreError(words.WRONG_DIGEST.format(what=what, where=where))
        try:
            file.seek(0)
            record = record_of(row.kind, table_of(file.read_buffer()), description)
        except (ValueError, LookupError, TypeError, AttributeError, pa.ArrowException) as error:
            raise StoreError(words.UNREADABLE_FILE.format(what=what, where=where)) from error
        with self._lock:
            return self._open.setdefault(row.id, record)


def is_unused() -> sa.ColumnElement[bool]:
    """Return the condition that no comparison uses a file."""
    used = (INPUT.c.digest, SCORED.c.blob)
    return sa.and_(*(~sa.exists().where(column == BLOB.c.sha256) for column in used))


def named_files(connection: sa.Connection) -> set[str]:
    """Return the names of the files that have a row."""
    return set(connection.scalars(sa.select(BLOB.c.sha256)))


def remove_files(database: Database, files: FileStore, unused: Collection[str]) -> None:
    """Remove files whose rows were erased, save those that somebody has written again meanwhile."""
    if not unused:
        return
    with database.writing() as connection:
        database.lock_files(connection, alone=True)
        files.remove(files.path(sha256) for sha256 in sorted(set(unused) - named_files(connection)))


def _digest(file: pa.NativeFile) -> str:
    """Return the SHA-256 of a file's bytes, of which few are in the memory at a time."""
    digest, part = hashlib.sha256(), bytearray(_PART)
    while size := file.readinto(part):
        digest.update(memoryview(part)[:size])
    return digest.hexdigest()
