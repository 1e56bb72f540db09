"""Changes -> the difference of each query, sorted.

Text from files is escaped where plotly would interpret it; the true query id travels in ``customdata``, unshown.
"""

from __future__ import annotations

import numpy as np
import plotly.graph_objects as go

from rankdash import style
from rankdash.charts.base import DIFFERENCE, drawn, title, tones
from rankdash.charts.literal import literal
from rankdash.drawings import MOST_BARS, name_of, short_name
from rankdash.inspect.lists import Changes
from rankdash.style import layout
from rankdash.wording import columns, number, signed

#: Above this number of bars their names do not fit beside the lists of a query, and are shown on hovering only.
MOST_NAMED = 30
#: Columns of letters of such a name, the pixels of a column, and the room around it.
_NAME, _COLUMN, _AROUND = 18, 5.8, 8


def delta_chart(changes: Changes, measure: str, height: int = 420) -> go.Figure:
    """Return one bar per query, largest loss first; one trace, coloured by who is better. At most MOST_BARS bars.

    ``customdata`` holds the places in ``changes``. Which query is open is drawn over it (``mark``).
    """
    places = changes.evenly(MOST_BARS)
    named, names = len(changes) <= MOST_NAMED, names_height(changes)
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
            "b": names + layout.DELTA_CHART_BOTTOM,
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
            "ticktext": [literal(short_name(changes, place, _NAME)) for place in places.tolist()] if named else [],
            "tickfont": {"color": style.TEXT, "size": 10},
            "showspikes": False,
        },
        yaxis={**DIFFERENCE, "title": title(literal(style.DELTA_AXIS.format(measure=measure)))},
    )


def names_height(changes: Changes) -> int:
    """Return the height of the names below the bars, in pixels; 0 where bars have none."""
    if not 0 < len(changes) <= MOST_NAMED:
        return 0
    longest = max(columns(short_name(changes, place, _NAME)) for place in range(len(changes)))
    return round(_COLUMN * longest + _AROUND)


def _hover(changes: Changes, place: int) -> str:
    a, b = number(float(changes.a[place])), number(float(changes.b[place]))
    return f"{literal(name_of(changes, place))}<br>{signed(float(changes.delta[place]))} ({a} → {b})"
