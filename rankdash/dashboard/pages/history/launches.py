"""What was decided over time: the launch log as a file, and how offline differences went together with online ones."""

from __future__ import annotations

import streamlit as st

from rankdash import charts
from rankdash.dashboard.session.saved import browsers, shelf
from rankdash.style import decisions as words

#: Comparisons with both differences from which on a chart says anything.
_LEAST = 3


def panel() -> None:
    """The file, and the chart once there are enough points."""
    store, browser = shelf.store(), browsers.listed()
    st.download_button(
        words.LOG,
        lambda: store.launch_log(browser),
        words.LOG_FILE,
        "text/csv",
        key="launch_log",
        icon=":material/download:",
        help=words.LOG_HELP,
        on_click="ignore",
    )
    points = store.points(browser)
    if len(points) < _LEAST:
        return
    with st.container(border=True, key="launches"):
        st.subheader(words.CHART, anchor=False)
        st.caption(words.CHART_WHY)
        st.plotly_chart(
            charts.launch_chart([(one.name, one.offline, one.online, one.lower, one.upper) for one in points]),
            key="launch_chart",
            config=charts.CONFIG,
            alt=words.CHART_ALT.format(n=len(points)),
        )
