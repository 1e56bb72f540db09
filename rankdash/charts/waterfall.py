"""Parts of the mean difference -> a waterfall."""

from __future__ import annotations

from collections.abc import Sequence

import plotly.graph_objects as go

from rankdash import style
from rankdash.charts.base import DIFFERENCE
from rankdash.charts.points import ROOM, points_chart
from rankdash.inspect.view import WaterfallStep
from rankdash.style import queries as words
from rankdash.wording import count, signed


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
