"""The same work on several large arrays at a time: numpy counts without the interpreter's lock."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

Item = TypeVar("Item")
Result = TypeVar("Result")

#: Work on an array with fewer values takes less time than to start a thread.
LARGE = 100_000
_WORKERS = min(4, os.cpu_count() or 1)


def each(work: Callable[[Item], Result], items: Iterable[Item], size: int = LARGE) -> list[Result]:
    """Return what ``work`` returns for each item, in their order; ``size`` is the number of values of an item's array.

    Where the work fails, the first error in this order is raised. The results are the same as without threads.

    >>> each(abs, [-1, 2, -3])
    [1, 2, 3]
    """
    several = list(items)
    if size < LARGE or len(several) < 2 or _WORKERS < 2:
        return [work(item) for item in several]
    with ThreadPoolExecutor(_WORKERS, "rankdash-each") as threads:
        return list(threads.map(work, several))
