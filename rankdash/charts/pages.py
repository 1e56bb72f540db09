"""The charts of the pages Queries, Method and History."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import plotly.graph_objects as go

from rankdash import style
from rankdash.charts.base import AXIS, DIFFERENCE, around_zero, drawn, error_bars, literal, title, tones
from rankdash.inspect.view import Curve, Floats, Viewed, WaterfallStep, Weight, apart
from rankdash.report.svg import name_of
from rankdash.style import history as history_words
from rankdash.style import method as method_words
from rankdash.style import queries as words
from rankdash.wording import count, delta_text, number, signed

#: Above this number, points are thinned to one per cell of a grid.
MOST_POINTS = 1_000
_HEIGHT = 360
#: Room for the numbers and the titles of both axes.
ROOM = {"l": 64, "r": 8, "t": 12, "b": 44}


def scatter_chart(viewed: Viewed, measure: str, chosen: str | None = None) -> go.Figure:
    """Return a chart of B's value against A's, one point per query, coloured by who is better; ``customdata`` has the
    query ids.
    """
    changes = viewed.changes
    titles = [title(literal(text.format(measure=measure))) for text in words.SCATTER_AXES]
    return points_chart(
        [_diagonal(changes.a, changes.b), _query_points(viewed, changes.a, changes.b, chosen)],
        xaxis={**AXIS, "title": titles[0]},
        yaxis={**AXIS, "title": titles[1]},
    )


def _query_points(viewed: Viewed, x: Floats, y: Floats, chosen: str | None) -> dict[str, Any]:
    places, counts = apart(x, y, MOST_POINTS)
    changes = viewed.changes
    ids = [changes.query_ids[at] for at in places]
    mine = np.array([name == chosen for name in ids], bool)
    sides = np.sign(changes.delta[places]).astype(int).tolist()
    return {
        "type": "scatter",
        "x": x[places],
        "y": y[places],
        "customdata": ids,
        "mode": "markers",
        "marker": {
            "color": tones(changes.delta[places]),
            "symbol": [_SYMBOLS[side] for side in sides],
            "size": np.where(mine, 13, 9),
            "line": {"color": style.MODEL, "width": np.where(mine, 3, 0)},
            "opacity": 0.8,
        },
        "hovertext": np.array(
            [_point_hover(viewed, at, n) for at, n in zip(places.tolist(), counts.tolist(), strict=True)], object
        ),
        "hoverinfo": "text",
        "selected": {"marker": {"opacity": 0.8}},
        "unselected": {"marker": {"opacity": 0.8}},
        "name": "queries",
    }


#: B worse, the same, B better: the shape says what the colour says.
_SYMBOLS = {-1: "triangle-down", 0: "circle", 1: "triangle-up"}


def _point_hover(viewed: Viewed, at: int, n: int) -> str:
    changes = viewed.changes
    a, b, delta = (float(values[at]) for values in (changes.a, changes.b, changes.delta))
    more = words.POINT_MORE.format(n=count(n - 1)) if n > 1 else ""
    return f"{literal(name_of(changes, at))}<br>{signed(delta)} ({number(a)} → {number(b)}){more}"


def _diagonal(a: Floats, b: Floats) -> dict[str, Any]:
    ends = [min(a.min(initial=0.0), b.min(initial=0.0)), max(a.max(initial=0.0), b.max(initial=0.0))]
    line = {"color": style.SAME, "width": 1, "dash": "dot"}
    return {
        "type": "scatter",
        "x": ends,
        "y": ends,
        "mode": "lines",
        "line": line,
        "hoverinfo": "skip",
        "name": "equal",
    }


def points_chart(traces: list[dict[str, Any]], **layout: Any) -> go.Figure:
    """Return a figure whose points can be clicked."""
    settings = {"height": _HEIGHT, "margin": ROOM, "clickmode": "event+select", "hovermode": "closest"}
    return drawn(traces, **settings | layout)


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


def waterfall_chart(steps: Sequence[WaterfallStep], chosen: str | None = None) -> go.Figure:
    """Return a chart of the parts of the mean difference, one bar each, and their sum; ``customdata`` has the parts."""
    bars = {
        "type": "bar",
        "x": [words.PARTS[step.part] for step in steps],
        "y": [step.value for step in steps],
        "base": [step.start for step in steps],
        "customdata": [step.part for step in steps],
        "marker": {
            "color": [style.tone(step.value) for step in steps],
            "line": {"color": style.MODEL, "width": [3 if step.part == chosen else 0 for step in steps]},
        },
        "text": [signed(step.value) for step in steps],
        "textposition": "outside",
        "textfont": {"color": style.TEXT, "size": 13},
        "cliponaxis": False,
        "hovertext": [_part_hover(step) for step in steps],
        "hoverinfo": "text",
        "selected": {"marker": {"opacity": 1}},
        "unselected": {"marker": {"opacity": 1}},
    }
    return points_chart(
        [bars],
        margin={**ROOM, "t": 26, "b": 24},
        bargap=0.35,
        xaxis={"type": "category", "tickfont": {"color": style.TEXT, "size": 13}, "fixedrange": True},
        yaxis=DIFFERENCE,
    )


def _part_hover(step: WaterfallStep) -> str:
    queries = count(step.queries, "query", "queries")
    return words.PART_HOVER.format(name=words.PARTS[step.part], value=signed(step.value), queries=queries)


_LOOKS = {"discount": (style.MODEL, "solid"), "rbp": (style.TEXT, "dash"), "reciprocal": (style.SAME, "dot")}


def discount_chart(weights: Sequence[Weight]) -> go.Figure:
    """Return the weight of each rank: one line per measure, each with its name at a rank where the lines lie apart."""
    ranks = [weight.rank for weight in weights]
    lines = []
    for name, (colour, dash) in _LOOKS.items():
        values = [getattr(weight, name) for weight in weights]
        label = method_words.DISCOUNT_NAMES[name]
        lines.append(
            {
                "type": "scatter",
                "x": ranks,
                "y": values,
                "mode": "lines+markers",
                "name": label,
                "line": {"color": colour, "width": 2.5, "dash": dash},
                "marker": {"size": 6, "color": colour},
                "hovertext": _weight_hover(label, ranks, values),
                "hoverinfo": "text",
            }
        )
    # Both axes adapt to the room of their labels, which elsewhere is not worth a second drawing.
    across, up = ({**AXIS, "automargin": True, "title": title(text)} for text in method_words.DISCOUNT_AXES)
    return drawn(
        lines,
        height=320,
        margin={"l": 0, "r": 8, "t": 8, "b": 0},
        showlegend=True,
        legend={"x": 0.98, "xanchor": "right", "y": 0.98, "font": {"color": style.TEXT, "size": 13}},
        xaxis={**across, "dtick": 1, "showgrid": False, "range": [0.5, len(ranks) + 0.5]},
        yaxis={**up, "range": [0, 1.05]},
    )


def _weight_hover(label: str, ranks: Sequence[int], values: Sequence[float]) -> list[str]:
    return [f"{literal(label)}, rank {rank}: {number(y)}" for rank, y in zip(ranks, values, strict=True)]


#: Name, offline difference, online difference.
LaunchPoint = tuple[str, float, float]
_LAUNCHES_HEIGHT = 320


def launch_chart(points: Sequence[LaunchPoint]) -> go.Figure:
    """Return a figure with one marker per comparison: offline across, online upwards.

    One trace. Both axes reach to 0 and have a line there: where the signs agree, a marker stands in the upper right or
    the lower left quarter.
    """
    offline, online = [before for _, before, _ in points], [after for *_, after in points]
    trace = {
        "type": "scatter",
        "mode": "markers",
        "x": offline,
        "y": online,
        "marker": {"color": style.MODEL, "size": 9},
        "hovertext": [f"{literal(name)}: {signed(before)} → {signed(after)}" for name, before, after in points],
        "hoverinfo": "text",
    }
    return drawn(
        [trace],
        height=_LAUNCHES_HEIGHT,
        margin={"l": 64, "r": 8, "t": 8, "b": 44},
        xaxis={**DIFFERENCE, "title": title(history_words.OFFLINE_AXIS), "range": around_zero(offline)},
        yaxis={**DIFFERENCE, "title": title(history_words.ONLINE_AXIS), "range": around_zero(online)},
    )


#: Name, difference, the ends of its interval, None where they are not known; whether it is comparable with the first.
Dot = tuple[str, float, float | None, float | None, bool]
#: Of a chart of dots: the height of a row, and of what stands below the rows.
_DOT_ROW, _BELOW = 36, 56


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
        height=_DOT_ROW * len(dots) + _BELOW,
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
