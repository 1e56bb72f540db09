"""A comparison as a few lines of text for a terminal."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rankdash.comparison import DERIVED_TOLERANCE, Comparison, Result
from rankdash.conventions import Convention
from rankdash.metrics import Definition
from rankdash.report.json import preset_of
from rankdash.verdict import Verdict
from rankdash.wording import NOT_DEFINED, count, limit, number, p_value, points, shown, signed

_HEAD = ("measure", "role", "A", "B", "B − A", "95% interval", "won / tied / lost", "p", "n")


def to_text(comparison: Comparison, verdict: Verdict) -> str:
    """The measures as a table, ΔGSB, and the verdict in one sentence; ends with a line break."""
    rows = [_HEAD, *(_row(result) for result in comparison.results)]
    derived = comparison.gsb_derived
    lines = [
        f"A {comparison.a.name} → B {comparison.b.name}: "
        f"{count(comparison.primary.paired.n, 'query', 'queries')}, convention {preset_of(comparison) or 'custom'}",
        "",
        *_aligned(rows),
        "",
        f"ΔGSB {points(derived.delta)} ({derived.good} good, {derived.same} same, {derived.bad} bad; derived from "
        f"{shown(comparison.primary.measure)}, same up to {limit(DERIVED_TOLERANCE)})",
        "",
        f"{verdict.screen}: {verdict.tag}. {verdict.sentence}",
    ]
    if verdict.leaning is not None:
        lines.append(verdict.leaning.sentence)
    return "\n".join(lines) + "\n"


def _row(result: Result) -> tuple[str, ...]:
    found = result.paired
    interval = NOT_DEFINED if found.ci95 is None else " to ".join(signed(end, 4) for end in found.ci95)
    return (
        shown(result.measure), result.role, number(found.mean_a, 4), number(found.mean_b, 4), signed(found.delta, 4),
        interval, f"{found.wins} / {found.ties} / {found.losses}", p_value(found.t_p), str(found.n),
    )  # fmt: skip


def _aligned(rows: Sequence[Sequence[str]]) -> list[str]:
    """The rows with their columns under each other, text to the left and numbers to the right."""
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    return [
        "  ".join(cell.ljust(width) if i < 2 else cell.rjust(width) for i, (cell, width) in enumerate(zip(row, widths, strict=True))).rstrip()
        for row in rows
    ]  # fmt: skip


def measures_text(definitions: Mapping[str, Definition], presets: Mapping[str, Convention]) -> str:
    """Every measure with its definition, and every preset by the axes in which it differs from standard."""
    lines = ["Measures, written [preset:]Name[(axis=value, ...)][@k]:", ""]
    for name, row in definitions.items():
        cutoff = {"required": "@k", "optional": "[@k]", "none": ""}[row.cutoff]
        own = ", ".join(f"{key}={'largest grade' if value is None else value}" for key, value in row.defaults.items())
        lines += [
            f"  {name}{cutoff}  ({shown(name)}; {row.range}{'; ' + own if own else ''})",
            f"      {row.formula}.",
            f"      Source: {row.source}.{' Reads: ' + ', '.join(row.reads) + '.' if row.reads else ''}",
        ]
    lines += ["", "Conventions:", ""]
    standard = presets["standard"].spelled_out()
    for name, convention in presets.items():
        axes = convention.spelled_out()
        differs = [f"{axis}={value}" for axis, value in axes.items() if value != standard[axis] or name == "standard"]
        lines.append(f"  {name}: {', '.join(differs) or 'as standard'}")
    return "\n".join(lines) + "\n"
