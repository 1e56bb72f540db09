"""The values of single runs as `rankdash evaluate` prints them: a table, the lines of trec_eval, JSON and CSV."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np
import pyarrow as pa

from rankdash.conventions import PRESETS, preset
from rankdash.installation import __version__
from rankdash.metrics import Measure, mean, parse_measures
from rankdash.metrics.definitions import PEER_NAMES, WRITTEN
from rankdash.notes import Note, as_json, phrased
from rankdash.report.files import rows_csv
from rankdash.report.text import aligned
from rankdash.wording import NOT_DEFINED, count, literal

_CUTS = (5, 10, 15, 20, 30, 100, 200, 500, 1000)
#: What is told where the measures that trec_eval prints by default are printed.
NOT_OFFICIAL = "trec_eval prints gm_map and iprec_at_recall_0.00 to 1.00 besides, which are not computed here."
#: What trec_eval prints by default, without those.
OFFICIAL = (
    *("NumQ", "NumRet", "NumRel", "NumRelRet", "AP", "Rprec", "Bpref", "RR"),
    *(f"P@{k}" for k in _CUTS),
)
#: What all other forms print by default.
USUAL = ("nDCG@10", "AP", "RR", "P@10", "R@100", "Judged@10")
#: What trec_eval prints only for all queries together.
_OF_ALL = ("NumQ",)


@dataclass(frozen=True)
class RunValues:
    """The values of a run by measure and query, NaN where it is undefined. ``tag`` is that of a TREC run, or ""."""

    name: str
    file: str
    values: Mapping[str, Mapping[str, float]]
    notes: tuple[Note, ...] = ()
    tag: str = ""

    def of(self, measure: Measure) -> Mapping[str, float]:
        """Return the values of a measure by query; empty where none counts."""
        return self.values.get(measure.name, {})

    def summary(self, measure: Measure) -> tuple[float | None, int]:
        """Return the mean of the defined values, or their sum where they add up, and their number; None without any."""
        values = np.array(list(self.of(measure).values()), np.float64)
        average, n = mean(values)
        return (float(np.nansum(values)) if n and adds_up(measure) else average), n


@dataclass(frozen=True)
class Evaluated:
    """Runs with their values of some measures under a convention; ``per_query``: those of queries are printed too.

    ``judgments`` is the file of judgments ("": there is none), ``judged`` what is told of them, ``notes`` of measures.
    """

    runs: tuple[RunValues, ...]
    measures: tuple[Measure, ...]
    preset: str
    per_query: bool = False
    judgments: str = ""
    judged: tuple[Note, ...] = ()
    notes: tuple[Note, ...] = ()

    @property
    def run_ids(self) -> tuple[str, ...]:
        """What trec_eval prints as ``runid``: tags of the runs, or their names where tags do not tell them apart."""
        tags = tuple(run.tag for run in self.runs)
        return tags if all(tags) and len(set(tags)) == len(tags) else tuple(run.name for run in self.runs)

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
        ids = {query for run in self.runs for values in run.values.values() for query in values}
        return tuple(sorted(ids, key=lambda id: id.encode("utf-8", "surrogatepass")))


def measures_of(names: Iterable[str], convention: str, form: str) -> tuple[Measure, ...]:
    """Return the measures of some names, of which `official` means those of trec_eval; without names, the usual ones.

    ``form`` decides which are usual. MeasureError for a name that means no measure, ConventionError for a convention
    that does not exist.
    """
    every = list(names) or ["official" if form == "trec_eval" else "usual"]
    sets = {
        name: _as_the_tool_prints(members, convention) for name, members in (("official", OFFICIAL), ("usual", USUAL))
    }
    return parse_measures([member for name in every for member in sets.get(name, (name,))], preset(convention))


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
    blocks = [[f"{count(len(evaluated.queries), 'query', 'queries')}, convention {evaluated.preset}"]]
    if evaluated.per_query:
        rows = [
            (literal(query), measure.label, *(_decimals(measure, run.of(measure).get(query)) for run in evaluated.runs))
            for query in evaluated.queries
            for measure in evaluated.measures
        ]
        blocks.append(aligned([("query", "measure", *runs), *rows]))
    blocks.append(
        aligned([("measure", "", *runs, "n"), *(_summary_row(evaluated, measure) for measure in evaluated.measures)])
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
    for run, run_id in zip(evaluated.runs, evaluated.run_ids, strict=True):
        if evaluated.per_query:
            lines += [
                _trec_line(measure, literal(query), run.of(measure)[query])
                for query in evaluated.queries
                for measure in evaluated.measures
                if measure.key not in _OF_ALL and not math.isnan(run.of(measure).get(query, math.nan))
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
        summaries = {measure.name: run.summary(measure) for measure in evaluated.measures}
        by_name = {
            "name": run.name,
            "file": run.file,
            "tag": run.tag or None,
            "notes": as_json(run.notes),
            "values": {name: {"value": value, "n": n} for name, (value, n) in summaries.items()},
        }
        if evaluated.per_query:
            by_name["per_query"] = {
                query: {
                    measure.name: _defined(run.of(measure)[query])
                    for measure in evaluated.measures
                    if query in run.of(measure)
                }
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
    if evaluated.per_query:
        rows = [
            {"run": run.name, "query_id": query, "measure": measure.name, "value": _defined(run.of(measure)[query])}
            for run in evaluated.runs
            for query in evaluated.queries
            for measure in evaluated.measures
            if query in run.of(measure)
        ]
        columns = {"run": pa.string(), "query_id": pa.string(), "measure": pa.string(), "value": pa.float64()}
    else:
        rows = [
            dict(zip(("run", "measure", "value", "n"), (run.name, measure.name, *run.summary(measure)), strict=True))
            for run in evaluated.runs
            for measure in evaluated.measures
        ]
        columns = {"run": pa.string(), "measure": pa.string(), "value": pa.float64(), "n": pa.int64()}
    return rows_csv(pa.Table.from_pylist(rows, pa.schema(columns))).decode()


#: Every form by its name.
FORMS: Mapping[str, Callable[[Evaluated], str]] = MappingProxyType(
    {"text": _text, "trec_eval": _trec_eval, "json": _json, "csv": _csv}
)


def written(evaluated: Evaluated, form: str) -> str:
    """Return the values in a form, one of FORMS; ends with a line break."""
    return FORMS[form](evaluated)
