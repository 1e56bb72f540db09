"""Text from files on a page, letter for letter: the one place that knows what Streamlit's Markdown would make of it.

Why: labels, headings, messages, cards and tables of text all read Markdown with Streamlit's additions, and none of them
can be told not to (https://github.com/streamlit/streamlit/issues/7638). ``st.text`` shows text as it is, but alone.

It can go when every element that takes text can show it literally.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence

import pandas as pd
import streamlit as st

from rankdash.wording import literal

#: Everything that Markdown, or Streamlit's additions to it, gives a meaning.
_MARKUP = re.compile(r"([!-/:-@\[-`{-~])")
#: What is recognised even where every mark is escaped, because it is looked for in the text that is left: addresses,
#: icons, emoji and arrows. An invisible joiner breaks them apart.
_JOINER = "\u2060"
_RECOGNISED = re.compile(
    r"(?<=:)(?=//)|(?<=www)(?=\.)|(?=@[\w-]+\.\w)|(?<=:)(?=[\w+-]+:)|(?<=[-<~>])(?=[->=])", re.IGNORECASE
)


def plain(text: str) -> str:
    """The text as Markdown that shows it literally, on one line.

    >>> plain("**b** :red[x]")
    '\\\\*\\\\*b\\\\*\\\\* \\\\:red\\\\[x\\\\]'
    """
    parts = _RECOGNISED.split(literal(" ".join(text.split())))
    return _JOINER.join(_MARKUP.sub(r"\\\1", part) for part in parts)


def literal_cells(frame: pd.DataFrame) -> pd.DataFrame:
    """A frame for ``st.dataframe`` or ``st.data_editor``, which show text as it is: marks that act instead of being
    seen are spelled out.
    """
    shown = frame.rename(columns=literal)
    for place, kind in enumerate(frame.dtypes):
        if not pd.api.types.is_numeric_dtype(kind):
            cells = [_cell(cell) for cell in frame.iloc[:, place]]
            as_text = kind if pd.api.types.is_string_dtype(kind) else object
            shown.isetitem(place, pd.array(cells, dtype=as_text))
    return shown


def _cell(cell: object) -> object:
    return literal(cell) if isinstance(cell, str) else cell


def short(text: str, width: int) -> str:
    """The text, cut to so many columns of ordinary letters; Chinese, Japanese and Korean ones take two."""
    columns = 0
    for at, letter in enumerate(text):
        columns += 2 if unicodedata.east_asian_width(letter) in "WF" else 1
        if columns > width:
            return text[: at - 1].rstrip() + "…"
    return text


def table(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table whose cells are Markdown already, as one piece of Markdown: there in a fraction of the time of
    ``st.table``, for which each cell is a text of its own.

    >>> table(["Rank", "Gain"], [("1", "3")])
    '|Rank|Gain|\\n|-|-|\\n|1|3|'
    """
    return "\n".join(f"|{'|'.join(cells)}|" for cells in (heads, ["-"] * len(heads), *rows))


def problems(lines: Iterable[str]) -> None:
    """Sentences about a file, each on its own line, letter for letter."""
    with st.container(border=True):
        for line in lines:
            with st.container(horizontal=True, gap="small", wrap=False):
                st.markdown(":red[:material/error:]", width="content")
                st.text(literal(line), width="stretch")
