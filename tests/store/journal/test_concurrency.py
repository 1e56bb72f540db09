"""Several writers at once: nothing that was written is lost, and nothing is counted twice."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import sqlalchemy as sa

from rankdash.store import journal
from rankdash.store.database import LOOK, Database
from tests.store.journal import rows

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
