"""What a reader of single queries sees: the two lists of a query side by side.

Here it is decided which way a document moved and whether that helped, but no colours or words.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any, Literal

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from rankdash import arrow
from rankdash.evidence.paired import deltas
from rankdash.inspect.explain import Explanation, explain
from rankdash.judged import Order, are_apart
from rankdash.metrics import Measure
from rankdash.records import frozen, replace
from rankdash.scoring import Comparison, Rankings, Side, texts_of
from rankdash.tables import Judgments, Run

Ints = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]
#: Subtopics of a document, as places among those of its query.
Subtopics = tuple[int, ...]
Move = Literal["up", "down", "same", "new", "dropped", ""]


@frozen
class ShownDocument:
    """A returned document; ``relevance`` is None where it is unjudged, ``title`` "" where it has none. ``date`` is that
    of its item, "" without one, ``age`` how many days before the query that was. ``subtopics`` are those that it is
    relevant to, as places among those of the query.
    """

    doc_id: str
    title: str
    relevance: float | None
    date: str = ""
    age: float | None = None
    subtopics: Subtopics = ()


@frozen
class PlacedDocument:
    """A document of a list, with its rank in the other list.

    ``move`` is the direction from A to B, in both lists: "up" is a better rank in B, "" where documents have no names.
    ``helps`` tells whether the move raises the score of B: it does where a good document moves up or another moves
    down; None where the document did not move or is unjudged. A good document is a relevant one; where the measure has
    no relevance level, one with a grade above 0. ``contribution`` is its summand in the numerator of the
    primary measure, 0 beyond the cutoff.
    """

    rank: int
    document: ShownDocument
    other_rank: int | None
    move: Move
    helps: bool | None
    contribution: float
    tied: bool
    repeated: bool  # the file holds it again for this query; the first counts


@frozen
class QueryList:
    """One model's list for a query: its first documents, the value of the measure (None: undefined), and how it was
    worked out.
    """

    model: str
    value: float | None
    length: int
    placed: tuple[PlacedDocument, ...]
    worked: Explanation


@frozen
class QueryLists:
    """A query's two lists side by side; ``highest`` is the highest grade in the judgments, of any query, and
    ``subtopics`` the names of those of this query, in the order in which they first have a relevant document.
    """

    query_id: str
    delta: float | None
    a: QueryList
    b: QueryList
    highest: float
    subtopics: tuple[str, ...] = ()

    def covered(self, depth: int) -> tuple[set[int], set[int]]:
        """Return the subtopics that the first documents of A and of B are relevant to."""
        sides = (self.a.placed[:depth], self.b.placed[:depth])
        a, b = ({place for row in placed for place in row.document.subtopics} for placed in sides)
        return a, b


def top_documents(comparison: Comparison, side: Side, query: Ints) -> tuple[ShownDocument | None, ...]:
    """Return the first document of a run on some queries (numbers of the axis q), None where there is no list."""
    joined, convention = comparison.joined, comparison.convention
    ranked = joined.ranked(side, Order.of(convention))
    if not ranked.top_row.shape[1]:  # no run has a list
        return (None,) * len(query)
    rows, judgment = ranked.top_row[query, 0], ranked.top_judgment[query, 0]
    first = _documents(joined, joined.run(side), rows[rows >= 0])
    grades = [None if at < 0 else float(joined.pool.relevance[at]) for at in judgment]
    unjudged_below_zero = convention.negative != "clip"
    documents: list[ShownDocument | None] = []
    for row, grade in zip(rows.tolist(), grades, strict=True):
        if row < 0:
            documents.append(None)
            continue
        doc_id, title = next(first)
        if grade is not None and grade < 0:
            grade = None if unjudged_below_zero else 0.0
        documents.append(ShownDocument(doc_id, title, grade))
    return tuple(documents)


def query_lists(
    comparison: Comparison, query_id: str, depth: int | None = None, measure: Measure | None = None
) -> QueryLists:
    """Return both lists of a judged query down to ``depth`` (None: the policy's cutoff), scored by a measure (None: the
    primary measure).

    The rank of a document in the other list is looked up in the whole list. ComparisonError where the comparison
    has no lists; MeasureError for a query without judgments.
    """
    depth = depth or comparison.policy.cutoff
    joined, measure = comparison.joined, measure or comparison.measures[0]
    judgments = joined.judgments
    if not comparison.is_judged:  # no measure has a value; only the order of the lists is needed
        judgments, measure = _nothing_judged(query_id), comparison.measures[0]
    known = joined.pool.known
    about: dict[str, Any] = {} if known is None else {"items": joined.items, "queries": known.queries}
    worked_a = explain(joined.a, judgments, measure, query_id, side="a", **about)
    worked_b = explain(joined.b, judgments, measure, query_id, side="b", **about)
    if not comparison.is_judged:
        worked_a, worked_b = (replace(worked, value=None) for worked in (worked_a, worked_b))
    values = [np.array([worked.value], np.float64) for worked in (worked_a, worked_b)]
    delta = float(deltas(*values)[0])
    subtopics, of_document = _subtopics(judgments, query_id, measure.convention.rel)
    return QueryLists(
        query_id,
        None if np.isnan(delta) else delta,
        _query_list(joined, "a", worked_a, worked_b, depth, of_document),
        _query_list(joined, "b", worked_b, worked_a, depth, of_document),
        highest_grade(comparison),
        subtopics,
    )


def _subtopics(judgments: Judgments, query_id: str, rel: float) -> tuple[tuple[str, ...], dict[str, Subtopics]]:
    """Return the subtopics of a query that have a relevant document, and those that each document is relevant to."""
    table = judgments.table
    if "subtopic" not in table.column_names:
        return (), {}
    rows = arrow.rows_of(arrow.one_chunk(table.column("query_id")), query_id)
    taken = table.select(["subtopic", "doc_id", "relevance"]).take(arrow.from_numpy(rows))
    first: dict[tuple[str, str], float] = {}
    for subtopic, doc_id, grade in zip(*(column.to_pylist() for column in taken.columns), strict=True):
        first.setdefault((subtopic, doc_id), grade)
    kept = [pair for pair, grade in first.items() if grade >= rel and pair[0]]
    names = tuple(dict.fromkeys(subtopic for subtopic, _ in kept))
    of_document: dict[str, Subtopics] = {}
    for place, name in enumerate(names):
        for doc_id in (doc_id for subtopic, doc_id in kept if subtopic == name):
            of_document[doc_id] = (*of_document.get(doc_id, ()), place)
    return names, of_document


@frozen
class Exchange:
    """What differs between the first documents of two lists: the documents that B drops and brings in, counted by
    grade, the highest first and unjudged ones (None) last; the ranks of all unjudged ones in B; how many documents of
    both lists with a grade above 0 are higher and lower in B; and the document whose summand changes most in the
    direction of the difference, with its ranks in A and in B. None: no summand changes.
    """

    dropped: dict[float | None, int]
    gained: dict[float | None, int]
    unknown: tuple[int, ...]
    higher: int
    lower: int
    most: tuple[ShownDocument, int | None, int | None] | None


def exchange(lists: QueryLists, depth: int) -> Exchange | None:
    """Return what differs between both lists down to ``depth``; None where documents have no names."""
    if any(not row.move for row in (*lists.a.placed, *lists.b.placed)):
        return None
    dropped, gained = (
        [row for row in listed.placed if (row.other_rank or depth + 1) > depth] for listed in (lists.a, lists.b)
    )
    unknown = tuple(row.rank for row in lists.b.placed if row.document.relevance is None)
    kept = [row for row in lists.b.placed if (row.other_rank or depth + 1) <= depth]
    moves = Counter(row.move for row in kept if (row.document.relevance or 0) > 0)
    return Exchange(_by_grade(dropped), _by_grade(gained), unknown, moves["up"], moves["down"], _moved_most(lists))


def _moved_most(lists: QueryLists) -> tuple[ShownDocument, int | None, int | None] | None:
    a, b = ({rank.doc_id: rank.contribution for rank in side.worked.ranks[::-1]} for side in (lists.a, lists.b))
    sign = np.sign(lists.delta or 0)

    def change(row: PlacedDocument) -> float:
        return float(sign * (b.get(row.document.doc_id, 0) - a.get(row.document.doc_id, 0)))

    most = max((*lists.a.placed, *lists.b.placed), key=change, default=None)
    if most is None or change(most) <= 0:
        return None
    in_b = most in lists.b.placed
    return (most.document, *((most.other_rank, most.rank) if in_b else (most.rank, most.other_rank)))


def _by_grade(rows: Iterable[PlacedDocument]) -> dict[float | None, int]:
    """Return how often each grade occurs, the highest first, None last."""
    grades = Counter(row.document.relevance for row in rows)
    return dict(sorted(grades.items(), key=lambda item: -np.inf if item[0] is None else item[0], reverse=True))


def _nothing_judged(query_id: str) -> Judgments:
    """Return judgments of a query that are about no document of any list."""
    one, none = arrow.from_strings([query_id]).dictionary_encode(), pa.array([0.0])
    return Judgments(pa.table({"query_id": one, "doc_id": arrow.from_strings([""]), "relevance": none}))


def highest_grade(comparison: Comparison) -> float:
    """Return the highest grade in the judgments, of any query; 0 where nothing is relevant."""
    return max((0.0, *comparison.scored.scope.grades))


def _query_list(
    joined: Rankings, side: Side, own: Explanation, other: Explanation, depth: int, subtopics: Mapping[str, Subtopics]
) -> QueryList:
    run, named = joined.run(side), not are_apart(joined.judgments)
    by_level = "rel" in own.measure.definition.axes
    elsewhere = {rank.doc_id: place for place, rank in enumerate(other.ranks, start=1)}
    first = own.ranks[:depth]
    rows = np.array([rank.row for rank in first], np.int64)
    every = zip(first, _documents(joined, run, rows), _dated(joined, run, rows, own.query_id), strict=True)
    placed = []
    for place, (rank, (doc_id, title), dated) in enumerate(every, start=1):
        there = elsewhere.get(doc_id)
        move: Move = "" if not named else _move(place, there) if side == "a" else _move(there, place)
        helps = _helps(move, rank.relevance, good=rank.relevant if by_level else bool(rank.relevance))
        document = ShownDocument(doc_id, title, rank.relevance, *dated, subtopics.get(doc_id, ()))
        placed.append(PlacedDocument(place, document, there, move, helps, rank.contribution, rank.tied, rank.repeated))
    return QueryList(run.name, own.value, len(own.ranks), tuple(placed), own)


def _dated(joined: Rankings, run: Run, rows: Ints, query_id: str) -> list[tuple[str, float | None]]:
    """Return the date and the age of the documents in some rows of a run, "" and None where they are not known."""
    known = joined.pool.known
    days = None if known is None else known.column("date")
    if known is None or days is None:
        return [("", None)] * len(rows)
    at = arrow.positions(arrow.from_strings([query_id]), joined.pool.query_ids)[0]
    time = np.nan if known.time is None or at < 0 else known.time[at]
    dated = days[known.listed(run.table, rows[None]).item[0]]
    dates = ["" if np.isnan(day) else str(np.datetime64(int(day // 1), "D")) for day in dated.tolist()]
    ages = [None if np.isnan(age) else age for age in np.maximum(time - dated, 0).tolist()]
    return [*zip(dates, ages, strict=True)]


def _move(in_a: int | None, in_b: int | None) -> Move:
    """Return which way a document went from A to B."""
    if in_a is None:
        return "new"
    if in_b is None:
        return "dropped"
    return "same" if in_a == in_b else "up" if in_b < in_a else "down"


def _helps(move: Move, relevance: float | None, *, good: bool) -> bool | None:
    """Return whether a move helps B: it does where a good document moves up, or another one down."""
    if relevance is None or move in ("same", ""):
        return None
    return good == (move in ("up", "new"))


def _documents(joined: Rankings, run: Run, rows: Ints) -> zip[tuple[str, str]]:
    """Return id and title of the documents in some rows of a run."""
    return zip(*(texts_of(joined, run, rows, column) for column in ("doc_id", "title")), strict=True)
