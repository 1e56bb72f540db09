"""The values that Streamlit remembers for a browser session: those of its widgets, and one object per key.

Why: ``st.session_state`` is one dictionary for everything. The kit reads and writes it here, and ``session/session.py``
holds what is open, so that a reader sees at once what outlives a run of the page.

It can go when Streamlit offers typed state instead of a dictionary.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import streamlit as st

T = TypeVar("T")
_NUMBERS = "widget_numbers"


def value(key: str, otherwise: Any = None) -> Any:
    """Return the value of a widget; ``otherwise`` where it was not drawn, or its page was left."""
    return st.session_state.get(key, otherwise)


def set_value(key: str, value: Any) -> None:
    """Give a widget a value, before it is drawn."""
    st.session_state[key] = value


def is_drawn(key: str) -> bool:
    """Return whether a widget was drawn, and its page has not been left since."""
    return key in st.session_state


def forget(beginning: str) -> None:
    """Remove the values of all widgets whose keys begin like this."""
    for key in [key for key in st.session_state if str(key).startswith(beginning)]:
        del st.session_state[key]


def held(key: str, make: Callable[[], T]) -> T:
    """Return the object that a session holds under a key, made when it is first asked for."""
    if key not in st.session_state:
        st.session_state[key] = make()
    result: T = st.session_state[key]
    return result


def numbered(name: str) -> str:
    """Return the key of a widget that ``renew`` empties."""
    return f"{name}_{held(_NUMBERS, dict[str, int]).get(name, 0)}"


def renew(name: str) -> None:
    """Replace a widget with a numbered key by one without a value."""
    numbers = held(_NUMBERS, dict[str, int])
    numbers[name] = numbers.get(name, 0) + 1
