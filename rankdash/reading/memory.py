"""What is in memory already: Arrow tables, frames, and dicts of dicts."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from typing import Any

import numpy as np
import pyarrow as pa

from rankdash.arrow import Text, as_numpy, codes, from_strings, one_chunk
from rankdash.reading.columns import match
from rankdash.reading.grid import Grid
from rankdash.reading.limits import Limits
from rankdash.reading.meanings import Wanted
from rankdash.reading.nested import flat, is_nested
from rankdash.reading.options import OPTIONS, Options
from rankdash.reading.problems import Problem, ReadError, refuse

#: How a source without a file name is called in messages.
TABLE = "the table"


def table_grid(
    name: str,
    table: pa.Table,
    wanted: Wanted,
    limits: Limits,
    options: Options = OPTIONS,
    notes: tuple[str, ...] = (),
) -> Grid:
    """The wanted columns of an Arrow table. ReadError when one is missing, or there is no row."""
    if any(is_nested(field.type) or field.name.startswith("__index") for field in table.schema):
        table, told = flat(name, table, wanted, limits.rows)
        notes = (*notes, *told)
    headings = tuple(table.column_names)
    if len(headings) > limits.columns:
        raise refuse(name, f"there are {len(headings):,} columns", f"At most {limits.columns:,} are read.")
    if table.num_rows > limits.rows:
        raise refuse(name, f"there are {table.num_rows:,} rows", f"At most {limits.rows:,} are read.")
    mapping = match(name, headings, wanted, options.columns)
    if not table.num_rows:
        raise refuse(name, "there are columns but no rows")
    columns = {own: one_chunk(table.column(i)) for i, own in mapping.names.items()}
    return Grid(name, columns, mapping.called, headings, (*notes, *mapping.notes))


def is_table(source: Any) -> bool:
    """Whether this is an Arrow table, a frame of pandas, or one that gives itself to Arrow (polars, duckdb)."""
    return isinstance(source, pa.Table) or _is_pandas(source) or hasattr(source, "__arrow_c_stream__")


def as_table(source: Any) -> pa.Table:
    """The Arrow table of a table or frame; columns of mixed objects become text."""
    if isinstance(source, pa.Table):
        return source
    if not _is_pandas(source):
        return pa.RecordBatchReader.from_stream(source).read_all()
    index = [name for name in source.index.names if name is not None]
    if index and not set(index) & set(source.columns):
        source = source.reset_index(level=index)
    frame = source.set_axis([str(name) for name in source.columns], axis=1)
    try:
        return pa.Table.from_pandas(frame, preserve_index=False)
    except (pa.ArrowInvalid, pa.ArrowTypeError):
        mixed = [name for name, dtype in frame.dtypes.items() if str(dtype) == "object"]
        return pa.Table.from_pandas(frame.astype(dict.fromkeys(mixed, "string")), preserve_index=False)


def _is_pandas(source: Any) -> bool:
    return type(source).__module__.split(".")[0] == "pandas" and hasattr(source, "columns")


def dict_grid(source: Mapping[Any, Any], wanted: Wanted, file: str = TABLE, options: Options = OPTIONS) -> Grid:
    """The rows of {query: {doc: number}}, {query: [[doc, number], ...]} or {query: [doc, ...]}.

    The number is the score of a run, the relevance of judgments; None is blank. ReadError for anything else.
    """
    if wanted in ("queries", "votes"):
        return _facts_grid(source, wanted, file, options)
    if wanted == "models":
        raise refuse(file, "a dict holds the lists of one model", "Give a table with a column for the model.")
    query: list[str] = []
    doc: list[str] = []
    value: list[str] = []
    bare = 0
    for name, documents in source.items():
        for pair in _pairs(file, name, documents):
            query.append(str(name))
            doc.append(_id(pair[0]))
            value.append("" if len(pair) < 2 or pair[1] is None else str(pair[1]))
            bare += len(pair) < 2
    if not query:
        raise refuse(file, "there are no rows", "Give {query: {document: number}}.")
    number = "score" if wanted == "run" else "relevance"
    columns = {"query_id": from_strings(query), "doc_id": from_strings(doc), number: from_strings(value)}
    if bare == len(query):
        if wanted == "judgments":
            raise refuse(file, "there is no relevance beside the documents", "Give {query: {document: relevance}}.")
        del columns[number]
    elif bare:
        raise refuse(file, f"{bare:,} documents have no {number}", "Give every document one, or none.")
    empty = sum(not documents for documents in source.values())
    notes = (f"{empty:,} {'query has' if empty == 1 else 'queries have'} no documents.",) if empty else ()
    return Grid(file, columns, {}, tuple(columns), notes)


def _facts_grid(source: Mapping[Any, Any], wanted: Wanted, file: str, options: Options) -> Grid:
    """The rows of {query: text}, {query: {column: value}}; {query: vote}, {query: [vote]}, {query: {rater: vote}}."""
    own = "text" if wanted == "queries" else "vote"
    rows: list[dict[str, str]] = []
    for name, value in source.items():
        query = {"query_id": str(name)}
        if isinstance(value, Mapping) and wanted == "queries":
            rows.append(query | {str(column): _id(cell) for column, cell in value.items()})
        elif isinstance(value, Mapping):
            rows += [query | {"rater": str(rater), own: _id(vote)} for rater, vote in value.items()]
        else:
            rows += [query | {own: _id(cell)} for cell in (value if isinstance(value, (list, tuple)) else [value])]
    if not rows:
        raise refuse(file, "there are no rows", f"Give {{query: {own}}}.")
    headings = tuple(dict.fromkeys(name for row in rows for name in row))
    mapping = match(file, headings, wanted, options.columns)
    columns = {own: from_strings([row.get(headings[i], "") for row in rows]) for i, own in mapping.names.items()}
    return Grid(file, columns, mapping.called, headings, mapping.notes)


def _id(value: Any) -> str:
    return "" if value is None else str(value)


def _pairs(file: str, query: Any, documents: Any) -> list[tuple[Any, ...]]:
    """(document, number) or (document,) for each document of a query."""
    if isinstance(documents, Mapping):
        return list(documents.items())
    if isinstance(documents, (list, tuple)):
        rows = [tuple(item) if isinstance(item, (list, tuple)) else (item,) for item in documents]
        if all(0 < len(row) <= 2 for row in rows):
            return rows
    found = type(documents).__name__
    problem = Problem(
        file,
        f"the documents of query {query} are no dict and no list, or not [document, number]",
        found=found,
        allowed="Give {document: number}, [[document, number], …] or [document, …].",
    )
    raise ReadError((problem,))


def digest(table: pa.Table) -> str:
    """The SHA-256 of the columns of a table as tables.py has them, whatever they were made from."""
    found = hashlib.sha256()
    for name in table.column_names:
        array = one_chunk(table.column(name))
        found.update(f"{name}\0{len(array)}\0".encode())
        if pa.types.is_dictionary(array.type):
            found.update(codes(array).tobytes())
            array = array.dictionary
        if pa.types.is_string(array.type) or pa.types.is_large_string(array.type):
            text = Text.of(array)
            found.update(np.diff(text.offsets).astype(np.int64).tobytes())
            found.update(text.data[int(text.offsets[0]) : int(text.offsets[-1])].tobytes())
        else:
            found.update(as_numpy(array).tobytes())
    return found.hexdigest()
