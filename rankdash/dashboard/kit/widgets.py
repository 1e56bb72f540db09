"""The values that Streamlit remembers for a browser session: those of its widgets, and one object per key.

Why: ``st.session_state`` is one dictionary for everything. The kit reads and writes it here, and ``session/session.py``
holds what is open, so that a reader sees at once what outlives a run of the page.

It can go when Streamlit offers typed state instead of a dictionary.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Generic, TypeVar

import streamlit as st

from rankdash.records import frozen

T = TypeVar("T")
_NUMBERS = "widget_numbers"


def value_of(key: str, otherwise: Any = None) -> Any:
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


# --- controlled widget ---
#
# Controlled widgets: their value is set by the server as well as by the person at the browser.
#
# Why: a widget with a key keeps its first value, whatever value it is given later
# (https://github.com/streamlit/streamlit/issues/12629 and 12880, both "intended"). Besides, a browser sends the values
# of all widgets with every event. A widget that the server has just changed, and the browser has not redrawn yet, is
# sent with its old value, which looks like a choice. Therefore a widget gets a new key with every value that the server
# sets, and a value that equals what the server set is not taken for a choice. The value of a widget that is on the page
# is never overwritten in the session state: that would undo what was chosen in the browser meanwhile.
#
# It can go when a widget accepts a new value under the same key, and its callback tells a choice from that value.


_SET = "controlled_widgets"
_UNSET = object()


def key_of(name: str, value: Any) -> str:
    """Return the key for the widget called ``name``; the caller gives the widget ``value`` as its first value.

    The key stays the same while the widget shows ``value``, whether the server set it or a person chose it. The name is
    the key of the element around the widget, by which tests and scripts can address it.
    """
    controlled = f"{name}_"
    if value_of(numbered(controlled), _UNSET) != value:
        renew(controlled)
    key = numbered(controlled)
    held(_SET, dict[str, Any])[key] = value
    return key


def is_chosen(key: str) -> bool:
    """Return whether a person chose the value of a widget, in its callback; False for the value that the server set."""
    values, value = held(_SET, dict[str, Any]), value_of(key)
    if values.get(key, _UNSET) == value:
        return False
    values[key] = value
    return True


# --- editors ---
#
# Editors (``st.data_editor``) that stay on the screen, with their cursor, while typed cells take effect.
#
# Why: an editor stores typed cells under its key, as changes to the table that it was given. With another table under
# the same key it loses every second change (https://github.com/streamlit/streamlit/issues/7749), and the server can
# neither set nor revert a typed cell (issue 6540). So an editor keeps its key and its first table as long as that table
# plus the typed changes equals the current state. In every other case a new editor replaces it, under a new key.
#
# It can go when an editor accepts another table without losing the cursor, and typed cells can be set and reverted.


#: Heights in pixels: of a row, and of the header row with the border.
ROW, _HEAD = 35, 38
_EDITORS = "editors"


@frozen
class Drawn(Generic[T]):
    """An editor: its key, and the value that it was given to show."""

    key: str
    given: T

    @property
    def typed(self) -> dict[str, Any]:
        """The typed changes, by "edited_rows", "added_rows" and "deleted_rows"; empty before the editor is drawn."""
        return dict(value_of(self.key, {}))


def height(rows: int) -> int:
    """Return the height of a table with a header row, in pixels."""
    return _HEAD + ROW * rows


def renew_editors() -> None:
    """Replace every editor of this session when it is drawn next, so that it shows the current state."""
    held(_EDITORS, dict[str, Drawn[Any]]).clear()


def latest_editor(name: str) -> Drawn[Any] | None:
    """Return the last editor with a name; None before the first, and where all were replaced."""
    return held(_EDITORS, dict[str, Drawn[Any]]).get(name)


def begin_editor(name: str, given: T) -> Drawn[T]:
    """Return a new editor with a name. Its key begins with the name and is never reused in this session."""
    renew(name)
    return keep_editor(name, Drawn(numbered(name), given))


def keep_editor(name: str, drawn: Drawn[T]) -> Drawn[T]:
    """Let an editor be the last one with a name, and return it."""
    held(_EDITORS, dict[str, Drawn[Any]])[name] = drawn
    return drawn
