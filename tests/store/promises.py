"""What every store promises, wherever its database and its files lie; each promise is a function of an empty store."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import timedelta
from unittest import mock

import pytest

import rankdash as rd
from rankdash.case import Case
from rankdash.edits import Edit, History
from rankdash.store import (
    Clash,
    Saved,
    State,
    Store,
    StoreError,
    answered,
    questions,
    scored,
)

GRADE = Edit("q1", "d1", "grade", None, 1.0, 2.0)


def content() -> Case:
    """Two small runs and their judgments."""
    a = rd.read_run(b"q2 Q0 d1 1 2.5 m\nq2 Q0 d2 2 1.5 m\nq1 Q0 d1 1 9 m\n", name="old")
    return Case((a, rd.read_run({"q1": {"d2": 2.0, "d1": 1.0}}, name="new")), rd.read_judgments(b"q1 0 d1 1\n"))


def reopened(store: Store, saved: Saved) -> Saved:
    """The comparison as a new process reads it: the tables of this one are forgotten."""
    return Store(store.database, store.files).load(saved.id)


def files_of(store: Store) -> int:
    """How many files a store has."""
    return len(list(store.files.listed()))


def what_is_saved_is_opened(store: Store) -> None:
    """A comparison comes back with its tables, names, policy and edits."""
    state = State("B for A", "old", "new", True, rd.Policy(primary="AP"), History().done(GRADE).undone(), "a note")
    saved = store.create(content(), state, browser="b1")
    found = reopened(store, saved)
    assert found == replace(saved, content=found.content)
    assert found.content.a is not saved.content.a
    assert found.content == saved.content


def a_newer_head_shares_the_tables_that_did_not_change(store: Store) -> None:
    """`since` gives the same object where nothing is newer, and the same tables where only the state is."""
    saved = store.create(content(), State("x"))
    assert store.since(saved) is saved
    newer = store.save(saved, State("y"), what="renamed")
    found = store.since(saved)
    assert (found.number, found.state) == (newer.number, State("y")) == (2, State("y"))
    assert found.content.a is saved.content.a
    assert store.head(saved.id) == 2


def only_the_same_document_is_asked_about(store: Store) -> None:
    """Of two people at once, the later is asked where both changed one document; the rest is put together."""
    saved = store.create(content(), State("x"))
    store.save(saved, replace(saved.state, history=History().done(GRADE)), what="edited")
    other = replace(GRADE, doc_id="d2", before=None)
    both = store.save(saved, replace(saved.state, history=History().done(other), note="mine"), what="edited")
    assert both.state.history.edits == (GRADE, other)
    assert questions(both.state) == ()
    later = replace(GRADE, after=0.0)
    asked = store.save(saved, replace(saved.state, history=History().done(later)), what="edited")
    assert questions(asked.state) == (Clash("q1", "d1", (GRADE,), (later,)),)
    assert questions(reopened(store, saved).state) == questions(asked.state)
    assert [edit.after for edit in asked.state.history.edits if edit.doc_id == "d1"][-1] == 0.0
    history = answered(asked.state, questions(asked.state), later=False)
    settled = store.save(asked, replace(asked.state, history=history), what="answered")
    assert set(settled.state.history.edits) == {GRADE, other}
    assert questions(reopened(store, saved).state) == ()


def renaming_reads_no_table(store: Store) -> None:
    """A comparison gets another name where its files cannot be read, as a revision by which nobody else loses any."""
    saved = store.create(content(), State("x", "old", "new", True, history=History().done(GRADE)))
    edited = store.save(saved, replace(saved.state, note="y"), what="note")
    with mock.patch.object(store.files, "get", return_value=None):
        store.rename(saved.id, "summer")
    found = reopened(store, saved)
    assert (found.number, found.state) == (3, replace(edited.state, name="summer"))
    assert [(row.name, row.a, row.b) for row in store.listed().rows] == [("summer", "new", "old")]
    store.rename(saved.id, "summer")
    assert store.head(saved.id) == 3
    late = store.save(saved, replace(saved.state, history=saved.state.history.undone()), what="undone")
    assert (late.state.name, late.state.note, late.state.history.edits) == ("summer", "y", ())
    store.delete(saved.id)
    with pytest.raises(StoreError, match="deleted"):
        store.rename(saved.id, "autumn")


def deleting_erases_what_nothing_else_uses(store: Store) -> None:
    """A deleted comparison can be brought back until it is swept; files go with the last comparison that uses them."""
    saved = store.create(content(), State("x"))
    copy = store.duplicate(saved.id, name="y")
    assert (store.load(copy).lineage, store.load(copy).state.name) == (saved.id, "y")
    store.delete(saved.id)
    with pytest.raises(StoreError, match="was deleted"):
        store.load(saved.id)
    store.undelete(saved.id)
    store.delete(saved.id)
    assert store.expire() == 0
    assert store.expire(timedelta(0)) == 1
    assert reopened(store, store.load(copy)).content == saved.content
    store.delete(copy)
    store.expire(timedelta(0))
    assert files_of(store) == 0
    assert store.clean() == (0, 0)


def nothing_is_lost_among_several_writers(store: Store) -> None:
    """Four people edit documents of their own at once: every edit is in force in the end, each exactly once."""
    saved = store.create(content(), State("x"))
    everybody = [[Edit("q1", f"{who}-{i}", "grade", None, None, 1.0) for i in range(6)] for who in range(4)]

    def write(edits: list[Edit]) -> None:
        mine = saved
        for edit in edits:
            mine = store.save(mine, replace(mine.state, history=mine.state.history.done(edit)), what="edited")

    with ThreadPoolExecutor(4) as several:
        list(several.map(write, everybody))
    found = reopened(store, saved)
    assert sorted(edit.doc_id for edit in found.state.history.edits) == sorted(
        e.doc_id for one in everybody for e in one
    )
    assert found.number == 25


def values_are_kept_beside_a_large_comparison(store: Store) -> None:
    """Its per-query values are found again, those of an older state go, and all go with it."""
    saved = store.create(content(), State("x"))
    tables = files_of(store)
    with mock.patch.object(scored, "ROWS", 0):
        for state in (saved.state, replace(saved.state, swapped=True)):
            found = store.save(saved, state, what="swapped")
            assert store.scored(found) is None
            comparison = store.comparison(found)
            assert isinstance(comparison, rd.Comparison)
            store.keep_scored(found, comparison.scored)
            assert store.scored(reopened(store, found)) is not None
            assert files_of(store) == tables + 1
    store.delete(saved.id)
    store.expire(timedelta(0))
    assert files_of(store) == 0


PROMISES = (
    renaming_reads_no_table,
    values_are_kept_beside_a_large_comparison,
    what_is_saved_is_opened,
    a_newer_head_shares_the_tables_that_did_not_change,
    only_the_same_document_is_asked_about,
    deleting_erases_what_nothing_else_uses,
    nothing_is_lost_among_several_writers,
)
