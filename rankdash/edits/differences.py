"""Derives edits from two states of a list: as it was, and as it was typed."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from rankdash.edits.history import Edit
from rankdash.scoring import Side


@dataclass(frozen=True)
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

    ``before`` is in ranked order. In ``after`` a rank is the place that a document shall have: moved down, it comes
    after the document that has this rank now, moved up, before it, as in a list sorted by hand. A document that occurs
    twice in ``after`` counts once. ``grades_of`` is the list that grades are for, where A and B share none.
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
    target = _target(old, lines)
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
    query_id: str,
    before: Mapping[str, float | None],
    after: Mapping[str, float | None],
    side: Side | None = None,
) -> tuple[Edit, ...]:
    """Return an edit for every document whose grade differs; documents that ``before`` does not name are unjudged."""
    return tuple(
        Edit(query_id, doc_id, "grade", side, before.get(doc_id), grade)
        for doc_id, grade in after.items()
        if grade != before.get(doc_id)
    )


def _target(old: Mapping[str, int], lines: Mapping[str, ListLine]) -> list[str]:
    """Return the documents in the order of their new ranks."""

    def key(doc_id: str) -> tuple[float, float, int]:
        rank, was = lines[doc_id].rank, old.get(doc_id)
        if rank is None:
            return (float("inf") if was is None else was, 0.0, was or 0)
        if was is None:
            return rank - 0.5, rank, 0
        return rank + (rank > was) / 2 - (rank < was) / 2, rank, was

    return sorted((doc_id for doc_id in lines), key=key)


def _longest_rising(values: Sequence[int]) -> set[int]:
    """Return the values of a longest rising subsequence: the documents that need not be moved."""
    ends: list[int] = []
    at_end: list[int] = []
    before: list[int] = []
    for i, value in enumerate(values):
        length = bisect_left(ends, value)
        before.append(at_end[length - 1] if length else -1)
        ends[length:] = [value, *ends[length + 1 :]]
        at_end[length:] = [i, *at_end[length + 1 :]]
    result: set[int] = set()
    i = at_end[-1] if at_end else -1
    while i >= 0:
        result.add(values[i])
        i = before[i]
    return result
