"""The difference of comparable comparisons over time."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

import plotly.graph_objects as go

from rankdash import style
from rankdash.charts.base import AXIS, DIFFERENCE, drawn, error_bars, title
from rankdash.charts.literal import literal
from rankdash.wording import signed

#: Name, time, difference, and the ends of its interval, None where they are not known.
Point = tuple[str, datetime, float, float | None, float | None]
_HEIGHT = 260


def trend_chart(points: Sequence[Point], measure: str) -> go.Figure:
    """Return a figure with one line over the comparisons in the order given, with their intervals; one trace."""
    deltas = [delta for _, _, delta, *_ in points]
    trace = {
        "type": "scatter",
        "mode": "lines+markers",
        "x": [at for _, at, *_ in points],
        "y": deltas,
        "line": {"color": style.MODEL, "width": 2},
        "error_y": error_bars(deltas, [(low, high) for *_, low, high in points]),
        "hovertext": [f"{literal(name)}: {signed(delta)}" for name, _, delta, *_ in points],
        "hoverinfo": "text",
    }
    return drawn(
        [trace],
        height=_HEIGHT,
        margin={"l": 64, "r": 8, "t": 8, "b": 32},
        xaxis={**AXIS, "type": "date"},
        yaxis={**DIFFERENCE, "title": title(f"Δ{literal(measure)}")},
    )
