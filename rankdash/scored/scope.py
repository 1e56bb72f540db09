"""The header of a per-query table: what every query was scored for, and counts over the queries without judgments."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass, fields, replace
from typing import Any

import numpy as np
import pyarrow as pa

from rankdash.conventions import Convention, preset
from rankdash.judged import SIDES, Side
from rankdash.metrics import DEFINITIONS, Measure, parse_measure, parse_measures
from rankdash.metrics.lists import gains
from rankdash.records.lazy import cached_property
from rankdash.scored.columns import COLUMN_OF, READINGS, TYPES


@dataclass(frozen=True)
class Neighbour:
    """A setting beside the policy, and its scope. Only the parts ``own`` have columns of their own, with its name in
    front; all other columns are those of the policy itself.
    """

    name: str
    own: tuple[str, ...]
    scope: Scope

    @cached_property
    def columns(self) -> Mapping[str, str]:
        """Its own columns: the name in the table -> the name without the setting in front."""
        return {self.in_table(name): name for name, part in self.scope.named.items() if part in self.own}

    def in_table(self, name: str) -> str:
        """Return the name in the table of a column of this setting."""
        return f"{self.name}: {name}" if self.scope.named[name] in self.own else name

    def to_dict(self) -> dict[str, Any]:
        """Return the record by names, JSON-ready."""
        return {"name": self.name, "own": list(self.own), "asked": self.scope.to_dict()}

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> Neighbour:
        """Return the record that ``to_dict`` returned. KeyError, TypeError or ValueError for anything else."""
        neighbour = cls(str(values["name"]), tuple(map(str, values["own"])), Scope.from_dict(values["asked"]))
        if unknown := set(neighbour.own) - set(neighbour.scope.named.values()):
            raise ValueError(f"the setting {neighbour.name!r} has no part {min(unknown)!r}")
        return neighbour


@dataclass(frozen=True)
class Scope:
    """What the queries of a table were scored for: the same for every block of them.

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
    def measured(self) -> Mapping[str, Hashable]:
        """Return the columns that hold a measure of a list in the convention's order: name -> side and meaning."""
        return {
            name: (side, measure.meaning)
            for reading in READINGS
            if reading.ordered and reading.part not in self.without
            for side in SIDES
            for name, measure in zip(self.value_columns(reading.name, side), self.of(reading.name), strict=True)
        }

    @cached_property
    def named(self) -> Mapping[str, str]:
        """Return the part in which each column of the policy itself is computed, in order; aliases too."""
        values = {
            name: reading.part
            for reading in READINGS
            for side in (SIDES if reading.sided else (None,))
            for name in self.value_columns(reading.name, side)
        }
        every = {name: column.part for name, column in COLUMN_OF.items()} | values
        return {name: part for name, part in every.items() if part not in self.without}

    @cached_property
    def aliases(self) -> Mapping[str, str]:
        """Return columns with the same measure of the same list as an earlier column, under whose name they are stored.

        Most are columns that a setting beside the policy leaves unchanged: they are stored under the policy's own name.
        """
        meanings = dict(self.measured)
        for neighbour in self.neighbours or ():
            of_setting = neighbour.scope.measured
            meanings |= {name: of_setting[column] for name, column in neighbour.columns.items() if column in of_setting}
        first = {meaning: name for name, meaning in reversed(list(meanings.items()))}
        return {name: first[meaning] for name, meaning in meanings.items() if first[meaning] != name}

    @cached_property
    def parts(self) -> Mapping[str, str]:
        """Return the part in which each column beside ``query_id`` is computed, in order; no aliases."""
        mine = {name: part for name, part in self.named.items() if name not in self.aliases}
        return mine | {name: neighbour.scope.named[column] for name, (neighbour, column) in self.beside.items()}

    @cached_property
    def beside(self) -> Mapping[str, tuple[Neighbour, str]]:
        """Return the columns of the settings beside the policy: name -> setting, and name in its scope; no aliases."""
        return {
            name: (neighbour, column)
            for neighbour in self.neighbours or ()
            for name, column in neighbour.columns.items()
            if name not in self.aliases
        }

    @cached_property
    def types(self) -> Mapping[str, pa.DataType]:
        """Return the type of every column beside ``query_id``."""
        declared = {name: TYPES[column.kind] for name, column in COLUMN_OF.items()}
        bare = {name: self.beside[name][1] if name in self.beside else name for name in self.parts}
        return {name: declared.get(column, TYPES["float"]) for name, column in bare.items()}

    def to_dict(self) -> dict[str, Any]:
        """Return the record by names, JSON-ready."""
        return {
            "convention": self.convention.spelled_out(),
            "cutoff": self.cutoff,
            "decisive": list(self.decisive),
            "measures": [_measure_dict(measure) for measure in self.measures],
            "alike": [_measure_dict(measure) for measure in self.alike],
            "grades": list(self.grades),
            "apart": self.apart,
            "without": list(self.without),
            "neighbours": None if self.neighbours is None else [neighbour.to_dict() for neighbour in self.neighbours],
        }

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> Scope:
        """Return the record that ``to_dict`` returned. KeyError, TypeError or ValueError for anything else."""
        beside = values["neighbours"]
        scope = cls(
            convention=Convention().with_axes(values["convention"]),
            cutoff=int(values["cutoff"]),
            decisive=tuple(values["decisive"]),
            measures=tuple(map(_measure_from, values["measures"])),
            alike=tuple(map(_measure_from, values["alike"])),
            grades=tuple(map(float, values["grades"])),
            apart=bool(values["apart"]),
            without=tuple(map(str, values["without"])),
            neighbours=None if beside is None else tuple(map(Neighbour.from_dict, beside)),
        )
        if len(scope.measures) < len(scope.decisive):
            raise ValueError(f"{len(scope.measures)} measures are fewer than the {len(scope.decisive)} of the policy")
        if not np.isfinite(scope.grades).all():
            raise ValueError(f"the grades {list(scope.grades)}")
        # To name the columns takes the meaning of every measure; this fails where an altered file holds no measure.
        if not scope.parts:
            raise ValueError("every column is left out")
        return scope


def _changed(own: Convention, of_tool: Convention, axes: Mapping[str, Any]) -> Convention:
    """Return the convention of a measure under its tool's name, changed where the name leaves the axis to the tool."""
    return own.with_axes({axis: value for axis, value in axes.items() if getattr(own, axis) == getattr(of_tool, axis)})


def _measure_dict(measure: Measure) -> dict[str, Any]:
    axes = measure.convention.spelled_out()
    return {"name": measure.name, "key": measure.key, "k": measure.k, "own": measure.parameters, "convention": axes}


def _measure_from(values: Mapping[str, Any]) -> Measure:
    own = tuple((str(name), value) for name, value in values["own"])
    convention = Convention().with_axes(values["convention"])
    return Measure(DEFINITIONS[values["key"]], values["key"], values["k"], own, convention, values["name"])


@dataclass(frozen=True)
class Outside:
    """Counts over the lists of queries without judgments, which have no row: of A and of B. Those of blocks add up."""

    duplicates: tuple[int, int] = (0, 0)
    tied_rows: tuple[int, int] = (0, 0)
    by_rank: tuple[int, int] = (0, 0)

    def __add__(self, other: Outside) -> Outside:
        pairs = ((getattr(self, axis.name), getattr(other, axis.name)) for axis in fields(self))
        return Outside(*((first[0] + second[0], first[1] + second[1]) for first, second in pairs))
