"""What the History page shows: saved comparisons as rows, searched, filtered, sorted and paged by the database; the
launch log; and comparisons side by side: which are comparable, what differs, Holm over the candidates, and a trend.

Two comparisons are comparable where queries and their weights, judgments, convention, cutoff and policy are the same;
that is a matter of content, never of file names. So comparable comparisons fall into groups, and whichever of a group
is the reference, the others of the group are comparable with it.
"""

from __future__ import annotations

import io
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from datetime import datetime
from functools import partial
from itertools import chain
from operator import attrgetter
from types import MappingProxyType
from typing import Any, Literal

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.csv
import sqlalchemy as sa

from rankdash import arrow
from rankdash.arrow import for_spreadsheets
from rankdash.case import content_digest, title
from rankdash.conventions import number
from rankdash.evidence.multiple import holm
from rankdash.judged import Pool
from rankdash.judged.pool import fingerprints, pair_prints
from rankdash.policy import Policy
from rankdash.policy.fields import FIELDS
from rankdash.scoring import Comparison, VotesAlone
from rankdash.store import journal
from rankdash.store.database import (
    COMPARISON,
    DECISION,
    OUTCOME,
    RESULT,
    REVISION,
    SEEN,
    TAG,
    StoredText,
    insert_once,
    now,
)
from rankdash.store.journal import (
    HEAD,
    NOW,
    Decision,
    Observation,
    Observed,
    Since,
    Subject,
    check_there,
    folded,
    observations,
    recorded,
    since,
    tags_of,
)
from rankdash.store.records import Saved
from rankdash.verdict import Outcome
from rankdash.wording import count

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
    (or UNDECIDED) and ``tag`` None: any. ``browser`` None: everybody's, else what this browser opened.
    """

    words: str = ""
    sort: str = "changed"
    descending: bool = True
    archived: bool = False
    outcome: str | None = None
    choice: str | None = None
    tag: str | None = None
    browser: str | None = None
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
    """

    id: str
    number: int
    name: str
    a: str
    b: str
    created: datetime
    changed: datetime
    archived: bool
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
    since: Since
    tags: tuple[str, ...]


@dataclass(frozen=True)
class Listed:
    """A page of rows, and how many there are in all."""

    rows: tuple[ListedRow, ...]
    total: int


_OUTCOME_ORDER = sa.case({outcome.value: i for i, outcome in enumerate(Outcome)}, value=RESULT.c.outcome)
#: What a list can be sorted by.
SORTS: Mapping[str, sa.ColumnElement[Any]] = MappingProxyType(
    {
        "changed": COMPARISON.c.changed,
        "created": COMPARISON.c.created,
        "name": COMPARISON.c.words,
        "delta": RESULT.c.delta,
        "outcome": _OUTCOME_ORDER,
        "choice": DECISION.c.choice,
    }
)
_RESULT = RESULT.c.id == journal.of_case(COMPARISON.c.id, REVISION.c.case)
_DECISION = DECISION.c.id == COMPARISON.c.decision
_WHOLE = COMPARISON.join(REVISION, HEAD).outerjoin(RESULT, _RESULT).outerjoin(DECISION, _DECISION)
#: What is shown of a result, and what the decision in force was about.
_RESULTS = ("measure", "delta", "lower", "upper", "n", "outcome", "screen", "tag", "engine")
_THEN = [DECISION.c[field.name].label(f"then_{field.name}") for field in fields(Subject)]
_COLUMNS = (
    COMPARISON.c.id,
    COMPARISON.c.head.label("number"),
    COMPARISON.c.name,
    COMPARISON.c.model_a.label("a"),
    COMPARISON.c.model_b.label("b"),
    COMPARISON.c.created,
    COMPARISON.c.changed,
    COMPARISON.c.archived,
    *(RESULT.c[name] for name in (*_RESULTS, "policy_version")),
    RESULT.c.json[journal.JUDGED].as_integer().label("judged"),
    DECISION.c.choice,
    DECISION.c.at.label("decided"),
    *_THEN,
    *NOW,
)


def listed(connection: sa.Connection, search: Search = LAST_CHANGED) -> Listed:
    """Return a page of the comparisons of a search. ValueError for a ``sort`` that is not one of SORTS."""
    if search.sort not in SORTS:
        raise ValueError(f"sort={search.sort!r}: use one of {', '.join(SORTS)}.")
    conditions = _conditions(connection, search)
    total = connection.scalar(sa.select(sa.func.count()).select_from(_joined(search)).where(*conditions)) or 0
    page = (
        sa.select(COMPARISON.c.id).select_from(_joined(search)).where(*conditions).order_by(*_order(connection, search))
    )
    page = page.offset(max(search.offset, 0)).limit(min(max(search.most, 0), MOST_ROWS))
    ids = list(connection.scalars(page))
    return Listed(tuple(_rows(connection, ids)), total)


def note_opened(connection: sa.Connection, id: str, browser: str) -> None:
    """Note that a browser opened a comparison: on a server of several people its list names it from then on."""
    check_there(connection, id)
    insert_once(connection, SEEN, {"browser": browser, "comparison": id, "at": now()})


def _rows(connection: sa.Connection, ids: list[str]) -> Iterator[ListedRow]:
    """Return the rows of some comparisons, in order; without those that are gone meanwhile."""
    query = sa.select(*_COLUMNS).select_from(_WHOLE).where(COMPARISON.c.id.in_(ids))
    rows = {row["id"]: dict(row) for row in connection.execute(query).mappings()}
    tagged = tags_of(connection, ids)
    for id in filter(rows.__contains__, ids):
        row = rows[id]
        then, about = (Subject.from_row(row, prefix) for prefix in ("then_", "now_"))
        is_own = (row["engine"], row["policy_version"]) == journal.VERSIONS
        row |= {
            "name": title(row["name"], row["a"], row["b"]),
            "screen": row["screen"] or "",
            "tag": row["tag"] or "",
            "engine": (not is_own and row["engine"]) or "",
            "since": Since.SAME if then is None else since(then, about),
            "tags": tagged[id],
        }
        yield ListedRow(**{field.name: row[field.name] for field in fields(ListedRow)})


def _joined(search: Search) -> sa.FromClause:
    """Return comparisons joined with the tables that a search filters or sorts by. Results and decisions of the other
    columns are read for one page only.
    """
    result: sa.FromClause = COMPARISON
    if search.outcome is not None or search.sort in ("delta", "outcome"):
        result = result.join(REVISION, HEAD).outerjoin(RESULT, _RESULT)
    if search.choice not in (None, UNDECIDED) or search.sort == "choice":
        result = result.outerjoin(DECISION, _DECISION)
    return result


def _conditions(connection: sa.Connection, search: Search) -> list[sa.ColumnElement[bool]]:
    """Return the conditions of a search."""
    conditions: list[sa.ColumnElement[bool]] = [
        COMPARISON.c.deleted.is_(None),
        COMPARISON.c.archived.is_(search.archived),
    ]
    conditions += [_holds(connection, word) for word in list(dict.fromkeys(folded(search.words).split()))[:MOST_WORDS]]
    if search.outcome is not None:
        conditions.append(RESULT.c.outcome == search.outcome)
    if search.choice is not None:
        undecided = search.choice == UNDECIDED
        conditions.append(COMPARISON.c.decision.is_(None) if undecided else DECISION.c.choice == search.choice)
    if search.tag is not None:
        conditions.append(_tagged(TAG.c.words == sa.literal(folded(search.tag), StoredText)))
    if search.browser is not None:
        mine = sa.select(SEEN.c.comparison).where(SEEN.c.browser == search.browser)
        conditions.append(COMPARISON.c.id.in_(mine))
    return conditions


def _holds(connection: sa.Connection, word: str) -> sa.ColumnElement[bool]:
    """Return the condition that a word stands in the names or in a tag, letter for letter: LIKE has signs with a
    meaning, and a limit.
    """
    place = sa.func.instr if connection.dialect.name == "sqlite" else sa.func.strpos
    literal = sa.literal(word, StoredText)
    return sa.or_(place(COMPARISON.c.words, literal) > 0, _tagged(place(TAG.c.words, literal) > 0))


def _tagged(condition: sa.ColumnElement[bool]) -> sa.ColumnElement[bool]:
    return sa.exists().where(TAG.c.comparison == COMPARISON.c.id, condition).correlate(COMPARISON)


def _order(connection: sa.Connection, search: Search) -> list[sa.ColumnElement[Any]]:
    """Return the order of a search; among equals the last changed comes first. Names sort by their signs on every
    database.
    """
    column = SORTS[search.sort]
    if search.sort == "name":
        column = sa.collate(column, "BINARY" if connection.dialect.name == "sqlite" else "C")
    by = column.desc() if search.descending else column.asc()
    # Indexes hold no order of nulls, so columns that always have a value are sorted without it.
    first = by if search.sort in ("changed", "created") else by.nulls_last()
    return [first, COMPARISON.c.changed.desc(), COMPARISON.c.id]


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
    entries = recorded(connection, *only, most=most)
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


# --- comparisons side by side: pure functions of frozen records ---


Floats = npt.NDArray[np.float64]
Aspect = Literal["queries", "weights", "judgments", "convention", "cutoff", "policy"]

#: Weights are shares of their sum; shares that differ by less are equal but for rounding.
_SAME_SHARE = 1e-12
_NAMED_APART = ("convention", "cutoff")
#: What is measured where there are only votes.
_VOTES = "ΔGSB"


@dataclass(frozen=True)
class Comparand:
    """One comparison as it stands beside others.

    ``baseline`` and ``candidate`` are the content digests of the lists of A and B as they were compared; "" where there
    are only votes. ``query_ids`` (q,) are the judged queries, those with votes where there are only votes. ``weights``
    (q,) is None where queries are not weighted. ``pool`` is None where there are only votes, whose measure is ΔGSB.
    ``p`` is the two-sided p-value of ``delta``.
    """

    id: str
    at: datetime
    baseline: str
    candidate: str
    query_ids: pa.Array
    weights: Floats | None
    pool: Pool | None
    convention: Mapping[str, Any]
    policy: Policy
    measure: str
    n: int
    delta: float | None
    lower: float | None
    upper: float | None
    p: float | None


@dataclass(frozen=True)
class Difference:
    """One thing in which a comparison differs from the reference: in how many queries, grades, axes or fields."""

    aspect: Aspect
    count: int
    sentence: str


@dataclass(frozen=True)
class Tried:
    """One candidate among the others that were tried against the same baseline.

    ``holm_p`` is None where there is no p-value. ``tried`` counts the tests of the family, those without a p-value too.
    """

    id: str
    p: float | None
    holm_p: float | None
    tried: int


def entry_of(saved: Saved, comparison: Comparison | VotesAlone) -> Comparand:
    """Return a saved comparison as it is put beside others; ``comparison`` is what ``comparison_of`` made of it."""
    if isinstance(comparison, VotesAlone):
        gsb = comparison.votes.gsb
        ids = arrow.from_strings(sorted(set(comparison.vote_rows.table.column("query_id").to_pylist())))
        ends = gsb.ci95 or (None, None)
        numbers = (gsb.good + gsb.same + gsb.bad, gsb.delta, *ends, gsb.p)
        return Comparand(saved.id, saved.changed, "", "", ids, None, None, {}, comparison.policy, _VOTES, *numbers)
    paired, scored = comparison.primary.paired, comparison.scored
    numbers = (paired.n, paired.delta, paired.lower95, paired.upper95, paired.t_p)
    axes = comparison.convention.spelled_out()
    data = (scored.query_ids, comparison.facts.weights, comparison.joined.pool, axes, comparison.policy)
    a, b = content_digest(comparison.a), content_digest(comparison.b)
    return Comparand(saved.id, saved.changed, a, b, *data, comparison.primary.measure, *numbers)


def differences(entry: Comparand, reference: Comparand) -> tuple[Difference, ...]:
    """Return everything in which a comparison differs from the reference; nothing where the two are comparable."""
    return tuple(
        Difference(aspect, n, sentence)
        for aspect, differ in _ASPECTS.items()
        for n, sentence in differ(entry, reference)
    )


def comparable(entries: Iterable[Comparand], reference: Comparand) -> tuple[Comparand, ...]:
    """Return those that are comparable with the reference, in the order given."""
    return tuple(entry for entry in entries if not differences(entry, reference))


def trend(entries: Iterable[Comparand], reference: Comparand) -> tuple[Comparand, ...]:
    """Return the points of a line over time: comparable ones with a value, oldest first; nothing where there are fewer
    than 2.

    A comparison that was chosen twice gives one point.
    """
    chosen = {entry.id: entry for entry in entries if entry.delta is not None}
    points = sorted(comparable(chosen.values(), reference), key=lambda entry: (entry.at, entry.id))
    return tuple(points) if len(points) > 1 else ()


def tried(entries: Iterable[Comparand]) -> tuple[Tried, ...]:
    """Return Holm's adjusted p-value of each candidate among all that were given with the same baseline, in the order
    given.

    The same candidate on the same data under the same policy is one test, however often it was chosen.
    """
    given = list(entries)
    adjusted: dict[str, Tried] = {}
    for family in _grouped(given, _have_one_baseline):
        tests = _grouped(family, _are_one_test)
        p_values = [test[0].p for test in tests]
        for test, p in zip(tests, holm([np.nan if p is None else p for p in p_values]), strict=True):
            for entry in test:
                adjusted[entry.id] = Tried(entry.id, entry.p, None if np.isnan(p) else float(p), len(tests))
    return tuple(adjusted[entry.id] for entry in given)


def _grouped(entries: Iterable[Comparand], are_alike: Callable[[Comparand, Comparand], bool]) -> list[list[Comparand]]:
    """Return entries in groups, of which each is like another one of its group."""
    groups: list[list[Comparand]] = []
    for entry in entries:
        own = [group for group in groups if any(are_alike(entry, other) for other in group)]
        groups = [group for group in groups if group not in own] + [[*chain.from_iterable(own), entry]]
    return groups


def _have_one_baseline(entry: Comparand, other: Comparand) -> bool:
    return entry.id == other.id or entry.baseline == other.baseline != ""


def _are_one_test(entry: Comparand, other: Comparand) -> bool:
    same = entry.candidate == other.candidate != ""
    return (entry.id == other.id or same) and not differences(entry, other)


# --- the aspects: each returns at most one (count, sentence) ---------------------------------------------------------

_Findings = Sequence[tuple[int, str]]


def _queries(entry: Comparand, reference: Comparand) -> _Findings:
    both = int((_places(entry, reference) >= 0).sum())
    more, fewer = len(entry.query_ids) - both, len(reference.query_ids) - both
    return _if_any(
        more + fewer,
        f"Queries: {count(more)} only here, {count(fewer)} only in the reference, {count(both)} in both.",
    )


def _weights(entry: Comparand, reference: Comparand) -> _Findings:
    """Compare weights over the queries that both have: what each of these weighs among them."""
    if entry.weights is None and reference.weights is None:
        return ()
    places = _places(entry, reference)
    here = np.flatnonzero(places >= 0)
    shares = [_shares(entry.weights, here), _shares(reference.weights, places[here])]
    differ = int((np.abs(shares[0] - shares[1]) > _SAME_SHARE).sum())
    return _if_any(differ, f"Weights: {count(differ, 'query weighs', 'queries weigh')} more or less than there.")


def _shares(weights: Floats | None, at: npt.NDArray[np.int64]) -> Floats:
    taken = np.ones(len(at)) if weights is None else weights[at]
    total = taken.sum()
    shares: Floats = taken / total if total else taken
    return shares


def _judgments(entry: Comparand, reference: Comparand) -> _Findings:
    """Compare grades on the queries that both have; the first of several grades for one document counts."""
    if _VOTES in (entry.measure, reference.measure):
        return _if_any(int(entry.measure != reference.measure), "Judgments: one of the two has only votes.")
    if entry.pool is None or reference.pool is None:
        return ()
    regraded, more, fewer = _grade_differences(entry.pool, reference.pool)
    return _if_any(
        regraded + more + fewer,
        f"Judgments: {count(regraded, 'grade differs', 'grades differ')}, {count(more)} only here, "
        f"{count(fewer)} only in the reference.",
    )


def _grade_differences(pool: Pool, other: Pool) -> tuple[int, int, int]:
    """Return how many grades differ on the queries that both judge, how many only ``pool`` has, and how many only
    ``other``.
    """
    places = arrow.positions(pool.query_ids, other.query_ids)
    rows = np.flatnonzero(places[pool.query] >= 0)
    text = pool.index.text
    prints = pair_prints(fingerprints(text, pool.row[rows]), places[pool.query[rows]])
    matches = other.index.find(prints, text, pool.row[rows])
    both = matches >= 0
    regraded = int((pool.relevance[rows[both]] != other.relevance[matches[both]]).sum())
    shared = np.zeros(other.queries, bool)
    shared[places[places >= 0]] = True
    met = int(both.sum())
    return regraded, len(rows) - met, int(shared[other.query].sum()) - met


def _convention(entry: Comparand, reference: Comparand) -> _Findings:
    both = entry.convention and reference.convention  # votes have none
    return _fields("Convention", entry.convention, reference.convention) if both else ()


def _cutoff(entry: Comparand, reference: Comparand) -> _Findings:
    here, there = entry.policy.cutoff, reference.policy.cutoff
    return _if_any(int(here != there), f"Cutoff: {here}, not {there}.")


def _policy(entry: Comparand, reference: Comparand) -> _Findings:
    here, there = (
        {_label(name): value for name, value in comparand.policy.to_dict().items() if name not in _NAMED_APART}
        for comparand in (entry, reference)
    )
    return _fields("Policy", here, there)


def _label(name: str) -> str:
    """Return what people call a field of a policy, inside of a sentence."""
    label = FIELDS[name].label if name in FIELDS else name
    return label[0].lower() + label[1:] if label[0].isascii() else label


def _fields(what: str, here: Mapping[str, Any], there: Mapping[str, Any]) -> _Findings:
    names = [name for name in {**here, **there} if here.get(name) != there.get(name)]
    values = "; ".join(f"{name} {_said(here.get(name))}, not {_said(there.get(name))}" for name in names)
    return _if_any(len(names), f"{what}: {values}.")


def _said(value: Any) -> str:
    """Return a value of a policy or convention in a sentence."""
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return number(value)
    if isinstance(value, Mapping):
        return ", ".join(f"{name}={_said(part)}" for name, part in value.items())
    if isinstance(value, (list, tuple)):
        return ", ".join(
            " ".join(map(_said, item)) if isinstance(item, (list, tuple)) else _said(item) for item in value
        )
    return "none" if value in (None, "") else str(value)


def _places(entry: Comparand, reference: Comparand) -> npt.NDArray[np.int64]:
    """Return where each query stands in the reference, (q,); -1 where it does not."""
    return arrow.positions(entry.query_ids, reference.query_ids)


def _if_any(n: int, sentence: str) -> _Findings:
    return ((n, sentence),) if n else ()


_ASPECTS: Mapping[Aspect, Callable[[Comparand, Comparand], _Findings]] = {
    "queries": _queries,
    "weights": _weights,
    "judgments": _judgments,
    "convention": _convention,
    "cutoff": _cutoff,
    "policy": _policy,
}
