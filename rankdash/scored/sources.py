"""Where the files of scored queries lie, as their folder names them: to show the two lists of a query later.

Nothing else depends on them. A path is written as it is seen from the folder, so that both can be moved together;
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
    return lambda value: isinstance(value, Mapping) and all(type(item) in kinds for item in value.values())


#: The decisions about a file that a folder may name, as readers take them, each with a check of its value. None of them
#: names another file: what a folder names is read on the word of whoever wrote it.
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
    seen: dict[str, dict[str, Any]] = {}
    for role, file in files.items():
        path = os.path.abspath(file["path"])
        with suppress(ValueError):  # another drive
            path = Path(os.path.relpath(path, folder.absolute())).as_posix()
        seen[role] = {**file, "path": path}
    return seen


def files_from(folder: Path, entries: Any) -> Files:
    """Return the files that ``seen_from`` returned, with their paths on this machine: the path that is written, else a
    file of that name in the folder or beside it. An entry that is not understood is left out: only a look at lists is
    lost with it.
    """
    files: dict[str, dict[str, Any]] = {}
    for role, entry in entries.items() if isinstance(entries, Mapping) else ():
        if role in _KINDS and _is_entry(entry, _KINDS[role]):
            files[role] = {
                "path": _place(folder.absolute(), entry["path"]),
                "kind": entry["kind"],
                "how": dict(entry["how"]),
            }
    return files


def _is_entry(entry: Any, kinds: tuple[str, ...]) -> bool:
    if not isinstance(entry, Mapping) or not isinstance(entry.get("path"), str) or "\0" in entry["path"]:
        return False
    how = entry.get("how")
    return (
        entry.get("kind") in kinds
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
