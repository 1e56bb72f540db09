"""Rows of a query that stand apart, brought together on disk: first in bucket files, then bucket by bucket.

All rows of a query are in the bucket that CRC-32 gives its id, in the order of the file.
"""

from __future__ import annotations

import tempfile
import zlib
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path

import numpy as np
import pyarrow as pa

from rankdash import arrow
from rankdash.comparison import ComparisonError
from rankdash.intake import scratch
from rankdash.tables import Run

#: Bytes of a file whose rows are in memory at once, and how many bucket files there are at most.
_AT_ONCE, _MOST = 1 << 23, 256
#: Bytes that a packed file is taken to hold.
_UNKNOWN = 1 << 30


class DiskError(ComparisonError):
    """The folder for temporary files cannot hold the rows of a run."""


class Scattered:
    """Parts of a run, taken apart by query; ``size`` is the bytes of its file, 0 where these are not known.

    ``query_ids`` are the ids of all rows, each once, in the order in which they came.
    """

    def __init__(self, size: int) -> None:
        self._buckets = min(max((size or _UNKNOWN) // _AT_ONCE, 1), _MOST)
        self._seen: dict[str, None] = {}

    @property
    def query_ids(self) -> pa.Array:
        """The ids of all queries, (l,)."""
        return arrow.from_strings(list(self._seen))

    def lists(self, parts: Iterable[Run]) -> Iterator[Run]:
        """Yield the rows in blocks that have all rows of their queries. DiskError where the disk is full."""
        with tempfile.TemporaryDirectory(dir=scratch.folder()) as folder:
            files = [Path(folder) / str(number) for number in range(self._buckets)]
            try:
                first = self._written(parts, files)
            except OSError as error:
                raise DiskError(
                    f"The rows of a query stand apart, and the folder for temporary files, {tempfile.gettempdir()}, "
                    f"cannot hold them ({error.strerror or error}): free some space, name another folder with TMPDIR, "
                    "or sort the file by query."
                ) from None
            for file in files:
                with pa.OSFile(str(file)) as source:
                    table = pa.ipc.open_stream(source).read_all()
                file.unlink()
                if first is not None and len(table):
                    yield replace(first, table=_encoded(table))

    def _written(self, parts: Iterable[Run], files: Sequence[Path]) -> Run | None:
        """Write the rows to their buckets, and return the first part. OSError where that fails."""
        first: Run | None = None
        with ExitStack() as opened:
            writers: list[pa.RecordBatchStreamWriter] = []
            for part in parts:
                table, edges = self._by_bucket(part.table)
                if first is None:
                    first = part
                    sinks = [opened.enter_context(pa.OSFile(str(file), "wb")) for file in files]
                    writers = [opened.enter_context(pa.ipc.new_stream(sink, table.schema)) for sink in sinks]
                for number in np.flatnonzero(np.diff(edges)).tolist():
                    rows = table.slice(int(edges[number]), int(edges[number + 1] - edges[number]))
                    writers[number].write_table(rows)
        return first

    def _by_bucket(self, table: pa.Table) -> tuple[pa.Table, np.ndarray]:
        """Return the rows sorted by bucket, in each as they stood, and where each bucket begins and the last ends."""
        ids = arrow.one_chunk(table.column("query_id"))
        names, codes = ids.dictionary.to_pylist(), arrow.codes(ids)
        used, first = np.unique(codes, return_index=True)
        self._seen |= dict.fromkeys(names[code] for code in used[np.argsort(first)].tolist())
        bucket = np.array([zlib.crc32(name.encode()) % self._buckets for name in names], np.uint16)[codes]
        order = np.argsort(bucket, kind="stable")
        edges = np.searchsorted(bucket[order], np.arange(self._buckets + 1))
        plain = table.set_column(0, "query_id", ids.dictionary_decode())
        return plain.take(arrow.from_numpy(order)), edges


def _encoded(table: pa.Table) -> pa.Table:
    """Return a table with one chunk per column, its query ids as a dictionary."""
    columns = {name: arrow.one_chunk(table.column(name)) for name in table.column_names}
    ids = columns["query_id"].dictionary_encode()
    return pa.table(
        columns | {"query_id": pa.DictionaryArray.from_arrays(ids.indices, ids.dictionary.cast(pa.string()))}
    )
