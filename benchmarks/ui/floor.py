"""The floor: a hello-world app with one chart, and the widgets that the dashboard is asked to change.

``?bars=296&rows=10``: how many bars its chart has, and how many rows its editor (0: there is none). Whatever is changed
changes one line of text and every bar. ``?upload=1``: a page that takes files and says how many, and nothing else.
"""

from __future__ import annotations

import numpy as np
import pandas as pd
import plotly.graph_objects as go
import streamlit as st


@st.dialog("Empty")
def dialog() -> None:
    """A dialog with one line."""
    st.container(key="empty").markdown("empty")


CUTOFFS = ["1", "3", "5", "10", "20", "100"]
CONVENTIONS = [f"convention {number}" for number in range(10)]

st.set_page_config(layout="wide")
if st.query_params.get("upload"):
    files = st.file_uploader("Files", accept_multiple_files=True, key="files")
    with st.container(key="received"):
        st.markdown(f"{len(files)} files, {sum(file.size for file in files):,} bytes")
    st.stop()
bars, rows = (int(st.query_params.get(name, default)) for name, default in (("bars", "296"), ("rows", "0")))
cutoff = st.segmented_control("Cutoff", CUTOFFS, default="10", key="k", required=True)
convention = st.selectbox("Convention", CONVENTIONS, key="convention")
if st.button("Open", key="open"):
    dialog()
edited = 0.0
if rows:
    base = pd.DataFrame({"grade": np.zeros(rows), "rank": np.arange(1, rows + 1)})
    edited = float(st.data_editor(base, key="edit", hide_index=True)["grade"].sum())
seed = int(cutoff) + 1_000 * CONVENTIONS.index(convention) + int(10_000 * edited)
values = np.sort(np.random.default_rng(seed).normal(size=bars))
with st.container(key="number"):
    st.markdown(f"mean {values.mean():.9f}")
figure = go.Figure(go.Bar(x=np.arange(bars), y=values, customdata=np.arange(bars)))
figure.update_layout(height=360, bargap=0, dragmode=False, hovermode="x", hoverdistance=-1)
event = st.plotly_chart(
    figure, key="chart", on_select="rerun", selection_mode="points", config={"displayModeBar": False},
)  # fmt: skip
points = event["selection"]["points"]
with st.container(key="opened"):
    st.markdown(f"opened {points[0]['point_index'] if points else 'none'}")
