"""Where the files of scored queries lie, as their folder names them: to show the two lists of a query later.

Nothing depends on it but that. A path is written as it is seen from the folder, so that both can be moved together;
whoever reads a file again compares its digest with that of the file that was scored.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

Files = Mapping[str, Mapping[str, Any]]

#: The inputs that are named, and the kinds of table that each can be read as.
_KINDS: Mapping[str, tuple[str, ...]] = {
    "a": ("run", "models"),
    "b": ("run", "models"),
    "judgments": ("judgments", "graded"),
}


def _of(*kinds: type) -> Callable[[Any], bool]:
    return lambda value: type(value) in kinds


def _mapping_to(*kinds: type) -> Callable[[Any], bool]:
    return lambda value: isinstance(value, Mapping) and all(type(one) in kinds for one in value.values())


#: The decisions about a file that a folder may name, as its readers take them, and whether a value is one. No other
#: file is among them: what a folder names is read on the word of whoever wrote it.
_DECISIONS: Mapping[str, Callable[[Any], bool]] = {
    "order": lambda value: value in ("auto", "score", "rank", "position"),
    "columns": _mapping_to(str),
    "encoding": _of(str),
    "sheet": _of(str, int),
    "member": _of(str),
    "header": _of(int),
    "grades": _mapping_to(int, float),
}


def seen_from(folder: Path, files: Files) -> dict[str, dict[str, Any]]:
    """Return the files with their paths as they are seen from a folder; those of another drive in full."""
    found: dict[str, dict[str, Any]] = {}
    for role, one in files.items():
        path = os.path.abspath(one["path"])
        with suppress(ValueError):  # another drive
            path = Path(os.path.relpath(path, folder.absolute())).as_posix()
        found[role] = {**one, "path": path}
    return found


def found_from(folder: Path, told: Any) -> Files:
    """Return what ``seen_from`` returned with the paths as they are here: there, else a file of that name in the folder
    or beside it. What is not understood is left out, for nothing but a look at lists is lost.
    """
    found: dict[str, dict[str, Any]] = {}
    for role, one in told.items() if isinstance(told, Mapping) else ():
        if role in _KINDS and _is_known(one, _KINDS[role]):
            found[role] = {"path": _place(folder.absolute(), one["path"]), "kind": one["kind"], "how": dict(one["how"])}
    return found


def _is_known(one: Any, kinds: tuple[str, ...]) -> bool:
    if not isinstance(one, Mapping) or not isinstance(one.get("path"), str) or "\0" in one["path"]:
        return False
    how = one.get("how")
    return (
        one.get("kind") in kinds
        and isinstance(how, Mapping)
        and all(key in _DECISIONS and _DECISIONS[key](value) for key, value in how.items())
    )


def _place(folder: Path, path: str) -> str:
    places = list(_places(folder, path))
    return next((place for place in places if os.path.isfile(place)), places[0])


def _places(folder: Path, path: str) -> Iterator[str]:
    yield os.path.normpath(folder / path)
    name = os.path.basename(path)
    for beside in (folder, folder.parent):
        yield str(beside / name)
