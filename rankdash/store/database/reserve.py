"""Space that is kept beside a database of SQLite: deleting writes too, and could not on a disk that is full."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

#: Bytes that a piece of what is erased may write, at most, before it frees more.
SIZE = 4 << 20
_PARTS = 8


def place(database: Path) -> Path:
    """Return where the space is kept."""
    return database.with_name(f"{database.name}-reserve")


def keep(database: Path) -> None:
    """Take the space, for the user alone, unless it is taken; where there is less, as much as there is."""
    with suppress(OSError):
        if place(database).stat().st_size == SIZE:
            return
    for part in range(_PARTS, 0, -1):
        let_go(database)
        with suppress(OSError):
            _take(place(database), SIZE * part // _PARTS)
            return
    let_go(database)


def let_go(database: Path) -> None:
    """Free the space, if there is any."""
    with suppress(OSError):
        place(database).unlink()


def _take(path: Path, size: int) -> None:
    handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        if hasattr(os, "posix_fallocate"):
            os.posix_fallocate(handle, 0, size)
        elif os.write(handle, bytes(size)) < size:
            raise OSError
    finally:
        os.close(handle)
