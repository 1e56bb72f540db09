"""Parquet and Arrow files, Arrow tables and frames: columns as they are, checked against the limits first."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pyarrow as pa

from rankdash.arrow import Text, as_numpy, codes, from_strings, one_chunk
from rankdash.notes import Note
from rankdash.reading.grid import IDS, Grid
from rankdash.reading.headings import Kind, key, match
from rankdash.reading.objects import TABLE, as_id
from rankdash.reading.problems import LimitError, Problem, ReadError, exceed, listed, refuse, too_many
from rankdash.reading.source import Document, Limits, Options, megabytes
from rankdash.reading.values import filled, is_text

#: How pandas calls the numbers that it gives rows.
_INDEX = re.compile(r"__index_level_\d+__|Unnamed: 0")
_FILE = b"ARROW1\0\0"
_AGAIN = "Save the table again."


def make_grid(
    name: str, table: pa.Table, kind: Kind, limits: Limits, options: Options, notes: tuple[Note, ...] = ()
) -> Grid:
    """Return the Grid of an Arrow table. ReadError where it lacks a column, or holds more than is read."""
    if table.num_columns > limits.columns:
        raise too_many(name, table.num_columns, "columns", limits.columns)
    if table.num_rows > limits.rows:
        raise too_many(name, table.num_rows, "rows", limits.rows)
    headings = tuple(own for own in table.column_names if not _INDEX.fullmatch(own))
    if len({*headings}) < len(headings):
        twice = next(own for at, own in enumerate(headings) if own in headings[:at])
        raise refuse("unclear", name, f'two columns are called "{twice}"', "Give each column a name of its own.")
    if not table.num_rows:
        raise refuse("empty", name, "there are no rows")
    matched = match(name, headings, kind, options.columns)
    columns = {own: one_chunk(table.column(headings[i])) for i, own in matched.names.items()}
    _check_ids(name, table, {own: headings[i] for i, own in matched.names.items()})
    for own, column in columns.items():
        _check_size(name, matched.called.get(own, own), column, limits)
    return Grid(name, columns, matched.called, headings, (*notes, *matched.notes), format="table")


def _check_size(file: str, heading: str, column: pa.Array, limits: Limits) -> None:
    """Raise LimitError where the text of a dictionary, spelled out, would be larger than the limits."""
    if not pa.types.is_dictionary(column.type) or not is_text(column.type.value_type):
        return
    lengths = np.diff(Text.of(filled(column.dictionary)).offsets.astype(np.int64))
    kept = column.indices.drop_null().cast(pa.int64())
    size = int(lengths[as_numpy(kept)].sum()) if len(kept) and len(lengths) else 0
    if size > limits.unpacked:
        what = f'column "{heading}" unpacks to {megabytes(size)}'
        raise exceed(file, what, f"At most {megabytes(limits.unpacked)} are read.")


# --- files -----------------------------------------------------------------------------------------------------------


def read_parquet(document: Document, kind: Kind) -> Grid:
    """Return the columns that the kind needs. ReadError when the file is damaged, too large, or lacks a column."""
    import pyarrow.parquet as pq  # loading it costs more than reading a small file of another kind

    limits = document.limits
    try:
        with document.stream() as stream:
            file = pq.ParquetFile(stream)
            rows, size = file.metadata.num_rows, 0
            for group in range(file.metadata.num_row_groups):
                size += file.metadata.row_group(group).total_byte_size
            if rows > limits.rows:
                raise too_many(document.name, rows, "rows", limits.rows)
            if size > limits.unpacked:
                allowed = f"At most {megabytes(limits.unpacked)} are read."
                raise exceed(document.name, f"the file unpacks to {megabytes(size)}", allowed)
            schema = file.schema_arrow
            headings = [field.name for field in schema if not pa.types.is_nested(field.type)]
            if len(headings) > limits.columns:
                raise too_many(document.name, len(headings), "columns", limits.columns)
            matched = match(document.name, headings, kind, document.options.columns)
            wanted = [headings[i] for i in matched.names]
            texts = [name for name in wanted if is_text(schema.field(name).type)]
            stream.seek(0)
            table = pq.ParquetFile(stream, read_dictionary=texts).read(columns=wanted)
    except (pa.ArrowException, OSError, KeyError, UnicodeDecodeError, MemoryError, OverflowError) as error:
        raise _damaged(document, "Parquet", error) from None
    return _of_file(document, table, kind, "Parquet", headings)


def read_arrow(document: Document, kind: Kind) -> Grid:
    """Return the columns that the kind needs. ReadError when the file is damaged, too large, or lacks a column."""
    batches: list[pa.RecordBatch] = []
    rows = size = 0
    limits = document.limits
    try:
        with document.stream() as source:
            source.read(len(_FILE) if document.head.startswith(_FILE) else 0)  # a stream follows the first bytes
            with pa.ipc.open_stream(source) as stream:
                schema = stream.schema
                for batch in stream:
                    batch.validate(full=True)
                    batches.append(batch)
                    rows += batch.num_rows
                    size += batch.get_total_buffer_size()
                    if rows > limits.rows or size > limits.unpacked:
                        most = f"At most {limits.rows:,} rows and {megabytes(limits.unpacked)} are read."
                        raise exceed(document.name, "the table is too large", most)
    except LimitError:
        raise
    except (pa.ArrowException, OSError, ValueError, KeyError, MemoryError) as error:
        raise _damaged(document, "Arrow", error) from None
    return _of_file(document, pa.Table.from_batches(batches, schema), kind, "Arrow", schema.names)


def _of_file(document: Document, table: pa.Table, kind: Kind, format: str, headings: Sequence[str]) -> Grid:
    grid = make_grid(document.name, table, kind, document.limits, document.options, document.notes)
    return replace(grid, first_row=1, format=format, headings=tuple(headings))


def _damaged(document: Document, format: str, error: BaseException) -> ReadError:
    if isinstance(error, (MemoryError, pa.ArrowMemoryError)):
        return exceed(document.name, "there is not enough memory for it", "Give a smaller file.")
    first = str(error).splitlines()[0][:100] if str(error) else type(error).__name__
    return refuse("unreadable", document.name, f"the {format} file is damaged ({first})", _AGAIN)


# --- in memory -------------------------------------------------------------------------------------------------------


def is_table(source: Any) -> bool:
    """Return whether this is an Arrow table or a frame: of pandas, polars, or another library that Arrow reads."""
    return isinstance(source, (pa.Table, pa.RecordBatch)) or (
        not isinstance(source, (Mapping, list, tuple))
        and (hasattr(source, "__arrow_c_stream__") or hasattr(source, "to_arrow") or _is_pandas(source))
    )


def _is_pandas(source: Any) -> bool:
    return type(source).__module__.split(".")[0] == "pandas" and hasattr(source, "columns")


def as_table(source: Any) -> pa.Table:
    """Return a table or frame as an Arrow table; an index of pandas with names becomes columns."""
    if isinstance(source, pa.RecordBatch):
        return pa.Table.from_batches([source])
    if isinstance(source, pa.Table):
        return source
    if _is_pandas(source):
        frame = source.reset_index() if any(name is not None for name in source.index.names) else source
        names = [str(name) for name in frame.columns]
        return table_of({name: frame.iloc[:, at] for at, name in enumerate(names)}, names)
    if hasattr(source, "collect_schema") and hasattr(source, "collect"):
        source = source.collect()
    return source.to_arrow() if hasattr(source, "to_arrow") else pa.table(source)


#: Where a field says which of its values is no id.
_ODD = b"rankdash.odd"


def table_of(columns: Mapping[str, Any], names: Sequence[str] | None = None) -> pa.Table:
    """Return columns of Python values as an Arrow table; a column of mixed values becomes text."""
    fields, arrays = [], []
    for name, values in columns.items():
        odd = ""
        try:
            made = pa.array(values, from_pandas=True)
            made = one_chunk(made) if isinstance(made, pa.ChunkedArray) else made
        except (pa.ArrowInvalid, pa.ArrowTypeError, pa.ArrowNotImplementedError, OverflowError):
            texts = [as_id(value) for value in values]
            odd = next(
                (
                    f"{row}:{type(v).__name__}"
                    for row, (v, t) in enumerate(zip(values, texts, strict=True), 1)
                    if t is None
                ),
                "",
            )
            made = from_strings([str(v) if t is None else t for v, t in zip(values, texts, strict=True)])
        except UnicodeEncodeError:
            what = f"half a character stands in the column {listed([name])}"
            raise refuse("bad_encoding", TABLE, what, "Write it in whole characters.") from None
        fields.append(pa.field(name, made.type, metadata={_ODD: odd.encode()} if odd else None))
        arrays.append(made)
    return pa.Table.from_arrays(arrays, schema=pa.schema(fields))


def _check_ids(file: str, table: pa.Table, headings: Mapping[str, str]) -> None:
    """Raise ReadError for a column of ids in which a value was neither text nor a whole number."""
    for own in IDS:
        odd = (table.schema.field(headings[own]).metadata or {}).get(_ODD) if own in headings else None
        if odd is not None:
            row, _, kind = odd.decode().partition(":")
            what = "is neither text nor a whole number"
            problem = Problem("bad_value", file, what, int(row), headings[own], kind, "Ids are texts or whole numbers.")
            raise ReadError((problem,))


def digest_of(table: pa.Table) -> str:
    """Return the SHA-256 of the columns of a table as tables.py has them, whatever they were made from."""
    sha256 = hashlib.sha256()
    for name in table.column_names:
        array = one_chunk(table.column(name))
        sha256.update(f"{name}\0{len(array)}\0".encode())
        if pa.types.is_dictionary(array.type):
            sha256.update(codes(array).tobytes())
            array = array.dictionary
        if is_text(array.type):
            text = Text.of(array)
            sha256.update(np.diff(text.offsets).astype(np.int64).tobytes())
            sha256.update(text.data[int(text.offsets[0]) : int(text.offsets[-1])].tobytes())
        else:
            sha256.update(as_numpy(array).tobytes())
    return sha256.hexdigest()


__all__ = ["TABLE", "as_table", "digest_of", "is_table", "key", "make_grid", "read_arrow", "read_parquet", "table_of"]
