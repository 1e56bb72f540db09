"""Escaping of text from files, so that pages show it literally and not as Streamlit's Markdown.

Why: labels, headings, messages, cards and tables of text all interpret Markdown with Streamlit's additions, and none of
them has an option against it (https://github.com/streamlit/streamlit/issues/7638). ``st.text`` shows literal text, but
cannot be part of another element.

It can go when every element that takes text can show it literally.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

import pandas as pd
import streamlit as st

from rankdash.wording import literal, short

__all__ = ["NAME", "button_cell", "literal_cells", "plain", "plain_label", "problems", "short", "show_table", "table"]

#: Columns of letters that a name of a model, a file or a person may take in a sentence.
NAME = 40
#: Every character with a meaning in Markdown or Streamlit's additions to it.
_MARKUP = re.compile(r"([!-/:-@\[-`{-~])")
#: Places inside addresses, icons, emoji and arrows, which Streamlit recognises after it has removed the escapes. An
#: invisible word joiner at these places prevents that.
_JOINER = "\u2060"
_RECOGNISED = re.compile(
    r"(?<=:)(?=//)|(?<=www)(?=\.)|(?=@[\w-]+\.\w)|(?<=:)(?=[\w+-]+:)|(?<=[-<~>])(?=[->=])", re.IGNORECASE
)


def plain(text: str) -> str:
    """Return Markdown that shows a text literally, on one line.

    >>> plain("**b** :red[x]")
    '\\\\*\\\\*b\\\\*\\\\* \\\\:red\\\\[x\\\\]'
    """
    parts = _RECOGNISED.split(literal(" ".join(text.split())))
    return _JOINER.join(_MARKUP.sub(r"\\\1", part) for part in parts)


#: Text in which nothing is markup: words, and signs that mean something only at other places.
_UNMARKED = re.compile(r"(?!\d+\))[^\W_](?:[^\W_]|[ @(),=·/-]|(?<=[^\W_])_(?=[^\W_])|(?<=\d)\.(?=\d))*")


def plain_label(text: str) -> str:
    """Return the label of a widget that shows a text literally. Its help, or its field, is called by what is returned
    letter for letter, so nothing is escaped where nothing has to be.

    >>> plain_label("nDCG@10"), plain_label("**b**")
    ('nDCG@10', '\\\\*\\\\*b\\\\*\\\\*')
    """
    return text if _UNMARKED.fullmatch(text) else plain(text)


def literal_cells(frame: pd.DataFrame) -> pd.DataFrame:
    """Return a frame for ``st.dataframe`` or ``st.data_editor``, which show literal text.

    Control characters are written as escape sequences.
    """
    shown = frame.rename(columns=literal)
    for place, kind in enumerate(frame.dtypes):
        if not pd.api.types.is_numeric_dtype(kind):
            cells = [literal(cell) if isinstance(cell, str) else cell for cell in frame.iloc[:, place]]
            as_text = kind if pd.api.types.is_string_dtype(kind) else object
            shown.isetitem(place, pd.array(cells, dtype=as_text))
    return shown


def button_cell(text: str) -> str:
    """Return the label of a button in a cell of ``st.dataframe`` that shows a text literally: only a text that begins
    like a list or an icon would be taken for one.
    """
    return _JOINER + text if text.lstrip().startswith(("[", ":")) else text


def table(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Return a Markdown table of cells that are Markdown already.

    It appears in a fraction of the time of ``st.table``, which renders every cell as Markdown of its own.

    >>> table(["Rank", "Gain"], [("1", "3")])
    '|Rank|Gain|\\n|-|-|\\n|1|3|'
    """
    return "\n".join(f"|{'|'.join(cells)}|" for cells in (heads, ["-"] * len(heads), *rows))


def show_table(rows: Iterable[Sequence[str]], columns: Iterable[str], alt: str) -> None:
    """Draw a table of cells that are Markdown; ``alt`` says what it shows."""
    st.table(pd.DataFrame(list(rows), columns=list(columns)), border="horizontal", hide_index=True, alt=alt)


def problems(lines: Iterable[str]) -> None:
    """Show problems of a file as literal text, one per line."""
    with st.container(border=True):
        for line in lines:
            with st.container(horizontal=True, gap="small", wrap=False):
                st.markdown(":red[:material/error:]", width="content")
                st.text(literal(line), width="stretch")
