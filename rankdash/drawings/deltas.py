"""One bar per query, largest loss first, coloured by who is better."""

from __future__ import annotations

import xml.etree.ElementTree as ET

from rankdash import style
from rankdash.drawings.rows import tick_words
from rankdash.drawings.svg import Scale, frame, rule, share, write
from rankdash.inspect.lists import Changes
from rankdash.scoring import Comparison
from rankdash.wording import count, short, short_inside

#: More bars than a chart has points across show nothing more. Of a larger comparison, so many queries are drawn, evenly
#: spread over the sorted order: the curve rises, so it keeps its shape, and every bar is still a query that can be
#: opened. Adding up neighbours instead would draw queries that do not exist.
MOST_BARS = 400
_HEIGHT = 220
#: The height of a number above its line; a line nearer to the top has no number.
_LETTERS = 16
#: The share of its room that a bar fills, and up to how many bars; more of them fill it.
_FILLED, _FEW = 0.85, 120


def delta_drawing(changes: Changes, comparison: Comparison) -> ET.Element:
    """Return the bars of at most MOST_BARS queries."""
    places = changes.evenly(MOST_BARS)
    deltas = changes.delta[places].tolist()
    scale = Scale.around_zero(deltas)
    drawing = frame(_HEIGHT, delta_alt(comparison))
    zero = _height(scale, 0.0)
    filled = _FILLED if len(deltas) <= _FEW else 1.0
    for place, delta in enumerate(deltas):
        top, bottom = sorted((zero, _height(scale, delta)))
        across = {"x": share(place / len(deltas)), "width": share(filled / len(deltas))}
        down = {"y": f"{top:.1f}", "height": f"{bottom - top:.1f}"}
        if delta:
            ET.SubElement(drawing, "rect", {**across, **down, "fill": style.tone(delta)})
    for tick in scale.ticks():
        _tick(drawing, scale, tick)
    return drawing


def _tick(drawing: ET.Element, scale: Scale, tick: float) -> None:
    """Draw a line across. Its number stands where no bars are: at the left for a gain, at the right for a loss."""
    y = _height(scale, tick)
    line = rule(drawing, ("0", "100%"), (y, y), style.SAME)
    if tick:
        line.attrib.update({"stroke-opacity": "0.35", "stroke-dasharray": "2 4"})
    if tick and y > _LETTERS:
        side = {"x": "0"} if tick > 0 else {"x": "100%", "text-anchor": "end"}
        write(drawing, tick_words(tick), side.pop("x"), y - 4, **side, **{"font-size": "12"})


def _height(scale: Scale, value: float) -> float:
    return _HEIGHT * (1 - scale.part(value))


def delta_alt(comparison: Comparison) -> str:
    """Return the bars in one sentence."""
    paired = comparison.primary.paired
    tally = {"won": count(paired.wins), "tied": count(paired.ties), "lost": count(paired.losses)}
    return style.DELTAS_ALT.format(measure=comparison.primary.label, **tally)


def name_of(changes: Changes, place: int) -> str:
    """Return the name of a query: its text, else its id."""
    return changes.texts[place] or changes.query_ids[place]


def short_name(changes: Changes, place: int, width: int) -> str:
    """Return the name of a query, cut to a width in columns: a text at its end, an id in its middle."""
    text = changes.texts[place]
    return short(text, width) if text else short_inside(changes.query_ids[place], width)
