"""Whatever database and files are put together, nothing is erased, and where they do not belong together, or are of
another version, nothing is written.
"""

import hashlib
import os
import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing, suppress
from datetime import timedelta
from itertools import product
from pathlib import Path
from typing import Any

import pytest

import rankdash as rd
from rankdash.__main__ import main
from rankdash.cli import saved as cli_saved
from rankdash.dashboard.navigation import PAGES
from rankdash.dashboard.session import saving
from rankdash.store import Settings, State, Store, StoreError, comparisons
from tests.dashboard.test_pages import verdict_page
from tests.long import every
from tests.store.promises import content, files_of

DATABASES, FILES = ("right", "empty", "missing", "older", "foreign"), ("right", "foreign", "empty")
#: The pairs that are one store, or none yet.
TOGETHER = {("right", "right"), ("foreign", "foreign"), ("empty", "empty"), ("missing", "empty")}
#: Of these the comparisons can be read, also where only the database is there.
READABLE = {("right", "right"), ("right", "foreign"), ("right", "empty"), ("foreign", "right"), ("foreign", "empty")}


@pytest.fixture(scope="module")
def stores(tmp_path_factory: pytest.TempPathFactory) -> dict[str, tuple[Path, str]]:
    """Two stores with a comparison each, and what is left of one of rankdash 0.3: folders, and ids of comparisons."""
    made = {}
    for name in ("right", "foreign"):
        home = tmp_path_factory.mktemp(name)
        store = Store.open(Settings(home))
        made[name] = home, store.create(content(), State(name)).id
        if name == "foreign":
            store.create(content().with_tables(a=rd.read_run({"q1": {"d9": 1.0}})), State("more"))
        store.database.close()
    old = tmp_path_factory.mktemp("older")
    with closing(sqlite3.connect(old / "rankdash.sqlite")) as connection:
        connection.executescript("CREATE TABLE alembic_version (version_num); CREATE TABLE comparison (id)")
    return made | {"older": (old, "0" * 32)}


def put_together(home: Path, database: str, files: str, stores: dict[str, tuple[Path, str]]) -> None:
    """A folder with the database of one store and the files of another, all of them three days old."""
    home.mkdir()
    if database == "empty":
        (home / "rankdash.sqlite").touch()
    elif database != "missing":
        shutil.copy(stores[database][0] / "rankdash.sqlite", home)
    if files != "empty":
        shutil.copytree(stores[files][0] / "files", home / "files")
    for path in home.rglob("*"):
        os.utime(path, (0, 0))


def held(home: Path) -> dict[str, str]:
    """What lies in a folder: names, and digests of bytes. What only SQLite needs meanwhile is not counted."""
    return {
        str(path.relative_to(home)): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in home.rglob("*")
        if path.is_file() and not path.name.endswith(("-wal", "-shm"))
    }


def _pages(id: str) -> None:
    at = verdict_page(id)
    for page in PAGES:
        at.switch_page(page.script).run()


def _api(id: str) -> None:
    for call in (lambda: rd.load(id), lambda: rd.save(rd.load(id))):
        with suppress(StoreError, rd.ComparisonError, OSError, ValueError):
            call()


#: Everything that opens a store, and what it returns where nothing is wrong; None: nothing.
DOORS: dict[str, Callable[[str], Any]] = {
    "list": lambda _: main(["list"]),
    "save": lambda _: main(["save", "a.trec", "b.trec", "-q", "q.txt"]),
    "open files": lambda _: main(["open", "a.trec", "b.trec", "-q", "q.txt"]),
    "open": lambda id: main(["open", id]),
    "report": lambda id: main(["report", id, "-o", "report.md"]),
    "clean": lambda _: main(["clean"]),
    "upgrade": lambda _: main(["upgrade"]),
    "python": _api,
    "pages": _pages,
}
READS, WRITES = {"list", "open", "report"}, {"save", "open files", "clean"}


@pytest.mark.parametrize(
    ("door", "database", "files"),
    [
        *product([door for door in DOORS if door != "pages"], DATABASES, FILES),
        *every(4, product(["pages"], DATABASES, FILES)),
    ],
)
def test_nothing_is_erased_whatever_is_put_together(
    door: str,
    database: str,
    files: str,
    stores: dict[str, tuple[Path, str]],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Each command and page leaves what is there as it is; where database and files are not of one store it adds
    nothing either, reads what can be read, and refuses the rest.
    """
    home = tmp_path / "home"
    put_together(home, database, files, stores)
    monkeypatch.setenv("RANKDASH_STORE", "on")
    monkeypatch.setenv("RANKDASH_HOME", str(home))
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(cli_saved, "open_dashboard", lambda *_: 0)
    (tmp_path / "a.trec").write_text("q1 Q0 d1 1 2 a\nq1 Q0 d2 2 1 a\n")
    (tmp_path / "b.trec").write_text("q1 Q0 d2 1 2 b\nq1 Q0 d1 2 1 b\n")
    (tmp_path / "q.txt").write_text("q1 0 d1 1\nq1 0 d2 0\n")
    before = held(home)
    status = DOORS[door](stores.get(database, stores["right"])[1])
    after = held(home)
    if (database, files) not in TOGETHER:
        assert after == before
        assert door not in WRITES or status == 2
        assert door != "list" or status == (0 if (database, files) in READABLE else 2)
    else:
        lost = {name: digest for name, digest in before.items() if after.get(name) != digest}
        assert lost.keys() <= {"rankdash.sqlite"}
        assert door not in {"list", *WRITES} or status == 0
    _forget(home)


def _forget(home: Path) -> None:
    """Close what is open, so that the next test begins anew."""
    saving._failed.clear()
    if store := comparisons._OPENED.pop(Settings.from_environment(), None):
        store.database.close()


def test_what_belongs_to_another_store_can_be_read(stores: dict[str, tuple[Path, str]], tmp_path: Path) -> None:
    """With the files of another store, comparisons are listed and those opened whose tables are there; saving and
    deleting are refused, and so is all of it with the id exchanged under an open store.
    """
    put_together(tmp_path / "home", "right", "foreign", stores)
    store = Store.open(Settings(tmp_path / "home"))
    saved = store.load(stores["right"][1])
    assert [row.name for row in store.listed().rows] == ["right"]
    assert store.refusal
    calls: list[Callable[[], object]] = [
        lambda: store.create(content(), State("x")),
        lambda: store.delete(saved.id),
        lambda: store.save(saved, State("y")),
        store.clean,
    ]
    for call in calls:
        with pytest.raises(StoreError):
            call()
    put_together(tmp_path / "other", "right", "right", stores)
    store = Store.open(Settings(tmp_path / "other"))
    count = files_of(store)
    (tmp_path / "other" / "files" / "rankdash-store").write_text("0" * 32)
    store.delete(stores["right"][1])
    new = content().with_tables(a=rd.read_run({"q1": {"d7": 1.0}}))
    for call in (lambda: store.expire(timedelta(0)), lambda: store.create(new, State("x")), store.clean):
        with pytest.raises(StoreError):
            call()
    assert files_of(store) == count
    store.undelete(stores["right"][1])
    assert store.listed().total == 1


def test_clean_removes_what_no_comparison_has(tmp_path: Path) -> None:
    """A file without a row goes at once; an unfinished one, which somebody may be writing, after a day; others stay."""
    store = Store.open(Settings(tmp_path))
    saved = store.create(content(), State("x"))
    place = Path(store.files.path("0" * 64))
    place.parent.mkdir(exist_ok=True)
    place.write_bytes(b"left by a writer")
    new, old, other = (place.with_name(name) for name in (".new.unfinished", ".old.unfinished", "notes.txt"))
    for path in (new, old, other):
        path.write_bytes(b"x")
    os.utime(old, (0, 0))
    assert store.clean() == (2, 17)
    assert (place.exists(), old.exists(), new.exists(), other.exists()) == (False, False, True, True)
    assert Store(store.database, store.files).load(saved.id).content == saved.content
