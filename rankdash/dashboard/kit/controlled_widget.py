"""Controlled widgets: their value is set by the server as well as by the person at the browser.

Why: a widget with a key keeps its first value, whatever value it is given later
(https://github.com/streamlit/streamlit/issues/12629 and 12880, both "intended"). Besides, a browser sends the values of
all widgets with every event. A widget that the server has just changed, and the browser has not redrawn yet, is sent
with its old value, which looks like a choice. Therefore a widget gets a new key with every value that the server sets,
and a value that equals what the server set is not taken for a choice. The value of a widget that is on the page is
never overwritten in the session state: that would undo what was chosen in the browser meanwhile.

It can go when a widget accepts a new value under the same key, and its callback tells a choice from that value.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import count
from typing import Any

from rankdash.dashboard.kit import session_values

_STATE = "controlled_widgets"
_UNSET = object()


@dataclass
class _Widgets:
    """The controlled widgets of a session: the current key of each by name, and the value set under each key."""

    numbers: count[int] = field(default_factory=count)
    keys: dict[str, str] = field(default_factory=dict)
    values: dict[str, Any] = field(default_factory=dict)


def _widgets() -> _Widgets:
    return session_values.held(_STATE, _Widgets)


def key_of(name: str, value: Any) -> str:
    """Return the key for the widget called ``name``; the caller gives the widget ``value`` as its first value.

    The key stays the same while the widget shows ``value``, whether the server set it or a person chose it. The name is
    the key of the element around the widget, by which tests and scripts can address it.
    """
    widgets = _widgets()
    key = widgets.keys.get(name)
    if key is None or session_values.value(key, _UNSET) != value:
        key = widgets.keys[name] = f"{name}__{next(widgets.numbers)}"
    widgets.values[key] = value
    return key


def is_chosen(key: str) -> bool:
    """Return whether a person chose the value of a widget, in its callback; False for the value that the server set."""
    widgets, value = _widgets(), session_values.value(key)
    if widgets.values.get(key, _UNSET) == value:
        return False
    widgets.values[key] = value
    return True
