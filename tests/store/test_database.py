"""The database: its schema is made once, by whoever comes first, and has a number; the commands of docs/saved.md do
what it says.
"""

import os
import re
import sqlite3
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from datetime import timedelta
from pathlib import Path

import pytest
import sqlalchemy as sa

from rankdash.store import Settings, State, Store, StoreError, database as db
from rankdash.store.database import Database
from tests.store.promises import content, reopened


def url(folder: Path) -> str:
    """A database in a folder."""
    return f"sqlite:///{folder}/x.sqlite"


def test_what_is_committed_is_on_the_disk(tmp_path: Path) -> None:
    """WAL, every commit synced, foreign keys checked."""
    with Database(url(tmp_path)).reading() as connection:
        asked = [connection.exec_driver_sql(f"PRAGMA {name}").scalar() for name in PRAGMAS]
    assert dict(zip(PRAGMAS, asked, strict=True)) == PRAGMAS


PRAGMAS = {"journal_mode": "wal", "synchronous": 2, "foreign_keys": 1, "secure_delete": 1}


def test_files_are_for_their_user_alone_whatever_the_folder(tmp_path: Path) -> None:
    """In a folder that everybody may enter, with no mask: the database, its log, the tables, what is kept beside them
    are read by their user alone, and folders that are made are entered by him alone.
    """
    before = os.umask(0)
    try:
        tmp_path.chmod(0o755)
        store = Store.open(Settings(tmp_path))
        store.delete(store.create(content(), State("x")).id)
        files = Settings(tmp_path, f"sqlite:///{tmp_path}/a/b/elsewhere.sqlite", str(tmp_path / "c" / "tables"))
        Store.open(files).create(content(), State("x"))
    finally:
        os.umask(before)
    modes = {path.name: path.stat().st_mode & 0o777 for path in tmp_path.rglob("*") if path.is_file()}
    assert {"rankdash.sqlite", "rankdash.sqlite-wal", "rankdash.sqlite-shm", "elsewhere.sqlite"} < modes.keys()
    assert set(modes.values()) == {0o600}
    assert {path.stat().st_mode & 0o777 for path in tmp_path.rglob("*") if path.is_dir()} == {0o700}


def test_a_database_that_is_locked_is_told_in_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Who waits longer for another writer than he has patience, 10 s, is told that it is in use."""
    assert db.PATIENCE == 10
    monkeypatch.setattr(db, "PATIENCE", 0.3)
    database, other = (Database(f"sqlite:///{tmp_path}/x.sqlite") for _ in range(2))
    with database.writing(), pytest.raises(StoreError, match="in use by somebody else"), other.writing():
        pass


def test_what_is_erased_is_not_left_in_the_file(tmp_path: Path) -> None:
    """After a comparison is erased, no file in the folder holds its name or its tables any more."""
    store = Store.open(Settings(tmp_path / "home"))
    saved = store.create(content(), State("a name that nobody else has"))
    store.delete(saved.id)
    held = [path for path in (tmp_path / "home").rglob("*") if path.is_file() and b"nobody else" in path.read_bytes()]
    assert held
    store.expire(timedelta(0))
    left = [path for path in (tmp_path / "home").rglob("*") if path.is_file()]
    assert {path.suffix for path in left} == {"", ".sqlite", ".sqlite-wal", ".sqlite-shm"}
    assert not [path for path in left if b"nobody else" in path.read_bytes()]


def test_what_was_deleted_a_day_ago_is_erased_by_itself(tmp_path: Path) -> None:
    """With the next comparison saved, what was deleted a day ago is gone."""
    store = Store.open(Settings(tmp_path / "home"))
    saved, other = (store.create(content(), State(name)) for name in "xy")
    store.delete(saved.id)
    store.delete(other.id)
    with store.database.writing() as connection:
        day = sa.text("UPDATE comparison SET deleted = '2026-01-01T00:00:00.000000+00:00' WHERE id = :id")
        connection.execute(day, {"id": saved.id})
    store.create(content(), State("z"))
    with pytest.raises(StoreError, match="cannot be brought back"):
        store.undelete(saved.id)
    store.undelete(other.id)


def test_threads_that_come_first_together_make_one_schema(tmp_path: Path) -> None:
    """Eight threads open a database that does not exist; all get it."""
    with ThreadPoolExecutor(8) as several:
        found = list(several.map(lambda _: Database(url(tmp_path)), range(8)))
    assert len(found) == 8
    with found[0].reading() as connection:
        assert connection.exec_driver_sql("SELECT schema FROM store").scalars().all() == [db.NUMBER]


@pytest.mark.parametrize(("number", "word"), [(db.NUMBER + 1, "newer"), (db.NUMBER - 1, "older")])
def test_a_store_of_another_version_is_refused_and_left(number: int, word: str, tmp_path: Path) -> None:
    """A schema with another number is neither opened nor, where it changes under an open store, read or written: the
    sentence says whether it is newer or older, and nothing is changed.
    """
    settings = Settings(tmp_path / "home")
    store = Store.open(settings)
    saved = store.create(content(), State("x"))
    with store.database.writing() as connection:
        connection.execute(sa.update(db.STORE).values(schema=number))
    opened = lambda: Database(f"sqlite:///{tmp_path}/home/rankdash.sqlite")  # noqa: E731
    for call in (lambda: store.load(saved.id), lambda: store.delete(saved.id), opened):
        with pytest.raises(StoreError, match=rf"are {word} than this rankdash"):
            call()
    with closing(sqlite3.connect(tmp_path / "home" / "rankdash.sqlite")) as connection:
        assert connection.execute("SELECT schema FROM store").fetchall() == [(number,)]
        assert connection.execute("SELECT deleted FROM comparison").fetchall() == [(None,)]


def test_upgrade_adds_what_is_missing_after_a_copy(tmp_path: Path) -> None:
    """A store whose schema lacks a table and columns is copied, and then has all of them, with its rows; what is
    neither older nor there is left.
    """
    settings = Settings(tmp_path / "home")
    store = Store.open(settings)
    saved = store.create(content(), State("x"))
    file = tmp_path / "home" / "rankdash.sqlite"
    store.database.close()
    with closing(sqlite3.connect(file)) as connection:
        connection.executescript(
            'DROP TABLE tag; DROP INDEX ix_comparison_group; ALTER TABLE comparison DROP COLUMN "group"; '
            "ALTER TABLE result DROP COLUMN delta; UPDATE store SET schema = 0"
        )
    before = _tables(file)
    Store.upgrade(settings)
    assert _tables(file) == {
        table.name: {column.name for column in table.columns} for table in db.METADATA.tables.values()
    }
    assert [_tables(copy) for copy in file.parent.glob("rankdash.sqlite.schema-0-*")] == [before]
    again = Store(Database(f"sqlite:///{file}"), store.files)
    assert (again.load(saved.id).state, again.tag(saved.id, "new")) == (State("x"), True)
    Store.upgrade(settings)
    assert len(list(file.parent.glob("rankdash.sqlite.schema-*"))) == 1
    with pytest.raises(StoreError):
        Store.upgrade(Settings(tmp_path / "nothing"))
    assert not (tmp_path / "nothing").exists()


def _tables(file: Path) -> dict[str, set[str]]:
    """The tables of a database and their columns."""
    with closing(sqlite3.connect(file)) as connection:
        names = [name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        return {name: {row[1] for row in connection.execute(f'PRAGMA table_info("{name}")')} for name in names}


def test_a_database_is_one_whatever_folder_a_program_changes_to(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A relative path of a database counts from where it was opened."""
    monkeypatch.chdir(tmp_path)
    database = Database("sqlite:///x.sqlite")
    database.close()
    (tmp_path / "below").mkdir()
    monkeypatch.chdir(tmp_path / "below")
    with database.reading() as connection:
        assert connection.exec_driver_sql("SELECT count(*) FROM comparison").scalar() == 0
    assert not list((tmp_path / "below").iterdir())


def test_times_have_one_width_and_text_is_always_storable(tmp_path: Path) -> None:
    """Times sort as text; NUL and lone surrogates in a name are exchanged for a mark, not refused."""
    store = Store.open(Settings(tmp_path / "home"))
    store.create(content(), State("a\0b\ud800c"))
    with store.database.reading() as connection:
        row = connection.exec_driver_sql("SELECT name, created FROM comparison").one()
    assert row.name == "a\ufffdb\ufffdc"
    assert len(row.created) == len("2026-01-01T00:00:00.000000+00:00")


DOC = Path(__file__).parents[2] / "docs" / "saved.md"


def test_a_backup_that_is_restored_is_the_store_as_it_was(tmp_path: Path) -> None:
    """Each command of docs/saved.md is run in order, the backup from a store in use; what was saved later and a file
    without a comparison are gone after it, and everything else is there. A store of a newer version goes back by it.
    """
    _, backup, restore, upgrade, roll_back = re.findall(r"```sh\n(.*?)```", DOC.read_text("utf-8"), re.DOTALL)
    home = tmp_path / "home"
    store = Store.open(Settings(home))
    saved = store.create(content(), State("before"))
    left = Path(store.files.path("0" * 64))
    left.parent.mkdir(exist_ok=True)
    left.write_bytes(b"x")
    run(backup, home)
    store.delete(saved.id)
    store.create(content(), State("after"))
    store.database.close()
    told = run(restore + upgrade, home)
    assert "before" in told
    assert "after" not in told
    again = Store.open(Settings(tmp_path / "home", database=f"sqlite:///{home}/rankdash.sqlite"))
    assert reopened(again, saved).content == saved.content
    assert not left.exists()
    assert len(list(again.files.listed())) == len(saved.inputs)
    again.database.close()
    with closing(sqlite3.connect(home / "rankdash.sqlite")) as newer, newer:
        newer.execute("UPDATE store SET schema = schema + 1")
    assert "newer" in run("rankdash list 2>&1 || test $? = 2", home)
    assert "before" in run(roll_back, home)


def test_each_night_leaves_the_backups_of_a_month(tmp_path: Path) -> None:
    """What the unit runs after a backup removes older ones, and nothing else."""
    (command,) = re.findall(r"(?m)^ExecStartPost=(.*)$", DOC.read_text("utf-8"))
    for name, days in {"backup-old": 40, "backup-new": 2, "store": 40}.items():
        (tmp_path / name / "files").mkdir(parents=True)
        os.utime(tmp_path / name, (tmp_path.stat().st_mtime - days * 86_400,) * 2)
    run(command.replace("/var/lib/rankdash", str(tmp_path)), tmp_path / "home")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["backup-new", "store"]


def run(commands: str, home: Path) -> str:
    """What commands print, each of which has to succeed."""
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    own = {name: value for name, value in os.environ.items() if not name.startswith("RANKDASH_")}
    environment = own | {"PATH": path, "RANKDASH_HOME": str(home)}
    done = subprocess.run(
        ["sh", "-e", "-c", commands], cwd=home.parent, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout
