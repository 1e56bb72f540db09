"""A comparison with its verdict as one HTML page: the template beside this file, filled in with the sections.

Everything that the template prints is escaped and literal, except drawings, the style sheet and, in a report with
interactive charts, the HTML that Plotly makes.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from rankdash import drawings, style
from rankdash.inspect.lists import changes
from rankdash.installation import __version__
from rankdash.report.forms.charts import CHARTS
from rankdash.report.population import query_notes
from rankdash.report.questions import answers
from rankdash.report.sections import decisions, headline, method, queries, rules, segments, votes
from rankdash.report.sections.cards import cards
from rankdash.report.sections.measures import measure_cells
from rankdash.report.sections.reported import Reported
from rankdash.scoring import Comparison, VotesAlone
from rankdash.style import evidence
from rankdash.style import report as words
from rankdash.verdict import Outcome, robustness
from rankdash.wording import count, literal

_HERE = Path(__file__).parent
#: The colour classes of the style sheet, by the colour of a record.
_TONES = MappingProxyType({style.WIN: "win", style.LOSS: "loss", style.SAME: "same"})


def to_html(reported: Reported, *, interactive: bool = False) -> str:
    """Return the whole page. ``interactive``: with Plotly's figures and their code in place of drawings."""
    template = _environment().get_template("report.html.j2")
    return template.render(**_context(reported, interactive))


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
    environment.filters["drawing"] = Markup  # of text that ``drawings`` made
    environment.filters["tone"] = lambda colour: _TONES.get(colour, "same")
    environment.globals |= {"words": words, "style": style, "evidence": evidence}
    return environment


def _literal(value: Any) -> Any:
    """Return text with its control characters and marks of direction spelled out."""
    return literal(value) if isinstance(value, str) and not isinstance(value, Markup) else value


def _context(reported: Reported, interactive: bool) -> dict[str, Any]:
    """Return what the template prints, by name."""
    comparison, verdict = reported.comparison, reported.verdict
    judged = None if isinstance(comparison, VotesAlone) else comparison
    return {
        "sheet": Markup(_HERE.joinpath("report.css").read_text("utf-8")),
        "script": _script() if interactive else "",
        "reported": reported,
        "verdict": verdict,
        "tone": _TONES.get(style.OUTCOME_COLOUR.get(verdict.outcome.value, ""), ""),
        "models": headline.models_words(comparison),
        "title": words.TITLE.format(name=reported.name or headline.models_words(comparison), screen=verdict.screen),
        "beside": [*headline.beside(verdict, judged), *_neighbours(reported)],
        "special": "" if judged is None else headline.special_words(judged),
        "cards": cards(comparison),
        "answers": [
            (answer, rules.rule_rows(answer, rules.evaluated_rules(comparison))) for answer in answers(verdict)
        ],
        "wrong": rules.wrong_sentences(verdict, comparison),
        "charts": _charts(reported, interactive),
        "votes_rows": votes.rows(comparison),
        "votes_notes": votes.notes(comparison),
        "decisions": decisions.decision_rows(reported.decisions),
        "observations": decisions.observation_rows(reported.observations),
        "policy_rows": method.policy_rows(comparison.policy),
        "policy_note": method.policy_note(comparison.policy),
        "files": method.input_rows(comparison),
        "about_queries": [note.sentence for note in query_notes(comparison)],
        "edits": count(len(reported.edits), words.EDIT, words.EDITS) if reported.edits else "",
        "made": words.MADE.format(version=__version__, policy=verdict.version, at=f"{reported.at:%Y-%m-%d %H:%M} UTC"),
        "compared": None if judged is None else _of_lists(judged),
    }


def _of_lists(comparison: Comparison) -> dict[str, Any]:
    """Return what the template prints only where lists were compared, by name."""
    return {
        "measure": comparison.primary.label,
        "measures": [measure_cells(result) for result in comparison.results],
        "extremes": [
            (kind, words.EXTREMES_HINT[kind].format(n=count(len(listed)), all=count(every)), listed)
            for kind, every, listed in queries.extremes(comparison, changes(comparison))
        ],
        "lists_hint": words.LISTS_HINT.format(k=count(comparison.policy.cutoff)) if comparison.has_lists else "",
        "segments": segments.segment_rows(comparison),
        "segment_note": segments.segment_note(comparison),
        "convention": rules.convention_words(comparison),
        "convention_name": method.convention_name(comparison),
        "axes": method.axis_rows(comparison),
    }


def _neighbours(reported: Reported) -> list[tuple[str, str]]:
    """Return the line about neighbouring settings, where not all of them agree with the verdict."""
    comparison = reported.comparison
    if isinstance(comparison, VotesAlone) or reported.verdict.outcome is Outcome.NOT_COMPARABLE:
        return []
    holds = robustness(comparison)
    return [(evidence.NEIGHBOURS, holds.sentence)] if holds.not_with else []


def _charts(reported: Reported, interactive: bool) -> dict[str, dict[str, Any]]:
    """Return the charts of a report by name: title, note, and the drawing or Plotly's HTML."""
    draw = _figure if interactive else _drawing
    return {
        name: {"title": row.title(reported), "note": row.note(reported), "drawn": draw(reported, name)}
        for name, row in CHARTS.items()
        if not row.lacks(reported)
    }


def _drawing(reported: Reported, name: str) -> Markup:
    return Markup(drawings.as_text(CHARTS[name].draw(reported)))


def _figure(reported: Reported, name: str) -> Markup:
    """Return a chart made by Plotly, with the alternative text of the drawing."""
    from rankdash.report.html.figures import figure_html

    return figure_html(reported, name, CHARTS[name].draw(reported).get("aria-label", ""))


def _script() -> Markup:
    from rankdash.report.html.figures import script

    return script()
