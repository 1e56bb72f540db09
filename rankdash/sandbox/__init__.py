"""A process with limits reads what comes from a browser: ``apart`` sends requests, ``worker`` answers them.

Here are the messages between the two: records, tables (as Arrow streams) and files. No message is ever run: only the
records named here are made, and only their own fields are filled.
"""

from __future__ import annotations

import io
from collections.abc import Iterator, Sequence
from dataclasses import fields, is_dataclass
from typing import IO, Any, get_args

import pyarrow as pa

from rankdash import system
from rankdash.intake import Decisions, FileLook, FileReading, Given, Table
from rankdash.notes import Advice, Note
from rankdash.reading.problems import Choice, LimitError, NotUtf8Error, Problem, ReadError
from rankdash.reading.recognition import Understood
from rankdash.system import Part
from rankdash.tables import Source

_PARTS = (Source, Understood, Note, Advice, Problem, Choice)
_RECORDS: dict[str, type[Any]] = {
    record.__name__: record for record in (*get_args(Table), *_PARTS, Decisions, FileLook, FileReading)
}
_ERRORS = {error.__name__: error for error in (ReadError, LimitError, NotUtf8Error)}


def send(out: IO[bytes], value: Any) -> None:
    """Write a value: records, errors of reading, files as they were given, tuples, dicts, texts and numbers."""
    parts: list[Part] = []
    system.send(out, _plain(value, parts), parts)


def receive(source: IO[bytes]) -> Any:
    """Return the value that was sent. EOFError where the other side is gone."""
    value, parts = system.receive(source)
    return _made(value, iter(parts))


def _plain(value: Any, parts: list[Part]) -> Any:
    if isinstance(value, pa.Table):
        parts.append(pieces := list[Part]())
        system.streamed(value, pieces.append)
        return {"table": []}
    if isinstance(value, Given):
        parts.append(content_of(value.source))
        return {"given": [value.name, getattr(value.source, "name", value.name)]}
    if isinstance(value, ReadError):
        return {"error": [type(value).__name__, _plain(value.problems, parts), value.count]}
    if is_dataclass(value):
        made = [_plain(getattr(value, field.name), parts) for field in fields(value)]
        return {"record": [type(value).__name__, *made]}
    if isinstance(value, dict):
        return {"dict": [[name, _plain(item, parts)] for name, item in value.items()]}
    if isinstance(value, Sequence) and not isinstance(value, str):
        return [_plain(item, parts) for item in value]
    return value


def _made(value: Any, parts: Iterator[bytes]) -> Any:
    if isinstance(value, list):
        return tuple(_made(item, parts) for item in value)
    if not isinstance(value, dict):
        return value
    ((kind, inside),) = value.items()
    if kind == "table":
        return pa.ipc.open_stream(pa.py_buffer(next(parts))).read_all()
    if kind == "given":
        source = io.BytesIO(next(parts))
        source.name = inside[1]
        return Given(inside[0], source)
    if kind == "error":
        return _ERRORS[inside[0]](_made(inside[1], parts), inside[2])
    if kind == "dict":
        return {name: _made(item, parts) for name, item in inside}
    return _RECORDS[inside[0]](*(_made(item, parts) for item in inside[1:]))


def content_of(source: Any) -> Part:
    """Return the bytes of a source in memory."""
    result: Part = source.getvalue() if hasattr(source, "getvalue") else memoryview(source)
    return result
