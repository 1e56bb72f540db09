"""Per-query values beside a large comparison, so that it is opened without putting its lists in order.

They only save time: what is not there, or cannot be read, is computed again. The key of a table is a digest of
everything that its values are made of: the tables as they are stored, the edits in force, which model is A, the policy,
the program and the libraries that it computes with. Each comparison keeps only its newest table.
"""

from __future__ import annotations

import hashlib
import json
import platform
from functools import cache
from importlib.metadata import version
from pathlib import Path

import pyarrow as pa
import sqlalchemy as sa

from rankdash.case import Case, Role
from rankdash.scoring import PerQuery, without_further
from rankdash.store.database import Database
from rankdash.store.database.schema import BLOB, SCORED, insert_once, now
from rankdash.store.files import FileStore, table_of, written
from rankdash.store.inputs import is_unused, remove_files
from rankdash.store.journal.entry_checks import check_there
from rankdash.store.records import Saved, description_of, step_to_dict

#: The rows of both lists from which a table is kept: fewer are compared sooner than a file is written.
ROWS = 200_000
#: The tables that scoring reads. Texts, weights and votes of the queries are read by what follows it.
_READ: tuple[Role, ...] = ("a", "b", "judgments")
#: What it computes with: packages that it cannot be without.
_COMPUTES = ("numpy", "pyarrow")


def is_large(content: Case) -> bool:
    """Return whether a comparison is so large that a table is kept."""
    return sum(len(run.table) for run in content.runs or ()) >= ROWS


def key_of(saved: Saved) -> str:
    """Return the digest of everything that the per-query values of a comparison are made of."""
    tables, history = saved.content.tables, saved.state.history
    made_of = {
        "program": _program(),
        "tables": [
            (input.role, input.blob, description_of(tables[input.role]))
            for input in saved.inputs
            if input.role in _READ
        ],
        "swapped": saved.state.swapped,
        "edits": [step_to_dict(step) for step in history.steps[: history.position] if step.edits or step.reset],
        "policy": saved.state.policy.to_dict(),
    }
    return hashlib.sha256(json.dumps(made_of, sort_keys=True).encode()).hexdigest()


def kept(database: Database, files: FileStore, saved: Saved) -> PerQuery | None:
    """Return the table of a comparison as it is saved; None where none can be read."""
    with database.reading() as connection:
        of_key = sa.select(SCORED.c.blob).where(SCORED.c.key == key_of(saved)).distinct()
        blobs = list(connection.scalars(of_key))
    return next((table for blob in blobs if (table := _read(files, blob)) is not None), None)


def keep(database: Database, files: FileStore, saved: Saved, scored: PerQuery) -> None:
    """Write what is at hand of a table, in place of the table that was kept for the comparison."""
    table = without_further(scored)
    data = written(table.to_arrow(table.at_hand))
    blob, key, at = files.put(data), key_of(saved), now()
    of_comparison = SCORED.c.comparison == saved.id
    with database.reading() as connection:
        if connection.scalar(sa.select(SCORED.c.at).where(of_comparison, SCORED.c.key == key, SCORED.c.blob == blob)):
            return
    with database.writing() as connection:
        database.lock_files(connection, alone=True)
        check_there(connection, saved.id)
        files.restore(blob, data)
        insert_once(connection, BLOB, {"sha256": blob, "bytes": data.size, "created": at})
        before = connection.scalar(sa.select(SCORED.c.blob).where(of_comparison)) or ""
        connection.execute(sa.delete(SCORED).where(of_comparison))
        connection.execute(sa.insert(SCORED).values(comparison=saved.id, key=key, blob=blob, at=at))
        is_gone = connection.execute(sa.delete(BLOB).where(BLOB.c.sha256 == before, is_unused())).rowcount
    if is_gone:
        remove_files(database, files, [before])


def _read(files: FileStore, blob: str) -> PerQuery | None:
    data = files.get(blob)
    if data is None or hashlib.sha256(data).hexdigest() != blob:
        return None
    try:
        return PerQuery.from_arrow(table_of(data), in_part=True)
    except (ValueError, LookupError, TypeError, pa.ArrowException):
        return None


@cache
def _program() -> str:
    """Return the digest of the program's text and of the versions of what it computes with: either can change a last
    bit.
    """
    digest = hashlib.sha256(repr((platform.python_version(), platform.machine())).encode())
    for name in _COMPUTES:
        digest.update(f"{name} {version(name)}\n".encode())
    folder = Path(__file__).parents[1]
    for path in sorted(folder.rglob("*.py")):
        text = path.read_bytes()
        digest.update(f"{path.relative_to(folder).as_posix()} {len(text)}\n".encode() + text)
    return digest.hexdigest()
