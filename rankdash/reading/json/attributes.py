"""Values of Python as JSON would have them: hits, documents and nodes of other libraries become plain objects.

Only the getters of attributes are called, and no object is ever turned into text.
"""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from dataclasses import fields, is_dataclass
from decimal import Decimal
from typing import Any

import numpy as np

from rankdash.reading.json.job import Job
from rankdash.reading.json.shapes import means
from rankdash.reading.source.problems import refuse

#: Attributes that are tried where an object does not list them: properties, and those of other languages.
_PROBED = ("doc_id", "docid", "docno", "_id", "id", "id_", "score", "_score", "rank")
#: Attributes in which an object keeps the document that it is about.
_INNER = ("node", "document", "metadata", "payload", "_source")
_PRIVATE = ("_id", "_score", "_source")
_DEEPEST = 32
_EXACT = 2**53


def plainly(job: Job, value: Any, depth: int = 0) -> Any:
    """Return a value as a dict, list, str, bool or None; numbers as str, those with decimals as float.

    ReadError for objects without an id, for sets, and for what is nested too deeply.
    """
    if depth > _DEEPEST:
        raise refuse("malformed", job.name, "the values are nested too deeply")
    if value is None or value.__class__ is str:
        return value
    if isinstance(value, Mapping):
        members = {_name(job, name): plainly(job, inner, depth + 1) for name, inner in value.items()}
        if len(members) < len(value):
            raise refuse("malformed", job.name, "two names are the same as text", "Name each query and document once.")
        return members
    if isinstance(value, tuple) and hasattr(value, "_fields"):
        return plainly(job, dict(zip(value._fields, value, strict=True)), depth)
    if isinstance(value, (list, tuple)):
        pair = len(value) == 2 and not is_plain(value[0]) and not isinstance(value[0], (list, tuple))
        if pair and is_plain(value[1]):  # (document, score)
            return {**plainly(job, value[0], depth + 1), "score": plainly(job, value[1])}
        return [plainly(job, inner, depth + 1) for inner in value]
    if isinstance(value, np.ndarray):
        return plainly(job, value.tolist(), depth)
    return scalar(value) if is_plain(value) else _attributes(job, value, depth)


def scalar(value: Any) -> Any:
    """Return a plain value: text and whole numbers as str, other numbers as float; bool, None and bytes that are no
    text as they are.

    >>> scalar(7), scalar(7.0), scalar(7.5), scalar(np.int64(7)), scalar(True), scalar(b"a")
    ('7', '7', 7.5, '7', True, 'a')
    """
    if value is None or isinstance(value, (bool, np.bool_)):
        return None if value is None else bool(value)
    if isinstance(value, str):
        return str(value)
    if isinstance(value, bytes):
        with suppress(UnicodeDecodeError):
            return value.decode()
        return value
    if isinstance(value, (int, np.integer)):
        return str(int(value))
    number = float(value)
    return str(int(number)) if number.is_integer() and abs(number) < _EXACT else number


def is_plain(value: Any) -> bool:
    """Return whether a value is text, a number, bool or None."""
    return value is None or isinstance(value, (str, bytes, bool, int, float, Decimal, np.generic))


def _name(job: Job, name: Any) -> str:
    """Return a name as text. ReadError where it is neither text nor a whole number."""
    plain = scalar(name) if is_plain(name) else name
    if plain.__class__ is not str:
        what = f"a name is {type(name).__name__}, neither text nor a whole number"
        raise refuse("bad_value", job.name, what, "Name queries and documents by texts or whole numbers.")
    return str(plain)


def _attributes(job: Job, value: Any, depth: int) -> dict[str, Any]:
    """Return the plain attributes of an object and of the document in it. ReadError where none is an id."""
    attributes = _opened(job, value, depth)
    if not means(attributes, "run", "doc_id"):
        what = f"a document is an object of the type {type(value).__name__} without an id"
        raise refuse(
            "bad_value", job.name, what, "Give it an attribute doc_id, docid, docno or id, or give {document: score}."
        )
    return attributes


def _opened(job: Job, value: Any, depth: int, above: str = "") -> dict[str, Any]:
    """Return the plain attributes; those of the objects within behind them, where their names are new."""
    attributes: dict[str, Any] = {}
    inner: dict[str, Any] = {}
    for name in _names(value):
        held = None
        with suppress(Exception):  # a getter of another library may raise anything
            held = getattr(value, name)
        if held is None or callable(held):
            continue
        if is_plain(held):
            attributes[name] = scalar(held)
        elif name in _INNER:
            inner[name] = held
        else:
            job.unread.add(above + name)
    for name, held in inner.items():
        path = f"{above}{name}."
        if depth > _DEEPEST:
            job.unread.add(path[:-1])
            continue
        plain = _members(job, held, path) if isinstance(held, Mapping) else _opened(job, held, depth + 1, path)
        for own, cell in plain.items():
            if attributes.setdefault(own, cell) is not cell:
                job.unread.add(path + own)
    return attributes


def _members(job: Job, value: Mapping[Any, Any], path: str) -> dict[str, Any]:
    """Return the plain members of a mapping."""
    job.unread.add_all(f"{path}{_name(job, name)}" for name, cell in value.items() if not is_plain(cell))
    return {_name(job, name): scalar(cell) for name, cell in value.items() if cell is not None and is_plain(cell)}


def _names(value: Any) -> list[str]:
    """Return the names of the attributes that an object lists, and of those that are tried on every object."""
    listed: list[str] = [field.name for field in fields(value)] if is_dataclass(value) else []
    listed += [name for kind in type(value).__mro__ for name in _slots(kind)]
    listed += [name for name in getattr(value, "__dict__", {}) if isinstance(name, str)]
    own = [name for name in listed if not name.startswith("_") or name in _PRIVATE]
    return [*dict.fromkeys((*own, *_PROBED, *_INNER))]


def _slots(kind: type) -> tuple[str, ...]:
    slots = vars(kind).get("__slots__", ())
    return (slots,) if isinstance(slots, str) else tuple(slots)
