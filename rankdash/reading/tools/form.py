"""A form of another tool: its name, how it is recognised, and the rows that it holds of each kind of table."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from rankdash.reading.source.options import Options
from rankdash.reading.source.problems import refuse
from rankdash.reading.source.unread import Unread
from rankdash.reading.words.headings import Kind

#: So many items show what a list holds.
SOME = 8
#: Of so many hits, and at so many paths, it is kept what is stored under them, where it is no longer than an id.
_HITS, _PATHS, _DEEPEST, _LONGEST = 200, 20, 2, 100
BOTH_MODELS = "Give it as the one file with both models."
AS_JUDGMENTS = "Give the file as the judgments."
AS_RUN = "Give the file as a run."

#: A row by the canonical names of its columns.
Row = dict[str, Any]


class StoredFields:
    """The texts and whole numbers that are stored under the first hits of a search engine, by their paths: one of them
    may be the id of the document.
    """

    def __init__(self) -> None:
        self._hits, self._values = 0, dict[str, dict[str, None]]()

    def add(self, hit: Mapping[str, Any]) -> None:
        """Take what is stored under a hit."""
        self._hits += 1
        if self._hits <= _HITS:
            self._add(hit, "", _DEEPEST)

    def _add(self, members: Mapping[str, Any], within: str, deep: int) -> None:
        for name, value in members.items():
            path = f"{within}{name}"[: _LONGEST + 1]
            if isinstance(value, Mapping) and deep:
                self._add(value, f"{path}.", deep - 1)
            elif _may_be_id(value) and len(path) <= _LONGEST and (path in self._values or len(self._values) < _PATHS):
                self._values.setdefault(path, {})[str(value)] = None

    def values(self) -> dict[str, list[str]]:
        """Return the values by their paths, each once."""
        return {path: [*values] for path, values in self._values.items()}


def _may_be_id(value: Any) -> bool:
    return is_plain(value) and not isinstance(value, float) and len(str(value)) <= _LONGEST


class Notebook(Protocol):
    """The name and the options of a source, and the place for notes, for what was left unread and what is stored."""

    name: str
    unread: Unread
    notes: list[str]
    options: Options
    stored: StoredFields


Rows = Callable[[Any, Notebook], Iterator[Row]]


@dataclass(frozen=True)
class Form:
    """A form of another tool.

    ``rows`` has the reader of each kind of table that it holds, ``refused`` the way out for those that it does not
    hold. A kind that is in neither is read as any other text of JSON is, and so is a text that is too large to be held
    at once where the form is not for ``large`` ones.
    """

    called: str
    fits: Callable[[Any], bool]
    rows: Mapping[Kind, Rows] = field(default_factory=dict)
    refused: Mapping[Kind, str] = field(default_factory=dict)
    large: bool = True

    def speaks_of(self, kind: Kind) -> bool:
        """Return whether it says how a kind of table is read, or that it is not."""
        return kind in self.rows or kind in self.refused


def members(value: Any, name: str) -> list[Mapping[str, Any]]:
    """Return the objects in the list that a member of an object is, by which a form is recognised.

    What is read of a form comes from ``objects_in``, which leaves out nothing.
    """
    inner = value.get(name) if isinstance(value, Mapping) else None
    return [item for item in inner if isinstance(item, Mapping)] if isinstance(inner, (list, tuple)) else []


def objects_in(value: Mapping[str, Any], name: str, book: Notebook) -> list[Mapping[str, Any]]:
    """Return the objects in the list that a member of an object is; none where it is not there, or null.

    ReadError where it is no list, or an item is no object.
    """
    inner = value.get(name)
    if inner is None:
        return []
    if not isinstance(inner, (list, tuple)):
        raise refuse("malformed", book.name, f'"{name}" is no list', "Give a list of objects.")
    return only_objects(inner, f'"{name}"', book)


def only_objects(items: Sequence[Any], of: str, book: Notebook) -> list[Mapping[str, Any]]:
    """Return the items of a list, all of them objects. ReadError where an item is no object."""
    for number, item in enumerate(items, start=1):
        if not isinstance(item, Mapping):
            what = f"item {number:,} of {of} is no object"
            raise refuse("malformed", book.name, what, "Leave it out, or export the file again.")
    return [*items]


def leave(book: Notebook, value: Mapping[str, Any], *read: str, within: str = "") -> None:
    """Note the members of an object that are not ``read`` as unread; ``within`` is the path to it, with a point."""
    book.unread.add_all(f"{within}{name}" for name in value if name not in read)


def is_plain(value: Any) -> bool:
    """Return whether a value is a text or a number."""
    return isinstance(value, (str, int, float)) and not isinstance(value, bool)


def counted(number: int, of: str) -> str:
    """Return a number of things in words: 1 query, 2 queries."""
    many = f"{of[:-1]}ies" if of.endswith("y") else f"{of}s"
    return f"{number:,} {of if number == 1 else many}"
