"""Looking at files and reading them in a process of its own, within limits of time and memory.

Whatever is in a file from a browser, the process that serves everybody goes on: only texts as short as a person types
are read there. At most two processes read at once, and later requests wait in turn. A process that did well is used
again, for starting another takes longer than reading a small file.
"""

from __future__ import annotations

import hashlib
import time
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor, wait
from contextlib import contextmanager
from importlib.util import find_spec
from threading import Condition
from typing import Any

from rankdash.intake import Decisions, FileLook, FileReading, Given
from rankdash.reading import LimitError, Problem, megabytes
from rankdash.reading.recognition import Understood
from rankdash.records import frozen
from rankdash.sandbox import content_of, receive, send, worker
from rankdash.system import Process

#: Called again and again while a file waits (with the number of files before it) or is read (with 0). An exception
#: from it ends the reading: a page passes a function that its framework interrupts when the session ends.
Meanwhile = Callable[[int], None]

MOST = 2
_MEGABYTE = 1_000_000
_OFTEN = 0.1
#: Seconds of the clock added for a busy machine; none where the clock alone can end a process (Windows).
_PATIENCE = 60.0 if find_spec("resource") else 0.0


@frozen
class Allowed:
    """What a call may take: ``memory`` in bytes, ``seconds`` of a processor, ``wall`` seconds of the clock."""

    memory: int
    seconds: float
    wall: float

    @classmethod
    def for_size(cls, size: int) -> Allowed:
        """Return limits for a file of ``size`` bytes: two calls on 1 MB take at most 10 s of a processor and 650 MB.

        The system counts whole seconds, so a call may take a second more. The limit of the clock ends processes that
        hang; it is longer, because the clock also runs while a process starts or waits for the processor.
        """
        seconds = 3.5 + 0.5 * size / _MEGABYTE
        return cls(600 * _MEGABYTE + 12 * size, seconds, _PATIENCE + 4 * seconds)


def look(given: Given, decisions: Decisions | None = None, *, meanwhile: Meanwhile = lambda _: None) -> FileLook:
    """Look as ``intake.look`` does; a file beyond the limits gives an error that says so."""
    reply = _answered("look", {"given": given, "decisions": decisions}, given.name, _work(given.source), meanwhile)
    return _unread(given, reply) if isinstance(reply, LimitError) else reply


def look_and_read(given: Given, decisions: Decisions, *, meanwhile: Meanwhile) -> tuple[FileLook, FileReading | None]:
    """Look and read as ``intake.look_and_read`` does, within the limits of one call: the file is sent once."""
    arguments = {"given": given, "decisions": decisions}
    reply = _answered("look_and_read", arguments, given.name, _work(given.source), meanwhile)
    return (_unread(given, reply), None) if isinstance(reply, LimitError) else reply


def _unread(given: Given, error: LimitError) -> FileLook:
    return FileLook(given.name, hashlib.sha256(content_of(given.source)).hexdigest(), error=error)


def read(
    given: Given,
    kind: str,
    decisions: Decisions | None = None,
    *,
    meanwhile: Meanwhile = lambda _: None,
    form: Understood | None = None,
    **how: Any,
) -> FileReading:
    """Read as ``intake.read`` does; a file beyond the limits gives an error that says so."""
    arguments = {"given": given, "kind": kind, "decisions": decisions, "form": form, **how}
    size = sum(_work(value.source) for value in arguments.values() if isinstance(value, Given))
    reply = _answered("read", arguments, given.name, size, meanwhile)
    return FileReading(error=reply, understood=form or Understood()) if isinstance(reply, LimitError) else reply


def _work(source: Any) -> int:
    """Return the bytes of a file. After the first MB those of a workbook count thrice: it is opened, then read."""
    content = content_of(source)
    is_opened = bytes(content[:4]) in (b"PK\x03\x04", b"\xd0\xcf\x11\xe0")
    return max(len(content), 3 * len(content) - 2 * _MEGABYTE) if is_opened else len(content)


def warm(processes: int = 1) -> None:
    """Start processes until there are ``processes``, at most MOST, so that the first files do not wait for one."""
    with _turns:
        while len(_idle) + len(_busy) < min(processes, MOST):
            _idle.append(_Worker())


def end(*, busy: bool = False) -> None:
    """End the processes that nobody uses; with ``busy`` also those that read: whoever waits for them gets an error."""
    with _turns:
        ended = [*_idle, *(_busy if busy else ())]
        _idle.clear()
    for process in ended:
        process.end()


class _Worker:
    """A process that reads."""

    def __init__(self) -> None:
        self._process = Process(worker.__file__)
        self._beside = ThreadPoolExecutor(1, "rankdash-worker")
        self._beside.submit(self._process.begin)  # it loads its modules at once, not with the first request

    def ask(self, request: dict[str, Any]) -> Future[Any]:
        """Return the future answer to a request; it raises EOFError or BrokenPipeError where the process ends."""
        return self._beside.submit(self._ask, request)

    def _ask(self, request: dict[str, Any]) -> Any:
        send(self._process.source, request)
        return receive(self._process.out)

    @property
    def lives(self) -> bool:
        """Whether it can answer a request."""
        return self._process.lives

    def end(self) -> None:
        """End the process, and what it started."""
        self._beside.shutdown(wait=False)
        self._process.end()


_turns = Condition()
_waiting: deque[object] = deque()
_busy: set[_Worker] = set()
_idle: list[_Worker] = []


@contextmanager
def _taken(meanwhile: Meanwhile) -> Iterator[_Worker]:
    """Take a worker for one call, in turn; it goes back unless the call fails."""
    me = object()
    with _turns:
        _waiting.append(me)
    try:
        while True:
            with _turns:
                before = _waiting.index(me)
                if before == 0 and len(_busy) < MOST:
                    found = _idle.pop() if _idle else None
                    process = found if found and found.lives else _Worker()
                    _busy.add(process)
                    _waiting.popleft()  # at once: the next in turn would count this one twice
                    break
                _turns.wait(_OFTEN)
            meanwhile(before + len(_busy))
    finally:
        with _turns:
            if me in _waiting:
                _waiting.remove(me)
            _turns.notify_all()
    try:
        yield process
    except BaseException:
        process.end()
        raise
    finally:
        with _turns:
            _busy.discard(process)
            if process.lives:
                _idle.append(process)
            _turns.notify_all()


def _answered(call: str, arguments: dict[str, Any], name: str, size: int, meanwhile: Meanwhile) -> Any:
    """Return what the call returns, or a LimitError for a file beyond the limits."""
    allowed = Allowed.for_size(size)
    request = {"call": call, "arguments": arguments, "memory": allowed.memory, "seconds": allowed.seconds}
    with _taken(meanwhile) as process:
        future = process.ask(request)
        if not _is_done(future, allowed.wall, meanwhile):
            process.end()
            return _too_much(name, f"{allowed.wall:.0f} seconds")
        try:
            answer = future.result()
        except (EOFError, OSError, ValueError):
            process.end()
            return _too_much(name, f"{allowed.seconds:.0f} seconds or {megabytes(allowed.memory)}")
    if isinstance(answer, tuple) and answer[:1] == ("memory",):
        return _too_much(name, megabytes(allowed.memory))
    if isinstance(answer, tuple) and answer[:1] == ("bug",):
        raise RuntimeError(f"reading {name}: {answer[-1]}")
    return answer


def _is_done(future: Future[Any], wall: float, meanwhile: Meanwhile) -> bool:
    """Return whether a future ends within ``wall`` seconds."""
    end = time.monotonic() + wall
    while not wait([future], _OFTEN).done:
        if time.monotonic() > end:
            return False
        meanwhile(0)
    return True


def _too_much(name: str, what: str) -> LimitError:
    allowed = "Give a plain table, as CSV for example; what is larger can be read at a shell."
    return LimitError((Problem("too_large", name, f"reading this file takes more than {what}", allowed=allowed),))
