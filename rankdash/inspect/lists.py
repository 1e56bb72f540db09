"""What a reader of single queries sees: the deltas in order, and the two lists of a query side by side.

Here it is decided which queries are shown, which way a document moved and whether that helped, but no colours or words.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from rankdash import arrow
from rankdash.evidence.paired import deltas
from rankdash.explain import Explanation, explain
from rankdash.judged import Order, are_apart
from rankdash.metrics import Measure
from rankdash.scoring import Comparison, Rankings, Side
from rankdash.tables import Judgments, Run

Ints = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]
#: Subtopics of a document, as places among those of its query.
Subtopics = tuple[int, ...]
Move = Literal["up", "down", "same", "new", "dropped", ""]

#: As many of the largest losses, and of the largest gains, are named.
EXTREMES = 5


@dataclass(frozen=True)
class Changes:
    """The primary measure per query, in the order of delta, largest loss first.

    Axis n: the queries of the policy's population that have a delta. ``texts`` is "" where no file has the text.
    """

    query_ids: Sequence[str]
    texts: Sequence[str]
    query: Ints  # (n,) which query of the comparison
    a: Floats
    b: Floats
    delta: Floats

    def __len__(self) -> int:
        return len(self.query_ids)

    def evenly(self, most: int) -> Ints:
        """Return places of at most ``most`` queries, spread evenly over the order, with both ends."""
        spread = np.linspace(0, len(self) - 1, min(most, len(self)))
        places: Ints = np.unique(np.rint(spread)).astype(np.int64)
        return places

    def largest(self, most: int = EXTREMES) -> tuple[Ints, Ints]:
        """Return places of the largest losses and of the largest gains, at most ``most`` each, the largest first."""
        losses: Ints = np.flatnonzero(self.delta < 0)[:most].astype(np.int64)
        gains: Ints = np.flatnonzero(self.delta > 0)[::-1][:most].astype(np.int64)
        return losses, gains


@dataclass(frozen=True)
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


@dataclass(frozen=True)
class PlacedDocument:
    """A document of a list, with its rank in the other list.

    ``move`` is the direction from A to B, in both lists: "up" is a better rank in B, "" where documents have no names.
    ``helps`` tells whether the move raises the score of B: it does where a relevant document moves up or another moves
    down; None where the document did not move or is unjudged. ``contribution`` is its summand in the numerator of the
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


@dataclass(frozen=True)
class QueryList:
    """One model's list for a query: its first documents, the value of the measure (None: undefined), and how it was
    worked out.
    """

    model: str
    value: float | None
    length: int
    placed: tuple[PlacedDocument, ...]
    worked: Explanation


@dataclass(frozen=True)
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


def changes(comparison: Comparison) -> Changes:
    """Return the deltas of the primary measure, largest loss first; of equal deltas, in the order of the judgments."""
    delta = comparison.deltas[0]
    return sorted_changes(comparison, comparison.scores_a[0], comparison.scores_b[0], delta)


def sorted_changes(comparison: Comparison, a: Floats, b: Floats, delta: Floats) -> Changes:
    """Return the changes of any values of A and of B with their differences, (q,) each, in the same order."""
    defined = np.flatnonzero(comparison.counted & ~np.isnan(delta))
    query: Ints = defined[np.argsort(delta[defined], kind="stable")].astype(np.int64)
    ids = arrow.Strings(comparison.scored.query_ids)
    return Changes(ids.take(query), _texts(comparison, query), query, a[query], b[query], delta[query])


@dataclass(frozen=True)
class Disagreement:
    """A query on which candidates differ: its text, "" where no file has it, and the values of A and each candidate."""

    query_id: str
    text: str
    values: tuple[float, ...]


def disagreements(compared: Sequence[Comparison], most: int = 2) -> tuple[int, tuple[Disagreement, ...]]:
    """Return how many queries some candidates of one A win and others lose, and those with the widest spread."""
    first = compared[0]
    ids = first.scored.query_ids
    rows = []
    for one in compared:
        at = arrow.positions(ids, one.scored.query_ids)
        counts = (at >= 0) & one.counted[at]
        both = np.stack((one.deltas[0], one.scores_b[0]))
        rows.append(np.where(counts, both[:, at], np.nan))
    delta, value = np.stack(rows, axis=1)
    differ = np.flatnonzero((delta > 0).any(axis=0) & (delta < 0).any(axis=0))
    highest = np.nanmax(value[:, differ], axis=0)
    lowest = np.nanmin(value[:, differ], axis=0)
    widest: Ints = differ[np.argsort(lowest - highest, kind="stable")[:most]].astype(np.int64)
    names = arrow.Strings(ids).take(widest)
    texts = _texts(first, widest)
    values = np.vstack((first.scores_a[0], value))[:, widest].T.tolist()
    return len(differ), tuple(map(Disagreement, names, texts, map(tuple, values)))


def _texts(comparison: Comparison, query: Ints) -> arrow.Strings:
    """Return the texts of some queries of the comparison, "" where there is none."""
    texts = query_texts(comparison)
    if not texts:
        return arrow.Strings(pa.repeat(pa.scalar("", pa.string()), len(query)))
    every = arrow.Strings(arrow.from_strings([texts.get(query_id, "") for query_id in comparison.query_ids]))
    return every.take(query)


def query_texts(comparison: Comparison) -> dict[str, str]:
    """Return the text of each query that has one, by id: of the table of queries, else its first row in A or else B."""
    texts = comparison.facts.texts
    of_queries = {name: text for name, text in zip(comparison.query_ids, texts, strict=True) if text} if texts else {}
    return (_texts_of_runs(comparison.joined) if comparison.has_lists else {}) | of_queries


def _texts_of_runs(joined: Rankings) -> dict[str, str]:
    texts: dict[str, str] = {}
    for run in (joined.b, joined.a):
        if "query_text" not in run.table.column_names:
            continue
        ids = arrow.one_chunk(run.table.column("query_id"))
        first = np.full(len(ids.dictionary), -1, np.int64)
        first[arrow.codes(ids)[::-1]] = np.arange(len(ids))[::-1]
        used = np.flatnonzero(first >= 0)
        names = ids.dictionary.take(arrow.from_numpy(used)).to_pylist()
        of_run = run.table.column("query_text").take(arrow.from_numpy(first[used])).to_pylist()
        texts |= {name: text for name, text in zip(names, of_run, strict=True) if text}
    return texts


def top_documents(comparison: Comparison, side: Side, query: Ints) -> tuple[ShownDocument | None, ...]:
    """Return the first document of a run on some queries (numbers of the axis q), None where there is no list."""
    joined, convention = comparison.joined, comparison.convention
    order = Order.of(convention)
    ranked = joined.ranked(side, order)
    if not ranked.top_row.shape[1]:  # no run has a list
        return (None,) * len(query)
    rows, judgment = ranked.top_row[query, 0], ranked.top_judgment[query, 0]
    first = _documents(joined.run(side), rows[rows >= 0])
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
    if not comparison.is_judged:  # no measure has a value; the order of the lists is what is asked
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


@dataclass(frozen=True)
class Exchange:
    """What differs between the first documents of two lists: those that B drops and brings in, counted by grade, the
    highest first and unjudged ones (None) last; and how many relevant ones that both show B has higher and lower.
    """

    dropped: dict[float | None, int]
    gained: dict[float | None, int]
    higher: int
    lower: int


def exchange(lists: QueryLists, depth: int) -> Exchange | None:
    """Return what differs between both lists down to ``depth``; None where documents have no names."""
    if any(not row.move for row in (*lists.a.placed, *lists.b.placed)):
        return None
    dropped, gained = (
        [row.document.relevance for row in listed.placed if (row.other_rank or depth + 1) > depth]
        for listed in (lists.a, lists.b)
    )
    kept = [
        row for row in lists.b.placed if (row.other_rank or depth + 1) <= depth and (row.document.relevance or 0) > 0
    ]
    higher, lower = (sum(row.move == move for row in kept) for move in ("up", "down"))
    return Exchange(_by_grade(dropped), _by_grade(gained), higher, lower)


def _by_grade(grades: list[float | None]) -> dict[float | None, int]:
    """Return how often each grade occurs, the highest first, None last."""
    return dict(sorted(Counter(grades).items(), key=lambda item: -np.inf if item[0] is None else item[0], reverse=True))


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
    elsewhere = {rank.doc_id: place for place, rank in enumerate(other.ranks, start=1)}
    first = own.ranks[:depth]
    rows = np.array([rank.row for rank in first], np.int64)
    every = zip(first, _documents(run, rows), _dated(joined, run, rows, own.query_id), strict=True)
    placed = []
    for place, (rank, (doc_id, title), dated) in enumerate(every, start=1):
        there = elsewhere.get(doc_id)
        move: Move = "" if not named else _move(place, there) if side == "a" else _move(there, place)
        helps = _helps(move, rank.relevance, relevant=rank.relevant)
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


def _helps(move: Move, relevance: float | None, *, relevant: bool) -> bool | None:
    """Return whether a move helps B: it does where a relevant document moves up, or another one down."""
    if relevance is None or move in ("same", ""):
        return None
    return relevant == (move in ("up", "new"))


def _documents(run: Run, rows: Ints) -> zip[tuple[str, str]]:
    """Return id and title of the documents in some rows of a run."""
    taken = arrow.from_numpy(rows.astype(np.int64))
    doc_ids: list[str] = run.table.column("doc_id").take(taken).to_pylist()
    titles = [""] * len(rows)
    if "title" in run.table.column_names:
        column: pa.ChunkedArray = run.table.column("title")
        titles = [title or "" for title in column.take(taken).to_pylist()]
    return zip(doc_ids, titles, strict=True)
