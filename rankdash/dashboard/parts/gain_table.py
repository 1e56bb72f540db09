"""The widget for the gain of a convention: a named gain, or a typed table of gains."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import streamlit as st

from rankdash.conventions import AXES, ConventionError, Gains
from rankdash.dashboard.kit.literal import plain
from rankdash.style import LONGEST_TEXT
from rankdash.style import method as words

#: The entry in the list of gains for a table that is typed below it.
TABLE = "table"
OPTIONS = (*AXES["gain"], TABLE)


def option(gain: str | Gains) -> str:
    """Return what of the list a gain is."""
    return TABLE if isinstance(gain, Gains) else gain


def shown(option: str) -> str:
    """Return an option in words."""
    return words.AXES["gain"].values.get(option, words.OWN_GAINS)


def typed(start: str | Gains, key: str, text_input: Callable[..., Any] = st.text_input) -> str:
    """Draw the field for a table of gains, at first with that of ``start``, and return its text. A message tells where
    it is not a table.
    """
    text = str(
        text_input(
            words.GAINS,
            str(start) if isinstance(start, Gains) else "",
            LONGEST_TEXT,
            key=key,
            placeholder=words.GAINS_LIKE,
            help=words.GAINS_HELP,
        )
    )
    if text.strip():
        try:
            Gains.parse(text)
        except ConventionError as error:
            st.markdown(f":red[{plain(str(error))}]")
    return text
