"""A store that cannot be used says in a sentence what is kept and what to do, and what was open goes on in memory."""

import os
import shutil
import subprocess
import sys
import tempfile
import traceback
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
import sqlalchemy as sa

import rankdash as rd
from rankdash.store import Saved, Settings, State, Store, StoreError, comparison_of
from tests.long import every
from tests.store.promises import content, reopened
from tests.strings.test_addresses import FORMS


@pytest.fixture
def store(tmp_path: Path) -> Store:
    """A store in a folder."""
    return Store.open(Settings(tmp_path / "home"))


def says(call: Callable[[], object]) -> str:
    """The sentence of the StoreError that a call raises: no line break, no trace of Python, whole sentences."""
    with pytest.raises(StoreError) as raised:
        call()
    said = str(raised.value)
    assert "\n" not in said
    assert said.endswith(".")
    assert "Error" not in said
    assert "{" not in said
    return said


#: Everything that is imported is imported before the user changes, who may not read where Python lies.
OPEN_THERE = """
import os, sys
from pathlib import Path
import sqlalchemy.dialects.sqlite
from rankdash.store import Settings, State, Store, StoreError
from tests.store.promises import content
tables, state = content(), State("x")
Store.open(Settings(Path(sys.argv[2]))).create(tables, state)
if os.geteuid() == 0:
    os.setgroups([])
    os.setgid(65534)
    os.setuid(65534)
try:
    Store.open(Settings(Path(sys.argv[1]))).create(tables, state)
except StoreError as error:
    print(error)
"""


def said_to_an_ordinary_user(home: Path, warm: Path) -> str:
    """What somebody is told who opens a store where he may not write: to root nothing is read-only."""
    command = [sys.executable, "-c", OPEN_THERE, str(home), str(warm)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.fixture
def public() -> Iterator[Path]:
    """A folder that everybody may enter."""
    with tempfile.TemporaryDirectory(prefix="rankdash-public-") as folder:
        Path(folder).chmod(0o755)
        yield Path(folder)


@pytest.mark.long
def test_a_store_that_became_read_only_says_so_and_keeps_what_it_has(public: Path, tmp_path: Path) -> None:
    """A store that may only be read: saving says so in a sentence; what was saved is there when it may be written."""
    store = Store.open(Settings(public / "home"))
    saved = store.create(content(), State("x"))
    store.database.close()
    paths = [public / "home", *(public / "home").rglob("*")]
    for path in paths:
        path.chmod(0o555 if path.is_dir() else 0o444)
    assert "may not write" in said_to_an_ordinary_user(public / "home", tmp_path / "home")
    for path in paths:
        path.chmod(0o755)
    assert reopened(store, saved).state == State("x")


FULL = """
import resource, signal, sys
from dataclasses import replace
from pathlib import Path
from rankdash.edits import Edit
from rankdash.store import Settings, State, Store, StoreError
from tests.store.promises import content
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
store = Store.open(Settings(Path(sys.argv[1])))
saved = store.create(content(), State("x"))
print(saved.id)
resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[2]), resource.RLIM_INFINITY))
try:
    for i in range(10_000):
        edit = Edit("q1", f"d{i}", "grade", None, None, 1.0)
        saved = store.save(saved, replace(saved.state, edits=(*saved.state.edits, edit)))
        if sys.argv[3] == "files":
            store.create(content(), State("y"))
except StoreError as error:
    print(len(saved.state.edits))
    print(error)
"""


@pytest.mark.parametrize(("limit", "what"), every(2, [(600_000, "database"), (2_000, "files")]))
def test_a_full_disk_loses_nothing_that_was_saved(tmp_path: Path, limit: int, what: str) -> None:
    """Where files may not grow, saving says so in a sentence, and everything acknowledged before is opened."""
    command = [sys.executable, "-c", FULL, str(tmp_path / "home"), str(limit), what]
    done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=300)
    comparison, steps, said = done.stdout.splitlines()
    assert "is full, or a file there may not grow" in said
    assert "What was saved before is whole" in said
    store = Store.open(Settings(tmp_path / "home"))
    assert len(store.load(comparison).state.edits) == int(steps)
    assert isinstance(store.save(store.load(comparison), State("goes on")), Saved)


def test_a_database_broken_in_the_middle_is_told(store: Store, tmp_path: Path) -> None:
    """Pages overwritten while nobody looked: a sentence, whatever is asked."""
    saved = store.create(content(), State("x"))
    store.database.close()
    path = tmp_path / "home" / "rankdash.sqlite"
    size = path.stat().st_size
    with path.open("r+b") as file:
        file.seek(4096)
        file.write(os.urandom(size - 4096))
    for rest in ("-wal", "-shm"):
        path.with_name(path.name + rest).unlink(missing_ok=True)
    assert "broken" in says(lambda: store.load(saved.id))


def test_rows_that_make_no_sense_are_told(store: Store) -> None:
    """A row that somebody spoiled by hand is a broken database, and no traceback; the list names it and the others."""
    saved = store.create(content(), State("x"))
    store.seen(saved, anew := comparison_of(saved.content, saved.state), rd.decide(anew))
    for state in ("'{}'", "'['", "'3'", "NULL", """'{"inputs": {"a": "nothing"}}'"""):
        with store.database.writing() as connection:
            connection.execute(sa.text("PRAGMA ignore_check_constraints=ON"))
            connection.execute(sa.text(f"UPDATE OR IGNORE revision SET state = {state}"))
            connection.execute(sa.text(f"UPDATE OR IGNORE result SET json = {state}"))
        if state != "NULL":
            assert "broken" in says(lambda: store.load(saved.id))
        (row,) = store.listed().rows  # so that it can be deleted, and the others be seen
        assert (row.id, row.name) == (saved.id, "x")


def test_a_database_that_was_moved_away_is_noticed(store: Store, tmp_path: Path) -> None:
    """Deleted or exchanged under a running server: nothing is written to a file that no longer has a name."""
    saved = store.create(content(), State("x"))
    shutil.move(tmp_path / "home", tmp_path / "elsewhere")
    assert "moved, deleted or exchanged" in says(lambda: store.save(saved, State("y")))
    shutil.move(tmp_path / "elsewhere", tmp_path / "home")
    assert isinstance(store.save(saved, State("y")), Saved)


@pytest.mark.parametrize("what", every(2, ["pipe", "device", "folder"]))
def test_what_is_no_file_is_not_waited_for(store: Store, what: str) -> None:
    """A pipe, a device that never ends or a folder in the place of a table is told at once, as if it were missing; the
    same upload puts a file there again.
    """
    saved = store.create(content(), State("x"))
    path = Path(store.files.path(saved.inputs[0].blob))
    path.unlink()
    put = {"pipe": os.mkfifo, "device": lambda at: at.symlink_to("/dev/zero"), "folder": Path.mkdir}[what]
    put(path)
    assert "the lists of A ('old') is missing" in says(lambda: reopened(store, saved))
    if what == "folder":
        path.rmdir()
    store.create(content(), State("again"))
    assert reopened(store, saved).content == saved.content


def test_a_changed_file_is_named_and_restored(store: Store) -> None:
    """A table with another digest is not opened; uploading the same file again brings the comparison back."""
    saved = store.create(content(), State("x"))
    path = Path(store.files.path(saved.inputs[1].blob))
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 1
    path.write_bytes(data)
    said = says(lambda: reopened(store, saved))
    assert "the lists of B ('new') is not what was saved" in said
    store.create(content(), State("again"))
    assert reopened(store, saved).content == saved.content


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("setting", ["database", "files"])
def test_no_secret_of_an_address_is_told(
    tmp_path: Path, form: str, setting: str, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever form an address has and whatever is wrong with it, neither the sentence, nor what is behind it in a
    traceback, nor a log, nor the settings as they show themselves has its secret.
    """
    monkeypatch.chdir(tmp_path)
    caplog.set_level(0)
    address = FORMS[form].replace("@db", "@127.0.0.1:1").replace("//db", "//127.0.0.1:1").replace("host=db", "host=::1")
    settings = Settings(tmp_path, **{setting: address})
    told = ""
    try:
        store = Store.open(settings)
        if setting == "database":
            store.create(content(), State("x"))
    except StoreError:
        told = traceback.format_exc()
    assert "SECRET" not in told
    assert "SECRET" not in caplog.text
    assert "SECRET" not in repr(settings)


def test_unknown_ids_change_nothing(store: Store) -> None:
    """Whatever a link says, an id that is not here is one sentence."""
    calls = (store.load, store.head, store.duplicate, store.delete, store.undelete)
    for call in calls:
        for given in ("0" * 32, "", "x" * 10_000, "\0", "\ud800", "a'; DROP TABLE comparison", "F" * 32):
            says(lambda call=call, given=given: call(given))  # type: ignore[misc]


def test_a_policy_of_another_version_is_told(store: Store) -> None:
    """A policy with a field that this version does not know is not guessed."""
    saved = store.create(content(), State("x"))
    with store.database.writing() as connection:
        connection.execute(
            sa.text("UPDATE revision SET state = json_set(state, '$.policy.rigour', 3) WHERE comparison = :id"),
            {"id": saved.id},
        )
    assert "rigour" in says(lambda: store.load(saved.id))
