"""Text from files in a sentence: on one line, of bounded length, in quotes."""

from __future__ import annotations

from collections.abc import Iterable

_LONGEST, _MOST = 60, 20


def printable(text: str) -> str:
    """Return the text on one line, at most 60 characters, with control characters as escape sequences.

    Files may hold anything, and a message goes to a terminal.
    """
    short = text if len(text) <= _LONGEST else text[: _LONGEST - 1] + "…"
    if short.isprintable():
        return short
    return "".join(c if c.isprintable() else c.encode("unicode_escape", "surrogatepass").decode() for c in short)


def listed(names: Iterable[str]) -> str:
    """Return names in quotes, separated by commas; at most the first 20."""
    quoted = [f'"{printable(name)}"' for name in names]
    return ", ".join(quoted[:_MOST]) + (", …" if len(quoted) > _MOST else "")
