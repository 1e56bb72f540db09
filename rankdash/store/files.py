"""The tables of comparisons as files, and back: in a folder here, or in any filesystem that pyarrow knows.

A file is the Arrow form of a table, named by the digest of its bytes; it is written before any row names it. In a
folder it is written beside its place, synced and renamed, and the folder is synced: it is whole or not there. Elsewhere
it is sent as one object under its name, which appears when all of it has arrived.
"""

from __future__ import annotations

import hashlib
import os
import re
import stat
import threading
import weakref
from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pyarrow as pa
import sqlalchemy as sa
from pyarrow import fs

from rankdash import arrow
from rankdash.case import Case, Role, Tabled, content_digest
from rankdash.records import frozen
from rankdash.store import settings as errors
from rankdash.store.database import BLOB, INPUT, Database, insert_once, new_id, now
from rankdash.store.records import Input, description_of, record_of
from rankdash.store.settings import StoreError, store_errors
from rankdash.strings import showable
from rankdash.system import UNFINISHED, make_folder, sync_folder, write_whole

_NAME = re.compile(r"[0-9a-f]{64}\.arrow")
#: The file with the id of the store, which is read no further than this.
_ID, _ID_LENGTH = "rankdash-store", 64


@frozen
class Stored:
    """One file: its name ("": it is unfinished), its size, when it was written, and where it lies."""

    sha256: str
    bytes: int
    written: datetime
    path: str


class FileStore:
    """The files of saved comparisons at a folder or URL. ``where`` is its name as people read it,
    ``is_local`` whether it is a folder. Nothing is written or removed where the id beside the files is not ``id``.
    """

    def __init__(self, place: str) -> None:
        """Raise StoreError for a URL that pyarrow does not know. Nothing is made before the first file is written."""
        self._system, self._root = _opened(place)
        self.is_local = isinstance(self._system, fs.LocalFileSystem)
        self.where = self._root if self.is_local else showable(place)
        self.id = ""

    def put(self, data: pa.Buffer) -> str:
        """Return the name, the SHA-256 of the bytes, under which they are kept from now on. A broken file is written
        anew.
        """
        sha256 = hashlib.sha256(data).hexdigest()
        kept = self.get(sha256)
        if kept is None or hashlib.sha256(kept).hexdigest() != sha256:
            self._put(sha256, data)
        elif self.is_local:
            with store_errors(self.where):
                sync_folder(Path(self.path(sha256)).parent)  # whoever wrote it may be about to
        return sha256

    def restore(self, sha256: str, data: pa.Buffer) -> None:
        """Write a file again unless it is still there."""
        with store_errors(self.where):
            is_there = self._system.get_file_info(self.path(sha256)).type == fs.FileType.File
        if not is_there:
            self._put(sha256, data)

    def get(self, sha256: str) -> pa.Buffer | None:
        """Return the bytes of a file; None where it is missing, or anything else stands in its place: a pipe or a
        device would be waited for, for ever.
        """
        path = self.path(sha256)
        with store_errors(self.where), suppress(FileNotFoundError):
            if not self.is_local or stat.S_ISREG(os.stat(path).st_mode):
                with self._system.open_input_file(path) as file:
                    return file.read_buffer()
        return None

    def remove(self, paths: Iterable[str]) -> None:
        """Remove files by where they lie."""
        self.check_id()
        for path in paths:
            with store_errors(self.where), suppress(FileNotFoundError):
                self._system.delete_file(path)

    def found_id(self) -> str:
        """Return the id of the store that the files here belong to; "" where there is none."""
        with store_errors(self.where):
            try:
                stream = self._system.open_input_stream(f"{self._root}/{_ID}")
            except FileNotFoundError:
                return ""
            with stream:
                return stream.read(_ID_LENGTH).decode("ascii", "replace").strip() or "?"

    def write_id(self) -> None:
        """Write the id of the store beside the files."""
        self._write(f"{self._root}/{_ID}", pa.py_buffer(self.id.encode()))

    def check_id(self) -> None:
        """Raise StoreError where the files here are not those of this store."""
        if self.found_id() != self.id:
            raise StoreError(errors.OTHER_FILES.format(files=self.where))

    def is_empty(self) -> bool:
        """Return whether no file lies here, ours or not."""
        return not self._infos()

    def listed(self) -> Iterator[Stored]:
        """Yield every file of ours, and in a folder what writers who were killed have left unfinished."""
        for info in self._infos():
            is_whole = bool(_NAME.fullmatch(info.base_name))
            if is_whole or info.base_name.endswith(UNFINISHED):
                name = info.base_name[:64] if is_whole else ""
                yield Stored(name, info.size or 0, info.mtime or datetime.now(UTC), info.path)

    def path(self, sha256: str) -> str:
        """Return where a file lies."""
        return f"{self._root}/{sha256[:2]}/{sha256}.arrow"

    def _put(self, sha256: str, data: pa.Buffer) -> None:
        self.check_id()
        self._write(self.path(sha256), data)

    def _write(self, path: str, data: pa.Buffer) -> None:
        with store_errors(self.where):
            if self.is_local:
                make_folder(Path(path).parent)
                write_whole(Path(path), data)
                return
            with self._system.open_output_stream(path) as stream:
                stream.write(data)

    def _infos(self) -> list[fs.FileInfo]:
        with store_errors(self.where):
            selector = fs.FileSelector(self._root, allow_not_found=True, recursive=True)
            return [info for info in self._system.get_file_info(selector) if info.type == fs.FileType.File]


def _opened(place: str) -> tuple[fs.FileSystem, str]:
    if "://" not in place:
        return fs.LocalFileSystem(), os.path.abspath(Path(place).expanduser())
    try:
        system, root = fs.FileSystem.from_uri(place)
    except (pa.ArrowException, OSError, ValueError):
        raise StoreError(errors.WRONG_FILES.format(where=repr(showable(place)))) from None
    return system, root.rstrip("/")


def written(table: pa.Table) -> pa.Buffer:
    """Return the bytes of a table: types, order, nulls, NaN, dictionaries and metadata come back to the bit."""
    columns = [arrow.one_chunk(column) for column in table.columns]
    fields = [field.with_type(column.type) for field, column in zip(table.schema, columns, strict=True)]
    # One batch, also of a table without rows: Arrow would write none, and so no dictionary.
    batch = pa.RecordBatch.from_arrays(columns, schema=pa.schema(fields, metadata=table.schema.metadata))
    sink = pa.BufferOutputStream()
    with pa.ipc.new_file(sink, batch.schema, options=pa.ipc.IpcWriteOptions(compression="zstd")) as writer:
        writer.write_batch(batch)
    return sink.getvalue()


def table_of(data: pa.Buffer) -> pa.Table:
    """Return the table that was written. ValueError or an error of Arrow for bytes that are none of ours."""
    return pa.ipc.open_file(data).read_all()


@frozen
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
        self._read_once: weakref.WeakValueDictionary[str, pa.Table] = weakref.WeakValueDictionary()  # by its file
        self._lock = threading.Lock()

    def prepared(self, tables: Mapping[Role, Tabled]) -> list[Prepared]:
        """Write the files of tables, and return both by role: one by one, for making a file takes as much memory as
        its table.
        """
        return list(map(self._prepared, tables.items()))

    def insert(self, connection: sa.Connection, comparison: str, tables: Iterable[Prepared]) -> None:
        """Write the rows. The caller holds the lock of the files: nobody removes one meanwhile."""
        for prepared in tables:
            self._files.restore(prepared.input.blob, prepared.data)
            file = {"sha256": prepared.input.blob, "bytes": prepared.data.size, "created": now()}
            insert_once(connection, BLOB, file)
            own, source = prepared.input, prepared.table.source
            row = {"id": own.id, "comparison": comparison, "kind": own.role, "digest": own.blob, "content": own.content}
            about = {"source_name": source.name, "source_sha256": source.sha256}
            connection.execute(sa.insert(INPUT), row | about | {"description": description_of(prepared.table)})

    def keep(self, tables: Iterable[Prepared]) -> None:
        """Remember tables that are stored for as long as somebody uses them."""
        with self._lock:
            for prepared in tables:
                self._open[prepared.input.id] = prepared.table
                self._read_once[prepared.input.blob] = prepared.table.table

    def read(self, rows: Mapping[str, Any]) -> tuple[Case, tuple[Input, ...]]:
        """Return the tables of rows of ``input``, by role. StoreError where a file is missing or has changed."""
        with self._lock:
            opened = {role: self._open.get(row.id) for role, row in rows.items()}
        tables = {role: opened[role] or self._read(row) for role, row in rows.items()}
        inputs = tuple(Input(row.id, row.kind, row.digest, row.content) for row in rows.values())
        return Case.of(tables), inputs

    def _prepared(self, item: tuple[Role, Tabled]) -> Prepared:
        role, table = item
        data = written(table.table)
        return Prepared(Input(new_id(), role, self._files.put(data), content_digest(table)), table, data)

    def _read(self, row: Any) -> Tabled:
        description = row.description if isinstance(row.description, dict) else {}
        what = f"the {errors.ROLES[row.kind]} ({description.get('name') or row.source_name!r})"
        where = self._files.path(row.digest)
        with self._lock:
            table = self._read_once.get(row.digest)
        try:
            table = self._table(row.digest, what, where) if table is None else table
            record = record_of(row.kind, table, description)
        except (ValueError, LookupError, TypeError, AttributeError, pa.ArrowException) as error:
            raise StoreError(errors.UNREADABLE_FILE.format(what=what, where=where)) from error
        with self._lock:
            self._read_once.setdefault(row.digest, table)
            return self._open.setdefault(row.id, record)

    def _table(self, digest: str, what: str, where: str) -> pa.Table:
        data = self._files.get(digest)
        if data is None:
            raise StoreError(errors.MISSING_FILE.format(what=what, where=where))
        if hashlib.sha256(data).hexdigest() != digest:
            raise StoreError(errors.WRONG_DIGEST.format(what=what, where=where))
        return table_of(data)


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
