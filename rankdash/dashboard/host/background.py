"""Work beside the pages: in a few threads of the server, and begun before it ends it is done before it ends."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")
#: A thread each for what sessions will need, for comparisons and for values that are saved.
THREADS = 3
_BESIDE = ThreadPoolExecutor(THREADS, "rankdash-beside")


def begin(work: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> Future[T]:
    """Begin some work, and return what tells whether it is done."""
    return _BESIDE.submit(work, *args, **kwargs)
