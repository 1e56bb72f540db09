"""Looks: for how many states of the data the verdict on two lists was shown.

A state is its content: the lists, judgments and votes as they were uploaded, whichever of the models is A, and the
files of labels that are in force. Edits, names and the policy are no part of it. For a comparison count the states in
which it was shown itself, those of its duplicates and of its origin, and those of its two lists in any comparison.
Other lists are another question: a new candidate begins at one, whatever it is called.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass
from typing import TypeVar

import sqlalchemy as sa

from rankdash.case import Tabled, content_digest
from rankdash.edits import EditStep, History
from rankdash.judged import swapped_judgments
from rankdash.scoring import UNNAMED, TableError, read_records, swapped_votes
from rankdash.store.database.schema import COMPARISON, LOOK, REVISION, STEP, insert_once, new_id, now
from rankdash.store.records import Saved, step_from_dict

#: The word of a revision that imported a file of labels: the data are other ones from there on.
LABELS = "labels"
#: The word of a revision whose files were read in another way: the data are the same.
REREAD = "reread"
#: The digest of a table as it is for B and A, by its digest; it depends on the content alone and is needed often.
_TURNED: dict[str, str] = {}
T = TypeVar("T", bound=Tabled)


@dataclass(frozen=True)
class LookedAt:
    """What is looked at. ``content`` tells the state of the data; ``a``, ``b`` and ``judgments`` what is in it.

    All are digests; None: there are no lists, or no judgments of their own.
    """

    lineage: str
    content: str
    a: str | None
    b: str | None
    judgments: str | None


def look_of(connection: sa.Connection, saved: Saved) -> LookedAt:
    """Return what is looked at in a comparison as it is saved."""
    a, b, judgments, votes = (saved.digest(role) for role in ("a", "b", "judgments", "votes"))
    if saved.content.scored is not None:
        a, b, judgments = _scored_digests(saved)
    orientations = [(a, b, judgments, votes), (b, a, *turned(saved, judgments, votes))]
    imported = _imported(connection, saved.lineage) if saved.state.history.position else ()
    content = state_digest(orientations, labels_in_force(saved.state.history, imported))
    return LookedAt(saved.lineage, content, a, b, judgments)


def turned(saved: Saved, judgments: str | None, votes: str | None) -> tuple[str | None, str | None]:
    """Return the digests of judgments and votes as they are for B and A. Judgments are others only where grades say
    which list they are for.
    """
    tables = saved.content
    are_apart = tables.judgments is not None and "only_for" in tables.judgments.table.column_names
    return (
        _turned(judgments, tables.judgments if are_apart else None, swapped_judgments),
        _turned(votes, tables.votes, swapped_votes),
    )


def _turned(digest: str | None, table: T | None, swapped: Callable[[T], T]) -> str | None:
    if table is None or digest is None:
        return digest
    if digest not in _TURNED:
        _TURNED[digest] = content_digest(swapped(table))
    return _TURNED[digest]


def _scored_digests(saved: Saved) -> tuple[str | None, str | None, str | None]:
    """Return digests for the lists and judgments of scored queries: those of the files that they were read from. Where
    these are not on record, every table of scores is of data of its own.
    """
    runs, scored = saved.content.runs, saved.content.scored
    unknown = None, None, saved.digest("scored")
    if runs is None or scored is None or not all(run.source.sha256 for run in runs):
        return unknown
    try:
        inputs = read_records(scored.table.schema).inputs or UNNAMED
    except TableError:  # of another version
        return unknown
    files = [*((run.ordered_by, run.source.sha256) for run in runs), ("", inputs.judgments.sha256)]
    of_a, of_b, judged = (hashlib.sha256(f"rankdash file {' '.join(file)}".encode()).hexdigest() for file in files)
    return of_a, of_b, judged


def _imported(connection: sa.Connection, lineage: str) -> Collection[str]:
    """Return the digests of the files of labels that were ever imported into a comparison or its duplicates."""
    of_lineage = sa.select(COMPARISON.c.id).where(COMPARISON.c.lineage == lineage)
    states = sa.select(REVISION.c.state).where(REVISION.c.comparison.in_(of_lineage), REVISION.c.what == LABELS)
    tips = [state["tip"] for state in connection.scalars(states)]
    bodies = connection.scalars(sa.select(STEP.c.body).where(STEP.c.id.in_(tips))) if tips else ()
    return {labels_digest(step_from_dict(body)) for body in bodies}


def state_digest(orientations: Iterable[Collection[str | None]], labels: Collection[str] = ()) -> str:
    """Return the digest of a state of the data, the same whichever of the models is A.

    ``orientations`` are the digests of A, B, judgments and votes, as uploaded and as they are with A and B exchanged.
    """
    digest = min(_digest(part or "" for part in parts) for parts in orientations)
    return _digest([digest, *sorted(set(labels))]) if labels else digest


def labels_in_force(history: History, imported: Collection[str]) -> frozenset[str]:
    """Return the files of labels that are in the data, of those that were imported, each by the digest of its step.

    A file counts until all of its queries have been reset.
    """
    queries: dict[str, set[str]] = {}
    for step in history.steps[: history.position] if imported else ():
        for left in queries.values():
            left.difference_update(step.reset)
        digest = labels_digest(step)
        if digest in imported:
            queries[digest] = {edit.query_id for edit in step.edits}
    return frozenset(digest for digest, left in queries.items() if left)


def labels_digest(step: EditStep) -> str:
    """Return the digest of the labels of a step: which documents have which grade now."""
    labels = sorted((edit.query_id, edit.doc_id, repr(edit.after)) for edit in step.edits)
    return _digest(part for label in labels for part in label)


def looks(connection: sa.Connection, look: LookedAt) -> int:
    """Return how many states of the data the verdict was shown for, this one included. Nothing is written."""
    of_these = LOOK.c.lineage == look.lineage
    if look.a is not None and look.b is not None:
        either_way = ((look.a, look.b), (look.b, look.a))
        of_these = sa.or_(of_these, *(sa.and_(LOOK.c.a == a, LOOK.c.b == b) for a, b in either_way))
    return len({look.content, *connection.scalars(sa.select(LOOK.c.content).where(of_these).distinct())})


def candidates(connection: sa.Connection, look: LookedAt) -> int:
    """Return how many other models were compared with this A on the same judgments, this B included. Nothing is
    written.
    """
    if look.a is None:
        return 1
    judged = LOOK.c.judgments.is_(None) if look.judgments is None else LOOK.c.judgments == look.judgments
    seen = sa.select(LOOK.c.b).where(LOOK.c.a == look.a, judged, LOOK.c.b != look.a).distinct()
    return len({*connection.scalars(seen), look.b})


def looks_of(connection: sa.Connection, saved: Saved) -> int:
    """Return for how many states of the data the verdict of a pair was shown, this one included. Nothing is written."""
    return looks(connection, look_of(connection, saved))


def candidates_of(connection: sa.Connection, saved: Saved) -> int:
    """Return how many models were compared with this A on these judgments, this B included. Nothing is written."""
    return candidates(connection, look_of(connection, saved))


def is_recorded(connection: sa.Connection, look: LookedAt) -> bool:
    """Return whether a look is written down already."""
    this = (LOOK.c.lineage == look.lineage, LOOK.c.content == look.content)
    return bool(connection.scalar(sa.select(sa.exists().where(*this))))


def record(connection: sa.Connection, look: LookedAt) -> None:
    """Write a look down, once."""
    insert_once(connection, LOOK, {"id": new_id(), "at": now(), **vars(look)})


def reread(connection: sa.Connection, before: LookedAt, after: LookedAt) -> None:
    """Count what was looked at before a file was read in another way as looked at in this reading."""
    of_before = sa.and_(LOOK.c.lineage == before.lineage, LOOK.c.content == before.content)
    if before.content != after.content and connection.execute(sa.delete(LOOK).where(of_before)).rowcount:
        record(connection, after)


def _digest(parts: Iterable[str]) -> str:
    """Return the SHA-256 of texts, each behind its length."""
    digest = hashlib.sha256()
    for part in parts:
        data = part.encode("utf-8", "surrogatepass")
        digest.update(len(data).to_bytes(8, "little") + data)
    return digest.hexdigest()
