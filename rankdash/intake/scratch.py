"""A folder for files that only this process uses, below the folder for temporary files, for the owner alone.

The process holds a lock on its folder. What a process that was killed has left is not locked, and is removed when
another process makes its folder.
"""

from __future__ import annotations

import atexit
import os
import shutil
import stat
import tempfile
import threading
import time
from contextlib import suppress
from pathlib import Path

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None  # type: ignore[assignment]

_BEGINS, _ENDS = "rankdash-", ".scratch"
#: The folder of this process, and the handle that holds its lock.
_own: dict[str, int | None] = {}
_making = threading.Lock()
#: Seconds after which what no lock can protect is removed: where there are no locks, and files of earlier versions.
_OLD = 7 * 24 * 3600.0


def folder() -> str:
    """Return the folder of this process, made where there is none. OSError where that cannot be done."""
    with _making:
        path = next(iter(_own), None)
        if path is None or not os.path.isdir(path):
            sweep()
            _own.clear()
            path, handle = _locked()
            _own[path] = handle
            atexit.register(_end, os.getpid())
        return path


def _end(process: int) -> None:
    """Remove the folder at the end of the process that made it, but not at the end of a process forked from it."""
    if os.getpid() == process:
        for path in _own:
            shutil.rmtree(path, ignore_errors=True)


def sweep() -> None:
    """Remove what this user's processes that have ended left in the folder for temporary files."""
    with suppress(OSError):
        for path in Path(tempfile.gettempdir()).glob(f"{_BEGINS}*{_ENDS}"):
            with suppress(OSError):
                _remove_if_nobodys(path)


def _remove_if_nobodys(path: Path) -> None:
    """Remove a folder whose process has ended, or a file or folder that is old. OSError where that cannot be done."""
    status = path.lstat()
    if hasattr(os, "getuid") and status.st_uid != os.getuid():
        return
    if fcntl is not None and stat.S_ISDIR(status.st_mode):
        handle = os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            shutil.rmtree(path, ignore_errors=True)
        finally:
            os.close(handle)
    elif time.time() - status.st_mtime > _OLD and not stat.S_ISLNK(status.st_mode):
        shutil.rmtree(path) if stat.S_ISDIR(status.st_mode) else path.unlink()


def _locked() -> tuple[str, int | None]:
    """Make a folder, and return it with the handle that locks it for as long as this process lives."""
    while True:
        path = tempfile.mkdtemp(_ENDS, _BEGINS)
        if fcntl is None:
            return path, None
        with suppress(FileNotFoundError):  # another process swept before this one locked
            handle = os.open(path, os.O_RDONLY | os.O_DIRECTORY)
            with suppress(OSError):  # a file system without locks
                fcntl.flock(handle, fcntl.LOCK_EX)
            if os.path.isdir(path):
                return path, handle
