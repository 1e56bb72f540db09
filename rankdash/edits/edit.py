"""What an edit is, and the edits that people mean: between two states of a list, of grades, and of a file of labels."""

from __future__ import annotations

import hashlib
import math
from bisect import bisect_left
from collections.abc import Collection, Mapping, Sequence
from typing import Any, Literal

from rankdash.records import frozen, replace
from rankdash.scoring import OTHER, Comparison, Side
from rankdash.tables import Judgments

What = Literal["grade", "rank", "add", "remove"]
#: A query and a document.
Pair = tuple[str, str]


@frozen
class Edit:
    """One change to one document of one query.

    ``before`` and ``after`` are grades (``what`` is "grade"; None: unjudged) or ranks from 1 (None: not in the list).
    ``side`` is the list that changes. A grade has no side, because it counts in both lists, except where A and B share
    no documents. ``labels`` is the digest of the file of labels that it came from; "": somebody typed it.
    """

    query_id: str
    doc_id: str
    what: What
    side: Side | None
    before: float | None
    after: float | None
    labels: str = ""

    def swapped(self) -> Edit:
        """Return the same edit after A and B were exchanged."""
        return self if self.side is None else replace(self, side=OTHER[self.side])


@frozen
class Held:
    """Two lists for which a user confirmed the votes, although people voted on other lists.

    ``a`` and ``b`` are their digests: of the first documents of one query, of the whole lists where ``query_id`` is "".
    """

    query_id: str
    a: str
    b: str

    def swapped(self) -> Held:
        """Return the same two lists after A and B were exchanged."""
        return Held(self.query_id, self.b, self.a)


@frozen
class ListLine:
    """One document of a list on a screen: rank from 1 (None: at the end), grade (None: unjudged)."""

    doc_id: str
    rank: float | None
    grade: float | None


def differences(
    query_id: str, side: Side, before: Sequence[ListLine], after: Sequence[ListLine], grades_of: Side | None = None
) -> tuple[Edit, ...]:
    """Return the edits between two states of one list: removed, added, moved and graded documents, in the order in
    which they apply.

    ``before`` is in ranked order, ``after`` as ``in_order`` takes it. ``grades_of`` is the list that grades are for,
    where A and B share none.
    """
    lines = {line.doc_id: line for line in reversed(after)}
    current = [line.doc_id for line in before]
    old = {line.doc_id: place for place, line in enumerate(before, start=1)}
    edits: list[Edit] = []
    for at in range(len(current), 0, -1):
        doc_id = current[at - 1]
        if doc_id not in lines:
            edits.append(Edit(query_id, doc_id, "remove", side, at, None))
            del current[at - 1]
    target = [line.doc_id for line in in_order(before, after)]
    kept = _longest_rising([old[doc_id] for doc_id in target if doc_id in old])
    above: str | None = None
    for doc_id in target:
        if old.get(doc_id) not in kept:
            place = current.index(doc_id) + 1 if doc_id in old else None
            if place is not None:
                del current[place - 1]
            to = 1 if above is None else current.index(above) + 2
            current.insert(to - 1, doc_id)
            if to != place:
                edits.append(Edit(query_id, doc_id, "add" if place is None else "rank", side, place, to))
        above = doc_id
    graded = {line.doc_id: line.grade for line in before}
    return (*edits, *grade_changes(query_id, graded, {d: line.grade for d, line in lines.items()}, grades_of))


def grade_changes(
    query_id: str, before: Mapping[str, float | None], after: Mapping[str, float | None], side: Side | None = None
) -> tuple[Edit, ...]:
    """Return an edit for every document whose grade differs; documents that ``before`` does not name are unjudged."""
    return tuple(
        Edit(query_id, doc_id, "grade", side, before.get(doc_id), grade)
        for doc_id, grade in after.items()
        if grade != before.get(doc_id)
    )


def in_order(before: Sequence[ListLine], after: Sequence[ListLine]) -> list[ListLine]:
    """Return the lines of ``after`` in order: a rank that was changed is the place of its document, as far as the list
    reaches, and the other documents close up in the order of ``before``. A document that occurs twice counts once.
    """
    old = {line.doc_id: place for place, line in enumerate(before, start=1)}
    lines = {line.doc_id: line for line in reversed(after)}.values()
    moved = {line: line.rank for line in lines if line.rank is not None and line.rank != old.get(line.doc_id)}
    result = sorted((line for line in lines if line not in moved), key=lambda line: old.get(line.doc_id, math.inf))
    for line in sorted(moved, key=lambda line: (moved[line], -old.get(line.doc_id, 0))):
        result.insert(int(moved[line]) - 1, line)
    return result


def _longest_rising(values: Sequence[int]) -> set[int]:
    """Return the values of a longest rising subsequence: the documents that need not be moved."""
    ends: list[int] = []
    chains: list[Any] = []  # of each length that with the smallest end: its end, and the chain before it
    for value in values:
        length = bisect_left(ends, value)
        ends[length : length + 1] = [value]
        chains[length : length + 1] = [(value, chains[length - 1] if length else None)]
    result: set[int] = set()
    chain = chains[-1] if chains else None
    while chain is not None:
        value, chain = chain
        result.add(value)
    return result


def merge_grades(base: Collection[Edit], mine: Collection[Edit], theirs: Collection[Edit]) -> tuple[Edit, ...] | None:
    """Return ``theirs`` with what ``mine`` changed since ``base``, where both changed grades alone, and of different
    pairs of query and document; None where that is not so.
    """
    was, own, other = (_grades_by_pair(edits) for edits in (base, mine, theirs))
    rest = [[edit for edit in edits if edit.what != "grade"] for edits in (base, mine, theirs)]
    changed = [{pair for pair in was.keys() | new.keys() if was.get(pair) != new.get(pair)} for new in (own, other)]
    both = {pair for pair in changed[0] & changed[1] if own.get(pair) != other.get(pair)}
    if both or rest[0] != rest[1] or rest[0] != rest[2]:
        return None
    kept = (edit for edit in theirs if edit.what != "grade" or (edit.query_id, edit.doc_id) not in changed[0])
    grades = (edit for edit in mine if edit.what == "grade" and (edit.query_id, edit.doc_id) in changed[0])
    return (*kept, *grades)


def _grades_by_pair(edits: Collection[Edit]) -> dict[tuple[str, str], list[Edit]]:
    grades: dict[tuple[str, str], list[Edit]] = {}
    for edit in edits:
        if edit.what == "grade":
            grades.setdefault((edit.query_id, edit.doc_id), []).append(edit)
    return grades


# --- labels ----------------------------------------------------------------------------------------------------------


def labelled(edits: Collection[Edit]) -> dict[Pair, float]:
    """Return the grades in force of documents that had none, by query and document."""
    unjudged: set[Pair] = set()
    result: dict[Pair, float] = {}
    for edit in edits:
        if edit.what == "grade":
            place = (edit.query_id, edit.doc_id)
            if edit.before is None:
                unjudged.add(place)
            result.pop(place, None)
            if edit.after is not None and place in unjudged:
                result[place] = edit.after
    return result


def labels_from(table: Judgments, comparison: Comparison) -> tuple[Edit, ...]:
    """Return the grades of a file as edits: those that are new, and those that differ from the ones in force."""
    labels = _grades(table)
    digest = hashlib.sha256(repr(sorted(labels.items())).encode("utf-8", "surrogatepass")).hexdigest()
    queries = {query for query, _ in labels}
    now = {pair: grade for pair, grade in _grades(comparison.joined.judgments).items() if pair[0] in queries}
    return tuple(
        Edit(query, doc_id, "grade", None, now.get((query, doc_id)), grade, digest)
        for (query, doc_id), grade in labels.items()
        if now.get((query, doc_id)) != grade
    )


def _grades(judgments: Judgments) -> Mapping[tuple[str, str], float]:
    """Return the grade of each (query, document); the first counts, or the highest of those for subtopics."""
    highest = "subtopic" in judgments.table.column_names
    columns = [judgments.table.column(name).to_pylist() for name in ("query_id", "doc_id", "relevance")]
    grades: dict[tuple[str, str], float] = {}
    for query, doc_id, grade in zip(*columns, strict=True):
        before = grades.setdefault((query, doc_id), grade)
        if highest and grade > before:
            grades[query, doc_id] = grade
    return grades
