"""Connections to PostgreSQL that end where no answer comes: the server ends what takes too long, or waits too long for
a lock, and a server that says nothing at all is given up. Who asks it several things waits in vain once, not each time.
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
#: Seconds after a wait in vain in which nobody else waits.
REST = 5
_NO_ANSWER = "no answer in time"

T = TypeVar("T")


class _Silence:
    """Whether a server has let somebody wait in vain a moment ago."""

    def __init__(self) -> None:
        self._until = float("-inf")

    def heard(self) -> None:
        """Remember that somebody has waited in vain."""
        self._until = time.monotonic() + REST

    def check(self) -> None:
        """Raise OperationalError where there is no use in waiting."""
        if time.monotonic() < self._until:
            raise psycopg.OperationalError(_NO_ANSWER)


class _Patient(psycopg.Connection[Any]):
    """A connection that closes itself where an answer is overdue: a server that is frozen ends nothing itself."""

    patience: float = LIMIT + GRACE
    silence: _Silence

    def wait(self, gen: Generator[Any, Any, T], *args: Any, **more: Any) -> T:
        """Return what psycopg waits for. OperationalError where it does not come in time."""
        until = time.monotonic() + self.patience
        try:
            return super().wait(_until(gen, until), *args, **more)
        except psycopg.OperationalError:
            if time.monotonic() > until:
                self.silence.heard()
                self.close()
            raise


def engine_of(url: sa.URL) -> sa.Engine:
    """Return an engine whose connections, and the wait for a free one, end in time."""
    engine = sa.create_engine(url, pool_pre_ping=True, pool_timeout=LIMIT, connect_args={"connect_timeout": ANSWER})
    silence = _Silence()

    def connected(_dialect: Any, _record: Any, arguments: Any, parameters: Any) -> psycopg.Connection[Any]:
        silence.check()
        try:
            return _connected(arguments, parameters, silence)
        except psycopg.errors.ConnectionTimeout:
            silence.heard()
            raise

    event.listen(engine, "do_connect", connected)
    return engine


def _connected(arguments: Any, parameters: Any, silence: _Silence) -> psycopg.Connection[Any]:
    connection = _Patient.connect(*arguments, **parameters)
    connection.silence = silence
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
                raise psycopg.OperationalError(_NO_ANSWER)
            state = gen.send(ready)
    except StopIteration as done:
        value: T = done.value
        return value
