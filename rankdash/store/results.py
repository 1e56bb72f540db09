"""Verdicts on record: what a case said under a version of rankdash and of its policy, once for each comparison that has
it; and looks: for how many states of the data the verdict on two lists was shown.

A state is its content: the lists, judgments and votes as they were uploaded, whichever of the models is A, and the
files of labels that are in force. Other edits, names and the policy are no part of it. For a comparison count the
states in which it was shown itself, those of its duplicates and of its origin, and those of its two lists in any
comparison. Other lists are another question: a new candidate begins at one, whatever it is called.
"""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Iterable, Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass, fields
from datetime import datetime
from typing import Any

import sqlalchemy as sa

from rankdash.case import content_digest
from rankdash.installation import __version__
from rankdash.policy import Policy, PolicyError
from rankdash.records.lazy import remembered
from rankdash.scoring import Comparison, VotesAlone, swapped_judgments, swapped_votes
from rankdash.store.database import LOOK, RESULT, REVISION, insert_once, new_id, now
from rankdash.store.records import Saved
from rankdash.tables import Votes
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


def record_result(connection: sa.Connection, id: str, result: RecordedVerdict) -> bool:
    """Write a result unless its case has one under the same versions. Return whether it was written."""
    return insert_once(connection, RESULT, {"id": _key(id, result), "comparison": id, **vars(result)})


def copy_results(connection: sa.Connection, id: str, case: str, copied: str) -> None:
    """Copy the results of a case to a duplicate, whose first revision is of this case."""
    for row in connection.execute(_RESULTS.where(RESULT.c.comparison == id, RESULT.c.case == case)).all():
        record_result(connection, copied, RecordedVerdict(**{**row._mapping, "revision": 1}))


def results(connection: sa.Connection, id: str) -> tuple[RecordedVerdict, ...]:
    """Return every result of a comparison, the newest first."""
    newest = (RESULT.c.revision.desc(), RESULT.c.at.desc())
    rows = connection.execute(_RESULTS.where(RESULT.c.comparison == id).order_by(*newest))
    return tuple(RecordedVerdict(**row._mapping) for row in rows)


def policy_seen_first(connection: sa.Connection, saved: Saved) -> Policy | None:
    """Return the policy under which the results of these tables were seen first; None where they never were, and where
    this version cannot read that policy.
    """
    of_these = (RESULT.c.comparison == saved.id, RESULT.c.content == look_of(saved).content)
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


# --- looks ---


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


def look_of(saved: Saved) -> LookedAt:
    """Return what is looked at in a comparison as it is saved."""
    a, b, judgments, votes = (saved.digest(role) for role in ("a", "b", "judgments", "votes"))
    orientations = [(a, b, judgments, votes), (b, a, *_turned(saved, judgments, votes))]
    labels = {edit.labels for edit in saved.state.edits} - {""}
    return LookedAt(saved.lineage, state_digest(orientations, labels), a, b, judgments)


def state_digest(orientations: Iterable[Iterable[str | None]], labels: Collection[str] = ()) -> str:
    """Return the digest of a state of the data, the same whichever of the models is A.

    ``orientations`` are the digests of A, B, judgments and votes, as uploaded and as they are with A and B exchanged;
    ``labels`` those of the files of labels.
    """
    digest = min(_digest(part or "" for part in parts) for parts in orientations)
    return _digest([digest, *sorted(set(labels))]) if labels else digest


def _turned(saved: Saved, judgments: str | None, votes: str | None) -> tuple[str | None, str | None]:
    """Return the digests of judgments and votes as they are for B and A. Judgments are others only where grades say
    which list they are for.
    """
    tables = saved.content
    are_apart = tables.judgments is not None and "only_for" in tables.judgments.table.column_names
    return (
        _swapped_digest(tables.judgments) if are_apart else judgments,
        votes if tables.votes is None else _swapped_digest(tables.votes),
    )


@remembered
def _swapped_digest(table: Any) -> str:
    return content_digest(swapped_votes(table) if isinstance(table, Votes) else swapped_judgments(table))


def looks(connection: sa.Connection, look: LookedAt) -> int:
    """Return for how many states of the data the verdict was shown, this one included. Nothing is written."""
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


def is_recorded(connection: sa.Connection, look: LookedAt) -> bool:
    """Return whether a look is written down already."""
    this = (LOOK.c.lineage == look.lineage, LOOK.c.content == look.content)
    return bool(connection.scalar(sa.select(sa.exists().where(*this))))


def record_look(connection: sa.Connection, look: LookedAt) -> None:
    """Write a look down, once."""
    insert_once(connection, LOOK, {"id": new_id(), "at": now(), **vars(look)})


def reread(connection: sa.Connection, before: LookedAt, after: LookedAt) -> None:
    """Count what was looked at before a file was read in another way as looked at in this reading."""
    of_before = sa.and_(LOOK.c.lineage == before.lineage, LOOK.c.content == before.content)
    if before.content != after.content and connection.execute(sa.delete(LOOK).where(of_before)).rowcount:
        record_look(connection, after)


def _digest(parts: Iterable[str]) -> str:
    """Return the SHA-256 of texts, each behind its length."""
    digest = hashlib.sha256()
    for part in parts:
        data = part.encode("utf-8", "surrogatepass")
        digest.update(len(data).to_bytes(8, "little") + data)
    return digest.hexdigest()
