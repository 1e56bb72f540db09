"""What people decided: entries that are added, and never changed.

A correction is a further entry; the newest is in force. A decision keeps what it was about as it stood: the
verdict, the names, and what tells lists, judgments and votes from others. So it outlasts its comparison.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from datetime import datetime
from types import MappingProxyType
from typing import Any

import sqlalchemy as sa

from rankdash.store.database.schema import COMPARISON, DECISION, new_id
from rankdash.store.journal.entry_checks import (
    LONGEST_TEXT,
    DecisionError,
    after_the_last,
    check_there,
    choice_problems,
    length_problems,
    name_problems,
    refuse,
    says_something,
    stripped,
)
from rankdash.store.journal.results import RecordedVerdict
from rankdash.store.journal.subjects import Since, Subject, since_then, subject, subject_of
from rankdash.verdict import Outcome

#: What can be decided, as people read it.
CHOICES: Mapping[str, str] = MappingProxyType(
    {"launch": "Launch", "no_launch": "Do not launch", "postponed": "Postponed"}
)
NOT_OF_THE_REVISION = (
    "The verdict is not that of revision {revision} of this comparison, so nothing was decided on it. Open the "
    "comparison and look at its verdict as it is now."
)


@dataclass(frozen=True)
class Decided:
    """What somebody decides: ``choice`` is one of CHOICES, ``by`` the name that was typed."""

    choice: str
    by: str
    reason: str = ""


@dataclass(frozen=True)
class Decision:
    """A decision on record. ``verdict`` is the result that it was made on, as ``RecordedVerdict.to_dict`` gives it, and
    ``subject`` what it was about. ``since`` says what has become of that.
    """

    id: str
    comparison: str
    revision: int
    at: datetime
    by: str
    choice: str
    reason: str
    verdict: Mapping[str, Any]
    subject: Subject
    since: Since = Since.SAME


def opposes(choice: str, outcome: str) -> bool:
    """Return whether a decision goes against a verdict: to launch what it does not, not to launch what it does."""
    says_launch = outcome == Outcome.LAUNCH.value
    return (choice == "launch" and not says_launch) or (choice == "no_launch" and says_launch)


def decision_problems(decided: Decided, outcome: str) -> tuple[str, ...]:
    """Return a sentence for everything that keeps a decision on this verdict from being written."""
    wrong = [*choice_problems("decision", decided.choice, CHOICES), *name_problems("Who decides", decided.by)]
    if opposes(decided.choice, outcome) and not says_something(decided.reason):
        wrong.append("This decision is not what the verdict says: write down the reason.")
    return (*wrong, *length_problems("The reason", decided.reason, LONGEST_TEXT))


def record_decision(connection: sa.Connection, id: str, decided: Decided, result: RecordedVerdict) -> Decision:
    """Add a decision on a result. DecisionError, with every problem; StoreError where there is no such comparison."""
    refuse(decision_problems(decided, result.outcome))
    check_there(connection, id)
    about = subject(connection, id, result.revision)
    if about is None or about.case != result.case:
        raise DecisionError(NOT_OF_THE_REVISION.format(revision=result.revision))
    at = after_the_last(connection, DECISION, id)
    row: dict[str, Any] = {"id": new_id(), "comparison": id, "revision": result.revision, "at": at}
    row |= {**stripped(decided), "verdict": result.to_dict()}
    connection.execute(sa.insert(DECISION).values(**row, **vars(about)))
    connection.execute(sa.update(COMPARISON).where(COMPARISON.c.id == id).values(decision=row["id"]))
    return Decision(**row, subject=about)


def decisions(connection: sa.Connection, id: str) -> tuple[Decision, ...]:
    """Return every decision on a comparison, that in force first."""
    return recorded(connection, DECISION.c.comparison == id)[::-1]


def recorded(connection: sa.Connection, *only: sa.ColumnElement[bool], most: int | None = None) -> tuple[Decision, ...]:
    """Return the decisions that meet every condition, those on comparisons that are gone included, oldest first; of
    more than ``most`` the newest.
    """
    newest = sa.select(DECISION).where(*only).order_by(DECISION.c.at.desc(), DECISION.c.id.desc()).limit(most)
    entries = [_decision(row) for row in connection.execute(newest).mappings()][::-1]
    changes = since_then(connection, [(decision.comparison, decision.subject) for decision in entries])
    return tuple(replace(decision, since=since) for decision, since in zip(entries, changes, strict=True))


def _decision(row: sa.RowMapping) -> Decision:
    own = {field.name: row[field.name] for field in fields(Decision) if field.name in row}
    return Decision(**own, subject=subject_of(row))
