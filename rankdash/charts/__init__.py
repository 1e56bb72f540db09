"""Comparison -> Plotly figures: pure functions. Nothing here knows Streamlit.

Every colour is set explicitly, so that a figure looks the same on a page and in a report. A figure is made from plain
dicts in one step: plotly's ``update_layout`` and a large named template take more time than all computations of a page.
Text from files is escaped where Plotly would interpret it; the true query id travels in ``customdata``, unshown.
"""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from html import escape
from operator import itemgetter
from typing import Any

import numpy as np
import numpy.typing as npt
import plotly.graph_objects as go

from rankdash import style
from rankdash.inspect.lists import QueryList, QueryLists
from rankdash.inspect.query_order import Changes
from rankdash.inspect.view import Curve, Floats, Viewed, WaterfallStep, apart
from rankdash.policy import Policy
from rankdash.report import svg
from rankdash.report.svg import MOST_BARS, SVG, Scale, short_name
from rankdash.scoring import Comparison, Result
from rankdash.style import queries as query_words
from rankdash.wording import columns, count, delta_name, delta_text, grade_text, number, short, short_inside, signed

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


def around_zero(values: Iterable[float | None], ends: Iterable[float | None] = ()) -> list[float]:
    """Return the range of an axis, as ``Scale.around_zero`` does."""
    scale = Scale.around_zero(values, ends)
    return [scale.low, scale.high]


def drawn(traces: Sequence[Mapping[str, Any]], **layout: Any) -> go.Figure:
    """Return a figure of some traces that nobody can drag or zoom.

    Plotly does not check each value here: that would take longer than everything else. The tests make it check.
    """
    settings = {"template": TEMPLATE, "showlegend": False, "dragmode": False, **layout}
    return go.Figure(list(traces), settings, _validate=False)


def tones(deltas: Floats) -> list[str]:
    """Return the colour of each point by who is better.

    Numbers on a scale of colours would take a browser five times as long.
    """
    return list(map(style.tone, deltas.tolist()))


def title(text: str) -> dict[str, Any]:
    """Return the title of an axis, escaped already."""
    return {"text": text, "font": {"color": style.TEXT, "size": 12}, "standoff": 8}


def literal(text: str) -> str:
    """Return the text so that plotly shows it literally. Plotly reads the entities of <, > and &, but not of quotes.

    Between two signs of the dollar it would see a formula where a page has MathJax, as notebooks do.

    >>> literal('16" <b> $5')
    '16" &lt;b&gt; &#36;5'
    """
    return escape(text, quote=False).replace("$", "&#36;")


# --- the page Verdict ---

_INTERVAL_ROW = 34
#: Columns of letters of a row's name.
_ROW_NAME = 22
_HEADROOM = 36
#: Sizes that this chart shares with the style sheet, which places what lies over it: with one number for both they
#: cannot drift apart.
SIZES = {
    name: int(pixels) for name, pixels in re.findall(r"--([a-z](?:-?[a-z])*): (\d+)px;", style.SHEET.read_text("utf-8"))
}


def interval_chart(comparison: Comparison, is_comparable: bool = True) -> go.Figure:
    """Return one row per measure: the difference as a point, its 95% interval as a line, and the measure's own limit.

    Where nothing can be compared the points are grey. Traces: the intervals, the limits, the points. Rows run from top
    to bottom in the order of the measures.
    """
    return _rows_of_intervals(comparison.results, svg.proven_tones(comparison, is_comparable), comparison.policy)


def candidates_chart(compared: Sequence[Comparison], colours: Sequence[str], at: int) -> go.Figure:
    """Return the same with one row per candidate, each in a colour, of the measure at a place of their results."""
    results = tuple(replace(one.results[at], label=one.inputs.b.name) for one in compared)
    return _rows_of_intervals(results, colours, compared[0].policy)


def _rows_of_intervals(results: tuple[Result, ...], colours: Sequence[str], policy: Policy) -> go.Figure:
    names = [result.label for result in results]
    scale, placed = svg.on_axis(results, policy)
    return drawn(
        [_intervals(placed), _limits(results, placed, policy), _points(results, placed, colours)],
        height=_HEADROOM + _INTERVAL_ROW * len(results),
        margin={"l": 0, "r": 64, "t": 6, "b": 30},
        annotations=[_numbers(result) for result in results],
        # A phone has room for so many numbers, upright.
        xaxis={**DIFFERENCE, "nticks": 5, "tickangle": 0, "range": [scale.low, scale.high]},
        yaxis={
            "type": "category",
            "categoryorder": "array",
            "categoryarray": names[::-1],
            "range": [-0.6, len(names) - 0.4],
            "tickmode": "array",
            "tickvals": names,
            "ticktext": [literal(short_inside(name, _ROW_NAME)) for name in names],
            "tickfont": {"color": style.TEXT, "size": 13},
            "fixedrange": True,
            "showgrid": False,
            "ticksuffix": "  ",
            "automargin": True,
        },
    )


def _intervals(results: Sequence[Result]) -> dict[str, Any]:
    x: list[float | None] = []
    y: list[str] = []
    for result in results:
        if result.paired.ci95 is not None:
            x += [*result.paired.ci95, None]
            y += [result.label] * 3
    line = {"color": style.SAME, "width": 4}
    return {"type": "scatter", "x": x, "y": y, "mode": "lines", "line": line, "hoverinfo": "skip", "name": "interval"}


def _points(results: Sequence[Result], placed: Sequence[Result], colours: Sequence[str]) -> dict[str, Any]:
    pairs = [pair for pair in zip(results, colours, strict=True) if pair[0].paired.delta is not None]
    defined, shown = [result for result, _ in pairs], [colour for _, colour in pairs]
    return {
        "type": "scatter",
        "x": [one.paired.delta for one in placed if one.paired.delta is not None],
        "y": [result.label for result in defined],
        "mode": "markers",
        "marker": {"size": 13, "color": shown, "line": {"width": 0}},
        "hovertext": [
            f"{literal(result.label)}: {signed(result.paired.delta)} ({svg.interval_words(result)})"
            for result in defined
        ],
        "hoverinfo": "text",
        "name": "difference",
    }


def _limits(results: Sequence[Result], placed: Sequence[Result], policy: Policy) -> dict[str, Any]:
    """Return a short line for each measure that has a limit, on its own row only."""
    limits = [(result.label, own) for result in results if (own := svg.own_limit(result, policy)) is not None]
    return {
        "type": "scatter",
        "x": [own[0] for one in placed if (own := svg.own_limit(one, policy)) is not None],
        "y": [name for name, _ in limits],
        "mode": "markers",
        "marker": {"symbol": "line-ns", "size": 20, "color": style.MODEL, "line": {"width": 2, "color": style.MODEL}},
        "hovertext": [literal(sentence) for _, (_, sentence) in limits],
        "hoverinfo": "text",
        "name": "limit",
    }


def _numbers(result: Result) -> dict[str, Any]:
    """Return the difference of a measure, beside its row."""
    place = {"xref": "paper", "x": 1, "xanchor": "left", "xshift": 14, "yref": "y", "y": result.label}
    font = {"color": style.TEXT, "size": 13}
    return {**place, "showarrow": False, "font": font, "text": f"<b>{signed(result.paired.delta)}</b>"}


#: Above this number of bars their names do not fit beside the lists of a query, and are shown on hovering only.
MOST_NAMED = 30
#: Columns of letters of such a name, the pixels of a column, and the room around it.
_NAME, _COLUMN, _AROUND = 18, 5.8, 8


def delta_chart(changes: Changes, measure: str, height: int = 420, *, is_named: bool = True) -> go.Figure:
    """Return one bar per query, largest loss first; one trace, coloured by who is better. At most MOST_BARS bars.

    ``customdata`` holds the places in ``changes``. Which query is open is drawn over it (``mark``).
    """
    places = changes.evenly(MOST_BARS)
    names = names_height(changes) if is_named else 0
    named = names > 0
    left, right, below = (SIZES[f"delta-chart-{side}"] for side in ("left", "right", "bottom"))
    bars = {
        "type": "bar",
        "x": places,
        "y": changes.delta[places],
        "customdata": places,
        "marker": {"color": tones(changes.gain[places]), "line": {"width": 0}},
        "hovertext": np.array([_hover(changes, place) for place in places.tolist()], object),
        "hoverinfo": "text",
        "selected": {"marker": {"opacity": 1}},
        "unselected": {"marker": {"opacity": 1}},
    }
    return drawn(
        [bars],
        height=height,
        margin={"l": left, "r": right, "t": 14, "b": names + below},
        bargap=0.15 if len(changes) <= MOST_NAMED else 0,
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
    return f"{literal(svg.name_of(changes, place))}<br>{signed(float(changes.delta[place]))} ({a} → {b})"


def mark(changes: Changes, chosen: int) -> str:
    """Return an SVG drawing that lies over the chart of the deltas: an arrow at its top and a line below it, over the
    bar of a chosen query.

    It changes with every click, while the chart below stays. It is a little wider than the bars on both sides, so that
    no arrow is cut off.
    """
    share = (chosen + 0.5) / len(changes)
    drawing = ET.Element("svg", xmlns=SVG, width="100%", height="100%")
    at = ET.SubElement(drawing, "svg", x=f"{100 * share:.3f}%", overflow="visible")
    moved = ET.SubElement(at, "g", transform=f"translate({SIZES['mark-beside'] * (1 - 2 * share):.2f} 0)")
    ET.SubElement(moved, "line", {"stroke": style.MODEL, "stroke-width": "1.5", "stroke-dasharray": "2 3"}, y2="100%")
    ET.SubElement(moved, "path", d="M-6 0H6L0 10Z", fill=style.MODEL)
    return ET.tostring(drawing, encoding="unicode")


def bounds_drawing(bounds: tuple[float, float], now: float | None) -> str:
    """Return an SVG drawing of a difference between its bounds, beside a line at 0."""
    low, high = bounds
    start, stop = min(low, 0.0), max(high, 0.0)
    zero, left, right, dot = (6 + 268 * (x - start) / ((stop - start) or 1) for x in (0.0, low, high, now or 0.0))
    colour = style.tone(low if low > 0 else min(high, 0.0))
    drawing = ET.Element("svg", xmlns=SVG, viewBox="0 0 280 28")
    ET.SubElement(drawing, "path", d=f"M{zero:.1f} 0V28", stroke=style.SAME, attrib={"stroke-width": "1.5"})
    bar = {"x": f"{left - 4:.1f}", "y": "9", "width": f"{right - left + 8:.1f}", "height": "10", "rx": "5"}
    ET.SubElement(drawing, "rect", bar, fill=colour, opacity="0.35")
    if now is not None:
        ET.SubElement(drawing, "circle", cx=f"{dot:.1f}", cy="14", r="5.5", fill=colour)
    return ET.tostring(drawing, encoding="unicode")


# --- the pages Queries, Method and History ---

#: Above this number, points are thinned to one per cell of a grid.
MOST_POINTS = 1_000
_HEIGHT = 230
#: The room of a number beside a bar, as a share of what all bars take.
_NUMBER = 0.4
#: Room for the numbers and the titles of both axes.
ROOM = {"l": 64, "r": 8, "t": 12, "b": 44}


def scatter_chart(viewed: Viewed, measure: str, chosen: str | None = None) -> go.Figure:
    """Return a chart of B's value against A's, one point per query, coloured by who is better; ``customdata`` has the
    query ids.
    """
    changes = viewed.changes
    titles = [title(literal(text.format(measure=measure))) for text in query_words.SCATTER_AXES]
    return points_chart(
        [_diagonal(changes.a, changes.b), _query_points(viewed, changes.a, changes.b, chosen)],
        clickmode="event+select",
        xaxis={**AXIS, "title": titles[0]},
        yaxis={**AXIS, "title": titles[1]},
    )


def _query_points(viewed: Viewed, x: Floats, y: Floats, chosen: str | None) -> dict[str, Any]:
    places, counts = apart(x, y, MOST_POINTS)
    changes = viewed.changes
    ids = [changes.query_ids[at] for at in places]
    mine = np.array([name == chosen for name in ids], bool)
    return {
        "type": "scatter",
        "x": x[places],
        "y": y[places],
        "customdata": ids,
        "mode": "markers",
        "marker": {
            "color": tones(changes.gain[places]),
            "symbol": [_SYMBOLS[side] for side in np.sign(changes.gain[places]).tolist()],
            "size": np.where(mine, 13, 9),
            "line": {"color": style.MODEL, "width": np.where(mine, 3, 0)},
            "opacity": 0.8,
        },
        "hovertext": np.array(
            [
                _hover(changes, at) + (query_words.POINT_MORE.format(n=count(n - 1)) if n > 1 else "")
                for at, n in zip(places.tolist(), counts.tolist(), strict=True)
            ],
            object,
        ),
        "hoverinfo": "text",
        "selected": {"marker": {"opacity": 0.8}},
        "unselected": {"marker": {"opacity": 0.8}},
        "name": "queries",
    }


#: B worse, the same, B better: the shape says what the colour says.
_SYMBOLS = {-1: "triangle-down", 0: "circle", 1: "triangle-up"}


def _diagonal(a: Floats, b: Floats) -> dict[str, Any]:
    ends = [min(a.min(initial=0.0), b.min(initial=0.0)), max(a.max(initial=0.0), b.max(initial=0.0))]
    return {
        "type": "scatter",
        "x": ends,
        "y": ends,
        "mode": "lines",
        "line": {"color": style.SAME, "width": 1, "dash": "dot"},
        "hoverinfo": "skip",
        "name": "equal",
    }


def points_chart(traces: list[dict[str, Any]], **layout: Any) -> go.Figure:
    """Return a figure that says what the point or bar under the pointer is."""
    return drawn(traces, **{"height": _HEIGHT, "margin": ROOM, "hovermode": "closest"} | layout)


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
        xaxis={**AXIS, "type": "category", "title": title(literal(query_words.CURVE_AXIS))},
        yaxis={**AXIS, "title": title(literal(measure))},
    )
    if k in curve.ks:
        figure.add_vline(x=curve.ks.index(k), line={"color": style.SAME, "width": 1, "dash": "dot"})
    return figure


def waterfall_chart(steps: Sequence[WaterfallStep]) -> go.Figure:
    """Return a chart of the parts of the mean difference, one bar each from top to bottom, and their sum."""
    # A bar that comes nearer to 0 is drawn the other way, so that the line at 0 does not cross its number. A bar of 0
    # has a tiny length, which points to the side of its number.
    places = [(one.end, one.start) if one.value * one.end < 0 else (one.start, one.end) for one in steps]
    bars = {
        "type": "bar",
        "orientation": "h",
        "x": [end - start or end * 1e-9 for start, end in places],
        "y": [query_words.PARTS[step.part] for step in steps],
        "base": [start for start, _ in places],
        "marker": {"color": [style.tone(step.value) for step in steps]},
        "text": [signed(step.value) for step in steps],
        "textposition": "outside",
        "textfont": {"color": style.TEXT, "size": 13},
        "cliponaxis": False,
        "hovertext": [_part_hover(step) for step in steps],
        "hoverinfo": "text",
    }
    names = {"tickfont": {"color": style.TEXT, "size": 12}, "ticksuffix": "  ", "automargin": True}
    ends = [0.0, *(step.end for step in steps)]
    room = _NUMBER * (max(ends) - min(ends)) or 1.0
    return points_chart(
        [bars],
        margin={"l": 0, "r": 0, "t": 4, "b": 24},
        bargap=0.35,
        xaxis={**DIFFERENCE, "nticks": 4, "range": [min(ends) - room, max(ends) + room]},
        yaxis={"type": "category", "autorange": "reversed", "fixedrange": True, "showgrid": False, **names},
    )


def _part_hover(step: WaterfallStep) -> str:
    queries = f"n = {count(step.queries)}"
    return query_words.PART_HOVER.format(name=query_words.PARTS[step.part], value=signed(step.value), queries=queries)


#: Of two lists: the height of a row, and the columns of letters of a document.
_LIST_ROW, _DOCUMENT = 26, 40
#: How a line looks whose move helps, hurts, or does neither.
_DASHES: Mapping[bool | None, str] = {True: "solid", False: "dash", None: "solid"}


def query_chart(lists: QueryLists) -> go.Figure:
    """Return both lists of a query side by side, rank by rank: A's on the left, B's on the right. Lines join documents
    that stand in both, in the colour of what the move does to B.

    Traces: the lines that help, hurt and do neither; the documents of A and of B, whose ids are in ``customdata``.
    """
    deepest = max(len(lists.a.placed), len(lists.b.placed), 1)
    return drawn(
        [*(_moves(lists, helps) for helps in _DASHES), _documents(lists.a, 0), _documents(lists.b, 1)],
        height=_LIST_ROW * deepest + 40,
        margin={"l": 0, "r": 0, "t": 8, "b": 8},
        hovermode="closest",
        xaxis={"visible": False, "fixedrange": True, "range": [-1.6, 2.6]},
        yaxis={"visible": False, "fixedrange": True, "range": [deepest + 0.6, 0.4]},
    )


def _moves(lists: QueryLists, helps: bool | None) -> dict[str, Any]:
    shown = {row.rank for row in lists.b.placed}
    joined = [(row.rank, row.other_rank) for row in lists.a.placed if row.helps is helps and row.other_rank in shown]
    return {
        "type": "scatter",
        "mode": "lines",
        "x": [0, 1, None] * len(joined),
        "y": [end for a, b in joined for end in (a, b, None)],
        "line": {"color": query_words.EFFECT_COLOUR[helps], "width": 2, "dash": _DASHES[helps]},
        "hoverinfo": "skip",
    }


def _documents(listed: QueryList, at: int) -> dict[str, Any]:
    """Return the documents of a list, each with its grade, which stands next to the lines."""
    texts = []
    for document in (row.document for row in listed.placed):
        grade = query_words.UNJUDGED_MARK if document.relevance is None else grade_text(document.relevance)
        name = short(document.title, _DOCUMENT) if document.title else short_inside(document.doc_id, _DOCUMENT)
        texts.append(f"  <b>{grade}</b>  {literal(name)}" if at else f"{literal(name)}  <b>{grade}</b>  ")
    return {
        "type": "scatter",
        "mode": "text",
        "x": [at] * len(texts),
        "y": [row.rank for row in listed.placed],
        "text": texts,
        "textposition": "middle right" if at else "middle left",
        "textfont": {"color": [query_words.EFFECT_COLOUR[row.helps] for row in listed.placed], "size": 12},
        "customdata": [row.document.doc_id for row in listed.placed],
        "hovertext": [f"{literal(row.document.doc_id)}<br>{literal(row.document.title)}" for row in listed.placed],
        "hoverinfo": "text",
    }


#: When, name, difference, the ends of its interval, None where they are not known; the outcome of its verdict.
Moment = tuple[datetime, str, float, float | None, float | None, str | None]


#: More comparisons over time have no room for their names.
_MOST_NAMED = 12


def history_chart(moments: Sequence[Moment], measure: str) -> go.Figure:
    """Return a figure of differences, the oldest first, each with its interval and the colour of its verdict; with its
    name where there are few. One trace.
    """
    moments = sorted(moments, key=itemgetter(0))
    if len(moments) <= _MOST_NAMED:
        dated = [(f"{name}\n{at:%Y-%m-%d %H:%M}", x, low, high, True, tone) for at, name, x, low, high, tone in moments]
        return dot_chart(dated, measure)
    at = range(0, len(moments), -(-len(moments) // 4))  # a phone has room for four dates
    shown = [f"{moments[place][0]:%H:%M<br>%Y-%m-%d}" for place in at]
    dates = {"tickvals": list(at), "ticktext": shown, "tickangle": 0}
    deltas, ends = [delta for _, _, delta, *_ in moments], [(low, high) for *_, low, high, _ in moments]
    trace = {
        "type": "scatter",
        "mode": "markers",
        "x": list(range(len(moments))),
        "y": deltas,
        "marker": {"color": [style.outcome_tone(outcome) for *_, outcome in moments], "size": 11},
        "error_y": error_bars(deltas, ends),
        "hovertext": [
            f"{at:%Y-%m-%d %H:%M} UTC<br>{literal(name)}: {delta_text(measure, delta)}"
            for at, name, delta, *_ in moments
        ],
        "hoverinfo": "text",
    }
    return drawn(
        [trace],
        height=280,
        margin={"l": 64, "r": 8, "t": 8, "b": 58},
        xaxis={**AXIS, **dates, "showgrid": False, "range": [-0.5, len(moments) - 0.5]},
        yaxis={**DIFFERENCE, "title": title(literal(delta_name(measure))), "range": around_zero(deltas, sum(ends, ()))},
    )


#: Name, difference, the ends of its interval, None where they are not known; whether it is comparable with most;
#: the outcome of its verdict.
Dot = tuple[str, float, float | None, float | None, bool, str | None]
#: Of a chart of dots: the height of a row, and of what stands below the rows.
_DOT_ROW, _BELOW = 36, 56


def dot_chart(dots: Sequence[Dot], measure: str) -> go.Figure:
    """Return a figure with one named row per comparison, from top to bottom in the order given; one trace. A name may
    have two lines.

    A dot has the colour of its verdict, and is hollow where it cannot be compared with most of them.
    """
    deltas, ends = [delta for _, delta, *_ in dots], [(low, high) for _, _, low, high, *_ in dots]
    places = list(range(len(dots)))
    trace = {
        "type": "scatter",
        "mode": "markers",
        "x": deltas,
        "y": places,
        "marker": {
            "color": [style.outcome_tone(outcome) for *_, outcome in dots],
            "size": 13,
            "symbol": ["circle" if is_alike else "circle-open" for *_, is_alike, _ in dots],
        },
        "error_x": error_bars(deltas, ends),
        "hovertext": [f"{literal(name)}: {delta_text(measure, delta)}" for name, delta, *_ in dots],
        "hoverinfo": "text",
    }
    return drawn(
        [trace],
        height=_DOT_ROW * len(dots) + _BELOW,
        margin={"l": 0, "r": 8, "t": 8, "b": 44},
        xaxis={**DIFFERENCE, "title": title(literal(delta_name(measure))), "range": around_zero(deltas, sum(ends, ()))},
        yaxis={
            **AXIS,
            "range": [len(dots) - 0.5, -0.5],
            "tickmode": "array",
            "tickvals": places,
            "ticktext": [literal(name).replace("\n", "<br>") for name, *_ in dots],
            "ticksuffix": "  ",
            "showgrid": False,
            "automargin": True,
        },
    )
