"""The floor of a list: a hello-world app of two pages, one of which has a table of 50 rows and a field that changes it.

Whatever is typed into the field changes one line of text and every row.
"""

from __future__ import annotations

import zlib

import numpy as np
import pandas as pd
import streamlit as st

ROWS, COLUMNS = 50, 9


def first() -> None:
    """The page that opens."""
    st.markdown("hello")


def history() -> None:
    """The page with the table."""
    text = st.text_input("Search", key="history_words")
    values = np.random.default_rng(zlib.crc32(text.encode())).normal(size=(ROWS, COLUMNS))
    with st.container(key="history_list"):
        st.caption(f"mean {values.mean():.9f}")
        frame = pd.DataFrame(values, columns=[f"column {n}" for n in range(COLUMNS)])
        st.dataframe(frame.map("{:.3f}".format), hide_index=True, on_select="rerun", selection_mode="multi-row")


st.set_page_config(layout="wide")
st.navigation([st.Page(first, title="Method"), st.Page(history, title="History")], position="top").run()
