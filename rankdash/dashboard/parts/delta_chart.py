"""The chart of the sorted deltas, and a mark over the bar of the query that is open.

The mark is a drawing over the chart: a chart that changes is mounted anew and drawn twice, and a click would wait for
that. A chart that is sent again as it was costs next to nothing.
"""

from __future__ import annotations

from typing import Any

import plotly.graph_objects as go
import streamlit as st

from rankdash import charts, style
from rankdash.dashboard.host.results import once
from rankdash.dashboard.kit import session_values
from rankdash.dashboard.session import session, views
from rankdash.inspect.lists import Changes


def chart(changes: Changes, measure: str, height: int, key: str, alt: str) -> None:
    """Draw the chart. A click on a bar opens its query."""

    def clicked() -> None:
        event: Any = session_values.value(key)
        points = event["selection"]["points"]
        if points:
            place = points[0]["customdata"]
            place = int(place[0] if isinstance(place, list) else place)
            views.click(changes.query_ids[place] if 0 <= place < len(changes) else None)
        # A second click on a bar takes its selection back, and means the bar all the same: meanwhile another query may
        # have been opened by other ways.
        query_id = session.now().clicked
        if query_id is not None and query_id in changes.query_ids:
            views.choose_query(query_id)

    with st.container(key="marked", gap=None):
        st.plotly_chart(
            _figure(changes, measure, height),
            key=key,
            config=charts.CONFIG,
            on_select=clicked,
            selection_mode="points",
            alt=alt,
        )
        with st.container(key="mark"):
            _mark(changes)


@once
def _figure(changes: Changes, measure: str, height: int) -> go.Figure:
    return charts.delta_chart(changes, measure, height)


def _mark(changes: Changes) -> None:
    """Draw the mark, at the query that is open."""
    place = changes.query_ids.index(views.query_among(changes.query_ids, changes.query_ids[0]))
    drawing = charts.mark(changes, place, charts.names_height(changes))
    st.image(drawing, alt=style.MARK_ALT.format(place=place + 1, n=len(changes)))
