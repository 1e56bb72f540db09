"""A table as Parquet and back, to the bit: types, order, nulls, NaN, dictionaries and metadata.

Other tools read the columns as they are. What Parquet would bring back otherwise, such as a dictionary that is not in
the order of its first use, is carried as an Arrow stream in the metadata of the file.
"""

from __future__ import annotations

import base64
import json
from collections.abc import Mapping, Sequence

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from rankdash import arrow
from rankdash.metrics.lists import same_as_before

#: What the file is, the schema of the table, which columns are carried, and these as a stream.
_FORMAT, _SCHEMA, _PLACES, _CARRIED = (
    f"rankdash.{name}".encode() for name in ("format", "schema", "places", "carried")
)
_WHOLE = {getattr(pa, f"{sign}int{bits}")() for sign in ("", "u") for bits in (8, 16, 32, 64)}
#: Types that Parquet brings back to the bit.
_EXACT = {*_WHOLE, pa.float32(), pa.float64(), pa.bool_(), pa.string(), pa.large_string()}
#: Columns of text in which hardly a value repeats, so that a dictionary of them gains nothing.
_VARIED = {"doc_id", "title"}
#: A table of lists has no more columns.
_FEW = 8
#: The longest metadata that is read: a column that is carried may be long.
_LONGEST = 2**31 - 1


def written(table: pa.Table) -> pa.Buffer:
    """Return the bytes of a table. The same table gives the same bytes in every call of one version of pyarrow,
    but not in every version.
    """
    columns = [arrow.one_chunk(column) for column in table.columns]
    fields = [field.with_type(column.type) for field, column in zip(table.schema, columns, strict=True)]
    carried = [i for i, column in enumerate(columns) if not _is_exact(column)]
    places = [i for i in range(len(columns)) if i not in carried]
    body = pa.Table.from_arrays([columns[i] for i in places], names=[fields[i].name for i in places])
    header = {
        _FORMAT: b"1",
        _SCHEMA: _as_text(pa.schema(fields, metadata=table.schema.metadata).serialize()),
        _PLACES: json.dumps(carried),
        _CARRIED: _as_text(_stream([columns[i] for i in carried])),
    }
    sink, is_wide = pa.BufferOutputStream(), len(columns) > _FEW
    pq.write_table(
        body.replace_schema_metadata(header),
        sink,
        # Of lists zstd takes two thirds of the space of lz4 and snappy, in the same time. Of scored queries lz4 takes a
        # quarter more than zstd, and is read in less than half of the time.
        compression="lz4" if is_wide else "zstd",
        compression_level=None if is_wide else 1,
        use_dictionary=[] if is_wide else [field.name for field in body.schema if _repeats(field)],
        write_statistics=False,
    )
    return sink.getvalue()


def table_of(data: pa.Buffer) -> pa.Table:
    """Return the table that was written. ValueError or an error of Arrow for bytes that are none of ours."""
    file = pq.ParquetFile(pa.BufferReader(data), thrift_string_size_limit=_LONGEST)
    header = _header(file)
    schema = pa.ipc.read_schema(pa.py_buffer(base64.b64decode(header[_SCHEMA])))
    carried = iter(pa.ipc.open_stream(pa.py_buffer(base64.b64decode(header[_CARRIED]))).read_all().columns)
    body, places = iter(file.read().columns), set(json.loads(header[_PLACES]))
    columns = [arrow.one_chunk(next(carried if i in places else body)) for i in range(len(schema))]
    arrays = [
        column if column.type == field.type else column.cast(field.type)
        for column, field in zip(columns, schema, strict=True)
    ]
    return pa.Table.from_arrays(arrays, schema=schema)


def _header(file: pq.ParquetFile) -> Mapping[bytes, bytes]:
    header: Mapping[bytes, bytes] = file.schema_arrow.metadata or {}
    if header.get(_FORMAT) != b"1":
        raise ValueError("the file holds no table of a saved comparison")
    return header


def _is_exact(column: pa.Array) -> bool:
    """Return whether Parquet brings a column back to the bit."""
    if pa.types.is_dictionary(column.type):
        return bool(column.type == pa.dictionary(pa.int32(), pa.string())) and _in_order_of_use(column)
    return column.type in _EXACT


def _in_order_of_use(column: pa.DictionaryArray) -> bool:
    """Return whether the dictionary holds what is used and nothing else, each value once, as it comes first in the
    column.
    """
    values = column.dictionary
    if column.null_count or values.null_count or len(values.unique()) < len(values):
        return False
    codes = arrow.codes(column)
    highest = np.maximum.accumulate(codes[~same_as_before(codes)])
    first_uses = np.diff(highest, prepend=-1)
    return bool(((first_uses == 0) | (first_uses == 1)).all()) and int(highest.max(initial=-1)) == len(values) - 1


def _repeats(field: pa.Field) -> bool:
    is_text = pa.types.is_dictionary(field.type) or pa.types.is_string(field.type)
    return (is_text or pa.types.is_large_string(field.type)) and field.name not in _VARIED


def _stream(columns: Sequence[pa.Array]) -> pa.Buffer:
    """Return the columns as one batch: of a table without rows, Arrow would write no batch and so no dictionary."""
    batch = pa.RecordBatch.from_arrays(columns, names=list(map(str, range(len(columns)))))
    sink = pa.BufferOutputStream()
    with pa.ipc.new_stream(sink, batch.schema, options=pa.ipc.IpcWriteOptions(compression="zstd")) as writer:
        writer.write_batch(batch)
    return sink.getvalue()


def _as_text(data: pa.Buffer) -> bytes:
    return base64.b64encode(data)
