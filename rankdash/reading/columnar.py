"""Parquet and Arrow files, Arrow tables and frames: columns as they are, checked against the limits first."""

from __future__ import annotations

import datetime
import re
import struct
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from numbers import Number
from typing import Any

import numpy as np
import pyarrow as pa

from rankdash.arrow import Text, as_numpy, filled, from_strings, is_text, one_chunk
from rankdash.notes import Note, listed
from rankdash.reading.grid import IDS, Grid, not_read
from rankdash.reading.headings import Kind, match, means
from rankdash.reading.objects import TABLE, as_id
from rankdash.reading.problems import Code, ReadError, damaged, exceed, refuse, too_many
from rankdash.reading.source import LEAST, Document, Limits, Options, may_unpack, megabytes, size_of

#: How pandas calls the numbers that it gives rows.
_INDEX = re.compile(r"__index_level_\d+__|Unnamed: 0")
_FILE = b"ARROW1\0\0"
#: Bytes of a number, or of the code of a text, once it is unpacked.
_WIDTH = 4


Read = Callable[[list[str]], pa.Table]


def make_grid(
    name: str, schema: pa.Schema, rows: int, read: Read, kind: Kind, limits: Limits, options: Options
) -> Grid:
    """Return the Grid of a table of so many rows, of which the columns that are needed are ``read``.

    ReadError where it lacks a column, or holds more than is read.
    """
    if rows > limits.rows:
        raise too_many(name, rows, "rows", limits.rows)
    headings, unread = _headings(name, schema, limits, kind)
    matched = match(name, headings, kind, options.columns)
    if not rows:
        raise refuse("empty", name, "there are no rows")
    table = read([headings[i] for i in matched.names])
    _check_ids(name, table, {own: headings[i] for i, own in matched.names.items()})
    for heading in (headings[i] for i in matched.names):  # repeated values may unpack to more than the limits
        size = sum(map(_text_size, table.column(heading).chunks))
        if size > limits.unpacked:
            what = f"column {listed([heading])} unpacks to {megabytes(size)}"
            raise exceed(name, what, f"At most {megabytes(limits.unpacked)} are read.")
    columns = {own: one_chunk(table.column(headings[i])) for i, own in matched.names.items()}
    return Grid(name, columns, matched.called, headings, (*unread, *matched.notes), format="table", typed=True)


def _headings(name: str, schema: pa.Schema, limits: Limits, kind: Kind) -> tuple[tuple[str, ...], tuple[Note, ...]]:
    """Return the names of the columns, and a note on those of lists and objects. ReadError where a name comes
    twice, and where a list stands in place of its documents.
    """
    nested = [own.name for own in schema if pa.types.is_nested(own.type) and not means([own.name], kind, "vector")]
    headings = tuple(own for own in schema.names if own not in nested and not _INDEX.fullmatch(own))
    lists = [own.name for own in schema if own.name in nested and hasattr(own.type, "value_field")]
    if lists and not means(headings, "run", "doc_id") and (kind in ("run", "judgments") or len(headings) == 1):
        what = f"cells of {listed(lists)} hold lists"  # beside facts of queries or users it is none of documents
        code: Code = "unsupported" if len(headings) == 1 else "malformed"
        raise refuse(code, name, what, "Write a row for each document, its id under doc_id, as explode of pandas does.")
    if len(schema) > limits.columns:
        raise too_many(name, len(schema), "columns", limits.columns)
    if twice := [own for own in headings if headings.count(own) > 1]:
        raise refuse("unclear", name, f"two columns are called {listed(twice[:1])}", "Give each a name of its own.")
    return headings, not_read("Columns of lists and objects, which are not read", nested)


# --- how large columns are -------------------------------------------------------------------------------------------


def _text_size(column: pa.Array) -> int:
    """Return the bytes of the text of a column, a repeated one counted each time; 0 where it takes what it holds."""
    kind = column.type
    if pa.types.is_dictionary(kind) and is_text(kind.value_type):
        lengths = np.diff(Text.of(filled(column.dictionary)).offsets.astype(np.int64))
        return int(lengths[as_numpy(column.indices.drop_null().cast(pa.int64()))].sum()) if len(lengths) else 0
    if pa.types.is_string_view(kind) or pa.types.is_binary_view(kind):
        views = np.frombuffer(column.buffers()[1], np.int32)[::4]  # a view begins with its length
        return int(views[column.offset : column.offset + len(column)].astype(np.int64).sum())
    return 0


# --- files -----------------------------------------------------------------------------------------------------------


def read_file(document: Document, kind: Kind, form: str) -> Grid:
    """Return the columns that the kind needs of a file in Parquet or Arrow. ReadError when it is damaged, too large, or
    lacks a column.
    """
    try:
        grid = (_read_parquet if form == "Parquet" else _read_arrow)(document, kind)
    except MemoryError:
        raise exceed(document.name, "there is not enough memory for it", "Give a smaller file.") from None
    except ReadError:
        raise
    except (pa.ArrowException, OSError, ValueError, KeyError, OverflowError) as error:
        is_cut = form == "Parquet" and not document.content().endswith(b"PAR1")
        raise damaged(document.name, f"{form} file", EOFError() if is_cut else error, "Save the table again.") from None
    return replace(grid, notes=(*document.notes, *grid.notes), first_row=1, format=form)


def _read_parquet(document: Document, kind: Kind) -> Grid:
    import pyarrow.parquet as pq  # loading it costs more than reading a small file of another kind

    with document.stream() as stream:
        file = pq.ParquetFile(stream)
        groups = (file.metadata.row_group(i).total_byte_size for i in range(file.metadata.num_row_groups))
        rows, schema, size = file.metadata.num_rows, file.schema_arrow, sum(groups)

        def read(wanted: list[str]) -> pa.Table:
            texts = [name for name in wanted if is_text(schema.field(name).type)]
            _check_unpacked(document, max(size, _WIDTH * rows * len(wanted)))
            stream.seek(0)
            table = pq.ParquetFile(stream, read_dictionary=texts).read(columns=wanted)
            table.validate(full=True)  # a damaged page may hold codes beyond its dictionary
            return table

        return make_grid(document.name, schema, rows, read, kind, document.limits, document.options)


def _read_arrow(document: Document, kind: Kind) -> Grid:
    size = 0
    with document.stream() as source:
        start = len(_FILE) if document.head.startswith(_FILE) else 0  # a stream follows the first bytes
        source.read(start)
        for message in pa.ipc.MessageReader.open_stream(source):
            size += _announced(message)
            _check_unpacked(document, size)
        source.seek(start)
        with pa.ipc.open_stream(source) as stream:
            table = stream.read_all()
            table.validate(full=True)
    return make_grid(document.name, table.schema, len(table), table.select, kind, document.limits, document.options)


def _announced(message: pa.Message) -> int:
    """Return the bytes to which the buffers of an Arrow message unpack, as each says in its first eight bytes.

    pyarrow shows no buffers before it unpacks them, so the FlatBuffers tables of the message are followed: its header,
    the data of a dictionary, the buffers of a batch (format/Message.fbs). ValueError where they lead outside it.
    """
    head, body = message.metadata.to_pybytes(), message.body

    def number(form: str, at: int, of: Any = head) -> int:
        try:
            return int(struct.unpack_from(form, of, at)[0])
        except struct.error as error:
            raise ValueError(f"a message of {len(of)} bytes points to byte {at}") from error

    def follow(table: int, place: int) -> int:
        """Return where a field of a table points to; 0 where it is missing."""
        fields = table - number("<i", table)
        at = number("<H", fields + 4 + 2 * place) if 4 + 2 * place < number("<H", fields) else 0
        return table + at + number("<I", table + at) if at else 0

    if body is None or message.type not in ("record batch", "dictionary"):
        return 0
    batch = follow(number("<I", 0), 2)
    batch = follow(batch, 1) if message.type == "dictionary" else batch
    buffers, is_packed = follow(batch, 2), follow(batch, 3)
    if not buffers or not is_packed:
        return len(body)
    places = (buffers + 4 + 16 * i for i in range(number("<I", buffers)))
    starts = [number("<q", at) for at in places if number("<q", at + 8)]
    return sum(max(number("<q", at, body), 0) for at in starts)  # -1: this one is not packed


def _check_unpacked(document: Document, size: int) -> None:
    most = may_unpack(size_of(document), document.limits, LEAST)
    if size > most:
        raise exceed(document.name, f"the file unpacks to {megabytes(size)}", f"At most {megabytes(most)} are read.")


# --- in memory -------------------------------------------------------------------------------------------------------


def is_table(source: Any) -> bool:
    """Return whether this is an Arrow table or a frame: of pandas, polars, or another library that Arrow reads."""
    return isinstance(source, (pa.Table, pa.RecordBatch)) or (
        not isinstance(source, (Mapping, list, tuple)) and (hasattr(source, "__arrow_c_stream__") or _is_pandas(source))
    )


def _is_pandas(source: Any) -> bool:
    return type(source).__module__.split(".")[0] == "pandas" and hasattr(source, "columns")


def as_table(source: Any) -> pa.Table:
    """Return a table or frame as an Arrow table; an index of pandas with names becomes columns."""
    if isinstance(source, pa.Table):
        return source
    if _is_pandas(source):
        frame = source.reset_index() if any(name is not None for name in source.index.names) else source
        return table_of((str(name), frame.iloc[:, at]) for at, name in enumerate(frame.columns))
    try:
        return source.to_arrow() if hasattr(source, "to_arrow") else pa.table(source)
    except pa.ArrowInvalid:
        what = f"{type(source).__name__} is one column, not a table"
        raise refuse("malformed", TABLE, what, "Give a frame: series.reset_index().") from None


#: Where a field says which of its values is no id.
_ODD = b"rankdash.odd"


def table_of(columns: Iterable[tuple[str, Any]]) -> pa.Table:
    """Return columns of Python values as an Arrow table; a column of mixed values becomes text."""
    fields, arrays = [], []
    for name, values in columns:
        try:
            made, odd = _array(values)
            fields.append(pa.field(name, made.type, metadata={_ODD: odd.encode()} if odd else None))
        except UnicodeEncodeError:
            what = f"incomplete characters in the column {listed([name])}"
            raise refuse("bad_encoding", TABLE, what, "Write it in whole characters.") from None
        arrays.append(made)
    return pa.Table.from_arrays(arrays, schema=pa.schema(fields))


def _array(values: Any) -> tuple[pa.Array, str]:
    """Return values as an array, mixed ones as text, and the row and type of the first that is no id, "" for none."""
    try:
        made = pa.array(values, from_pandas=True)
        return one_chunk(made) if isinstance(made, pa.ChunkedArray) else made, ""
    except (pa.ArrowInvalid, pa.ArrowTypeError, pa.ArrowNotImplementedError, OverflowError):
        cells = [*values]
        ids = [*map(as_id, cells)]
        odd = next(
            (f"{row}:{type(cells[row - 1]).__name__}" for row, id_ in enumerate(ids, start=1) if id_ is None), ""
        )
        return from_strings([_shown(v) if id_ is None else id_ for v, id_ in zip(cells, ids, strict=True)]), odd


def _shown(value: Any) -> str:
    """Return a value as the text of a cell; an object, which may do anything when it is asked, by its type."""
    return str(value) if isinstance(value, (Number, datetime.date, np.generic)) else type(value).__name__


def _check_ids(file: str, table: pa.Table, headings: Mapping[str, str]) -> None:
    """Raise ReadError for a column of ids in which a value was neither text nor a whole number."""
    for own in IDS:
        odd = (table.schema.field(headings[own]).metadata or {}).get(_ODD) if own in headings else None
        if odd is not None:
            row, _, kind = odd.decode().partition(":")
            what, do = "is neither text nor a whole number", "Ids are texts or whole numbers."
            raise refuse("bad_value", file, what, do, row=int(row), column=headings[own], found=kind)
