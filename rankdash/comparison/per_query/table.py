"""The per-query table itself: its values, its form in Arrow with the checks on the way in, and its blocks."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from rankdash import arrow
from rankdash.comparison.per_query.asked import Asked, Outside
from rankdash.comparison.per_query.columns import SCHEMA_VERSION
from rankdash.judged import Side

Array = npt.NDArray[Any]
Floats = npt.NDArray[np.float64]

#: The key of the header in the metadata of an Arrow schema, and so of a Parquet file.
METADATA = b"rankdash.per_query"
#: So many names of columns are listed in a message.
_MOST_LISTED = 3


class TableError(ValueError):
    """The table is not a per-query table, is of another version, or does not fit the other blocks."""


class Columns(Protocol):
    """Where the values of a table come from: arrays that are there, or lists that they are computed of."""

    def column(self, name: str) -> Array:
        """Return the values of a column, (q,)."""


@dataclass(frozen=True)
class Arrays:
    """Columns that are there."""

    by_name: Mapping[str, Array]

    def column(self, name: str) -> Array:
        """Return the values of a column, (q,)."""
        return self.by_name[name]


@dataclass(frozen=True)
class PerQuery:
    """The per-query table. Axis q: the judged queries, each once, in the order in which the judgments name them.

    Made by ``score_queries``, a column is computed when it is first read, with all columns of its part; ``to_arrow``
    reads all of them.
    """

    asked: Asked
    query_ids: pa.Array  # (q,) strings
    outside: Outside
    columns: Columns

    def __len__(self) -> int:
        return len(self.query_ids)

    def __getitem__(self, name: str) -> Array:
        """Return the values of a column, (q,): int64, float64 or bool. KeyError for a column that does not exist."""
        return self.columns.column(name)

    def pair(self, name: str) -> tuple[Array, Array]:
        """Return the values of a column for A and for B, (q,) each."""
        return self[f"{name}_a"], self[f"{name}_b"]

    def values(self, reading: str, side: Side | None = None) -> Floats:
        """Return the values of a reading, (measures, q) float64; NaN where undefined or left out."""
        rows = [self[name] for name in self.asked.value_columns(reading, side)]
        return np.array(rows, np.float64).reshape(len(rows), len(self))

    def total(self, name: str) -> tuple[int, int]:
        """Return the sum of duplicates, tied_rows or by_rank for A and for B, over all lists, judged or not."""
        a, b = self.pair(name)
        outside_a, outside_b = getattr(self.outside, name)
        return int(a.sum()) + outside_a, int(b.sum()) + outside_b

    def to_arrow(self) -> pa.Table:
        """Return the table with all columns, ``query_id`` first, no nulls; its schema's metadata hold the version and
        both records.
        """
        names = list(self.asked.parts)
        arrays = [_to_arrow(self[name]) for name in names]
        told = {"version": SCHEMA_VERSION, "asked": self.asked.to_dict(), "outside": vars(self.outside)}
        table = pa.Table.from_arrays([self.query_ids.cast(pa.string()), *arrays], names=["query_id", *names])
        return table.replace_schema_metadata({METADATA: json.dumps(told, ensure_ascii=False)})

    @classmethod
    def from_arrow(cls, table: pa.Table) -> PerQuery:
        """Return the table that ``to_arrow`` returned, with its columns in any order.

        TableError, in one sentence, for any other table: of another version, without a column, or with a query twice.
        """
        asked, outside = _records_of(table)
        columns = {"query_id": pa.string(), **asked.types}
        missing = [name for name in columns if name not in table.column_names]
        if missing:
            raise TableError(f"The table of per-query values lacks {_listed(missing)}.")
        wrong = [name for name, kind in columns.items() if not _fits(table.column(name), kind)]
        if wrong:
            kind = columns[wrong[0]]
            raise TableError(f"In the table of per-query values {_listed(wrong)} should be {kind}, without a null.")
        ids = arrow.one_chunk(table.column("query_id")).cast(pa.string())
        _check_each_once(ids)
        return cls(asked, ids, outside, Arrays({name: _as_numpy(table.column(name)) for name in asked.parts}))

    @classmethod
    def concatenated(cls, blocks: Sequence[PerQuery]) -> PerQuery:
        """Return one table of several blocks of queries that were scored for the same things.

        TableError where they were not, where two blocks have the same query, and without any block.
        """
        if not blocks:
            raise TableError("There is no block of per-query values to put together.")
        first = blocks[0].asked
        for at, block in enumerate(blocks):
            differ = [name for name, value in block.asked.to_dict().items() if value != first.to_dict()[name]]
            if differ:
                raise TableError(
                    f"Blocks 1 and {at + 1} of the per-query values were scored with different {_listed(differ)}."
                )
        ids = arrow.one_chunk(pa.chunked_array([block.query_ids.cast(pa.string()) for block in blocks]))
        _check_each_once(ids)
        arrays = {name: np.concatenate([block[name] for block in blocks]) for name in first.parts}
        return cls(first, ids, sum((block.outside for block in blocks), Outside()), Arrays(arrays))

    def blocks(self, size: int) -> Iterator[PerQuery]:
        """Yield the table in blocks of at most ``size`` queries; counts over queries without judgments go with the
        first.
        """
        for start in range(0, max(len(self), 1), size):
            part = slice(start, start + size)
            arrays = Arrays({name: self[name][part] for name in self.asked.parts})
            yield PerQuery(self.asked, self.query_ids[part], Outside() if start else self.outside, arrays)


def _records_of(table: pa.Table) -> tuple[Asked, Outside]:
    """Return the header of a table. TableError where it has none, or one of another version."""
    try:
        told = json.loads((table.schema.metadata or {})[METADATA])
        version = told["version"]
    except (KeyError, TypeError, ValueError):
        raise TableError("This is no table of per-query values: its metadata do not say what was scored.") from None
    if version != SCHEMA_VERSION:
        raise TableError(
            f"The table of per-query values has version {version!r}, and this program reads version {SCHEMA_VERSION}; "
            "score the runs again."
        )
    try:
        outside = Outside(**{name: (int(a), int(b)) for name, (a, b) in told["outside"].items()})
        return Asked.from_dict(told["asked"]), outside
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        why = str(error).partition(". ")[0].rstrip(".")
        raise TableError(f"The metadata of the table of per-query values cannot be used: {why}.") from None


def _fits(column: pa.ChunkedArray, kind: pa.DataType) -> bool:
    same = column.type == kind or (pa.types.is_string(kind) and pa.types.is_large_string(column.type))
    return same and not column.null_count


def _check_each_once(ids: pa.Array) -> None:
    if len(ids.unique()) < len(ids):
        ((query, _),) = Counter(ids.to_pylist()).most_common(1)
        raise TableError(
            f"The query {query!r} stands twice in the table of per-query values, and each has to be scored as a whole."
        )


def _listed(names: Sequence[str]) -> str:
    more = len(names) - _MOST_LISTED
    listed = ", ".join(map(repr, names[:_MOST_LISTED]))
    return f"{listed} and {more} more" if more > 0 else listed


def _to_arrow(values: Array) -> pa.Array:
    if values.dtype != np.bool_:
        return arrow.from_numpy(values)
    bits = np.packbits(values, bitorder="little")
    return pa.Array.from_buffers(pa.bool_(), len(values), [None, pa.py_buffer(bits)])


def _as_numpy(column: pa.ChunkedArray) -> Array:
    array = arrow.one_chunk(column)
    if not pa.types.is_boolean(array.type):
        return arrow.as_numpy(array)
    if not len(array):
        return np.zeros(0, bool)
    packed, end = np.frombuffer(array.buffers()[1], np.uint8), array.offset + len(array)
    return np.unpackbits(packed, count=end, bitorder="little")[array.offset :].astype(bool)
