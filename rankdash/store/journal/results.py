"""Verdicts as they were seen: what a revision said under a version of rankdash and of its policy, once each."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from datetime import datetime
from typing import Any

import sqlalchemy as sa

from rankdash.comparison import Comparison, VotesAlone
from rankdash.store.database.schema import COMPARISON, RESULT, now
from rankdash.store.journal.writing import check_there, insert_once
from rankdash.verdict import VERSION, Verdict
from rankdash.version import __version__

#: The measure of votes without judgments.
GSB = "ΔGSB"


@dataclass(frozen=True)
class Result:
    """A verdict as it was seen.

    ``engine`` is the version of rankdash, ``policy_version`` that of its rules and words. ``delta`` with its 95%
    interval is that of ``measure`` over ``n`` queries; None where it is not defined. ``content`` tells the data that
    it was seen for, A and B in either order. ``json`` is the verdict by name.
    """

    revision: int
    at: datetime
    engine: str
    policy_version: int
    outcome: str
    measure: str | None
    delta: float | None
    lower: float | None
    upper: float | None
    n: int | None
    looks: int
    content: str
    json: Mapping[str, Any]

    @property
    def is_current(self) -> bool:
        """Whether this version of rankdash would compute it under the same rules."""
        return (self.engine, self.policy_version) == (__version__, VERSION)

    def to_dict(self) -> dict[str, Any]:
        """Everything by name, ready for JSON."""
        return {**asdict(self), "at": self.at.isoformat()}


def result_of(comparison: Comparison | VotesAlone, verdict: Verdict, *, revision: int, content: str) -> Result:
    """What is seen now: the verdict of a revision, with the numbers of the measure that decides."""
    if isinstance(comparison, VotesAlone):
        gsb = comparison.votes.gsb
        measure, delta, (lower, upper) = GSB, gsb.delta, gsb.ci95 or (None, None)
        n = gsb.good + gsb.same + gsb.bad
    else:
        found = comparison.primary.paired
        measure, delta, lower, upper = comparison.primary.measure, found.delta, found.lower95, found.upper95
        n = found.n
    return Result(
        revision=revision,
        at=now(),
        engine=__version__,
        policy_version=VERSION,
        outcome=verdict.outcome.value,
        measure=measure,
        delta=delta,
        lower=lower,
        upper=upper,
        n=n,
        looks=verdict.looks,
        content=content,
        json=verdict.to_dict(),
    )


def record(connection: sa.Connection, id: str, result: Result) -> bool:
    """Writes a result, unless this revision was seen before under the same versions; whether it was written."""
    check_there(connection, id)
    key = _key(id, result)
    if not insert_once(connection, RESULT, {"id": key, "comparison": id, **vars(result)}):
        return False
    newer = sa.exists().where(RESULT.c.id == COMPARISON.c.result, RESULT.c.revision > result.revision)
    newest = sa.update(COMPARISON).where(COMPARISON.c.id == id, ~newer.correlate(COMPARISON))
    connection.execute(newest.values(result=key))
    return True


def results(connection: sa.Connection, id: str) -> tuple[Result, ...]:
    """Every result of a comparison, the newest first."""
    newest = (RESULT.c.revision.desc(), RESULT.c.at.desc())
    rows = connection.execute(_RESULTS.where(RESULT.c.comparison == id).order_by(*newest))
    return tuple(Result(**row._mapping) for row in rows)


def known(connection: sa.Connection, id: str, result: Result) -> Result | None:
    """The result of the same revision under the same versions, as it was first seen; None where it never was."""
    row = connection.execute(_RESULTS.where(RESULT.c.id == _key(id, result))).one_or_none()
    return None if row is None else Result(**row._mapping)


def _key(id: str, result: Result) -> str:
    told = "\n".join((id, str(result.revision), result.engine, str(result.policy_version)))
    return hashlib.sha256(told.encode()).hexdigest()


_RESULTS = sa.select(*(RESULT.c[field.name] for field in fields(Result)))
