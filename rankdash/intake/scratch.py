"""Files that only this process and those that it started use: large uploads, and large tables on their way back.

They lie in the folder for temporary files, for the owner alone. What a process that was killed has left there is
removed a week later.
"""

from __future__ import annotations

import hashlib
import mmap
import os
import re
import tempfile
import threading
import time
import weakref
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import IO

import pyarrow as pa

_BEGINS, _ENDS = "rankdash-", ".scratch"
_NAME = re.compile(rf"{_BEGINS}\w+\{_ENDS}")
#: The pages of tables that lie on the disk, while somebody has the table. Nobody writes to them.
_mapped: weakref.WeakSet[mmap.mmap] = weakref.WeakSet()
_mapping = threading.Lock()  # a set must not grow while it is looked through
#: Seconds after which a file is nobody's.
_OLD = 7 * 24 * 3600.0


@dataclass(frozen=True, eq=False)
class OnDisk:
    """The bytes of a file, on the disk for as long as this object exists.

    It is a path to whoever opens it, and bears the ``name`` that people gave the file. ``sha256`` is the digest of its
    bytes, "" where nobody has computed it yet.
    """

    name: str
    size: int
    path: str = field(repr=False)
    sha256: str = ""

    def __fspath__(self) -> str:
        return self.path


def put(name: str, content: bytes | memoryview) -> OnDisk:
    """Write bytes to the disk. OSError where that cannot be done; then nothing is left there."""
    _sweep()
    handle, path = tempfile.mkstemp(_ENDS, _BEGINS)
    try:
        with os.fdopen(handle, "wb", buffering=0) as file:
            rest = memoryview(content)
            while rest:
                rest = rest[file.write(rest) :]
    except BaseException:
        _remove(path)
        raise
    found = OnDisk(name, len(content), path)
    weakref.finalize(found, _remove, path)
    return found


class Arriving:
    """A file that comes in parts, on the disk from its first bytes on; its digest is computed beside the writing.

    It is removed with this object, unless somebody has taken it.
    """

    def __init__(self) -> None:
        _sweep()
        handle, self._path = tempfile.mkstemp(_ENDS, _BEGINS)
        self._file = os.fdopen(handle, "wb", buffering=0)
        self._digest = hashlib.sha256()
        self._size = 0
        self._removed = weakref.finalize(self, _leave, self._file, self._path)

    def write(self, part: bytes) -> None:
        """Write the next bytes. OSError where the disk does not take them; then some of them may be on it."""
        rest = memoryview(part)
        while rest:
            rest = rest[self._file.write(rest) :]
        self._digest.update(part)
        self._size += len(part)

    def content(self) -> bytes:
        """Return all bytes that were written whole."""
        with open(self._path, "rb") as file:
            return file.read(self._size)

    def taken(self, name: str) -> OnDisk:
        """Return the whole file under its name: the disk has it as long as that object exists."""
        self._file.close()
        found = OnDisk(name, self._size, self._path, self._digest.hexdigest())
        self._removed.detach()
        weakref.finalize(found, _remove, self._path)
        return found

    def leave(self) -> None:
        """Remove the file: nobody needs it."""
        self._removed()


def put_table(table: pa.Table) -> str:
    """Write a table to the disk, and return the name under which ``take_table`` has it. OSError as for ``put``."""
    handle, path = tempfile.mkstemp(_ENDS, _BEGINS)
    os.close(handle)
    try:
        with pa.OSFile(path, "wb") as file, pa.ipc.new_stream(file, table.schema) as stream:
            stream.write_table(table)
    except BaseException:
        _remove(path)
        raise
    return os.path.basename(path)


def take_table(name: str) -> pa.Table:
    """Return a table that was put on the disk: its columns are the pages of the file, which has no name any more.

    ValueError for a name that is none of ours; OSError where there is no such file.
    """
    if not _NAME.fullmatch(name):
        raise ValueError(f"{name!r} is no scratch file")
    path = os.path.join(tempfile.gettempdir(), name)
    try:
        with open(path, "rb") as file:
            pages = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
    finally:
        _remove(path)
    with _mapping:
        _mapped.add(pages)
    return pa.ipc.open_stream(pa.py_buffer(pages)).read_all()


def leave_pages() -> None:
    """Leave the pages of all tables that lie on the disk to the operating system, which keeps them as long as it has
    room: whoever reads on gets them back. Where the system has no such call, nothing happens.
    """
    with _mapping:
        every = list(_mapped)
    for pages in every:
        if hasattr(pages, "madvise"):
            pages.madvise(mmap.MADV_DONTNEED)


@cache
def _sweep() -> None:
    """Remove what others left, once."""
    with suppress(OSError):
        for path in Path(tempfile.gettempdir()).glob(f"{_BEGINS}*{_ENDS}"):
            with suppress(OSError):
                if time.time() - path.stat().st_mtime > _OLD:
                    path.unlink()


def _leave(file: IO[bytes], path: str) -> None:
    file.close()
    _remove(path)


def _remove(path: str) -> None:
    with suppress(OSError):
        os.remove(path)
