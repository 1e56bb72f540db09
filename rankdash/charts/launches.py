"""Differences that were measured offline against those that were observed online."""

from __future__ import annotations

from collections.abc import Sequence

import plotly.graph_objects as go

from rankdash import style
from rankdash.charts.base import DIFFERENCE, drawn, title
from rankdash.charts.literal import literal
from rankdash.style import decisions as words
from rankdash.wording import signed

#: Name, offline difference, online difference, and the ends of its interval, None where they are not known.
Point = tuple[str, float, float, float | None, float | None]
_HEIGHT = 320


def launch_chart(points: Sequence[Point]) -> go.Figure:
    """One marker per comparison: offline across, online upwards, with the interval of the online test where it has one.

    One trace. Both axes have a line at 0: what agrees about the sign lies in the quarter up right or down left.
    """
    trace = {
        "type": "scatter",
        "mode": "markers",
        "x": [offline for _, offline, *_ in points],
        "y": [online for _, _, online, *_ in points],
        "marker": {"color": style.MODEL, "size": 9},
        "error_y": {
            "type": "data",
            "symmetric": False,
            "array": [0.0 if high is None else high - online for _, _, online, _, high in points],
            "arrayminus": [0.0 if low is None else online - low for _, _, online, low, _ in points],
            "color": style.SAME,
            "thickness": 1,
        },
        "hovertext": [f"{literal(name)}: {signed(offline)} → {signed(online)}" for name, offline, online, *_ in points],
        "hoverinfo": "text",
    }
    return drawn(
        [trace],
        height=_HEIGHT,
        margin={"l": 64, "r": 8, "t": 8, "b": 44},
        xaxis={**DIFFERENCE, "title": title(words.OFFLINE_AXIS)},
        yaxis={**DIFFERENCE, "title": title(words.ONLINE_AXIS)},
    )
