"""The doors: every way in which something of 1 MB reaches rankdash, and what is done with it there.

Whoever enters returns what was said of the input: "read", or why it was refused.
"""

from __future__ import annotations

import io
import json
import tempfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cache, partial
from pathlib import Path
from typing import Any

import sqlalchemy as sa

import rankdash as rd
from rankdash.case import Case
from rankdash.cli import MISTAKES
from rankdash.edits import Edit, labels_from
from rankdash.policy import beginning
from rankdash.reading.typed import Typed, TypedError, read_typed
from rankdash.sandbox import processes
from rankdash.scoring import compare_votes
from rankdash.store import Decided, Settings, State, Store, StoreError, comparison_of
from rankdash.tables import Judgments, Queries, Run, Votes
from tests.doors import inputs
from tests.intake.test_intake import given

A, B = (b"query_id,doc_id,rank\n" + b"".join(b"q,%c%d,%d\n" % (side, i, i) for i in (1, 2, 3)) for side in b"ab")
GRADES = b"query_id,doc_id,relevance\nq,a1,1\nq,b1,2\n"
REFUSED = (*MISTAKES, TypedError, StoreError)


@dataclass(frozen=True)
class Door:
    """Inputs by name, and what is done with them: ``prepare`` takes a name and what makes the input, and returns what
    is done.
    """

    prepare: Callable[[str, Any], Callable[[], str]]
    inputs: Mapping[str, Callable[..., Any]]

    @classmethod
    def of(cls, enter: Callable[[str, bytes], str], some: Mapping[str, inputs.Make]) -> Door:
        """Return a door that takes the bytes of an input."""
        return cls(lambda name, make: partial(enter, name, make()), some)


@cache
def opened() -> Case:
    """What is open where something is put on it."""
    return Case((rd.read_run(A, name="a"), rd.read_run(B, name="b")), rd.read_judgments(GRADES))


def judged(content: Case, state: State | None = None) -> None:
    """Compute the verdict, as a page does that shows it."""
    rd.decide(comparison_of(content, state or State("x")))


#: Where a table that was read belongs in a comparison.
_ROLES: Mapping[type, str] = {Judgments: "judgments", Queries: "queries", Votes: "votes"}


def _file(name: str, content: bytes, kind: str = "") -> Any:
    """Return the table of a file that was dropped, looked at and read; raise why there is none."""
    file = given(name if "." in name else f"{name}.csv", content)
    found = processes.look(file)
    if found.error is not None:
        raise found.error
    if not kind and found.kind in ("", "numbers"):
        raise rd.ReadError(())
    read = processes.read(file, kind or found.kind, form=found.form if found.kind == (kind or found.kind) else None)
    if read.error is not None:
        raise read.error
    return read.table


def _upload(name: str, content: bytes) -> str:
    table = _file(name, content)
    own = opened()
    if isinstance(table, Run):
        judged(replace(own, runs=(table, own.b)))
    elif type(table) in _ROLES:
        judged(replace(own, **{_ROLES[type(table)]: table}))
    return "read"


def _vote_file(name: str, content: bytes) -> str:
    votes = _file(name, content, "votes")
    judged(replace(opened(), votes=votes))
    rd.decide(compare_votes(votes))
    return "read"


def _labels(name: str, content: bytes) -> str:
    table = _file(name, content, "judgments")
    edits = labels_from(table, comparison_of(opened(), State("x")))  # type: ignore[arg-type]
    judged(opened(), State("x", edits=tuple(edits)))
    return "read"


def _typed(fields: tuple[tuple[str, ...], ...], name: str, content: bytes) -> str:
    text, said = content.decode(), []
    for texts in fields:
        try:
            said.append(_compared(read_typed([text if field == "it" else field for field in texts])))
        except REFUSED as error:
            said.append(str(error))
    return "read" if "read" in said else "\n".join(said)


def _compared(found: Typed | Votes) -> str:
    if isinstance(found, Votes):
        rd.decide(compare_votes(found))
    elif found.b is not None:
        judged(Case((found.a, found.b), found.judgments, votes=found.votes))
    return "read"


def _policy(name: str, content: bytes) -> str:
    try:
        policy = rd.Policy.from_toml(beginning(io.BytesIO(content)))
    except UnicodeDecodeError as error:
        return str(error)
    judged(opened(), State("x", policy=policy))
    return "read"


def _stored(name: str, make: inputs.MakeStored) -> Callable[[], str]:
    """Save a comparison, exchange what one of its rows holds, and return what opens, lists and logs it."""
    where, column = name.split(":")[0].split(".")
    folder = tempfile.TemporaryDirectory()
    store = Store.open(Settings(Path(folder.name) / "home"))
    edits = (Edit("q", "a1", "grade", None, 1, 2),)
    saved = store.create(opened(), State("x", "a", "b", edits=edits))
    comparison = comparison_of(saved.content, saved.state)
    result = store.seen(saved, comparison, rd.decide(comparison))
    store.decide(saved.id, Decided("launch", "me", "because"), result)
    with store.database.writing() as connection:
        row, own = connection.execute(sa.text(f"SELECT rowid, {column} FROM {where} LIMIT 1")).one()
        change = sa.text(f"UPDATE {where} SET {column} = :text WHERE rowid = :row")
        connection.execute(change, {"text": make(json.loads(own)), "row": row})
    return lambda: _shown(Store(store.database, store.files), saved.id, folder)


def _shown(store: Store, id: str, folder: tempfile.TemporaryDirectory[str]) -> str:
    """What a browser asks for of a saved comparison."""
    said = []
    asked: tuple[Callable[[], object], ...] = (
        store.listed, store.launch_log,
        lambda: store.results(id), lambda: store.decisions(id), lambda: store.duplicate(id),
        lambda: _loaded(store, id),
    )  # fmt: skip
    for ask in asked:
        try:
            ask()
        except REFUSED as error:
            said.append(str(error))
    store.database.close()
    folder.cleanup()
    return "\n".join(said) or "read"


def _loaded(store: Store, id: str) -> None:
    saved = store.load(id)
    comparison = comparison_of(saved.content, saved.state)
    store.seen(saved, comparison, rd.decide(comparison))


_STORED = {
    f"{table}.{column}: {name}": make for (table, column), some in inputs.STORED.items() for name, make in some.items()
}
#: The fields of typed lists, where votes alone are typed.
_VOTES = ("", "", "", "it")
DOORS: Mapping[str, Door] = {
    "upload": Door.of(_upload, inputs.UPLOADS),
    "typed lists": Door.of(partial(_typed, (("it", "3 2\n", "", ""), _VOTES)), inputs.TYPED),
    "pasted votes": Door.of(partial(_typed, (_VOTES,)), inputs.PASTED),
    "votes file": Door.of(_vote_file, inputs.VOTE_FILES),
    "labels": Door.of(_labels, inputs.LABEL_FILES),
    "policy on the page": Door.of(_policy, inputs.TOML),
    "stored JSON": Door(_stored, _STORED),
}
