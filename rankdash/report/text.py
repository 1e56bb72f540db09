"""What a terminal prints: a comparison, a worked calculation, saved comparisons, and the values of single runs."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa

from rankdash import style
from rankdash.conventions import PRESETS, STANDARD, Convention, preset
from rankdash.evidence.experts import Expertise
from rankdash.evidence.gsb import Gsb
from rankdash.explain import Explanation, Ideal, Rank, Seen
from rankdash.installation import __version__
from rankdash.metrics import Catalogue, Definition, Measure, definition_of, mean, parse_measures
from rankdash.metrics.definitions import COVERS, DEFINITIONS, PEER_NAMES, WRITTEN
from rankdash.notes import Note, as_json, phrased
from rankdash.report import sections
from rankdash.report.notes import mistakes_of, notes_of, preset_of
from rankdash.report.tables import rows_csv
from rankdash.scoring import DERIVED_TOLERANCE, Comparison, Result, VotesAlone
from rankdash.style import history as history_words
from rankdash.style import queries as query_words
from rankdash.style import verdict as words
from rankdash.verdict import Verdict
from rankdash.wording import (
    GSB,
    NOT_DEFINED,
    count,
    delta_text,
    end,
    grade_text,
    limit,
    literal,
    number,
    p_value,
    points,
    points_between,
    short_inside,
    signed,
)

if TYPE_CHECKING:
    from rankdash.store import Decision, Listed, ListedRow, Observation


_EXPERTS = ("Measure", "permutation p", "BCa 95%", "Wilcoxon p", "sign p")
#: More decimals than a page has: a terminal has no room for a chart.
_DECIMALS = 4
#: Queries at each end that are named.
_EXTREME = 3


def warnings(
    comparison: Comparison | VotesAlone, verdict: Verdict, *, brief: bool = False, verbose: bool = False
) -> list[str]:
    """Return what can change a number or the verdict, a line each, the weightiest first; with ``verbose`` also what was
    understood. ``brief`` leaves out the caveats that a report beside it has, but not that lists may be reversed.
    """
    judged = None if isinstance(comparison, VotesAlone) else comparison
    wrong = () if judged is None else mistakes_of(judged)
    caveats = [caveat.sentence for caveat in verdict.caveats]
    minded = sections.stands_first(verdict) if brief else [*caveats, *sections.neighbours_words(judged, verdict)]
    return [*(mistake.sentence for mistake in wrong), *minded, *notes_of(comparison, verbose=verbose)]


def to_text(comparison: Comparison | VotesAlone, verdict: Verdict) -> str:
    """Return the measures as a table, ΔGSB, and the verdict in the last line, which ends with a line break."""
    judged, votes = None if isinstance(comparison, VotesAlone) else comparison, comparison.votes
    preset = "" if judged is None else f", convention {preset_of(judged) or style.CUSTOM}"
    title = [f"{literal(sections.models_words(comparison))}{preset}"]
    voted = [] if votes is None else [_gsb_line(votes.gsb, f"votes, {sections.raters_words(votes)}")]
    if judged is not None and not judged.is_judged:
        changed = [f"{card.label}: {card.value} ({'; '.join(card.lines)})" for card in sections.turnover_cards(judged)]
        return "\n".join((literal(sections.models_words(judged)), "", *changed, "", verdict.line)) + "\n"
    blocks = [title, *([] if judged is None else _tables(judged)), voted, [verdict.line]]
    return "\n\n".join("\n".join(lines) for lines in blocks if lines) + "\n"


def _tables(comparison: Comparison) -> list[list[str]]:
    gsb = comparison.gsb_derived
    derived = f"derived from {comparison.primary.label}, same up to {limit(DERIVED_TOLERANCE)}"
    tables = [
        aligned([words.MEASURE_COLUMNS, *(sections.measure_cells(result, _DECIMALS) for result in comparison.results)]),
        [_gsb_line(gsb, derived)],
    ]
    if comparison.likeness:
        tables.append([f"{row.measure} {number(row.mean, 4)} on {row.n} queries" for row in comparison.likeness])
    if catalogue := sections.catalogue_rows(comparison, _DECIMALS):
        tables.append(aligned([("items", "A", "B"), *catalogue], 1))
    if segments := sections.segment_rows(comparison, _DECIMALS):
        tables.append(aligned([words.SEGMENT_COLUMNS, *([literal(cell) for cell in row] for row in segments)]))
    if comparison.experts is not None:
        pairs = zip(comparison.results, comparison.experts, strict=True)
        tables.append(aligned([_EXPERTS, *(_expert(result, expertise) for result, expertise in pairs)], 1))
    return [*tables, [*_extremes(comparison)]]


def _extremes(comparison: Comparison) -> Iterator[str]:
    """Yield the queries that lose most in the primary measure, and those that gain most, a line each."""
    ids, delta = comparison.query_ids, np.where(comparison.counted, comparison.deltas[0], 0.0)
    order = np.argsort(delta, kind="stable")
    ends = order[delta[order] < 0], order[delta[order] > 0][::-1]
    for title, places in zip(style.EXTREMES.values(), ends, strict=True):
        each = (f"{short_inside(ids[at], _LONGEST)} {signed(float(delta[at]))}" for at in places[:_EXTREME].tolist())
        if queries := ", ".join(each):
            yield literal(f"{title} in {comparison.primary.label}: {queries}")


def _gsb_line(gsb: Gsb, what: str) -> str:
    interval = "" if gsb.ci95 is None else f", 95% interval {points_between(*gsb.ci95)}"
    return f"ΔGSB {points(gsb.delta)}{interval} ({gsb.good} good, {gsb.same} same, {gsb.bad} bad; {what})"


def _expert(result: Result, expertise: Expertise) -> tuple[str, ...]:
    ends = sections.ends_cell(expertise.bca95, _DECIMALS)
    rest = map(p_value, (expertise.wilcoxon_p, expertise.sign_p))
    return (result.label, p_value(expertise.permutation_p), ends, *rest)


def aligned(rows: Sequence[Sequence[str]], words: int = 2) -> list[str]:
    """Return the rows with aligned columns: the first ``words`` columns, which hold words, to the left, the others,
    numbers, to the right.
    """
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    lines = []
    for row in rows:
        cells = zip(row, widths, strict=True)
        lines.append("  ".join(f"{cell:{'<' if i < words else '>'}{width}}" for i, (cell, width) in enumerate(cells)))
    return [line.rstrip() for line in lines]


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
_UNSAID = {"max_grade": "largest grade", "half_life": "none", "within": "days", "n_users": "all users"}


def _measures(definitions: Mapping[str, Definition]) -> Iterator[str]:
    for name, row in definitions.items():
        cutoff = {"required": "@k", "optional": "[@k]", "none": ""}[row.cutoff]
        own = ", ".join(f"{key}={_UNSAID.get(key, value)}" for key, value in row.defaults.items())
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


def ending(explanation: Explanation, measure: str, shown: Callable[[str], str] = str, digits: int = 3) -> str:
    """Return how the value comes out of the sum: "DCG@10 4.387 ÷ ideal DCG 7.526 = **0.583**".

    ``shown`` makes a text literal in the form, and ``measure`` is so already; numbers have so many ``digits``.
    """
    row, worked = explanation.measure.definition, explanation.measure.definition.worked
    if explanation.value is None:
        left_out = query_words.LEFT_OUT_WHY if explanation.ranks else query_words.MISSING_WHY
        return query_words.UNDEFINED.format(measure=measure, why=row.undefined or left_out)
    value = number(explanation.value, digits)
    if worked is None:
        return query_words.BY_FORMULA.format(measure=measure, value=value, formula=shown(row.formula))
    if explanation.below is None:
        return query_words.PLAIN_SUM.format(measure=measure, value=value)
    if not explanation.below:
        return query_words.NOTHING_IDEAL.format(value=value)
    name = worked.sum_is.format(cut="" if explanation.measure.k is None else f"@{explanation.measure.k}") or measure
    below = query_words.BELOW.get(explanation.below_is, query_words.OTHER_BELOW)
    under = below.format(n=_amount(explanation.below, digits), letter=explanation.below_is)
    if worked.ideal:
        under = query_words.IDEAL_BELOW.format(n=number(explanation.below, digits))
    parts = worked.shows in ("parts", "novelty")
    above = _amount(explanation.above, digits) if parts else number(explanation.above, digits)
    return query_words.QUOTIENT.format(name=shown(name), above=above, below=shown(under), value=value)


def _amount(x: float, digits: int) -> str:
    """Return a count, of documents or of pairs of them, as a whole number; any other sum with decimals."""
    return count(int(x)) if x.is_integer() else number(x, digits)


def beneath(explanation: Explanation) -> list[str]:
    """Return the lines about R, the unjudged, and a cut through equal scores."""
    known = query_words.R_LINE.format(
        relevant=count(explanation.relevant),
        judged=count(explanation.judged),
        unjudged=count(explanation.unjudged_shown),
    )
    own = {name: grade_text(value) for name, value in explanation.measure.parameters if isinstance(value, float)}
    how = {"alpha": query_words.NOVELTY_LINE, "half_life": query_words.FADING_LINE}
    lines = [line.format(**own) for name, line in how.items() if name in own]
    if explanation.ideal_gains:
        lines.append(query_words.IDEAL_GAINS.format(gains=", ".join(map(grade_text, explanation.ideal_gains))))
    return [*lines, known, *[query_words.TIES_CUT] * explanation.tied_at_cutoff]


def worked_columns(explanation: Explanation) -> Mapping[str, str]:
    """Return the columns of a calculation: attributes of a rank, and their headings."""
    worked = explanation.measure.definition.worked
    columns = query_words.WORKED_COLUMNS[worked.shows if worked else ""]
    if not explanation.measure.fades:
        return columns
    faded = ({**query_words.FADING, name: text} if name == "gain" else {name: text} for name, text in columns.items())
    return {name: text for part in faded for name, text in part.items()}


def beside_primary(comparison: Comparison) -> str:
    """Return which measure the verdict is on, where parts, bounds and labels speak of nDCG; "" where it is that one."""
    if comparison.primary_is_explained:
        return ""
    return query_words.VIEW_DIFFERS.format(decided=comparison.primary.label)


def seen_text(subtopics: Seen) -> str:
    """Return the subtopics of a document, with how many documents above it have each that was seen."""
    return ", ".join(query_words.SEEN.format(name=name, n=n) if n else name for name, n in subtopics)


_DIGITS = 6
_WHOLE = ("rank", "hits")


def calculation_text(explanation: Explanation, run: str) -> str:
    """Return heading, the list rank by rank, the ideal list, and how the value comes out; ends with a line break."""
    measure, worked = explanation.measure.label, explanation.measure.definition.worked
    where = f"{measure} of {literal(run)} for query {literal(explanation.query_id)}"
    ends = ending(explanation, measure, digits=_DIGITS).replace("**", "")
    if worked and worked.adds is None:
        blocks = [where, query_words.NOT_A_SUM.format(measure=measure), ends]
    else:
        counted = [rank for rank in explanation.ranks if rank.counted or rank.contribution]
        columns = worked_columns(explanation)
        blocks = [where, _worked_table(counted, columns) if counted else query_words.EMPTY]
        if explanation.ideal:
            ideal = _worked_table(explanation.ideal, columns)
            blocks.append(f"{query_words.IDEAL_LIST}\n{ideal}")
        blocks.append("\n".join([ends, *beneath(explanation)]))
    return "\n\n".join(blocks) + "\n"


def _worked_table(rows: Sequence[Rank | Ideal], columns: Mapping[str, str]) -> str:
    """Return the rows, with the document behind the rank where there is one."""
    first, *others = columns
    names = [first, *(["doc_id"] if hasattr(rows[0], "doc_id") else []), *(name for name in others if name != "doc_id")]
    headings = [{**columns, "doc_id": "Document"}[name] for name in names]
    return "\n".join(aligned([tuple(headings), *(tuple(_worked_cell(row, name) for name in names) for row in rows)]))


def _worked_cell(row: Rank | Ideal, name: str) -> str:
    value = getattr(row, name)
    if name == "doc_id":
        return literal(value)
    if name == "subtopics":
        return literal(seen_text(value))
    if name == "relevance":
        return query_words.UNJUDGED_MARK if value is None else grade_text(value)
    if name == "gain" and value == float(grade_text(value)):
        return grade_text(value)
    if value is None:
        return ""
    return str(value) if name in _WHOLE else number(value, _DIGITS)


_LISTED = ("id", "changed", "name", "A → B", "measure", "B − A", "95% interval", "verdict", "decision", "tags")
#: Longer texts are cut: a table is read across.
_LONGEST = 40
NOTHING_SAVED = "No comparison is saved here yet. Save one: rankdash save A B -q Q\n"
NOTHING_FOUND = "No saved comparison has {words} in its names and tags.\n"


def verdict_words(row: ListedRow) -> str:
    """Return the verdict of the revision in a row in the words of the Verdict page, or why there is none."""
    if row.outcome is None:
        return history_words.NOT_COMPUTED
    said = history_words.SAID.format(screen=row.screen, tag=row.tag)
    return history_words.SAID_BY.format(verdict=said, engine=row.engine) if row.engine else said


def decided_words(verdict: Mapping[str, Any]) -> str:
    """Return the verdict that a decision was made on, in the words of the Verdict page at the time."""
    return history_words.SAID.format(screen=verdict["screen"], tag=verdict["tag"])


def delta_words(measure: str, delta: float) -> str:
    """Return the difference of a measure: "ΔnDCG@10 +0.012"."""
    return f"{'' if measure.startswith('Δ') else 'Δ'}{measure} {delta_text(measure, delta)}"


def decision_words(row: ListedRow) -> str:
    """Return the decision in force in a row, and what has changed since; "" where nothing was decided."""
    choice = history_words.CHOICES.get(row.choice or "", "")
    return history_words.CHOSEN.format(choice=choice, since=history_words.SINCE[row.since]) if row.since else choice


def listed_text(listed: Listed, words: str = "") -> str:
    """Return the rows as a table, times in UTC, and how many more there are; ends with a line break.

    Text that people typed is literal, on one line, and cut where it is long.
    """
    if not listed.rows:
        return NOTHING_FOUND.format(words=_cut(repr(words))) if words.strip() else NOTHING_SAVED
    table = [_LISTED, *map(_cells, listed.rows)]
    lines = aligned(table, len(_LISTED))
    more = listed.total - len(listed.rows)
    return "\n".join([*lines, *([f"and {count(more)} more: --most {listed.total}"] if more > 0 else [])]) + "\n"


def _cells(row: ListedRow) -> tuple[str, ...]:
    ends = points if row.measure == GSB else end
    interval = "" if row.lower is None or row.upper is None else f"{ends(row.lower)} to {ends(row.upper)}"
    models = f"{_cut(row.a)} → {_cut(row.b)}" if row.a or row.b else ""
    numbers = (row.measure or "", "" if row.delta is None else delta_text(row.measure or "", row.delta), interval)
    about = (row.id, row.changed.strftime("%Y-%m-%d %H:%M"), _cut(row.name), models)
    return (*about, *numbers, literal(verdict_words(row)), decision_words(row), _cut(", ".join(row.tags)))


def _cut(text: str) -> str:
    text = literal(text[: 4 * _LONGEST])
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1]}…"


@dataclass(frozen=True)
class DecisionRow:
    """A decision as text; ``reason`` may be ""."""

    line: str
    reason: str
    on: str


def decision_row(entry: Decision) -> DecisionRow:
    """Return what was decided, by whom, why, and on which verdict."""
    choice, verdict, delta = history_words.CHOICES[entry.choice], entry.verdict, ""
    if verdict.get("delta") is not None:
        delta = history_words.DELTA_WAS.format(delta=delta_words(verdict["measure"], verdict["delta"]))
    on = history_words.DECIDED_ON.format(
        revision=entry.revision, since=_since(entry), verdict=decided_words(verdict), models=_models(entry)
    )
    line = words.IN_FORCE.format(choice=choice, by=entry.by, at=f"{entry.at:%Y-%m-%d %H:%M} UTC")
    return DecisionRow(line, entry.reason, f"{on}{delta}")


def observation_line(entry: Observation) -> str:
    """Return what an online test showed."""
    observed = entry.observed
    named = {"models": _models(entry), "metric": observed.metric, "delta": signed(observed.delta)}
    return words.OBSERVED.format(**named, since=_since(entry), by=observed.by)


def _models(entry: Decision | Observation) -> str:
    return history_words.MODELS.format(a=entry.subject.model_a, b=entry.subject.model_b)


def _since(entry: Decision | Observation) -> str:
    return history_words.ON_REVISION.format(since=history_words.SINCE[entry.since]) if entry.since else ""


_CUTS = (5, 10, 15, 20, 30, 100, 200, 500, 1000)
#: What trec_eval prints by default, without those.
OFFICIAL = (*("NumQ", "NumRet", "NumRel", "NumRelRet", "AP", "Rprec", "Bpref", "RR"), *(f"P@{k}" for k in _CUTS))
#: What all other forms print by default.
USUAL = ("nDCG@10", "AP", "RR", "P@10", "R@100", "Judged@10")
#: What trec_eval prints only for all queries together.
_OF_ALL = ("NumQ",)


@dataclass(frozen=True)
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
        ids = {query for run in self.runs for query in run.values}
        return tuple(sorted(ids, key=lambda id: id.encode("utf-8", "surrogatepass")))


def measures_of(
    names: Iterable[str], convention: str, form: str, min_grade: float | None = None
) -> tuple[Measure, ...]:
    """Return the measures of some names, of which `official` means those of trec_eval; without names, the usual ones.

    ``form`` decides which are usual, ``min_grade`` from which grade on a document is relevant. MeasureError for a name
    that means no measure, ConventionError for a convention that does not exist.
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
    blocks = [[f"{count(len(evaluated.queries), 'query', 'queries')}, convention {evaluated.preset}"]]
    if evaluated.per_query:
        rows = [
            (literal(query), measure.label, *(_decimals(measure, run.value(query, measure)) for run in evaluated.runs))
            for query in evaluated.queries
            for measure in evaluated.measures
        ]
        blocks.append(aligned([("query", "measure", *runs), *rows]))
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
    for run, run_id in zip(evaluated.runs, evaluated.run_ids, strict=True):
        if evaluated.per_query:
            lines += [
                _trec_line(measure, literal(query), run.value(query, measure))
                for query in evaluated.queries
                for measure in evaluated.measures
                if measure.key not in _OF_ALL and not math.isnan(run.value(query, measure))
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
