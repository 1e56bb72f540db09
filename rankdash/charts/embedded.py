"""A figure as HTML for a page that loads nothing from any server, and the code that draws such figures."""

from __future__ import annotations

import plotly.graph_objects as go
from plotly.io import to_html
from plotly.offline import get_plotlyjs

from rankdash.charts.base import CONFIG

_HEIGHT, _CLEAR = 360, "rgba(0,0,0,0)"


def embedded(figure: go.Figure) -> str:
    """Return the figure on a clear ground, as wide as its place. Its data cannot end the script: Plotly escapes."""
    figure.layout.paper_bgcolor = figure.layout.plot_bgcolor = _CLEAR
    height = f"{figure.layout.height or _HEIGHT}px"
    settings = {**CONFIG, "responsive": True}
    written: str = to_html(figure, settings, include_plotlyjs=False, full_html=False, default_height=height)
    return written


def drawing_code() -> str:
    """Return the code that draws figures, as it comes with Plotly."""
    code: str = get_plotlyjs()
    return code
