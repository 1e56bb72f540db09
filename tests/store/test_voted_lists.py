"""Saved votes know the lists that they are on: replaced, confirmed, copied, merged, and saved by an older version."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
import sqlalchemy as sa

import rankdash as rd
from rankdash.case import Case
from rankdash.edits import Edit
from rankdash.store import Saved, Settings, State, Store
from rankdash.store.database.schema import INPUT
from tests.made import judgments, run

QUERIES = [f"q{q}" for q in range(12)]
LISTS = {query: ["x", "y", "z"] for query in QUERIES}
A, B = run(LISTS, "old"), run({query: ["z", "y", "x"] for query in QUERIES}, "new")
OTHER = run({query: ["y", "z", "x"] for query in QUERIES}, "newer")
GRADES = judgments({query: {"z": 1.0, "x": 0.0} for query in QUERIES})
VOTES = rd.read_votes(dict.fromkeys(QUERIES, "good"))
MOVE = Edit("q1", "z", "rank", "b", 1, 3)


@pytest.fixture
def store(tmp_path: Path) -> Store:
    """A store of its own."""
    return Store.open(Settings(on=True, home=tmp_path))


def saved(store: Store, votes: rd.Votes = VOTES) -> Saved:
    """A comparison with votes."""
    return store.create(Case((A, B), GRADES, votes=votes), State("x", "old", "new"))


def gsb(store: Store, found: Saved) -> tuple[int, int] | None:
    """Good and bad queries of the votes that count, as it is saved; None where none counts."""
    votes = store.comparison(store.load(found.id)).votes
    return None if votes is None else (votes.gsb.good, votes.gsb.bad)


def as_of_old(store: Store, found: Saved) -> Saved:
    """The same as an older version has saved it: without the lists of the votes."""
    with store.database.writing() as connection:
        for row in connection.execute(sa.select(INPUT).where(INPUT.c.comparison == found.id)).all():
            told = {name: value for name, value in row.description.items() if name not in ("about", "pair")}
            connection.execute(sa.update(INPUT).where(INPUT.c.id == row.id).values(description=told))
    store._inputs._open.clear()
    return store.load(found.id)


def test_votes_are_saved_with_the_lists_that_they_are_on(store: Store) -> None:
    """Names and content digests of both, and the names that the votes give them."""
    votes = rd.read_votes(b"query_id,model_a,model_b,vote\nq1,old,new,good\n", models=("old", "new"))
    found = saved(store, votes)
    store._inputs._open.clear()
    kept = store.load(found.id).content.votes
    assert kept is not None
    assert kept.about is not None
    assert [one.name for one in kept.about] == ["old", "new"]
    assert [one.digest for one in kept.about] == [found.digest("a"), found.digest("b")]
    assert kept.pair == ("old", "new")


def test_what_is_said_of_votes_makes_another_case(store: Store) -> None:
    """A result of votes that are set aside is not shown beside a revision that counts them, and after undo it is."""
    found = saved(store)
    other = store.replace(found, found.content.with_tables(b=OTHER), found.state)
    held = store.hold_votes(other)
    assert held.case != other.case
    undone = store.save(held, replace(held.state, history=held.state.history.undone()), what="undone")
    assert undone.case == other.case


def test_a_replaced_list_sets_the_votes_aside_until_somebody_says_that_they_hold(store: Store) -> None:
    """The votes are kept; the button of the API counts them; undo takes it back; the list of before restores them."""
    found = saved(store)
    other = store.replace(found, found.content.with_tables(b=OTHER), found.state)
    assert gsb(store, other) is None
    comparison = store.comparison(other)
    assert comparison.vote_rows is not None
    assert "12 votes set aside" in comparison.vote_rows.source.notes[-1]
    assert other.content.votes is not None
    assert len(other.content.votes.table) == len(QUERIES)
    held = store.hold_votes(other)
    assert gsb(store, held) == (12, 0)
    assert store.hold_votes(held).number == held.number
    undone = store.save(held, replace(held.state, history=held.state.history.undone()), what="undone")
    assert gsb(store, undone) is None
    assert gsb(store, store.replace(undone, undone.content.with_tables(b=B), undone.state)) == (12, 0)


def test_exchanged_and_renamed_lists_keep_their_votes(store: Store) -> None:
    """Votes follow their lists, whatever these are called and wherever they stand."""
    found = saved(store)
    found = store.save(found, replace(found.state, swapped=True, a="new", b="old"), what="swapped")
    assert gsb(store, found) == (0, 12)
    turned = store.replace(found, found.content.with_tables(a=B, b=A), replace(found.state, swapped=False))
    assert gsb(store, turned) == (0, 12)


def test_votes_of_an_older_version_are_on_the_lists_that_they_were_saved_with(store: Store) -> None:
    """They count as before, and are set aside where a list is replaced from now on."""
    found = as_of_old(store, saved(store))
    assert found.content.votes is not None
    assert found.content.votes.about is None
    assert gsb(store, found) == (12, 0)
    other = store.replace(found, found.content.with_tables(b=OTHER), found.state)
    assert gsb(store, other) is None
    assert other.content.votes is not None
    assert other.content.votes.about is not None
    assert [one.digest for one in other.content.votes.about] == [found.digest("a"), found.digest("b")]


def test_edits_and_what_is_said_of_them_are_saved_copied_and_merged(store: Store) -> None:
    """Two people at once: one confirms the votes of an edited query, the other edits another; both hold."""
    first = saved(store)
    edited = store.save(first, replace(first.state, history=first.state.history.done(MOVE)), what="edited")
    assert gsb(store, edited) == (11, 0)
    theirs = store.save(
        edited, replace(edited.state, history=edited.state.history.done(replace(MOVE, query_id="q2"))), what="edited"
    )
    both = store.hold_votes(edited)
    assert both.number > theirs.number
    assert {edit.query_id for edit in both.state.history.edits} == {"q1", "q2"}
    assert gsb(store, both) == (11, 0)
    all_of_them = store.hold_votes(both)
    assert gsb(store, all_of_them) == (12, 0)
    copy = store.load(store.duplicate(all_of_them.id))
    assert gsb(store, copy) == (12, 0)
    assert copy.state.history.held == all_of_them.state.history.held


def test_a_list_and_votes_that_two_people_replace_at_once_do_not_meet_unseen(store: Store) -> None:
    """New votes on the old list, and a new list: the votes are set aside, whoever was faster."""
    votes = rd.read_votes(dict.fromkeys(QUERIES, "bad"))
    for order in ("votes first", "list first"):
        found = saved(store)
        changes = [replace(found.content, votes=votes), found.content.with_tables(b=OTHER)]
        for content in changes if order == "votes first" else changes[::-1]:
            last = store.replace(found, content, found.state)
        assert last.content.b is not None
        assert last.content.b.table.equals(OTHER.table)
        assert gsb(store, last) is None


def test_a_comparison_with_votes_set_aside_is_saved_anew_with_those_that_count(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """rd.save of what rd.load gave: the votes that count there are on its lists, as they are after the edits."""
    monkeypatch.setenv("RANKDASH_STORE", "on")
    monkeypatch.setenv("RANKDASH_HOME", str(tmp_path / "home"))
    store = Store.open(Settings.from_environment())
    found = saved(store)
    store.save(found, replace(found.state, history=found.state.history.done(MOVE)), what="edited")
    loaded = rd.load(rd.save(rd.load(found.id)))
    assert loaded.votes is not None
    assert loaded.votes.gsb.good == 11
