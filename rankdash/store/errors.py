"""``StoreError``, the only error that leaves the room, and how errors of databases and filesystems become one."""

from __future__ import annotations

import errno
from collections.abc import Iterator
from contextlib import contextmanager

import pyarrow as pa
from sqlalchemy.exc import DBAPIError, SQLAlchemyError
from sqlalchemy.exc import TimeoutError as PoolTimeout

from rankdash.store import words


class StoreError(Exception):
    """What went wrong with a store, in sentences for people: what is kept, and what to do."""


#: What a database says, in small letters, and the sentence for it. The first that is said counts.
_OF_DATABASES = (
    (("disk is full", "no space left", "disk i/o error", "file too large"), words.FULL),
    (("readonly database", "read-only", "permission denied"), words.READ_ONLY),
    (("not a database", "malformed", "file is encrypted", "no such table", "no such column"), words.BROKEN),
    (("does not exist",), words.BROKEN),
    (("unable to open database file",), words.READ_ONLY),
    (("database is locked", "lock timeout", "statement timeout", "deadlock"), words.BUSY),
)
#: What the operating system says.
_OF_FILES = {
    errno.ENOSPC: words.FULL,
    errno.EDQUOT: words.FULL,
    errno.EFBIG: words.FULL,
    errno.EACCES: words.READ_ONLY,
    errno.EPERM: words.READ_ONLY,
    errno.EROFS: words.READ_ONLY,
    errno.ENOTDIR: words.READ_ONLY,
    errno.EEXIST: words.READ_ONLY,
}


def sentence_for(error: Exception) -> str:
    """Return the sentence about an error of a database or a filesystem, with a place for ``{where}``."""
    if isinstance(error, OSError) and error.errno in _OF_FILES:
        return _OF_FILES[error.errno]
    if isinstance(error, DBAPIError):
        said = str(error.orig).lower()
        fitting = (sentence for phrases, sentence in _OF_DATABASES if any(phrase in said for phrase in phrases))
        return next(fitting, words.UNREACHABLE)
    return words.BUSY if isinstance(error, PoolTimeout) else words.UNREACHABLE


@contextmanager
def store_errors(where: str) -> Iterator[None]:
    """Tell errors of databases and filesystems that happen inside as a StoreError about ``where``, and
    rows of a database that make no sense.

    What was raised is its cause, but for a place elsewhere: drivers repeat parts of an address, with what opens it.
    """
    try:
        yield
    except (OSError, pa.ArrowException, SQLAlchemyError) as error:
        cause = None if "://" in where else error
        raise StoreError(sentence_for(error).format(where=where)) from cause
    except (LookupError, TypeError, ValueError, AttributeError, ArithmeticError, RecursionError) as error:
        raise StoreError(words.BROKEN.format(where=where)) from error
