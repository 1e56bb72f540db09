"""What all figures share: a small template, and how a figure is put together.

Every colour is set explicitly, so that a figure looks the same on a page and in a report. A figure is made from plain
dicts in one step: plotly's ``update_layout`` and a large named template take more time than all computations of a page.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from typing import Any

import numpy as np
import numpy.typing as npt
import plotly.graph_objects as go

from rankdash import style

#: How every figure is shown: no buttons over it, and no dragging.
CONFIG = {"displayModeBar": False}

#: White, without the placeholder colours of the template that Streamlit sets when it is imported. Axes do not adapt to
#: the room of their labels, because a browser would then draw everything twice; each figure sets its margins.
TEMPLATE = go.layout.Template(
    layout={
        "paper_bgcolor": "white",
        "plot_bgcolor": "white",
        "font": {"color": style.TEXT},
        "hoverlabel": {"align": "left"},
        "colorway": [style.MODEL, style.SAME, style.WIN, style.LOSS],
        "xaxis": {"ticks": "", "automargin": False, "title": {"standoff": 8}},
        "yaxis": {"ticks": "", "automargin": False, "title": {"standoff": 8}},
    }
)
_GRID = "rgba(138,147,163,0.35)"
#: The room beside the first and the last marker, as a share of the axis.
_ROOM = 0.07
#: An axis of values.
AXIS: Mapping[str, Any] = {"tickfont": {"color": style.TEXT}, "gridcolor": _GRID, "fixedrange": True, "zeroline": False}
#: An axis of differences: signs on the numbers, and the line at 0.
DIFFERENCE: Mapping[str, Any] = {
    "tickformat": "+~g",
    "labelalias": {"+0": "0"},
    "tickfont": {"color": style.TEXT},
    "gridcolor": "rgba(138,147,163,0.55)",
    "griddash": "dot",
    "fixedrange": True,
    "zeroline": True,
    "zerolinecolor": style.SAME,
    "zerolinewidth": 1,
}


def error_bars(values: Sequence[float], ends: Sequence[tuple[float | None, float | None]]) -> dict[str, Any]:
    """Return error bars for the values of a trace from the ends of their intervals; no bar where an end is None."""
    pairs = list(zip(values, ends, strict=True))
    return {
        "type": "data",
        "symmetric": False,
        "array": [0.0 if high is None else high - value for value, (_, high) in pairs],
        "arrayminus": [0.0 if low is None else value - low for value, (low, _) in pairs],
        "color": style.SAME,
        "thickness": 1,
    }


def around_zero(values: Sequence[float | None]) -> list[float]:
    """Return the ends of an axis that shows some values and 0, with room for markers; None is no value."""
    shown = [0.0, *(value for value in values if value is not None)]
    room = _ROOM * (max(shown) - min(shown)) or _ROOM
    return [min(shown) - room, max(shown) + room]


def drawn(traces: Sequence[Mapping[str, Any]], **layout: Any) -> go.Figure:
    """Return a figure of some traces that nobody can drag or zoom.

    Plotly does not check each value here: that would take longer than everything else. The tests make it check.
    """
    settings = {"template": TEMPLATE, "showlegend": False, "dragmode": False, **layout}
    return go.Figure(list(traces), settings, _validate=False)


def tones(deltas: npt.NDArray[np.float64]) -> list[str]:
    """Return the colour of each point by who is better.

    Numbers on a scale of colours would take a browser five times as long.
    """
    return [style.tone(delta) for delta in deltas.tolist()]


def title(text: str) -> dict[str, Any]:
    """Return the title of an axis, escaped already."""
    return {"text": text, "font": {"color": style.TEXT, "size": 12}, "standoff": 8}


def literal(text: str) -> str:
    """Return the text so that plotly shows it literally. Plotly reads the entities of <, > and &, but not of quotes.

    >>> literal('16" <b>')
    '16" &lt;b&gt;'
    """
    return escape(text, quote=False)
