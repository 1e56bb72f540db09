"""Parquet files: only the columns that are wanted, ids kept as dictionaries."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pyarrow as pa

from rankdash.reading.columns import match
from rankdash.reading.document import Document
from rankdash.reading.grid import Grid
from rankdash.reading.limits import megabytes
from rankdash.reading.meanings import Wanted
from rankdash.reading.memory import table_grid
from rankdash.reading.nested import is_nested
from rankdash.reading.problems import refuse

if TYPE_CHECKING:
    import pyarrow.parquet as pq

_MAGIC = b"PAR1"


def is_parquet(document: Document) -> bool:
    """Whether the bytes begin as Parquet does."""
    return document.head.startswith(_MAGIC)


def read_parquet(document: Document, wanted: Wanted) -> Grid:
    """The wanted columns. ReadError when the file is damaged, too large, or lacks a column."""
    import pyarrow.parquet as pq  # loading it costs more than reading a small file of another kind

    limits = document.limits
    try:
        with document.stream() as stream:
            file = pq.ParquetFile(stream)
            rows, size = file.metadata.num_rows, _unpacked(file.metadata)
            if rows > limits.rows:
                raise refuse(document.name, f"there are {rows:,} rows", f"At most {limits.rows:,} are read.")
            if size > min(limits.unpacked, limits.ratio * document.size):
                allowed = f"At most {megabytes(limits.unpacked)} and {limits.ratio} times the file are read."
                raise refuse(document.name, f"the file unpacks to {megabytes(size)}", allowed)
            headings = tuple(file.schema_arrow.names)
            if any(is_nested(field.type) or field.name.startswith("__index") for field in file.schema_arrow):
                columns, ids = None, []
            else:
                mapping = match(document.name, headings, wanted, document.options.columns)
                columns = [headings[i] for i in mapping.names]
                ids = [heading for i, heading in enumerate(headings) if mapping.names.get(i) in ("query_id", "model")]
            stream.seek(0)
            encoded = pq.ParquetFile(stream, read_dictionary=ids)
            table = encoded.read(columns=columns)
    except (pa.ArrowException, OSError) as error:
        first = str(error).splitlines()[0] if str(error) else type(error).__name__
        raise refuse(document.name, f"the Parquet file is damaged ({first})") from None
    grid = table_grid(document.name, table, wanted, limits, document.options, document.notes)
    return replace(grid, first_row=1)


def _unpacked(metadata: pq.FileMetaData) -> int:
    return sum(metadata.row_group(i).total_byte_size for i in range(metadata.num_row_groups))
