"""What a store has on record beside its comparisons: decisions, what online tests showed, tags, and the launch log.

Entries are added and never changed: a correction is a further entry, and the newest is in force. An entry keeps what it
was about as it stood: the names, and what tells lists, judgments and votes from others. So it outlasts its comparison.
"""

from __future__ import annotations

import io
import math
import unicodedata
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, fields, replace
from datetime import datetime, timedelta
from enum import StrEnum
from functools import partial
from operator import attrgetter
from types import MappingProxyType
from typing import Any

import pyarrow as pa
import pyarrow.csv
import sqlalchemy as sa

from rankdash.case import title
from rankdash.store import errors
from rankdash.store.database import COMPARISON, DECISION, OUTCOME, REVISION, SEEN, TAG, insert_once, new_id, now
from rankdash.store.errors import StoreError
from rankdash.store.records import Saved
from rankdash.store.results import RecordedVerdict
from rankdash.strings.formulas import for_spreadsheets
from rankdash.strings.normalforms import normalized
from rankdash.verdict import Outcome

LONGEST_NAME, LONGEST_TEXT, LONGEST_TAG = 200, 10_000, 100
#: Bytes of a tag as it is searched: a letter without its width can take 18 of them, and keys have a limit.
_MOST_BYTES = 1_000
#: What can be decided, as people read it.
CHOICES: Mapping[str, str] = MappingProxyType(
    {"launch": "Launch", "no_launch": "Do not launch", "postponed": "Postponed"}
)
NOT_OF_THE_REVISION = (
    "The verdict is not that of revision {revision} of this comparison, so nothing was decided on it. Open the "
    "comparison and look at its verdict as it is now."
)


class DecisionError(StoreError):
    """An entry that cannot be written as it is: one sentence per line."""


# --- what an entry is about ------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Subject:
    """What a revision is about, A and B the way around in which they are shown.

    ``name`` is that of the comparison. ``baseline`` and ``candidate`` tell the lists of A and B from others,
    ``judgments`` and ``votes`` these tables as they were read; None: there is none. ``case`` is the digest of
    everything that a verdict is made of.
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
HEAD = sa.and_(REVISION.c.comparison == COMPARISON.c.id, REVISION.c.number == COMPARISON.c.head)
NOW = [REVISION.c[field.name].label(f"now_{field.name}") for field in fields(Subject)]


def _entries(table: sa.Table, *only: sa.ColumnElement[bool]) -> sa.Select[Any]:
    """Return the query for entries, the newest first, each with what its comparison is about now."""
    there = sa.and_(COMPARISON.c.id == table.c.comparison, COMPARISON.c.deleted.is_(None))
    joined = table.outerjoin(COMPARISON, there).outerjoin(REVISION, HEAD)
    newest = (table.c.at.desc(), table.c.id.desc())
    return sa.select(table, *NOW).select_from(joined).where(*only).order_by(*newest)


def _subjects(row: Any) -> dict[str, Any]:
    """Return what an entry was about, and what has become of that."""
    then = Subject.from_row(row)
    assert then is not None
    return {"subject": then, "since": since(then, Subject.from_row(row, "now_"))}


# --- what is checked before an entry is written ----------------------------------------------------------------------


def check_there(connection: sa.Connection, id: str) -> None:
    """Raise StoreError where a comparison does not exist or was deleted."""
    row = connection.execute(sa.select(COMPARISON.c.deleted).where(COMPARISON.c.id == id)).one_or_none()
    if row is None:
        raise StoreError(errors.UNKNOWN.format(id=id))
    if row.deleted is not None:
        raise StoreError(errors.DELETED.format(id=id, when=""))


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
    """Raise DecisionError where there are problems."""
    if sentences := "\n".join(problems):
        raise DecisionError(sentences)


def _stripped(entry: Any) -> dict[str, Any]:
    """Return the fields of an entry, texts without the blanks around them."""
    return {name: value.strip() if isinstance(value, str) else value for name, value in vars(entry).items()}


def _name_problems(what: str, name: str) -> list[str]:
    return _length_problems(what, name, LONGEST_NAME) if _says_something(name) else [f"{what} is missing."]


def _length_problems(what: str, text: str, longest: int) -> list[str]:
    return [f"{what} has {len(text):,} letters; at most {longest:,} are kept."] if len(text) > longest else []


def _subject_at(connection: sa.Connection, id: str, number: int | None) -> Subject | None:
    """Return what a revision is about, None: the newest; None where there is none with this number."""
    which = HEAD if number is None else sa.and_(REVISION.c.comparison == COMPARISON.c.id, REVISION.c.number == number)
    query = sa.select(*NOW).select_from(COMPARISON.join(REVISION, which)).where(COMPARISON.c.id == id)
    row = connection.execute(query).mappings().one_or_none()
    return None if row is None else Subject.from_row(row, "now_")


# --- decisions -------------------------------------------------------------------------------------------------------


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
    wrong = []
    if decided.choice not in CHOICES:
        wrong.append(f"{decided.choice[:40]!r} is no decision. It is one of {', '.join(CHOICES)}.")
    wrong += _name_problems("Who decides", decided.by)
    if opposes(decided.choice, outcome) and not _says_something(decided.reason):
        wrong.append("This decision is not what the verdict says: write down the reason.")
    return (*wrong, *_length_problems("The reason", decided.reason, LONGEST_TEXT))


def record_decision(connection: sa.Connection, id: str, decided: Decided, result: RecordedVerdict) -> Decision:
    """Add a decision on a result. DecisionError, with every problem; StoreError where there is no such comparison."""
    _refuse(decision_problems(decided, result.outcome))
    check_there(connection, id)
    about = _subject_at(connection, id, result.revision)
    if about is None or about.case != result.case:
        raise DecisionError(NOT_OF_THE_REVISION.format(revision=result.revision))
    at = _after_the_last(connection, DECISION, id)
    row: dict[str, Any] = {"id": new_id(), "comparison": id, "revision": result.revision, "at": at}
    row |= {**_stripped(decided), "verdict": result.to_dict()}
    connection.execute(sa.insert(DECISION).values(**row, **vars(about)))
    connection.execute(sa.update(COMPARISON).where(COMPARISON.c.id == id).values(decision=row["id"]))
    return Decision(**row, subject=about)


def decisions(connection: sa.Connection, id: str) -> tuple[Decision, ...]:
    """Return every decision on a comparison, that in force first."""
    return _decisions(connection, DECISION.c.comparison == id)


def _decisions(
    connection: sa.Connection, *only: sa.ColumnElement[bool], most: int | None = None
) -> tuple[Decision, ...]:
    """Return the decisions that meet every condition, those on comparisons that are gone included, the newest first,
    at most ``most``.
    """
    own = [field.name for field in fields(Decision) if field.name not in ("subject", "since")]
    rows = connection.execute(_entries(DECISION, *only).limit(most)).mappings()
    return tuple(Decision(**{name: row[name] for name in own}, **_subjects(row)) for row in rows)


# --- what an online test showed --------------------------------------------------------------------------------------


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


def record_observed(connection: sa.Connection, id: str, observed: Observed, revision: int | None = None) -> Observation:
    """Add what an online test showed of A and B as they are at a revision; None: at the head. DecisionError, with every
    problem; StoreError for an unknown comparison.
    """
    wrong = [*_name_problems("What was measured", observed.metric), *_name_problems("Who writes this", observed.by)]
    if not math.isfinite(observed.delta):
        wrong.append(f"delta is {observed.delta}, which is no number.")
    _refuse(wrong)
    check_there(connection, id)
    about = _subject_at(connection, id, revision)
    if about is None:
        raise StoreError(errors.UNKNOWN.format(id=id))
    added = Observation(new_id(), id, _after_the_last(connection, OUTCOME, id), Observed(**_stripped(observed)), about)
    row = {"id": added.id, "comparison": id, "at": added.at, **vars(added.observed), **vars(about)}
    connection.execute(sa.insert(OUTCOME).values(**row))
    return added


def observations(connection: sa.Connection, id: str | None = None) -> tuple[Observation, ...]:
    """Return what online tests of a comparison showed, or of all comparisons; the newest first."""
    only = () if id is None else (OUTCOME.c.comparison == id,)
    return tuple(
        Observation(
            row["id"],
            row["comparison"],
            row["at"],
            Observed(row["metric"], row["by"], row["delta"]),
            **_subjects(row),
        )
        for row in connection.execute(_entries(OUTCOME, *only)).mappings()
    )


# --- the launch log --------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Logged:
    """One line of the launch log; ``online`` is what the newest online test of these lists showed, of B against A as
    the decision has them.
    """

    decision: Decision
    is_in_force: bool
    online: Observed | None


@dataclass(frozen=True)
class Point:
    """One comparison that was decided and tested online: what was measured here, and what was observed there."""

    comparison: str
    name: str
    choice: str
    measure: str
    offline: float
    metric: str
    online: float


def launch_log(connection: sa.Connection, browser: str | None = None) -> bytes:
    """Return every decision, oldest first, as UTF-8 CSV in which no cell is a formula.

    ``in_force`` is "yes" for the last decision of each comparison; of several online tests the newest is given. With a
    ``browser``, only the comparisons that it opened.
    """
    lines = logged(connection, browser)
    columns = [pa.array([cell(line) for line in lines], kind) for kind, cell in COLUMNS.values()]
    buffer = io.BytesIO()
    pyarrow.csv.write_csv(for_spreadsheets(pa.Table.from_arrays(columns, names=list(COLUMNS))), buffer)
    return buffer.getvalue()


def points(connection: sa.Connection, browser: str | None = None) -> tuple[Point, ...]:
    """Return the comparisons with a decision in force and both differences, in the order of the decisions."""
    both = []
    for line in logged(connection, browser, DECISION.c.comparison.in_(sa.select(OUTCOME.c.comparison))):
        decision, verdict, seen = line.decision, line.decision.verdict, line.online
        if line.is_in_force and seen is not None and verdict.get("delta") is not None:
            about = (decision.comparison, decision.subject.name, decision.choice)
            both.append(Point(*about, verdict["measure"], verdict["delta"], seen.metric, seen.delta))
    return tuple(both)


def logged(
    connection: sa.Connection,
    browser: str | None = None,
    *only: sa.ColumnElement[bool],
    most: int | None = None,
) -> tuple[Logged, ...]:
    """Return the decisions that meet every condition of ``only``, oldest first; of more than ``most`` the newest;
    ``browser`` as for ``launch_log``.
    """
    if browser is not None:
        only += (DECISION.c.comparison.in_(sa.select(SEEN.c.comparison).where(SEEN.c.browser == browser)),)
    entries = _decisions(connection, *only, most=most)
    in_force = {decision.comparison: decision.id for decision in entries[::-1]}
    tests: dict[str, list[Observation]] = {}
    for test in observations(connection) if entries else ():
        tests.setdefault(test.comparison, []).append(test)
    return tuple(
        Logged(
            decision,
            in_force[decision.comparison] == decision.id,
            _online(decision.subject, tests.get(decision.comparison, ())),
        )
        for decision in entries[::-1]
    )


def _online(about: Subject, tests: Iterable[Observation]) -> Observed | None:
    """Return what the newest test showed of B against A as a subject has them; None where all were about other
    lists.
    """
    for test in tests:
        match since(test.subject, about):
            case Since.REPLACED:
                continue
            case Since.EXCHANGED:
                return replace(test.observed, delta=0.0 - test.observed.delta)
        return test.observed
    return None


def _of_verdict(name: str, line: Logged) -> Any:
    return line.decision.verdict.get(name)


def _of_online(name: str, line: Logged) -> Any:
    return None if line.online is None else getattr(line.online, name)


_TEXT, _NUMBER, _WHOLE = pa.string(), pa.float64(), pa.int64()
_OF_VERDICT = {
    "measure": _TEXT,
    "delta": _NUMBER,
    "lower": _NUMBER,
    "upper": _NUMBER,
    "n": _WHOLE,
    "looks": _WHOLE,
    "engine": _TEXT,
    "policy_version": _WHOLE,
}
_OF_ONLINE = {"metric": _TEXT, "delta": _NUMBER, "by": _TEXT}
#: The columns of the file in order, each with what stands in it.
COLUMNS: Mapping[str, tuple[pa.DataType, Callable[[Logged], Any]]] = MappingProxyType(
    {
        "comparison": (_TEXT, attrgetter("decision.comparison")),
        "name": (_TEXT, attrgetter("decision.subject.name")),
        "a": (_TEXT, attrgetter("decision.subject.model_a")),
        "b": (_TEXT, attrgetter("decision.subject.model_b")),
        "decided": (_TEXT, lambda line: line.decision.at.isoformat(timespec="seconds")),
        "by": (_TEXT, attrgetter("decision.by")),
        "choice": (_TEXT, attrgetter("decision.choice")),
        "in_force": (_TEXT, lambda line: "yes" if line.is_in_force else "no"),
        "reason": (_TEXT, attrgetter("decision.reason")),
        "revision": (_WHOLE, attrgetter("decision.revision")),
        "since": (_TEXT, attrgetter("decision.since.value")),
        "verdict": (_TEXT, partial(_of_verdict, "outcome")),
        "tag": (_TEXT, partial(_of_verdict, "tag")),
        "sentence": (_TEXT, lambda line: line.decision.verdict.get("json", {}).get("sentence")),
        **{name: (kind, partial(_of_verdict, name)) for name, kind in _OF_VERDICT.items()},
        "case": (_TEXT, attrgetter("decision.subject.case")),
        "lists_a": (_TEXT, attrgetter("decision.subject.baseline")),
        "lists_b": (_TEXT, attrgetter("decision.subject.candidate")),
        "judgments": (_TEXT, attrgetter("decision.subject.judgments")),
        "votes": (_TEXT, attrgetter("decision.subject.votes")),
        **{f"online_{name}": (kind, partial(_of_online, name)) for name, kind in _OF_ONLINE.items()},
    }
)


# --- tags: short words that people give comparisons; the same word in other letters is the same tag ------------------


def add_tag(connection: sa.Connection, id: str, text: str) -> bool:
    """Give a comparison a tag. Return whether it is new. StoreError for a tag that cannot be seen or is too
    long.
    """
    tag = " ".join(text.split())
    if not _says_something(tag):
        raise StoreError("A tag needs a letter, a digit or a sign that can be seen.")
    if len(tag) > LONGEST_TAG or len(folded(tag).encode("utf-8", "replace")) > _MOST_BYTES:
        raise StoreError(f"A tag has at most {LONGEST_TAG} letters; this one has {len(tag):,}.")
    check_there(connection, id)
    return insert_once(connection, TAG, {"comparison": id, "tag": tag, "words": folded(tag)})


def remove_tag(connection: sa.Connection, id: str, text: str) -> bool:
    """Take a tag away, however its letters are written. Return whether it was there."""
    check_there(connection, id)
    gone = sa.delete(TAG).where(TAG.c.comparison == id, TAG.c.words == folded(" ".join(text.split())))
    return connection.execute(gone).rowcount > 0


def tags_of(connection: sa.Connection, ids: Iterable[str]) -> dict[str, tuple[str, ...]]:
    """Return the tags of some comparisons in the order of their letters, by id."""
    tagged: dict[str, list[str]] = {id: [] for id in ids}
    query = sa.select(TAG.c.comparison, TAG.c.tag).where(TAG.c.comparison.in_(tagged)).order_by(TAG.c.words)
    for id, tag in connection.execute(query):
        tagged[id].append(tag)
    return {id: tuple(sorted(tags, key=folded)) for id, tags in tagged.items()}


def all_tags(connection: sa.Connection) -> tuple[str, ...]:
    """Return every tag that a comparison has, each once, in the order of its letters."""
    query = sa.select(sa.func.min(TAG.c.tag)).group_by(TAG.c.words)
    return tuple(sorted(connection.scalars(query), key=folded))
