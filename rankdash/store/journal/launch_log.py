"""The launch log: every decision with the verdict that it was made on and what the online test showed, as CSV."""

from __future__ import annotations

import io
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

import pyarrow as pa
import pyarrow.csv
import sqlalchemy as sa

from rankdash.store.database.schema import COMPARISON, DECISION, OUTCOME, SEEN
from rankdash.strings.formulas import for_spreadsheets

_TEXT, _NUMBER, _WHOLE = pa.string(), pa.float64(), pa.int64()
#: The columns, in order.
COLUMNS: Mapping[str, pa.DataType] = MappingProxyType(
    {
        "comparison": _TEXT,
        "name": _TEXT,
        "a": _TEXT,
        "b": _TEXT,
        "decided": _TEXT,
        "by": _TEXT,
        "choice": _TEXT,
        "in_force": _TEXT,
        "reason": _TEXT,
        "verdict": _TEXT,
        "sentence": _TEXT,
        "measure": _TEXT,
        "delta": _NUMBER,
        "lower": _NUMBER,
        "upper": _NUMBER,
        "n": _WHOLE,
        "looks": _WHOLE,
        "engine": _TEXT,
        "policy_version": _WHOLE,
        "online_metric": _TEXT,
        "online_delta": _NUMBER,
        "online_lower": _NUMBER,
        "online_upper": _NUMBER,
        "online_kind": _TEXT,
        "online_began": _TEXT,
        "online_ended": _TEXT,
        "online_note": _TEXT,
        "online_by": _TEXT,
    }
)
_OF_VERDICT = ("measure", "delta", "lower", "upper", "n", "looks", "engine", "policy_version")
_OF_ONLINE = ("metric", "delta", "lower", "upper", "kind", "began", "ended", "note", "by")


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
    lower: float | None
    upper: float | None


def launch_log(connection: sa.Connection, browser: str | None = None) -> bytes:
    """Every decision, oldest first, as UTF-8 CSV in which no cell is a formula. Deleted comparisons are left out.

    ``in_force`` is "yes" for the last decision of each comparison; of several online tests the newest is told. Given a
    ``browser``, only the comparisons that it opened.
    """
    rows = [_told(row, online) for row, online in _decided(connection, browser)]
    columns = [pa.array([row.get(name) for row in rows], kind) for name, kind in COLUMNS.items()]
    buffer = io.BytesIO()
    pyarrow.csv.write_csv(for_spreadsheets(pa.Table.from_arrays(columns, names=list(COLUMNS))), buffer)
    return buffer.getvalue()


def points(connection: sa.Connection, browser: str | None = None) -> tuple[Point, ...]:
    """The comparisons with a decision in force and both differences, in the order of the decisions."""
    found = []
    in_force = (DECISION.c.id == COMPARISON.c.decision, COMPARISON.c.id.in_(sa.select(OUTCOME.c.comparison)))
    for row, online in _decided(connection, browser, *in_force):
        verdict = row.verdict
        if online.delta is None or verdict.get("delta") is None:
            continue
        offline = (verdict["measure"], verdict["delta"])
        observed = (online.metric, online.delta, online.lower, online.upper)
        found.append(Point(row.comparison, row.name, row.choice, *offline, *observed))
    return tuple(found)


def _decided(connection: sa.Connection, browser: str | None, *only: sa.ColumnElement[bool]) -> list[tuple[Any, Any]]:
    """Every decision, oldest first, with the newest online test of its comparison; ``only``: those of which all of this
    is so.
    """
    joined = DECISION.join(COMPARISON, COMPARISON.c.id == DECISION.c.comparison)
    about = (COMPARISON.c.name, COMPARISON.c.model_a, COMPARISON.c.model_b, COMPARISON.c.decision)
    asked = sa.select(DECISION, *about).select_from(joined).where(COMPARISON.c.deleted.is_(None), *only)
    if browser is not None:
        asked = asked.where(COMPARISON.c.id.in_(sa.select(SEEN.c.comparison).where(SEEN.c.browser == browser)))
    newest = {row.comparison: row for row in connection.execute(sa.select(OUTCOME).order_by(OUTCOME.c.at))}
    rows = connection.execute(asked.order_by(DECISION.c.at, DECISION.c.id))
    return [(row, newest.get(row.comparison)) for row in rows]


def _told(row: Any, online: Any) -> dict[str, Any]:
    """One row of the file."""
    verdict = row.verdict
    told = {"comparison": row.comparison, "name": row.name, "a": row.model_a, "b": row.model_b}
    told |= {"decided": row.at.isoformat(timespec="seconds"), "by": row.by, "choice": row.choice}
    told |= {"in_force": "yes" if row.id == row.decision else "no", "reason": row.reason}
    told |= {"verdict": verdict.get("outcome"), "sentence": verdict.get("json", {}).get("sentence")}
    told |= {name: verdict.get(name) for name in _OF_VERDICT}
    if online is not None:
        told |= {f"online_{name}": getattr(online, name) for name in _OF_ONLINE}
    return told
