"""Looks: for how many states of the data the verdict of a pair of models was shown.

A state is known by its content: the lists, judgments and votes as they were uploaded, whichever of the models is A, and
the files of labels that are in force. Edits, names and the policy are no part of it. Two states are of one pair where
they are of one lineage (a comparison and its duplicates), or bear the same two names and share the lists of a model or
the judgments; and so on through further states. Each look is written down with the number of its pair, and where a new
look belongs to two pairs these become one: counting is then one question to the database.
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

    All are digests; None: there are no lists, or no judgments of their own. ``names`` are those of the two models.
    """

    lineage: str
    names: tuple[str, str]
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
    """How many states of the data the verdict of this pair was shown for, this one included. Nothing is written."""
    seen = sa.select(LOOK.c.content).where(LOOK.c.pair.in_(_pairs(connection, look))).distinct()
    contents = set(connection.scalars(seen))
    return len(contents | {look.content})


def candidates(connection: sa.Connection, look: Look) -> int:
    """How many other models were compared with this A on the same judgments, this B included. Nothing is written."""
    if look.a is None:
        return 1
    judged = LOOK.c.judgments.is_(None) if look.judgments is None else LOOK.c.judgments == look.judgments
    seen = sa.select(LOOK.c.b).where(LOOK.c.a == look.a, judged, LOOK.c.b != look.a).distinct()
    return len({*connection.scalars(seen), look.b})


def is_known(connection: sa.Connection, look: Look) -> bool:
    """Whether it is written down already."""
    known = (LOOK.c.lineage == look.lineage, LOOK.c.names == _names(look), LOOK.c.content == look.content)
    return bool(connection.scalar(sa.select(sa.exists().where(*known))))


def record(connection: sa.Connection, look: Look) -> None:
    """Writes a look down, once."""
    if is_known(connection, look):
        return
    if (
        connection.dialect.name == "postgresql"
    ):  # one at a time, for a look can make two pairs one; SQLite does so anyway
        connection.execute(sa.text(f"LOCK TABLE {LOOK.name} IN SHARE ROW EXCLUSIVE MODE"))
    pairs = _pairs(connection, look)
    pair = pairs[0] if pairs else new_id()
    if len(pairs) > 1:
        connection.execute(sa.update(LOOK).where(LOOK.c.pair.in_(pairs[1:])).values(pair=pair))
    digests = {"content": look.content, "a": look.a, "b": look.b, "judgments": look.judgments}
    row = {"id": new_id(), "lineage": look.lineage, "names": _names(look), "at": now(), "pair": pair, **digests}
    insert_once(connection, LOOK, row)


def _pairs(connection: sa.Connection, look: Look) -> list[str]:
    """The pairs that a look belongs to: more than one where it is the first that joins them."""
    models = [digest for digest in (look.a, look.b) if digest is not None]
    shared: list[sa.ColumnElement[bool]] = [LOOK.c.a.in_(models), LOOK.c.b.in_(models)]
    shared += [] if look.judgments is None else [LOOK.c.judgments == look.judgments]
    same = sa.or_(LOOK.c.lineage == look.lineage, sa.and_(LOOK.c.names == _names(look), sa.or_(*shared)))
    return sorted(connection.scalars(sa.select(LOOK.c.pair).where(same).distinct()))


def _names(look: Look) -> str:
    """The digest of the two names, in either order, without blanks around them and in either case."""
    return _digest(sorted(name.strip().casefold() for name in look.names))


def _digest(parts: Iterable[str]) -> str:
    """The SHA-256 of texts, each behind its length."""
    found = hashlib.sha256()
    for part in parts:
        told = part.encode("utf-8", "surrogatepass")
        found.update(len(told).to_bytes(8, "little") + told)
    return found.hexdigest()
