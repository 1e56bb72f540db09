"""Attributes that are computed when they are first read, without making threads wait for each other.

Why: before Python 3.12 ``functools.cached_property`` has one lock for all instances of a class, so that on a server the
verdict of one comparison waits for that of every other (https://github.com/python/cpython/issues/87634).

It can go when Python 3.11 is not supported any more.
"""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, Any

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
