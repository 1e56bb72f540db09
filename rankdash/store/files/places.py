"""Where the files lie: a folder here, or any filesystem that pyarrow knows. A file is named by the digest of its bytes.

In a folder a file is written beside its place, synced and renamed, and the folder is synced: it is whole or not there.
Elsewhere it is sent as one object under its name, which appears when all of it has arrived.
"""

from __future__ import annotations

import hashlib
import os
import re
import stat
from collections.abc import Iterator
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


@dataclass(frozen=True)
class Stored:
    """One file: its name ("": it is unfinished), its size, when it was written, and where it lies."""

    sha256: str
    bytes: int
    written: datetime
    path: str


class FileStore:
    """The files of saved comparisons at a folder or URL. ``where`` is its name as people read it,
    ``is_local`` whether it is a folder.
    """

    def __init__(self, place: str) -> None:
        """Raise StoreError for a URL that pyarrow does not know. Nothing is made before the first file is written."""
        self._system, self._root = _opened(place)
        self.is_local = isinstance(self._system, fs.LocalFileSystem)
        self.where = self._root if self.is_local else showable(place)

    def put(self, data: pa.Buffer) -> str:
        """Return the name, the SHA-256 of the bytes, under which they are kept from now on. A broken file is written
        anew.
        """
        sha256 = hashlib.sha256(data).hexdigest()
        kept = self.get(sha256)
        if kept is None or hashlib.sha256(kept).hexdigest() != sha256:
            self._write(sha256, data)
        elif self.is_local:
            with store_errors(self.where):
                sync_folder(Path(self.path(sha256)).parent)  # whoever wrote it may be about to
        return sha256

    def restore(self, sha256: str, data: pa.Buffer) -> None:
        """Write a file again unless it is still there."""
        with store_errors(self.where):
            is_there = self._system.get_file_info(self.path(sha256)).type == fs.FileType.File
        if not is_there:
            self._write(sha256, data)

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

    def remove(self, sha256: str) -> None:
        """Keep nothing under a name any more."""
        self._remove(self.path(sha256))

    def remove_stored(self, file: Stored) -> None:
        """Remove a file that was listed."""
        self._remove(file.path)

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

    def _write(self, sha256: str, data: pa.Buffer) -> None:
        with store_errors(self.where):
            if self.is_local:
                place = Path(self.path(sha256))
                make_folder(place.parent)
                write_whole(place, data)
                return
            with self._system.open_output_stream(self.path(sha256)) as stream:
                stream.write(data)

    def _remove(self, path: str) -> None:
        with store_errors(self.where), suppress(FileNotFoundError):
            self._system.delete_file(path)

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
