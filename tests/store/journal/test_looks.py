"""Looks: how many states of the data a verdict was shown for, against plain Python on random worlds. Several writers at
once lose nothing and count nothing twice.
"""

import random
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from itertools import combinations

import sqlalchemy as sa

from rankdash.store import journal
from rankdash.store.database import LOOK, Database
from rankdash.store.journal import LookedAt, candidates, looks, record_look, reread, state_digest
from tests.store.journal import rows

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


WRITERS, EACH = 6, 8


def at_once(database: Database, write: Callable[[sa.Connection, int, int], object]) -> None:
    """Every writer writes some times, each in a transaction of its own."""

    def one(writer: int) -> None:
        for time in range(EACH):
            with database.writing() as connection:
                write(connection, writer, time)

    with ThreadPoolExecutor(WRITERS) as several:
        list(several.map(one, range(WRITERS)))


def test_every_decision_of_several_writers_is_on_record(database: Database) -> None:
    """Decisions that are written at once are all there, in one order, and the list shows the last one."""
    with database.writing() as connection:
        rows.comparison(connection, "1")
    seen = rows.result()
    at_once(database, lambda c, who, n: journal.record_decision(c, "1", journal.Decided("launch", f"{who} {n}"), seen))
    with database.reading() as connection:
        found = journal.decisions(connection, "1")
    assert {one.by for one in found} == {f"{who} {n}" for who in range(WRITERS) for n in range(EACH)}
    assert len(found) == WRITERS * EACH


def test_results_and_tags_that_are_written_at_once_stand_once(database: Database) -> None:
    """The same result and the same tag of several writers are one row; the list shows the newest revision."""
    with database.writing() as connection:
        rows.comparison(connection, "1")

    def write(connection: sa.Connection, writer: int, time: int) -> None:
        journal.record_result(connection, "1", rows.result(revision=time))
        journal.add_tag(connection, "1", ["Tag", "TAG", "tag"][writer % 3])

    at_once(database, write)
    with database.reading() as connection:
        assert [one.revision for one in journal.results(connection, "1")] == list(reversed(range(EACH)))
        assert len(journal.tags_of(connection, ["1"])["1"]) == 1


def test_looks_of_several_writers_are_all_counted_once(database: Database) -> None:
    """States of the same lists that are shown at once are all there, and one that several show is one."""

    def look(state: int) -> journal.LookedAt:
        return journal.LookedAt("lineage", journal.state_digest([("a", "b", str(state), None)]), "a", "b", str(state))

    at_once(
        database, lambda connection, writer, time: journal.record_look(connection, look(writer // 2 + WRITERS * time))
    )
    with database.reading() as connection:
        assert journal.looks(connection, look(0)) == WRITERS // 2 * EACH
        assert connection.scalar(sa.select(sa.func.count()).select_from(LOOK)) == WRITERS // 2 * EACH
