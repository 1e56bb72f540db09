"""The values of single runs, as `rankdash evaluate` prints them, and the list of measures in words."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict
from types import MappingProxyType
from typing import Any

import numpy as np
import pyarrow as pa

from rankdash.conventions import PRESETS, STANDARD, Convention, preset
from rankdash.installation import __version__
from rankdash.metrics import Catalogue, Definition, Measure, definition_of, mean, parse_measures
from rankdash.metrics.names import COVERS, DEFINITIONS, PEER_NAMES, WRITTEN
from rankdash.notes import Note, as_json, phrased
from rankdash.records import frozen
from rankdash.report.tables import rows_csv
from rankdash.report.text import aligned
from rankdash.wording import NOT_DEFINED, Nouns, literal, nouns, number


def measures_text(names: Sequence[str] = ()) -> str:
    """Return measures with their definitions, and presets by the axes in which they differ from standard: those of the
    names, or all. MeasureError or ConventionError for a name that is neither.
    """
    presets = {name: PRESETS[name] for name in names or PRESETS if name in PRESETS}
    rows = [definition_of(name) for name in names or DEFINITIONS if name not in PRESETS]
    definitions = {row.name: row for row in rows}
    parts = []
    if definitions:
        parts.append(["Measures, written [preset:]Name[(axis=value, ...)][@k]:", "", *_measures(definitions)])
    if presets:
        parts.append(["Conventions:", "", *_presets(presets)])
    return "\n\n".join("\n".join(lines) for lines in parts) + "\n"


#: What an own parameter is that is not given.
UNSAID = {"max_grade": "largest grade", "half_life": "none", "within": "days", "n_users": "all users"}


def _measures(definitions: Mapping[str, Definition]) -> Iterator[str]:
    for name, row in definitions.items():
        cutoff = {"required": "@k", "optional": "[@k]", "none": ""}[row.cutoff]
        own = ", ".join(f"{key}={UNSAID.get(key, value)}" for key, value in row.defaults.items())
        mean = f"mean: {row.mean}; " if row.mean else ""
        yield f"  {name}{cutoff}  ({mean}{row.range}{'; ' + own if own else ''})"
        yield f"      {row.formula}."
        yield f"      Source: {row.source}.{' Reads: ' + ', '.join(row.axes) + '.' if row.axes else ''}"


def _presets(presets: Mapping[str, Convention]) -> Iterator[str]:
    standard = STANDARD.spelled_out()
    for name, convention in presets.items():
        axes = convention.spelled_out()
        differs = [f"{axis}={value}" for axis, value in axes.items() if value != standard[axis] or name == "standard"]
        yield f"  {name}: {', '.join(differs) or 'as standard'}"
        if name != "standard":
            yield f"      Covers {', '.join(COVERS[name])}; no other measure is that tool's number."


_CUTS = (5, 10, 15, 20, 30, 100, 200, 500, 1000)
#: What trec_eval prints by default, without those.
OFFICIAL = (*("NumQ", "NumRet", "NumRel", "NumRelRet", "AP", "Rprec", "Bpref", "RR"), *(f"P@{k}" for k in _CUTS))
#: What all other forms print by default.
USUAL = ("nDCG@10", "AP", "RR", "P@10", "R@100", "Judged@10")


@frozen
class RunValues:
    """The values of a run by query and measure, NaN where it is undefined. ``tag`` is that of a TREC run, or ""."""

    name: str
    file: str
    values: Mapping[str, Mapping[str, float]]
    notes: tuple[Note, ...] = ()
    tag: str = ""
    catalogue: Catalogue | None = None

    def value(self, query: str, measure: Measure) -> float:
        """Return the value of a measure; NaN where it is undefined, or the query does not count."""
        return self.values.get(query, {}).get(measure.name, math.nan)

    def summary(self, measure: Measure) -> tuple[float | None, int]:
        """Return the mean of the defined values, or their sum where they add up, and their number; None without any."""
        values = np.array([row.get(measure.name, math.nan) for row in self.values.values()], np.float64)
        average, n = mean(values)
        return (float(np.nansum(values)) if n and adds_up(measure) else average), n


@frozen
class Evaluated:
    """Runs with their values of some measures under a convention; ``per_query``: values of queries are printed too.

    ``judgments`` is the file of judgments ("": none), ``judged`` the notes on it, ``notes`` the notes on measures.
    """

    runs: tuple[RunValues, ...]
    measures: tuple[Measure, ...]
    preset: str
    per_query: bool = False
    judgments: str = ""
    judged: tuple[Note, ...] = ()
    notes: tuple[Note, ...] = ()

    @property
    def nouns(self) -> Nouns:
        """What a query and a document are called."""
        return nouns(any(note.code == "of_users" for note in self.judged))

    def lines(self, *, verbose: bool = False) -> tuple[str, ...]:
        """Return the warnings, with ``verbose`` all notes, a line each: on the measures, the judgments and the runs."""
        files: dict[str, list[str]] = {}
        for run in self.runs:
            for note in phrased(run.notes, "shell", verbose=verbose):
                files.setdefault(note, []).append(run.file)
        of_runs = (f"{', '.join(dict.fromkeys(named))}: {note}" for note, named in files.items())
        judged = (f"{self.judgments}: {note}" for note in phrased(self.judged, "shell", verbose=verbose))
        return (*phrased(self.notes, "shell", verbose=verbose), *judged, *of_runs)

    @property
    def queries(self) -> tuple[str, ...]:
        """The queries for which any run has a row, in the order of their ids."""
        ids = {query for run in self.runs for query in run.values}
        return tuple(sorted(ids, key=lambda id: id.encode("utf-8", "surrogatepass")))


def measures_of(
    names: Iterable[str], convention: str, form: str, min_grade: float | None = None
) -> tuple[Measure, ...]:
    """Return the measures of some names; `official` means the measures of trec_eval. Without names, the usual ones.

    ``form`` decides which are usual, ``min_grade`` is the lowest relevant grade. MeasureError for an unknown name,
    ConventionError for a convention that does not exist.
    """
    every = list(names) or ["official" if form == "trec_eval" else "usual"]
    sets = {
        name: _as_the_tool_prints(members, convention) for name, members in (("official", OFFICIAL), ("usual", USUAL))
    }
    axes = {} if min_grade is None else {"rel": min_grade}
    members = [member for name in every for member in sets.get(name, (name,))]
    return parse_measures(members, preset(convention).with_axes(axes))


def _as_the_tool_prints(names: Iterable[str], convention: str) -> list[str]:
    """Return names, those with another meaning in the convention's tool as they are written there."""
    written = WRITTEN.get(convention, {})
    forms = ((name, *name.partition("@")) for name in names)
    return [written.get(f"{key}@k" if at else key, name).replace("@k", f"@{k}") for name, key, at, k in forms]


def _plain(measure: Measure, cut: str = "") -> str:
    return measure.key if measure.k is None else f"{measure.key}@{cut or measure.k}"


def adds_up(measure: Measure) -> bool:
    """Return whether a measure is summed over the queries, as the numbers of documents are in trec_eval."""
    return measure.definition.adds_up and measure.k is None


def _decimals(measure: Measure, value: float | None) -> str:
    if value is None or math.isnan(value):
        return NOT_DEFINED
    return f"{value:.0f}" if measure.definition.adds_up and value.is_integer() else f"{value:.4f}"


def _text(evaluated: Evaluated) -> str:
    runs = [literal(run.name) for run in evaluated.runs]
    blocks = [[f"{evaluated.nouns.queries_of(len(evaluated.queries))}, convention {evaluated.preset}"]]
    if evaluated.per_query:
        rows = [
            (literal(query), measure.label, *(_decimals(measure, run.value(query, measure)) for run in evaluated.runs))
            for query in evaluated.queries
            for measure in evaluated.measures
        ]
        blocks.append(aligned([(evaluated.nouns.query, "measure", *runs), *rows]))
    blocks.append(
        aligned([("measure", "", *runs, "n"), *(_summary_row(evaluated, measure) for measure in evaluated.measures)])
    )
    if numbers := [run.catalogue.numbers for run in evaluated.runs if run.catalogue is not None]:
        blocks.append(
            aligned([("items", *runs), *((name, *(number(of[name], 4) for of in numbers)) for name in numbers[0])], 1)
        )
    return "\n\n".join("\n".join(lines) for lines in blocks) + "\n"


def _summary_row(evaluated: Evaluated, measure: Measure) -> tuple[str, ...]:
    values, numbers = zip(*(run.summary(measure) for run in evaluated.runs), strict=True)
    n = " / ".join(str(number) for number in (numbers[:1] if len(set(numbers)) == 1 else numbers))
    return measure.label, "sum" if adds_up(measure) else "mean", *(_decimals(measure, value) for value in values), n


def trec_name(measure: Measure) -> str:
    """Return trec_eval's name of a measure, or the name here where trec_eval has none or other axes are written."""
    peer = PEER_NAMES["trec_eval-9"].get(_plain(measure, "k")) if measure.name == _plain(measure) else None
    return measure.name if peer is None else peer.format(k=measure.k)


def _trec_eval(evaluated: Evaluated) -> str:
    lines: list[str] = []
    tags = tuple(run.tag for run in evaluated.runs)  # or the names, where tags do not tell the runs apart
    ids = tags if all(tags) and len(set(tags)) == len(tags) else [run.name for run in evaluated.runs]
    for run, run_id in zip(evaluated.runs, ids, strict=True):
        if evaluated.per_query:
            lines += [  # the number of queries is printed for all of them together
                _trec_line(measure, literal(query), run.value(query, measure))
                for query in evaluated.queries
                for measure in evaluated.measures
                if measure.key != "NumQ" and not math.isnan(run.value(query, measure))
            ]
        lines.append(f"{'runid':<22}\tall\t{literal(run_id)}")
        lines += [_trec_line(measure, "all", run.summary(measure)[0]) for measure in evaluated.measures]
    return "".join(f"{line}\n" for line in lines)


def _trec_line(measure: Measure, query: str, value: float | None) -> str:
    number = "nan" if value is None else f"{value:.0f}" if adds_up(measure) else f"{value:6.4f}"
    return f"{trec_name(measure):<22}\t{query}\t{number}"


def _json(evaluated: Evaluated) -> str:
    runs = []
    for run in evaluated.runs:
        by_name = {
            "name": run.name,
            "file": run.file,
            "tag": run.tag or None,
            "notes": as_json(run.notes),
            "values": {
                measure.name: dict(zip(("value", "n"), run.summary(measure), strict=True))
                for measure in evaluated.measures
            },
            "catalogue": None if run.catalogue is None else asdict(run.catalogue),
        }
        if evaluated.per_query:
            by_name["per_query"] = {
                query: {name: _defined(value) for name, value in run.values.get(query, {}).items()}
                for query in evaluated.queries
            }
        runs.append(by_name)
    whole = {
        "rankdash": __version__,
        "convention": {"preset": evaluated.preset, **PRESETS[evaluated.preset].spelled_out()},
        "measures": [
            {"measure": measure.name, "summary": "sum" if adds_up(measure) else "mean"}
            for measure in evaluated.measures
        ],
        "judgments": {"file": evaluated.judgments, "notes": as_json(evaluated.judged)} if evaluated.judgments else None,
        "runs": runs,
        "notes": as_json(evaluated.notes),
    }
    return json.dumps(whole, indent=1, ensure_ascii=False, allow_nan=False) + "\n"


def _defined(value: float) -> float | None:
    return None if math.isnan(value) else value


def _csv(evaluated: Evaluated) -> str:
    """Return a row per run and measure, or with ``per_query`` a row per run, query and measure."""
    rows: list[tuple[Any, ...]]
    if evaluated.per_query:
        columns = {"run": pa.string(), "query_id": pa.string(), "measure": pa.string(), "value": pa.float64()}
        rows = [
            (run.name, query, name, _defined(value))
            for run in evaluated.runs
            for query in evaluated.queries
            for name, value in run.values.get(query, {}).items()
        ]
    else:
        columns = {"run": pa.string(), "measure": pa.string(), "value": pa.float64(), "n": pa.int64()}
        rows = [(run.name, m.name, *run.summary(m)) for run in evaluated.runs for m in evaluated.measures]
    named = [dict(zip(columns, row, strict=True)) for row in rows]
    return rows_csv(pa.Table.from_pylist(named, pa.schema(columns))).decode()


#: Every form by its name.
FORMS: Mapping[str, Callable[[Evaluated], str]] = MappingProxyType(
    {"text": _text, "trec_eval": _trec_eval, "json": _json, "csv": _csv}
)


def written(evaluated: Evaluated, form: str) -> str:
    """Return the values in a form, one of FORMS; ends with a line break."""
    return FORMS[form](evaluated)
