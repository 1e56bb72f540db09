"""The per-query table: its values, the records beside them, and its form in Arrow and in a Parquet file."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import field, fields, is_dataclass, replace
from pathlib import Path
from types import UnionType
from typing import Any, Literal, get_args, get_origin, get_type_hints

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from rankdash import arrow
from rankdash.conventions import Convention
from rankdash.judged import Conflict, Findings, Side, all_distinct
from rankdash.metrics import Catalogue, Measure
from rankdash.mistakes import Mistake
from rankdash.notes import Note, from_values, to_values
from rankdash.policy import Policy
from rankdash.records import frozen
from rankdash.scoring.columns import SCHEMA_VERSION, Scope, measure_from_dict, measure_to_dict
from rankdash.system import write_whole
from rankdash.tables import OrderedBy, Source

Array = npt.NDArray[Any]
Ints = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]

#: The key of the records beside the rows in the metadata of an Arrow schema, and so of a Parquet file.
METADATA = b"rankdash.per_query"
#: How a Parquet file begins.
MAGIC = b"PAR1"
#: No value of a measure is larger: its square, added up over queries, is a number.
_LARGEST = 1e150
#: So many names of columns are listed in a message.
_MOST_LISTED = 3


class TableError(ValueError):
    """The table is not a per-query table, or is of another version."""


# --- the records beside the rows --------------------------------------------------------------------------------------


@frozen
class Noticed:
    """What was noticed while lists were put in order and met the judgments.

    ``findings_a`` and ``findings_b`` count over all lists, judged or not. ``repeated`` counts the rows of the judgments
    that say an earlier row again, ``conflicts`` those that contradict an earlier row; ``first`` is the first conflict.
    """

    findings_a: Findings = field(default_factory=Findings)
    findings_b: Findings = field(default_factory=Findings)
    repeated: int = 0
    conflicts: int = 0
    first: Conflict | None = None

    def findings(self, side: Side) -> Findings:
        """Return what was noticed in the lists of A or of B."""
        return self.findings_a if side == "a" else self.findings_b


@frozen
class ScoredRun:
    """A run whose lists are not at hand: its name, what orders its lists, and where it came from."""

    name: str
    ordered_by: OrderedBy
    source: Source


@frozen
class ScoredInputs:
    """What a table was scored from, as reports name it. ``wrong`` is None where nothing has been checked yet."""

    a: ScoredRun
    b: ScoredRun
    judgments: Source
    wrong: tuple[Mistake, ...] | None = None
    policy: Policy | None = None  # the policy that it was scored for
    catalogue: tuple[Catalogue, Catalogue] | None = None  # what the first k of A and B show, where there are items
    undated: int = 0  # judged documents without a date, where there are items

    def run(self, side: Side) -> ScoredRun:
        """Return A or B."""
        return self.a if side == "a" else self.b

    @property
    def of_users(self) -> bool:
        """Whether queries are users and documents are items, as a file says."""
        return any(source.of_users for source in (self.a.source, self.b.source, self.judgments))


#: The inputs of a table that does not say what it was scored from.
UNNAMED = ScoredInputs(ScoredRun("A", "score", Source()), ScoredRun("B", "score", Source()), Source())

#: How records that have a form of their own are written and read.
_FORMS: Mapping[Any, tuple[Callable[[Any], Any], Callable[[Any], Any]]] = {
    Convention: (Convention.spelled_out, Convention().with_axes),
    Measure: (measure_to_dict, measure_from_dict),
    Note: (lambda note: to_values([note])[0], lambda values: from_values([values])[0]),
    Policy: (Policy.to_dict, Policy.from_dict),
}


def _to_json(value: Any) -> Any:
    """Return a record, or a value in one, ready for JSON: the fields by their names."""
    if type(value) in _FORMS:
        return _FORMS[type(value)][0](value)
    if is_dataclass(value):
        return {part.name: _to_json(getattr(value, part.name)) for part in fields(value)}
    return [_to_json(part) for part in value] if isinstance(value, tuple) else value


def _from_json(kind: Any, value: Any) -> Any:
    """Return the value of a kind that ``_to_json`` returned. KeyError, TypeError or ValueError for anything else."""
    origin, inside = get_origin(kind), get_args(kind)
    if kind in _FORMS:
        return _FORMS[kind][1](value)
    if isinstance(kind, type) and is_dataclass(kind):
        kinds = get_type_hints(kind)
        return kind(**{name: _from_json(kinds[name], part) for name, part in value.items()})
    if origin is UnionType:
        return None if value is None else _from_json(inside[0], value)
    if origin is tuple:
        parts = tuple(_from_json(inside[0], part) for part in value)
        if inside[-1] is Ellipsis or len(parts) == len(inside):
            return parts
    elif kind is float and type(value) is int:
        return float(value)
    elif type(value) is kind or (origin is Literal and value in inside):
        return value
    raise TypeError(f"{value!r} is no value of {kind}")


# --- the table --------------------------------------------------------------------------------------------------------


@frozen
class PerQuery(arrow.ByContent):
    """The per-query table. Axis q: the judged queries, each once, in the order in which the judgments name them.

    Made by ``score_queries``, a column is computed when it is first read, with all columns of its part; ``to_arrow``
    reads all of them.
    """

    scope: Scope
    query_ids: pa.Array  # (q,) strings
    columns: Mapping[str, Array]  # (q,) each, by name: in memory, or computed from the lists when first read
    noticed: Noticed = field(default_factory=Noticed)
    inputs: ScoredInputs | None = None  # None: nobody said what it was scored from

    def __len__(self) -> int:
        return len(self.query_ids)

    def __repr__(self) -> str:
        names = "" if self.inputs is None else f"{self.inputs.a.name!r} -> {self.inputs.b.name!r}: "
        measures = ", ".join(measure.name for measure in self.scope.measures)
        return f"PerQuery({names}{len(self):,} {'query' if len(self) == 1 else 'queries'}, {measures})"

    def _content(self) -> tuple[Any, ...]:
        values = tuple(self[name] for name in self.scope.parts)
        return self.scope, self.query_ids, self.noticed, self.inputs, values

    def __hash__(self) -> int:
        return hash((len(self), self.scope.measures))

    def __getitem__(self, name: str) -> Array:
        """Return the values of a column, (q,): int64, float64 or bool. KeyError for a column that does not exist."""
        if name not in self.scope.parts:
            raise KeyError(f"the per-query table has no column {name!r}: it was left out, or never asked for")
        return self.columns[name]

    def pair(self, name: str) -> tuple[Array, Array]:
        """Return the values of a column for A and for B, (q,) each."""
        return self[f"{name}_a"], self[f"{name}_b"]

    def rows(self, reading: str, side: Side | None = None, at: Sequence[int] | None = None) -> tuple[Floats, ...]:
        """Return the values of all measures of a reading, or of some, (q,) each; NaN where undefined or left out."""
        names = self.scope.value_columns(reading, side)
        return tuple(self[name] for name in (names if at is None else [names[row] for row in at]))

    def values(self, reading: str, side: Side | None = None) -> Floats:
        """Return the values of a reading, (measures, q) float64; NaN where undefined or left out."""
        rows = self.rows(reading, side)
        return np.array(rows, np.float64).reshape(len(rows), len(self))

    def neighbour(self, name: str) -> PerQuery | None:
        """Return the table under a setting beside the policy, with what an outcome reads; None where it was not scored
        for that.
        """
        beside = next((neighbour for neighbour in self.scope.neighbours or () if neighbour.name == name), None)
        if beside is None:
            return None
        columns = {own: self[beside.in_table(own)] for own in beside.asked.named}
        return replace(self, scope=beside.asked, columns=columns)

    def computed(self) -> PerQuery:
        """Return the table with every column computed; its lists are no longer needed."""
        return replace(self, columns={name: self[name] for name in self.scope.parts})

    def to_arrow(self) -> pa.Table:
        """Return the table with all columns, ``query_id`` first, no nulls. The metadata of the schema hold the version
        of the columns and the records beside the rows.
        """
        arrays = {name: _to_arrow(self[name]) for name in self.scope.parts}
        records = {
            "version": SCHEMA_VERSION,
            "asked": _to_json(self.scope),
            "noticed": _to_json(self.noticed),
            "inputs": _to_json(self.inputs),
        }
        table = pa.table({"query_id": self.query_ids.cast(pa.string())} | arrays)
        return table.replace_schema_metadata({METADATA: json.dumps(records, ensure_ascii=False)})

    @classmethod
    def from_arrow(cls, table: pa.Table) -> PerQuery:
        """Return the table that ``to_arrow`` returned, with its columns in any order.

        TableError, in one sentence, for any other table: of another version, without a column, or with a query twice.
        """
        empty = read_records(table.schema)
        kinds = {"query_id": pa.string(), **empty.scope.types}
        if missing := [name for name in kinds if name not in table.column_names]:
            raise TableError(f"The table of per-query values lacks {_listed(missing)}.")
        for name, kind in kinds.items():
            if why := _misfit(table.column(name), kind):
                raise TableError(f"In the table of per-query values {name!r} {why}.")
        ids = arrow.one_chunk(table.column("query_id")).cast(pa.string())
        _check_each_once(ids)
        columns = {name: _as_numpy(table.column(name)) for name in empty.scope.types}
        return replace(empty, query_ids=ids, columns=columns)


def read_records(schema: pa.Schema) -> PerQuery:
    """Return the records beside the rows of a table in Arrow, as a table without rows or columns.

    TableError for any other schema, and for one of another version.
    """
    try:
        values = json.loads((schema.metadata or {}).get(METADATA, b""))
        version = values["version"]
    except (KeyError, TypeError, ValueError, RecursionError):
        raise TableError("This is no table of per-query values: its metadata do not say what was scored.") from None
    if version != SCHEMA_VERSION:
        raise TableError(
            f"The table of per-query values has version {version!r}, and this program reads version "
            f"{SCHEMA_VERSION}; score the runs again."
        )
    try:
        scope, noticed = _from_json(Scope, values["asked"]), _from_json(Noticed, values["noticed"])
        inputs = _from_json(ScoredInputs | None, values["inputs"])
        scope.check()
    except (KeyError, TypeError, ValueError, AttributeError, OverflowError, IndexError) as error:
        why = str(error).partition(". ")[0].rstrip(".")
        raise TableError(f"The metadata of the table of per-query values cannot be used: {why}.") from None
    return PerQuery(scope, arrow.from_strings([]), {}, noticed, inputs)


def _listed(names: Sequence[str]) -> str:
    """Return a few names, quoted, and how many more there are."""
    more = len(names) - _MOST_LISTED
    shown = ", ".join(map(repr, names[:_MOST_LISTED]))
    return f"{shown} and {more} more" if more > 0 else shown


def _misfit(column: pa.ChunkedArray, kind: pa.DataType) -> str:
    """Return what is wrong with a column that should be of a kind, as the rest of a sentence; "" where nothing is."""
    same = column.type == kind or (pa.types.is_string(kind) and pa.types.is_large_string(column.type))
    if not same or column.null_count:
        return f"should be {kind}, without a null"
    numbers = column.chunks if pa.types.is_floating(kind) else ()
    if any((np.abs(arrow.as_numpy(chunk)) > _LARGEST).any() for chunk in numbers):
        return f"has a number beyond {_LARGEST:g}"
    return ""


def _check_each_once(ids: pa.Array) -> None:
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


def _as_numpy(column: pa.ChunkedArray) -> Array:
    array = arrow.one_chunk(column)
    return array.to_numpy(zero_copy_only=False) if pa.types.is_boolean(array.type) else arrow.as_numpy(array)


# --- the table as one Parquet file ------------------------------------------------------------------------------------


def save(table: PerQuery, path: Path) -> None:
    """Write a table as a file that is there, whole, or not at all. OSError where it cannot be written."""
    import pyarrow.parquet as pq

    out = pa.BufferOutputStream()
    pq.write_table(table.to_arrow(), out, compression="zstd")
    write_whole(path, out.getvalue())


def is_scored(path: Path) -> bool:
    """Return whether a file is a Parquet file of scored queries, by its schema."""
    import pyarrow.parquet as pq

    try:
        with path.open("rb") as file:
            return file.read(len(MAGIC)) == MAGIC and METADATA in (pq.read_schema(path).metadata or {})
    except (OSError, ValueError, pa.ArrowException):
        return False


def load(path: Path) -> PerQuery:
    """Return the table in a file. TableError for a file that is none or is damaged; OSError where it cannot be read."""
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
