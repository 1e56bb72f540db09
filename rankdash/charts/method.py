"""The figure of the method page: what a rank counts."""

from __future__ import annotations

from collections.abc import Sequence

import plotly.graph_objects as go

from rankdash import style
from rankdash.charts.literal import literal
from rankdash.inspect.method import Weight
from rankdash.style import method as words
from rankdash.wording import number

_LOOKS = {"discount": (style.MODEL, "solid"), "rbp": (style.TEXT, "dash"), "reciprocal": (style.SAME, "dot")}
_GRID = "rgba(138,147,163,0.35)"


def discount_chart(weights: Sequence[Weight]) -> go.Figure:
    """Return the weight of each rank: one line per measure, each with its name at a rank where the lines lie apart."""
    ranks = [one.rank for one in weights]
    lines = []
    for name, (colour, dash) in _LOOKS.items():
        values = [getattr(one, name) for one in weights]
        label = words.DISCOUNT_NAMES[name]
        lines.append(
            go.Scatter(
                x=ranks,
                y=values,
                mode="lines+markers",
                name=label,
                line={"color": colour, "width": 2.5, "dash": dash},
                marker={"size": 6, "color": colour},
                hovertext=_told(label, ranks, values),
                hoverinfo="text",
            )
        )
    figure = go.Figure(lines)
    figure.update_layout(
        template="plotly_white",
        height=320,
        margin={"l": 0, "r": 8, "t": 8, "b": 0},
        dragmode=False,
        legend={"x": 0.98, "xanchor": "right", "y": 0.98, "font": {"color": style.TEXT, "size": 13}},
    )
    axis = {"tickfont": {"color": style.TEXT}, "gridcolor": _GRID, "fixedrange": True, "zeroline": False}
    titles = [{"text": text, "font": {"color": style.TEXT, "size": 12}} for text in words.DISCOUNT_AXES]
    figure.update_xaxes(**axis, title=titles[0], dtick=1, showgrid=False, range=[0.5, len(ranks) + 0.5])
    figure.update_yaxes(**axis, title=titles[1], range=[0, 1.05])
    return figure


def _told(label: str, ranks: Sequence[int], values: Sequence[float]) -> list[str]:
    return [f"{literal(label)}, rank {rank}: {number(y)}" for rank, y in zip(ranks, values, strict=True)]
