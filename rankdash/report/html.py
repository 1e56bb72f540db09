"""A comparison with its verdict as one HTML page: the template beside this file, filled in with the sections.

Everything that the template prints is escaped and literal, except drawings and the style sheet.
"""

from __future__ import annotations

import xml.etree.ElementTree as ET
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from rankdash import style
from rankdash.inspect.lists import changes
from rankdash.inspect.view import waterfall
from rankdash.installation import __version__
from rankdash.report.method import axis_rows, convention_name, extremes, input_rows, policy_note, policy_rows
from rankdash.report.notes import query_notes
from rankdash.report.sections import (
    Reported,
    answers,
    beside,
    cards,
    convention_words,
    evaluated_rules,
    measure_cells,
    models_words,
    rule_rows,
    segment_note,
    segment_rows,
    special_words,
    vote_notes,
    vote_rows,
    wrong_sentences,
)
from rankdash.report.svg import MOST_BARS, delta_drawing, interval_drawing
from rankdash.report.text import decision_rows, observation_rows
from rankdash.scoring import Comparison, VotesAlone
from rankdash.style import queries as queries_words
from rankdash.style import verdict as words
from rankdash.verdict import Outcome, robustness
from rankdash.wording import count, literal, signed

_HERE = Path(__file__).parent
#: The colour classes of the style sheet, by the colour of a record.
_TONES = MappingProxyType({style.WIN: "win", style.LOSS: "loss", style.SAME: "same"})


def to_html(reported: Reported) -> str:
    """Return the whole page."""
    template = _environment().get_template("report.html.j2")
    return template.render(**_context(reported))


@cache
def _environment() -> Environment:
    environment = Environment(
        loader=FileSystemLoader(_HERE),
        autoescape=True,
        undefined=StrictUndefined,
        finalize=_literal,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters["drawing"] = Markup  # of text that ``svg`` made
    environment.filters["tone"] = lambda colour: _TONES.get(colour, "same")
    environment.globals |= {"words": words, "style": style}
    return environment


def _literal(value: Any) -> Any:
    """Return text with its control characters and marks of direction spelled out."""
    return literal(value) if isinstance(value, str) and not isinstance(value, Markup) else value


def _context(reported: Reported) -> dict[str, Any]:
    """Return what the template prints, by name."""
    comparison, verdict = reported.comparison, reported.verdict
    judged = None if isinstance(comparison, VotesAlone) else comparison
    return {
        "sheet": Markup(_HERE.joinpath("report.css").read_text("utf-8")),
        "reported": reported,
        "verdict": verdict,
        "tone": _TONES.get(style.OUTCOME_COLOUR.get(verdict.outcome.value, ""), ""),
        "models": models_words(comparison),
        "title": words.TITLE.format(name=reported.name or models_words(comparison), screen=verdict.screen),
        "beside": [*beside(verdict, judged), *_neighbours(reported)],
        "special": "" if judged is None else special_words(judged),
        "cards": cards(comparison),
        "answers": [(answer, rule_rows(answer, evaluated_rules(comparison))) for answer in answers(verdict)],
        "wrong": wrong_sentences(verdict, comparison),
        "votes_rows": vote_rows(comparison),
        "votes_notes": vote_notes(comparison),
        "decisions": decision_rows(reported.decisions),
        "observations": observation_rows(reported.observations),
        "policy_rows": policy_rows(comparison.policy),
        "policy_note": policy_note(comparison.policy),
        "files": input_rows(comparison),
        "about_queries": [note.sentence for note in query_notes(comparison)],
        "edits": count(len(reported.edits), words.EDIT, words.EDITS) if reported.edits else "",
        "made": words.MADE.format(version=__version__, policy=verdict.version, at=f"{reported.at:%Y-%m-%d %H:%M} UTC"),
        "compared": None if judged is None else _of_lists(judged),
    }


def _of_lists(comparison: Comparison) -> dict[str, Any]:
    """Return what the template prints only where lists were compared, by name."""
    found, measure = changes(comparison), comparison.primary.label
    intervals = style.INTERVALS if comparison.sample.inferred else style.DIFFERENCES
    bars = _queries_note(comparison, len(found))
    return {
        "intervals": _chart(intervals, interval_drawing(comparison), style.INTERVALS_LEGEND),
        "queries": _chart(style.DELTAS.format(measure=measure), delta_drawing(found, comparison), bars)
        if len(found)
        else None,
        "why_title": queries_words.CHART_TITLES["why"].format(k=comparison.policy.cutoff),
        "why": [
            (queries_words.PARTS[step.part], signed(step.value), count(step.queries)) for step in waterfall(comparison)
        ],
        "measure": measure,
        "measures": [measure_cells(result) for result in comparison.results],
        "extremes": [
            (kind, words.EXTREMES_HINT[kind].format(n=count(len(listed)), all=count(every)), listed)
            for kind, every, listed in extremes(comparison, found)
        ],
        "lists_hint": words.LISTS_HINT.format(k=count(comparison.policy.cutoff)) if comparison.has_lists else "",
        "segments": segment_rows(comparison),
        "segment_note": segment_note(comparison),
        "convention": convention_words(comparison),
        "convention_name": convention_name(comparison),
        "axes": axis_rows(comparison),
    }


def _neighbours(reported: Reported) -> list[tuple[str, str]]:
    """Return the line about neighbouring settings, where not all of them agree with the verdict."""
    comparison = reported.comparison
    if isinstance(comparison, VotesAlone) or reported.verdict.outcome is Outcome.NOT_COMPARABLE:
        return []
    holds = robustness(comparison)
    return [(words.NEIGHBOURS, holds.sentence)] if holds.not_with else []


def _chart(title: str, drawn: ET.Element, note: str) -> dict[str, Any]:
    return {"title": title, "drawn": Markup(ET.tostring(drawn, encoding="unicode")), "note": note}


def _queries_note(comparison: Comparison, n: int) -> str:
    """Return how many queries were won, tied and lost, and where not all ``n`` are drawn, that too."""
    paired = comparison.primary.paired
    said = words.WON.format(won=count(paired.wins), tied=count(paired.ties), lost=count(paired.losses))
    return said if n <= MOST_BARS else f"{said} {style.DELTAS_THINNED.format(shown=count(MOST_BARS), n=count(n))}"
