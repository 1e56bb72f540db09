"""Good, same and bad queries as stacked bars, from votes or derived from a measure."""

from __future__ import annotations

from collections.abc import Mapping
from html import escape
from typing import Any

import plotly.graph_objects as go

from rankdash import style
from rankdash.charts.base import drawn
from rankdash.drawings.counts import bar_words
from rankdash.evidence.votes import Gsb
from rankdash.style import evidence as words
from rankdash.wording import count, percent

_ROW, _MARGIN = 58, 4
_COLOURS = {"good": style.WIN, "same": style.SAME, "bad": style.LOSS}
#: A part narrower than this share of the bar has no room for its count; the text below the bar has it.
_ROOM = 0.06


def gsb_chart(rows: Mapping[str, Gsb]) -> go.Figure:
    """Return one stacked bar per row, over the whole width: good, same, bad, with the counts written on the parts.

    Traces: good, same, bad, in this order. Rows run from top to bottom as they are given.
    """
    names = list(rows)
    axis = {"visible": False, "fixedrange": True}
    return drawn(
        [_part(part, rows) for part in words.GSB_PARTS],
        barmode="stack",
        height=_ROW * len(rows) + _MARGIN,
        margin={"l": 0, "r": 0, "t": 0, "b": 0},
        bargap=0.55,
        annotations=[_name(name, rows[name]) for name in names],
        xaxis={**axis, "range": [0, 1]},
        yaxis={**axis, "type": "category", "categoryorder": "array", "categoryarray": names[::-1]},
    )


def _part(part: str, rows: Mapping[str, Gsb]) -> dict[str, Any]:
    counts = [getattr(gsb, part) for gsb in rows.values()]
    shares = [n / max(gsb.n, 1) for n, gsb in zip(counts, rows.values(), strict=True)]
    return {
        "type": "bar",
        "x": shares,
        "y": list(rows),
        "orientation": "h",
        "name": words.GSB_PARTS[part],
        "marker": {"color": _COLOURS[part], "line": {"width": 0}},
        "text": [
            f"{count(n)} {words.GSB_PARTS[part]}" if s >= 2 * _ROOM else count(n) if s >= _ROOM else ""
            for n, s in zip(counts, shares, strict=True)
        ],
        "textposition": "inside",
        "insidetextanchor": "middle",
        "textangle": 0,
        "textfont": {"color": "#ffffff", "size": 12},
        "hovertext": [f"{count(n)} {words.GSB_PARTS[part]}, {percent(s)}" for n, s in zip(counts, shares, strict=True)],
        "hoverinfo": "text",
    }


def _name(name: str, gsb: Gsb) -> dict[str, Any]:
    """Return the name of a bar over its left end, with all three counts: a narrow part has no room for its count."""
    return {
        "x": 0,
        "xref": "paper",
        "xanchor": "left",
        "y": name,
        "yref": "y",
        "yanchor": "bottom",
        "yshift": 13,
        "showarrow": False,
        "align": "left",
        "font": {"color": style.TEXT, "size": 12},
        "text": escape(bar_words(name, gsb)),
    }
