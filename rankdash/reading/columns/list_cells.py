"""Lists inside one cell, as JSON, Python, numpy, Postgres, Hive and Java write them. They are parsed, never
evaluated.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

_BEGINS = re.compile(r"\s*(?:[A-Za-z_][\w.]*\()?\[")
_BRACES = re.compile(r"\s*\{.*\}\s*$", re.DOTALL)
_TOKEN = re.compile(
    r"""\s*(?:
        '(?P<single>[^'\\]*(?:\\.[^'\\]*)*)'
        | "(?P<double>[^"\\]*(?:\\.[^"\\]*)*)"
        | (?P<call>[A-Za-z_][\w.]*)\(
        | (?P<sign>[\[\](){},]|:(?=\s))
        | (?P<bare>[^\s,\[\](){}'"]+?(?=:\s|[\s,\[\](){}'"]|$))
    )""",
    re.VERBOSE | re.DOTALL,
)
_ESCAPED = re.compile(r"\\(.)", re.DOTALL)
_CLOSING = {"[": "]", "(": ")", "{": "}"}
_DEEPEST = 5


def is_list(cell: str, *, braces: bool = False) -> bool:
    """Return whether a cell is written as a list: in square brackets, or, where ``braces`` may be lists, in curly
    ones.
    """
    return _BEGINS.match(cell) is not None or (braces and _BRACES.match(cell) is not None)


def items_of(cell: str) -> list[Any] | None:
    """Return the items of a list: texts, or lists and dicts of them; (key, value) pairs of a dict; None where it is not
    a list.

    Numbers are not converted.
    """
    try:
        value = json.loads(cell, parse_int=str, parse_float=str, parse_constant=str)
    except (ValueError, RecursionError):
        value = _read(cell)
    if isinstance(value, dict):
        return [list(pair) for pair in value.items()]
    return value if isinstance(value, list) else None


def _read(cell: str) -> Any:
    """Return the value of a cell that is not JSON; None where it is not a list in any notation."""
    tokens = _tokens(cell)
    try:
        kind, text = next(tokens)
        value = _value(tokens, kind, text, 0, "," in cell)
        return None if next(tokens, None) else value
    except (StopIteration, ValueError):
        return None


def _tokens(cell: str) -> Iterator[tuple[str, str]]:
    at, end = 0, len(cell.rstrip())
    while at < end:
        token = _TOKEN.match(cell, at, end)
        if token is None:
            raise ValueError("a quote is not closed")
        kind = str(token.lastgroup)
        yield kind, _ESCAPED.sub(r"\1", token[kind]) if kind in ("single", "double") else token[kind]
        at = token.end()


def _value(tokens: Iterator[tuple[str, str]], kind: str, text: str, depth: int, commas: bool) -> Any:
    """Return one value, whose first token was read. ValueError where brackets do not fit."""
    if depth > _DEEPEST:
        raise ValueError("nested too deeply")
    if kind == "call":  # array([...], dtype=object), np.str_('a'): its first argument
        inside = _items(tokens, ")", depth, commas)
        return inside[0] if isinstance(inside, list) and inside else ""
    if kind != "sign":
        return text
    if text not in _CLOSING:
        raise ValueError("a sign where a value is expected")
    return _items(tokens, _CLOSING[text], depth, commas)


def _items(tokens: Iterator[tuple[str, str]], closing: str, depth: int, commas: bool) -> Any:
    """Return the values up to the closing bracket, of pairs a dict. Bare words between two commas are one text."""
    items: list[Any] = []
    parts: list[tuple[str, Any]] = []
    pending: list[Any] = []
    pairs: dict[str, Any] = {}

    def close() -> None:
        if parts:
            bare = all(kind == "bare" for kind, _ in parts)
            value = " ".join(text for _, text in parts) if bare and commas else None
            values = [value] if value is not None else [text for _, text in parts]
            if pending:
                pairs[str(pending.pop())] = values[0]
            else:
                items.extend(values)
        parts.clear()

    for kind, text in tokens:
        if kind == "sign" and text == closing:
            close()
            return pairs or items
        if kind == "sign" and text == ",":
            close()
        elif kind == "sign" and text == ":":
            if len(parts) != 1 or pending:
                raise ValueError("a colon where none is expected")
            pending.append(parts.pop()[1])
        else:
            parts.append((kind, _value(tokens, kind, text, depth + 1, commas)))
    raise ValueError("a bracket is not closed")
