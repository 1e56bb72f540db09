"""How a record shows itself: as a dict, as JSON, as a frame, in a notebook.

What stands in these is decided in ``report/``, which sees every record; it registers its functions here. So a record of
any room has the methods, and no room has to know how it is reported.
"""

from __future__ import annotations

import json
from functools import singledispatch
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pandas as pd


@singledispatch
def as_dict(record: Any) -> dict[str, Any]:
    """Return the record by names, ready for JSON: None where something is not defined."""
    raise TypeError(f"{type(record).__name__} has no form as a dict")


@singledispatch
def as_rows(record: Any) -> list[dict[str, Any]]:
    """Return the rows of the one table that the record is about."""
    raise TypeError(f"{type(record).__name__} has no rows")


@singledispatch
def as_html(record: Any) -> str:
    """Return a small piece of HTML for a notebook; text from files is escaped."""
    raise TypeError(f"{type(record).__name__} has no form as HTML")


class Shown:
    """A record with a form as a dict, as JSON and as HTML."""

    __slots__ = ()

    def to_dict(self) -> dict[str, Any]:
        """Everything by name, ready for JSON; None where something is not defined or was not asked for."""
        return as_dict(self)

    def to_json(self) -> str:
        """``to_dict`` as JSON text, indented, non-ASCII letters as they are; ends with a line break."""
        return json.dumps(self.to_dict(), indent=1, ensure_ascii=False, allow_nan=False) + "\n"

    def to_pandas(self) -> pd.DataFrame:
        """Return the rows as a frame: a verdict's checklist, an explanation's ranks, votes where there is
        nothing else.
        """
        import pandas as pd

        return pd.DataFrame(as_rows(self))

    def _repr_html_(self) -> str:
        return as_html(self)
