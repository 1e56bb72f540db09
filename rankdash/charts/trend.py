"""The differences of several comparisons: one pair over time, and any beside each other."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

import plotly.graph_objects as go

from rankdash import style
from rankdash.charts.base import AXIS, DIFFERENCE, around_zero, drawn, error_bars, title
from rankdash.charts.literal import literal
from rankdash.wording import delta_text

#: Name, time, difference, and the ends of its interval, None where they are not known.
Point = tuple[str, datetime, float, float | None, float | None]
#: Name, difference, the ends of its interval, None where they are not known; whether it is comparable with the first.
Dot = tuple[str, float, float | None, float | None, bool]
_HEIGHT = 260
#: Of a chart of dots: the height of a row, and of what stands below the rows.
_ROW, _BELOW = 36, 56


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
        "hovertext": [f"{literal(name)}: {delta_text(measure, delta)}" for name, _, delta, *_ in points],
        "hoverinfo": "text",
    }
    return drawn(
        [trace],
        height=_HEIGHT,
        margin={"l": 64, "r": 8, "t": 8, "b": 32},
        xaxis={**AXIS, "type": "date"},
        yaxis={**DIFFERENCE, "title": title(f"Δ{literal(measure)}")},
    )


def dot_chart(dots: Sequence[Dot], measure: str) -> go.Figure:
    """Return a figure with one named row per comparison, from top to bottom in the order given; one trace.

    A dot has the colour of a difference that is proven, and is hollow where it cannot be compared with the first.
    """
    deltas, ends = [delta for _, delta, *_ in dots], [(low, high) for _, _, low, high, _ in dots]
    places = list(range(len(dots)))
    proven = [None if low is None or high is None else (low, high) for low, high in ends]
    trace = {
        "type": "scatter",
        "mode": "markers",
        "x": deltas,
        "y": places,
        "marker": {
            "color": list(map(style.proven_tone, proven)),
            "size": 13,
            "symbol": ["circle" if is_alike else "circle-open" for *_, is_alike in dots],
        },
        "error_x": error_bars(deltas, ends),
        "hovertext": [f"{literal(name)}: {delta_text(measure, delta)}" for name, delta, *_ in dots],
        "hoverinfo": "text",
    }
    return drawn(
        [trace],
        height=_ROW * len(dots) + _BELOW,
        margin={"l": 0, "r": 8, "t": 8, "b": 44},
        xaxis={**DIFFERENCE, "title": title(f"Δ{literal(measure)}"), "range": around_zero([*deltas, *sum(ends, ())])},
        yaxis={
            **AXIS,
            "range": [len(dots) - 0.5, -0.5],
            "tickmode": "array",
            "tickvals": places,
            "ticktext": [literal(name) for name, *_ in dots],
            "ticksuffix": "  ",
            "showgrid": False,
            "automargin": True,
        },
    )
