"""Where comparisons are saved: ``Settings``, read from the environment; and where dashboards of a store run on this
machine, for whoever prints a link.

A dashboard leaves a note in the folder of the store for as long as it runs. One that was killed leaves its note behind,
so a note is believed only where its process lives and its address answers.
"""

from __future__ import annotations

import json
import os
import platform
import stat
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass, field
from http.client import HTTPConnection, HTTPException
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from rankdash.store import errors
from rankdash.store.errors import StoreError
from rankdash.strings.addresses import showable
from rankdash.system import make_folder, write_whole

#: What a setting that is on or off may say.
_SWITCH = {"on": True, "1": True, "true": True, "yes": True, "off": False, "0": False, "false": False, "no": False}


@dataclass(frozen=True)
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
        raise StoreError(errors.WRONG_SETTING.format(name=name, value=said, allowed=", ".join(_SWITCH)))
    return _SWITCH[value]


# --- the dashboards that run ---

_NOTE = "dashboard-{port}.json"
#: Seconds that a dashboard may take to answer, and the most bytes of a note.
_PATIENCE, _MOST = 2.0, 4_000


@contextmanager
def announced(settings: Settings, address: str) -> Iterator[None]:
    """Note that a dashboard runs at an address while the block runs. Where nothing is saved or may be written, links
    do without.
    """
    note = settings.home / _NOTE.format(port=urlsplit(address).port)
    about = {**_place(settings), "pid": os.getpid(), "address": address}
    noted = settings.on
    if noted:
        try:
            make_folder(settings.home)
            write_whole(note, json.dumps(about).encode())
        except OSError:
            noted = False
    try:
        yield
    finally:
        if noted and _read(note).get("pid") == about["pid"]:  # another dashboard may have the same port by now
            with suppress(OSError):
                note.unlink()


def running(settings: Settings) -> str:
    """Return the address of a dashboard of a store that runs on this machine; "" where none does."""
    try:
        notes = sorted(settings.home.glob(_NOTE.format(port="*")))
    except OSError:
        return ""
    for note in notes:
        about = _read(note)
        if _place(settings).items() <= about.items() and _lives(about.get("pid")) and _answers(about.get("address")):
            return str(about["address"])
    return ""


def _place(settings: Settings) -> dict[str, str]:
    """Return the machine and the database that a note is about, without what opens it."""
    return {"machine": platform.node(), "database": showable(settings.database) if settings.database else ""}


def _read(note: Path) -> dict[str, Any]:
    """Return what a note says; nothing where it is none, or somebody else's: whoever may write into the folder of
    others could have links lead anywhere.
    """
    try:
        status = note.lstat()
        if not stat.S_ISREG(status.st_mode) or (os.name == "posix" and status.st_uid != os.getuid()):
            return {}
        with note.open("rb") as file:
            said = json.loads(file.read(_MOST))
    except (OSError, ValueError, RecursionError):
        return {}
    return said if isinstance(said, dict) else {}


def _lives(process: object) -> bool:
    """Whether a process runs. Only POSIX answers that; elsewhere asking would end it, and the address has to do."""
    if type(process) is not int or process <= 0:
        return False
    if os.name == "posix":
        try:
            os.kill(process, 0)
        except PermissionError:  # somebody else's
            return True
        except (OSError, OverflowError):
            return False
    return True


def _answers(address: object) -> bool:
    """Whether a dashboard answers at an address."""
    try:
        place = urlsplit(str(address))
        if place.scheme != "http" or not place.hostname:
            return False
        with closing(HTTPConnection(place.hostname, place.port, timeout=_PATIENCE)) as line:
            line.request("GET", f"{place.path}/_stcore/health")
            return line.getresponse().status == 200
    except (OSError, ValueError, HTTPException):
        return False
