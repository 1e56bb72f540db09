"""How the numbers came about, axis by axis, field by field and file by file; and the queries with both lists."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import zip_longest
from typing import Any

from rankdash import style
from rankdash.conventions import Convention
from rankdash.inspect.lists import Changes, Ints, PlacedDocument, QueryLists, ShownDocument, query_lists
from rankdash.mistakes import Mistake
from rankdash.policy import Policy
from rankdash.policy.fields import FIELDS, OneOf, Topic, ValueKind
from rankdash.report.notes import InputNotes, input_notes, mistakes_of, notes_about, preset_of
from rankdash.report.svg import lists_lines, short_name
from rankdash.scoring import SIDES, Comparison, Side, VotesAlone
from rankdash.style import method
from rankdash.style import queries as query_words
from rankdash.style import verdict as words
from rankdash.wording import count, grade_text, number, short, short_inside, signed


@dataclass(frozen=True)
class InputRow:
    """A file: its title, facts as label and value, and the notes on it."""

    title: str
    facts: tuple[tuple[str, str], ...]
    notes: tuple[str, ...]


def convention_name(comparison: Comparison) -> str:
    """Return the name of the preset in force, or that the convention is none."""
    return preset_of(comparison) or style.CUSTOM


def axis_rows(comparison: Comparison) -> list[tuple[str, str, str]]:
    """Return every axis of the convention: its name, the value in force, and what it decides."""
    convention = comparison.convention
    values = {axis: getattr(convention, axis) for axis in method.AXES}
    return [(about.name, _axis_value(about, values[axis]), about.decides) for axis, about in method.AXES.items()]


def _axis_value(about: method.Axis, value: Any) -> str:
    if isinstance(value, (int, float)):
        return f"{value:g}"
    return about.values.get(str(value)) or style.OWN_GAINS.format(table=value)


def policy_rows(policy: Policy) -> list[tuple[str, str, str]]:
    """Return every field of a policy, topic by topic: its label, its value in words, and what it means."""
    primary = policy.primary
    by_topic = [(name, about) for topic in Topic for name, about in FIELDS.items() if about.topic is topic]
    return [
        (about.label, _policy_value(getattr(policy, name), about.kind), _sentence(about.line(primary)))
        for name, about in by_topic
    ]


def _sentence(meaning: str) -> str:
    """Return the meaning of a field as a sentence of its own; a field has it as the middle of a sentence."""
    return f"{meaning[0].upper()}{meaning[1:]}."


def _policy_value(value: Any, kind: ValueKind | None) -> str:
    """Return the value of a field in words, whatever its kind."""
    if isinstance(value, Convention):
        return words.POLICY_OWN
    if isinstance(kind, OneOf):
        return kind.shown[value]
    if isinstance(value, tuple):
        return ", ".join(map(_member, value)) or words.NONE
    return value if isinstance(value, str) else f"{value:g}"


def _member(value: Any) -> str:
    return value if isinstance(value, str) else f"{value[0]} {value[1]:g}"


def policy_note(policy: Policy) -> str:
    """Return in which fields a policy differs from the defaults for its primary measure, or that it does not."""
    usual = {name: getattr(Policy(primary=policy.primary), name) for name in FIELDS} | {"primary": Policy.primary}
    own = [about.label for name, about in FIELDS.items() if getattr(policy, name) != usual[name]]
    return words.POLICY_DIFFERS.format(fields=", ".join(own)) if own else words.POLICY_DEFAULT


def input_rows(comparison: Comparison | VotesAlone) -> tuple[InputRow, ...]:
    """Return every file of a comparison with its digest and the notes on it."""
    wrong = () if isinstance(comparison, VotesAlone) else mistakes_of(comparison)
    return tuple(_input(comparison, noted, wrong) for noted in input_notes(comparison))


def _input(comparison: Comparison | VotesAlone, noted: InputNotes, wrong: tuple[Mistake, ...]) -> InputRow:
    name, order, source = "", "", noted.source
    if isinstance(comparison, Comparison) and noted.input in SIDES:
        run = comparison.inputs.run(noted.input)
        name, order = run.name, style.ORDERED[run.ordered_by]
    facts = {
        "name": source.name or style.IN_MEMORY,
        "rows": count(source.rows) if source.rows else "",
        "order": order,
        "sha256": source.sha256,
    }
    shown_facts = tuple((words.FILE_FACTS[fact], value) for fact, value in facts.items() if value)
    return InputRow(
        words.INPUTS[noted.input].format(name=name),
        shown_facts,
        tuple(note.phrase("page") for note in (*noted.notes, *notes_about(wrong, noted.input))),
    )


#: How many queries at each end, and how many letters of each text are shown.
MOST = 20
_NAME, _TITLE, _ID = 90, 90, 40


@dataclass(frozen=True)
class ListedDocument:
    """A document of a list as text. ``level`` is how much its grade is worth: "high", "low", "none", "unjudged";
    ``helps`` as for ``PlacedDocument``.
    """

    rank: str
    grade: str
    level: str
    title: str
    doc_id: str
    move: str
    helps: bool | None


@dataclass(frozen=True)
class ListedQuery:
    """A query as text: its name, its id where the name is a text, and its numbers.

    ``rows`` are both lists, rank by rank, with None where a list has ended; ``lines`` is the drawing between them.
    Without lists there are no rows.
    """

    name: str
    query_id: str
    delta: str
    colour: str
    a: str
    b: str
    rows: Sequence[tuple[ListedDocument | None, ListedDocument | None]] = ()
    lines: str = ""


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
            queries = tuple(map(partial(_with_lists, comparison), queries, ids))
        yield kind, every, queries


def queries_at(changes: Changes, places: Ints) -> tuple[ListedQuery, ...]:
    """Return the queries at some places of the changes, without their lists."""
    return tuple(map(partial(_listed, changes), places.tolist()))


def _listed(changes: Changes, place: int) -> ListedQuery:
    delta = float(changes.delta[place])
    return ListedQuery(
        short_name(changes, place, _NAME),
        short_inside(changes.query_ids[place], _ID) if changes.texts[place] else "",
        signed(delta),
        style.tone(delta),
        number(float(changes.a[place])),
        number(float(changes.b[place])),
    )


def _with_lists(comparison: Comparison, query: ListedQuery, query_id: str) -> ListedQuery:
    both = query_lists(comparison, query_id)
    return replace(query, rows=_rows(both), lines=lists_lines(both))


def _rows(both: QueryLists) -> tuple[tuple[ListedDocument | None, ListedDocument | None], ...]:
    pairs = zip_longest(both.a.placed, both.b.placed)
    return tuple((_document(a, SIDES[0], both.highest), _document(b, SIDES[1], both.highest)) for a, b in pairs)


def _document(row: PlacedDocument | None, side: Side, highest: float) -> ListedDocument | None:
    if row is None:
        return None
    document = row.document
    return ListedDocument(
        str(row.rank),
        query_words.UNJUDGED_MARK if document.relevance is None else grade_text(document.relevance),
        grade_level(document, highest),
        short(document.title, _TITLE),
        short_inside(document.doc_id, _ID),
        moved(row, side),
        row.helps,
    )


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
