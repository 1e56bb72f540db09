"""Comparison -> plotly figures of the verdict page.

Text from files is escaped where plotly would interpret it; the true query id travels in ``customdata``, unshown.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import plotly.graph_objects as go

from rankdash import style
from rankdash.charts.base import DIFFERENCE, drawn, title, tones
from rankdash.charts.literal import literal
from rankdash.comparison import Comparison, Result
from rankdash.drawings import MOST_BARS, name_of, own_limit
from rankdash.drawings.intervals import interval_words
from rankdash.inspect.lists import Changes
from rankdash.policy import Policy
from rankdash.style import layout
from rankdash.wording import number, signed

#: How every figure is shown: no buttons over it, and no dragging.
CONFIG = {"displayModeBar": False}

#: Above this number of bars their names do not fit beside the lists of a query, and are shown on hovering only.
MOST_NAMED = 30
_NAME = 18
_ROW = 46
_HEADROOM = 46


def interval_chart(comparison: Comparison) -> go.Figure:
    """Return one row per measure: the difference as a point, its 95% interval as a line, and the measure's own limit.

    Traces: the intervals, the limits, the points. Rows run from top to bottom in the order of the measures.
    """
    results = comparison.results
    names = [result.label for result in results]
    return drawn(
        [_intervals(results), _limits(results, comparison.policy), _points(results)],
        height=_HEADROOM + _ROW * len(results),
        margin={"l": 0, "r": 128, "t": 6, "b": 30},
        annotations=[_numbers(result) for result in results],
        xaxis={**DIFFERENCE, "nticks": 5, "tickangle": 0},  # a phone has room for so many, upright
        yaxis={
            "type": "category",
            "categoryorder": "array",
            "categoryarray": names[::-1],
            "range": [-0.6, len(names) - 0.4],
            "tickmode": "array",
            "tickvals": names,
            "ticktext": [_row_name(result) for result in results],
            "tickfont": {"color": style.TEXT, "size": 13},
            "fixedrange": True,
            "showgrid": False,
            "ticksuffix": "  ",
            "automargin": True,
        },
    )


def _row_name(result: Result) -> str:
    role = style.ROLES[result.role]
    return f'{literal(result.label)}<br><span style="font-size:11px">{literal(role)}</span>'


def _intervals(results: tuple[Result, ...]) -> dict[str, Any]:
    x: list[float | None] = []
    y: list[str] = []
    for result in results:
        if result.paired.ci95 is not None:
            x += [*result.paired.ci95, None]
            y += [result.label] * 3
    line = {"color": style.SAME, "width": 4}
    return {"type": "scatter", "x": x, "y": y, "mode": "lines", "line": line, "hoverinfo": "skip", "name": "interval"}


def _points(results: tuple[Result, ...]) -> dict[str, Any]:
    defined = [result for result in results if result.paired.delta is not None]
    return {
        "type": "scatter",
        "x": [result.paired.delta for result in defined],
        "y": [result.label for result in defined],
        "mode": "markers",
        "marker": {
            "size": 13,
            "color": [style.proven_tone(result.paired.ci95) for result in defined],
            "line": {"width": 0},
        },
        "hovertext": [
            f"{literal(result.label)}: {signed(result.paired.delta)} ({interval_words(result)})" for result in defined
        ],
        "hoverinfo": "text",
        "name": "difference",
    }


def _limits(results: tuple[Result, ...], policy: Policy) -> dict[str, Any]:
    """Return a short line for each measure that has a limit, on its own row only."""
    limits = [(result.label, own) for result in results if (own := own_limit(result, policy)) is not None]
    return {
        "type": "scatter",
        "x": [at for _, (at, _) in limits],
        "y": [name for name, _ in limits],
        "mode": "markers",
        "marker": {"symbol": "line-ns", "size": 26, "color": style.MODEL, "line": {"width": 2, "color": style.MODEL}},
        "hovertext": [literal(sentence) for _, (_, sentence) in limits],
        "hoverinfo": "text",
        "name": "limit",
    }


def _numbers(result: Result) -> dict[str, Any]:
    return {
        "x": 1,
        "xref": "paper",
        "xanchor": "left",
        "xshift": 14,
        "y": result.label,
        "yref": "y",
        "align": "left",
        "showarrow": False,
        "font": {"color": style.TEXT, "size": 13},
        "text": f"<b>{signed(result.paired.delta)}</b><br>{interval_words(result)}",
    }


def delta_chart(changes: Changes, measure: str, height: int = 420) -> go.Figure:
    """Return one bar per query, largest loss first; one trace, coloured by who is better. At most MOST_BARS bars.

    ``customdata`` holds the places in ``changes``. Which query is open is drawn over it (``mark``).
    """
    places = changes.evenly(MOST_BARS)
    named = len(changes) <= MOST_NAMED
    bars = {
        "type": "bar",
        "x": places,
        "y": changes.delta[places],
        "customdata": places,
        "marker": {"color": tones(changes.delta[places]), "line": {"width": 0}},
        "hovertext": np.array([_hover(changes, place) for place in places.tolist()], object),
        "hoverinfo": "text",
        "selected": {"marker": {"opacity": 1}},
        "unselected": {"marker": {"opacity": 1}},
    }
    return drawn(
        [bars],
        height=height,
        margin={
            "l": layout.DELTA_CHART_LEFT,
            "r": layout.DELTA_CHART_RIGHT,
            "t": 14,
            "b": 0 if named else layout.DELTA_CHART_BOTTOM,
        },
        bargap=0.15 if named else 0,
        hovermode="x",
        hoverdistance=-1,
        clickmode="event+select",
        xaxis={
            "type": "linear",
            "range": [-0.5, len(changes) - 0.5],
            "fixedrange": True,
            "showgrid": False,
            "zeroline": False,
            "showticklabels": named,
            "tickmode": "array",
            "tickvals": places if named else [],
            "tickangle": -90,
            "automargin": named,
            "ticktext": [literal(_short(name_of(changes, place))) for place in places.tolist()] if named else [],
            "tickfont": {"color": style.TEXT, "size": 10},
            "showspikes": False,
        },
        yaxis={**DIFFERENCE, "title": title(literal(style.DELTA_AXIS.format(measure=measure)))},
    )


def _short(name: str) -> str:
    return name if len(name) <= _NAME else name[: _NAME - 1] + "…"


def _hover(changes: Changes, place: int) -> str:
    a, b = number(float(changes.a[place])), number(float(changes.b[place]))
    return f"{literal(name_of(changes, place))}<br>{signed(float(changes.delta[place]))} ({a} → {b})"
