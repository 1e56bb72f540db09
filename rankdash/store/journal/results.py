"""Verdicts: what a case said under a version of rankdash and of its policy, once for each comparison that has it."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass, fields
from datetime import datetime
from typing import Any

import sqlalchemy as sa

from rankdash.installation import __version__
from rankdash.policy import Policy, PolicyError
from rankdash.scoring import Comparison, VotesAlone
from rankdash.store.database.schema import RESULT, REVISION, insert_once, now
from rankdash.store.journal.entry_checks import check_there
from rankdash.store.journal.looks import look_of
from rankdash.store.records import Saved
from rankdash.verdict import VERSION, Verdict
from rankdash.wording import GSB

#: Beside the verdict of a result: how many queries are judged, of which ``n`` count.
JUDGED = "judged"
#: What computes results now: the version of rankdash, and that of its rules and words.
VERSIONS = (__version__, VERSION)


@dataclass(frozen=True)
class RecordedVerdict:
    """A verdict as it was computed first.

    ``revision`` is the first that was of this ``case``. ``engine`` is the version of rankdash, ``policy_version`` that
    of its rules and words. ``delta`` with its 95% interval is that of ``measure`` over ``n`` queries; None where it is
    not defined. ``content`` tells the data that it is of, A and B in either order. ``json`` is the verdict by name,
    with JUDGED; ``screen`` and ``tag`` are the big word on its page and the words beside it.
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
    case: str
    screen: str
    tag: str

    @property
    def is_current(self) -> bool:
        """Whether this version of rankdash would compute it under the same rules."""
        return (self.engine, self.policy_version) == VERSIONS

    def to_dict(self) -> dict[str, Any]:
        """Return everything by name, ready for JSON."""
        return {**asdict(self), "at": self.at.isoformat()}


def result_of(comparison: Comparison | VotesAlone, verdict: Verdict, saved: Saved, content: str) -> RecordedVerdict:
    """Return what is computed now of what is saved: the verdict, with the numbers of the measure that decides."""
    if isinstance(comparison, VotesAlone):
        gsb = comparison.votes.gsb
        measure, delta, (lower, upper) = GSB, gsb.delta, gsb.ci95 or (None, None)
        n = judged = gsb.good + gsb.same + gsb.bad
    else:
        paired = comparison.primary.paired
        measure, delta, lower, upper = comparison.primary.measure, paired.delta, paired.lower95, paired.upper95
        n, judged = paired.n, comparison.counts.judged
    return RecordedVerdict(
        revision=saved.number,
        at=now(),
        engine=VERSIONS[0],
        policy_version=VERSIONS[1],
        outcome=verdict.outcome.value,
        measure=measure,
        delta=delta,
        lower=lower,
        upper=upper,
        n=n,
        looks=verdict.looks,
        content=content,
        json=verdict.to_dict() | {JUDGED: judged},
        case=saved.case,
        screen=verdict.screen,
        tag=verdict.tag,
    )


def record(connection: sa.Connection, id: str, result: RecordedVerdict) -> bool:
    """Write a result unless its case has one under the same versions. Return whether it was written."""
    check_there(connection, id)
    return insert_once(connection, RESULT, {"id": _key(id, result), "comparison": id, **vars(result)})


def copy(connection: sa.Connection, id: str, case: str, copied: str) -> None:
    """Copy the results of a case to a duplicate, whose first revision is of this case."""
    for row in connection.execute(_RESULTS.where(RESULT.c.comparison == id, RESULT.c.case == case)).all():
        record(connection, copied, RecordedVerdict(**{**row._mapping, "revision": 1}))


def results(connection: sa.Connection, id: str) -> tuple[RecordedVerdict, ...]:
    """Return every result of a comparison, the newest first."""
    newest = (RESULT.c.revision.desc(), RESULT.c.at.desc())
    rows = connection.execute(_RESULTS.where(RESULT.c.comparison == id).order_by(*newest))
    return tuple(RecordedVerdict(**row._mapping) for row in rows)


def policy_seen_first(connection: sa.Connection, saved: Saved) -> Policy | None:
    """Return the policy under which the results of these tables were seen first; None where they never were, and where
    this version cannot read that policy.
    """
    of_these = (RESULT.c.comparison == saved.id, RESULT.c.content == look_of(connection, saved).content)
    first = sa.select(sa.func.min(RESULT.c.revision)).where(*of_these).scalar_subquery()
    query = sa.select(REVISION.c.state).where(REVISION.c.comparison == saved.id, REVISION.c.number == first)
    state = connection.scalar(query)
    with suppress(PolicyError):
        return None if state is None else Policy.from_dict(state["policy"])
    return None


def recorded_first(connection: sa.Connection, id: str, result: RecordedVerdict) -> RecordedVerdict | None:
    """Return the result of the same case under the same versions, as it was computed first; None where it never was."""
    row = connection.execute(_RESULTS.where(RESULT.c.id == _key(id, result))).one_or_none()
    return None if row is None else RecordedVerdict(**row._mapping)


def of_case(comparison: sa.ColumnElement[str], case: sa.ColumnElement[str]) -> sa.ScalarSelect[str]:
    """Return a subquery for the key of the result that is shown for a case: that of these versions, else the newest of
    others. The query around it has the comparison and the case as columns.
    """
    own = sa.and_(RESULT.c.engine == VERSIONS[0], RESULT.c.policy_version == VERSIONS[1])
    best = (sa.case((own, 0), else_=1), RESULT.c.at.desc())
    query = sa.select(RESULT.c.id).where(RESULT.c.comparison == comparison, RESULT.c.case == case)
    return query.order_by(*best).limit(1).correlate(comparison.table, case.table).scalar_subquery()


def _key(id: str, result: RecordedVerdict) -> str:
    identity = "\n".join((id, result.case, result.engine, str(result.policy_version)))
    return hashlib.sha256(identity.encode()).hexdigest()


_RESULTS = sa.select(*(RESULT.c[field.name] for field in fields(RecordedVerdict)))
