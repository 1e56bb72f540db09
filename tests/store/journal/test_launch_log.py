"""The launch log as CSV."""

import csv
import io
from pathlib import Path

import pytest
import sqlalchemy as sa

from rankdash.store.database import COMPARISON, REVISION, Database
from rankdash.store.journal import Decided, Observed, Since, observations, record_decision, record_observed
from rankdash.store.listing import COLUMNS, launch_log, logged
from tests.store.journal import rows


def prepare(database: Database) -> Database:
    """A database with three decisions on two comparisons."""
    with database.writing() as connection:
        rows.comparison(connection, "1", "=HYPERLINK(1)", a="+a", b="b\nsecond line")
        rows.comparison(connection, "2", 'say "so", twice')
        rows.comparison(connection, "gone", "Gone", deleted=rows.START)
        record_decision(connection, "1", Decided("launch", "@Kim", "-1 against all"), rows.result("WORSE", delta=-0.1))
        record_decision(connection, "2", Decided("postponed", "Lee"), rows.result(delta=None))
        record_decision(connection, "1", Decided("no_launch", "Kim"), rows.result("WORSE", delta=-0.2))
    return database


database = pytest.fixture(prepare, name="database")


def read(data: bytes) -> list[dict[str, str]]:
    """The rows of a CSV file."""
    return list(csv.DictReader(io.StringIO(data.decode(), newline="")))


def test_the_launch_log_has_every_decision_with_its_verdict(database: Database) -> None:
    """Oldest first, corrections included, each with the verdict as computed; what is not known is empty."""
    with database.reading() as connection:
        found = read(launch_log(connection))
    assert list(found[0])[: len(COLUMNS)] == list(COLUMNS)
    assert [(row["comparison"], row["choice"], row["in_force"]) for row in found] == [
        ("1", "launch", "no"),
        ("2", "postponed", "yes"),
        ("1", "no_launch", "yes"),
    ]
    assert [row["delta"] for row in found] == ["-0.1", "", "-0.2"]
    assert (found[0]["verdict"], found[0]["measure"], found[0]["n"]) == ("WORSE", "nDCG@10", "50")
    assert found[1]["name"] == 'say "so", twice'
    assert {row["online_metric"] for row in found} == {""}


def test_no_cell_of_the_launch_log_is_a_formula(database: Database) -> None:
    """Names, reasons and sentences that begin like a formula have an apostrophe in front, and the row says so."""
    with database.writing() as connection:
        record_observed(connection, "1", Observed("=CTR", "+Kim", -0.2))
        found = read(launch_log(connection))
    texts = [value for row in found for name, value in row.items() if COLUMNS.get(name) == COLUMNS["name"]]
    assert not [text for text in texts if text.startswith(("=", "+", "-", "@", "\t", "\r"))]
    assert (found[0]["name"], found[0]["by"], found[0]["reason"]) == ("'=HYPERLINK(1)", "'@Kim", "'-1 against all")
    assert (found[0]["online_metric"], found[0]["online_delta"]) == ("'=CTR", "-0.2")
    assert found[0]["b"] == "b\nsecond line"
    assert found[0]["disarmed"] == "yes"


def test_an_empty_launch_log_has_its_headings(tmp_path: Path) -> None:
    """Without decisions there is the line of the headings."""
    with Database(f"sqlite:///{tmp_path / 'empty.sqlite'}").reading() as connection:
        assert launch_log(connection).decode().strip().replace('"', "").split(",") == list(COLUMNS)


def test_a_line_has_both_differences_and_the_decision_in_force(database: Database) -> None:
    """Of a comparison the last decision is in force, with its newest online test; other browsers see none of it."""
    with database.writing() as connection:
        for id in ("1", "2"):
            record_observed(connection, id, Observed("CTR", "Kim", 0.5))
            record_observed(connection, id, Observed("CTR", "Kim", -0.01))
        (found,) = (line for line in logged(connection) if line.is_in_force and line.decision.comparison == "1")
        decision, online = found.decision, found.online
        assert (decision.comparison, decision.choice, decision.verdict["delta"]) == ("1", "no_launch", -0.2)
        assert online == Observed("CTR", "Kim", -0.01)
        assert logged(connection, browser="nobody") == ()
        assert read(launch_log(connection, browser="nobody")) == []


def of_lists(database: Database, id: str, number: int, *lists: str) -> None:
    """Gives a comparison a further revision with these lists of A and B."""
    with database.writing() as connection:
        about = {"model_a": lists[0], "model_b": lists[1], "baseline": lists[0], "candidate": lists[1]}
        connection.execute(sa.insert(REVISION), rows.revision(id, number) | about)
        connection.execute(sa.update(COMPARISON).where(COMPARISON.c.id == id).values(head=number))


def test_what_was_seen_online_is_beside_the_decision_that_it_is_about(tmp_path: Path) -> None:
    """An online difference of B and A exchanged is turned around in the line of a decision; one of other lists is not
    beside it, and an earlier one of these lists is.
    """
    database = Database(f"sqlite:///{tmp_path / 'store.sqlite'}")
    with database.writing() as connection:
        rows.comparison(connection, "1")
    for number, lists in ((2, "xy"), (3, "yx"), (4, "xz")):
        of_lists(database, "1", number, *lists)
    online = []
    with database.writing() as connection:
        for number in (2, 3):
            record_decision(connection, "1", Decided("launch", "Kim"), rows.result(revision=number))
        for number, delta in ((2, 0.5), (3, 0.1), (4, 0.9)):
            record_observed(connection, "1", Observed("CTR", "Kim", delta), number)
            found = [one.online for one in logged(connection)]
            online.append([None if one is None else one.delta for one in found])
    assert online[0] == [0.5, -0.5]
    assert online[1] == online[2] == [-0.1, 0.1]
    with database.reading() as connection:
        names = [(one.subject.model_a, one.subject.model_b, one.since) for one in observations(connection, "1")]
    assert names == [("x", "z", Since.SAME), ("y", "x", Since.REPLACED), ("x", "y", Since.REPLACED)]
