"""A chart in rows: over each row its name at the left and its numbers at the right, marks on a common axis below."""

from __future__ import annotations

import xml.etree.ElementTree as ET

from rankdash import style
from rankdash.drawings.svg import Scale, allowed, frame, rule, write
from rankdash.wording import MINUS

#: Height of a row, and the heights in it of the text and of the marks.
ROW, TEXT, MARKS = 46, 15, 31
_AXIS = 22
#: A number nearer to an end of the axis than this share stands beside its line: centred on it, it would not fit.
_EDGE = 0.04
_GRID = {"stroke-opacity": "0.35", "stroke-dasharray": "2 4"}


def rows_frame(rows: int, alt: str, scale: Scale | None = None) -> ET.Element:
    """Return the drawing of some rows, with the grid and the numbers of an axis where there is one."""
    bottom = ROW * rows
    if scale is None:
        return frame(bottom, alt)
    drawing = frame(bottom + _AXIS, alt)
    for tick in scale.ticks():
        for place in range(rows):  # not through the text over a row
            ends = (ROW * place + TEXT + 5, ROW * (place + 1))
            rule(drawing, (scale.at(tick), scale.at(tick)), ends, style.SAME).attrib.update(_GRID if tick else {})
        part = scale.part(tick)
        anchor = "start" if part < _EDGE else "end" if part > 1 - _EDGE else "middle"
        write(drawing, tick_words(tick), scale.at(tick), bottom + 16, **{"text-anchor": anchor, "font-size": "12"})
    return drawing


def tick_words(value: float) -> str:
    """Return a number of an axis of differences: with a sign, and no more digits than it has.

    >>> tick_words(0.05), tick_words(-0.1), tick_words(0)
    ('+0.05', '−0.1', '0')
    """
    return "0" if not value else f"{MINUS if value < 0 else '+'}{abs(value):.12g}"


def row_words(drawing: ET.Element, place: int, name: str, role: str, numbers: str = "", *, strong: str = "") -> None:
    """Write what stands over a row: at the left the name with its role, at the right numbers, the strong one first."""
    y = ROW * place + TEXT
    label = ET.SubElement(drawing, "text", {"x": "0", "y": f"{y:g}", "fill": style.TEXT, "font-size": "13"})
    write_span(label, name, **{"font-weight": "600"})
    if role:
        write_span(label, f"  {role}", **{"font-size": "12"})
    end = {"x": "100%", "y": f"{y:g}", "fill": style.TEXT, "font-size": "13", "text-anchor": "end"}
    if not (strong or numbers):
        return
    values = ET.SubElement(drawing, "text", end)
    if strong:
        write_span(values, f"{strong}  ", **{"font-weight": "700"})
    write_span(values, numbers)


def write_span(parent: ET.Element, words: str, **attributes: str) -> None:
    """Write a part of a text, literally."""
    ET.SubElement(parent, "tspan", {"xml:space": "preserve"} | attributes).text = allowed(words)
