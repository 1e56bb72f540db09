"""The tables of a comparison as rows and files, and back. Files are written before any row names them."""

from __future__ import annotations

import hashlib
import threading
import weakref
from collections.abc import Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

import pyarrow as pa
import sqlalchemy as sa

from rankdash.case import Case, Role, Tabled, content_digest
from rankdash.store import words
from rankdash.store.database.schema import BLOB, INPUT, insert_once, new_id, now
from rankdash.store.errors import StoreError
from rankdash.store.files import FileStore, InPieces, table_of, written
from rankdash.store.records import Input, description_of, record_of

#: Rows of all tables from which they are large.
_LARGE = 1_000_000
#: Bytes of a file that are told at a time.
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
        """Write the files of tables, and return both by role; large ones are written one by one, for what a file is
        made of takes as much memory as the table.
        """
        rows = sum(len(table.table) for table in tables.values())
        with ThreadPoolExecutor(2 if rows < _LARGE else 1) as several:
            return list(several.map(self._prepared, tables.items()))

    def insert(self, connection: sa.Connection, comparison: str, tables: Iterable[Prepared]) -> None:
        """Write the rows. The caller holds the lock of the files: nobody removes one meanwhile."""
        for one in tables:
            self._files.restore(one.input.blob, one.data)
            insert_once(connection, BLOB, {"sha256": one.input.blob, "bytes": one.data.size, "created": now()})
            row = {"id": one.input.id, "comparison": comparison, "role": one.input.role, "blob": one.input.blob}
            source = one.table.source
            about = {"content": one.input.content, "source_name": source.name, "source_sha256": source.sha256}
            connection.execute(sa.insert(INPUT), row | about | {"description": description_of(one.table)})

    def keep(self, tables: Iterable[Prepared]) -> None:
        """Remember tables that are stored for as long as somebody uses them."""
        with self._lock:
            self._open.update({one.input.id: one.table for one in tables})

    def read(self, rows: Mapping[str, Any]) -> tuple[Case, tuple[Input, ...]]:
        """Return the tables of rows of ``input``, by role. StoreError where a file is missing or is another one."""
        with self._lock:
            known = {role: self._open.get(row.id) for role, row in rows.items()}
        unknown = [row for role, row in rows.items() if known[role] is None]
        if unknown:
            with ThreadPoolExecutor(2) as several:
                known |= {row.role: table for row, table in zip(unknown, several.map(self._read, unknown), strict=True)}
        tables = [table for table in known.values() if table is not None]
        inputs = tuple(Input(row.id, row.role, row.blob, row.content) for row in rows.values())
        return Case.of(dict(zip(rows, tables, strict=True))), inputs

    def _prepared(self, item: tuple[Role, Tabled]) -> Prepared:
        role, table = item
        data = written(table.table.whole() if isinstance(table.table, InPieces) else table.table)
        return Prepared(Input(new_id(), role, self._files.put(data), content_digest(table)), table, data)

    def _read(self, row: Any) -> Tabled:
        description = row.description if isinstance(row.description, dict) else {}
        what = words.ROLES[row.role].format(name=description.get("name") or row.source_name)
        where = self._files.path(row.blob)
        file = self._files.opened(row.blob)
        if file is None:
            raise StoreError(words.MISSING_FILE.format(what=what, where=where))
        if _digest(file) != row.blob:
            raise StoreError(words.WRONG_DIGEST.format(what=what, where=where))
        try:
            table = InPieces.of(file, row.blob) if row.role == "scored" else None
            file.seek(0)
            found = record_of(row.role, table_of(file.read_buffer()) if table is None else table, description)
        except (ValueError, LookupError, TypeError, AttributeError, pa.ArrowException) as error:
            raise StoreError(words.UNREADABLE_FILE.format(what=what, where=where)) from error
        with self._lock:
            return self._open.setdefault(row.id, found)


def _digest(file: pa.NativeFile) -> str:
    """Return the SHA-256 of a file's bytes, of which few are in the memory at a time."""
    found, part = hashlib.sha256(), bytearray(_PART)
    while size := file.readinto(part):
        found.update(memoryview(part)[:size])
    return found.hexdigest()
