"""What an online test showed later: entries that are added, and never changed; the newest counts.

The difference is that of B and A as they stood then, so an entry keeps which models these were.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, fields, replace
from datetime import datetime

import sqlalchemy as sa

from rankdash.store import words
from rankdash.store.database.schema import COMPARISON, OUTCOME, new_id
from rankdash.store.errors import StoreError
from rankdash.store.journal.entry_checks import (
    after_the_last,
    check_there,
    name_problems,
    refuse,
    stripped,
)
from rankdash.store.journal.subjects import Since, Subject, since, since_then, subject, subject_of


@dataclass(frozen=True)
class Observed:
    """What an online test showed: ``delta`` of ``metric``, B - A, written down by somebody."""

    metric: str
    by: str
    delta: float


@dataclass(frozen=True)
class Observation:
    """What an online test showed, on record. ``subject`` is what it was about, ``since`` what has become of that."""

    id: str
    comparison: str
    at: datetime
    observed: Observed
    subject: Subject
    since: Since = Since.SAME


def observed_problems(observed: Observed) -> tuple[str, ...]:
    """Return a sentence for everything that keeps what an online test showed from being written."""
    wrong = [*name_problems("What was measured", observed.metric), *name_problems("Who writes this", observed.by)]
    if not math.isfinite(observed.delta):
        wrong.append(f"delta is {observed.delta}, which is no number.")
    return tuple(wrong)


def record_observed(connection: sa.Connection, id: str, observed: Observed, revision: int | None = None) -> Observation:
    """Add what an online test showed of A and B as they are at a revision; None: at the head. DecisionError, with every
    problem; StoreError for an unknown comparison.
    """
    refuse(observed_problems(observed))
    check_there(connection, id)
    head = sa.select(COMPARISON.c.head).where(COMPARISON.c.id == id)
    about = subject(connection, id, connection.scalar(head) or 0 if revision is None else revision)
    if about is None:
        raise StoreError(words.UNKNOWN.format(id=id))
    added = Observation(new_id(), id, after_the_last(connection, OUTCOME, id), Observed(**stripped(observed)), about)
    row = {"id": added.id, "comparison": id, "at": added.at, **vars(added.observed), **vars(about)}
    connection.execute(sa.insert(OUTCOME).values(**row))
    return added


def observations(connection: sa.Connection, id: str | None = None) -> tuple[Observation, ...]:
    """Return what online tests of a comparison showed, or of all comparisons; the newest first."""
    only = () if id is None else (OUTCOME.c.comparison == id,)
    rows = connection.execute(sa.select(OUTCOME).where(*only).order_by(OUTCOME.c.at.desc(), OUTCOME.c.id.desc()))
    entries = [_observation(row) for row in rows.mappings()]
    changes = since_then(connection, [(entry.comparison, entry.subject) for entry in entries])
    return tuple(replace(entry, since=changed) for entry, changed in zip(entries, changes, strict=True))


def beside(about: Subject, entry: Observation) -> Observed | None:
    """Return what a test showed of B against A as a subject has them; None where it was about other lists."""
    match since(entry.subject, about):
        case Since.REPLACED:
            return None
        case Since.EXCHANGED:
            return _turned(entry.observed)
    return entry.observed


def _turned(observed: Observed) -> Observed:
    """Return the same, of A against B."""
    return replace(observed, delta=0.0 - observed.delta)


def _observation(row: sa.RowMapping) -> Observation:
    observed = Observed(**{field.name: row[field.name] for field in fields(Observed)})
    return Observation(row["id"], row["comparison"], row["at"], observed, subject_of(row))
