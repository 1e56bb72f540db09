"""What frozen records of every room share: attributes computed when first read, results kept as long as the object
that they are about, and forms in which a record is shown.

Before Python 3.12 ``functools.cached_property`` has one lock for all instances of a class, so that on a server the
verdict of one comparison waits for those of all others (https://github.com/python/cpython/issues/87634). The
``cached_property`` here has none; it can go when Python 3.11 is no longer supported.
"""

from __future__ import annotations

import functools
import json
import threading
import weakref
from collections.abc import Callable
from functools import singledispatch
from importlib import import_module
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    import pandas as pd

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


# --- forms ---

#: Modules that register functions here, and are not imported yet.
_LATER: list[str] = []
_IMPORTING = threading.RLock()


def register_later(module: str) -> None:
    """Import a module, which registers functions, when a record is first shown, and not before."""
    _LATER.append(module)


@singledispatch
def as_dict(record: Any) -> dict[str, Any]:
    """Return the values of the record by name, ready for JSON: None where a value is not defined."""
    shown: dict[str, Any] = _registered(as_dict, record, "has no form as a dict")
    return shown


@singledispatch
def as_rows(record: Any) -> list[dict[str, Any]]:
    """Return the rows of the one table that the record is about."""
    shown: list[dict[str, Any]] = _registered(as_rows, record, "has no rows")
    return shown


@singledispatch
def as_html(record: Any) -> str:
    """Return a small piece of HTML for a notebook; text from files is escaped."""
    shown: str = _registered(as_html, record, "has no form as HTML")
    return shown


def _registered(form: Any, record: Any, otherwise: str) -> Any:
    """Return the form of a record, once every module has registered its functions. TypeError where there is none."""
    if _LATER:
        with _IMPORTING:  # other threads wait until all of them are imported
            while _LATER:
                import_module(_LATER[-1])
                _LATER.pop()
    function = form.dispatch(type(record))
    if function is form.dispatch(object):
        raise TypeError(f"{type(record).__name__} {otherwise}")
    return function(record)


class Shown:
    """A record with a form as a dict, as JSON and as HTML."""

    __slots__ = ()

    def to_dict(self) -> dict[str, Any]:
        """Return everything by name, ready for JSON; None where something is not defined or was not asked for."""
        return as_dict(self)

    def to_json(self) -> str:
        """Return ``to_dict`` as JSON text, indented, non-ASCII letters as they are; ends with a line break."""
        return json.dumps(self.to_dict(), indent=1, ensure_ascii=False, allow_nan=False) + "\n"

    def to_pandas(self) -> pd.DataFrame:
        """Return the rows as a frame: a verdict's checklist, an explanation's ranks, votes where there is
        nothing else.
        """
        import pandas as pd

        return pd.DataFrame(as_rows(self))

    def _repr_html_(self) -> str:
        return as_html(self)
