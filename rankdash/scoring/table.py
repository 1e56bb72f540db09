"""The per-query table: its values, the records beside them, and its form in Arrow and in a Parquet file."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any, Literal, Protocol, TypeVar, get_type_hints

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from rankdash import arrow
from rankdash.judged import Conflict, Findings, Side, all_distinct
from rankdash.notes import from_values, to_values
from rankdash.policy import Policy
from rankdash.scoring.columns import OLDER, SCHEMA_VERSION, Neighbour, Outside, Scope
from rankdash.system import write_whole
from rankdash.tables import OrderedBy, Source

Array = npt.NDArray[Any]
#: Names of columns, each with the name of the earlier column that has the same values.
Aliases = Mapping[str, str]

#: Rows by which columns are told apart, before they are compared whole.
_LOOKED_AT = 1_000


@dataclass(frozen=True)
class Arrays:
    """Columns in memory, (q,) each: every distinct one under its first name, and its further names."""

    by_name: Mapping[str, Array]
    aliases: Aliases = field(default_factory=dict)

    @classmethod
    def of(cls, columns: Mapping[str, Array]) -> Arrays:
        """Return the columns; each that equals an earlier column is an alias of it."""
        aliases = aliases_among(columns)
        return cls({name: values for name, values in columns.items() if name not in aliases}, aliases)

    @classmethod
    def concatenated(cls, blocks: Sequence[Arrays], kinds: Mapping[str, Any]) -> Arrays:
        """Return the columns of blocks of queries, one block behind the other; ``kinds`` has the type of each."""
        aliases = aliases_in_all([block.aliases for block in blocks], kinds)
        names = [name for name in kinds if name not in aliases]
        return cls({name: np.concatenate([block.column(name) for block in blocks]) for name in names}, aliases)

    def column(self, name: str) -> Array:
        """Return the values of a column, (q,). KeyError, which says so, for one that the table does not have."""
        stored = self.aliases.get(name, name)
        if stored not in self.by_name:
            raise KeyError(f"the per-query table has no column {name!r}: it was left out, or never asked for")
        return self.by_name[stored]

    @property
    def at_hand(self) -> Collection[str]:
        """The names of all columns, aliases too."""
        return self.by_name.keys() | self.aliases.keys()

    def each(self, change: Callable[[Array], Array]) -> Arrays:
        """Return the columns, the rows of each moved or cut in the same way."""
        return Arrays({name: change(values) for name, values in self.by_name.items()}, self.aliases)


def aliases_among(columns: Mapping[str, Array]) -> Aliases:
    """Return which columns equal an earlier one, bit for bit: -0.0 is not 0.0, and NaN is itself."""
    aliases: dict[str, str] = {}
    alike: dict[tuple[str, bytes], list[str]] = {}
    for name, values in columns.items():
        some = values[:: max(1, len(values) // _LOOKED_AT)].tobytes()
        earlier = alike.setdefault((values.dtype.str, some), [])
        twin = next((other for other in earlier if np.array_equal(_bits(columns[other]), _bits(values))), None)
        if twin is None:
            earlier.append(name)
        else:
            aliases[name] = twin
    return aliases


def aliases_in_all(of_parts: Iterable[Aliases], kinds: Mapping[str, Any]) -> Aliases:
    """Return which columns of a table equal an earlier one in each of its parts; ``kinds`` has the type of each column,
    in order.
    """
    parts = list(of_parts)
    stored = {name: (kind, *(part.get(name, name) for part in parts)) for name, kind in kinds.items()}
    first = {where: name for name, where in reversed(list(stored.items()))}
    return {name: first[where] for name, where in stored.items() if first[where] != name}


def _bits(values: Array) -> Array:
    return values.view(f"u{values.itemsize}")


@dataclass(frozen=True)
class Noticed:
    """What was noticed while lists were put in order and met the judgments. Blocks of queries add up.

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

    def __add__(self, other: Noticed) -> Noticed:
        firsts = [conflict for conflict in (self.first, other.first) if conflict is not None]
        return Noticed(
            self.findings_a + other.findings_a,
            self.findings_b + other.findings_b,
            self.repeated + other.repeated,
            self.conflicts + other.conflicts,
            min(firsts, key=lambda conflict: conflict.row, default=None),
        )

    def to_dict(self) -> dict[str, Any]:
        """Return the record by names, JSON-ready."""
        return asdict(self)

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> Noticed:
        """Return the record that ``to_dict`` returned. KeyError, TypeError or ValueError for anything else."""
        first = values["first"]
        return cls(
            _record(Findings, values["findings_a"]),
            _record(Findings, values["findings_b"]),
            int(values["repeated"]),
            int(values["conflicts"]),
            None if first is None else _record(Conflict, first),
        )


@dataclass(frozen=True)
class ScoredRun:
    """A run whose lists are not at hand: its name, what orders its lists, and where it came from."""

    name: str
    ordered_by: OrderedBy
    source: Source


@dataclass(frozen=True)
class InputMistake:
    """What is wrong between the inputs, in one sentence, and the input that it is about: "a", "b" or "judgments".
    ``fatal``: no result would be meaningful.
    """

    input: Literal["a", "b", "judgments"]
    sentence: str
    fatal: bool


@dataclass(frozen=True)
class ScoredInputs:
    """What a table was scored from, as reports name it. ``wrong`` is None where nothing has been checked yet."""

    a: ScoredRun
    b: ScoredRun
    judgments: Source
    wrong: tuple[InputMistake, ...] | None = None
    policy: Policy | None = None  # the policy that it was scored for

    def run(self, side: Side) -> ScoredRun:
        """Return A or B."""
        return self.a if side == "a" else self.b

    def to_dict(self) -> dict[str, Any]:
        """Return the record by names, JSON-ready."""
        return {
            **{side: {**asdict(self.run(side)), "source": _plain(self.run(side).source)} for side in ("a", "b")},
            "judgments": _plain(self.judgments),
            "wrong": None if self.wrong is None else [asdict(mistake) for mistake in self.wrong],
            "policy": None if self.policy is None else self.policy.to_dict(),
        }

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> ScoredInputs:
        """Return the record that ``to_dict`` returned. KeyError, TypeError or ValueError for anything else."""
        a, b = (_run_from(values[side]) for side in ("a", "b"))
        given = values["wrong"]
        wrong = None if given is None else tuple(_record(InputMistake, mistake) for mistake in given)
        policy = None if values["policy"] is None else Policy.from_dict(values["policy"])
        return cls(a, b, _source_from(values["judgments"]), wrong, policy)


#: The inputs of a table that does not say what it was scored from.
UNNAMED = ScoredInputs(ScoredRun("A", "score", Source()), ScoredRun("B", "score", Source()), Source())


_Record = TypeVar("_Record", Findings, Conflict, Source, InputMistake)


def _run_from(values: Mapping[str, Any]) -> ScoredRun:
    if values["ordered_by"] not in ("score", "rank", "position"):
        raise ValueError(f"lists ordered by {values['ordered_by']!r}")
    return ScoredRun(str(values["name"]), values["ordered_by"], _source_from(values["source"]))


def _plain(source: Source) -> dict[str, Any]:
    return {**asdict(source), "notes": to_values(source.notes)}


def _source_from(values: Mapping[str, Any]) -> Source:
    return _record(Source, {**values, "notes": from_values(values["notes"])})


def _record(kind: type[_Record], values: Mapping[str, Any]) -> _Record:
    """Return a record of plain values. TypeError for a value that is not of the type of its field."""
    types = get_type_hints(kind)
    for name, value in values.items():
        expected = types.get(name)
        plain = value if expected is not float or isinstance(value, bool) else float(value)
        if expected in (str, int, float, bool) and type(plain) is not expected:
            raise TypeError(f"{name!r} is {value!r}")
    return kind(**values)


#: So many names of columns are listed in a message.
_MOST_LISTED = 3


class TableError(ValueError):
    """The table is not a per-query table, is of another version, or does not fit the other blocks."""


@dataclass(frozen=True)
class Header:
    """The records beside the rows of a table."""

    scope: Scope
    outside: Outside
    noticed: Noticed
    inputs: ScoredInputs | None

    def to_json(self) -> str:
        """Return the header as JSON, with the version of the columns."""
        values = {
            "version": SCHEMA_VERSION,
            "asked": self.scope.to_dict(),
            "outside": vars(self.outside),
            "noticed": self.noticed.to_dict(),
            "inputs": None if self.inputs is None else self.inputs.to_dict(),
        }
        return json.dumps(values, ensure_ascii=False)

    @classmethod
    def from_json(cls, text: str | bytes | None) -> Header:
        """Return the header that ``to_json`` wrote. TableError for any other text, and for another version."""
        try:
            values = json.loads(text or b"")
            version = values["version"]
        except (KeyError, TypeError, ValueError):
            raise TableError("This is no table of per-query values: its metadata do not say what was scored.") from None
        if version in OLDER:
            _leave_out(values, OLDER[version])
        elif version != SCHEMA_VERSION:
            raise TableError(
                f"The table of per-query values has version {version!r}, and this program reads version "
                f"{SCHEMA_VERSION}; score the runs again."
            )
        return _checked(values)

    @classmethod
    def of_all(cls, headers: Sequence[Header]) -> Header:
        """Return the header of several blocks together; the inputs are those of the first block.

        TableError where the blocks were scored for different things, and without any block.
        """
        if not headers:
            raise TableError("There is no block of per-query values to put together.")
        first = headers[0].scope
        for at, header in enumerate(headers):
            if header.scope is not first and header.scope != first:
                there, here = first.to_dict(), header.scope.to_dict()
                raise TableError(
                    f"Blocks 1 and {at + 1} of the per-query values were scored with different "
                    f"{listed([name for name, value in here.items() if value != there[name]])}."
                )
        return cls(
            first,
            sum((header.outside for header in headers), Outside()),
            sum((header.noticed for header in headers), Noticed()),
            headers[0].inputs,
        )


def _leave_out(records: Any, parts: Sequence[str]) -> None:
    """Add the parts that an earlier version lacks to its records, and to those of the settings beside the policy."""
    try:
        beside = records["asked"]["neighbours"] or ()
        for scope in (records["asked"], *(setting["asked"] for setting in beside)):
            scope["without"] = sorted({*scope["without"], *parts})
    except (KeyError, TypeError):
        return  # ``_checked`` says what is wrong


def _checked(records: Any) -> Header:
    try:
        outside = Outside(**{name: (int(a), int(b)) for name, (a, b) in records["outside"].items()})
        inputs = None if records["inputs"] is None else ScoredInputs.from_dict(records["inputs"])
        return Header(Scope.from_dict(records["asked"]), outside, Noticed.from_dict(records["noticed"]), inputs)
    except (KeyError, TypeError, ValueError, AttributeError, OverflowError, IndexError) as error:
        why = str(error).partition(". ")[0].rstrip(".")
        raise TableError(f"The metadata of the table of per-query values cannot be used: {why}.") from None


def listed(names: Sequence[str]) -> str:
    """Return a few names, quoted, and how many more there are."""
    more = len(names) - _MOST_LISTED
    shown = ", ".join(map(repr, names[:_MOST_LISTED]))
    return f"{shown} and {more} more" if more > 0 else shown


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


MAGIC = b"PAR1"


def save(table: PerQuery, path: Path) -> None:
    """Write a table as a file that is there, whole, or not at all. OSError where it cannot be written."""
    import pyarrow.parquet as pq

    out = pa.BufferOutputStream()
    pq.write_table(table.to_arrow(), out, compression="zstd")
    write_whole(path, out.getvalue())


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
