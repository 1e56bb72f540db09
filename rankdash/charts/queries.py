"""The figures of the queries page: points, curves, the waterfall, and two lists joined by lines."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import plotly.graph_objects as go

from rankdash import style
from rankdash.charts.literal import literal
from rankdash.charts.verdict import DIFFERENCE, name_of
from rankdash.style import queries as words
from rankdash.view import Curve, Step, Viewed, apart
from rankdash.wording import count, number, signed

#: More points than this are thinned to one per cell of a grid.
MOST_POINTS = 1_000
_GRID = "rgba(138,147,163,0.35)"
_HEIGHT = 360
_AXIS: dict[str, Any] = {
    "tickfont": {"color": style.TEXT},
    "gridcolor": _GRID,
    "fixedrange": True,
    "zeroline": False,
}


def scatter_chart(found: Viewed, measure: str, chosen: str | None = None) -> go.Figure:
    """A's value against B's, one point per query, coloured by who is better; ``customdata`` holds the query ids."""
    changes = found.changes
    figure = go.Figure([_diagonal(changes.a, changes.b), _points(found, changes.a, changes.b, chosen)])
    _frame(figure)
    titles = (title.format(measure=measure) for title in words.SCATTER_AXES)
    for update, title in zip((figure.update_xaxes, figure.update_yaxes), titles, strict=True):
        update(**_AXIS, title=_title(title))
    return figure


def churn_chart(found: Viewed, measure: str, chosen: str | None = None) -> go.Figure:
    """How much the list changed against the difference, one point per query; ``customdata`` holds the query ids."""
    figure = go.Figure([_points(found, found.churn, found.changes.delta, chosen)])
    _frame(figure)
    figure.update_layout(
        annotations=[_corner(words.FREE_WINS, 0, 1, style.WIN), _corner(words.RISKY, 1, 0, style.LOSS)]
    )
    figure.update_xaxes(**_AXIS, title=_title(words.CHURN_AXES[0]), range=[-0.03, 1.03])
    figure.update_yaxes(**DIFFERENCE, title=_title(words.CHURN_AXES[1].format(measure=measure)))
    return figure


def _points(found: Viewed, x: Any, y: Any, chosen: str | None) -> go.Scatter:
    places, counts = apart(x, y, MOST_POINTS)
    changes = found.changes
    ids = [changes.query_ids[at] for at in places]
    deltas = changes.delta[places].tolist()
    return go.Scatter(
        x=x[places].tolist(),
        y=y[places].tolist(),
        customdata=ids,
        mode="markers",
        marker={
            "color": [style.tone(delta) for delta in deltas],
            "symbol": [_SYMBOLS[(delta > 0) - (delta < 0)] for delta in deltas],
            "size": [13 if name == chosen else 9 for name in ids],
            "line": {"color": style.MODEL, "width": [3 if name == chosen else 0 for name in ids]},
            "opacity": 0.8,
        },
        hovertext=[_hover(found, int(at), int(n)) for at, n in zip(places, counts, strict=True)],
        hoverinfo="text",
        selected={"marker": {"opacity": 0.8}},
        unselected={"marker": {"opacity": 0.8}},
        name="queries",
    )


#: B worse, the same, B better: the shape says what the colour says.
_SYMBOLS = {-1: "triangle-down", 0: "circle", 1: "triangle-up"}


def _hover(found: Viewed, at: int, n: int) -> str:
    changes = found.changes
    a, b, delta = (float(values[at]) for values in (changes.a, changes.b, changes.delta))
    more = words.POINT_MORE.format(n=count(n - 1)) if n > 1 else ""
    return f"{literal(name_of(changes, at))}<br>{signed(delta)} ({number(a)} → {number(b)}){more}"


def _diagonal(a: Any, b: Any) -> go.Scatter:
    ends = [min(a.min(initial=0.0), b.min(initial=0.0)), max(a.max(initial=0.0), b.max(initial=0.0))]
    line = {"color": style.SAME, "width": 1, "dash": "dot"}
    return go.Scatter(x=ends, y=ends, mode="lines", line=line, hoverinfo="skip", name="equal")


def _frame(figure: go.Figure, height: int = _HEIGHT) -> None:
    figure.update_layout(
        template="plotly_white", height=height, margin={"l": 0, "r": 8, "t": 12, "b": 0}, showlegend=False,
        dragmode=False, clickmode="event+select", hovermode="closest", hoverlabel={"align": "left"},
    )  # fmt: skip


def _title(text: str) -> dict[str, Any]:
    return {"text": literal(text), "font": {"color": style.TEXT, "size": 12}}


def _corner(text: str, x: int, y: int, colour: str) -> dict[str, Any]:
    return {
        "text": text, "x": x, "y": y, "xref": "paper", "yref": "paper", "showarrow": False,
        "xanchor": "right" if x else "left", "yanchor": "top" if y else "bottom", "xshift": -6 if x else 6,
        "font": {"color": colour, "size": 12},
    }  # fmt: skip


def curve_chart(curve: Curve, measure: str, k: int) -> go.Figure:
    """The means of A and of B over the cutoff, each line with its name; the cutoff in view is dotted."""
    lines = [
        go.Scatter(
            x=[str(at) for at in curve.ks], y=list(values), mode="lines+markers+text", name=side,
            line={"color": colour, "width": 2.5, "dash": dash}, marker={"size": 7, "color": colour},
            text=[""] * (len(curve.ks) - 1) + [side], textposition="middle right",
            textfont={"color": colour, "size": 14},
            hovertext=[f"{side}, k = {at}: {number(value)}" for at, value in zip(curve.ks, values, strict=True)],
            hoverinfo="text",
        )
        for side, values, colour, dash in (("A", curve.a, style.SAME, "dash"), ("B", curve.b, style.MODEL, "solid"))
    ]  # fmt: skip
    figure = go.Figure(lines)
    _frame(figure)
    if k in curve.ks:
        figure.add_vline(x=curve.ks.index(k), line={"color": style.SAME, "width": 1, "dash": "dot"})
    figure.update_xaxes(**_AXIS, type="category", title=_title(words.CURVE_AXIS))
    figure.update_yaxes(**_AXIS, title=_title(measure))
    return figure


def waterfall_chart(steps: Sequence[Step], chosen: str | None = None) -> go.Figure:
    """The parts of the mean difference, one bar after the other, and their sum; ``customdata`` holds the parts."""
    bars = go.Bar(
        x=[words.PARTS[step.part] for step in steps],
        y=[step.value for step in steps],
        base=[step.start for step in steps],
        customdata=[step.part for step in steps],
        marker={
            "color": [style.tone(step.value) for step in steps],
            "line": {"color": style.MODEL, "width": [3 if step.part == chosen else 0 for step in steps]},
        },
        text=[signed(step.value) for step in steps],
        textposition="outside",
        textfont={"color": style.TEXT, "size": 13},
        cliponaxis=False,
        hovertext=[_part_hover(step) for step in steps],
        hoverinfo="text",
        selected={"marker": {"opacity": 1}},
        unselected={"marker": {"opacity": 1}},
    )
    figure = go.Figure(bars)
    _frame(figure)
    figure.update_layout(margin={"l": 0, "r": 8, "t": 26, "b": 0}, bargap=0.35)
    figure.update_xaxes(type="category", tickfont={"color": style.TEXT, "size": 13}, fixedrange=True)
    figure.update_yaxes(**DIFFERENCE)
    return figure


def _part_hover(step: Step) -> str:
    queries = count(step.queries, "query", "queries")
    return words.PART_HOVER.format(name=words.PARTS[step.part], value=signed(step.value), queries=queries)
