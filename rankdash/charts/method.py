"""The figure of the method page: what a rank counts."""

from __future__ import annotations

from collections.abc import Sequence

import plotly.graph_objects as go

from rankdash import style
from rankdash.charts.base import AXIS, drawn, title
from rankdash.charts.literal import literal
from rankdash.inspect.view import Weight
from rankdash.style import method as words
from rankdash.wording import number

_LOOKS = {"discount": (style.MODEL, "solid"), "rbp": (style.TEXT, "dash"), "reciprocal": (style.SAME, "dot")}


def discount_chart(weights: Sequence[Weight]) -> go.Figure:
    """Return the weight of each rank: one line per measure, each with its name at a rank where the lines lie apart."""
    ranks = [weight.rank for weight in weights]
    lines = []
    for name, (colour, dash) in _LOOKS.items():
        values = [getattr(weight, name) for weight in weights]
        label = words.DISCOUNT_NAMES[name]
        lines.append(
            {
                "type": "scatter",
                "x": ranks,
                "y": values,
                "mode": "lines+markers",
                "name": label,
                "line": {"color": colour, "width": 2.5, "dash": dash},
                "marker": {"size": 6, "color": colour},
                "hovertext": _hover(label, ranks, values),
                "hoverinfo": "text",
            }
        )
    # Both axes adapt to the room of their labels, which elsewhere is not worth a second drawing.
    across, up = ({**AXIS, "automargin": True, "title": title(text)} for text in words.DISCOUNT_AXES)
    return drawn(
        lines,
        height=320,
        margin={"l": 0, "r": 8, "t": 8, "b": 0},
        showlegend=True,
        legend={"x": 0.98, "xanchor": "right", "y": 0.98, "font": {"color": style.TEXT, "size": 13}},
        xaxis={**across, "dtick": 1, "showgrid": False, "range": [0.5, len(ranks) + 0.5]},
        yaxis={**up, "range": [0, 1.05]},
    )


def _hover(label: str, ranks: Sequence[int], values: Sequence[float]) -> list[str]:
    return [f"{literal(label)}, rank {rank}: {number(y)}" for rank, y in zip(ranks, values, strict=True)]
