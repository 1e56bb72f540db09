"""``StoreError``, the only error that leaves the room, and what it says: one sentence or two for each thing that goes
wrong, what is kept, what to do; ``Settings``: where comparisons are saved.
"""

from __future__ import annotations

import errno
import os
import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import pyarrow as pa
from sqlalchemy.exc import DBAPIError, SQLAlchemyError, TimeoutError as PoolTimeout

from rankdash.records import field, frozen
from rankdash.strings import showable

#: The state of the open comparison, and of the records, whenever saving fails.
_GOES_ON = "What is open stays open in memory until this page or program ends"
_WHOLE = f"What was saved before is whole. {_GOES_ON}"
_NOTHING_SAVED = "Nothing is saved. Write"
_LEFT = "They are left as they are"
_NOTHING_TOUCHED = "Nothing is written or erased"
_OTHER_FOLDER = "name another folder with RANKDASH_HOME"
_OTHER_VERSION = "by this version of rankdash ({where}): use the version that saved it, or a newer one."
_RESTORED = "put the file back from a backup, or upload the same file again, which restores it."

OFF = f"Comparisons are not saved here: RANKDASH_STORE is off. {_GOES_ON}."
FULL = f"The disk is full, or a file there may not grow further ({{where}}). {_WHOLE}: free some space, and try again."
READ_ONLY = f"rankdash may not write to {{where}}. {_WHOLE}: give it the right to write there, or {_OTHER_FOLDER}."
BROKEN = f"This database is broken or is none of rankdash's: {{where}}. It is left as it is. {_GOES_ON}."
BUSY = f"The database is in use by somebody else and did not answer in time ({{where}}). {_WHOLE}: try again."
UNREACHABLE = f"{{where}} cannot be reached. {_WHOLE}: look whether the address is right and the server runs."
REPLACED = (
    "The database was moved, deleted or exchanged while rankdash was running ({where}). "
    f"{_GOES_ON}: put it back, or start rankdash again to begin with what is there now."
)
WRONG_DATABASE = (
    "RANKDASH_DATABASE_URL is {where}, which is no database that rankdash knows. "
    f"{_NOTHING_SAVED} sqlite:///FILE or postgresql://USER@HOST/DATABASE."
)
WRONG_FILES = (
    "RANKDASH_FILES_URL is {where}, which is no place for files that rankdash knows. "
    f"{_NOTHING_SAVED} a folder, or a URL like s3://BUCKET/FOLDER."
)
NO_DRIVER = "{where} needs psycopg. Nothing is saved. Run `pip install '.[postgres]'` in a checkout of rankdash."
WRONG_SETTING = "{name} is {value!r}, which is none of {allowed}."
NEWER = (
    "The saved comparisons in {where} are newer than this rankdash (schema {found}; this one knows {known}). "
    f"{_LEFT}: start the newer version, or {_OTHER_FOLDER}."
)
OLDER = (
    "The saved comparisons in {where} are older than this rankdash (schema {found}; this one knows {known}). "
    f"{_LEFT}: stop what uses them, and run `rankdash upgrade`, which copies the database first."
)
OLD = f"The saved comparisons in {{where}} are of rankdash 0.3 or older, which is not read. {_LEFT}: {_OTHER_FOLDER}."
FOREIGN = f"The database {{where}} holds tables that are none of rankdash's. It is left as it is: {_OTHER_FOLDER}."
NEW_DATABASE = (
    "The database {where} is new or empty, and {files} is not. "
    f"{_NOTHING_TOUCHED}: bring back the database of these files, or {_OTHER_FOLDER}."
)
APART = (
    "The database {database} and the files in {files} belong to different stores. What is there can be read. "
    f"{_NOTHING_TOUCHED}: name the files of this database with RANKDASH_FILES_URL, or {_OTHER_FOLDER}."
)
OTHER_FILES = f"The files in {{files}} were exchanged while rankdash was running. {_NOTHING_TOUCHED}: put them back."
NO_STORE = "There are no saved comparisons in {where}, so there is nothing to upgrade."
COPY_FIRST = (
    "Only a database of SQLite is copied before it is upgraded. Nothing was changed: copy this one with `pg_dump`, "
    "then run `rankdash upgrade --copied`."
)
UNKNOWN = "There is no saved comparison {id!r} here. Look whether the link is whole, and belongs to this server."
DELETED = "The comparison {name!r} was deleted{when}. Within a day of that, whoever opens its link can bring it back."
ERASED = "The comparison {id!r} was deleted and cannot be brought back."
MISSING_FILE = f"The file of {{what}} is missing ({{where}}): {_RESTORED}"
WRONG_DIGEST = f"The file of {{what}} is not what was saved ({{where}}): {_RESTORED}"
UNREADABLE_FILE = f"The file of {{what}} cannot be read {_OTHER_VERSION}"
UNREADABLE_POLICY = f"The launch policy of this comparison cannot be read {_OTHER_VERSION}"

#: What the tables of a comparison are called in a sentence.
ROLES = {"a": "lists of A", "b": "lists of B", **{name: name for name in ("judgments", "queries", "votes", "items")}}


class StoreError(Exception):
    """An error of a store, in sentences for users: what is unchanged, and what to do."""


class DeletedError(StoreError):
    """A comparison was deleted, and can be brought back."""


#: What a database says, in small letters, and the sentence for it. The first that is said counts.
_OF_DATABASES = (
    (("disk is full", "no space left", "disk i/o error", "file too large"), FULL),
    (("readonly database", "read-only", "permission denied"), READ_ONLY),
    (("not a database", "malformed", "file is encrypted", "no such table", "no such column"), BROKEN),
    (("does not exist",), BROKEN),
    (("unable to open database file",), READ_ONLY),
    (("database is locked", "lock timeout", "statement timeout", "deadlock"), BUSY),
)
#: What the operating system says.
_OF_FILES = dict.fromkeys((errno.ENOSPC, errno.EDQUOT, errno.EFBIG), FULL) | dict.fromkeys(
    (errno.EACCES, errno.EPERM, errno.EROFS, errno.ENOTDIR, errno.EEXIST), READ_ONLY
)


def sentence_for(error: Exception) -> str:
    """Return the sentence about an error of a database or a filesystem, with a place for ``{where}``."""
    if isinstance(error, OSError) and error.errno in _OF_FILES:
        return _OF_FILES[error.errno]
    if isinstance(error, DBAPIError | sqlite3.Error):
        said = str(getattr(error, "orig", error)).lower()
        fitting = (sentence for phrases, sentence in _OF_DATABASES if any(phrase in said for phrase in phrases))
        return next(fitting, UNREACHABLE)
    return BUSY if isinstance(error, PoolTimeout) else UNREACHABLE


@contextmanager
def store_errors(where: str) -> Iterator[None]:
    """Tell errors of databases and filesystems that happen inside as a StoreError about ``where``, and
    rows of a database that make no sense.

    What was raised is its cause, but for a place elsewhere: drivers repeat parts of an address, with what opens it.
    """
    try:
        yield
    except (OSError, pa.ArrowException, SQLAlchemyError, sqlite3.Error) as error:
        cause = None if "://" in where else error
        raise StoreError(sentence_for(error).format(where=where)) from cause
    except (LookupError, TypeError, ValueError, AttributeError, ArithmeticError, RecursionError) as error:
        raise StoreError(BROKEN.format(where=where)) from error


# --- where comparisons are saved ---


#: What a setting that is on or off may say.
_SWITCH = {"on": True, "1": True, "true": True, "yes": True, "off": False, "0": False, "false": False, "no": False}


@frozen
class Settings:
    """Where comparisons are saved.

    ``on``: whether they are. ``home``: the folder of the database and the tables, made where it does not exist.
    ``database``: the URL of the database, ``files``: the folder or URL of the tables; "" for both: in ``home``.
    ``shared``: whether several people use this server, so that each sees what his own browser opened.
    """

    home: Path
    database: str = field(default="", repr=False)  # may hold a password, as the next
    files: str = field(default="", repr=False)
    on: bool = True
    shared: bool = False

    @classmethod
    def from_environment(cls, env: Mapping[str, str] | None = None) -> Settings:
        """Return the settings that RANKDASH_STORE, _HOME, _DATABASE_URL, _FILES_URL and _SHARED make.

        ``env`` None: the environment of this process. StoreError where a value makes no sense.
        """
        env = os.environ if env is None else env
        return cls(
            home=_home(env),
            database=env.get("RANKDASH_DATABASE_URL", "").strip(),
            files=env.get("RANKDASH_FILES_URL", "").strip(),
            on=_switch(env, "RANKDASH_STORE", "on"),
            shared=_switch(env, "RANKDASH_SHARED", "0"),
        )


def _home(env: Mapping[str, str]) -> Path:
    """Return the folder: RANKDASH_HOME, rankdash in XDG_DATA_HOME, or .rankdash in the home of the user; never
    relative.
    """
    named, data = env.get("RANKDASH_HOME", "").strip(), env.get("XDG_DATA_HOME", "").strip()
    if named:
        return Path(os.path.abspath(Path(named).expanduser()))
    return Path(data, "rankdash") if os.path.isabs(data) else Path("~/.rankdash").expanduser()


def _switch(env: Mapping[str, str], name: str, default: str) -> bool:
    value = env.get(name, "").strip().lower() or default
    if value not in _SWITCH:
        said = value if value.isalnum() else showable(value)
        raise StoreError(WRONG_SETTING.format(name=name, value=said, allowed=", ".join(_SWITCH)))
    return _SWITCH[value]
