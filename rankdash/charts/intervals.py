"""Comparison -> the differences of all measures with their intervals.

Text from files is escaped where plotly would interpret it.
"""

from __future__ import annotations

from typing import Any

import plotly.graph_objects as go

from rankdash import style
from rankdash.charts.base import DIFFERENCE, drawn
from rankdash.charts.literal import literal
from rankdash.drawings import own_limit
from rankdash.drawings.intervals import interval_words
from rankdash.policy import Policy
from rankdash.scoring import Comparison, Result
from rankdash.wording import signed

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
