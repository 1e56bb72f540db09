"""Attributes that are computed when they are first read, without making threads wait for each other, and results that
are kept as long as the object that they are about.

Why: before Python 3.12 ``functools.cached_property`` has one lock for all instances of a class, so that on a server the
verdict of one comparison waits for those of all others (https://github.com/python/cpython/issues/87634).

``cached_property`` can go when Python 3.11 is no longer supported.
"""

from __future__ import annotations

import functools
import weakref
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

T = TypeVar("T")
R = TypeVar("R")

if TYPE_CHECKING:
    from functools import cached_property as cached_property
else:

    class cached_property(functools.cached_property):
        """The standard one without a lock: threads may compute a value twice, and all get the same object."""

        def __get__(self, instance: Any, owner: Any = None) -> Any:
            """Return the value of the attribute, computed on the first read; of a class, the property itself."""
            if instance is None:
                return self
            return instance.__dict__.setdefault(self.attrname, self.func(instance))


def remembered(make: Callable[[T], R]) -> Callable[[T], R]:
    """Decorate a function of an object that never changes, such as a table: its result is kept as long as the object.

    Objects are told apart by identity, not by content. Nobody may change a result.
    """
    results: dict[int, tuple[weakref.ref[Any], R]] = {}

    def forget(at: int, gone: weakref.ref[Any]) -> None:
        kept = results.get(at)
        if kept is not None and kept[0] is gone:  # another object may have its id by now
            del results[at]

    @functools.wraps(make)
    def result_of(of: T) -> R:
        at = id(of)
        kept = results.get(at)
        if kept is not None and kept[0]() is of:
            return kept[1]
        result = make(of)
        results[at] = weakref.ref(of, functools.partial(forget, at)), result
        return result

    return result_of
