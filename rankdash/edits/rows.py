"""Rows of Arrow tables: appended, replaced and gathered, without importing pandas."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from rankdash import arrow
from rankdash.edits.history import Edit

#: Stretches of neighbouring rows up to which joining slices beats gathering rows.
_STRETCHES = 20_000
#: Edited stretches from which on a column is copied whole: more chunks would make each reading of it slow.
_MOST_CHUNKS = 1_000
#: Bytes from which on a table that differs in a few rows shares the memory of the table before.
_LARGE = 16_000_000


def with_column(table: pa.Table, name: str, column: pa.Array | pa.ChunkedArray) -> pa.Table:
    """Return the table with another column in the place of one of its own."""
    return table.set_column(table.column_names.index(name), name, column)


def with_values(column: pa.ChunkedArray, rows: npt.NDArray[np.int64], values: npt.NDArray[Any]) -> pa.ChunkedArray:
    """Return a column of numbers with other values in some rows, each named once.

    Only the stretches of neighbouring rows are copied; the chunks between them share the memory of the column, so that
    an edited list of a large run takes no more than itself.
    """
    if not len(rows):
        return column
    order = np.argsort(rows)
    rows, values = rows[order], values[order].astype(column.type.to_pandas_dtype())
    cuts = np.flatnonzero(np.diff(rows) != 1) + 1
    if len(cuts) >= _MOST_CHUNKS:
        whole = arrow.as_numpy(arrow.one_chunk(column)).copy()
        whole[rows] = values
        return pa.chunked_array([arrow.from_numpy(whole)])
    chunks, end = [], 0
    for start, new in zip(rows[np.append(0, cuts)].tolist(), np.split(values, cuts), strict=True):
        chunks += [*column.slice(end, start - end).chunks, arrow.from_numpy(new)]
        end = start + len(new)
    chunks += column.slice(end).chunks
    return pa.chunked_array([chunk for chunk in chunks if len(chunk)])


def rows_by_query(table: pa.Table, query_ids: Iterable[str]) -> dict[str, npt.NDArray[np.int64]]:
    """Return the rows of some queries in a table, by query."""
    return arrow.rows_of_each(arrow.one_chunk(table.column("query_id")), query_ids)


def edits_table(edits: Sequence[Edit]) -> pa.Table:
    """Return edits as a table, a row each; ``edits_of`` gives them back."""
    texts = {"query_id": [edit.query_id for edit in edits], "doc_id": [edit.doc_id for edit in edits]}
    texts |= {"what": [edit.what for edit in edits], "side": [edit.side or "" for edit in edits]}
    numbers = {"before": [edit.before for edit in edits], "after": [edit.after for edit in edits]}
    columns = {name: arrow.from_strings(values) for name, values in texts.items()}
    columns |= {name: arrow.from_numpy(np.array(values, np.float64)) for name, values in numbers.items()}
    return pa.Table.from_arrays(list(columns.values()), names=list(columns))


def edits_of(table: pa.Table) -> tuple[Edit, ...]:
    """Return the edits of a table."""
    columns: list[list[Any]] = [column.to_pylist() for column in table.columns]
    return tuple(
        Edit(query_id, doc_id, what, side or None, *(None if value != value else value for value in numbers))
        for query_id, doc_id, what, side, *numbers in zip(*columns, strict=True)
    )


def new_rows(columns: Mapping[str, Sequence[Any]]) -> pa.Table:
    """Return a table of ids, texts and numbers: ``query_id`` as a dictionary, lists of str as strings, others as
    float64.
    """
    texts = {"query_id", "doc_id", "title", "query_text", "only_for"}
    arrays = [
        arrow.from_strings(list(values)) if name in texts else arrow.from_numpy(np.array(values, np.float64))
        for name, values in columns.items()
    ]
    table = pa.Table.from_arrays(arrays, names=list(columns))
    ids = arrow.one_chunk(table.column("query_id"))
    return with_column(table, "query_id", ids.dictionary_encode())


def appended(table: pa.Table, columns: Mapping[str, Sequence[Any]]) -> pa.Table:
    """Return the table with further rows. Columns of the table that are not named are empty there."""
    count = len(columns["query_id"])
    if not count:
        return table
    arrays = []
    for name in table.column_names:
        column = table.column(name)
        if name == "query_id":
            arrays.append(_more_ids(arrow.one_chunk(column), list(columns[name])))
        else:
            more = _column(column.type, columns.get(name, [None] * count))
            arrays.append(pa.chunked_array([*column.chunks, more]))
    return _compact(pa.Table.from_arrays(arrays, names=table.column_names))


def gathered(table: pa.Table, rows: npt.NDArray[np.int64]) -> pa.Table:
    """Return some rows of a table in a given order; neighbours stay together."""
    if len(rows) == len(table) and (rows == np.arange(len(rows))).all():
        return table
    starts = np.flatnonzero(np.diff(rows, prepend=-2) != 1)
    if len(starts) > _STRETCHES or not len(rows):
        taken = table.take(arrow.from_numpy(rows))
    else:
        lengths = np.diff(np.append(starts, len(rows)))
        stretches = zip(rows[starts].tolist(), lengths.tolist(), strict=True)
        taken = pa.concat_tables([table.slice(start, length) for start, length in stretches])
    return _compact(taken)


def _compact(table: pa.Table) -> pa.Table:
    """Return the table with one chunk per column, so that every reading of it is quick.

    A large table keeps its chunks where they are few: they share the memory of the table from which they were taken,
    but for the queries of its rows, which everybody asks for.
    """
    large = table.nbytes > _LARGE
    arrays = []
    for name in table.column_names:
        column = table.column(name)
        shared = large and name != "query_id" and column.num_chunks < _MOST_CHUNKS
        arrays.append(column if shared else arrow.one_chunk(column))
    return pa.Table.from_arrays(arrays, names=table.column_names)


def _more_ids(ids: pa.DictionaryArray, more: list[str]) -> pa.DictionaryArray:
    """Return a dictionary column with further values; new ones join the dictionary."""
    names = list(dict.fromkeys(more))
    places = arrow.positions(arrow.from_strings(names), ids.dictionary)
    new = [name for name, at in zip(names, places, strict=True) if at < 0]
    dictionary = ids.dictionary
    if new:
        dictionary = pa.concat_arrays([dictionary, arrow.from_strings(new).cast(dictionary.type)])
    added = arrow.positions(arrow.from_strings(more), dictionary).astype(np.int32)
    codes = np.concatenate((arrow.codes(ids), added))
    return pa.DictionaryArray.from_arrays(arrow.from_numpy(codes), dictionary)


def _column(kind: pa.DataType, values: Sequence[Any]) -> pa.Array:
    if pa.types.is_string(kind) or pa.types.is_large_string(kind):
        return arrow.from_strings([value or "" for value in values]).cast(kind)
    if pa.types.is_floating(kind) or pa.types.is_integer(kind):
        empty = float("nan") if pa.types.is_floating(kind) else 0
        numbers = np.array([empty if value is None else value for value in values], kind.to_pandas_dtype())
        return arrow.from_numpy(numbers)
    return pa.nulls(len(values), kind)
