"""The records of a store beside its comparisons: verdicts and looks, decisions, results of online tests, and tags.

A verdict is the result for a case under a version of rankdash and of its policy, once for each comparison that has it.
A look is a state of the data for which the verdict on two lists was shown: the uploaded lists, judgments and votes,
in either order of the models, and the current files of labels. Other edits, names and the policy are not part of it.
The looks of a comparison are the states in which it was shown, the states of its duplicates and of its origin, and the
states of its two lists in any comparison. A new candidate begins at one, whatever its name.

Entries are added and never changed: a correction is a further entry, and the newest is valid. An entry stores the names
and the digests of the lists, judgments and votes that it is about, so it outlasts its comparison.
"""

from __future__ import annotations

import hashlib
import math
import unicodedata
from collections.abc import Collection, Iterable, Mapping
from contextlib import suppress
from dataclasses import asdict, fields
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Any

import sqlalchemy as sa

from rankdash.case import content_digest, ranked_digest, title
from rankdash.installation import __version__
from rankdash.judged import Order
from rankdash.policy import Policy, PolicyError
from rankdash.records import frozen, remembered
from rankdash.scoring import Comparison, VotesAlone, swapped_judgments, swapped_votes
from rankdash.store import database as db, settings as errors
from rankdash.store.database import now
from rankdash.store.records import Saved
from rankdash.store.settings import StoreError
from rankdash.strings import normalized
from rankdash.tables import Votes
from rankdash.verdict import VERSION, Outcome, Verdict
from rankdash.wording import GSB

#: The version of rankdash that computes results, and the version of its rules and words.
VERSIONS = (__version__, VERSION)


@frozen
class RecordedVerdict:
    """A verdict as it was computed first for a case and so many candidates.

    ``revision`` is the first one with this ``case``. ``engine`` is the version of rankdash, ``policy_version`` the
    version of its rules and words. ``delta`` with its 95% interval is the difference of ``measure`` over ``n`` queries,
    None if undefined. ``content`` is the digest of the data, A and B in either order. ``json`` is the verdict by name;
    ``screen`` and ``tag`` are the big word on its page and the words beside it.
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

    def to_dict(self) -> dict[str, Any]:
        """Return everything by name, ready for JSON."""
        return {**asdict(self), "at": self.at.isoformat()}


def result_of(comparison: Comparison | VotesAlone, verdict: Verdict, saved: Saved, content: str) -> RecordedVerdict:
    """Return the verdict on a saved comparison, with the numbers of the deciding measure."""
    if isinstance(comparison, VotesAlone):
        gsb = comparison.votes.gsb
        measure, delta, (lower, upper) = GSB, gsb.delta, gsb.ci95 or (None, None)
        n = gsb.good + gsb.same + gsb.bad
    else:
        paired = comparison.primary.paired
        measure, delta, lower, upper = comparison.primary.measure, paired.delta, paired.lower95, paired.upper95
        n = paired.n
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
        json=verdict.to_dict(),
        case=saved.case,
        screen=verdict.screen,
        tag=verdict.tag,
    )


def record_result(connection: sa.Connection, id: str, result: RecordedVerdict) -> bool:
    """Write a result unless its case has one under the same versions and for as many candidates. Return whether it was
    written.
    """
    return db.insert_once(connection, db.RESULT, {"id": _key(id, result), "comparison": id, **vars(result)})


def copy_results(connection: sa.Connection, id: str, case: str, copied: str) -> None:
    """Copy the results of a case to a duplicate, whose first revision is of this case."""
    for row in connection.execute(_RESULTS.where(db.RESULT.c.comparison == id, db.RESULT.c.case == case)).all():
        record_result(connection, copied, RecordedVerdict(**{**row._mapping, "revision": 1}))


def results(connection: sa.Connection, id: str) -> tuple[RecordedVerdict, ...]:
    """Return every result of a comparison, the newest first."""
    newest = (db.RESULT.c.revision.desc(), db.RESULT.c.at.desc())
    rows = connection.execute(_RESULTS.where(db.RESULT.c.comparison == id).order_by(*newest))
    return tuple(RecordedVerdict(**row._mapping) for row in rows)


def policy_seen_first(connection: sa.Connection, saved: Saved) -> Policy | None:
    """Return the policy under which the results of these tables were seen first, with the answers that were given
    next; None where they never were, and where this version cannot read that policy.
    """
    of_these = (db.RESULT.c.comparison == saved.id, db.RESULT.c.content == look_of(saved).content)
    first = sa.select(sa.func.min(db.RESULT.c.revision)).where(*of_these).scalar_subquery()
    since = (db.REVISION.c.comparison == saved.id, db.REVISION.c.number >= first)
    policy: Policy | None = None
    with suppress(PolicyError):
        for state in connection.scalars(sa.select(db.REVISION.c.state).where(*since).order_by(db.REVISION.c.number)):
            next_policy = Policy.from_dict(state["policy"])
            policy = next_policy if policy is None or answers(policy, next_policy) else policy
    return policy


def answers(before: Policy, policy: Policy) -> bool:
    """Return whether a policy only answers what the one before left open: what the judgments are, and from which grade
    a document is relevant. That is no change of the policy.
    """
    if before.judgments != "auto" or policy.judgments == "auto":
        return False
    convention = before.scoring.with_axes({"rel": policy.scoring.rel})
    answered = before.changed(judgments=policy.judgments, convention=convention)
    return answered == policy.changed(convention=policy.scoring)


def recorded_first(connection: sa.Connection, id: str, result: RecordedVerdict) -> RecordedVerdict | None:
    """Return the result of the same case under the same versions and for as many candidates, as it was computed first;
    None where it never was.
    """
    row = connection.execute(_RESULTS.where(db.RESULT.c.id == _key(id, result))).one_or_none()
    return None if row is None else RecordedVerdict(**row._mapping)


def of_case(comparison: sa.ColumnElement[str], case: sa.ColumnElement[str]) -> sa.ScalarSelect[str]:
    """Return a subquery for the key of the result that is shown for a case: that of these versions, else the newest of
    others. The query around it has the comparison and the case as columns.
    """
    own = sa.and_(db.RESULT.c.engine == VERSIONS[0], db.RESULT.c.policy_version == VERSIONS[1])
    best = (sa.case((own, 0), else_=1), db.RESULT.c.at.desc())
    query = sa.select(db.RESULT.c.id).where(db.RESULT.c.comparison == comparison, db.RESULT.c.case == case)
    return query.order_by(*best).limit(1).correlate(comparison.table, case.table).scalar_subquery()


def _key(id: str, result: RecordedVerdict) -> str:
    identity = (id, result.case, result.engine, str(result.policy_version), str(result.json.get("candidates", 1)))
    return hashlib.sha256("\n".join(identity).encode()).hexdigest()


_RESULTS = sa.select(*(db.RESULT.c[field.name] for field in fields(RecordedVerdict)))


# --- looks ---


#: The lineage of rows that are no looks: they map the digest of a table (``content``) to the digest of its ranked lists
#: (``b``). They are in the table of looks so that the schema stays as it is.
_RANKINGS = "ranked"
_RANKING = sa.select(db.LOOK).where(db.LOOK.c.lineage == _RANKINGS).subquery()


@frozen
class LookedAt:
    """The data of a look: ``content`` is the digest of all of it, ``a``, ``b`` and ``judgments`` of its parts. None:
    there are no lists, or no separate judgments. ``ranked`` are the digests of A and of B, each with that of its lists
    as they are ranked.
    """

    lineage: str
    content: str
    a: str | None
    b: str | None
    judgments: str | None
    ranked: tuple[tuple[str, str], ...] = ()


def look_of(saved: Saved) -> LookedAt:
    """Return what is looked at in a comparison as it is saved."""
    a, b, judgments, votes = (saved.digest(role) for role in ("a", "b", "judgments", "votes"))
    orientations = [(a, b, judgments, votes), (b, a, *_turned(saved, judgments, votes))]
    labels = {edit.labels for edit in saved.state.edits} - {""}
    order = Order.of(saved.state.policy.scoring)
    lists = zip((a, b), saved.content.runs or (), strict=False)
    ranked = tuple((content, ranked_digest(run, order)) for content, run in lists if content is not None)
    return LookedAt(saved.lineage, state_digest(orientations, labels), a, b, judgments, ranked)


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
    of_these = db.LOOK.c.lineage == look.lineage
    if look.a is not None and look.b is not None:
        either_way = ((look.a, look.b), (look.b, look.a))
        of_these = sa.or_(of_these, *(sa.and_(db.LOOK.c.a == a, db.LOOK.c.b == b) for a, b in either_way))
    return len({look.content, *connection.scalars(sa.select(db.LOOK.c.content).where(of_these).distinct())})


def candidates(connection: sa.Connection, look: LookedAt, *beside: LookedAt) -> int:
    """Return how many other models were compared with this A on the same judgments, this B and those that are open
    ``beside`` it included. Nothing is written.

    Lists that are ranked alike are one model, in whatever way their files were read: A too.
    """
    if look.a is None:
        return 1
    ranked: dict[str | None, str] = {content: digest for one in (look, *beside) for content, digest in one.ranked}
    own = ranked.get(look.a, look.a)
    alike = [look.a, *connection.scalars(sa.select(_RANKING.c.content).where(_RANKING.c.b == own))]
    judged = db.LOOK.c.judgments.is_(None) if look.judgments is None else db.LOOK.c.judgments == look.judgments
    seen = sa.select(db.LOOK.c.b).where(db.LOOK.c.a.in_(alike), judged, db.LOOK.c.b.not_in(alike)).distinct()
    now = (one.b for one in (look, *beside) if (ranked.get(one.a, one.a), one.judgments) == (own, look.judgments))
    every = {*connection.scalars(seen), *now}
    known = connection.execute(sa.select(_RANKING.c.content, _RANKING.c.b).where(_RANKING.c.content.in_(every)))
    ranked |= dict(known.all())
    return len({ranked.get(b, b) for b in every})


def tried(connection: sa.Connection, ids: Collection[str]) -> dict[str, int]:
    """Return how many models were compared with the A of each comparison on its judgments; none where nobody looked."""
    own, lists, (a, b) = db.LOOK.alias(), db.LOOK.alias(), (db.REVISION.c.baseline, db.REVISION.c.candidate)
    pair = sa.or_(sa.and_(own.c.a == a, own.c.b == b), sa.and_(own.c.a == b, own.c.b == a))
    head, looked, judged = (sa.func.coalesce(one.c.judgments, "") for one in (db.REVISION, own, lists))
    known = [_RANKING.alias() for _ in range(3)]
    of_own, of_lists, model = map(sa.func.coalesce, (one.c.b for one in known), (own.c.a, lists.c.a, lists.c.b))
    query = sa.select(db.COMPARISON.c.id, sa.func.count(model.distinct())).select_from(
        db.COMPARISON.join(db.REVISION, HEAD)
        .join(own, sa.and_(own.c.lineage == db.COMPARISON.c.lineage, pair, looked == head))
        .outerjoin(known[0], known[0].c.content == own.c.a)
        .join(lists, judged == head)
        .outerjoin(known[1], known[1].c.content == lists.c.a)
        .outerjoin(known[2], known[2].c.content == lists.c.b)
    )
    counted = query.where(db.COMPARISON.c.id.in_(ids), of_own == of_lists, model != of_lists)
    return dict(connection.execute(counted.group_by(db.COMPARISON.c.id)).all())


def is_recorded(connection: sa.Connection, look: LookedAt) -> bool:
    """Return whether a look is written down already."""
    this = (db.LOOK.c.lineage == look.lineage, db.LOOK.c.content == look.content)
    return bool(connection.scalar(sa.select(sa.exists().where(*this))))


def is_ranked(connection: sa.Connection, look: LookedAt) -> bool:
    """Return whether the digests of the ranked lists are saved."""
    saved = sa.select(_RANKING.c.content).where(_RANKING.c.content.in_(content for content, _ in look.ranked))
    return {content for content, _ in look.ranked} <= {*connection.scalars(saved)}


def record_look(connection: sa.Connection, look: LookedAt) -> None:
    """Write a look down, once."""
    row = {name: value for name, value in vars(look).items() if name != "ranked"}
    db.insert_once(connection, db.LOOK, {"id": db.new_id(), "at": now(), **row})
    record_ranking(connection, look)


def record_ranking(connection: sa.Connection, look: LookedAt) -> None:
    """Save the digests of the ranked lists, once."""
    for content, ranked in look.ranked:
        row = {"lineage": _RANKINGS, "content": content, "b": ranked}
        db.insert_once(connection, db.LOOK, {"id": db.new_id(), "at": now(), **row})


def reread(connection: sa.Connection, before: LookedAt, after: LookedAt) -> None:
    """Count what was looked at before a file was read in another way as looked at in this reading."""
    of_before = sa.and_(db.LOOK.c.lineage == before.lineage, db.LOOK.c.content == before.content)
    if before.content != after.content and connection.execute(sa.delete(db.LOOK).where(of_before)).rowcount:
        record_look(connection, after)


def _digest(parts: Iterable[str]) -> str:
    """Return the SHA-256 of texts, each behind its length."""
    digest = hashlib.sha256()
    for part in parts:
        data = part.encode("utf-8", "surrogatepass")
        digest.update(len(data).to_bytes(8, "little") + data)
    return digest.hexdigest()


LONGEST_TAG = 100
#: What can be decided.
CHOICES = ("launch", "no_launch", "postponed")
NOT_OF_THE_REVISION = "The verdict is not that of revision {revision} of this comparison: look at it again."


# --- what an entry is about ------------------------------------------------------------------------------------------


@frozen
class Subject:
    """The subject of a revision, with A and B as they are shown.

    ``name`` is the name of the comparison. ``baseline`` and ``candidate`` are the digests of the lists of A and B,
    ``judgments`` and ``votes`` of these tables as they were read; None: there is none. ``case`` is the digest of
    everything that decides the verdict.
    """

    name: str
    model_a: str
    model_b: str
    case: str
    baseline: str | None
    candidate: str | None
    judgments: str | None
    votes: str | None

    @classmethod
    def of(cls, saved: Saved) -> Subject:
        """Return what a saved comparison is about."""
        state, lists = saved.state, (saved.digest("a"), saved.digest("b"))
        names = (state.b, state.a) if state.swapped else (state.a, state.b)
        lists = lists[::-1] if state.swapped else lists
        return cls(state.title, *names, saved.case, *lists, saved.digest("judgments"), saved.digest("votes"))

    @classmethod
    def from_row(cls, row: Any, prefix: str = "") -> Subject | None:
        """Return what the columns of a row say, each named with a prefix; None where they are empty."""
        values = {field.name: row[prefix + field.name] for field in fields(cls)}
        if values["case"] is None:
            return None
        return cls(**values | {"name": title(values["name"], values["model_a"], values["model_b"])})


class Since(StrEnum):
    """What has become of what a decision was about."""

    SAME = ""
    EDITED = "edited"
    EXCHANGED = "exchanged"
    REPLACED = "other_lists"
    DELETED = "deleted"


def since(then: Subject, now: Subject | None) -> Since:
    """Return what has changed from one revision to another; None: its comparison is gone."""
    if now is None:
        return Since.DELETED
    if then.case == now.case:
        return Since.SAME
    before, after = (then.baseline, then.candidate), (now.baseline, now.candidate)
    if before == after or None in (*before, *after):
        return Since.EDITED
    return Since.EXCHANGED if before == after[::-1] else Since.REPLACED


#: The newest revision of a comparison, and what it is about.
HEAD = sa.and_(db.REVISION.c.comparison == db.COMPARISON.c.id, db.REVISION.c.number == db.COMPARISON.c.head)
NOW = [db.REVISION.c[field.name].label(f"now_{field.name}") for field in fields(Subject)]


def _entries(table: sa.Table, *only: sa.ColumnElement[bool]) -> sa.Select[Any]:
    """Return the query for entries, the newest first, each with what its comparison is about now."""
    there = sa.and_(db.COMPARISON.c.id == table.c.comparison, db.COMPARISON.c.deleted.is_(None))
    joined = table.outerjoin(db.COMPARISON, there).outerjoin(db.REVISION, HEAD)
    newest = (table.c.at.desc(), table.c.id.desc())
    return sa.select(table, *NOW).select_from(joined).where(*only).order_by(*newest)


def _subjects(row: Any) -> dict[str, Any]:
    """Return what an entry was about, and what has become of that."""
    then = Subject.from_row(row)
    assert then is not None
    return {"subject": then, "since": since(then, Subject.from_row(row, "now_"))}


# --- checks before an entry is written -------------------------------------------------------------------------------


def comparison_row(connection: sa.Connection, id: str, deleted: bool = False) -> Any:
    """Return the row of a comparison. StoreError where it is unknown, or deleted and ``deleted`` is False."""
    row = connection.execute(
        sa.select(db.COMPARISON).where(db.COMPARISON.c.id == sa.literal(id, db.StoredText))
    ).one_or_none()
    if row is None:
        raise StoreError((errors.ERASED if deleted else errors.UNKNOWN).format(id=id))
    if row.deleted is not None and not deleted:
        raise errors.DeletedError(
            errors.DELETED.format(name=row.name, when=row.deleted.strftime(" on %Y-%m-%d at %H:%M UTC"))
        )
    return row


def members(connection: sa.Connection, id: str) -> list[str]:
    """Return the ids of a comparison and of those of its group, deleted ones too. StoreError as ``comparison_row``."""
    group = comparison_row(connection, id).group
    own = db.COMPARISON.c.id == id if group is None else db.COMPARISON.c.group == group
    return [*connection.scalars(sa.select(db.COMPARISON.c.id).where(own))]


def folded(*texts: str) -> str:
    """Return texts in the form in which they are searched, each on a line, without differences of case and of width."""
    return "\n".join(normalized("NFKC", text).casefold() for text in texts)


def _says_something(text: str) -> bool:
    """Return whether there is anything in a text that a person can see."""
    return any(unicodedata.category(letter)[0] not in "CZ" for letter in text)


def _after_the_last(connection: sa.Connection, table: sa.Table, id: str) -> datetime:
    """Return this moment; a little after the last entry where the clock was set back, for the newest entry is in
    force.
    """
    last = connection.scalar(sa.select(sa.func.max(table.c.at)).where(table.c.comparison == id))
    return now() if last is None else max(now(), last + timedelta(microseconds=1))


def _refuse(problems: Iterable[str]) -> None:
    """Raise StoreError where there are problems."""
    if sentences := "\n".join(problems):
        raise StoreError(sentences)


def _stripped(entry: Any) -> dict[str, Any]:
    """Return the fields of an entry, texts without the blanks around them."""
    return {name: value.strip() if isinstance(value, str) else value for name, value in vars(entry).items()}


def _missing(what: str, text: str) -> list[str]:
    return [] if _says_something(text) else [f"{what} is missing."]


def _subject_at(connection: sa.Connection, id: str, number: int | None) -> Subject | None:
    """Return what a revision is about, None: the newest; None where there is none with this number."""
    which = (
        HEAD
        if number is None
        else sa.and_(db.REVISION.c.comparison == db.COMPARISON.c.id, db.REVISION.c.number == number)
    )
    query = sa.select(*NOW).select_from(db.COMPARISON.join(db.REVISION, which)).where(db.COMPARISON.c.id == id)
    row = connection.execute(query).mappings().one_or_none()
    return None if row is None else Subject.from_row(row, "now_")


# --- decisions -------------------------------------------------------------------------------------------------------


@frozen
class Decided:
    """What somebody decides: ``choice`` is one of CHOICES, ``by`` the name that was typed."""

    choice: str
    by: str
    reason: str = ""


@frozen
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

    def opposes(self, outcome: str) -> bool:
        """Return whether the decision goes against a verdict."""
        return opposes(self.choice, outcome)


def opposes(choice: str, outcome: str) -> bool:
    """Return whether a decision goes against a verdict: to launch what it does not, not to launch what it does."""
    says_launch = outcome == Outcome.LAUNCH.value
    return (choice == "launch" and not says_launch) or (choice == "no_launch" and says_launch)


def decision_problems(decided: Decided, outcome: str) -> tuple[str, ...]:
    """Return a sentence for everything that keeps a decision on this verdict from being written."""
    wrong = [] if decided.choice else ["The decision is missing."]
    if decided.choice and decided.choice not in CHOICES:
        wrong.append(f"{decided.choice[:40]!r} is no decision. It is one of {', '.join(CHOICES)}.")
    wrong += _missing("The name of who decides", decided.by)
    if opposes(decided.choice, outcome) and not _says_something(decided.reason):
        wrong.append("This decision is not what the verdict says: write down the reason.")
    return tuple(wrong)


def record_decision(connection: sa.Connection, id: str, decided: Decided, result: RecordedVerdict) -> Decision:
    """Add a decision on a result. StoreError, with every problem, and where there is no such comparison."""
    _refuse(decision_problems(decided, result.outcome))
    comparison_row(connection, id)
    about = _subject_at(connection, id, result.revision)
    if about is None or about.case != result.case:
        raise StoreError(NOT_OF_THE_REVISION.format(revision=result.revision))
    at = _after_the_last(connection, db.DECISION, id)
    row: dict[str, Any] = {"id": db.new_id(), "comparison": id, "revision": result.revision, "at": at}
    row |= {**_stripped(decided), "verdict": result.to_dict()}
    connection.execute(sa.insert(db.DECISION).values(**row, **vars(about)))
    connection.execute(sa.update(db.COMPARISON).where(db.COMPARISON.c.id == id).values(decision=row["id"]))
    return Decision(**row, subject=about)


def decisions(connection: sa.Connection, id: str) -> tuple[Decision, ...]:
    """Return every decision on a comparison, that in force first."""
    return recorded(connection, db.DECISION.c.comparison == id)


def recorded(connection: sa.Connection, *only: sa.ColumnElement[bool]) -> tuple[Decision, ...]:
    """Return the decisions that meet every condition, those on comparisons that are gone included, the newest first."""
    own = [field.name for field in fields(Decision) if field.name not in ("subject", "since")]
    rows = connection.execute(_entries(db.DECISION, *only)).mappings()
    return tuple(Decision(**{name: row[name] for name in own}, **_subjects(row)) for row in rows)


# --- what an online test showed --------------------------------------------------------------------------------------


@frozen
class Observed:
    """What an online test showed: ``delta`` of ``metric``, B - A, written down by somebody."""

    metric: str
    by: str
    delta: float


@frozen
class Observation:
    """What an online test showed, on record. ``subject`` is what it was about, ``since`` what has become of that."""

    id: str
    comparison: str
    at: datetime
    observed: Observed
    subject: Subject
    since: Since = Since.SAME


def observed_problems(observed: Observed) -> tuple[str, ...]:
    """Return a sentence for everything that keeps an online result from being written."""
    wrong = [*_missing("What was measured", observed.metric), *_missing("Who writes this", observed.by)]
    if not math.isfinite(observed.delta):
        wrong.append("The difference is missing: it is a number.")
    return tuple(wrong)


def record_observed(connection: sa.Connection, id: str, observed: Observed, revision: int | None = None) -> Observation:
    """Add what an online test showed of A and B as they are at a revision; None: at the head. StoreError, with every
    problem, and for an unknown comparison.
    """
    _refuse(observed_problems(observed))
    comparison_row(connection, id)
    about = _subject_at(connection, id, revision)
    if about is None:
        raise StoreError(errors.UNKNOWN.format(id=id))
    added = Observation(
        db.new_id(), id, _after_the_last(connection, db.OUTCOME, id), Observed(**_stripped(observed)), about
    )
    row = {"id": added.id, "comparison": id, "at": added.at, **vars(added.observed), **vars(about)}
    connection.execute(sa.insert(db.OUTCOME).values(**row))
    return added


def observations(connection: sa.Connection, id: str | None = None) -> tuple[Observation, ...]:
    """Return what online tests of a comparison showed, or of all comparisons; the newest first."""
    only = () if id is None else (db.OUTCOME.c.comparison == id,)
    return tuple(
        Observation(
            row["id"], row["comparison"], row["at"], Observed(row["metric"], row["by"], row["delta"]), **_subjects(row)
        )
        for row in connection.execute(_entries(db.OUTCOME, *only)).mappings()
    )


# --- tags: short words that people give comparisons; the same word in other letters is the same tag ------------------


def add_tag(connection: sa.Connection, id: str, text: str) -> bool:
    """Give a comparison and those of its group a tag. Return whether it is new. StoreError for a tag that cannot be
    seen or is too long.
    """
    tag = " ".join(text.split())
    if not _says_something(tag):
        raise StoreError("A tag needs a letter, a digit or a sign that can be seen.")
    if max(len(tag), len(folded(tag))) > LONGEST_TAG:  # keys have a limit, and one letter may be searched as many
        raise StoreError(f"A tag has at most {LONGEST_TAG} letters; this one has {len(tag):,}.")
    row = {"tag": tag, "words": folded(tag)}
    added = [db.insert_once(connection, db.TAG, row | {"comparison": one}) for one in members(connection, id)]
    return any(added)


def remove_tag(connection: sa.Connection, id: str, text: str) -> bool:
    """Take a tag away from a comparison and those of its group, however its letters are written. Return whether it was
    there.
    """
    tagged = db.TAG.c.comparison.in_(members(connection, id))
    gone = sa.delete(db.TAG).where(tagged, db.TAG.c.words == folded(" ".join(text.split())))
    return connection.execute(gone).rowcount > 0


def tags_of(connection: sa.Connection, ids: Iterable[str]) -> dict[str, tuple[str, ...]]:
    """Return the tags of some comparisons in the order of their letters, by id."""
    tagged: dict[str, list[str]] = {id: [] for id in ids}
    query = sa.select(db.TAG.c.comparison, db.TAG.c.tag).where(db.TAG.c.comparison.in_(tagged)).order_by(db.TAG.c.words)
    for id, tag in connection.execute(query):
        tagged[id].append(tag)
    return {id: tuple(sorted(tags, key=folded)) for id, tags in tagged.items()}


def all_tags(connection: sa.Connection) -> tuple[str, ...]:
    """Return every tag that a comparison has, each once, in the order of its letters."""
    query = sa.select(sa.func.min(db.TAG.c.tag)).group_by(db.TAG.c.words)
    return tuple(sorted(connection.scalars(query), key=folded))
