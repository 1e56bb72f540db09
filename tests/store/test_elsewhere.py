"""A store in PostgreSQL and in S3 keeps every promise, with a real server and with moto's."""

import os
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import count
from pathlib import Path
from types import ModuleType

import psycopg
import pytest
import sqlalchemy as sa
from moto.server import ThreadedMotoServer

from benchmarks.store.faults import OPERATIONS, interrupted
from benchmarks.store.points import EIO, ENOSPC, KILLED
from rankdash.store import Settings, State, Store, StoreError, database as db
from rankdash.store.database import Database
from scripts.find_postgres import installed
from tests.long import every
from tests.store.journal.promises import PROMISES as OF_THE_JOURNAL
from tests.store.postgres import new_database, running
from tests.store.promises import PROMISES, content

NAMES = count()


@pytest.fixture(scope="module")
def postgres() -> Iterator[str]:
    """The URL of a server, up to the name of a database."""
    folder = installed()
    assert folder
    with running(Path(folder)) as url:
        yield url


@pytest.fixture(scope="module")
def made(postgres: str) -> Callable[[], str]:
    """What gives the URL of a new database with the schema of a store: copies of one that a store has made."""
    Database(new_database(postgres, "store")).close()
    return lambda: new_database(postgres, f"d{next(NAMES)}", template="store")


@pytest.fixture(scope="module")
def s3() -> Iterator[str]:
    """The address of a server that speaks S3, whoever asks."""
    server = ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
    server.start()
    keys = {"AWS_ACCESS_KEY_ID": "key", "AWS_SECRET_ACCESS_KEY": "secret", "AWS_EC2_METADATA_DISABLED": "true"}
    before = {name: os.environ.get(name) for name in keys}
    os.environ.update(keys)
    yield ":".join(map(str, server.get_host_and_port()))
    server.stop()
    for name, value in before.items():
        os.environ.pop(name) if value is None else os.environ.update({name: value})


@pytest.fixture
def bucket(s3: str) -> str:
    """The URL of a folder in a new bucket."""
    import boto3

    name = f"bucket{next(NAMES)}"
    boto3.client("s3", endpoint_url=f"http://{s3}", region_name="us-east-1").create_bucket(Bucket=name)
    return f"s3://{name}/rankdash?endpoint_override={s3}&scheme=http&region=us-east-1"


@pytest.mark.parametrize("promise", every(4, PROMISES), ids=lambda promise: promise.__name__)
def test_a_store_in_postgresql_keeps(promise: Callable[[Store], None], made: Callable[[], str], tmp_path: Path) -> None:
    """PostgreSQL, and files in a folder."""
    promise(Store.open(Settings(tmp_path, database=made())))


@pytest.mark.long
@pytest.mark.parametrize("operation", OPERATIONS)
@pytest.mark.parametrize(("fault", "step"), [(KILLED, 9), (EIO, 7), (ENOSPC, 3)])
def test_an_interrupted_operation_in_postgresql_is_whole_or_not_done(
    operation: str, fault: str, step: int, made: Callable[[], str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The same as in SQLite: a server that goes away at any call, a full disk, and a writer that is killed."""
    monkeypatch.setitem(sys.modules, "__main__", ModuleType("__main__"))
    assert interrupted(Settings(tmp_path, database=made()), operation, fault, step).wrong == ()


def test_servers_that_come_first_together_make_one_schema(postgres: str) -> None:
    """Four servers open an empty database at once: one makes the schema, the others wait for it."""
    url = new_database(postgres, f"d{next(NAMES)}")
    with ThreadPoolExecutor(4) as several:
        assert len(list(several.map(lambda _: Database(url), range(4)))) == 4


def test_a_server_that_went_away_is_told_and_found_again(postgres: str, tmp_path: Path) -> None:
    """Connections that PostgreSQL has closed are replaced; a database that is gone is told without the password."""
    name = f"d{next(NAMES)}"
    url = new_database(postgres, name)
    store = Store.open(Settings(tmp_path, database=url.replace("rankdash@", "rankdash:secret@")))
    saved = store.create(content(), State("x"))
    with psycopg.connect(f"{postgres}/postgres", autocommit=True) as connection:
        connection.execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = %s", [name])
        assert store.head(saved.id) == 1
        store.database.close()
        connection.execute(f"DROP DATABASE {name} WITH (FORCE)")
        with pytest.raises(StoreError, match=r"What is open stays open in memory") as raised:
            store.head(saved.id)
    assert "secret" not in str(raised.value)


@pytest.fixture
def hurried(monkeypatch: pytest.MonkeyPatch) -> None:
    """A second for a statement and a lock, where ten are given."""
    assert db.PATIENCE == 10
    monkeypatch.setattr(db, "PATIENCE", 1)


@pytest.mark.long
def test_a_lock_of_somebody_else_is_told_in_time(hurried: None, made: Callable[[], str], tmp_path: Path) -> None:
    """A table that somebody has locked, or a statement that takes for ever: in use, after ten seconds."""
    url = made()
    store = Store.open(Settings(tmp_path, database=url))
    saved = store.create(content(), State("x"))
    with psycopg.connect(url) as other:
        other.execute("LOCK TABLE comparison")
        for wait in (store.head, store.delete):
            with pytest.raises(StoreError, match="in use by somebody else and did not answer in time"):
                wait(saved.id)
    with pytest.raises(StoreError, match="in use by somebody else"), store.database.reading() as connection:
        connection.execute(sa.text("SELECT pg_sleep(60)"))
    assert store.head(saved.id) == 1


def test_a_bucket_that_is_not_there_is_told(s3: str, tmp_path: Path) -> None:
    """Storage that refuses: one sentence that names the place without its keys, and no comparison is made."""
    url = f"s3://key:hidden@nowhere/x?endpoint_override={s3}&scheme=http&region=us-east-1"
    with pytest.raises(StoreError, match="s3://nowhere/x "):
        Store.open(Settings(tmp_path, files=url))


@pytest.mark.parametrize("promise", every(4, PROMISES), ids=lambda promise: promise.__name__)
def test_a_store_with_files_in_s3_keeps(promise: Callable[[Store], None], bucket: str, tmp_path: Path) -> None:
    """SQLite, and files in a bucket."""
    promise(Store.open(Settings(tmp_path, files=bucket)))


@pytest.mark.parametrize("promise", every(8, OF_THE_JOURNAL), ids=lambda promise: promise.__name__)
def test_a_journal_in_postgresql_keeps(promise: Callable[[Database], None], made: Callable[[], str]) -> None:
    """Results, looks, decisions, tags and lists in PostgreSQL."""
    database = Database(made())
    promise(database)
    database.close()
