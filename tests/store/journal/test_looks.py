"""Looks: how many states of the data a verdict was shown for, against plain Python on random worlds."""

from __future__ import annotations

import random
from itertools import combinations

import sqlalchemy as sa

from rankdash.store.database import Database
from rankdash.store.journal import LookedAt, candidates, looks, record_look, reread, state_digest

WORLDS = 12


def look(lineage: str, a: str | None, b: str | None, judgments: str | None) -> LookedAt:
    """A look at these contents."""
    return LookedAt(lineage, state_digest([(a, b, judgments, None), (b, a, judgments, None)]), a, b, judgments)


def shown(connection: sa.Connection, *several: LookedAt) -> list[int]:
    """The counts as the verdicts are shown one after the other."""
    found = []
    for one in several:
        found.append(looks(connection, one))
        record_look(connection, one)
    return found


def twin(earlier: list[LookedAt], now: LookedAt) -> int:
    """The definition in plain Python: the states of its own lineage, those of its two lists, and its own."""
    own = [one for one in earlier if one.lineage == now.lineage]
    lists = [now.a, now.b]
    same = [one for one in earlier if None not in lists and lists in ([one.a, one.b], [one.b, one.a])]
    return len({one.content for one in [*own, *same, now]})


def random_look(chance: random.Random, runs: int = 4) -> LookedAt:
    """A look of one of few lineages and contents, so that lists meet often."""
    a, b = (chance.choice([*(f"run{i}" for i in range(runs)), None]) for _ in range(2))
    return look(f"lineage{chance.randrange(5)}", a, b, chance.choice(["j1", "j2", "j3", None]))


def test_looks_are_those_of_plain_python_on_random_worlds(database: Database) -> None:
    """Shown one after the other, each look is counted as the definition does, and a second one changes nothing."""
    most = 0
    for seed in range(WORLDS):
        chance, earlier = random.Random(seed), list[LookedAt]()
        with database.writing() as connection:
            connection.execute(sa.text("DELETE FROM look"))
            for _ in range(chance.randrange(1, 30)):
                now = random_look(chance)
                wanted = twin(earlier, now)
                assert looks(connection, now) == wanted, seed
                record_look(connection, now)
                assert looks(connection, now) == wanted, seed
                earlier.append(now)
                most = max(most, wanted)
            for one in earlier:
                assert looks(connection, one) == twin(earlier, one), seed
    assert most >= 5


def test_data_that_is_read_in_another_way_is_no_further_look(database: Database) -> None:
    """The reading that is corrected takes the place of the first; one that nobody looked at leaves nothing."""
    wrong, right = look("one", "upside down", "b", "j"), look("one", "a", "b", "j")
    with database.writing() as connection:
        reread(connection, wrong, right)
        assert looks(connection, look("one", "a2", "b", "j")) == 1
        record_look(connection, wrong)
        reread(connection, wrong, right)
        assert shown(connection, right, look("one", "a2", "b", "j")) == [1, 2]


def test_the_state_of_the_data_is_the_same_either_way_around() -> None:
    """A and B exchanged, with the judgments and votes that follow, are one state; anything else is another one."""
    here, there = ("a", "b", "j", "v"), ("b", "a", "j", "turned")
    assert state_digest([here, there]) == state_digest([there, here])
    told = [here, ("a", "b", "j", None), ("a", "b", None, "j"), ("ab", "", "j", "v"), ("b", "a", "j", "v")]
    for one, other in combinations(told, 2):
        assert state_digest([one]) != state_digest([other])
    assert state_digest([here]) != state_digest([here], ["labels"])
    assert state_digest([here], ["x", "y", "x"]) == state_digest([here], ["y", "x"])


def test_candidates_are_the_other_models_on_the_same_judgments(database: Database) -> None:
    """Each list that stood beside this A on these judgments counts once, whatever it is called; A itself does not."""
    worlds = random.Random(5)
    for _ in range(WORLDS):
        earlier: list[LookedAt] = []
        with database.writing() as connection:
            connection.execute(sa.text("DELETE FROM look"))
            for _ in range(worlds.randrange(1, 14)):
                now = random_look(worlds, runs=3)
                record_look(connection, now)
                earlier.append(now)
                beside = {
                    one.b
                    for one in earlier
                    if (one.a, one.judgments) == (now.a, now.judgments) and one.b not in (None, now.a)
                }
                assert candidates(connection, now) == (1 if now.a is None else len(beside | {now.b}))
