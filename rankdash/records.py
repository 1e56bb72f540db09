"""What frozen records have in common: attributes computed on first access, results cached as long as an object exists,
and the forms in which a record is shown.

Before Python 3.12 ``functools.cached_property`` has one lock for all instances of a class, so that on a server the
verdict of one comparison waits for those of all others (https://github.com/python/cpython/issues/87634). The
``cached_property`` here has none; it can go when Python 3.11 is no longer supported.
"""

from __future__ import annotations

import functools
import json
import operator
import threading
import weakref
from collections.abc import Callable
from dataclasses import Field, FrozenInstanceError, dataclass, field as field, replace as replace
from functools import singledispatch
from typing import TYPE_CHECKING, Any, TypeVar, dataclass_transform

from rankdash import installation

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


class _Frozen:
    """The methods of all frozen records; generating them for each of 160 classes would slow down every start."""

    __dataclass_fields__: dict[str, Field[Any]]

    def __setattr__(self, name: str, value: Any) -> None:
        """Set a field for the first time, as ``__init__`` does."""
        values = self.__dict__
        if name in values or name not in self.__dataclass_fields__:
            raise FrozenInstanceError(f"cannot assign to field {name!r}")
        values[name] = value

    def __delattr__(self, name: str) -> None:
        """Refuse."""
        raise FrozenInstanceError(f"cannot delete field {name!r}")

    def __eq__(self, other: object) -> bool:
        """Return whether another record of the class has the same values."""
        return compared(self) == compared(other) if other.__class__ is self.__class__ else NotImplemented

    def __hash__(self) -> int:
        """Return the hash of the values."""
        return hash(compared(self, hashed=True))

    def __repr__(self) -> str:
        """Return the call that makes the record."""
        values = (f"{name}={getattr(self, name)!r}" for name, of in self.__dataclass_fields__.items() if of.repr)
        return f"{type(self).__qualname__}({', '.join(values)})"


@functools.cache
def _getter(kind: Any, hashed: bool) -> Callable[[Any], tuple[Any, ...]]:
    fields = kind.__dataclass_fields__.values()
    names = [of.name for of in fields if (of.hash if hashed and of.hash is not None else of.compare)]
    if len(names) > 1:
        return operator.attrgetter(*names)
    return lambda record: tuple(getattr(record, name) for name in names)


def compared(record: Any, hashed: bool = False) -> tuple[Any, ...]:
    """Return the values by which a record is compared, or hashed."""
    return _getter(record.__class__, hashed)(record)


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
def frozen(cls: type[T]) -> type[T]:
    """Decorate a class like ``dataclass(frozen=True)``, in a third of the time; inherited methods are not replaced."""
    for name in ("__setattr__", "__delattr__", "__eq__", "__hash__", "__repr__"):
        if getattr(cls, name) is getattr(object, name):
            setattr(cls, name, getattr(_Frozen, name))
    return dataclass(eq=False, repr=False)(cls)


def remembered(make: Callable[[T], R]) -> Callable[[T], R]:
    """Decorate a function of an immutable object, such as a table: its result is cached as long as the object exists.

    Objects are compared by identity, not by content. A result must not be modified.
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

#: By form, the module that registers functions for it here, where it is not imported yet.
_LATER: dict[Callable[..., Any], str] = {}
_IMPORTING = threading.RLock()


def register_later(module: str, *forms: Callable[..., Any]) -> None:
    """Import a module, which registers functions for some forms, when one of them is first asked for."""
    _LATER.update(dict.fromkeys(forms, module))


@singledispatch
def as_dict(record: Any) -> dict[str, Any]:
    """Return the values of the record by name, ready for JSON: None where a value is not defined."""
    shown: dict[str, Any] = _registered(as_dict, record, "has no form as a dict")
    return shown


@singledispatch
def as_html(record: Any) -> str:
    """Return a small piece of HTML for a notebook; text from files is escaped."""
    shown: str = _registered(as_html, record, "has no form as HTML")
    return shown


@singledispatch
def as_figure(record: Any, kind: str, *asked: Any) -> Any:
    """Return a figure of the record, of a kind that ``Plots`` names. ModuleNotFoundError where Plotly is missing."""
    return _registered(as_figure, record, "has no figure", kind, *asked)


def _registered(form: Any, record: Any, otherwise: str, *asked: Any) -> Any:
    """Return the form of a record, once its module has registered its functions. TypeError where there is none."""
    with _IMPORTING:  # other threads wait until it is imported
        if form in _LATER:
            installation.imported(_LATER[form])
            del _LATER[form]
    function = form.dispatch(type(record))
    if function is form.dispatch(object):
        raise TypeError(f"{type(record).__name__} {otherwise}")
    return function(record, *asked)


def frame(rows: Any) -> pd.DataFrame:
    """Return rows by name, or an Arrow table, as a frame. ModuleNotFoundError where pandas is missing."""
    pandas = installation.imported("pandas")
    made: pd.DataFrame = rows.to_pandas() if hasattr(rows, "to_pandas") else pandas.DataFrame(rows)
    return made


class InNotebooks:
    """A record with a form as HTML, which a notebook shows."""

    __slots__ = ()

    def _repr_html_(self) -> str:
        return as_html(self)


class Shown(InNotebooks):
    """A record with a form as a dict, as JSON and as HTML."""

    __slots__ = ()

    def to_dict(self) -> dict[str, Any]:
        """Return everything by name, ready for JSON; None where something is not defined or was not asked for."""
        return as_dict(self)

    def to_json(self) -> str:
        """Return ``to_dict`` as JSON text, indented, non-ASCII letters as they are; ends with a line break."""
        return json.dumps(self.to_dict(), indent=1, ensure_ascii=False, allow_nan=False) + "\n"
