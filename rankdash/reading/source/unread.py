"""What a reader left unread, by name: members, columns, sheets, files of an archive, attributes of objects."""

from __future__ import annotations

from collections.abc import Iterable

from rankdash.reading.source.problems import SHOWN, listed

#: Different names that are kept to be counted; a hostile source may have millions.
_MOST = 10_000


class Unread:
    """Names of what was left unread, each once, in the order in which they came."""

    def __init__(self) -> None:
        self._names: dict[str, None] = {}

    def add(self, name: str) -> None:
        """Take a name; a path has points between its parts."""
        if len(self._names) < _MOST:
            self._names[name] = None

    def add_all(self, names: Iterable[str]) -> None:
        """Take several names."""
        for name in names:
            self.add(name)

    def take(self, other: Unread) -> None:
        """Take the names of another."""
        self.add_all(other._names)

    def notes(self) -> tuple[str, ...]:
        """Return the note that names them, as ``not_read`` does."""
        return not_read("Not read", self._names)


def not_read(what: str, names: Iterable[str]) -> tuple[str, ...]:
    """Return a note that names what was not read, the first 20 and how many there are; nothing where there is none.

    >>> not_read("Columns that were not read", ["a", "b"])
    ('Columns that were not read: "a", "b".',)
    """
    unread = tuple(names)
    if not unread:
        return ()
    many = f" ({'more than ' if len(unread) >= _MOST else ''}{len(unread):,} in all)" if len(unread) > SHOWN else ""
    return (f"{what}: {listed(unread)}{many}.",)
