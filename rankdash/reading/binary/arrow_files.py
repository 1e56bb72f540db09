"""Arrow files (Feather) and streams: batch by batch, each checked before it is used."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

import pyarrow as pa

from rankdash.reading.binary.memory import table_grid
from rankdash.reading.columns.grid import Grid
from rankdash.reading.source.document import Document
from rankdash.reading.source.limits import LEAST, may_unpack, megabytes
from rankdash.reading.source.problems import LimitError, Problem, refuse
from rankdash.reading.words.headings import Kind

_FILE = b"ARROW1\0\0"


def read_arrow(document: Document, kind: Kind) -> Grid:
    """Return the columns that the kind needs. ReadError when the file is damaged, too large, or lacks a column."""
    batches: list[pa.RecordBatch] = []
    rows = size = 0
    limits = replace(document.limits, unpacked=may_unpack(document.size, LEAST, document.limits)[0])
    start = len(_FILE) if document.head.startswith(_FILE) else 0  # in a file, a stream follows its first bytes
    try:
        with document.stream() as source:
            source.read(start)
            with pa.ipc.open_stream(source) as stream:
                schema = stream.schema
                _check_names(schema)
                for batch in stream:
                    batch.validate(full=True)
                    batches.append(batch)
                    rows += batch.num_rows
                    size += batch.get_total_buffer_size()  # nbytes fails on views before pyarrow 24
                    if rows > limits.rows or size > limits.unpacked:
                        most = f"At most {limits.rows:,} rows and {megabytes(limits.unpacked)} are read."
                        raise LimitError((Problem("too_large", document.name, "the table is too large", allowed=most),))
    except (LimitError, MemoryError):
        raise
    except (pa.ArrowException, OSError, ValueError, KeyError) as error:
        first = str(error).splitlines()[0][:100] if str(error) else type(error).__name__
        raise refuse(
            "unreadable", document.name, f"the Arrow file is damaged ({first})", "Save the table again."
        ) from None
    table = pa.Table.from_batches(batches, schema)
    return replace(table_grid(document.name, table, kind, limits, document.options, document.notes), first_row=1)


def _check_names(fields: Iterable[pa.Field]) -> None:
    """Raise UnicodeDecodeError, a ValueError, where a name, of whatever depth, is no UTF-8."""
    for field in fields:
        str(field.name)
        kind = field.type
        if pa.types.is_nested(kind):
            _check_names(kind.field(i) for i in range(kind.num_fields))
