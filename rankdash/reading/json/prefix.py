"""The beginning of a JSON text made whole: what its first bytes tell of its structure, without reading the rest."""

from __future__ import annotations

import json
import re
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

_TOKEN = re.compile(rb'"[^"\\]*+(?:\\.[^"\\]*+)*+(?:"|\\?\Z)|[\[\]{},]', re.DOTALL)
_CLOSING = {b"[": b"]", b"{": b"}"}


@dataclass
class Level:
    """A value that is open: its bracket, the name before it, and its commas so far: how many, and where the last is."""

    sign: bytes
    name: bytes
    commas: int = 0
    at: int = 0


def scanned(head: bytes) -> tuple[int, list[Level]]:
    """Return where the last whole value ends (0: nowhere) and the brackets open at the end; none where brackets do not
    match.
    """
    levels: list[Level] = []
    last, ended = b"", 0
    for token in _TOKEN.finditer(head):
        sign = token[0][:1]
        if sign == b'"':
            last = token[0]
        elif sign in _CLOSING:
            levels.append(Level(sign, last))
        elif sign == b"," and levels:
            levels[-1].commas += 1
            levels[-1].at = token.start()
        elif sign != b",":
            if not levels or _CLOSING[levels.pop().sign] != sign:
                return 0, []
            ended = ended if levels else token.end()
    return ended, levels


def closed(head: bytes, levels: list[Level], depth: int) -> bytes:
    """Return the text up to the last comma of the level at a depth, with every bracket closed."""
    return head[: levels[depth].at] + b"".join(_CLOSING[level.sign] for level in reversed(levels[: depth + 1]))


def begun(head: bytes) -> Any:
    """Return the value that a text begins, up to the last comma in it; None where that tells nothing.

    Numbers are kept as text.
    """
    _, levels = scanned(head)
    at = max(range(len(levels)), key=lambda depth: levels[depth].at, default=-1)
    if at < 0 or not levels[at].at:
        return None
    with suppress(ValueError, RecursionError):
        return json.loads(closed(head, levels, at), parse_int=str, parse_float=str, parse_constant=str)
    return None
