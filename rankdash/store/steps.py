"""The history of a comparison as a tree of steps: what was undone is kept, and a state names the last of its steps."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import sqlalchemy as sa

from rankdash.edits import EditStep
from rankdash.store.database.schema import STEP, new_id
from rankdash.store.records import step_from_dict, step_to_dict


def chain(connection: sa.Connection, comparison: str, tip: str | None) -> tuple[tuple[str, ...], tuple[EditStep, ...]]:
    """Return the ids and the steps up to a tip, the first one first."""
    if tip is None:
        return (), ()
    asked = sa.select(STEP.c.id, STEP.c.previous, STEP.c.body).where(STEP.c.comparison == comparison)
    rows = {row.id: row for row in connection.execute(asked)}
    found = []
    at: str | None = tip
    while at is not None:
        found.append(rows.pop(at))  # each step once, or the rows make no sense
        at = found[-1].previous
    found.reverse()
    return tuple(row.id for row in found), tuple(step_from_dict(row.body) for row in found)


def common(first: Sequence[EditStep], second: Sequence[EditStep]) -> int:
    """Return how many steps two histories begin with in common."""
    pairs = enumerate(zip(first, second, strict=False))
    shorter = min(len(first), len(second))
    return next((i for i, (one, other) in pairs if one is not other and one != other), shorter)


def added(connection: sa.Connection, comparison: str, kept: Sequence[str], new: Iterable[EditStep]) -> tuple[str, ...]:
    """Return the ids of a history of steps that are kept and new ones, whose rows are written."""
    ids = list(kept)
    rows: list[dict[str, Any]] = []
    for step in new:
        previous = ids[-1] if ids else None
        ids.append(new_id())
        rows.append({"id": ids[-1], "comparison": comparison, "previous": previous, "body": step_to_dict(step)})
    if rows:
        connection.execute(sa.insert(STEP), rows)
    return tuple(ids)
