"""What the History page shows: saved comparisons as rows, searched and paged by the database, and the launch log."""

from __future__ import annotations

import io
import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import field, fields, replace
from datetime import datetime
from typing import Any

import pyarrow as pa
import pyarrow.csv
import sqlalchemy as sa

from rankdash.arrow import for_spreadsheets
from rankdash.case import title
from rankdash.records import frozen
from rankdash.store import database as db, journal
from rankdash.store.journal import since

#: More words of a search do not count: a database takes no expression of any depth.
MOST_WORDS = 20
#: And a page has no more rows.
MOST_ROWS = 10_000


@frozen
class Search:
    """Which comparisons are listed, the last changed first.

    ``words``: each of them occurs in the name, a model's name, the name of a file that it was or is made of, a tag, in
    who decided or why, or in what the decision in force is called by ``choices``; case is ignored (in names of files
    that of letters from A to Z), and there are no wildcards.
    ``browser`` None: all comparisons, else the ones that this browser opened. ``folded``: the found comparisons of a
    group count as one, at the place of the first, in the order in which they were made.
    """

    words: str = ""
    browser: str | None = None
    folded: bool = False
    most: int = 50
    choices: Mapping[str, str] = field(default_factory=dict)


LAST_CHANGED = Search()


@frozen
class ListedRow:
    """One comparison in a list: everything is of its newest revision.

    ``outcome`` with the words of the Verdict page (``screen`` and ``tag``) and its numbers are those that were computed
    of this revision, or of one that is the same but for names; None and "" where nobody has computed them since the
    last change. ``changed`` is when anything but a name was changed last. ``engine`` is the version of rankdash that
    computed them, "" where it is this one. ``candidates`` were compared with this A on these judgments; with fewer at
    the time, the numbers are given and no outcome. ``choice`` is what the decision in force chose, and ``since`` what
    was changed after it. ``group`` is the same for comparisons of one group, "" where it belongs to none.
    """

    id: str
    group: str
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
    outcome: str | None
    screen: str
    tag: str
    engine: str
    candidates: int
    choice: str | None
    decided: datetime | None
    since: journal.Since
    tags: tuple[str, ...]


@frozen
class Listed:
    """A page of rows, and how many there are in all; where the search is folded, a group counts as one."""

    rows: tuple[ListedRow, ...]
    total: int


_RESULT = db.RESULT.c.id == journal.of_case(db.COMPARISON.c.id, db.REVISION.c.case)
_DECISION = db.DECISION.c.id == db.COMPARISON.c.decision
_WHOLE = db.COMPARISON.join(db.REVISION, journal.HEAD).outerjoin(db.RESULT, _RESULT).outerjoin(db.DECISION, _DECISION)
#: What is shown of a result, and what the decision in force was about.
RESULTS = ("measure", "delta", "lower", "upper", "n", "outcome", "screen", "tag", "engine")
_THEN = [db.DECISION.c[field.name].label(f"then_{field.name}") for field in fields(journal.Subject)]
_COLUMNS = (
    db.COMPARISON.c.id,
    sa.func.coalesce(db.COMPARISON.c.group, "").label("group"),
    db.COMPARISON.c.name,
    db.COMPARISON.c.model_a.label("a"),
    db.COMPARISON.c.model_b.label("b"),
    db.COMPARISON.c.created,
    db.COMPARISON.c.changed,
    *(db.RESULT.c[name] for name in (*RESULTS, "policy_version")),
    sa.cast(db.RESULT.c.json, sa.Text).label("result"),  # as text, so that one broken row closes no list
    db.DECISION.c.choice,
    db.DECISION.c.at.label("decided"),
    *_THEN,
    *journal.NOW,
)


def listed(connection: sa.Connection, search: Search = LAST_CHANGED) -> Listed:
    """Return the first comparisons that a search finds, the last changed first, then by id."""
    id = db.COMPARISON.c.id
    unit = sa.func.coalesce(db.COMPARISON.c.group, id) if search.folded else id

    def found(*columns: sa.ColumnElement[Any]) -> sa.Select[Any]:
        return sa.select(*columns).where(*_conditions(connection, search))

    total = connection.scalar(found(sa.func.count(unit.distinct()))) or 0
    page = found(unit).group_by(unit).order_by(sa.func.max(db.COMPARISON.c.changed).desc(), sa.func.min(id))
    page = page.limit(min(max(search.most, 0), MOST_ROWS))
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
    for one in journal.members(connection, id):
        db.insert_once(connection, db.SEEN, {"browser": browser, "comparison": one, "at": db.now()})


def _rows(connection: sa.Connection, ids: list[str]) -> Iterator[ListedRow]:
    """Return the rows of some comparisons, in order; without those that are gone meanwhile."""
    query = sa.select(*_COLUMNS).select_from(_WHOLE).where(db.COMPARISON.c.id.in_(ids))
    rows = {row["id"]: dict(row) for row in connection.execute(query).mappings()}
    tagged, tried = journal.tags_of(connection, ids), journal.tried(connection, ids)
    for id in filter(rows.__contains__, ids):
        row = rows[id]
        then, about = (journal.Subject.from_row(row, prefix) for prefix in ("then_", "now_"))
        if tried.get(id, 1) > _candidates(row["result"]):
            row |= dict.fromkeys(("outcome", "screen", "tag"))
        is_own = (row["engine"], row["policy_version"]) == journal.VERSIONS
        row |= {
            "name": title(row["name"], row["a"], row["b"]),
            "screen": row["screen"] or "",
            "tag": row["tag"] or "",
            "engine": (not is_own and row["engine"]) or "",
            "candidates": tried.get(id, 1),
            "since": journal.Since.SAME if then is None else since(then, about),
            "tags": tagged[id],
        }
        yield ListedRow(**{field.name: row[field.name] for field in fields(ListedRow)})


def _candidates(result: str | None) -> int:
    """Return for how many candidates a stored verdict was computed; one where it does not say."""
    try:
        said = json.loads(result or "{}")["candidates"]
    except (LookupError, TypeError, ValueError, RecursionError):
        return 1
    return said if isinstance(said, int) else 1


def _conditions(connection: sa.Connection, search: Search) -> list[sa.ColumnElement[bool]]:
    """Return the conditions of a search."""
    conditions: list[sa.ColumnElement[bool]] = [db.COMPARISON.c.deleted.is_(None)]
    conditions += [
        _holds(connection, word, search.choices)
        for word in list(dict.fromkeys(journal.folded(search.words).split()))[:MOST_WORDS]
    ]
    if search.browser is not None:
        mine = sa.select(db.SEEN.c.comparison).where(db.SEEN.c.browser == search.browser)
        conditions.append(db.COMPARISON.c.id.in_(mine))
    return conditions


def _holds(connection: sa.Connection, word: str, choices: Mapping[str, str]) -> sa.ColumnElement[bool]:
    """Return the condition that a word stands in a name, of files too, in a tag or in a decision, letter for letter:
    LIKE has signs with a meaning, and a limit.
    """
    place = sa.func.instr if connection.dialect.name == "sqlite" else sa.func.strpos
    id, literal = db.COMPARISON.c.id, sa.literal(word, db.StoredText)
    tagged = sa.select(db.TAG.c.comparison).where(place(db.TAG.c.words, literal) > 0)
    filed = sa.select(db.INPUT.c.comparison).where(place(sa.func.lower(db.INPUT.c.source_name), literal) > 0)
    entry = db.DECISION.c
    texts = connection.execute(sa.select(entry.comparison, entry.by, entry.reason))
    decided = {id for id, *by in texts if word in journal.folded(*by)}
    meant = (choice for choice, said in choices.items() if word in journal.folded(said))
    in_force = sa.exists().where(_DECISION, entry.choice.in_([*meant])).correlate(db.COMPARISON)
    return sa.or_(
        place(db.COMPARISON.c.words, literal) > 0, *(id.in_(those) for those in (tagged, filed, decided)), in_force
    )


# --- the launch log --------------------------------------------------------------------------------------------------


@frozen
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
    lines = map(_cells, logged(connection, browser))
    buffer = io.BytesIO()
    pyarrow.csv.write_csv(for_spreadsheets(pa.Table.from_pylist([*lines], pa.schema(COLUMNS))), buffer)
    return buffer.getvalue()


def logged(connection: sa.Connection, browser: str | None = None) -> tuple[Logged, ...]:
    """Return every decision, oldest first; ``browser`` as for ``launch_log``."""
    mine = sa.select(db.SEEN.c.comparison).where(db.SEEN.c.browser == browser)
    entries = journal.recorded(connection, *(() if browser is None else (db.DECISION.c.comparison.in_(mine),)))
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


_NUMBERS = dict.fromkeys(("delta", "lower", "upper", "online_delta"), pa.float64())
_COUNTS = dict.fromkeys(("revision", "n", "looks", "policy_version"), pa.int64())
#: The columns of the file in order, each with its type.
COLUMNS: Mapping[str, pa.DataType] = {
    name: (_NUMBERS | _COUNTS).get(name, pa.string())
    for name in "comparison name a b decided by choice in_force reason revision since verdict tag sentence measure "
    "delta lower upper n looks engine policy_version online_metric online_delta online_by".split()
}


def _cells(line: Logged) -> dict[str, Any]:
    """Return the values of a line by the names of its columns, and a few more."""
    entry, about, verdict = line.decision, line.decision.subject, line.decision.verdict
    own = {"name": about.name, "a": about.model_a, "b": about.model_b, "in_force": "yes" if line.is_in_force else "no"}
    said = {"verdict": verdict["outcome"], "sentence": verdict["json"].get("sentence")}
    online = {} if line.online is None else {f"online_{name}": value for name, value in vars(line.online).items()}
    return {**verdict, **vars(entry), **own, **said, "decided": entry.at.isoformat(timespec="seconds"), **online}
