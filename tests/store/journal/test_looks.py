"""Looks: how many states of the data a verdict of a pair was shown for, against plain Python on random worlds."""

from __future__ import annotations

import random
from itertools import combinations
from pathlib import Path

import pytest
import sqlalchemy as sa

from rankdash.edits import Edit, History, Step
from rankdash.store.database import Database
from rankdash.store.journal.looks import Look, candidates, labels_digest, labels_in_force, looks, record, state_digest

WORLDS = 12


@pytest.fixture
def database(tmp_path: Path) -> Database:
    """An empty database."""
    return Database(f"sqlite:///{tmp_path / 'store.sqlite'}")


def look(
    lineage: str, a: str | None, b: str | None, judgments: str | None, names: tuple[str, str] = ("A", "B")
) -> Look:
    """A look at these contents."""
    return Look(lineage, names, state_digest([(a, b, judgments, None), (b, a, judgments, None)]), a, b, judgments)


def shown(connection: sa.Connection, *several: Look) -> list[int]:
    """The counts as the verdicts are shown one after the other."""
    found = []
    for one in several:
        found.append(looks(connection, one))
        record(connection, one)
    return found


def are_a_pair(one: Look, other: Look) -> bool:
    """The definition of a pair, for two looks: one lineage, or the same two names and something in common."""
    if one.lineage == other.lineage:
        return True
    names = [sorted(name.strip().casefold() for name in each.names) for each in (one, other)]
    models = [{each.a, each.b} - {None} for each in (one, other)]
    judgments = one.judgments is not None and one.judgments == other.judgments
    return names[0] == names[1] and bool(models[0] & models[1] or judgments)


def twin(earlier: list[Look], now: Look) -> int:
    """The number of states of the pair of ``now``: whatever can be reached from it, in plain Python."""
    reached, added = [now], True
    while added:
        new = [one for one in earlier if one not in reached and any(are_a_pair(one, other) for other in reached)]
        reached, added = reached + new, bool(new)
    return len({one.content for one in reached})


def random_look(chance: random.Random, runs: int = 12) -> Look:
    """A look of one of few lineages, names and contents, so that pairs meet often."""
    a, b = (chance.choice([f"run{i}" for i in range(runs)]) for _ in range(2))
    names = chance.choice([("Old", "New"), ("new ", "OLD"), ("Old", "Other"), ("x", "y")])
    judgments = chance.choice(["j1", "j2", "j3", "j4", None])
    return look(f"lineage{chance.randrange(9)}", a, b, judgments, names)


def test_looks_are_those_of_plain_python_on_random_worlds(database: Database) -> None:
    """Shown one after the other, each look is counted as the definition does, and a second one changes nothing."""
    most = 0
    for seed in range(WORLDS):
        chance, earlier = random.Random(seed), list[Look]()
        with database.writing() as connection:
            connection.execute(sa.text("DELETE FROM look"))
            for _ in range(chance.randrange(1, 14)):
                now = random_look(chance)
                wanted = twin(earlier, now)
                assert looks(connection, now) == wanted, seed
                record(connection, now)
                assert looks(connection, now) == wanted, seed
                earlier.append(now)
                most = max(most, wanted)
            for one in earlier:
                assert looks(connection, one) == twin(earlier, one), seed
    assert most >= 5


def test_other_data_of_one_comparison_is_another_look(database: Database) -> None:
    """Files that are replaced count; the same files again, A and B exchanged, or other names do not."""
    first = look("one", "a", "b", "j")
    renamed, turned = look("one", "a", "b", "j", ("X", "Y")), look("one", "b", "a", "j")
    with database.writing() as connection:
        assert shown(connection, first, first, renamed, turned) == [1, 1, 1, 1]
        assert shown(connection, look("one", "a", "b2", "j"), look("one", "a", "b", "j2"), first) == [2, 3, 3]


def test_a_new_upload_of_the_same_pair_goes_on_counting(database: Database) -> None:
    """The same two names, blanks and case aside, with the lists of a model or the judgments in common are one pair."""
    with database.writing() as connection:
        assert shown(connection, look("one", "a", "b", "j", ("Base", "New"))) == [1]
        assert shown(connection, look("two", "b2", "a", "j2", (" new", "BASE "))) == [2]
        assert shown(connection, look("three", "a3", "b3", "j2", ("Base", "New"))) == [3]
        assert shown(connection, look("four", "a", "b", "j", ("Base", "Else"))) == [1]
        assert shown(connection, look("five", "a9", "b9", "j9", ("Base", "New"))) == [1]


def test_a_look_that_joins_two_pairs_counts_both(database: Database) -> None:
    """Two pairs that have nothing in common are one from the state on that shares something with each."""
    with database.writing() as connection:
        assert shown(connection, look("one", "a1", "b1", "j1"), look("two", "a2", "b2", "j2")) == [1, 1]
        assert shown(connection, look("three", "a1", "b2", "j3")) == [3]
        assert looks(connection, look("one", "a1", "b1", "j1")) == 3


def test_votes_alone_are_a_pair_by_lineage_only(database: Database) -> None:
    """Without lists and judgments nothing is in common: other votes count in one comparison and its duplicates."""
    alone = [
        Look(lineage, ("", ""), state, None, None, None) for lineage, state in [("1", "v1"), ("1", "v2"), ("2", "v3")]
    ]
    with database.writing() as connection:
        assert shown(connection, *alone) == [1, 2, 1]


def test_the_state_of_the_data_is_the_same_either_way_around() -> None:
    """A and B exchanged, with the judgments and votes that follow, are one state; anything else is another one."""
    here, there = ("a", "b", "j", "v"), ("b", "a", "j", "turned")
    assert state_digest([here, there]) == state_digest([there, here])
    told = [here, ("a", "b", "j", None), ("a", "b", None, "j"), ("ab", "", "j", "v"), ("b", "a", "j", "v")]
    for one, other in combinations(told, 2):
        assert state_digest([one]) != state_digest([other])
    assert state_digest([here]) != state_digest([here], ["labels"])
    assert state_digest([here], ["x", "y", "x"]) == state_digest([here], ["y", "x"])


def grade(query: str, doc: str, after: float | None, before: float | None = None) -> Edit:
    """An edit of a grade."""
    return Edit(query, doc, "grade", None, before, after)


def test_a_file_of_labels_counts_once_for_as_long_as_it_is_in_force() -> None:
    """Edits do not count, labels of a file do: not while undone, nor once all of their queries were reset."""
    labels = Step((grade("q1", "d1", 2.0), grade("q2", "d1", 1.0)))
    again = Step((grade("q2", "d1", 1.0, 3.0), grade("q1", "d1", 2.0, 0.0)))
    imported = {labels_digest(labels)}
    assert labels_digest(again) in imported
    edited = History().done(grade("q1", "d9", 1.0))
    whole = History((*edited.steps, labels), 2)
    assert labels_in_force(edited, imported) == frozenset()
    assert labels_in_force(whole, imported) == imported
    assert labels_in_force(whole.done(grade("q1", "d1", 0.0)), imported) == imported
    assert labels_in_force(whole.undone(), imported) == frozenset()
    assert labels_in_force(whole.reset("q1"), imported) == imported
    assert labels_in_force(whole.reset(), imported) == frozenset()
    assert labels_in_force(whole, ()) == frozenset()


def test_candidates_are_the_other_models_on_the_same_judgments(database: Database) -> None:
    """Each list that stood beside this A on these judgments counts once, whatever it is called; A itself does not."""
    worlds = random.Random(5)
    for _ in range(WORLDS):
        earlier: list[Look] = []
        with database.writing() as connection:
            connection.execute(sa.text("DELETE FROM look"))
            for _ in range(worlds.randrange(1, 14)):
                now = random_look(worlds, runs=3)
                record(connection, now)
                earlier.append(now)
                beside = {
                    one.b for one in earlier if (one.a, one.judgments) == (now.a, now.judgments) and one.b != now.a
                }
                assert candidates(connection, now) == len(beside | {now.b})


def test_votes_alone_have_no_candidates(database: Database) -> None:
    """Without lists it is not known which models were compared: there is one."""
    with database.writing() as connection:
        for content in "xy":
            record(connection, look(content, None, None, None))
        assert candidates(connection, look("x", None, None, None)) == 1
