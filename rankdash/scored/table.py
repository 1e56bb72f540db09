"""The per-query table itself: its values, its form in Arrow with the checks on the way in, and its blocks."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from rankdash import arrow
from rankdash.judged import Side, all_distinct
from rankdash.scored.aliases import Aliases, Array, Arrays
from rankdash.scored.header import Header, TableError, listed
from rankdash.scored.noticed import Noticed, ScoredInputs
from rankdash.scored.scope import Neighbour, Outside, Scope

Ints = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]

#: The keys of the header and of the aliases in the metadata of an Arrow schema, and so of a Parquet file.
METADATA, ALIASES = b"rankdash.per_query", b"rankdash.per_query.aliases"
#: The column of ``PerQuery.places``, where a table has them.
PLACES = "place"
#: No value of a measure is larger: its square, added up over queries, is a number.
_LARGEST = 1e150


class ColumnSource(Protocol):
    """Where the values of a table come from: arrays in memory, files, or lists from which they are computed."""

    def column(self, name: str) -> Array:
        """Return the values of a column, (q,)."""

    @property
    def at_hand(self) -> Collection[str]:
        """The names of the columns that need not be computed, or not again."""


@dataclass(frozen=True)
class Beside:
    """The columns under a setting beside the policy, among those of the table."""

    columns: ColumnSource
    beside: Neighbour
    aliases: Aliases  # of the table

    def column(self, name: str) -> Array:
        """Return the values of a column, (q,). KeyError for one that this setting does not have."""
        if name not in self.beside.scope.named:
            raise KeyError(f"{name!r} was not scored for {self.beside.name}")
        return self.columns.column(self._in_table(name))

    @property
    def at_hand(self) -> Collection[str]:
        """The names of its columns that are at hand in the table."""
        there = self.columns.at_hand
        return {name for name in self.beside.scope.named if self._in_table(name) in there}

    def _in_table(self, name: str) -> str:
        stored = self.beside.in_table(name)
        return self.aliases.get(stored, stored)


@dataclass(frozen=True, eq=False)
class PerQuery(arrow.ByContent):
    """The per-query table. Axis q: the judged queries, each once, in the order in which the judgments name them.

    ``places`` of a block tell where the judgments of the whole name each query first; ``in_order`` puts them so. Made
    by ``score_queries``, a column is computed when it is first read, with all columns of its part; ``to_arrow`` reads
    all of them.
    """

    scope: Scope
    query_ids: pa.Array  # (q,) strings
    outside: Outside
    columns: ColumnSource
    noticed: Noticed = field(default_factory=Noticed)
    inputs: ScoredInputs | None = None  # None: nobody said what it was scored from
    places: Ints | None = None  # (q,); None: the queries are in the order of the whole

    def __len__(self) -> int:
        return len(self.query_ids)

    def __repr__(self) -> str:
        names = "" if self.inputs is None else f"{self.inputs.a.name!r} -> {self.inputs.b.name!r}: "
        measures = ", ".join(measure.name for measure in self.scope.measures)
        return f"PerQuery({names}{len(self):,} {'query' if len(self) == 1 else 'queries'}, {measures})"

    def _content(self) -> tuple[Any, ...]:
        values = tuple(self[name] for name in self.scope.parts)
        return self.scope, self.query_ids, self.outside, self.noticed, self.inputs, self.places, values

    def __hash__(self) -> int:
        return hash((len(self), self.scope.measures))

    def __getitem__(self, name: str) -> Array:
        """Return the values of a column, (q,): int64, float64 or bool. KeyError for a column that does not exist."""
        return self.columns.column(self.scope.aliases.get(name, name))

    def pair(self, name: str) -> tuple[Array, Array]:
        """Return the values of a column for A and for B, (q,) each."""
        return self[f"{name}_a"], self[f"{name}_b"]

    def values(self, reading: str, side: Side | None = None) -> Floats:
        """Return the values of a reading, (measures, q) float64; NaN where undefined or left out."""
        rows = [self[name] for name in self.scope.value_columns(reading, side)]
        return stacked(rows).reshape(len(rows), len(self))

    def rows(self, reading: str, side: Side, at: Sequence[int]) -> tuple[Floats, ...]:
        """Return the values of some measures of a reading, (q,) each, as they stand in the table."""
        names = self.scope.value_columns(reading, side)
        return tuple(self[names[row]] for row in at)

    def total(self, name: str) -> tuple[int, int]:
        """Return the sum of duplicates, tied_rows or by_rank for A and for B, over all lists, judged or not."""
        a, b = self.pair(name)
        outside_a, outside_b = getattr(self.outside, name)
        return int(a.sum()) + outside_a, int(b.sum()) + outside_b

    def neighbour(self, name: str) -> PerQuery | None:
        """Return the table under a setting beside the policy, with what an outcome reads; None where it does not exist.

        TableError where the table was scored without such settings.
        """
        if self.scope.neighbours is None:
            raise TableError("The per-query values were scored without the settings beside their policy.")
        beside = next((neighbour for neighbour in self.scope.neighbours if neighbour.name == name), None)
        if beside is None:
            return None
        return replace(self, scope=beside.scope, columns=Beside(self.columns, beside, self.scope.aliases))

    @property
    def at_hand(self) -> tuple[str, ...]:
        """The names of the columns beside ``query_id`` that were computed already, in the order of the table."""
        there = self.columns.at_hand
        return tuple(name for name in self.scope.parts if name in there)

    def computed(self) -> PerQuery:
        """Return the table with every column computed; the lists that it was scored from are no longer needed."""
        return replace(self, columns=self._arrays())

    def _arrays(self, names: Collection[str] | None = None) -> Arrays:
        """Return all columns, or some, each of them once."""
        if names is None and isinstance(self.columns, Arrays):
            return self.columns
        return Arrays.of({name: self[name] for name in self.scope.parts if names is None or name in names})

    def in_order(self) -> PerQuery:
        """Return the table with its queries in the order in which the judgments of the whole name them."""
        if self.places is None:
            return self
        order = np.argsort(self.places, kind="stable")
        ids = self.query_ids.take(arrow.from_numpy(order))
        columns = self._arrays().each(lambda values: values[order])
        return replace(self, query_ids=ids, columns=columns, places=None)

    def by_id(self) -> PerQuery:
        """Return the table with its queries in the order of the bytes of their ids."""
        order = pc.array_sort_indices(self.query_ids).cast(pa.int64())
        places = np.empty(len(self), np.int64)
        places[arrow.as_numpy(order)] = np.arange(len(self))
        return replace(self, places=places).in_order()

    @property
    def header(self) -> Header:
        """The records beside the rows."""
        return Header(self.scope, self.outside, self.noticed, self.inputs)

    def to_arrow(self, names: Collection[str] | None = None) -> pa.Table:
        """Return the table with all columns, or with some (``names``), ``query_id`` first, no nulls.

        A column that equals an earlier one is not among them: the metadata of the schema name both, beside the version
        and the records beside the rows.
        """
        stored = self._arrays(names)
        arrays = {name: _to_arrow(values) for name, values in stored.by_name.items()}
        if self.places is not None:
            arrays[PLACES] = arrow.from_numpy(self.places)
        table = pa.table({"query_id": self.query_ids.cast(pa.string())} | arrays)
        return table.replace_schema_metadata({METADATA: self.header.to_json(), ALIASES: json.dumps(stored.aliases)})

    @classmethod
    def from_arrow(cls, table: pa.Table, *, in_part: bool = False) -> PerQuery:
        """Return the table that ``to_arrow`` returned, with its columns in any order; ``in_part``: also one with some
        of them.

        TableError, in one sentence, for any other table: of another version, without a column, or with a query twice.
        """
        header, aliases = described(table.schema)
        kinds = header.scope.types
        names = [name for name in kinds if name not in aliases and (not in_part or name in table.column_names)]
        check_there(["query_id", *names, *aliases.values()], table.column_names)
        for name, kind in [("query_id", pa.string()), *((name, kinds[name]) for name in names)]:
            if why := misfit(table.column(name), kind):
                raise TableError(f"In the table of per-query values {name!r} {why}.")
        ids = arrow.one_chunk(table.column("query_id")).cast(pa.string())
        check_each_once(ids)
        arrays = Arrays({name: as_numpy(table.column(name)) for name in names}, aliases)
        places = as_numpy(table.column(PLACES)) if PLACES in table.column_names else None
        return cls(header.scope, ids, header.outside, arrays, header.noticed, header.inputs, places)

    @classmethod
    def concatenated(cls, blocks: Sequence[PerQuery]) -> PerQuery:
        """Return one table of several blocks of queries that were scored for the same things.

        Its inputs are those of the first block. TableError where the blocks were scored for different things, where two
        of them have the same query, and without any block.
        """
        header = Header.of_all([block.header for block in blocks])
        ids = arrow.one_chunk(pa.chunked_array([block.query_ids.cast(pa.string()) for block in blocks]))
        check_each_once(ids)
        arrays = Arrays.concatenated([block._arrays() for block in blocks], header.scope.types)
        places = [block.places for block in blocks if block.places is not None]
        together = np.concatenate(places) if len(places) == len(blocks) else None
        return cls(header.scope, ids, header.outside, arrays, header.noticed, header.inputs, together)

    def blocks(self, size: int) -> Iterator[PerQuery]:
        """Yield the table in blocks of at most ``size`` queries; what adds up goes with the first."""
        whole = self._arrays()
        for start in range(0, max(len(self), 1), size):
            part = slice(start, start + size)
            yield replace(
                self,
                query_ids=self.query_ids[part],
                columns=whole.each(lambda values, part=part: values[part]),  # type: ignore[misc]
                outside=Outside() if start else self.outside,
                noticed=Noticed() if start else self.noticed,
                places=None if self.places is None else self.places[part],
            )


def described(schema: pa.Schema) -> tuple[Header, Aliases]:
    """Return the header and the aliases in the schema of a table. TableError for any other schema or version."""
    metadata = schema.metadata or {}
    header = Header.from_json(metadata.get(METADATA))
    try:
        aliases = json.loads(metadata.get(ALIASES, b"{}"))
        kinds = header.scope.types
        if all(kinds[name] == kinds[other] and other not in aliases for name, other in aliases.items()):
            return header, aliases
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        pass
    raise TableError("The table of per-query values names columns that are others, and they cannot be.")


def check_there(names: Iterable[str], there: Collection[str]) -> None:
    """Raise TableError for columns that a table does not have."""
    if missing := [name for name in dict.fromkeys(names) if name not in there]:
        raise TableError(f"The table of per-query values lacks {listed(missing)}.")


def stacked(rows: Sequence[Floats]) -> Floats:
    """Return rows of equal length as a single array, (rows, q). Where they are successive rows of an array, it is a
    view of that array, and nothing is copied.
    """
    whole = rows[0].base if rows else None
    if isinstance(whole, np.ndarray) and whole.ndim == 2 and whole.dtype == np.float64 and whole.flags.c_contiguous:
        first = (_address(rows[0]) - _address(whole)) // max(whole.strides[0], 1)
        part = whole[first : first + len(rows)]
        if [_place(row) for row in part] == [_place(row) for row in rows]:
            return part
    return np.array(rows, np.float64)


def _place(row: Array) -> tuple[int, Any, Any]:
    return _address(row), row.shape, row.strides


def _address(values: Array) -> int:
    return int(values.__array_interface__["data"][0])


def misfit(column: pa.ChunkedArray, kind: pa.DataType) -> str:
    """Return what is wrong with a column that should be of a kind, as the rest of a sentence; "" where nothing is."""
    same = column.type == kind or (pa.types.is_string(kind) and pa.types.is_large_string(column.type))
    if not same or column.null_count:
        return f"should be {kind}, without a null"
    numbers = column.chunks if pa.types.is_floating(kind) else ()
    if any(_is_large(arrow.as_numpy(chunk)) for chunk in numbers):
        return f"has a number beyond {_LARGEST:g}"
    return ""


def _is_large(values: Floats) -> bool:
    """Return whether a number is beyond the largest; NaN is not."""
    if not len(values) or (values.max() <= _LARGEST and values.min() >= -_LARGEST):
        return False  # with a NaN both ends are NaN, and the next line decides
    return bool((np.abs(values) > _LARGEST).any())


def check_each_once(ids: pa.Array) -> None:
    """Raise TableError for a query that stands twice."""
    if not all_distinct(ids):
        ((query, _),) = Counter(ids.to_pylist()).most_common(1)
        raise TableError(
            f"The query {query!r} stands twice in the table of per-query values, and each has to be scored as a whole."
        )


def _to_arrow(values: Array) -> pa.Array:
    if values.dtype != np.bool_:
        return arrow.from_numpy(values)
    bits = np.packbits(values, bitorder="little")
    return pa.Array.from_buffers(pa.bool_(), len(values), [None, pa.py_buffer(bits)])


def as_numpy(column: pa.ChunkedArray) -> Array:
    """Return the values of a column of the table, (q,): int64, float64 or bool."""
    array = arrow.one_chunk(column)
    if not pa.types.is_boolean(array.type):
        return arrow.as_numpy(array)
    if not len(array):
        return np.zeros(0, bool)
    packed, end = np.frombuffer(array.buffers()[1], np.uint8), array.offset + len(array)
    return np.unpackbits(packed, count=end, bitorder="little")[array.offset :].astype(bool)
