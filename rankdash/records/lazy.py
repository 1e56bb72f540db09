"""Attributes that are computed when they are first read, without making threads wait for each other, and what is known
of an object as long as it exists.

Why: before Python 3.12 ``functools.cached_property`` has one lock for all instances of a class, so that on a server the
verdict of one comparison waits for that of every other (https://github.com/python/cpython/issues/87634).

``cached_property`` can go when Python 3.11 is not supported any more.
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
        """The same without a lock: threads that read it at once may compute it twice, and all get the same object."""

        def __get__(self, instance: Any, owner: Any = None) -> Any:
            """Return the value of the attribute, computed where nobody has read it; of a class, the property itself."""
            if instance is None:
                return self
            return instance.__dict__.setdefault(self.attrname, self.func(instance))


def remembered(make: Callable[[T], R]) -> Callable[[T], R]:
    """Decorate a function of one object that never changes, such as a table: the result is kept as long as that exists.

    Objects are told apart by what they are, not by what they hold. Nobody may change a result.
    """
    known: dict[int, tuple[weakref.ref[Any], R]] = {}

    def forget(at: int, gone: weakref.ref[Any]) -> None:
        found = known.get(at)
        if found is not None and found[0] is gone:  # another object may be at its place by now
            del known[at]

    @functools.wraps(make)
    def found(of: T) -> R:
        at = id(of)
        last = known.get(at)
        if last is not None and last[0]() is of:
            return last[1]
        result = make(of)
        known[at] = weakref.ref(of, functools.partial(forget, at)), result
        return result

    return found
