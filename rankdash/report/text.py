"""What a terminal prints: a comparison, its warnings, and aligned columns."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import numpy as np

from rankdash import style
from rankdash.evidence.gsb import Gsb
from rankdash.report import sections
from rankdash.report.notes import mistakes_of, notes_of, preset_of
from rankdash.scoring import DERIVED_TOLERANCE, Comparison, Result, VotesAlone
from rankdash.style import verdict as words
from rankdash.verdict import Verdict
from rankdash.wording import end, limit, literal, number, p_value, points, points_between, short_inside

if TYPE_CHECKING:
    from rankdash.evidence.experts import Expertise

#: Longer texts are cut: a table is read across.
LONGEST = 40
_EXPERTS = ("Measure", "permutation p", "BCa 95%", "Wilcoxon p", "sign p")
#: Of numbers in which each query counts once, where queries have weights.
_UNWEIGHTED = ", without weights"
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
    first = [caveat.sentence for caveat in sections.first_caveats(verdict, comparison)]
    minded = first if brief else [*caveats, *sections.neighbours_words(judged, verdict)]
    return [*(mistake.sentence for mistake in wrong), *minded, *notes_of(comparison, verbose=verbose)]


def to_text(comparison: Comparison | VotesAlone, verdict: Verdict) -> str:
    """Return the measures as a table, ΔGSB, and the verdict in the last line, which ends with a line break."""
    judged, votes = None if isinstance(comparison, VotesAlone) else comparison, comparison.votes
    preset = "" if judged is None else f", convention {preset_of(judged) or style.CUSTOM}"
    title = [f"{literal(sections.models_words(comparison))}{preset}"]
    voted = [] if votes is None else [_gsb_line(votes.gsb, f"votes, {sections.raters_words(votes)}")]
    voted += map(literal, sections.vote_notes(comparison) if judged is None else ())
    if judged is not None and not judged.is_judged:
        changed = [f"{card.label}: {card.value} ({'; '.join(card.lines)})" for card in sections.turnover_cards(judged)]
        return "\n".join((literal(sections.models_words(judged)), "", *changed, "", verdict.line)) + "\n"
    blocks = [title, *([] if judged is None else _tables(judged)), voted, [verdict.line]]
    return "\n\n".join("\n".join(lines) for lines in blocks if lines) + "\n"


def _tables(comparison: Comparison) -> list[list[str]]:
    gsb, unweighted = comparison.gsb_derived, "" if comparison.sample.weights is None else _UNWEIGHTED
    derived = f"derived from {comparison.primary.label}{unweighted}, same up to {limit(DERIVED_TOLERANCE)}"
    tables = [
        aligned([words.MEASURE_COLUMNS, *(sections.measure_cells(result, _DECIMALS) for result in comparison.results)]),
        [_gsb_line(gsb, derived)],
    ]
    if comparison.likeness:
        tables.append([f"{row.measure} {number(row.mean, 4)} (n = {row.n})" for row in comparison.likeness])
    if catalogue := sections.catalogue_rows(comparison, _DECIMALS):
        tables.append(aligned([("items", "A", "B"), *catalogue], 1))
    if segments := sections.segment_rows(comparison, _DECIMALS):
        tables.append(aligned([words.SEGMENT_COLUMNS, *([literal(cell) for cell in row] for row in segments)]))
    if comparison.experts is not None:
        pairs = zip(comparison.results, comparison.experts, strict=True)
        heads = (f"{_EXPERTS[0]}{unweighted}", *_EXPERTS[1:])
        tables.append(aligned([heads, *(_expert(result, expertise) for result, expertise in pairs)], 1))
    return [*tables, [*_extremes(comparison)]]


def _extremes(comparison: Comparison) -> Iterator[str]:
    """Yield the queries that lose most in the primary measure, and those that gain most, a line each."""
    ids, delta = comparison.query_ids, np.where(comparison.counted, comparison.deltas[0], 0.0)
    order = np.argsort(delta, kind="stable")
    ends = order[delta[order] < 0], order[delta[order] > 0][::-1]
    for title, places in zip(style.EXTREMES.values(), ends, strict=True):
        each = (f"{short_inside(ids[at], LONGEST)} {end(float(delta[at]))}" for at in places[:_EXTREME].tolist())
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
