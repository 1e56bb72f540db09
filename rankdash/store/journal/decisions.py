"""What people decided, and what the online test showed later: entries that are added, and never changed.

A correction is a further entry; the newest one is in force. A decision keeps what it was about as it stood: the
verdict, the names, and what tells lists, judgments and votes from others. So it outlasts its comparison.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping
from dataclasses import dataclass, fields, replace
from datetime import date, datetime, timedelta
from types import MappingProxyType
from typing import Any

import sqlalchemy as sa

from rankdash.store.database.schema import COMPARISON, DECISION, OUTCOME, REVISION, new_id, now
from rankdash.store.errors import StoreError
from rankdash.store.journal.results import Result
from rankdash.store.journal.subjects import Since, Subject, since, subject, subjects
from rankdash.store.journal.writing import check_there, says_something
from rankdash.verdict import Outcome

#: What can be decided, as people read it.
CHOICES: Mapping[str, str] = MappingProxyType(
    {"launch": "Launch", "no_launch": "Do not launch", "postponed": "Postponed"}
)
#: What an online test can be.
KINDS: Mapping[str, str] = MappingProxyType(
    {"ab_test": "A/B test", "interleaving": "Interleaving", "before_after": "Before and after", "other": "Other"}
)
LONGEST_NAME, LONGEST_TEXT = 200, 10_000
NOT_OF_THE_REVISION = (
    "The verdict is not that of revision {revision} of this comparison, so nothing was decided on it. Open the "
    "comparison and look at its verdict as it is now."
)
#: Comparisons that are asked for by name; of more all are read.
_FEW = 500


class DecisionError(StoreError):
    """An entry that cannot be written as it is: one sentence per line."""


@dataclass(frozen=True)
class Decided:
    """What somebody decides: ``choice`` is one of CHOICES, ``by`` the name that was typed."""

    choice: str
    by: str
    reason: str = ""


@dataclass(frozen=True)
class Decision:
    """A decision on record. ``verdict`` is the result that it was made on, as ``Result.to_dict`` gives it, and
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


@dataclass(frozen=True)
class Observed:
    """What an online test showed: ``delta`` of ``metric``, B - A, with its interval, None where it is not known.

    ``kind`` is one of KINDS; ``began`` and ``ended`` are dates as 2026-03-31, None where they are not known.
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
    """What an online test showed, on record."""

    id: str
    comparison: str
    at: datetime
    observed: Observed


def opposes(choice: str, outcome: str) -> bool:
    """Whether a decision goes against a verdict: to launch what it does not, not to launch what it does."""
    says_launch = outcome == Outcome.LAUNCH.value
    return (choice == "launch" and not says_launch) or (choice == "no_launch" and says_launch)


def decision_problems(decided: Decided, outcome: str) -> tuple[str, ...]:
    """A sentence for everything that keeps a decision on this verdict from being written."""
    wrong = [*_choice_problems("decision", decided.choice, CHOICES), *_name_problems("Who decides", decided.by)]
    if opposes(decided.choice, outcome) and not says_something(decided.reason):
        wrong.append("This decision is not what the verdict says: write down the reason.")
    return (*wrong, *_length_problems("The reason", decided.reason, LONGEST_TEXT))


def observed_problems(observed: Observed) -> tuple[str, ...]:
    """A sentence for everything that keeps what an online test showed from being written."""
    wrong = [*_name_problems("What was measured", observed.metric), *_name_problems("Who writes this", observed.by)]
    wrong += _choice_problems("kind of test", observed.kind, KINDS)
    wrong += _length_problems("The note", observed.note, LONGEST_TEXT)
    return (*wrong, *_number_problems(observed), *_date_problems(observed))


def record_decision(connection: sa.Connection, id: str, decided: Decided, result: Result) -> Decision:
    """Adds a decision on a result. DecisionError, with every problem; StoreError where there is no such comparison."""
    _refuse(decision_problems(decided, result.outcome))
    check_there(connection, id)
    about = subject(connection, id, result.revision)
    if about is None or about.case != result.case:
        raise DecisionError(NOT_OF_THE_REVISION.format(revision=result.revision))
    at = _after_the_last(connection, DECISION, id)
    row: dict[str, Any] = {
        "id": new_id(),
        "comparison": id,
        "revision": result.revision,
        "at": at,
        "verdict": result.to_dict(),
    }
    row |= _stripped(decided)
    connection.execute(sa.insert(DECISION).values(**row, **vars(about)))
    connection.execute(sa.update(COMPARISON).where(COMPARISON.c.id == id).values(decision=row["id"]))
    return Decision(**row, subject=about)


def decisions(connection: sa.Connection, id: str) -> tuple[Decision, ...]:
    """Every decision on a comparison; the first one is in force."""
    return recorded(connection, DECISION.c.comparison == id)[::-1]


def recorded(connection: sa.Connection, *only: sa.ColumnElement[bool], most: int | None = None) -> tuple[Decision, ...]:
    """Every decision of which all of this is so, the newest last, those of comparisons that are gone too; of more than
    ``most`` the newest.
    """
    newest = sa.select(DECISION).where(*only).order_by(DECISION.c.at.desc(), DECISION.c.id.desc()).limit(most)
    found = [_decision(row) for row in connection.execute(newest).mappings()][::-1]
    heads = _heads(connection, {one.comparison for one in found})
    changed = {one.comparison: heads[one.comparison][0] for one in found if _is_changed(one, heads)}
    now = subjects(connection, changed)
    return tuple(
        replace(one, since=since(one.subject, now[one.comparison][0] if one.comparison in now else None))
        if one.comparison in changed or one.comparison not in heads
        else one
        for one in found
    )


def _is_changed(decision: Decision, heads: Mapping[str, tuple[int, str]]) -> bool:
    """Whether a comparison is there, and is of another case than a decision was."""
    return decision.comparison in heads and heads[decision.comparison][1] != decision.subject.case


def _decision(row: sa.RowMapping) -> Decision:
    about = Subject(**{field.name: row[field.name] for field in fields(Subject)})
    return Decision(**{name: row[name] for name in _OWN}, subject=about)


#: The columns of a decision that are fields of its own.
_OWN = tuple(field.name for field in fields(Decision) if field.name not in ("subject", "since"))


def _heads(connection: sa.Connection, ids: Collection[str]) -> dict[str, tuple[int, str]]:
    """The head of comparisons and its case, by comparison; without those that were deleted."""
    of_head = sa.and_(REVISION.c.comparison == COMPARISON.c.id, REVISION.c.number == COMPARISON.c.head)
    asked = sa.select(COMPARISON.c.id, COMPARISON.c.head, REVISION.c.case).join(REVISION, of_head)
    there = asked.where(COMPARISON.c.deleted.is_(None))
    few = there.where(COMPARISON.c.id.in_(ids)) if len(ids) <= _FEW else there
    return {row.id: (row.head, row.case) for row in connection.execute(few) if row.id in ids}


def record_observed(connection: sa.Connection, id: str, observed: Observed) -> Observation:
    """Adds what an online test showed. DecisionError, with every problem; StoreError for an unknown comparison."""
    _refuse(observed_problems(observed))
    check_there(connection, id)
    added = Observation(new_id(), id, _after_the_last(connection, OUTCOME, id), Observed(**_stripped(observed)))
    row = {"id": added.id, "comparison": id, "at": added.at, **vars(added.observed)}
    connection.execute(sa.insert(OUTCOME).values(**row))
    return added


def observations(connection: sa.Connection, id: str) -> tuple[Observation, ...]:
    """What online tests of a comparison showed; the first one is the newest."""
    newest = (OUTCOME.c.at.desc(), OUTCOME.c.id.desc())
    rows = connection.execute(sa.select(OUTCOME).where(OUTCOME.c.comparison == id).order_by(*newest))
    return tuple(map(observation_of, rows.mappings()))


def observation_of(row: sa.RowMapping) -> Observation:
    """What a row of the table says."""
    observed = Observed(**{field.name: row[field.name] for field in fields(Observed)})
    return Observation(row["id"], row["comparison"], row["at"], observed)


def _after_the_last(connection: sa.Connection, table: sa.Table, id: str) -> datetime:
    """This moment; a little after the last entry where the clock was set back, for the newest entry is in force."""
    last = connection.scalar(sa.select(sa.func.max(table.c.at)).where(table.c.comparison == id))
    return now() if last is None else max(now(), last + timedelta(microseconds=1))


# --- what is allowed ------------------------------------------------------------------------------------------------


def _refuse(problems: tuple[str, ...]) -> None:
    if problems:
        raise DecisionError("\n".join(problems))


def _stripped(entry: Decided | Observed) -> dict[str, Any]:
    """The fields of an entry, texts without the blanks around them."""
    return {name: value.strip() if isinstance(value, str) else value for name, value in vars(entry).items()}


def _choice_problems(what: str, choice: str, allowed: Mapping[str, str]) -> list[str]:
    return [] if choice in allowed else [f"{choice[:40]!r} is no {what}. It is one of {', '.join(allowed)}."]


def _name_problems(what: str, name: str) -> list[str]:
    return _length_problems(what, name, LONGEST_NAME) if says_something(name) else [f"{what} is missing."]


def _length_problems(what: str, text: str, longest: int) -> list[str]:
    return [f"{what} has {len(text):,} letters; at most {longest:,} are kept."] if len(text) > longest else []


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
    """The date of a text; ValueError for other ways to write one."""
    result = date.fromisoformat(text.strip())
    if result.isoformat() != text.strip():
        raise ValueError(text)
    return result
