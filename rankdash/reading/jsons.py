"""JSON and JSON Lines: flat records, records with a list of documents, dicts of dicts, columns."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from rankdash.arrow import from_strings
from rankdash.reading.columns import match
from rankdash.reading.document import Document
from rankdash.reading.grid import Grid
from rankdash.reading.limits import megabytes
from rankdash.reading.meanings import KINDS, Wanted, is_known
from rankdash.reading.memory import dict_grid
from rankdash.reading.problems import Problem, ReadError, listed, refuse
from rankdash.reading.records import Record, records_of
from rankdash.reading.sniffing import first_text

_START = re.compile(r"\s*[\[{]")
#: Names under which services put the rows.
_WRAPPERS = frozenset(
    "data rows records results items queries runs run qrels judgments response payload values hits".split()
)


@dataclass
class Loader:
    """Reads JSON with every number as it is written, and counts names that occur twice in an object."""

    twice: int = 0
    options: Mapping[str, Any] = field(init=False)

    def __post_init__(self) -> None:
        self.options = {"parse_int": str, "parse_float": str, "parse_constant": str, "object_pairs_hook": self._object}

    def _object(self, pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        found = dict(reversed(pairs))
        if len(found) < len(pairs):
            self.twice += len(pairs) - len(found)
        return dict(pairs) if len(found) == len(pairs) else found

    def load(self, text: str) -> Any:
        """The value of one text. ValueError where it is no JSON."""
        try:
            return json.loads(text, **self.options)
        except RecursionError:
            raise ValueError("it is nested too deeply") from None


def is_json(document: Document) -> bool:
    """Whether the text begins as a JSON object or array does."""
    return _START.match(first_text(document)) is not None


def read_json(document: Document, wanted: Wanted) -> Grid:
    """The rows of a JSON or JSON Lines text. ReadError with the line where it is damaged, or holds no rows."""
    if document.size > document.limits.json:
        most = megabytes(document.limits.json)
        raise refuse(document.name, f"the JSON text has {megabytes(document.size)}", f"At most {most} are read.")
    text = bytes(document.content(0, document.size)).decode("utf-8-sig", "replace")
    loader = Loader()
    value, lines = _loaded(document, text, loader)
    notes = (f"{loader.twice:,} names occur twice in an object; the first of each counts.",) if loader.twice else ()
    if lines is None and isinstance(value, dict):
        grid = _object_grid(document, value, wanted)
        if grid is not None:
            return _noted(grid, (*document.notes, *notes))
    rows = _rows_of(document, value, wanted)
    records = records_of(document.name, rows, wanted)
    return _noted(_grid(document, records, wanted, lines), (*document.notes, *notes))


def _noted(grid: Grid, notes: Sequence[str]) -> Grid:
    return replace(grid, notes=(*notes, *grid.notes))


def _loaded(document: Document, text: str, loader: Loader) -> tuple[Any, list[int] | None]:
    """The value, and for JSON Lines the line of each; ReadError with line and reason."""
    lines = [(number, line) for number, line in enumerate(text.split("\n"), start=1) if line.strip()]
    first = lines[0][1].strip()
    if len(lines) > 1 and first[0] + first[-1] in ("{}", "[]"):
        try:
            loader.load(first)
        except ValueError:
            pass
        else:
            return _loaded_lines(document, lines, loader)
    try:
        return loader.load(text), None
    except json.JSONDecodeError as error:
        problem = Problem(document.name, f"the JSON text is damaged ({error.msg}, column {error.colno})", error.lineno)
        raise ReadError((problem,)) from None
    except ValueError as error:
        raise refuse(document.name, f"the JSON text cannot be read: {error}") from None


def _loaded_lines(document: Document, lines: Sequence[tuple[int, str]], loader: Loader) -> tuple[Any, list[int]]:
    values, bad = [], []
    for number, line in lines:
        try:
            values.append(loader.load(line))
        except ValueError as error:
            why = getattr(error, "msg", str(error))
            bad.append(Problem(document.name, f"this line is no JSON ({why})", number))
    if bad:
        raise ReadError(bad, len(bad))
    return values, [number for number, _ in lines]


def _object_grid(document: Document, value: Mapping[str, Any], wanted: Wanted) -> Grid | None:
    """The Grid of {query: {document: number}} and the like; None for other objects."""
    known = [name for name in value if is_known(name, wanted)]
    if not value:
        raise refuse(document.name, "there is nothing in the JSON text")
    if (len(known) == len(value) > 1) or any(name.casefold() in _WRAPPERS for name in value) or "columns" in value:
        return None
    inner = list(value.values())
    if wanted == "models" and all(isinstance(one, dict) for one in inner):
        return None
    if all(_is_list_of_documents(one) for one in inner) or wanted in ("queries", "votes"):
        return dict_grid(value, wanted, document.name, document.options)
    return None


def _is_list_of_documents(value: Any) -> bool:
    """{document: number}, [document, …] or [[document, number], …]."""
    if isinstance(value, dict):
        return all(not isinstance(number, (dict, list)) for number in value.values())
    if not isinstance(value, list):
        return False
    return all(isinstance(one, str) or (isinstance(one, list) and 0 < len(one) <= 2) for one in value)


def _rows_of(document: Document, value: Any, wanted: Wanted) -> list[Mapping[str, Any]]:
    """The records of a value, whatever it is wrapped in."""
    if isinstance(value, list):
        if value and all(isinstance(row, list) for row in value):
            return _table_rows(document, value, wanted)
        if value and all(isinstance(row, dict) for row in value):
            return value
        what = "the JSON text holds an empty list" if not value else "the items of the JSON list are no objects"
        raise refuse(document.name, what, _ALLOWED)
    if not isinstance(value, dict):
        raise refuse(document.name, "the JSON text holds no table", _ALLOWED)
    if isinstance(value.get("columns"), list) and isinstance(value.get("data"), list):
        return _table_rows(document, [value["columns"], *value["data"]], wanted)
    columns = {name: cells for name, cells in value.items() if isinstance(cells, (list, dict))}
    if sum(is_known(name, wanted) for name in columns) > 1 and len(columns) == len(value):
        as_rows = _column_rows(document, columns)
        if as_rows is not None:
            return as_rows
    for name, inner in value.items():
        if name.casefold() in _WRAPPERS and isinstance(inner, (list, dict)) and inner:
            return _rows_of(document, inner, wanted)
    return _by_key(document, value, wanted)


def _column_rows(document: Document, columns: Mapping[str, Any]) -> list[Mapping[str, Any]] | None:
    """Rows of {column: [cell, …]} or {column: {row: cell}}."""
    lengths = {len(cells) for cells in columns.values()}
    if len(lengths) != 1:
        return None
    if all(isinstance(cells, dict) for cells in columns.values()):
        names = list(next(iter(columns.values())))
        return [{name: cells.get(row) for name, cells in columns.items()} for row in names]
    if all(isinstance(cells, list) for cells in columns.values()):
        return [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]
    return None


def _table_rows(document: Document, rows: Sequence[Any], wanted: Wanted) -> list[Mapping[str, Any]]:
    """Rows of a list of lists, the first of which has the names."""
    header = [str(name) for name in rows[0]]
    if not any(is_known(name, wanted) for name in header):
        raise refuse(
            document.name, "the first of the JSON lists names no columns", f"Begin with {KINDS[wanted].header}."
        )
    for number, row in enumerate(rows[1:], start=2):
        if not isinstance(row, list) or len(row) != len(header):
            raise ReadError((Problem(document.name, f"this list has not {len(header)} items as the first", number),))
    return [dict(zip(header, row, strict=True)) for row in rows[1:]]


def _by_key(document: Document, value: Mapping[str, Any], wanted: Wanted) -> list[Mapping[str, Any]]:
    """Rows of {query: {…}}, {query: [{…}]}, and of {model: {query: …}} where models are wanted."""
    if wanted == "models":
        rows: list[Mapping[str, Any]] = []
        for model, lists in value.items():
            if not isinstance(lists, dict):
                raise refuse(document.name, f"model {listed([model])} has no lists by query", _ALLOWED)
            rows += [{"model": model, **row} for row in _by_key(document, lists, "run")]
        return rows
    found: list[Mapping[str, Any]] = []
    for query, inner in value.items():
        if isinstance(inner, dict) and any(isinstance(one, list) for one in inner.values()):
            found.append({"query_id": query, **inner})
        elif isinstance(inner, (dict, list)):
            found.append({"query_id": query, "documents": inner})
        else:
            what = f"{listed([query])} is neither a list nor an object"
            raise refuse(document.name, what, _ALLOWED)
    return found


_ALLOWED = "Give records with a query and a document, or {query: {document: number}}."


def _grid(document: Document, records: Sequence[Record], wanted: Wanted, lines: list[int] | None) -> Grid:
    """The Grid of flat records; ``lines`` are those of the records that they come from."""
    if len(records) > document.limits.rows:
        raise refuse(document.name, f"there are {len(records):,} rows", f"At most {document.limits.rows:,} are read.")
    headings = tuple(dict.fromkeys(name for record in records for name in record.cells))
    if len(headings) > document.limits.columns:
        most = document.limits.columns
        raise refuse(document.name, f"there are {len(headings):,} different names", f"At most {most:,} are read.")
    mapping = match(document.name, headings, wanted, document.options.columns)
    columns = {
        own: from_strings([one.cells.get(headings[i], "") for one in records]) for i, own in mapping.names.items()
    }
    origin = np.array([record.row for record in records], np.int64)
    numbers = np.array(lines, np.int64) if lines is not None else None
    row_of: Callable[[Any], Any] = lambda rows: origin[rows] + 1 if numbers is None else numbers[origin[rows]]  # noqa: E731
    first = 1 if lines is None else lines[0]
    return Grid(document.name, columns, mapping.called, headings, mapping.notes, row_of=row_of, first_row=first)
