"""What is deleted is erased a day later, with the next comparison that is saved or deleted.

The transaction that erases the last comparison with a file erases the row of the file; the file itself is removed after
it, under the lock that whoever writes files takes. A kill in between leaves a file without a row, and so does one of a
writer: these are removed by ``clean`` alone. What was decided stays on record, with the browsers that may read it.
"""

from __future__ import annotations

from datetime import timedelta

import sqlalchemy as sa

from rankdash.store.database import Database
from rankdash.store.database.clocks import clock, was_set
from rankdash.store.database.schema import BLOB, COMPARISON, DECISION, SEEN, now
from rankdash.store.files import FileStore
from rankdash.store.inputs import is_unused, named_files, remove_files

#: How long a deleted comparison can be brought back.
KEPT = timedelta(days=1)


def expire(database: Database, files: FileStore, older_than: timedelta = KEPT) -> int:
    """Erase the comparisons that were deleted so long ago. Return how many these were."""
    with database.reading() as connection:
        ids = _deleted(connection, older_than)
    if not ids:
        return 0
    with database.writing() as connection:
        database.lock_files(connection, alone=True)
        files.check_id()
        for id in ids:  # somebody may have brought one back meanwhile
            own = (COMPARISON.c.id == id, COMPARISON.c.deleted.is_not(None))
            connection.execute(sa.delete(COMPARISON).where(*own))
        comparisons = sa.select(COMPARISON.c.id).union(sa.select(DECISION.c.comparison))
        connection.execute(sa.delete(SEEN).where(SEEN.c.comparison.not_in(comparisons)))
        unused = set(connection.scalars(sa.delete(BLOB).where(is_unused()).returning(BLOB.c.sha256)))
    remove_files(database, files, unused)
    if database.is_sqlite:
        database.shorten_log()  # it still holds what was erased
    return len(ids)


def clean(database: Database, files: FileStore) -> tuple[int, int]:
    """Remove the files that no row names, and unfinished ones a day after they were written. Return how many, and
    their bytes.
    """
    with database.writing() as connection:
        database.lock_files(connection, alone=True)
        named, before = named_files(connection), now() - KEPT
        left = [
            file
            for file in files.listed()
            if (file.sha256 and file.sha256 not in named) or (not file.sha256 and file.written <= before)
        ]
        files.remove(file.path for file in left)
    return len(left), sum(file.bytes for file in left)


def _deleted(connection: sa.Connection, older_than: timedelta) -> list[str]:
    """Return the comparisons that were deleted at least so long ago; a clock that was set since then counts for
    nothing.
    """
    at = now()
    ticks = clock(at)
    query = sa.select(COMPARISON.c.id, COMPARISON.c.deleted, COMPARISON.c.deleted_clock)
    rows = connection.execute(query.where(COMPARISON.c.deleted.is_not(None)))
    return [id for id, deleted, then in rows if at - deleted - was_set(then, ticks) >= older_than]
