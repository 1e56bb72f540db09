"""History as rows: searched literally, in order, and paged."""

import random
from dataclasses import replace
from datetime import timedelta

import pytest
import sqlalchemy as sa

from rankdash.store import journal
from rankdash.store.database import BLOB, INPUT, REVISION, SEEN, Database
from rankdash.store.listing import Listed, Search, listed, note_opened
from rankdash.store.settings import StoreError
from tests.store.journal import rows

HOSTILE = ["100%", "a_b", "back\\slash", "x' OR 1=1 --", '"quoted"', "\u202eevil", "=cmd|' /C calc'!A0"]
HOSTILE += ["ＮＤＣＧ ｗｉｄｅ", "Straße"]


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
    """Words stand in the name, the names of models and files, a tag, or who decided and why, in any order."""
    with database.writing() as connection:
        rows.comparison(connection, "1", "Mobile search", a="Base", b="Neural")
        connection.execute(sa.insert(BLOB), {"sha256": "f", "bytes": 1, "created": rows.START})
        file = {"id": "i", "comparison": "1", "kind": "b", "digest": "f", "content": "c", "source_sha256": ""}
        connection.execute(sa.insert(INPUT), file | {"source_name": "Nightly_V3.tsv", "description": {}})
        rows.comparison(connection, "2", "Mobile search", a="Base", b="Other")
        journal.add_tag(connection, "2", "Q3 Review")
        journal.record_decision(connection, "2", journal.Decided("launch", "ÖZGÜR", "Faster"), rows.result())
    assert searched(database, "neural MOBILE") == {"1"}
    assert searched(database, "mob rev özgür fast") == {"2"}
    assert searched(database, "nightly_v3 search") == {"1"}
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
            assert journal.record_result(connection, "1", one)
        journal.record_decision(connection, "1", journal.Decided("postponed", "Kim"), second)
        journal.record_decision(connection, "1", journal.Decided("launch", "Kim"), second)
        for tag in ("b", "A", "c"):
            journal.add_tag(connection, "1", tag)
    with database.reading() as connection:
        bare, whole = listed(connection, Search()).rows
    assert (bare.id, bare.outcome, bare.delta, bare.choice, bare.tags) == ("2", None, None, None, ())
    assert (whole.outcome, whole.delta, whole.n, whole.choice) == ("LAUNCH", 0.3, 50, "launch")
    assert (whole.since, whole.tags) == (journal.Since.SAME, ("A", "b", "c"))


def test_no_row_has_the_result_of_another_revision(database: Database) -> None:
    """After a change a row has no result, however many there are of the revisions before; with the old case back, as
    after undo, it has the old result again. What was decided says that it was changed since.
    """
    with database.writing() as connection:
        rows.comparison(connection, "1", head=2)
        journal.record_result(connection, "1", rows.result("WORSE", delta=-0.2))
        journal.record_decision(connection, "1", journal.Decided("postponed", "Kim"), rows.result("WORSE"))
        (changed,) = listed(connection, Search()).rows
        head = sa.update(REVISION).where(REVISION.c.number == 2)
        connection.execute(head.values(case=rows.case(1)))
        (undone,) = listed(connection, Search()).rows
    assert (changed.outcome, changed.tag, changed.delta, changed.since) == (None, "", None, journal.Since.EDITED)
    assert (undone.outcome, undone.tag, undone.delta, undone.since) == ("WORSE", "worse", -0.2, journal.Since.SAME)


def test_a_result_of_another_version_is_marked_and_gives_way_to_one_of_this(database: Database) -> None:
    """Of several versions that computed the same case this one's is shown, else the newest, with its version."""
    own = replace(rows.result(delta=0.3), engine=journal.VERSIONS[0], policy_version=journal.VERSIONS[1])
    others = [replace(own, engine=f"0.0.{i}", delta=i / 10, at=own.at + timedelta(days=i)) for i in (1, 2)]
    with database.writing() as connection:
        rows.comparison(connection, "1")
        seen = []
        for one in (*others, own):
            journal.record_result(connection, "1", one)
            (row,) = listed(connection, Search()).rows
            seen.append((row.engine, row.delta))
    assert seen == [("0.0.1", 0.1), ("0.0.2", 0.2), ("", 0.3)]


def test_a_list_is_in_the_order_of_changes_and_cut(database: Database) -> None:
    """On a random store the last changed comes first, and a shorter list is the beginning of the whole."""
    chance = random.Random(7)
    with database.writing() as connection:
        for i in range(60):
            rows.comparison(connection, f"{i:02}", day=chance.randrange(9))
    with database.reading() as connection:
        every = listed(connection, Search(most=1_000)).rows
        parts = {most: ids(listed(connection, Search(most=most))) for most in (0, 1, 7, 60)}
    wanted = [row.id for row in sorted(every, key=lambda row: (-row.changed.timestamp(), row.id))]
    assert len(wanted) == 60
    assert [row.id for row in every] == wanted
    assert parts == {most: wanted[:most] for most in parts}


@pytest.mark.parametrize("words", ["", "a"])
def test_a_group_counts_as_one_in_the_place_of_its_first_that_is_found(database: Database, words: str) -> None:
    """On a random store a folded list is the list of all rows, from which all of a group but the first are taken; those
    found follow it, and a shorter list cuts no group. One that a browser opened brings the others of its group.
    """
    chance = random.Random(words)
    groups = {f"{i:02}": chance.choice([None, None, "x", "y", "z"]) for i in range(30)}
    with database.writing() as connection:
        for id, group in groups.items():
            rows.comparison(connection, id, chance.choice("abc"), day=chance.randrange(9), group=group)
        search = Search(words)
        flat = listed(connection, replace(search, most=99)).rows
        wanted: dict[str, set[str]] = {}
        by: dict[str, object] = {}
        for row in flat:
            wanted.setdefault(row.group or row.id, set()).add(row.id)
            by.setdefault(row.group or row.id, row.changed)
        for most in (4, 99):
            folded = listed(connection, replace(search, folded=True, most=most))
            found: dict[str, set[str]] = {}
            for row in folded.rows:
                found.setdefault(row.group or row.id, set()).add(row.id)
            assert folded.total == len(wanted)
            assert len(folded.rows) == sum(map(len, found.values()))
            assert found == {unit: wanted[unit] for unit in found}
            # What is equal has no order here.
            assert [by[unit] for unit in found] == [by[unit] for unit in wanted][:most]
        first = next(id for id, group in groups.items() if group == "x")
        note_opened(connection, first, "me")
        mine = ids(listed(connection, Search(browser="me")))
    assert set(mine) == {id for id, group in groups.items() if group == "x"}


def test_a_list_leaves_out_what_was_deleted_and_what_others_opened(database: Database) -> None:
    """Deleted comparisons are in no list, and that of a browser has what it opened."""
    with database.writing() as connection:
        for id in ("plain", "mine"):
            rows.comparison(connection, id)
        rows.comparison(connection, "deleted", deleted=rows.START)
        connection.execute(sa.insert(SEEN).values(browser="me", comparison="mine", at=rows.START))
    with database.reading() as connection:
        assert ids(listed(connection, Search(browser="me"))) == ["mine"]
        assert set(ids(listed(connection, Search()))) == {"plain", "mine"}


def test_tags_are_words_that_can_be_seen(database: Database) -> None:
    """A tag has no blanks around it, is one whatever its letters' case, and an empty or a huge one is refused."""
    with database.writing() as connection:
        rows.comparison(connection, "1")
        assert journal.add_tag(connection, "1", "  Mobile \n search ")
        assert not journal.add_tag(connection, "1", "MOBILE search")
        for wrong in ("", " \t", "\u200b\u202e", "x" * 101, "\ufdfa" * 100):
            with pytest.raises(StoreError, match="A tag"):
                journal.add_tag(connection, "1", wrong)
        with pytest.raises(StoreError, match="no saved comparison"):
            journal.add_tag(connection, "2", "x")
        assert journal.tags_of(connection, ["1"]) == {"1": ("Mobile search",)}
        assert journal.all_tags(connection) == ("Mobile search",)
        assert journal.remove_tag(connection, "1", "mobile  SEARCH")
        assert not journal.remove_tag(connection, "1", "mobile search")
