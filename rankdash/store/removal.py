"""What is deleted is erased a day later: rows first, then the files that nothing else uses.

A kill in between leaves files that no row names; the next sweep removes them. A file that was just written, and that no
row names yet, is left for a day. What was decided stays on record, with the browsers that may read it.
"""

from __future__ import annotations

from datetime import datetime, timedelta

import sqlalchemy as sa

from rankdash.store.database import Database
from rankdash.store.database.clocks import clock, was_set
from rankdash.store.database.schema import BLOB, COMPARISON, DECISION, SEEN, now
from rankdash.store.files import Files
from rankdash.store.records import Disk
from rankdash.store.scored import is_unused

#: How long a deleted comparison can be brought back.
KEPT = timedelta(days=1)


def is_due(database: Database) -> bool:
    """Whether there is a comparison that was deleted so long ago that it is erased."""
    with database.reading() as connection:
        return bool(_deleted(connection, KEPT))


def sweep(database: Database, files: Files, older_than: timedelta) -> int:
    """Erases comparisons that were deleted before, and files without use; how many comparisons that were."""
    before = now() - older_than
    with database.writing() as connection:
        erased = _deleted(connection, older_than)
        for id in erased:
            connection.execute(sa.delete(COMPARISON).where(COMPARISON.c.id == id))
        known = sa.select(COMPARISON.c.id).union(sa.select(DECISION.c.comparison))
        connection.execute(sa.delete(SEEN).where(SEEN.c.comparison.not_in(known)))
    with database.writing() as connection:
        database.lock_files(connection, alone=True)
        _remove_unused(connection, files, before)
    files.remove_unfinished(before)
    database.forget()
    return len(erased)


def _deleted(connection: sa.Connection, older_than: timedelta) -> list[str]:
    """The comparisons that were deleted at least so long ago; a clock that was set since then counts for nothing."""
    at = now()
    ticks = clock(at)
    asked = sa.select(COMPARISON.c.id, COMPARISON.c.deleted, COMPARISON.c.deleted_clock)
    rows = connection.execute(asked.where(COMPARISON.c.deleted.is_not(None)))
    return [id for id, deleted, then in rows if at - deleted - was_set(then, ticks) >= older_than]


def _remove_unused(connection: sa.Connection, files: Files, before: datetime) -> None:
    unused = set(connection.scalars(sa.select(BLOB.c.sha256).where(is_unused())))
    known = set(connection.scalars(sa.select(BLOB.c.sha256)))
    nobodys = {one.sha256 for one in files.listed() if one.sha256 not in known and one.written <= before}
    for sha256 in sorted(unused | nobodys):
        files.remove(sha256)
    connection.execute(sa.delete(BLOB).where(BLOB.c.sha256.in_(unused)))


def disk(database: Database, files: Files) -> Disk:
    """How much space comparisons take."""
    with database.reading() as connection:
        every = connection.scalar(sa.select(sa.func.count()).select_from(COMPARISON)) or 0
        deleted = connection.scalar(sa.select(sa.func.count()).where(COMPARISON.c.deleted.is_not(None))) or 0
    sizes = [one.bytes for one in files.listed()]
    return Disk(every - deleted, deleted, len(sizes), sum(sizes), database.bytes())
