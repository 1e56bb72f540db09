"""Where the files lie: a folder here, or any filesystem that pyarrow knows. A file is named by the digest of its bytes.

In a folder a file is written beside its place, synced and renamed, and the folder is synced: it is whole or not there.
Elsewhere it is sent as one object under its name, which appears when all of it has arrived.
"""

from __future__ import annotations

import hashlib
import os
import re
import stat
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

import pyarrow as pa
from pyarrow import fs

from rankdash.store import words
from rankdash.store.errors import StoreError, store_errors
from rankdash.strings.addresses import showable
from rankdash.system import UNFINISHED, make_folder, sync_folder, write_whole

_NAME = re.compile(r"[0-9a-f]{64}\.parquet")
#: The file with the id of the store, which is read no further than this.
_ID, _ID_LENGTH = "rankdash-store", 64


@dataclass(frozen=True)
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
        """Return the bytes of a file; None where it is missing, or anything else stands in its place."""
        with store_errors(self.where), suppress(FileNotFoundError):
            if self._may_be_read(sha256):
                with self._system.open_input_file(self.path(sha256)) as file:
                    return file.read_buffer()
        return None

    def opened(self, sha256: str) -> pa.NativeFile | None:
        """Return a file to be read now and later, also when it has been removed; None as for ``get``."""
        if self.is_local and os.name == "posix":
            with store_errors(self.where), suppress(FileNotFoundError):
                if self._may_be_read(sha256):
                    return pa.OSFile(self.path(sha256))
            return None
        data = self.get(sha256)
        return None if data is None else pa.BufferReader(data)

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
            raise StoreError(words.OTHER_FILES.format(files=self.where))

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
        return f"{self._root}/{sha256[:2]}/{sha256}.parquet"

    def _may_be_read(self, sha256: str) -> bool:
        """Return whether nothing but a file can stand under a name: a pipe or a device would be waited for, for
        ever.
        """
        return not self.is_local or stat.S_ISREG(os.stat(self.path(sha256)).st_mode)

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
        raise StoreError(words.WRONG_FILES.format(where=repr(showable(place)))) from None
    return system, root.rstrip("/")
