"""Controls that a narrow screen has behind a button: there they would stand before everything that they are for.

Why: the server does not know how wide a screen is, and Streamlit has nothing that is laid out differently on a narrow
screen. So the style sheet shows the button, and hides what is folded, on narrow screens alone.

It can go when a container can be told to collapse below some width.
"""

from __future__ import annotations

from typing import Any

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from rankdash import style
from rankdash.dashboard.kit import session_values

_STATE = "unfolded_{name}"


def button(name: str) -> None:
    """Draw the button that shows and hides the controls called ``name``."""
    is_open = _is_open(name)
    st.button(
        style.FOLDED[is_open],
        key=f"fold_{name}",
        icon=":material/filter_list:",
        on_click=session_values.set_value,
        args=(_STATE.format(name=name), not is_open),
    )


def container(name: str, part: str = "all", **how: Any) -> DeltaGenerator:
    """Return a container for controls called ``name``, or for a part of them; it is laid out like any other."""
    return st.container(key=f"{'unfolded' if _is_open(name) else 'folded'}_{name}_{part}", **how)


def _is_open(name: str) -> bool:
    return bool(session_values.value(_STATE.format(name=name), False))
