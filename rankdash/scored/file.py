"""The per-query table as one Parquet file."""

from __future__ import annotations

from pathlib import Path

import pyarrow as pa

from rankdash.scored.header import TableError
from rankdash.scored.table import PerQuery
from rankdash.system import write_whole

MAGIC = b"PAR1"


def save(table: PerQuery, path: Path) -> None:
    """Write a table as a file that is there, whole, or not at all. OSError where it cannot be written."""
    import pyarrow.parquet as pq

    out = pa.BufferOutputStream()
    pq.write_table(table.to_arrow(), out, compression="zstd")
    write_whole(path, out.getvalue())


def load(path: Path) -> PerQuery:
    """Return the table in a file. TableError for a file that is none, or is damaged; OSError where it cannot be read."""
    import pyarrow.parquet as pq

    content = path.read_bytes()
    try:
        if not content.startswith(MAGIC):
            raise TableError(f"{path.name} is no file of scored queries: rankdash score writes one.")
        return PerQuery.from_arrow(pq.read_table(pa.BufferReader(content)))
    except (pa.ArrowException, OSError, KeyError, RecursionError) as error:
        raise TableError(
            f"{path.name} is no file of scored queries, or is damaged: rankdash score writes one."
        ) from error
