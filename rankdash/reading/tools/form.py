"""A form of another tool: what it is called, by what one knows it, and the rows that it holds of each kind of table."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol

from rankdash.reading.source.unread import Unread
from rankdash.reading.words.headings import Wanted

#: So many items show what a list holds.
SOME = 8
BOTH_MODELS = "Give it as the one file with both models."
AS_JUDGMENTS = "Give the file as the judgments."
AS_RUN = "Give the file as a run."

#: A row by the canonical names of its columns.
Row = dict[str, Any]


class Notebook(Protocol):
    """What a reader of rows is given: the name of the source, and where to say what was decided and left unread."""

    name: str
    unread: Unread
    notes: list[str]


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
    rows: Mapping[Wanted, Rows] = field(default_factory=dict)
    refused: Mapping[Wanted, str] = field(default_factory=dict)
    large: bool = True

    def speaks_of(self, wanted: Wanted) -> bool:
        """Return whether it says how a kind of table is read, or that it is not."""
        return wanted in self.rows or wanted in self.refused


def members(value: Any, name: str) -> list[Mapping[str, Any]]:
    """Return the objects in the list that a member of an object is; none where it is no list of objects alone."""
    inner = value.get(name) if isinstance(value, Mapping) else None
    if not isinstance(inner, (list, tuple)) or not all(isinstance(one, Mapping) for one in inner):
        return []
    return list(inner)


def leave(book: Notebook, value: Mapping[str, Any], *read: str, within: str = "") -> None:
    """Take the members of an object that are not ``read`` for unread; ``within`` is the path to it, with a point."""
    book.unread.add_all(f"{within}{name}" for name in value if name not in read)


def is_plain(value: Any) -> bool:
    """Return whether a value is a text or a number."""
    return isinstance(value, (str, int, float)) and not isinstance(value, bool)


def counted(number: int, of: str) -> str:
    """Return a number of things in words: 1 query, 2 queries."""
    many = f"{of[:-1]}ies" if of.endswith("y") else f"{of}s"
    return f"{number:,} {of if number == 1 else many}"
