"""What the operating system is asked for: files that are on the disk, whole, or not there (written beside their place,
synced and renamed), and to take memory back.
"""

from __future__ import annotations

import errno
import os
import stat
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

if TYPE_CHECKING:
    import pyarrow as pa

#: How the name of a file ends that is still being written, and what is left where its writer is killed.
UNFINISHED = ".unfinished"
#: What a file system says that syncs no folders, and a folder that may be written to and not be listed.
_NOT_SYNCED = frozenset({errno.EINVAL, errno.ENOTSUP, errno.EACCES, errno.EPERM})


def permissions(path: str | os.PathLike[str]) -> int:
    """Return the permissions of a file; of one that is not there, those that a new one gets."""
    if os.path.exists(path):
        return stat.S_IMODE(os.stat(path).st_mode)
    mask = os.umask(0)
    os.umask(mask)
    return 0o666 & ~mask


def write_whole(path: Path, content: bytes | pa.Buffer, mode: int | None = None) -> None:
    """Write a file: it is on the disk when this returns, and not there, or what it was, where OSError is raised.

    ``mode`` are its permissions; without them it is for its owner alone.
    """
    handle, unfinished = tempfile.mkstemp(UNFINISHED, f".{path.name[:50]}.", path.parent)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
            _sync(file)
        if mode is not None:
            os.chmod(unfinished, mode)
        os.replace(unfinished, path)
    except BaseException:
        with suppress(OSError):
            os.remove(unfinished)
        raise
    sync_folder(path.parent)


@contextmanager
def new_file(path: Path) -> Iterator[BinaryIO]:
    """Yield a new file that is on the disk when the block ends; its name is, after ``sync_folder``."""
    with open(path, "xb") as file:
        yield file
        _sync(file)


def make_folder(folder: Path) -> None:
    """Have a folder on the disk, with those above it; those that are made are for their owner alone."""
    if not folder.is_dir():
        make_folder(folder.parent)
        folder.mkdir(exist_ok=True, mode=0o700)
        sync_folder(folder.parent)


def sync_folder(folder: Path) -> None:
    """Return when the names in a folder are on the disk, or where nobody can make sure of that."""
    if hasattr(os, "O_DIRECTORY"):  # Windows has none, and syncs with the file
        try:
            handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
            try:
                os.fsync(handle)
            finally:
                os.close(handle)
        except OSError as error:
            if error.errno not in _NOT_SYNCED:
                raise


def _sync(file: BinaryIO) -> None:
    file.flush()
    os.fsync(file.fileno())


def give_back() -> None:
    """Return what was freed to the operating system, which it would keep for later: large results leave holes behind.

    Only where the system has such a call (glibc); elsewhere nothing happens.
    """
    import ctypes

    import pyarrow as pa

    pa.default_memory_pool().release_unused()
    with suppress(OSError, AttributeError):
        ctypes.CDLL("libc.so.6").malloc_trim(0)


def one_pool() -> None:
    """Let Arrow take its memory where numpy does, unless the user has chosen a pool: what one of many threads has left
    in a pool of Arrow's own does not go back, and in a server it adds up.
    """
    import pyarrow as pa

    if "ARROW_DEFAULT_MEMORY_POOL" not in os.environ:
        pa.set_memory_pool(pa.system_memory_pool())
