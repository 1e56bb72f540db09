"""The columns of a per-query table that is stored in several parts, each column read when it is first used."""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from itertools import accumulate
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from rankdash.arrow import from_numpy, one_chunk
from rankdash.records.lazy import cached_property
from rankdash.scoring.columns import Scope
from rankdash.scoring.table import (
    Aliases,
    Array,
    Header,
    PerQuery,
    TableError,
    aliases_in_all,
    as_numpy,
    check_each_once,
    misfit,
)

#: Parts that are read at a time: a thread per part takes less than Arrow's thread per column.
_READERS = min(4, os.cpu_count() or 1)
#: The parts whose columns are read once, and not kept.
_READ_ONCE = frozenset({"tie_ends", "next_grade"})
_DTYPES: Mapping[pa.DataType, Any] = {pa.int64(): np.int64, pa.float64(): np.float64, pa.bool_(): np.bool_}


@dataclass(frozen=True)
class TablePart:
    """Some queries of a table: how many, which of their columns equal others, and what reads a stored column."""

    label: str  # what messages say behind the name of a column: " of " and a file
    rows: int
    aliases: Aliases
    read: Callable[[str], pa.ChunkedArray]


@dataclass(frozen=True)
class Parts:
    """The columns of a table in parts. Those of settings beside the policy are not kept."""

    scope: Scope
    parts: tuple[TablePart, ...]
    broken: Callable[[str], TableError]  # what is wrong -> the error for parts that are not as they were written
    order: npt.NDArray[np.int64] | None = None  # of the queries, where the parts are not in the order of the judgments
    _read: dict[str, Array] = field(default_factory=dict, repr=False, compare=False)

    @cached_property
    def aliases(self) -> Aliases:
        """Return the columns that equal an earlier one in every part."""
        return aliases_in_all([part.aliases for part in self.parts], self.scope.types)

    def column(self, name: str) -> Array:
        """Return the values of a column, (q,). KeyError for one that the table does not have."""
        stored = self.aliases.get(name, name)
        if stored in self._read:
            return self._read[stored]
        if stored not in self.scope.types:
            raise KeyError(f"{name!r} was left out of these per-query values, or never asked for")
        values = self._values(stored, self.scope.types[stored])
        if stored in self.scope.beside or self.scope.parts[stored] in _READ_ONCE:
            return values
        return self._read.setdefault(stored, values)

    @property
    def at_hand(self) -> Collection[str]:
        """The names of all columns of the table."""
        return self.scope.types.keys()

    def per_query(self, header: Header, order: Callable[[Parts, pa.Array], Array | None] | None = None) -> PerQuery:
        """Return the table with these columns. ``order`` takes the ids as they are read, and returns the order of the
        queries; None: as they are read. TableError where the ids cannot be read, or a query stands twice.
        """
        ids = one_chunk(self.chunks("query_id", pa.string())).cast(pa.string())
        check_each_once(ids)
        rows = None if order is None else order(self, ids)
        if rows is not None:
            ids = ids.take(from_numpy(rows))
        columns = replace(self, order=rows, _read={})
        return PerQuery(header.scope, ids, header.outside, columns, header.noticed, header.inputs)

    def chunks(self, name: str, kind: pa.DataType) -> pa.ChunkedArray:
        """Return a column as it stands in the parts. TableError where it cannot be read."""
        columns: list[pa.ChunkedArray] = self._of_each(lambda part, _: self._column(part, name, kind))
        return pa.chunked_array([chunk.cast(kind) for column in columns for chunk in column.chunks], kind)

    def _values(self, name: str, kind: pa.DataType) -> Array:
        """Return a column. Each part is copied to its place when it is read, so that the next can use its memory."""
        values = np.empty(sum(part.rows for part in self.parts), _DTYPES[kind])

        def put(part: TablePart, start: int) -> None:
            values[start : start + part.rows] = as_numpy(self._column(part, name, kind))

        self._of_each(put)
        ordered = values if self.order is None else values[self.order]
        ordered.flags.writeable = False
        return ordered

    def _of_each(self, work: Callable[[TablePart, int], Any]) -> list[Any]:
        """Return what ``work`` returns for each part and the row at which the part begins."""
        if not self.parts:
            raise self.broken("it has no parts")
        starts = list(accumulate((part.rows for part in self.parts[:-1]), initial=0))
        if len(self.parts) == 1:
            return [work(self.parts[0], 0)]
        with ThreadPoolExecutor(_READERS, "rankdash-parts") as readers:
            return list(readers.map(work, self.parts, starts))

    def _column(self, part: TablePart, name: str, kind: pa.DataType) -> pa.ChunkedArray:
        try:
            column = part.read(part.aliases.get(name, name))
        except (pa.ArrowException, OSError, KeyError) as error:
            why = " ".join(str(error).split())[:200].rstrip(".") or type(error).__name__
            raise self.broken(f"{name!r}{part.label} cannot be read ({why})") from None
        if len(column) != part.rows:
            raise self.broken("its parts have another number of queries than the manifest")
        if why := misfit(column, kind):
            raise self.broken(f"{name!r} {why}")
        return column


def read_column(file: pa.NativeFile, footer: Any, name: str, piece: int | None = None) -> tuple[pa.ChunkedArray, Any]:
    """Return a column of a Parquet file, or of one of its row groups, and the file's footer. Errors as Arrow has them,
    KeyError for a column that is not there.
    """
    import pyarrow.parquet as pq  # loading it costs more than a small comparison

    parquet = pq.ParquetFile(file, metadata=footer, page_checksum_verification=True)
    # For a name with a point Parquet reads every column whose name begins with it.
    if piece is None:
        return parquet.read(columns=[name], use_threads=False).column(name), parquet.metadata
    return parquet.read_row_group(piece, columns=[name], use_threads=False).column(name), footer
