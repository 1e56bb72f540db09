"""What is done to a comparison is interrupted at each of its file and database calls in turn.

After each interruption a store is opened anew: the comparison is wholly as it was before or as it is afterwards, the
one beside it is untouched, the same done again succeeds, and no file is left that no comparison uses.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import count
from pathlib import Path
from typing import Any

import sqlalchemy as sa

import rankdash as rd
from benchmarks.store.points import KILLED, failing
from rankdash.case import Case
from rankdash.edits import Edit
from rankdash.store import Decided, RecordedVerdict, Settings, State, Store, StoreError, comparison_of, comparisons
from rankdash.store.comparisons import KEPT
from rankdash.store.database import BLOB, COMPARISON, INPUT, new_id

#: The name of a comparison to which nothing is done.
BESIDE = "beside"
EDIT = Edit("q1", "d3", "grade", None, None, 1.0)
#: Verdicts by what they are made of: none is computed twice.
_VERDICTS: dict[str, tuple[Any, Any]] = {}
#: A store that is told its comparison and the name that this shall have.
Operation = Callable[[Store, str, str], object]


def _edit(store: Store, id: str, _: str) -> None:
    saved = store.load(id)
    store.save(saved, replace(saved.state, edits=(*saved.state.edits, EDIT)))


def _replace(store: Store, id: str, _: str) -> None:
    saved = store.load(id)
    state = replace(saved.state, b="newer")
    store.replace(saved, saved.content.with_tables(b=_run(3.0, "newer")), state)


def _see(store: Store, id: str, _: str) -> RecordedVerdict:
    saved = store.load(id)
    if saved.case not in _VERDICTS:
        comparison = comparison_of(saved.content, saved.state)
        _VERDICTS[saved.case] = comparison, rd.decide(comparison)
    return store.seen(saved, *_VERDICTS[saved.case])


def _decide(store: Store, id: str, _: str) -> None:
    store.decide(id, Decided("postponed", "Kim", "later"), store.results(id)[0])


#: What is interrupted.
OPERATIONS: dict[str, Operation] = {
    "save": lambda store, _, name: _create(store, name),
    "edit": _edit,
    "replacement": _replace,
    "verdict": _see,
    "decision": _decide,
    "deletion": lambda store, id, _: store.delete(id),
    "erasure": lambda store, *_: store.expire(KEPT * 0),
}


@dataclass(frozen=True)
class Interrupted:
    """How many points an operation has at which a fault was tried, and what was wrong afterwards."""

    points: int
    wrong: tuple[str, ...]


def interrupted(settings: Settings, operation: str, fault: str, step: int = 1) -> Interrupted:
    """An operation interrupted by a fault at each of its calls in turn, or at every ``step``-th."""
    store = opened(settings)
    if not _ids(store, BESIDE):
        _prepared(store, "edit", BESIDE)
    kept = shown(store, BESIDE)
    after, wrong = _uninterrupted(store, operation), []
    for at in count(step=step):
        name = f"{operation} {fault} {at} {new_id()}"
        call, found = _tried(settings, operation, name, at, fault, after)
        if shown(opened(settings), BESIDE) != kept:
            found.append("another comparison is not what it was")
        wrong += [f"{operation}, {fault} at {at} ({call}): {one}" for one in found]
        if not call:
            return Interrupted(at, tuple(wrong))
    raise AssertionError


def opened(settings: Settings) -> Store:
    """A store as a new process has it; what may be swept by age is old enough."""
    for path in _files(settings):
        os.utime(path, (time.time() - 2 * KEPT.total_seconds(),) * 2)
    if known := comparisons._OPENED.pop(settings, None):
        known.database.close()
    return Store.open(settings)


def shown(store: Store, name: str) -> Any:
    """Everything that is shown of the comparison of a name, save times and ids; of a deleted one, what comes back."""
    lines = [(one.is_in_force, one.decision) for one in store.logged() if one.decision.subject.name == name]
    log = [(is_in_force, one.choice, one.by, one.revision, one.since) for is_in_force, one in lines]
    listed = [row for row in store.listed().rows if row.name == name]
    rows = [(row.a, row.b, row.outcome, row.delta, row.since, row.choice) for row in listed]
    return {"log": log, "rows": rows, "comparisons": [_opened(store, id) for id in _ids(store, name)]}


def unused(store: Store, settings: Settings) -> list[str]:
    """Files beside those that comparisons use, those that they miss, and rows of files without use."""
    with store.database.reading() as connection:
        used = set(connection.scalars(sa.select(INPUT.c.digest)))
        named = set(connection.scalars(sa.select(BLOB.c.sha256)))
    there = {path.name for path in _files(settings)}
    return sorted(f"file {name}" for name in there ^ {f"{one}.arrow" for one in used}) + sorted(
        f"row {one}" for one in named ^ used
    )


def _tried(settings: Settings, operation: str, name: str, at: int, fault: str, after: Any) -> tuple[str, list[str]]:
    """The call that was interrupted, "" where there is none with this number, and what was wrong afterwards."""
    store = opened(settings)
    id = _prepared(store, operation, name)
    before = shown(store, name)
    call, told, is_done = (_killed if fault == KILLED else _answered)(settings, operation, id, name, at, fault)
    store, wrong = opened(settings), [told] if told else []
    found = shown(store, name)
    store.clean()
    if found not in ((after,) if is_done else (before, after)):
        wrong.append(f"shown is {found}, which is neither {before} nor {after}")
    wrong += [f"{one} is left when all is cleaned" for one in unused(store, settings)]
    try:
        if found != after:
            OPERATIONS[operation](store, id, name)
        if shown(opened(settings), name) != after:
            wrong.append("done again, it is not what it should be")
        _erased(store, name)
    except StoreError as error:
        wrong.append(f"done again: {error}")
    wrong += [f"{one} is left at the end" for one in unused(store, settings)]
    return call, wrong


def _answered(settings: Settings, operation: str, id: str, name: str, at: int, fault: str) -> tuple[str, str, bool]:
    """The call that was answered with an error, what was told wrongly, and whether it is said to be done."""
    store = opened(settings)
    with failing(store, str(settings.home), at, fault) as points:
        try:
            OPERATIONS[operation](store, id, name)
        except StoreError:
            return points.failed, "", False
        except Exception as error:  # noqa: BLE001 - whatever else is raised is wrong
            return points.failed, f"{type(error).__name__} is raised: {error}", False
    return points.failed, "", True


def _killed(settings: Settings, operation: str, id: str, name: str, at: int, fault: str) -> tuple[str, str, bool]:
    """The same, of a process of its own that is killed."""
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(["benchmarks.store.faults", "rankdash.reading.readers"])
    process = context.Process(target=_answered, args=(settings, operation, id, name, at, fault))
    process.start()
    process.join()
    is_killed = process.exitcode == -signal.SIGKILL
    wrong = "" if is_killed or process.exitcode == 0 else f"the process ended with {process.exitcode}"
    return "killed" if is_killed else "", wrong, not is_killed


def _uninterrupted(store: Store, operation: str) -> Any:
    """What is shown after an operation."""
    name = f"{operation} {new_id()}"
    id = _prepared(store, operation, name)
    OPERATIONS[operation](store, id, name)
    found = shown(store, name)
    _erased(store, name)
    return found


def _prepared(store: Store, operation: str, name: str) -> str:
    """The id of the comparison that an operation is done to: edited and decided on; "" where it makes
    one.
    """
    if operation == "save":
        return ""
    id = _create(store, name)
    _edit(store, id, name)
    for step in {"verdict": (), "decision": (_see,)}.get(operation, (_see, _decide)):
        step(store, id, name)
    if operation == "erasure":
        store.delete(id)
    return id


def _create(store: Store, name: str) -> str:
    """A comparison that shares two of its tables with the one beside, which has an A and so candidates of its own."""
    judgments = rd.read_judgments({"q1": {"d1": 1, "d2": 0}, "q2": {"d1": 2}})
    old = _run(1.5 if name == BESIDE else 2.0, "old")
    return store.create(Case((old, _run(0.0, "new")), judgments), State(name, "old", "new")).id


def _erased(store: Store, name: str) -> None:
    for id in _ids(store, name):
        with suppress(StoreError):
            store.delete(id)
    store.expire(KEPT * 0)


def _opened(store: Store, id: str) -> Any:
    """What a comparison holds: also of a deleted one, which comes back and is deleted again."""
    try:
        saved = store.load(id)
    except StoreError:
        try:
            store.undelete(id)
        except StoreError as error:
            return str(error)
        found = _opened(store, id)
        store.delete(id)
        return "deleted", found
    told = [(one.choice, one.revision, one.since) for one in store.decisions(id)]
    tables = {role: str(table.table.to_pylist()) for role, table in saved.content.tables.items()}
    return saved.number, replace(saved.state, name=""), tables, told, len(store.results(id))


def _ids(store: Store, name: str) -> list[str]:
    """The comparisons of a name, deleted ones too."""
    with store.database.reading() as connection:
        return list(connection.scalars(sa.select(COMPARISON.c.id).where(COMPARISON.c.name == name)))


def _run(score: float, name: str) -> rd.Run:
    return rd.read_run({"q1": {"d1": score, "d2": 1.0}, "q2": {"d1": 1.0, "d3": 0.5}}, name=name)


def _files(settings: Settings) -> list[Path]:
    return [path for path in (settings.home / "files").glob("*/*") if path.is_file()]
