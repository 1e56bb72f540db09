"""What is deleted is erased a day later: rows first, then the files that nothing else uses.

A kill in between leaves files that no row names; the next sweep removes them. A file that was just written, and that no
row names yet, is left for a day. What was decided stays on record, with the browsers that may read it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from datetime import datetime, timedelta
from functools import partial

import sqlalchemy as sa

from rankdash.store.database import Database
from rankdash.store.database.clocks import clock, was_set
from rankdash.store.database.schema import BLOB, COMPARISON, DECISION, SEEN, STEP, now
from rankdash.store.errors import DiskFullError
from rankdash.store.files import FileStore, Stored
from rankdash.store.records import Disk
from rankdash.store.revisions import HALF_ERASED
from rankdash.store.scored import is_unused

#: How long a deleted comparison can be brought back.
KEPT = timedelta(days=1)
#: Edits that are erased at once on a full disk.
_PIECE = 100


def is_due(database: Database) -> bool:
    """Return whether there is a comparison that was deleted so long ago that it is erased."""
    with database.reading() as connection:
        return bool(_deleted(connection, KEPT))


def is_left_over(database: Database, files: FileStore) -> bool:
    """Return whether a writer or a sweep that was killed has left a file in a folder that nothing uses, or an
    unfinished file; what was written less than a day ago may be in use. Storage elsewhere is not searched, for that
    takes long.
    """
    if not files.is_local:
        return False
    with database.reading() as connection:
        if connection.scalar(sa.select(BLOB.c.sha256).where(is_unused()).limit(1)):
            return True
        named = _named_files(connection)
    return any(_left_over(files, named, now() - KEPT))


def sweep(database: Database, files: FileStore, older_than: timedelta) -> int:
    """Erase comparisons that were deleted before, and files without use. Return how many comparisons that were."""
    before = now() - older_than
    with database.reading() as connection:
        ids = _deleted(connection, older_than)
    try:
        _erase(database, ids)
        _remove_unused(database, files, before)
    except DiskFullError:
        _erase_singly(database, files, ids, before)
    database.forget()
    return len(ids)


def _deleted(connection: sa.Connection, older_than: timedelta) -> list[str]:
    """Return the comparisons that were deleted at least so long ago; a clock that was set since then counts for
    nothing.
    """
    at = now()
    ticks = clock(at)
    query = sa.select(COMPARISON.c.id, COMPARISON.c.deleted, COMPARISON.c.deleted_clock)
    rows = connection.execute(query.where(COMPARISON.c.deleted.is_not(None)))
    return [id for id, deleted, then in rows if at - deleted - was_set(then, ticks) >= older_than]


def _erase(database: Database, ids: Sequence[str]) -> None:
    """Erase those that are still deleted: somebody may have brought one back meanwhile."""
    with database.writing() as connection:
        for id in ids:
            own = (COMPARISON.c.id == id, COMPARISON.c.deleted.is_not(None))
            connection.execute(sa.delete(COMPARISON).where(*own))
        comparisons = sa.select(COMPARISON.c.id).union(sa.select(DECISION.c.comparison))
        connection.execute(sa.delete(SEEN).where(SEEN.c.comparison.not_in(comparisons)))


def _erase_singly(database: Database, files: FileStore, ids: Sequence[str], before: datetime) -> None:
    """Erase on a full disk: comparison after comparison, and the edits of each piece by piece, so that what is written
    fits into the space that is kept for it.
    """
    for id in ids:
        while database.despite_full_disk(partial(_erased_steps, database, id)):
            database.despite_full_disk(database.shorten_log)
        database.despite_full_disk(partial(_erase, database, [id]))
        database.despite_full_disk(database.shorten_log)
        database.despite_full_disk(partial(_remove_unused, database, files, before))
    database.despite_full_disk(partial(_remove_unused, database, files, before))


def _erased_steps(database: Database, id: str) -> int:
    """Return how many edits were erased now; from here on nobody brings the comparison back."""
    own = (COMPARISON.c.id == id, COMPARISON.c.deleted.is_not(None))
    some = sa.select(STEP.c.id).where(STEP.c.comparison == id).limit(_PIECE)
    with database.writing() as connection:
        if not connection.execute(sa.update(COMPARISON).where(*own).values(deleted=HALF_ERASED)).rowcount:
            return 0
        return connection.execute(sa.delete(STEP).where(STEP.c.id.in_(some))).rowcount


def _remove_unused(database: Database, files: FileStore, before: datetime) -> None:
    with database.writing() as connection:
        database.lock_files(connection, alone=True)
        unused = set(connection.scalars(sa.select(BLOB.c.sha256).where(is_unused())))
        for sha256 in sorted(unused):
            files.remove(sha256)
        for file in _left_over(files, _named_files(connection), before):
            files.remove_stored(file)
        connection.execute(sa.delete(BLOB).where(BLOB.c.sha256.in_(unused)))


def _named_files(connection: sa.Connection) -> set[str]:
    """Return the names of the files that have a row."""
    return set(connection.scalars(sa.select(BLOB.c.sha256)))


def _left_over(files: FileStore, named: Collection[str], before: datetime) -> Iterator[Stored]:
    """Yield the files that no row names, unfinished ones too, which were written before."""
    return (file for file in files.listed() if file.sha256 not in named and file.written <= before)


def disk(database: Database, files: FileStore) -> Disk:
    """Return how much space comparisons take."""
    with database.reading() as connection:
        every = connection.scalar(sa.select(sa.func.count()).select_from(COMPARISON)) or 0
        deleted = connection.scalar(sa.select(sa.func.count()).where(COMPARISON.c.deleted.is_not(None))) or 0
    sizes = [file.bytes for file in files.listed() if file.sha256]
    return Disk(every - deleted, deleted, len(sizes), sum(sizes), database.bytes())
