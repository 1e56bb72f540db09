"""Let the browser load what the next page is drawn with, while a person chooses files, or what is asked for is
computed.

Why: Streamlit's page loads the code of a kind of element when the first of it is drawn. That of a chart has 5 MB, and a
browser that comes to the verdict without it needs most of a second more. So one empty element of each kind is drawn
where nobody sees it; the style sheet hides it.

It can go when Streamlit loads such code beforehand, or has it in smaller parts.
"""

from __future__ import annotations

import pandas as pd
import plotly.graph_objects as go
import streamlit as st

from rankdash.style import APP

#: The element that the style sheet hides.
_KEY = "drawn_ahead"


def draw() -> None:
    """Draw a chart, a table, a list and a field that nobody sees."""
    with st.container(key=_KEY):
        st.plotly_chart(go.Figure(), key=f"{_KEY}_chart", alt=APP)
        st.table(pd.DataFrame(), alt=APP)
        st.selectbox(APP, (), key=f"{_KEY}_list", disabled=True)
        st.text_input(APP, max_chars=1, key=f"{_KEY}_field", disabled=True)
