"""A comparison as a few lines of text for a terminal."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from rankdash.conventions import OF_TOOLS, PRESETS, STANDARD, Convention, preset
from rankdash.edits import Edit
from rankdash.evidence.experts import Expertise
from rankdash.evidence.paired import Paired
from rankdash.evidence.votes import Gsb, Rated
from rankdash.metrics import Definition, definition_of
from rankdash.metrics.definitions import COVERS, DEFINITIONS, WRITTEN
from rankdash.report.notes import preset_of
from rankdash.report.population import compared_queries, query_lines
from rankdash.scoring import DERIVED_TOLERANCE, Comparison, Result, SegmentResult, VotesAlone
from rankdash.verdict import Outcome, Verdict, robustness
from rankdash.verdict.caveats import SHOWN
from rankdash.wording import NOT_DEFINED, count, limit, literal, number, p_value, points, points_between, signed

_SEGMENTS = ("segment", "role", "B − A", "95% interval", "won / tied / lost", "n")
_EXPERTS = ("measure", "", "permutation p", "BCa 95%", "Wilcoxon p", "sign p")
_HEAD = ("measure", "role", "A", "B", "B − A", "95% interval", "won / tied / lost", "t-test p", "n")


def to_text(comparison: Comparison | VotesAlone, verdict: Verdict, edits: Sequence[Edit] = ()) -> str:
    """Return the notes on the queries, the measures as a table, ΔGSB, and the verdict in one sentence; ends with a line
    break.
    """
    notes = query_lines(comparison)
    if isinstance(comparison, VotesAlone):
        blocks = [notes] if notes else []
    else:
        blocks = [[*_title(comparison, len(edits)), *notes], *_tables(comparison)]
    if comparison.votes is not None:
        blocks.append([_votes(comparison.votes)])
    blocks.append(_verdict(comparison, verdict))
    return "\n\n".join("\n".join(lines) for lines in blocks) + "\n"


def _title(comparison: Comparison, edits: int) -> list[str]:
    convention = preset_of(comparison) or "custom"
    a, b = literal(comparison.inputs.a.name), literal(comparison.inputs.b.name)
    edited = f", edited: {count(edits, 'edit', 'edits')}" if edits else ""
    return [f"A {a} → B {b}: {compared_queries(comparison)}, convention {convention}{edited}"]


def _tables(comparison: Comparison) -> list[list[str]]:
    gsb = comparison.gsb_derived
    derived = f"derived from {comparison.primary.label}, same up to {limit(DERIVED_TOLERANCE)}"
    tables = [aligned([_HEAD, *(_row(result) for result in comparison.results)]), [_gsb_line(gsb, derived)]]
    if comparison.likeness:
        tables.append([f"{row.measure} {number(row.mean, 4)} on {row.n} queries" for row in comparison.likeness])
    if comparison.plain.segments:
        tables.append(aligned([_SEGMENTS, *(_segment(segment) for segment in comparison.plain.segments)]))
    if comparison.experts is not None:
        pairs = zip(comparison.results, comparison.experts, strict=True)
        tables.append(aligned([_EXPERTS, *(_expert(result, expertise) for result, expertise in pairs)]))
    return tables


def _votes(said: Rated) -> str:
    agree = "" if said.alpha is None else f", α {number(said.alpha, 2)}"
    raters = "raters not recorded" if said.people is None else count(said.people, "rater", "raters")
    return _gsb_line(said.gsb, f"votes, {raters}{agree}")


def _gsb_line(gsb: Gsb, what: str) -> str:
    interval = "" if gsb.ci95 is None else f", 95% interval {points_between(*gsb.ci95)}"
    return f"ΔGSB {points(gsb.delta)}{interval} ({gsb.good} good, {gsb.same} same, {gsb.bad} bad; {what})"


def _verdict(comparison: Comparison | VotesAlone, verdict: Verdict) -> list[str]:
    return [
        verdict.line,
        *_neighbours(comparison, verdict),
        *(f"Mind: {caveat.sentence}" for caveat in verdict.caveats[:SHOWN]),
    ]


def _neighbours(comparison: Comparison | VotesAlone, verdict: Verdict) -> list[str]:
    """Return one line where not every neighbouring setting agrees with the verdict."""
    if isinstance(comparison, VotesAlone) or verdict.outcome is Outcome.NOT_COMPARABLE:
        return []
    holds = robustness(comparison)
    return [holds.sentence] if holds.not_with else []


def _row(result: Result) -> tuple[str, ...]:
    paired = result.paired
    interval = NOT_DEFINED if paired.ci95 is None else " to ".join(signed(end, 4) for end in paired.ci95)
    return (
        result.label,
        result.role,
        number(paired.mean_a, 4),
        number(paired.mean_b, 4),
        signed(paired.delta, 4),
        interval,
        NOT_DEFINED if result.describes else _won(paired),
        p_value(paired.t_p),
        str(paired.n),
    )


def _segment(segment: SegmentResult) -> tuple[str, ...]:
    paired = segment.paired
    interval = NOT_DEFINED if paired.ci95 is None else " to ".join(signed(end, 4) for end in paired.ci95)
    role = "policy" if segment.judged else "too small" if segment.named else "exploratory"
    return (
        literal(f"{segment.column}: {segment.value}"),
        role,
        signed(paired.delta, 4),
        interval,
        _won(paired),
        str(paired.n),
    )


def _expert(result: Result, expertise: Expertise) -> tuple[str, ...]:
    ends = expertise.bootstrap.bca95
    return (
        result.label,
        "experts",
        p_value(expertise.permutation.p),
        NOT_DEFINED if ends is None else " to ".join(signed(end, 4) for end in ends),
        p_value(expertise.wilcoxon.p),
        p_value(expertise.sign_p),
    )


def _won(paired: Paired) -> str:
    return f"{paired.wins} / {paired.ties} / {paired.losses}"


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


def without_list(definition: Definition) -> str:
    """Return what is left to differ from a tool where queries without a list count 0 in every measure; or ""."""
    return "; there a query without a list counts 0, and here it has no value" if definition.empty is None else ""


def _covered(preset: str) -> list[str]:
    """Return the measures that the preset's tool prints, and how to write those that it computes by other axes."""
    if preset == "standard":
        return []
    other = (
        f"{name} differs in that tool: write {written}{without_list(DEFINITIONS[name.removesuffix('@k')])}."
        for name, written in WRITTEN.get(preset, {}).items()
    )
    return [f"Covers {', '.join(COVERS[preset])}; no other measure is that tool's number.", *other]


def measures_text(names: Sequence[str] = ()) -> str:
    """Return measures with their definitions, and presets by the axes in which they differ from standard: those of the
    names, or all. MeasureError or ConventionError for a name that is neither.
    """
    presets = {name: PRESETS[name] for name in names or PRESETS if name in PRESETS}
    for name in names:
        if name.lower() in OF_TOOLS:
            preset(name)  # says which convention is meant
    rows = [definition_of(name) for name in names or DEFINITIONS if name not in PRESETS]
    definitions = {row.name: row for row in rows}
    parts = []
    if definitions:
        parts.append(["Measures, written [preset:]Name[(axis=value, ...)][@k]:", "", *_measures(definitions)])
    if presets:
        parts.append(["Conventions:", "", *_presets(presets)])
    return "\n\n".join("\n".join(lines) for lines in parts) + "\n"


def _measures(definitions: Mapping[str, Definition]) -> Iterator[str]:
    for name, row in definitions.items():
        cutoff = {"required": "@k", "optional": "[@k]", "none": ""}[row.cutoff]
        own = ", ".join(f"{key}={'largest grade' if value is None else value}" for key, value in row.defaults.items())
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
        yield from (f"      {line}" for line in _covered(name))
