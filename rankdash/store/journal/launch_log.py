"""The launch log: every decision with what it was about and the verdict that it was made on, and what the online test
showed; as records and as CSV. It reads what was written with the decisions alone, so that nothing that is done to a
comparison later, its end included, changes a line; ``since`` says what was done.
"""

from __future__ import annotations

import io
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import partial
from operator import attrgetter
from types import MappingProxyType
from typing import Any

import pyarrow as pa
import pyarrow.csv
import sqlalchemy as sa

from rankdash.store.database.schema import DECISION, OUTCOME, SEEN
from rankdash.store.journal.decisions import Decision, recorded
from rankdash.store.journal.observations import Observation, Observed, beside, observations
from rankdash.store.journal.subjects import Subject
from rankdash.strings.formulas import for_spreadsheets


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
    both = logged(connection, browser, DECISION.c.comparison.in_(sa.select(OUTCOME.c.comparison)))
    return tuple(point for line in both if line.is_in_force and (point := _point(line)) is not None)


def _point(line: Logged) -> Point | None:
    """Return what a line says of both differences; None where either is missing."""
    decision, verdict = line.decision, line.decision.verdict
    seen = line.online
    if seen is None or verdict.get("delta") is None:
        return None
    about = (decision.comparison, decision.subject.name, decision.choice)
    return Point(*about, verdict["measure"], verdict["delta"], seen.metric, seen.delta)


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
    last = {decision.comparison: decision.id for decision in entries}
    tests: dict[str, list[Observation]] = {}
    for test in observations(connection) if entries else ():
        tests.setdefault(test.comparison, []).append(test)
    return tuple(
        Logged(
            decision,
            last[decision.comparison] == decision.id,
            _online(decision.subject, tests.get(decision.comparison, ())),
        )
        for decision in entries
    )


def _online(about: Subject, tests: Iterable[Observation]) -> Observed | None:
    """Return what the newest test showed that was about the same lists."""
    return next((observed for test in tests if (observed := beside(about, test)) is not None), None)


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
