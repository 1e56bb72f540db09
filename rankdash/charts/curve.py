"""Curve -> the means of A and of B over the cutoff."""

from __future__ import annotations

import plotly.graph_objects as go

from rankdash import style
from rankdash.charts.base import AXIS, title
from rankdash.charts.literal import literal
from rankdash.charts.points import points_chart
from rankdash.inspect.view import Curve
from rankdash.style import queries as words
from rankdash.wording import number


def curve_chart(curve: Curve, measure: str, k: int) -> go.Figure:
    """Return the means of A and of B over the cutoff, each line with its name; the cutoff in view is dotted."""
    lines = [
        {
            "type": "scatter",
            "x": [str(at) for at in curve.ks],
            "y": list(values),
            "mode": "lines+markers+text",
            "name": side,
            "line": {"color": colour, "width": 2.5, "dash": dash},
            "marker": {"size": 7, "color": colour},
            "text": [""] * (len(curve.ks) - 1) + [side],
            "textposition": "middle right",
            "textfont": {"color": colour, "size": 14},
            "hoverinfo": "text",
            "hovertext": [f"{side}, k = {at}: {number(value)}" for at, value in zip(curve.ks, values, strict=True)],
        }
        for side, values, colour, dash in (("A", curve.a, style.SAME, "dash"), ("B", curve.b, style.MODEL, "solid"))
    ]
    figure = points_chart(
        lines,
        xaxis={**AXIS, "type": "category", "title": title(literal(words.CURVE_AXIS))},
        yaxis={**AXIS, "title": title(literal(measure))},
    )
    if k in curve.ks:
        figure.add_vline(x=curve.ks.index(k), line={"color": style.SAME, "width": 1, "dash": "dot"})
    return figure
