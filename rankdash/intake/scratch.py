"""Files that only this process and those that it started use: large uploads, and large tables on their way back.

They lie in a folder of this process below the folder for temporary files, for the owner alone. The process holds a lock
on its folder: what one that was killed has left is nobody's, and is removed when the next one starts.
"""

from __future__ import annotations

import atexit
import hashlib
import mmap
import os
import re
import shutil
import stat
import tempfile
import threading
import time
import weakref
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO

import pyarrow as pa

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None  # type: ignore[assignment]

_BEGINS, _ENDS = "rankdash-", ".scratch"
_NAME = re.compile(rf"{_BEGINS}\d+-\w+\{_ENDS}")
#: The folder of this process, and the handle that holds its lock.
_own: dict[str, int | None] = {}
_making = threading.Lock()
#: The pages of tables that lie on the disk, while somebody has the table. Nobody writes to them.
_mapped: weakref.WeakSet[mmap.mmap] = weakref.WeakSet()
_mapping = threading.Lock()  # a set must not grow while it is looked through
#: Seconds after which what no lock can tell of is nobody's: where there are no locks, and files of earlier versions.
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
    handle, path = _new()
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
        handle, self._path = _new()
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
    """Write a table to the disk, and return the name under which ``take_table`` has it. OSError as for ``put``.

    A process that another one has started writes into the folder of that one, which is its folder for temporary files.
    """
    handle, path = tempfile.mkstemp(_ENDS, f"{_BEGINS}{os.getpid()}-")
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
    path = os.path.join(folder(), name)
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


def folder() -> str:
    """Return the folder of this process, made where there is none. OSError where that cannot be done."""
    with _making:
        found = next(iter(_own), None)
        if found is None or not os.path.isdir(found):
            sweep()
            _own.clear()
            found, handle = _locked()
            _own[found] = handle
            atexit.register(_end, os.getpid())
        return found


def leave_all() -> None:
    """Remove the folder of this process, whoever uses a file in it: the process ends now."""
    for path in _own:
        shutil.rmtree(path, ignore_errors=True)


def _end(process: int) -> None:
    """Remove the folder at the end of the process that made it, and not at that of one which it was copied to."""
    if os.getpid() == process:
        leave_all()


def leave_files_of(process: int) -> None:
    """Remove the tables that a process of ours was about to hand over when it ended."""
    for path in _own:
        for left in Path(path).glob(f"{_BEGINS}{process}-*{_ENDS}"):
            _remove(str(left))


def sweep() -> None:
    """Remove what processes that have ended left in the folder for temporary files, if they are the same user's."""
    with suppress(OSError):
        for path in Path(tempfile.gettempdir()).glob(f"{_BEGINS}*{_ENDS}"):
            with suppress(OSError):
                _remove_if_nobodys(path)


def _remove_if_nobodys(path: Path) -> None:
    """Remove a folder whose process has ended, or a file or folder that is old. OSError where that cannot be done."""
    told = path.lstat()
    if hasattr(os, "getuid") and told.st_uid != os.getuid():
        return
    if fcntl is not None and stat.S_ISDIR(told.st_mode):
        handle = os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            shutil.rmtree(path, ignore_errors=True)
        finally:
            os.close(handle)
    elif time.time() - told.st_mtime > _OLD and not stat.S_ISLNK(told.st_mode):
        shutil.rmtree(path) if stat.S_ISDIR(told.st_mode) else path.unlink()


def _locked() -> tuple[str, int | None]:
    """Make a folder, and return it with the handle that locks it for as long as this process lives."""
    while True:
        path = tempfile.mkdtemp(_ENDS, _BEGINS)
        if fcntl is None:
            return path, None
        with suppress(FileNotFoundError):  # somebody who sweeps was faster than the lock
            handle = os.open(path, os.O_RDONLY | os.O_DIRECTORY)
            with suppress(OSError):  # a file system without locks
                fcntl.flock(handle, fcntl.LOCK_EX)
            if os.path.isdir(path):
                return path, handle


def _new() -> tuple[int, str]:
    return tempfile.mkstemp(_ENDS, f"{_BEGINS}{os.getpid()}-", folder())


def _leave(file: IO[bytes], path: str) -> None:
    file.close()
    _remove(path)


def _remove(path: str) -> None:
    with suppress(OSError):
        os.remove(path)
