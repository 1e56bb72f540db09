"""The charts of the Verdict page: differences of measures and of queries, and good, same and bad queries.

Text from files is escaped where Plotly would interpret it; the true query id travels in ``customdata``, unshown.
"""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from collections.abc import Mapping
from html import escape
from pathlib import Path
from typing import Any

import numpy as np
import plotly.graph_objects as go

from rankdash import style
from rankdash.charts.base import DIFFERENCE, drawn, literal, title, tones
from rankdash.evidence.votes import Gsb
from rankdash.inspect.lists import Changes
from rankdash.policy import Policy
from rankdash.report.svg import MOST_BARS, SVG, interval_words, name_of, own_limit, short_name
from rankdash.scoring import Comparison, Result
from rankdash.style import verdict as words
from rankdash.wording import columns, count, number, percent, signed

_INTERVAL_ROW = 46
_HEADROOM = 46
#: Sizes that this chart shares with the style sheet, which places what lies over it: with one number for both they
#: cannot drift apart.
SHEET = Path(style.__file__).with_name("page.css")
SIZES = {name: int(pixels) for name, pixels in re.findall(r"--([a-z](?:-?[a-z])*): (\d+)px;", SHEET.read_text("utf-8"))}


def interval_chart(comparison: Comparison) -> go.Figure:
    """Return one row per measure: the difference as a point, its 95% interval as a line, and the measure's own limit.

    Traces: the intervals, the limits, the points. Rows run from top to bottom in the order of the measures.
    """
    results = comparison.results
    names = [result.label for result in results]
    return drawn(
        [_intervals(results), _limits(results, comparison.policy), _points(results)],
        height=_HEADROOM + _INTERVAL_ROW * len(results),
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
            "l": SIZES["delta-chart-left"],
            "r": SIZES["delta-chart-right"],
            "t": 14,
            "b": names + SIZES["delta-chart-bottom"],
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


def mark(changes: Changes, chosen: int, below: int = 0) -> str:
    """Return an SVG drawing that lies over the chart of the deltas: an arrow at its top and a line below it, over the
    bar of a chosen query. The line ends above the names of the bars, which are ``below`` pixels high.

    It changes with every click, while the chart below stays. It is a little wider than the bars on both sides, so that
    no arrow is cut off.
    """
    share = (chosen + 0.5) / len(changes)
    drawing = ET.Element("svg", xmlns=SVG, width="100%", height="100%")
    at = ET.SubElement(drawing, "svg", x=f"{100 * share:.3f}%", overflow="visible")
    moved = ET.SubElement(at, "g", transform=f"translate({SIZES['mark-beside'] * (1 - 2 * share):.2f} 0)")
    line = {"stroke": style.MODEL, "stroke-width": "1.5", "stroke-dasharray": "2 3"}
    ET.SubElement(moved, "line", line, y1=str(below), y2="100%", transform=f"translate(0 {-below})")
    ET.SubElement(moved, "path", d="M-6 0H6L0 10Z", fill=style.MODEL)
    return ET.tostring(drawing, encoding="unicode")


_BAR_ROW, _MARGIN = 58, 4
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
        height=_BAR_ROW * len(rows) + _MARGIN,
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


def gsb_alt(bars: Mapping[str, Gsb]) -> str:
    """Return the bars in one sentence."""
    return words.GSB_ALT.format(rows="; ".join(bar_words(name, gsb) for name, gsb in bars.items()))


def bar_words(name: str, gsb: Gsb) -> str:
    """Return a bar in words: "Votes: 30 good, 10 same, 10 bad"."""
    return words.GSB_ROW.format(name=name, good=count(gsb.good), same=count(gsb.same), bad=count(gsb.bad))
