"""Text from files in a sentence: on one line, of bounded length, in quotes."""

from __future__ import annotations

import re
from collections.abc import Iterable

_LONGEST, _MOST = 60, 20
_HALF = re.compile("[\ud800-\udfff]")


def whole_text(text: str) -> str:
    """Return a text with U+FFFD for each half character (a lone surrogate), which no table and no file can hold.

    JSON may write one as ``\\ud800``; in the name of a file each byte that is not UTF-8 is one.
    """
    return _HALF.sub("\ufffd", text)


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
