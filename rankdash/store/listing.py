"""What the History page shows: saved comparisons as rows, searched, filtered, sorted and paged by the database, and the
launch log.
"""

from __future__ import annotations

import io
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, fields, replace
from datetime import datetime
from functools import partial
from operator import attrgetter
from types import MappingProxyType
from typing import Any

import pyarrow as pa
import pyarrow.csv
import sqlalchemy as sa

from rankdash.arrow import for_spreadsheets
from rankdash.case import title
from rankdash.store import database as db
from rankdash.store import journal
from rankdash.store.journal import since
from rankdash.verdict import Outcome

#: More words of a search do not count: a database takes no expression of any depth.
MOST_WORDS = 20
#: And a page has no more rows.
MOST_ROWS = 1_000
#: What stands for "no decision yet" where decisions are filtered.
UNDECIDED = "undecided"


@dataclass(frozen=True)
class Search:
    """Which comparisons are listed, and how.

    ``words``: each of them stands in the name, a model's name or a tag; upper and lower case are the same, and no sign
    has a meaning of its own. ``sort`` is one of SORTS; what has no value comes last either way. ``outcome``, ``choice``
    (or UNDECIDED) and ``tag`` None: any. ``browser`` None: everybody's, else what this browser opened. ``folded``: the
    found comparisons of a group count as one, in the place of the first of them, and are listed as they were made.
    """

    words: str = ""
    sort: str = "changed"
    descending: bool = True
    outcome: str | None = None
    choice: str | None = None
    tag: str | None = None
    browser: str | None = None
    folded: bool = False
    offset: int = 0
    most: int = 50


LAST_CHANGED = Search()


@dataclass(frozen=True)
class ListedRow:
    """One comparison in a list: everything is of its revision ``number``.

    ``outcome`` with the words of the Verdict page (``screen`` and ``tag``) and its numbers are those that were computed
    of this revision, or of one that is the same but for names; None and "" where nobody has computed them since the
    last change. It is about ``n`` of ``judged`` queries. ``engine`` is the version of rankdash that computed them, ""
    where it is this one. ``choice`` is that of the decision in force, and ``since`` what was changed after it.
    ``group`` is the same for comparisons of one group, "" where it belongs to none.
    """

    id: str
    group: str
    number: int
    name: str
    a: str
    b: str
    created: datetime
    changed: datetime
    measure: str | None
    delta: float | None
    lower: float | None
    upper: float | None
    n: int | None
    judged: int | None
    outcome: str | None
    screen: str
    tag: str
    engine: str
    choice: str | None
    decided: datetime | None
    since: journal.Since
    tags: tuple[str, ...]


@dataclass(frozen=True)
class Listed:
    """A page of rows, and how many there are in all; where the search is folded, a group counts as one."""

    rows: tuple[ListedRow, ...]
    total: int


_OUTCOME_ORDER = sa.case({outcome.value: i for i, outcome in enumerate(Outcome)}, value=db.RESULT.c.outcome)
#: What a list can be sorted by.
SORTS: Mapping[str, sa.ColumnElement[Any]] = MappingProxyType(
    {
        "changed": db.COMPARISON.c.changed,
        "created": db.COMPARISON.c.created,
        "name": db.COMPARISON.c.words,
        "delta": db.RESULT.c.delta,
        "outcome": _OUTCOME_ORDER,
        "choice": db.DECISION.c.choice,
    }
)
_RESULT = db.RESULT.c.id == journal.of_case(db.COMPARISON.c.id, db.REVISION.c.case)
_DECISION = db.DECISION.c.id == db.COMPARISON.c.decision
_WHOLE = db.COMPARISON.join(db.REVISION, journal.HEAD).outerjoin(db.RESULT, _RESULT).outerjoin(db.DECISION, _DECISION)
#: What is shown of a result, and what the decision in force was about.
_RESULTS = ("measure", "delta", "lower", "upper", "n", "outcome", "screen", "tag", "engine")
_THEN = [db.DECISION.c[field.name].label(f"then_{field.name}") for field in fields(journal.Subject)]
_COLUMNS = (
    db.COMPARISON.c.id,
    sa.func.coalesce(db.COMPARISON.c.group, "").label("group"),
    db.COMPARISON.c.head.label("number"),
    db.COMPARISON.c.name,
    db.COMPARISON.c.model_a.label("a"),
    db.COMPARISON.c.model_b.label("b"),
    db.COMPARISON.c.created,
    db.COMPARISON.c.changed,
    *(db.RESULT.c[name] for name in (*_RESULTS, "policy_version")),
    db.RESULT.c.json[journal.JUDGED].as_integer().label("judged"),
    db.DECISION.c.choice,
    db.DECISION.c.at.label("decided"),
    *_THEN,
    *journal.NOW,
)


def listed(connection: sa.Connection, search: Search = LAST_CHANGED) -> Listed:
    """Return a page of the comparisons of a search. ValueError for a ``sort`` that is not one of SORTS."""
    if search.sort not in SORTS:
        raise ValueError(f"sort={search.sort!r}: use one of {', '.join(SORTS)}.")
    id = db.COMPARISON.c.id
    unit = sa.func.coalesce(db.COMPARISON.c.group, id) if search.folded else id

    def found(*columns: sa.ColumnElement[Any]) -> sa.Select[Any]:
        return sa.select(*columns).select_from(_joined(search)).where(*_conditions(connection, search))

    total = connection.scalar(found(sa.func.count(unit.distinct()))) or 0
    page = found(unit).group_by(unit).order_by(*_order(connection, search))
    page = page.offset(max(search.offset, 0)).limit(min(max(search.most, 0), MOST_ROWS))
    places = {one: place for place, one in enumerate(connection.scalars(page))}
    members = connection.execute(found(id, unit).where(unit.in_(places)).order_by(db.COMPARISON.c.created, id))
    ids = [one for one, _ in sorted(members, key=lambda row: places[row[1]])]
    return Listed(tuple(_rows(connection, ids)), total)


def basis(connection: sa.Connection, id: str) -> tuple[Any, ...] | None:
    """Return what the numbers of a comparison rest on beside its lists; numbers of the same basis can be compared.

    None: there is no such comparison.
    """
    lists = (db.REVISION.c.baseline, db.REVISION.c.candidate, db.REVISION.c.votes)
    query = sa.select(db.REVISION.c.judgments, db.REVISION.c.state, db.COMPARISON.c.edits, *lists).join(
        db.COMPARISON, journal.HEAD
    )
    row = connection.execute(query.where(db.COMPARISON.c.id == id)).one_or_none()
    if row is None:
        return None
    queries = sa.select(db.INPUT.c.content).where(db.INPUT.c.id == row.state["inputs"].get("queries"))
    grades = [edit for edit in row.edits["edits"] if edit[2] == "grade"]
    # Without judgments the grades stand in the lists.
    judgments = row.judgments or (row.baseline, row.candidate, row.votes)
    return judgments, connection.scalar(queries), row.state["policy"], grades


def note_opened(connection: sa.Connection, id: str, browser: str) -> None:
    """Note that a browser opened a comparison: on a server of several people its list names it from then on, with those
    of its group.
    """
    group = journal.comparison_row(connection, id).group
    members = connection.scalars(sa.select(db.COMPARISON.c.id).where(db.COMPARISON.c.group == group)) if group else ()
    for one in {id, *members}:
        db.insert_once(connection, db.SEEN, {"browser": browser, "comparison": one, "at": db.now()})


def _rows(connection: sa.Connection, ids: list[str]) -> Iterator[ListedRow]:
    """Return the rows of some comparisons, in order; without those that are gone meanwhile."""
    query = sa.select(*_COLUMNS).select_from(_WHOLE).where(db.COMPARISON.c.id.in_(ids))
    rows = {row["id"]: dict(row) for row in connection.execute(query).mappings()}
    tagged = journal.tags_of(connection, ids)
    for id in filter(rows.__contains__, ids):
        row = rows[id]
        then, about = (journal.Subject.from_row(row, prefix) for prefix in ("then_", "now_"))
        is_own = (row["engine"], row["policy_version"]) == journal.VERSIONS
        row |= {
            "name": title(row["name"], row["a"], row["b"]),
            "screen": row["screen"] or "",
            "tag": row["tag"] or "",
            "engine": (not is_own and row["engine"]) or "",
            "since": journal.Since.SAME if then is None else since(then, about),
            "tags": tagged[id],
        }
        yield ListedRow(**{field.name: row[field.name] for field in fields(ListedRow)})


def _joined(search: Search) -> sa.FromClause:
    """Return comparisons joined with the tables that a search filters or sorts by. Results and decisions of the other
    columns are read for one page only.
    """
    result: sa.FromClause = db.COMPARISON
    if search.outcome is not None or search.sort in ("delta", "outcome"):
        result = result.join(db.REVISION, journal.HEAD).outerjoin(db.RESULT, _RESULT)
    if search.choice not in (None, UNDECIDED) or search.sort == "choice":
        result = result.outerjoin(db.DECISION, _DECISION)
    return result


def _conditions(connection: sa.Connection, search: Search) -> list[sa.ColumnElement[bool]]:
    """Return the conditions of a search."""
    conditions: list[sa.ColumnElement[bool]] = [db.COMPARISON.c.deleted.is_(None)]
    conditions += [
        _holds(connection, word) for word in list(dict.fromkeys(journal.folded(search.words).split()))[:MOST_WORDS]
    ]
    if search.outcome is not None:
        conditions.append(db.RESULT.c.outcome == search.outcome)
    if search.choice is not None:
        undecided = search.choice == UNDECIDED
        conditions.append(db.COMPARISON.c.decision.is_(None) if undecided else db.DECISION.c.choice == search.choice)
    if search.tag is not None:
        conditions.append(_tagged(db.TAG.c.words == sa.literal(journal.folded(search.tag), db.StoredText)))
    if search.browser is not None:
        mine = sa.select(db.SEEN.c.comparison).where(db.SEEN.c.browser == search.browser)
        conditions.append(db.COMPARISON.c.id.in_(mine))
    return conditions


def _holds(connection: sa.Connection, word: str) -> sa.ColumnElement[bool]:
    """Return the condition that a word stands in the names or in a tag, letter for letter: LIKE has signs with a
    meaning, and a limit.
    """
    place = sa.func.instr if connection.dialect.name == "sqlite" else sa.func.strpos
    literal = sa.literal(word, db.StoredText)
    return sa.or_(place(db.COMPARISON.c.words, literal) > 0, _tagged(place(db.TAG.c.words, literal) > 0))


def _tagged(condition: sa.ColumnElement[bool]) -> sa.ColumnElement[bool]:
    return sa.exists().where(db.TAG.c.comparison == db.COMPARISON.c.id, condition).correlate(db.COMPARISON)


def _order(connection: sa.Connection, search: Search) -> list[sa.ColumnElement[Any]]:
    """Return the order of a search, a group by the first of its comparisons; among equals the last changed comes first.
    Names sort by their signs on every database.
    """
    column = SORTS[search.sort]
    if search.sort == "name":
        column = sa.collate(column, "BINARY" if connection.dialect.name == "sqlite" else "C")
    by = sa.func.max(column).desc() if search.descending else sa.func.min(column).asc()
    return [by.nulls_last(), sa.func.max(db.COMPARISON.c.changed).desc(), sa.func.min(db.COMPARISON.c.id)]


# --- the launch log --------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Logged:
    """One line of the launch log; ``online`` is what the newest online test of these lists showed, of B against A as
    the decision has them.
    """

    decision: journal.Decision
    is_in_force: bool
    online: journal.Observed | None


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
        only += (db.DECISION.c.comparison.in_(sa.select(db.SEEN.c.comparison).where(db.SEEN.c.browser == browser)),)
    entries = journal.recorded(connection, *only, most=most)
    in_force = {decision.comparison: decision.id for decision in entries[::-1]}
    tests: dict[str, list[journal.Observation]] = {}
    for test in journal.observations(connection) if entries else ():
        tests.setdefault(test.comparison, []).append(test)
    return tuple(
        Logged(
            decision,
            in_force[decision.comparison] == decision.id,
            _online(decision.subject, tests.get(decision.comparison, ())),
        )
        for decision in entries[::-1]
    )


def _online(about: journal.Subject, tests: Iterable[journal.Observation]) -> journal.Observed | None:
    """Return what the newest test showed of B against A as a subject has them; None where all were about other
    lists.
    """
    for test in tests:
        match since(test.subject, about):
            case journal.Since.REPLACED:
                continue
            case journal.Since.EXCHANGED:
                return replace(test.observed, delta=0.0 - test.observed.delta)
        return test.observed
    return None


def _of_verdict(name: str, line: Logged) -> Any:
    return line.decision.verdict.get(name)


def _of_online(name: str, line: Logged) -> Any:
    return None if line.online is None else getattr(line.online, name)


_TEXT, _NUMBER, _COUNT = pa.string(), pa.float64(), pa.int64()
_OF_VERDICT = {
    "measure": _TEXT,
    "delta": _NUMBER,
    "lower": _NUMBER,
    "upper": _NUMBER,
    "n": _COUNT,
    "looks": _COUNT,
    "engine": _TEXT,
    "policy_version": _COUNT,
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
        "revision": (_COUNT, attrgetter("decision.revision")),
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
