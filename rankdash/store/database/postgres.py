"""Connections to PostgreSQL that end where no answer comes: the server ends what takes too long, or waits too long for
a lock, and a server that says nothing at all is given up.
"""

from __future__ import annotations

import time
from collections.abc import Generator
from typing import Any, TypeVar

import psycopg
import sqlalchemy as sa
from sqlalchemy import event

#: Seconds that a statement may take, and wait for a lock.
LIMIT = 10
#: Seconds in which a server has to take a connection, and how much later than it the client ends a statement.
ANSWER, GRACE = 5, 2

T = TypeVar("T")


class _Patient(psycopg.Connection[Any]):
    """A connection that closes itself where an answer is overdue: a server that is frozen ends nothing itself."""

    patience: float = LIMIT + GRACE

    def wait(self, gen: Generator[Any, Any, T], *args: Any, **more: Any) -> T:
        """Return what psycopg waits for. OperationalError where it does not come in time."""
        until = time.monotonic() + self.patience
        try:
            return super().wait(_until(gen, until), *args, **more)
        except psycopg.OperationalError:
            if time.monotonic() > until:
                self.close()
            raise


def engine_of(url: sa.URL) -> sa.Engine:
    """Return an engine whose connections, and the wait for a free one, end in time."""
    engine = sa.create_engine(url, pool_pre_ping=True, pool_timeout=LIMIT, connect_args={"connect_timeout": ANSWER})
    event.listen(engine, "do_connect", _connected)
    return engine


def lift_limits(connection: sa.Connection) -> None:
    """Let the rest of a transaction take as long as it does, and its connection be used no more after it."""
    connection.exec_driver_sql("SET LOCAL statement_timeout = 0")
    driver: Any = connection.connection.driver_connection
    driver.patience = float("inf")
    connection.detach()


def _connected(_dialect: Any, _record: Any, arguments: Any, parameters: Any) -> psycopg.Connection[Any]:
    connection = _Patient.connect(*arguments, **parameters)
    for setting in ("statement_timeout", "lock_timeout"):
        connection.execute(f"SET {setting} = '{LIMIT}s'")
    connection.commit()
    return connection


def _until(gen: Generator[Any, Any, T], end: float) -> Generator[Any, Any, T]:
    """Yield what ``gen`` yields, and return what it returns. OperationalError once the time is over."""
    try:
        state = next(gen)
        while True:
            ready = yield state
            if time.monotonic() > end:
                raise psycopg.OperationalError("no answer in time")
            state = gen.send(ready)
    except StopIteration as done:
        value: T = done.value
        return value
