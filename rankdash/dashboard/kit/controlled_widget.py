"""Widgets that show what the server knows, and that people choose in all the same.

Why: a widget with a key shows the value that it began with, whatever it is given later
(https://github.com/streamlit/streamlit/issues/12629 and 12880, both "intended"). And with every event a browser sends
what all of its widgets show: one that was given another value here, and that the browser has not drawn anew yet, comes
back with the old value, which looks as if somebody had chosen it. So a widget gets another key with each value that it
is given, and what comes back as it was given is no choice. Nor is a value written into a widget that is on the page
already, for that would undo in the browser what was chosen there meanwhile.

It can go when a widget takes another value under the same key, and tells a choice from what it was given.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import count
from typing import Any

import streamlit as st

_HELD = "held"
_NOTHING = object()


@dataclass
class _Held:
    """What this session has given its widgets to show: the keys in use by name, and the value behind each key."""

    numbers: count[int] = field(default_factory=count)
    keys: dict[str, str] = field(default_factory=dict)
    values: dict[str, Any] = field(default_factory=dict)


def _held() -> _Held:
    found: _Held = st.session_state.setdefault(_HELD, _Held())
    return found


def key_of(name: str, value: Any) -> str:
    """The key of the widget called ``name``, which has to begin with ``value`` and shows it.

    It stays the same as long as the widget shows what it was given or what a person chose there. The element in which
    the widget stands bears the name, for tests and scripts to find it.
    """
    held = _held()
    key = held.keys.get(name)
    if key is None or st.session_state.get(key, _NOTHING) != value:
        key = held.keys[name] = f"{name}__{next(held.numbers)}"
    held.values[key] = value
    return key


def is_chosen(key: str) -> bool:
    """Whether what a widget sends is a choice: it is none where it is what the widget was given. For callbacks."""
    held, value = _held(), st.session_state[key]
    if held.values.get(key, _NOTHING) == value:
        return False
    held.values[key] = value
    return True
