"""Comparisons, verdicts and explanations as dicts and rows, and as small tables in a notebook."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import asdict
from html import escape
from typing import Any

from rankdash.explain import Explanation
from rankdash.records import as_dict, as_html, as_rows
from rankdash.report.json import to_dict, verdict_part
from rankdash.report.notes import compared_queries, mistakes_of, query_notes
from rankdash.scoring import Comparison, Result, VotesAlone
from rankdash.verdict import Status, Verdict, decide
from rankdash.verdict.rule import needs
from rankdash.wording import NOT_DEFINED, literal, number, points, points_between, signed

_MEASURES = ("Measure", "A", "B", "B − A", "95% interval", "won / tied / lost", "n")
_OPEN = (Status.FAILED, Status.NOT_PROVEN)


@as_dict.register
def _comparison(comparison: Comparison) -> dict[str, Any]:
    """Return what ``rankdash compare --json`` writes, with the verdict by the comparison's policy."""
    return to_dict(comparison, decide(comparison))


@as_dict.register
def _votes_alone(comparison: VotesAlone) -> dict[str, Any]:
    return to_dict(comparison, decide(comparison))


@as_dict.register
def _verdict(verdict: Verdict) -> dict[str, Any]:
    return verdict_part(verdict)


@as_dict.register
def _explanation(explained: Explanation) -> dict[str, Any]:
    names = "query_id value above below below_is relevant judged unjudged_shown tied_at_cutoff".split()
    return {
        "measure": explained.measure.label,
        **{name: getattr(explained, name) for name in names},
        "ranks": [asdict(rank) for rank in explained.ranks],
        "ideal": [asdict(rank) for rank in explained.ideal],
    }


@as_rows.register
def _votes_rows(comparison: VotesAlone) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = comparison.vote_rows.table.to_pylist()
    return rows


@as_rows.register
def _checks(verdict: Verdict) -> list[dict[str, Any]]:
    """Return the checklist: rule, question, status, the condition that decides, and the sentence."""
    return [
        {
            "rule": check.rule,
            "question": check.question,
            "status": check.status.value,
            "condition": "; or ".join(map(needs, check.deciding)),
            "sentence": check.sentence,
        }
        for check in verdict.checks
    ]


@as_rows.register
def _ranks(explained: Explanation) -> list[dict[str, Any]]:
    return [asdict(rank) for rank in explained.ranks]


@as_html.register
def _comparison_html(comparison: Comparison) -> str:
    title = f"A {comparison.inputs.a.name} → B {comparison.inputs.b.name}: {compared_queries(comparison)}"
    rows = [_measure_cells(result) for result in comparison.results]
    wrong = [mistake.sentence for mistake in mistakes_of(comparison)]
    notes = [note.sentence for note in query_notes(comparison)]
    return _block(_bold(title), *map(_line, [*wrong, *notes]), _table(_MEASURES, rows), as_html(decide(comparison)))


@as_html.register
def _votes_alone_html(comparison: VotesAlone) -> str:
    gsb = comparison.votes.gsb
    interval = NOT_DEFINED if gsb.ci95 is None else points_between(*gsb.ci95)
    cells = (str(gsb.good), str(gsb.same), str(gsb.bad), points(gsb.delta), interval)
    table = _table(("Good", "Same", "Bad", "ΔGSB", "95% interval"), [cells])
    notes = (_line(note.sentence) for note in query_notes(comparison))
    return _block(_bold("Votes on B against A"), *notes, table, as_html(decide(comparison)))


@as_html.register
def _verdict_html(verdict: Verdict) -> str:
    """Return the outcome, its sentence, and the rules that failed or are not proven."""
    still_open = [(check.rule, check.sentence) for check in verdict.checks if check.status in _OPEN]
    table = _table(("Rule", "What it says"), still_open) if still_open else ""
    return _block(_bold(f"{verdict.screen}: {verdict.tag}"), _line(verdict.sentence), table)


@as_html.register
def _explanation_html(explained: Explanation) -> str:
    head = ("Rank", "Document", "Relevance", "Gain", "Discount", "Contribution", "Sum")
    rows = [
        (
            "" if rank.rank is None else str(rank.rank),
            rank.doc_id,
            "unjudged" if rank.relevance is None else number(rank.relevance, 0 if rank.relevance % 1 == 0 else 3),
            *(number(value) for value in (rank.gain, rank.discount, rank.contribution, rank.running)),
        )
        for rank in explained.ranks
        if rank.counted
    ]
    title = f"{explained.measure.label} of {explained.query_id}: {number(explained.value)}"
    return _block(_bold(title), _table(head, rows))


def _measure_cells(result: Result) -> tuple[str, ...]:
    paired = result.paired
    interval = NOT_DEFINED if paired.ci95 is None else " to ".join(signed(end) for end in paired.ci95)
    means = (number(paired.mean_a), number(paired.mean_b), signed(paired.delta))
    won = NOT_DEFINED if result.describes else f"{paired.wins} / {paired.ties} / {paired.losses}"
    return (result.label, *means, interval, won, str(paired.n))


def _block(*parts: str) -> str:
    return f"<div>{''.join(parts)}</div>"


def _line(text: str) -> str:
    return f"<p>{_text(text)}</p>"


def _bold(text: str) -> str:
    return f"<p><strong>{_text(text)}</strong></p>"


def _table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Return a table; the cells are text."""
    above = "".join(f"<th>{_text(cell)}</th>" for cell in head)
    below = "".join(f"<tr>{''.join(f'<td>{_text(cell)}</td>' for cell in row)}</tr>" for row in rows)
    return f"<table><thead><tr>{above}</tr></thead><tbody>{below}</tbody></table>"


def _text(text: str) -> str:
    """Return any text as HTML that shows it literally."""
    return escape(literal(text))
