"""What a revision is about, as it stood: names and the digests of its tables; and what has changed since then.

A revision is written once and never changed, so what is read here of its number stays true.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from contextlib import suppress
from dataclasses import dataclass, fields, replace
from enum import StrEnum
from itertools import islice
from typing import Any, TypeVar

import sqlalchemy as sa

from rankdash.case import given_name, title
from rankdash.store.database.schema import COMPARISON, INPUT, REVISION

T = TypeVar("T")
#: Values that a database takes in one query.
_AT_ONCE = 500


@dataclass(frozen=True)
class Subject:
    """What a revision is about, A and B the way around in which they are shown.

    ``name`` is that of the comparison. ``baseline`` and ``candidate`` tell the lists of A and B from others,
    ``judgments`` and ``votes`` these tables as they were read; None: there is none, or nobody knows. ``case`` is the
    digest of everything that a verdict is made of.
    """

    name: str
    model_a: str
    model_b: str
    case: str
    baseline: str | None
    candidate: str | None
    judgments: str | None
    votes: str | None


@dataclass(frozen=True)
class Table:
    """One stored table of a revision, without its rows."""

    role: str
    content: str
    description: Mapping[str, Any]


class Since(StrEnum):
    """What has become of what a decision was about."""

    SAME = ""
    EDITED = "edited"
    EXCHANGED = "exchanged"
    REPLACED = "other_lists"
    DELETED = "deleted"


def since(then: Subject, now: Subject | None) -> Since:
    """Return what has changed from one revision to another; None: its comparison is gone."""
    if now is None:
        return Since.DELETED
    if then.case == now.case:
        return Since.SAME
    before, after = (then.baseline, then.candidate), (now.baseline, now.candidate)
    if before == after or None in (*before, *after):
        return Since.EDITED
    return Since.EXCHANGED if before == after[::-1] else Since.REPLACED


def since_then(connection: sa.Connection, then: Sequence[tuple[str, Subject]]) -> list[Since]:
    """Return what has become of comparisons since they were as these subjects, in order."""
    heads = _heads(connection, {id for id, _ in then})
    changed = {id: heads[id][0] for id, about in then if id in heads and heads[id][1] != about.case}
    now = subjects(connection, changed)
    return [
        Since.DELETED if id not in heads else since(about, now.get(id)) if id in changed else Since.SAME
        for id, about in then
    ]


def _heads(connection: sa.Connection, ids: Set[str]) -> dict[str, tuple[int, str]]:
    """Return the head of comparisons and its case, by comparison; without those that were deleted."""
    of_head = sa.and_(REVISION.c.comparison == COMPARISON.c.id, REVISION.c.number == COMPARISON.c.head)
    query = sa.select(COMPARISON.c.id, COMPARISON.c.head, REVISION.c.case).join(REVISION, of_head)
    there = query.where(COMPARISON.c.deleted.is_(None))
    heads: dict[str, tuple[int, str]] = {}
    for some in _portions(ids):
        heads |= {id: (head, case) for id, head, case in connection.execute(there.where(COMPARISON.c.id.in_(some)))}
    return heads


def subject_of(row: sa.RowMapping) -> Subject:
    """Return what an entry was about, by the columns of its row."""
    subject = Subject(**{field.name: row[field.name] for field in fields(Subject)})
    return replace(subject, name=title(subject.name, subject.model_a, subject.model_b))


def subject(connection: sa.Connection, comparison: str, number: int) -> Subject | None:
    """Return what a revision is about; None where there is none with this number."""
    return next((about for about in subjects(connection, {comparison: number}).values()), None)


def subjects(connection: sa.Connection, numbers: Mapping[str, int]) -> dict[str, Subject]:
    """Return what a revision of each of some comparisons is about, by comparison; without those whose rows make no
    sense.
    """
    states: dict[str, tuple[str, Any]] = {}
    key = sa.tuple_(REVISION.c.comparison, REVISION.c.number)
    for some in _portions(numbers.items()):
        query = sa.select(REVISION.c.comparison, REVISION.c.case, sa.cast(REVISION.c.state, sa.Text))
        states |= {id: (case, _read(text)) for id, case, text in connection.execute(query.where(key.in_(some)))}
    inputs = [state.get("inputs") for _, state in states.values()]
    tables = _tables(connection, [str(id) for roles in inputs if isinstance(roles, dict) for id in roles.values()])
    about = {}
    for comparison, (case, state) in states.items():
        with suppress(LookupError, TypeError, AttributeError):
            own = tuple(tables[id] for id in state["inputs"].values() if id in tables)
            about[comparison] = _subject(case, state, {table.role: table for table in own})
    return about


def _read(text: str) -> dict[str, Any]:
    """Return what JSON of a row says; nothing where it makes no sense, which the comparison itself tells."""
    with suppress(ValueError):
        values = json.loads(text)
        return values if isinstance(values, dict) else {}
    return {}


def _subject(case: str, state: Mapping[str, Any], tables: Mapping[str, Table]) -> Subject:
    a, b = ("b", "a") if state["swapped"] else ("a", "b")
    names = state["names"]
    name = title(given_name(names["name"], names["a"], names["b"]), names[a], names[b])
    judgments, votes = (tables[role].content if role in tables else None for role in ("judgments", "votes"))
    lists = _lists_digest(tables, a), _lists_digest(tables, b)
    return Subject(name, names[a], names[b], case, *lists, judgments, votes)


def _lists_digest(tables: Mapping[str, Table], side: str) -> str | None:
    """Return the digest of the lists of a side: that of their content, or for scored queries that of their file."""
    run = tables.get(side)
    if run is None or "scored" not in tables:
        return None if run is None else run.content
    file = run.description["source"]["sha256"]
    return hashlib.sha256(f"{run.description['ordered_by']} {file}".encode()).hexdigest() if file else None


def _tables(connection: sa.Connection, ids: Iterable[str]) -> dict[str, Table]:
    tables: dict[str, Table] = {}
    for some in _portions(ids):
        query = sa.select(INPUT.c.id, INPUT.c.kind, INPUT.c.content, sa.cast(INPUT.c.description, sa.Text))
        rows = connection.execute(query.where(INPUT.c.id.in_(some)))
        tables |= {id: Table(role, content, _read(text)) for id, role, content, text in rows}
    return tables


def _portions(values: Iterable[T]) -> Iterator[list[T]]:
    """Split values into lists that a database takes in one query."""
    left = iter(values)
    while some := list(islice(left, _AT_ONCE)):
        yield some
