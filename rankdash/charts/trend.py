"""The difference of comparable comparisons over time."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

import plotly.graph_objects as go

from rankdash import style
from rankdash.charts.base import AXIS, DIFFERENCE, drawn, title
from rankdash.charts.literal import literal
from rankdash.wording import signed

#: Name, time, difference, and the ends of its interval, None where they are not known.
Point = tuple[str, datetime, float, float | None, float | None]
_HEIGHT = 260


def trend_chart(points: Sequence[Point], measure: str) -> go.Figure:
    """One line over the comparisons in the order given, with their intervals; one trace."""
    trace = {
        "type": "scatter",
        "mode": "lines+markers",
        "x": [at for _, at, *_ in points],
        "y": [delta for _, _, delta, *_ in points],
        "line": {"color": style.MODEL, "width": 2},
        "error_y": {
            "type": "data",
            "symmetric": False,
            "array": [0.0 if high is None else high - delta for _, _, delta, _, high in points],
            "arrayminus": [0.0 if low is None else delta - low for _, _, delta, low, _ in points],
            "color": style.SAME,
            "thickness": 1,
        },
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
