"""How a record shows itself: as a dict, as JSON, as a frame, in a notebook.

``report/`` decides what these contain, for it sees every record; it registers its functions here when a record is first
shown. So a record of any room has the methods, and no room has to know how it is reported.
"""

from __future__ import annotations

import json
import threading
from functools import singledispatch
from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pandas as pd


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
