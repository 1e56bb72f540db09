"""The rows of a comparison, of its revisions and of its steps: read, written and copied.

The history is a tree of steps: what was undone is kept, and a revision names the last of its steps.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any

import sqlalchemy as sa

from rankdash.case import Case, given_name, title
from rankdash.edits import EditStep, History
from rankdash.policy import PolicyError
from rankdash.store import words
from rankdash.store.database.schema import COMPARISON, INPUT, REVISION, STEP, new_id, now
from rankdash.store.errors import StoreError
from rankdash.store.journal import results
from rankdash.store.journal.entry_checks import folded
from rankdash.store.journal.listing import note_opened
from rankdash.store.records import Input, Saved, State, case_digest, step_from_dict, step_to_dict
from rankdash.wording import literal, short

_ID = re.compile(r"[0-9a-f]{32}")
#: How an id that somebody types may begin, its least length, and how many ids with the same beginning are named.
_BEGINNING, _LEAST, _MOST_TOLD = re.compile(r"[0-9a-f]{1,31}"), 4, 5
#: Letters of a name in a sentence.
_NAME = 40


def comparison_row(connection: sa.Connection, id: str, deleted: bool = False) -> Any:
    """Return the row of a comparison. StoreError where it is unknown, or deleted and ``deleted`` is False."""
    row = None
    if _ID.fullmatch(id):
        row = connection.execute(sa.select(COMPARISON).where(COMPARISON.c.id == id)).one_or_none()
    if row is None:
        raise StoreError((words.ERASED if deleted else words.UNKNOWN).format(id=id))
    if row.deleted is not None and not deleted:
        raise StoreError(words.DELETED.format(id=id, when=row.deleted.strftime(" on %Y-%m-%d at %H:%M UTC")))
    return row


def id_beginning(connection: sa.Connection, text: str) -> str:
    """Return the id of the comparison, not deleted, whose id begins with a text; the text itself where there is none.
    StoreError where it begins several, which the error names, and where it is too short.
    """
    begin = text.lower()
    if not _BEGINNING.fullmatch(begin):
        return text
    if len(begin) < _LEAST:
        raise StoreError(words.TOO_SHORT.format(id=text, least=_LEAST))
    kept = COMPARISON.c.id.startswith(begin) & COMPARISON.c.deleted.is_(None)
    rows = connection.execute(sa.select(COMPARISON).where(kept).order_by(COMPARISON.c.changed.desc())).all()
    if len(rows) > 1:
        some = [words.CANDIDATE.format(id=row.id, name=_called(row)) for row in rows[:_MOST_TOLD]]
        some += [words.FURTHER.format(n=len(rows) - _MOST_TOLD)] if len(rows) > _MOST_TOLD else []
        raise StoreError(words.AMBIGUOUS.format(n=len(rows), id=text, some=", ".join(some)))
    return str(rows[0].id) if rows else text


def _called(row: Any) -> str:
    return short(literal(title(row.name, row.model_a, row.model_b)), _NAME)


def change(connection: sa.Connection, id: str, **values: Any) -> None:
    """Write other values into the row of a comparison."""
    connection.execute(sa.update(COMPARISON).where(COMPARISON.c.id == id).values(**values))


def shown(names: Mapping[str, str], swapped: bool, at: datetime) -> dict[str, Any]:
    """Return what lists show of a state, in the orientation in which it is shown."""
    a, b = names["a"], names["b"]
    name = title(given_name(names["name"], a, b), *((b, a) if swapped else (a, b)))
    a, b = (b, a) if swapped else (a, b)
    return {"changed": at, "name": name, "model_a": a, "model_b": b, "words": folded(name, a, b)}


def state_and_case(connection: sa.Connection, id: str, number: int) -> tuple[dict[str, Any], str]:
    """Return what a revision says, as it is stored, and the digest of its case."""
    of_revision = (REVISION.c.comparison == id, REVISION.c.number == number)
    state, case = connection.execute(sa.select(REVISION.c.state, REVISION.c.case).where(*of_revision)).one()
    return state, case


def state_of_row(values: Mapping[str, Any], history: History) -> State:
    """Return the state of a revision. StoreError where the policy has a field that this version does not know."""
    try:
        return State.from_dict(values, history)
    except PolicyError as error:
        raise StoreError(words.UNREADABLE_POLICY.format(problems=" ".join(error.problems))) from error


def next_case(saved: Saved, inputs: Sequence[Input], content: Case, state: State) -> str:
    """Return the case of a newer revision; that of ``saved`` where only names were changed, whatever it is: an
    older version may have made the digest in another way, or none.
    """
    before, after = case_digest(saved.inputs, saved.content, saved.state), case_digest(inputs, content, state)
    return saved.case if before == after else after


def write_revision(connection: sa.Connection, saved: Saved, what: str, browser: str) -> None:
    """Write the row of a revision as it is saved."""
    of_history = {"tip": saved.steps[-1] if saved.steps else None, "position": saved.state.history.position}
    state = saved.state.to_dict() | of_history | {"inputs": {input.role: input.id for input in saved.inputs}}
    add_revision(connection, saved.id, saved.number, saved.changed, what, browser, state, saved.case)


def add_revision(
    connection: sa.Connection,
    comparison: str,
    number: int,
    at: datetime,
    what: str,
    browser: str,
    state: Mapping[str, Any],
    case: str,
) -> None:
    """Write the row of a revision by its columns."""
    row = {"comparison": comparison, "number": number, "at": at, "browser": browser, "what": what}
    connection.execute(sa.insert(REVISION), row | {"state": state, "case": case})


def chain(connection: sa.Connection, comparison: str, tip: str | None) -> tuple[tuple[str, ...], tuple[EditStep, ...]]:
    """Return the ids and the steps up to a tip, oldest first."""
    if tip is None:
        return (), ()
    query = sa.select(STEP.c.id, STEP.c.previous, STEP.c.body).where(STEP.c.comparison == comparison)
    rows = {row.id: row for row in connection.execute(query)}
    rows_of_chain = []
    at: str | None = tip
    while at is not None:
        rows_of_chain.append(rows.pop(at))  # each step once, or the rows make no sense
        at = rows_of_chain[-1].previous
    rows_of_chain.reverse()
    return tuple(row.id for row in rows_of_chain), tuple(step_from_dict(row.body) for row in rows_of_chain)


def add_steps(
    connection: sa.Connection, comparison: str, kept: Sequence[str], new: Iterable[EditStep]
) -> tuple[str, ...]:
    """Write the rows of new steps. Return the ids of the history: those of the steps that are kept, and theirs."""
    ids = list(kept)
    rows: list[dict[str, Any]] = []
    for step in new:
        previous = ids[-1] if ids else None
        ids.append(new_id())
        rows.append({"id": ids[-1], "comparison": comparison, "previous": previous, "body": step_to_dict(step)})
    if rows:
        connection.execute(sa.insert(STEP), rows)
    return tuple(ids)


def copied(connection: sa.Connection, row: Any, name: str | None, browser: str) -> str:
    """Return the id of the copy of the comparison with a row. The caller holds the lock of the files."""
    comparison, at = new_id(), now()
    state, case = state_and_case(connection, row.id, row.head)
    if name is not None:
        state["names"]["name"] = name
    own = {"id": comparison, "lineage": row.lineage, "head": 1, "created": at, "archived": False, "browser": browser}
    connection.execute(sa.insert(COMPARISON), own | shown(state["names"], state["swapped"], at))
    for role, old in state["inputs"].items():
        table = connection.execute(sa.select(INPUT).where(INPUT.c.id == old)).one()
        state["inputs"][role] = new_id()
        own_row = {"id": state["inputs"][role], "comparison": comparison}
        connection.execute(sa.insert(INPUT), dict(table._mapping) | own_row)
    ids = add_steps(connection, comparison, (), chain(connection, row.id, state["tip"])[1])
    state["tip"] = ids[-1] if ids else None
    add_revision(connection, comparison, 1, at, "duplicated", browser, state, case)
    results.copy(connection, row.id, case, comparison)
    if browser:
        note_opened(connection, comparison, browser)
    return comparison
