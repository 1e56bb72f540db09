"""Waiting in tests: the one module that looks at the clock, and only to end a test that hangs.

A coroutine runs in a thread of its own, for a browser beside it has an event loop in the test's thread, and on a clock
of its own: where nothing else is left to do, its seconds pass at once.
"""

import asyncio
import selectors
import time
from collections.abc import Callable, Coroutine, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

#: Seconds after which a test hangs, on the slowest machine. No other limit in seconds decides a test.
HUNG = 180
PAUSE = 0.02


def until_hung(pause: Callable[[float], Any] = time.sleep) -> Iterator[None]:
    """Yield now and after each pause, for as long as a test may wait."""
    ends = time.monotonic() + HUNG
    while time.monotonic() < ends:
        yield
        pause(PAUSE)


def awaited(comes: Callable[[], object]) -> None:
    """Wait until something is so."""
    assert any(comes() for _ in until_hung()), "It never came."


class _Unhurried(selectors.DefaultSelector):
    """What waits for a time and for nothing else gets it at once."""

    passed = 0.0

    def select(self, timeout: float | None = None) -> Any:
        found = super().select(0 if timeout is not None else HUNG)
        self.passed += timeout or 0 if not found else 0
        return found


def _loop() -> asyncio.AbstractEventLoop:
    selector = _Unhurried()
    loop = asyncio.SelectorEventLoop(selector)
    loop.time = lambda: selector.passed  # type: ignore[method-assign]
    return loop


def in_a_thread(coroutine: Coroutine[Any, Any, Any]) -> Any:
    """What a coroutine returns."""

    def run() -> Any:
        with asyncio.Runner(loop_factory=_loop) as runner:
            return runner.run(coroutine)

    with ThreadPoolExecutor(1) as pool:
        return pool.submit(run).result()
