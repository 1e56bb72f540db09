"""Looks: for how many states of the data the verdict on two lists was shown.

A state is known by its content: the lists, judgments and votes as they were uploaded, whichever of the models is A, and
the files of labels that are in force. Edits, names and the policy are no part of it. Of a comparison count the states
that it was shown with itself (and what it is a duplicate of, or that are of it), and those of its two lists in whatever
comparison. Other lists are another question: a new candidate begins at one, whatever it is called.
"""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Iterable
from dataclasses import dataclass

import sqlalchemy as sa

from rankdash.edits import History, Step
from rankdash.store.database.schema import LOOK, new_id, now
from rankdash.store.journal.writing import insert_once


@dataclass(frozen=True)
class Look:
    """What is looked at. ``content`` tells the state of the data; ``a``, ``b`` and ``judgments`` what is in it.

    All are digests; None: there are no lists, or no judgments of their own.
    """

    lineage: str
    content: str
    a: str | None
    b: str | None
    judgments: str | None


def state_digest(orientations: Iterable[Collection[str | None]], labels: Collection[str] = ()) -> str:
    """The digest of a state of the data, the same whichever of the models is A.

    ``orientations`` are the digests of A, B, judgments and votes, as uploaded and as they are with A and B exchanged.
    """
    told = min(_digest(part or "" for part in parts) for parts in orientations)
    return _digest([told, *sorted(set(labels))]) if labels else told


def labels_in_force(history: History, imported: Collection[str]) -> frozenset[str]:
    """The files of labels that are in the data, of those that were imported, each by the digest of its step.

    One counts until all of its queries have been reset.
    """
    found: dict[str, set[str]] = {}
    for step in history.steps[: history.position] if imported else ():
        for left in found.values():
            left.difference_update(step.reset)
        digest = labels_digest(step)
        if digest in imported:
            found[digest] = {edit.query_id for edit in step.edits}
    return frozenset(digest for digest, left in found.items() if left)


def labels_digest(step: Step) -> str:
    """The digest of the labels of a step: which documents have which grade now."""
    labels = sorted((edit.query_id, edit.doc_id, repr(edit.after)) for edit in step.edits)
    return _digest(part for label in labels for part in label)


def looks(connection: sa.Connection, look: Look) -> int:
    """How many states of the data the verdict was shown for, this one included. Nothing is written."""
    of_these = LOOK.c.lineage == look.lineage
    if look.a is not None and look.b is not None:
        either_way = ((look.a, look.b), (look.b, look.a))
        of_these = sa.or_(of_these, *(sa.and_(LOOK.c.a == a, LOOK.c.b == b) for a, b in either_way))
    return len({look.content, *connection.scalars(sa.select(LOOK.c.content).where(of_these).distinct())})


def candidates(connection: sa.Connection, look: Look) -> int:
    """How many other models were compared with this A on the same judgments, this B included. Nothing is written."""
    if look.a is None:
        return 1
    judged = LOOK.c.judgments.is_(None) if look.judgments is None else LOOK.c.judgments == look.judgments
    seen = sa.select(LOOK.c.b).where(LOOK.c.a == look.a, judged, LOOK.c.b != look.a).distinct()
    return len({*connection.scalars(seen), look.b})


def is_known(connection: sa.Connection, look: Look) -> bool:
    """Whether it is written down already."""
    known = (LOOK.c.lineage == look.lineage, LOOK.c.content == look.content)
    return bool(connection.scalar(sa.select(sa.exists().where(*known))))


def record(connection: sa.Connection, look: Look) -> None:
    """Writes a look down, once."""
    insert_once(connection, LOOK, {"id": new_id(), "at": now(), **vars(look)})


def reread(connection: sa.Connection, before: Look, after: Look) -> None:
    """The same data, read in another way: what was looked at before is looked at in this reading."""
    of_before = sa.and_(LOOK.c.lineage == before.lineage, LOOK.c.content == before.content)
    if before.content != after.content and connection.execute(sa.delete(LOOK).where(of_before)).rowcount:
        record(connection, after)


def _digest(parts: Iterable[str]) -> str:
    """The SHA-256 of texts, each behind its length."""
    found = hashlib.sha256()
    for part in parts:
        told = part.encode("utf-8", "surrogatepass")
        found.update(len(told).to_bytes(8, "little") + told)
    return found.hexdigest()
