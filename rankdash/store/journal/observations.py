"""What an online test showed later: entries that are added, and never changed; the newest counts.

The difference is that of B and A as they stood then, so an entry keeps which models these were.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from datetime import date, datetime
from types import MappingProxyType

import sqlalchemy as sa

from rankdash.store import words
from rankdash.store.database.schema import COMPARISON, OUTCOME, new_id
from rankdash.store.errors import StoreError
from rankdash.store.journal.entry_checks import (
    LONGEST_TEXT,
    after_the_last,
    check_there,
    choice_problems,
    length_problems,
    name_problems,
    refuse,
    stripped,
)
from rankdash.store.journal.subjects import Since, Subject, since, since_then, subject, subject_of

#: What an online test can be.
KINDS: Mapping[str, str] = MappingProxyType(
    {"ab_test": "A/B test", "interleaving": "Interleaving", "before_after": "Before and after", "other": "Other"}
)


@dataclass(frozen=True)
class Observed:
    """What an online test showed: ``delta`` of ``metric``, B - A, with its interval, None where it is unknown.

    ``kind`` is one of KINDS; ``began`` and ``ended`` are dates as 2026-03-31, None where they are unknown.
    """

    metric: str
    by: str
    delta: float | None = None
    lower: float | None = None
    upper: float | None = None
    kind: str = "ab_test"
    began: str | None = None
    ended: str | None = None
    note: str = ""


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
    wrong += choice_problems("kind of test", observed.kind, KINDS)
    wrong += length_problems("The note", observed.note, LONGEST_TEXT)
    return (*wrong, *_number_problems(observed), *_date_problems(observed))


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
    delta, lower, upper = (
        None if value is None else 0.0 - value for value in (observed.delta, observed.upper, observed.lower)
    )
    return replace(observed, delta=delta, lower=lower, upper=upper)


def _observation(row: sa.RowMapping) -> Observation:
    observed = Observed(**{field.name: row[field.name] for field in fields(Observed)})
    return Observation(row["id"], row["comparison"], row["at"], observed, subject_of(row))


def _number_problems(observed: Observed) -> list[str]:
    numbers = {"delta": observed.delta, "lower": observed.lower, "upper": observed.upper}
    wrong = [
        f"{name} is {value}, which is no number." for name, value in numbers.items() if not math.isfinite(value or 0.0)
    ]
    if wrong:
        return wrong
    if (observed.lower is None) != (observed.upper is None):
        return ["An interval has two ends."]
    low, middle, high = observed.lower, observed.delta, observed.upper
    if low is not None and high is not None and not low <= (low if middle is None else middle) <= high:
        return ["The interval begins at its lower end, and the difference lies in it."]
    return []


def _date_problems(observed: Observed) -> list[str]:
    try:
        began, ended = (None if text is None else _date(text) for text in (observed.began, observed.ended))
    except ValueError:
        return ["A date is written like 2026-03-31."]
    return ["The test ended before it began."] if began is not None and ended is not None and ended < began else []


def _date(text: str) -> date:
    """Return the date of a text; ValueError for other ways to write one."""
    result = date.fromisoformat(text.strip())
    if result.isoformat() != text.strip():
        raise ValueError(text)
    return result
