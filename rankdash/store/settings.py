"""Where comparisons are saved: ``Settings``, read from the environment."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from rankdash.store import words
from rankdash.store.errors import StoreError
from rankdash.strings.addresses import showable

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
        raise StoreError(words.WRONG_SETTING.format(name=name, value=said, allowed=", ".join(_SWITCH)))
    return _SWITCH[value]
