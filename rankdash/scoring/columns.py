"""The columns of the per-query table, as declared tables, and what every query was scored for."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import Any, Literal

import numpy as np
import pyarrow as pa

from rankdash.conventions import Convention, Gains, preset
from rankdash.judged import SIDES, Side
from rankdash.metrics import DEFINITIONS, Measure, MeasureError, parse_measure, parse_measures
from rankdash.metrics.lists import gains
from rankdash.policy import Policy, PolicyError
from rankdash.records import cached_property, frozen

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
