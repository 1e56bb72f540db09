"""A comparison with its verdict as one HTML page: the template beside this file, filled in with the sections.

Everything that the template prints is escaped and literal, except drawings and the style sheet.
"""

from __future__ import annotations

import xml.etree.ElementTree as ET
from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import cache
from itertools import repeat, zip_longest
from pathlib import Path
from types import MappingProxyType
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from rankdash import style
from rankdash.case import given_name
from rankdash.conventions import Convention
from rankdash.inspect.lists import PlacedDocument, QueryLists, ShownDocument, query_lists
from rankdash.inspect.query_order import Changes, changes
from rankdash.inspect.view import waterfall
from rankdash.policy import FIELDS, OneOf, Policy, Topic, ValueKind
from rankdash.report import sections
from rankdash.report.markdown import ListedQuery, input_rows, queries_at
from rankdash.report.notes import preset_of, query_notes
from rankdash.report.saved import decision_row, observation_line
from rankdash.report.sections import Reported
from rankdash.report.svg import delta_drawing, deltas_hint, interval_drawing, lists_lines, own_scale
from rankdash.report.worked import beside_primary
from rankdash.scoring import SIDES, Comparison, Side
from rankdash.style import method, queries as query_words, reading, verdict as words
from rankdash.verdict import Outcome
from rankdash.wording import SEARCH, Nouns, count, grade_text, literal, nouns, short, short_inside, signed

_HERE = Path(__file__).parent
#: The colour classes of the style sheet, by the colour of a record.
TONES = MappingProxyType({style.WIN: "win", style.LOSS: "loss", style.SAME: "same"})


def to_html(reported: Reported) -> str:
    """Return the whole page."""
    name = reported.name or sections.models_words(reported.comparison)
    title = words.TITLE.format(name=name, screen=reported.verdict.screen)
    return page(title, "report.html.j2", context_of(reported) | {"alone": True})


def page(title: str, template: str, context: Mapping[str, Any]) -> str:
    """Return a page with the style sheet, and a template as its body."""
    sheet = Markup(_HERE.joinpath("report.css").read_text("utf-8"))
    return _environment().get_template("page.html.j2").render(title=title, sheet=sheet, body=part(template, context))


def part(template: str, context: Mapping[str, Any]) -> Markup:
    """Return a template filled in: a part of a page."""
    return Markup(_environment().get_template(template).render(**context))


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
    environment.filters["tone"] = lambda colour: TONES.get(colour, "same")
    environment.globals |= {"words": words, "style": style, "reading": reading, "method": method, "lists": query_words}
    return environment


def _literal(value: Any) -> Any:
    """Return text with its control characters and marks of direction spelled out."""
    return literal(value) if isinstance(value, str) and not isinstance(value, Markup) else value


def context_of(reported: Reported) -> dict[str, Any]:
    """Return what the template prints, by name."""
    comparison, judged, verdict = reported.comparison, reported.judged, reported.verdict
    neighbours = [(words.NEIGHBOURS, said) for said in sections.neighbours_words(judged, verdict)]
    return {
        "reported": reported,
        "say": nouns(comparison.of_users).say,
        "named": nouns(comparison.of_users).named,
        "verdict": verdict,
        "tone": TONES.get(style.OUTCOME_COLOUR.get(verdict.outcome.value, ""), ""),
        "own_name": given_name(reported.name, *(judged.inputs.a.name, judged.inputs.b.name) if judged else ("", "")),
        "models": sections.models_words(comparison),
        "beside": [*sections.beside(reported), *neighbours],
        "cards": sections.cards(comparison, verdict.outcome),
        "explained": " ".join(sections.explained(comparison)),
        "answers": [(answer, sections.rule_rows(answer)) for answer in sections.answers(verdict)],
        "wrong": sections.wrong_sentences(verdict, comparison),
        "caveats": sections.further_caveats(verdict, comparison),
        "votes_rows": sections.vote_rows(comparison),
        "votes_notes": sections.vote_notes(comparison),
        "voted": comparison.votes is not None,
        "opened": OPENED,
        "decisions": [*map(decision_row, reported.decisions)],
        "observations": [*map(observation_line, reported.observations)],
        "policy_rows": policy_rows(comparison.policy, nouns(comparison.of_users)),
        "policy_note": policy_note(comparison.policy, nouns(comparison.of_users)),
        "files": input_rows(comparison),
        "about_queries": [*map(str, query_notes(comparison))],
        "edits": count(len(reported.edits), words.EDIT, words.EDITS) if reported.edits else "",
        "compared": None if judged is None else _of_lists(judged, verdict.outcome is not Outcome.NOT_COMPARABLE),
    }


def _of_lists(comparison: Comparison, is_comparable: bool) -> dict[str, Any]:
    """Return what the template prints only where lists were compared, by name."""
    found, measure, called = changes(comparison), comparison.primary.label, nouns(comparison.of_users)
    intervals = style.INTERVALS if comparison.sample.inferred else style.DIFFERENCES
    legend = " ".join((style.INTERVALS_LEGEND, own_scale(comparison)))
    return {
        "intervals": _chart(intervals, interval_drawing(comparison, is_comparable), legend),
        "queries": _chart(
            called.say(style.DELTAS), delta_drawing(found, comparison), called.say(deltas_hint(found, measure))
        )
        if len(found)
        else None,
        "why_title": query_words.WHY_TITLE.format(k=comparison.policy.cutoff),
        "why_hint": f"{called.say(words.WHY_HINT)} {beside_primary(comparison)}",
        "why": [
            (query_words.PARTS[step.part], signed(step.value), count(step.queries)) for step in waterfall(comparison)
        ],
        "measure": measure,
        "measures": [sections.measure_cells(result) for result in comparison.results],
        "extremes": [
            (kind, words.EXTREMES_HINT.format(n=count(len(listed)), all=count(every)), listed)
            for kind, every, listed in extremes(comparison, found)
        ],
        "lists_hint": called.say(words.LISTS_HINT).format(k=count(comparison.policy.cutoff))
        if comparison.has_lists
        else "",
        "segments": sections.segment_rows(comparison),
        "segment_note": sections.segment_note(comparison),
        "convention": sections.convention_words(comparison),
        "convention_name": preset_of(comparison) or style.CUSTOM,
        "axes": axis_rows(comparison),
        "catalogue": sections.catalogue_rows(comparison),
        "meanings": [
            (one.label, one.definition.range, f"{called.say(one.definition.formula)}.") for one in comparison.measures
        ],
    }


def _chart(title: str, drawn: ET.Element, note: str) -> dict[str, Any]:
    return {"title": title, "drawn": Markup(ET.tostring(drawn, encoding="unicode")), "note": note}


# --- how the numbers came about, and the queries with both lists ------------------------------------------------------

#: How many queries at each end, how many of them unfolded, and how many letters of each text are shown.
MOST, OPENED = 20, 3
_TITLE, _ID = 90, 40


def axis_rows(comparison: Comparison) -> list[tuple[str, str, str]]:
    """Return every axis of the convention: its name, the value in force, and what it decides."""
    say, axes = nouns(comparison.of_users).say, style.AXIS_WORDS.items()
    rows = ((about.name, sections.axis_words(comparison.convention, axis), about.decides) for axis, about in axes)
    return [(say(name), say(value), say(decides)) for name, value, decides in rows]


def policy_rows(policy: Policy, called: Nouns = SEARCH) -> list[tuple[str, str, str]]:
    """Return every field of a policy, topic by topic: its label, its value in words, and what it means."""
    rows = []
    for name, about in sorted(FIELDS.items(), key=lambda field: [*Topic].index(field[1].topic)):
        meaning = called.say(about.meaning).format(primary=policy.label(policy.primary))
        value = _policy_value(getattr(policy, name), about.kind, called)
        rows.append((called.say(about.label), value, f"{meaning[0].upper()}{meaning[1:]}."))
    return rows


def _policy_value(value: Any, kind: ValueKind | None, called: Nouns) -> str:
    """Return the value of a field in words, whatever its kind."""
    if isinstance(value, Convention):
        return words.POLICY_OWN
    if isinstance(kind, OneOf):
        return called.say(kind.shown[value])
    if isinstance(value, tuple):
        return ", ".join(own if isinstance(own, str) else f"{own[0]} {own[1]:g}" for own in value) or words.NONE
    return value if isinstance(value, str) else f"{value:g}"


def policy_note(policy: Policy, called: Nouns) -> str:
    """Return in which fields a policy differs from the defaults for its primary measure, or that it does not."""
    usual = Policy(primary=policy.primary, convention=policy.convention).to_dict()
    usual |= {"primary": Policy(convention=policy.convention).primary, "convention": Policy.convention}
    own = [called.say(FIELDS[name].label) for name, value in policy.to_dict().items() if value != usual[name]]
    return words.POLICY_DIFFERS.format(fields=", ".join(own)) if own else words.POLICY_DEFAULT


def extremes(comparison: Comparison, changes: Changes) -> Iterator[tuple[str, int, tuple[ListedQuery, ...]]]:
    """Yield for "losses" and "gains" this word, the number of such queries, and the first MOST of them, with both lists
    where the comparison has lists.
    """
    losses, gains = changes.largest(MOST)
    paired = comparison.primary.paired
    for kind, places, every in (("losses", losses, paired.losses), ("gains", gains, paired.wins)):
        queries = queries_at(changes, places)
        if comparison.has_lists:
            ids = [changes.query_ids[place] for place in places.tolist()]
            queries = tuple(map(_with_lists, repeat(comparison), queries, ids))
        yield kind, every, queries


def _with_lists(comparison: Comparison, query: ListedQuery, query_id: str) -> ListedQuery:
    both = query_lists(comparison, query_id)
    a, b = (
        [_document(row, side, both) for row in listed.placed]
        for side, listed in zip(SIDES, (both.a, both.b), strict=True)
    )
    return replace(query, rows=tuple(zip_longest(a, b)), lines=lists_lines(both))


def _document(row: PlacedDocument, side: Side, both: QueryLists) -> dict[str, Any]:
    """Return what is printed of a document; ``helps`` as for ``PlacedDocument``."""
    document = row.document
    return {
        "rank": row.rank,
        "grade": query_words.UNJUDGED_MARK if document.relevance is None else grade_text(document.relevance),
        "level": grade_level(document, both.highest),
        "subtopics": short(", ".join(both.subtopics[place] for place in document.subtopics), _ID),
        "title": short(document.title, _TITLE),
        "doc_id": short_inside(document.doc_id, _ID),
        "move": moved(row, side),
        "helps": row.helps,
    }


def grade_level(document: ShownDocument, highest: float) -> str:
    """Return how much a grade is worth: "high" from half of the highest grade on, else "low"; "none", "unjudged"."""
    if document.relevance is None:
        return "unjudged"
    if document.relevance <= 0 or not highest:
        return "none"
    return "high" if document.relevance / highest >= 0.5 else "low"


def moved(row: PlacedDocument, side: Side) -> str:
    """Return where a document stands in the other list, with its marks: "+ to 2", "− dropped tied"."""
    to = query_words.MOVE_TO if side == SIDES[0] else query_words.MOVE_FROM
    move = query_words.MOVES.get(row.move, to).format(rank=row.other_rank)
    marks = [query_words.TIED_MARK] * row.tied + [query_words.REPEATED_MARK] * row.repeated
    return " ".join((f"{query_words.SIGN[row.helps]}{move}", *marks)).strip()
