"""Where dashboards of a store run on this machine, for whoever prints a link.

Each leaves a note in the folder of the store for as long as it runs. One that was killed leaves its note behind, so a
note is believed only where its process lives and its address answers.
"""

from __future__ import annotations

import json
import os
import platform
import stat
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from http.client import HTTPConnection, HTTPException
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from rankdash.store.settings import Settings
from rankdash.strings.addresses import showable
from rankdash.system import make_folder, write_whole

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
