"""Differences that were measured offline against those that were observed online."""

from __future__ import annotations

from collections.abc import Sequence

import plotly.graph_objects as go

from rankdash import style
from rankdash.charts.base import DIFFERENCE, around_zero, drawn, error_bars, title
from rankdash.charts.literal import literal
from rankdash.style import decisions as words
from rankdash.wording import signed

#: Name, offline difference, online difference, and the ends of its interval, None where they are not known.
Point = tuple[str, float, float, float | None, float | None]
_HEIGHT = 320


def launch_chart(points: Sequence[Point]) -> go.Figure:
    """Return a figure with one marker per comparison: offline across, online upwards, with the interval of the online
    test where it has one.

    One trace. Both axes reach to 0 and have a line there: where the signs agree, a marker stands in the upper right or
    the lower left quarter.
    """
    offline, online = [before for _, before, *_ in points], [after for _, _, after, *_ in points]
    intervals = [(low, high) for *_, low, high in points]
    trace = {
        "type": "scatter",
        "mode": "markers",
        "x": offline,
        "y": online,
        "marker": {"color": style.MODEL, "size": 9},
        "error_y": error_bars(online, intervals),
        "hovertext": [f"{literal(name)}: {signed(before)} → {signed(after)}" for name, before, after, *_ in points],
        "hoverinfo": "text",
    }
    return drawn(
        [trace],
        height=_HEIGHT,
        margin={"l": 64, "r": 8, "t": 8, "b": 44},
        xaxis={**DIFFERENCE, "title": title(words.OFFLINE_AXIS), "range": around_zero(offline)},
        yaxis={**DIFFERENCE, "title": title(words.ONLINE_AXIS), "range": around_zero([*online, *sum(intervals, ())])},
    )
