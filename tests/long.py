"""Cases that `make test` leaves to `make test-all`: of many that search for the same thing it tries some."""

from collections.abc import Iterable
from typing import Any

import pytest


def every(nth: int, values: Iterable[Any]) -> list[Any]:
    """The values of a parameter, all but each nth of them marked `long`: the first one is not, so no test is empty.

    A tuple holds the values of several parameters; what pytest.param made keeps its id.
    """
    return [value if at % nth == 0 else _long(value) for at, value in enumerate(values)]


def _long(value: Any) -> Any:
    """A value, or several, or what pytest.param made of them, marked."""
    values = value.values if hasattr(value, "marks") else value if isinstance(value, tuple) else (value,)
    return pytest.param(*values, marks=[*getattr(value, "marks", ()), pytest.mark.long], id=getattr(value, "id", None))
