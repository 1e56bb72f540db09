"""Records in memory: dicts, named tuples, dataclasses and tuples, a row each."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sized
from dataclasses import fields, is_dataclass
from itertools import chain, islice
from types import MappingProxyType
from typing import Any

import numpy as np
import pyarrow as pa

from rankdash.reading.binary.memory import TABLE, table_grid, with_unnamed
from rankdash.reading.binary.python_values import columns_table
from rankdash.reading.columns.grid import Grid
from rankdash.reading.source.limits import Limits
from rankdash.reading.source.options import OPTIONS, Options
from rankdash.reading.source.problems import Problem, ReadError, refuse, too_many
from rankdash.reading.words.headings import Kind


def is_records(source: Any) -> bool:
    """Return whether this is an iterable of records, or a numpy array with a record in each row."""
    unordered = isinstance(source, (set, frozenset))
    return isinstance(source, (Iterable, np.ndarray)) and not unordered


def records_of(source: Iterable[Any], kind: Kind, limits: Limits, options: Options = OPTIONS) -> Grid:
    """Return the Grid of records. ReadError for anything that is no record, beyond the limits, as for ``table_grid``,
    and where the numbers of tuples, given for grades, are scores.
    """
    has_names = isinstance(source, np.ndarray) and bool(source.dtype.names)
    if not has_names:
        rows = iter(source)
        first = [*islice(rows, 1)]
        has_names = any(
            isinstance(record, Mapping) or hasattr(record, "_fields") or is_dataclass(record) for record in first
        )
        source = chain(first, rows)
    grid = table_grid(TABLE, _table(source, kind, limits), kind, limits, options)
    return grid if has_names else with_unnamed(grid, kind, options)


def _table(source: Iterable[Any], kind: Kind, limits: Limits) -> pa.Table:
    """Return the table of records: dicts, named tuples, dataclasses, or tuples in the order of their table's columns.

    A numpy array gives its rows, a structured one its fields. ReadError for anything else, and beyond the limits.
    """
    if isinstance(source, np.ndarray) and source.dtype.names:
        return columns_table({str(name): source[name] for name in source.dtype.names})
    columns: dict[str, list[Any]] = {}
    for n, record in enumerate(source):
        if n >= limits.rows:
            raise refuse(
                "too_large", TABLE, f"there are more than {limits.rows:,} rows", f"At most {limits.rows:,} are read."
            )
        cells = _cells(record, n, kind)
        for name in cells:
            if name not in columns:
                columns[name] = [None] * n
        if len(columns) > limits.columns:
            raise too_many(TABLE, len(columns), "columns", limits.columns)
        for name, column in columns.items():
            column.append(cells.get(name))
    if not columns:
        raise refuse("empty", TABLE, "there are no rows")
    return columns_table(columns)


#: What the members of a tuple are, by the kind of table and how many there are.
_TUPLES: Mapping[tuple[Kind, int], tuple[str, ...]] = MappingProxyType(
    {
        ("run", 2): ("query_id", "doc_id"),
        ("run", 3): ("query_id", "doc_id", "score"),
        ("judgments", 3): ("query_id", "doc_id", "relevance"),
        ("queries", 2): ("query_id", "text"),
        ("votes", 2): ("query_id", "vote"),
    }
)


def _cells(record: Any, n: int, kind: Kind) -> Mapping[str, Any]:
    """Return the cells of record n by the names of their columns."""
    if isinstance(record, Mapping):
        return _by_text(record, n)
    if is_dataclass(record):
        return {field.name: getattr(record, field.name) for field in fields(record)}
    if isinstance(record, (tuple, list, np.ndarray)):
        names = getattr(record, "_fields", None) or _TUPLES.get((kind, len(record)))  # of a named tuple
        if names:
            return dict(zip(names, record, strict=True))
    orders = [f"({', '.join(names)})" for (of_kind, _), names in _TUPLES.items() if of_kind == kind]
    given = f"{type(record).__name__} of {len(record)}" if isinstance(record, Sized) else type(record).__name__
    allowed = f"Give dicts with a name for each column{''.join(f', or tuples {order}' for order in orders)}."
    raise ReadError((Problem("malformed", TABLE, "is not a record", n + 1, None, given, allowed),))


def _by_text(record: Mapping[Any, Any], n: int) -> Mapping[str, Any]:
    """Return the cells of a dict, whose names may be numbers."""
    if all(isinstance(name, str) for name in record):
        return record
    cells = {str(name): cell for name, cell in record.items()}
    if len(cells) < len(record):
        what = "two names of this record are the same as text"
        raise ReadError((Problem("malformed", TABLE, what, n + 1, allowed="Name each column once."),))
    return cells
