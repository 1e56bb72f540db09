"""Values of Python as columns and as ids. Nothing that is neither text nor a whole number is ever made an id."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from typing import Any

import numpy as np
import pyarrow as pa

from rankdash.arrow import from_strings
from rankdash.reading.columns.grid import IDS
from rankdash.reading.source.problems import Problem, ReadError, check_whole, listed, refuse

_IDS_ARE = "Ids are texts or whole numbers."
#: Where a field says which of its values is no id.
_ODD = b"rankdash.odd"
_EXACT = 2**53
_TABLE = "the table"


def columns_table(columns: Mapping[str, Any]) -> pa.Table:
    """Return columns of Python values as Arrow columns; a column of mixed values becomes text."""
    made = [named_column(name, column) for name, column in columns.items()]
    return pa.Table.from_arrays([values for _, values in made], schema=pa.schema([field for field, _ in made]))


def named_column(name: str, values: Any) -> tuple[pa.Field, pa.Array]:
    """Return a column, and its field, which says of mixed values which is the first that is no id."""
    check_whole(_TABLE, (name,))
    try:
        made = pa.array(values, from_pandas=True)
    except UnicodeEncodeError:
        what = f"half a character stands in the column {listed([name])}"
        raise refuse("bad_encoding", _TABLE, what, "Write it in whole characters.") from None
    except (pa.ArrowInvalid, pa.ArrowTypeError, pa.ArrowNotImplementedError, OverflowError):
        made, odd = from_strings([_text(value) for value in values]), _first_odd(values)
        return pa.field(name, made.type, metadata={_ODD: odd} if odd else None), made
    return pa.field(name, made.type), made


def _text(value: Any) -> str:
    """Return a value of a mixed column as text."""
    plain = as_id(value)
    return str(value) if plain is None else plain


def _first_odd(values: Any) -> str:
    """Return the row, from 1, and the type of the first value that is neither text nor a whole number; "" for none."""
    odd = ((row, value) for row, value in enumerate(values, start=1) if as_id(value) is None)
    return next((f"{row}:{type(value).__name__}" for row, value in odd), "")


def as_id(value: Any) -> str | None:
    """Return a value as an id, "" for one that is missing; None for what is neither text nor a whole number.

    >>> as_id("a"), as_id(7), as_id(7.0), as_id(7.5), as_id(True), as_id(None)
    ('a', '7', '7', None, None, '')
    """
    if value is None or value.__class__ is str:
        return value or ""
    if isinstance(value, (bool, np.bool_)):
        return None
    if isinstance(value, (int, np.integer)):
        return str(int(value))
    if isinstance(value, (float, np.floating)):
        number = float(value)
        return "" if number != number else str(int(number)) if number.is_integer() and abs(number) < _EXACT else None
    if isinstance(value, bytes):
        with suppress(UnicodeDecodeError):
            return value.decode()
        return None
    return str(value) if isinstance(value, str) else None


def check_ids(name: str, table: pa.Table, names: Mapping[int, str]) -> None:
    """Raise ReadError for a column of ids in which a value was neither text nor a whole number."""
    for i, own in names.items():
        odd = (table.schema.field(i).metadata or {}).get(_ODD)
        if own in IDS and odd is not None:
            row, _, kind = odd.decode().partition(":")
            what = "is neither text nor a whole number"
            problem = Problem("bad_value", name, what, int(row), table.column_names[i], kind, _IDS_ARE)
            raise ReadError((problem,))


def _shown(value: Any) -> str | None:
    """Return a plain value as a message shows it; None for an object, which may show itself as anything."""
    return str(value)[:40] if isinstance(value, (bool, int, float, bytes, np.generic)) else None


def id_of(file: str, of: str, value: Any) -> str:
    """Return the id of a query, or of a document of a query. ReadError for what is neither text nor a whole number."""
    plain = as_id(value)
    if plain is None:
        whose = "a query" if of == "query" else f'a document of query "{of[:40]}"'
        shown = _shown(value)
        what = f"{'a value ' if shown is None else ''}is of the type {type(value).__name__}, and no id of {whose}"
        raise ReadError((Problem("bad_value", file, what, found=shown, allowed=_IDS_ARE),))
    return plain
