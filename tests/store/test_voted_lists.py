"""Saved votes know the lists that they are on: replaced, confirmed, copied, merged, and saved by an older version."""

from dataclasses import replace
from pathlib import Path

import pytest

import rankdash as rd
from rankdash.case import Case, content_digest, lists_of
from rankdash.edits import Edit
from rankdash.store import ConflictError, Saved, Settings, State, Store, comparison_of
from rankdash.tables import VotedList
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
    found = store.load(found.id)
    votes = comparison_of(found.content, found.state).votes
    return None if votes is None else (votes.gsb.good, votes.gsb.bad)


def test_votes_of_before_know_lists_with_what_is_shown(store: Store) -> None:
    """Votes whose lists are known by all columns still count; so do they when a title is added, by those of lists."""
    shown = replace(B, table=B.table.append_column("title", B.table["doc_id"]))
    former = VotedList("old", content_digest(A)), VotedList("new", content_digest(shown))
    for about, b in ((former, shown), (lists_of(A, B), shown), (lists_of(A, shown), B)):
        case = Case((A, b), GRADES, votes=replace(VOTES, about=about))
        assert gsb(store, store.create(case, State("x", "old", "new"))) == (12, 0)


def test_votes_are_saved_with_the_lists_that_they_are_on(store: Store) -> None:
    """Names and content digests of both, and the names that the votes give them."""
    votes = rd.read_votes(b"query_id,model_a,model_b,vote\nq1,old,new,good\n", models=("old", "new"))
    found = saved(store, votes)
    store._inputs._open.clear()
    kept = store.load(found.id).content.votes
    assert [one.name for one in kept.about] == ["old", "new"]
    assert [one.digest for one in kept.about] == [found.digest("a"), found.digest("b")]
    assert kept.pair == ("old", "new")


def test_what_is_said_of_votes_makes_another_case(store: Store) -> None:
    """A result of votes that are set aside is not shown beside a revision that counts them, and after undo it is."""
    found = saved(store)
    other = store.replace(found, found.content.with_tables(b=OTHER), found.state)
    held = store.hold_votes(other)
    assert held.case != other.case
    undone = store.save(held, replace(held.state, held=()))
    assert undone.case == other.case


def test_a_replaced_list_sets_the_votes_aside_until_somebody_says_that_they_hold(store: Store) -> None:
    """The votes are kept; the button of the API counts them; undo takes it back; the list of before restores them."""
    found = saved(store)
    other = store.replace(found, found.content.with_tables(b=OTHER), found.state)
    assert gsb(store, other) is None
    comparison = comparison_of(other.content, other.state)
    assert "12 votes set aside" in comparison.vote_rows.source.notes[-1].text
    assert len(other.content.votes.table) == len(QUERIES)
    held = store.hold_votes(other)
    assert gsb(store, held) == (12, 0)
    assert store.hold_votes(held).number == held.number
    undone = store.save(held, replace(held.state, held=()))
    assert gsb(store, undone) is None
    assert gsb(store, store.replace(undone, undone.content.with_tables(b=B), undone.state)) == (12, 0)


def test_edits_and_what_is_said_of_them_are_saved_and_copied(store: Store) -> None:
    """The votes of an edited query are set aside until somebody says that they hold, in a copy as well."""
    first = saved(store)
    edited = store.save(first, replace(first.state, edits=(MOVE,)))
    assert gsb(store, edited) == (11, 0)
    both = store.hold_votes(edited)
    assert gsb(store, both) == (12, 0)
    copy = store.load(store.duplicate(both.id))
    assert gsb(store, copy) == (12, 0)
    assert copy.state.held == both.state.held


def test_a_list_and_votes_that_two_people_replace_at_once_do_not_meet_unseen(store: Store) -> None:
    """New votes on the old list, and a new list: the second is refused."""
    found = saved(store)
    store.replace(found, found.content.with_tables(b=OTHER), found.state)
    with pytest.raises(ConflictError):
        store.replace(found, replace(found.content, votes=rd.read_votes(dict.fromkeys(QUERIES, "bad"))), found.state)
    assert gsb(store, found) is None


@pytest.mark.usefixtures("home")
def test_a_comparison_with_votes_set_aside_is_saved_anew_with_those_that_count() -> None:
    """rd.save of what rd.load gave: the votes that count there are on its lists, as they are after the edits."""
    store = Store.open(Settings.from_environment())
    found = saved(store)
    store.save(found, replace(found.state, edits=(MOVE,)))
    loaded = rd.load(rd.save(rd.load(found.id)))
    assert loaded.votes.gsb.good == 11
