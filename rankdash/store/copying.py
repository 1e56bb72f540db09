"""A comparison copied: rows of its own, the same files and results, and the lineage of the first."""

from __future__ import annotations

from typing import Any

import sqlalchemy as sa

from rankdash.store import steps
from rankdash.store.database.schema import COMPARISON, INPUT, REVISION, SEEN, new_id, now
from rankdash.store.journal import results
from rankdash.store.journal.writing import folded


def copied(connection: sa.Connection, row: Any, name: str | None, browser: str) -> str:
    """The id of the copy of the comparison with a row. The caller holds the lock of the files."""
    comparison, at = new_id(), now()
    head = (REVISION.c.comparison == row.id) & (REVISION.c.number == row.head)
    state, case = connection.execute(sa.select(REVISION.c.state, REVISION.c.case).where(head)).one()
    state["names"]["name"] = state["names"]["name"] if name is None else name
    own = {"id": comparison, "head": 1, "created": at, "changed": at, "archived": False, "browser": browser}
    name = state["names"]["name"]
    own |= {"lineage": row.lineage, "name": name, "model_a": row.model_a, "model_b": row.model_b}
    own |= {"words": folded(name, row.model_a, row.model_b)}
    connection.execute(sa.insert(COMPARISON), own)
    for role, old in state["inputs"].items():
        table = connection.execute(sa.select(INPUT).where(INPUT.c.id == old)).one()
        own_row = {"id": new_id(), "comparison": comparison}
        connection.execute(sa.insert(INPUT), dict(table._mapping) | own_row)
        state["inputs"][role] = own_row["id"]
    ids = steps.added(connection, comparison, (), steps.chain(connection, row.id, state["tip"])[1])
    state["tip"] = ids[-1] if ids else None
    what = {"number": 1, "at": at, "browser": browser, "what": "duplicated"}
    connection.execute(sa.insert(REVISION), what | {"comparison": comparison, "state": state, "case": case})
    results.copy(connection, row.id, case, comparison)
    if browser:
        connection.execute(sa.insert(SEEN), {"browser": browser, "comparison": comparison, "at": at})
    return comparison
