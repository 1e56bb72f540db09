"""History as rows: searched literally, sorted, filtered, paged, and quickly."""

from __future__ import annotations

import random
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest
import sqlalchemy as sa

from rankdash.store.database import REVISION, SEEN, Database
from rankdash.store.journal import (
    VERSIONS,
    Decided,
    Since,
    add_tag,
    all_tags,
    record_decision,
    record_result,
    remove_tag,
    tags_of,
)
from rankdash.store.listing import SORTS, UNDECIDED, Listed, Search, listed, note_opened
from rankdash.store.settings import StoreError
from tests.store.journal import rows

HOSTILE = [
    "100%",
    "a_b",
    "back\\slash",
    "x' OR 1=1 --",
    '"quoted"',
    "\u202eevil",
    "=cmd|' /C calc'!A0",
    "ＮＤＣＧ ｗｉｄｅ",
    "Straße",
]


@pytest.fixture
def database(tmp_path: Path) -> Database:
    """An empty database."""
    return Database(f"sqlite:///{tmp_path / 'store.sqlite'}")


def ids(found: Listed) -> list[str]:
    """The ids of a page, in order."""
    return [row.id for row in found.rows]


def searched(database: Database, words: str) -> set[str]:
    """What a search finds."""
    with database.reading() as connection:
        return set(ids(listed(connection, Search(words, most=1_000))))


def test_every_word_of_a_search_is_taken_literally(database: Database) -> None:
    """Per cent, underscore, backslash and quotes are signs like others; each hostile name is found by its own words."""
    with database.writing() as connection:
        for i, name in enumerate([*HOSTILE, "100x", "axb", "plain"]):
            rows.comparison(connection, f"{i}", name)
    assert searched(database, "%") == {"0"}
    assert searched(database, "a_b") == {"1"}
    assert searched(database, "\\") == {"2"}
    assert searched(database, "1=1 '") == {"3"}
    for i, name in enumerate(HOSTILE):
        assert str(i) in searched(database, name)
    assert searched(database, "ndcg WIDE") == {"7"}
    assert searched(database, "STRASSE") == {"8"}


def test_a_search_needs_all_of_its_words_wherever_they_stand(database: Database) -> None:
    """Words stand in the name, the names of the models or a tag, in any order; the rest of a row does not count."""
    with database.writing() as connection:
        rows.comparison(connection, "1", "Mobile search", a="Base", b="Neural")
        rows.comparison(connection, "2", "Mobile search", a="Base", b="Other")
        add_tag(connection, "2", "Q3 Review")
    assert searched(database, "neural MOBILE") == {"1"}
    assert searched(database, "mob rev") == {"2"}
    assert searched(database, "mobile missing") == set()
    assert searched(database, "  ") == {"1", "2"}


@pytest.mark.parametrize(
    "words", ["x" * 100_000, "w " * 30_000, " ".join(map(str, range(5_000))), "\0", "\ud800", "\x1b["]
)
def test_a_search_of_any_length_is_an_answer(database: Database, words: str) -> None:
    """Very long words, very many words and signs that no database takes find nothing; no error comes of them."""
    with database.writing() as connection:
        rows.comparison(connection, "1", "plain")
    assert searched(database, words) == set()


def test_rows_carry_the_result_of_their_revision_and_the_decision_in_force(database: Database) -> None:
    """A row has the numbers of the case that it shows, the last decision, and its tags; None where there are none."""
    with database.writing() as connection:
        rows.comparison(connection, "1", head=2, day=1)
        rows.comparison(connection, "2", day=2)
        first, second = rows.result("WORSE", delta=-0.2), rows.result(revision=2, delta=0.3, day=3)
        for one in (second, first):
            assert record_result(connection, "1", one)
        record_decision(connection, "1", Decided("postponed", "Kim"), second)
        record_decision(connection, "1", Decided("launch", "Kim"), second)
        for tag in ("b", "A", "c"):
            add_tag(connection, "1", tag)
    with database.reading() as connection:
        bare, whole = listed(connection, Search()).rows
    assert (bare.id, bare.outcome, bare.delta, bare.choice, bare.tags) == ("2", None, None, None, ())
    assert (whole.outcome, whole.delta, whole.n, whole.choice) == ("LAUNCH", 0.3, 50, "launch")
    assert (whole.since, whole.tags) == (Since.SAME, ("A", "b", "c"))


def test_no_row_has_the_result_of_another_revision(database: Database) -> None:
    """After a change a row has no result, however many there are of the revisions before; with the old case back, as
    after undo, it has the old result again. What was decided says that it was changed since.
    """
    with database.writing() as connection:
        rows.comparison(connection, "1", head=2)
        record_result(connection, "1", rows.result("WORSE", delta=-0.2))
        record_decision(connection, "1", Decided("postponed", "Kim"), rows.result("WORSE"))
        (changed,) = listed(connection, Search()).rows
        assert listed(connection, Search(outcome="WORSE")).total == 0
        head = sa.update(REVISION).where(REVISION.c.number == 2)
        connection.execute(head.values(case=rows.case(1)))
        (undone,) = listed(connection, Search(outcome="WORSE")).rows
    assert (changed.outcome, changed.tag, changed.delta, changed.since) == (None, "", None, Since.EDITED)
    assert (undone.outcome, undone.tag, undone.delta, undone.since) == ("WORSE", "worse", -0.2, Since.SAME)


def test_a_result_of_another_version_is_marked_and_gives_way_to_one_of_this(database: Database) -> None:
    """Of several versions that computed the same case this one's is shown, else the newest, with its version."""
    own = replace(rows.result(delta=0.3), engine=VERSIONS[0], policy_version=VERSIONS[1])
    others = [replace(own, engine=f"0.0.{i}", delta=i / 10, at=own.at + timedelta(days=i)) for i in (1, 2)]
    with database.writing() as connection:
        rows.comparison(connection, "1")
        seen = []
        for one in (*others, own):
            record_result(connection, "1", one)
            (row,) = listed(connection, Search()).rows
            seen.append((row.engine, row.delta))
    assert seen == [("0.0.1", 0.1), ("0.0.2", 0.2), ("", 0.3)]


def test_lists_are_sorted_filtered_and_paged_as_plain_python_does_it(database: Database) -> None:
    """On a random store every sort, either way, gives the rows of a plain sort; what has no value comes last."""
    chance = random.Random(7)
    deltas: dict[str, float | None] = {}
    with database.writing() as connection:
        for i in range(60):
            id = f"{i:02}"
            rows.comparison(
                connection, id, chance.choice(["Zebra", "apple", "Äpfel", "mango"]), day=chance.randrange(9)
            )
            deltas[id] = chance.choice([None, -0.1, 0.0, 0.1, 0.2])
            if deltas[id] is not None:
                record_result(connection, id, rows.result(chance.choice(["LAUNCH", "WORSE"]), delta=deltas[id]))
    with database.reading() as connection:
        all_rows = {row.id: row for row in listed(connection, Search(most=1_000)).rows}
        by_change = sorted(all_rows, key=lambda id: (-all_rows[id].changed.timestamp(), id))
        for descending in (True, False):
            sign = -1 if descending else 1
            asked = Search(sort="delta", descending=descending, most=1_000)
            wanted = sorted(by_change, key=lambda id: (deltas[id] is None, sign * (deltas[id] or 0)))
            assert ids(listed(connection, asked)) == wanted
            parts = [ids(listed(connection, replace(asked, offset=at, most=7))) for at in range(0, 60, 7)]
            assert [id for part in parts for id in part] == wanted
        assert ids(listed(connection, Search(most=1_000))) == by_change
        named = [all_rows[id].name for id in ids(listed(connection, Search(sort="name", descending=False, most=1_000)))]
        assert named == sorted(named, key=str.casefold)
        launches = listed(connection, Search(outcome="LAUNCH", most=5))
        assert launches.total == sum(row.outcome == "LAUNCH" for row in all_rows.values())
        assert {row.outcome for row in launches.rows} == {"LAUNCH"}


@pytest.mark.parametrize("sort", SORTS)
def test_a_group_counts_as_one_in_the_place_of_its_first_that_is_found(database: Database, sort: str) -> None:
    """On a random store a folded list is the list of all rows, from which all of a group but the first are taken; those
    that are found follow it, and pages cut no group. One that a browser opened brings the others of its group.
    """
    chance = random.Random(sort)
    groups = {f"{i:02}": chance.choice([None, None, "x", "y", "z"]) for i in range(30)}
    with database.writing() as connection:
        for id, group in groups.items():
            rows.comparison(connection, id, chance.choice("abc"), day=chance.randrange(9), group=group)
            record_result(connection, id, rows.result(chance.choice(["LAUNCH", "WORSE"]), delta=chance.random()))
            if chance.random() < 0.3:
                record_decision(connection, id, Decided(chance.choice(["launch", "postponed"]), "Kim"), rows.result())
        for search in (Search(sort=sort), Search("a", sort, descending=False), Search(sort=sort, outcome="WORSE")):
            flat = listed(connection, replace(search, most=99)).rows
            wanted: dict[str, set[str]] = {}
            by: dict[str, object] = {}
            for row in flat:
                wanted.setdefault(row.group or row.id, set()).add(row.id)
                by.setdefault(row.group or row.id, getattr(row, sort))
            folded = [listed(connection, replace(search, folded=True, offset=at, most=4)) for at in range(0, 32, 4)]
            found: dict[str, set[str]] = {}
            for row in (row for page in folded for row in page.rows):
                found.setdefault(row.group or row.id, set()).add(row.id)
            assert {page.total for page in folded} == {len(wanted)}
            assert sum(len(page.rows) for page in folded) == len(flat)
            assert found == wanted
            assert [by[unit] for unit in found] == [by[unit] for unit in wanted]  # what is equal has no order here
        first = next(id for id, group in groups.items() if group == "x")
        note_opened(connection, first, "me")
        mine = ids(listed(connection, Search(browser="me")))
    assert set(mine) == {id for id, group in groups.items() if group == "x"}


def test_filters_leave_out_what_is_not_asked_for(database: Database) -> None:
    """Deleted comparisons, other tags and decisions, and what other browsers opened are left out."""
    with database.writing() as connection:
        for id in ("plain", "decided", "mine"):
            rows.comparison(connection, id)
        rows.comparison(connection, "deleted", deleted=rows.START)
        record_decision(connection, "decided", Decided("launch", "Kim"), rows.result())
        add_tag(connection, "plain", "Größe 1")
        connection.execute(sa.insert(SEEN).values(browser="me", comparison="mine", at=rows.START))
    with database.reading() as connection:
        asked = {
            "decided": Search(choice="launch"),
            "plain": Search(tag="GRÖSSE 1"),
            "mine": Search(browser="me"),
        }
        assert {name: ids(listed(connection, search)) for name, search in asked.items()} == {n: [n] for n in asked}
        assert set(ids(listed(connection, Search(choice=UNDECIDED)))) == {"plain", "mine"}
        assert listed(connection, Search()).total == 3
        with pytest.raises(ValueError, match="use one of changed"):
            listed(connection, Search(sort="id; DROP TABLE tag"))


def test_tags_are_words_that_can_be_seen(database: Database) -> None:
    """A tag has no blanks around it, is one whatever its letters' case, and an empty or a huge one is refused."""
    with database.writing() as connection:
        rows.comparison(connection, "1")
        assert add_tag(connection, "1", "  Mobile \n search ")
        assert not add_tag(connection, "1", "MOBILE search")
        for wrong in ("", " \t", "\u200b\u202e", "x" * 101, "\ufdfa" * 100):
            with pytest.raises(StoreError, match="A tag"):
                add_tag(connection, "1", wrong)
        with pytest.raises(StoreError, match="no saved comparison"):
            add_tag(connection, "2", "x")
        assert tags_of(connection, ["1"]) == {"1": ("Mobile search",)}
        assert all_tags(connection) == ("Mobile search",)
        assert remove_tag(connection, "1", "mobile  SEARCH")
        assert not remove_tag(connection, "1", "mobile search")
