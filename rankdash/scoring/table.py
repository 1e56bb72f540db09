"""The per-query table: its columns, as declared tables, its values, the records beside them, and its form in Arrow and
in a Parquet file.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import field, fields, is_dataclass, replace
from pathlib import Path
from types import MappingProxyType, UnionType
from typing import Any, Literal, get_args, get_origin, get_type_hints

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from rankdash import arrow
from rankdash.conventions import Convention, Gains, preset
from rankdash.judged import SIDES, Conflict, Side, all_distinct
from rankdash.metrics import DEFINITIONS, Catalogue, Measure, MeasureError, parse_measure, parse_measures
from rankdash.metrics.lists import gains
from rankdash.mistakes import Mistake
from rankdash.notes import Findings, Note, from_values, to_values
from rankdash.policy import Policy, PolicyError
from rankdash.records import cached_property, frozen
from rankdash.system import write_whole
from rankdash.tables import OrderedBy, Source

Kind = Literal["int", "float", "bool"]

#: The version of the columns, their meaning and the records beside them. A table of another version is refused.
SCHEMA_VERSION = 5
TYPES: Mapping[Kind, pa.DataType] = {"int": pa.int64(), "float": pa.float64(), "bool": pa.bool_()}


@frozen
class QueryColumn:
    """A column of the table. ``sided``: there are two, ending in ``_a`` and ``_b``. All columns of a ``part`` are
    computed together.
    """

    name: str
    kind: Kind
    part: str
    sided: bool = False

    @property
    def names(self) -> tuple[str, ...]:
        """The columns in the table."""
        return tuple(f"{self.name}_{side}" for side in SIDES) if self.sided else (self.name,)


#: The columns beside ``query_id`` and the values of measures, each of one number per query; k is the cutoff.
COLUMNS: tuple[QueryColumn, ...] = (
    QueryColumn("length", "int", "lists", True),  # documents in the list, each once; 0: the query is not answered
    QueryColumn("hits", "int", "lists", True),  # judged documents in the list, however deep
    QueryColumn("relevant", "int", "lists", True),  # R: relevant documents among the judgments that count for the run
    QueryColumn("judgments", "int", "lists"),  # judged documents, in a list or not
    QueryColumn("tied_rows", "int", "lists", True),  # rows whose score equals a neighbour's, in the whole list
    QueryColumn("changed", "bool", "top"),  # the first k differ in documents or order
    QueryColumn("judged", "float", "top", True),  # Judged@k, in [0, 1]; NaN without a list
    QueryColumn("tied", "int", "ties", True),  # places of the first k whose document has a neighbour's score
    QueryColumn("identical", "bool", "identical"),  # both lists are the same to their ends, documents and order
    QueryColumn("graded", "int", "graded", True),  # documents in the list with a grade of at least 0
    QueryColumn("in_grade_order", "bool", "graded", True),  # the grades in the list do not rise from top to bottom
    QueryColumn("two_grades", "bool", "graded", True),  # the list holds two different grades
    QueryColumn("unjudged_shown", "int", "documents"),  # documents in the first k of A or B without a judgment
    QueryColumn("ideal", "float", "documents"),  # IDCG@k over all judged documents, >= 0
    QueryColumn("unjudged_moved_in", "float", "parts"),  # what unjudged documents that push others add to ΔnDCG@k
    QueryColumn("relevant_dropped", "float", "parts"),  # what relevant documents that left the first k add to it
    QueryColumn("relevant_gained", "float", "parts"),  # what relevant documents that came into the first k add to it
    QueryColumn("reordering", "float", "parts"),  # what relevant documents that moved within the first k add to it
    QueryColumn("least", "float", "bounds"),  # the smallest ΔnDCG@k with what is unjudged at the best grade or at 0
    QueryColumn("most", "float", "bounds"),  # the largest; both are NaN where no labels give a value
    QueryColumn("may_not_count", "bool", "bounds"),  # some of these labels leave the query without a value
    QueryColumn("overlap", "float", "alike"),  # documents in both first k over those in either; NaN without lists
    QueryColumn("rbo", "float", "alike"),  # RBO of the whole lists, p = 0.9, in [0, 1]; NaN without lists
)
#: Name in the table -> its row.
COLUMN_OF: Mapping[str, QueryColumn] = MappingProxyType({name: row for row in COLUMNS for name in row.names})


@frozen
class ListReading:
    """Some measures under a way to read the lists. The names of its columns consist of name, side (if any) and
    measure.
    """

    name: str
    part: str
    sided: bool = True


#: The values of measures, each with a column per side and measure: NaN where undefined or left out.
READINGS: tuple[ListReading, ...] = (
    ListReading("plain", "plain"),  # every measure
    ListReading("condensed", "condensed"),  # the policy's measures with unjudged documents left out of the lists
    ListReading("best_of_ties", "tie_ends"),  # the same, equal scores in their best order by grade
    ListReading("worst_of_ties", "tie_ends"),  # the same, in its worst order
    ListReading("next_grade", "next_grade"),  # the same, relevant from the second positive grade; where no grade is 0
    ListReading("explained", "explained"),  # nDCG@k, the measure that parts and bounds are about
    ListReading("alike", "alike_asked", sided=False),  # measures that compare the two lists
)


@frozen
class Neighbour:
    """A setting beside the policy, and the scope ``asked`` for it. Only the parts ``own`` have columns of their own,
    prefixed with its name; all other columns are the columns of the policy.
    """

    name: str
    own: tuple[str, ...]
    asked: Scope

    def in_table(self, name: str) -> str:
        """Return the name in the table of a column of this setting."""
        return f"{self.name}: {name}" if self.asked.named[name] in self.own else name


@frozen
class Scope:
    """What the queries of a table were scored for.

    ``decisive`` names the policy's measures, which come first among ``measures``; ``grades`` are the distinct grades
    of all judgments, ascending: the largest and the smallest bound what a label can do. ``neighbours`` is None where
    the table has no columns for the settings beside the policy.
    """

    convention: Convention
    cutoff: int
    decisive: tuple[str, ...]
    measures: tuple[Measure, ...]
    alike: tuple[Measure, ...]  # measures that compare two lists
    grades: tuple[float, ...]
    apart: bool  # A and B share no documents, and each has grades of its own
    without: tuple[str, ...] = ()  # parts whose columns were left out, and do not exist
    neighbours: tuple[Neighbour, ...] | None = None

    def of(self, reading: str) -> tuple[Measure, ...]:
        """Return the measures of a reading."""
        return self._readings[reading]

    @cached_property
    def _readings(self) -> Mapping[str, tuple[Measure, ...]]:
        decisive = self.measures[: len(self.decisive)]
        return {
            "plain": self.measures,
            "condensed": self._with({"unjudged": "condensed"}),
            "best_of_ties": decisive,
            "worst_of_ties": decisive,
            "next_grade": () if self.next_grade is None else self._with({"rel": self.next_grade}),
            "explained": (self.explained,),
            "alike": self.alike,
        }

    def _with(self, axes: Mapping[str, Any]) -> tuple[Measure, ...]:
        convention = self.convention.with_axes(axes)
        measures = self.measures[: len(self.decisive)]
        return tuple(
            replace(measure, convention=_changed(measure.convention, preset(measure.preset), axes))
            if measure.preset
            else parse_measure(measure.name, convention)
            for measure in measures
        )

    def lacking(self, names: Iterable[str]) -> Measure | None:
        """Return the first measure of the names that is not scored; None where all are. MeasureError for no measure."""
        there = {*self.measures, *self.alike}
        return next((measure for measure in parse_measures(names, self.convention) if measure not in there), None)

    @cached_property
    def explained(self) -> Measure:
        """nDCG@k as the convention computes it."""
        return parse_measure(f"nDCG@{self.cutoff}", self.convention)

    @property
    def next_grade(self) -> float | None:
        """The second positive grade, where every grade is positive and there are several; else None."""
        return self.grades[1] if len(self.grades) > 1 and self.grades[0] > 0 else None

    @property
    def is_sum(self) -> bool:
        """Whether each document adds to nDCG@k by its grade and its ranks alone, where scores are not tied.

        It does not where each list is its own ideal, the ideal is not cut, or unjudged documents are left out.
        """
        axes = (self.convention.ideal, self.convention.ideal_cut, self.convention.unjudged)
        return axes == ("judged", "k", "nonrelevant") and not self.apart

    @property
    def label_gains(self) -> tuple[float, float] | None:
        """The largest and the smallest gain of the grades that there are; None where no grade is at least 0."""
        of_grades = gains(np.array([grade for grade in self.grades if grade >= 0]), self.convention.gain)
        return (float(of_grades.max()), float(of_grades.min())) if len(of_grades) else None

    def value_columns(self, reading: str, side: Side | None = None) -> tuple[str, ...]:
        """Return the names of the columns of a reading, one per measure; repeated names are numbered."""
        begin = reading if side is None else f"{reading}_{side}"
        names: list[str] = []
        for measure in self.of(reading):
            name = f"{begin}:{measure.name}"
            names.append(name if name not in names else f"{name} #{len(names) + 1}")
        return tuple(names)

    @cached_property
    def named(self) -> Mapping[str, str]:
        """Return the part in which each column of the policy itself is computed, in order."""
        values = {
            name: reading.part
            for reading in READINGS
            for side in (SIDES if reading.sided else (None,))
            for name in self.value_columns(reading.name, side)
        }
        every = {name: column.part for name, column in COLUMN_OF.items()} | values
        return {name: part for name, part in every.items() if part not in self.without}

    @cached_property
    def beside(self) -> Mapping[str, tuple[Neighbour, str]]:
        """Return the columns of the settings beside the policy: name -> setting, and name in its scope."""
        return {
            neighbour.in_table(name): (neighbour, name)
            for neighbour in self.neighbours or ()
            for name, part in neighbour.asked.named.items()
            if part in neighbour.own
        }

    @cached_property
    def parts(self) -> Mapping[str, str]:
        """Return the part in which each column beside ``query_id`` is computed, in order."""
        return {**self.named, **{name: other.asked.named[own] for name, (other, own) in self.beside.items()}}

    @cached_property
    def types(self) -> Mapping[str, pa.DataType]:
        """Return the type of every column beside ``query_id``."""
        declared = {name: TYPES[column.kind] for name, column in COLUMN_OF.items()}
        bare = {name: self.beside[name][1] if name in self.beside else name for name in self.parts}
        return {name: declared.get(column, TYPES["float"]) for name, column in bare.items()}

    def check(self) -> None:
        """Raise ValueError where the scope of a file could not be that of a table."""
        if len(self.measures) < len(self.decisive):
            raise ValueError(f"{len(self.measures)} measures are fewer than the {len(self.decisive)} of the policy")
        if not np.isfinite(self.grades).all():
            raise ValueError(f"the grades {list(self.grades)}")
        gains(np.array(self.grades), self.convention.gain)  # MeasureError, a ValueError, for grades too large to add
        for neighbour in self.neighbours or ():
            neighbour.asked.check()
            if lacking := {neighbour.in_table(name) for name in neighbour.asked.named} - self.parts.keys():
                raise ValueError(f"the setting {neighbour.name!r} has no column {min(lacking)!r}")
        # To name the columns takes the meaning of every measure; this fails where an altered file holds no measure.
        if not self.parts:
            raise ValueError("every column is left out")


def _changed(own: Convention, of_tool: Convention, axes: Mapping[str, Any]) -> Convention:
    """Return the convention of a measure under its tool's name, changed where the name leaves the axis to the tool."""
    return own.with_axes({axis: value for axis, value in axes.items() if getattr(own, axis) == getattr(of_tool, axis)})


def measure_to_dict(measure: Measure) -> dict[str, Any]:
    """Return a measure by names, JSON-ready."""
    axes = measure.convention.spelled_out()
    return {"name": measure.name, "key": measure.key, "k": measure.k, "own": measure.parameters, "convention": axes}


def measure_from_dict(values: Mapping[str, Any]) -> Measure:
    """Return the measure that ``measure_to_dict`` returned. KeyError, TypeError or ValueError for anything else."""
    own = tuple((str(name), value) for name, value in values["own"])
    convention = Convention().with_axes(values["convention"])
    return Measure(DEFINITIONS[values["key"]], values["key"], values["k"], own, convention, values["name"])


Measures = str | Measure | Iterable[str | Measure]

#: The parts that an outcome under another setting reads.
_READ = frozenset({"lists", "top", "identical", "graded", "documents", "plain", "condensed"})
_UNREAD = tuple(sorted(({row.part for row in COLUMNS} | {row.part for row in READINGS}) - _READ))


#: The setting that is not tried where judgments name only relevant documents.
REMOVED = "unjudged documents removed"


def _own_parts(policy: Policy, other: Policy) -> tuple[str, ...]:
    """Return the parts that an outcome reads and that are not the same under the other policy."""
    values, gain = ("plain", "condensed"), policy.in_force.gain
    if other.cutoff != policy.cutoff:
        return ("top", "documents", *values)
    if other.in_force.gain == gain:
        return ("top", *values)
    # Only a table of gains can give nothing for a grade above 0, and so say otherwise where there is no ideal list.
    return ("documents", *values) if isinstance(gain, Gains) else values


def cut(policy: Policy, k: int) -> Policy:
    """Return the policy with another cutoff: that of its primary measure, where it has one."""
    name, at, _ = policy.primary.rpartition("@")
    return policy.changed(primary=f"{name}@{k}") if at else policy.changed(cutoff=k)


def existing(policy: Policy, grades: Sequence[float]) -> Mapping[str, Policy]:
    """Return the policies beside a policy, by name: the other gain, half and double the cutoff, unjudged documents
    removed.

    Some may not exist: a cutoff may make two measures one, a grade be too large for 2^y - 1.
    """
    convention, k = policy.in_force, policy.cutoff
    gain = "linear" if convention.gain == "exp2" else "exp2"
    makers: dict[str, Callable[[], Policy]] = {
        f"gain {gain}": lambda: policy.changed(convention=convention.with_axes({"gain": gain})),
        f"cutoff {max(k // 2, 1)}": lambda: cut(policy, max(k // 2, 1)),
        f"cutoff {2 * k}": lambda: cut(policy, 2 * k),
        REMOVED: lambda: policy.changed(convention=convention.with_axes({"unjudged": "condensed"})),
    }
    policies: dict[str, Policy] = {}
    for name, make in makers.items():
        try:
            other = make()
            gains(np.array(grades, np.float64), other.in_force.gain)
        except (PolicyError, MeasureError):
            continue
        policies[name] = other
    return policies


def scope_of(policy: Policy, measures: Measures, grades: tuple[float, ...], *, apart: bool) -> Scope:
    """Return the scope of a policy: its own measures first, then each of the others once."""
    convention = policy.in_force
    decisive = tuple(parse_measure(name, convention) for name in policy.measures)
    others = [measure for measure in parse_measures(measures, convention) if measure not in decisive]
    return Scope(
        convention=convention,
        cutoff=policy.cutoff,
        decisive=policy.measures,
        measures=(*decisive, *(measure for measure in others if not measure.compares_lists)),
        alike=tuple(measure for measure in others if measure.compares_lists),
        grades=grades,
        apart=apart,
    )


def with_settings(scope: Scope, policy: Policy) -> Scope:
    """Return the scope of a policy together with the scopes of the settings beside it."""
    neighbours = tuple(
        Neighbour(
            name,
            _own_parts(policy, other),
            replace(scope_of(other, (), scope.grades, apart=scope.apart), without=_UNREAD),
        )
        for name, other in existing(policy, scope.grades).items()
    )
    return replace(scope, neighbours=neighbours)


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
