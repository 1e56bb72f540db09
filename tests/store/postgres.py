"""A real server of PostgreSQL for tests, run as an ordinary user: it refuses to run as root."""

import os
import shutil
import signal
import socket
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.awaited import HUNG, until_hung

#: Who runs it where the tests run as root: nobody.
ORDINARY = 65534
QUICK = ("fsync=off", "synchronous_commit=off", "full_page_writes=off", "max_connections=60")


@contextmanager
def running(programs: Path) -> Iterator[str]:
    """The URL of a server, up to the name of the database, that is stopped afterwards."""
    folder = Path(tempfile.mkdtemp(prefix="rankdash-postgres-"))
    user = {"user": ORDINARY, "group": ORDINARY, "extra_groups": []} if os.geteuid() == 0 else {}
    if user:
        os.chown(folder, ORDINARY, ORDINARY)
    data, port = folder / "data", _free_port()
    options = [option for setting in QUICK for option in ("-c", setting)]
    made = [programs / "initdb", "-D", data, "-U", "rankdash", "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync"]
    subprocess.run(made, check=True, capture_output=True, cwd=folder, **user)
    serve = [programs / "postgres", "-D", data, "-k", folder, "-h", "127.0.0.1", "-p", str(port), *options]
    with (
        (folder / "log").open("wb") as log,
        subprocess.Popen(serve, stdout=log, stderr=log, cwd=folder, **user) as server,
    ):
        try:
            _wait(server, port, folder)
            yield f"postgresql://rankdash@127.0.0.1:{port}"
        finally:
            server.send_signal(signal.SIGINT)  # SIGTERM would wait for clients to go
            try:
                server.wait(HUNG)
            except subprocess.TimeoutExpired:
                server.kill()
            shutil.rmtree(folder, ignore_errors=True)


def new_database(server: str, name: str, template: str = "template1") -> str:
    """The URL of an empty database, or of a copy of another one that nobody is connected to."""
    import psycopg

    with psycopg.connect(f"{server}/postgres", autocommit=True) as connection:
        connection.execute(f'CREATE DATABASE "{name}" TEMPLATE "{template}"')
    return f"{server}/{name}"


def _free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return int(found.getsockname()[1])


def _wait(server: subprocess.Popen[bytes], port: int, folder: Path) -> None:
    import psycopg

    for _ in until_hung():
        if server.poll() is not None:
            break
        try:
            psycopg.connect(f"postgresql://rankdash@127.0.0.1:{port}/postgres", connect_timeout=HUNG).close()
            return
        except psycopg.OperationalError:
            continue
    raise RuntimeError(f"PostgreSQL did not start: {(folder / 'log').read_text()[-2000:]}")
