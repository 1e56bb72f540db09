"""The queries that B loses and wins most, each with both lists, grades, and how documents moved."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import zip_longest

from rankdash import drawings, style
from rankdash.inspect.lists import Changes, Ints, PlacedDocument, QueryLists, ShownDocument, query_lists
from rankdash.scoring import SIDES, Comparison, Side
from rankdash.style import queries as words
from rankdash.wording import grade_text, number, short, short_inside, signed

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
        drawings.short_name(changes, place, _NAME),
        short_inside(changes.query_ids[place], _ID) if changes.texts[place] else "",
        signed(delta),
        style.tone(delta),
        number(float(changes.a[place])),
        number(float(changes.b[place])),
    )


def _with_lists(comparison: Comparison, query: ListedQuery, query_id: str) -> ListedQuery:
    both = query_lists(comparison, query_id)
    return replace(query, rows=_rows(both), lines=drawings.lists_lines(both))


def _rows(both: QueryLists) -> tuple[tuple[ListedDocument | None, ListedDocument | None], ...]:
    pairs = zip_longest(both.a.placed, both.b.placed)
    return tuple((_document(a, SIDES[0], both.highest), _document(b, SIDES[1], both.highest)) for a, b in pairs)


def _document(row: PlacedDocument | None, side: Side, highest: float) -> ListedDocument | None:
    if row is None:
        return None
    document = row.document
    return ListedDocument(
        str(row.rank),
        words.UNJUDGED_MARK if document.relevance is None else grade_text(document.relevance),
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
    to = words.MOVE_TO if side == SIDES[0] else words.MOVE_FROM
    move = words.MOVES.get(row.move, to).format(rank=row.other_rank)
    marks = [words.TIED_MARK] * row.tied + [words.REPEATED_MARK] * row.repeated
    return " ".join((f"{words.SIGN[row.helps]}{move}", *marks)).strip()
