"""Changes -> one point per query: B against A, and the difference over what changed in the list."""

from __future__ import annotations

from typing import Any

import numpy as np
import plotly.graph_objects as go

from rankdash import style
from rankdash.charts.base import AXIS, DIFFERENCE, drawn, title, tones
from rankdash.charts.literal import literal
from rankdash.drawings import name_of
from rankdash.inspect.view import Floats, Viewed, apart
from rankdash.style import queries as words
from rankdash.wording import count, number, signed

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
        [_diagonal(changes.a, changes.b), _points(viewed, changes.a, changes.b, chosen)],
        xaxis={**AXIS, "title": titles[0]},
        yaxis={**AXIS, "title": titles[1]},
    )


def churn_chart(viewed: Viewed, measure: str, chosen: str | None = None) -> go.Figure:
    """Return a chart of churn against the difference, one point per query; ``customdata`` has the query ids."""
    return points_chart(
        [_points(viewed, viewed.churn, viewed.changes.delta, chosen)],
        annotations=[_corner(words.FREE_WINS, 0, 1, style.WIN), _corner(words.RISKY, 1, 0, style.LOSS)],
        xaxis={**AXIS, "title": title(literal(words.CHURN_AXES[0])), "range": [-0.03, 1.03]},
        yaxis={**DIFFERENCE, "title": title(literal(words.CHURN_AXES[1].format(measure=measure)))},
    )


def _points(viewed: Viewed, x: Floats, y: Floats, chosen: str | None) -> dict[str, Any]:
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
            [_hover(viewed, at, n) for at, n in zip(places.tolist(), counts.tolist(), strict=True)], object
        ),
        "hoverinfo": "text",
        "selected": {"marker": {"opacity": 0.8}},
        "unselected": {"marker": {"opacity": 0.8}},
        "name": "queries",
    }


#: B worse, the same, B better: the shape says what the colour says.
_SYMBOLS = {-1: "triangle-down", 0: "circle", 1: "triangle-up"}


def _hover(viewed: Viewed, at: int, n: int) -> str:
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


def _corner(text: str, x: int, y: int, colour: str) -> dict[str, Any]:
    return {
        "text": text,
        "x": x,
        "y": y,
        "xref": "paper",
        "yref": "paper",
        "showarrow": False,
        "xanchor": "right" if x else "left",
        "yanchor": "top" if y else "bottom",
        "xshift": -6 if x else 6,
        "font": {"color": colour, "size": 12},
    }
