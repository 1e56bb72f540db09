"""Drawings that lie over a chart or a table: a mark at a bar, lines between two lists.

On a page they change with every click, while the chart below stays: a changed figure would be drawn again as a whole.
They contain no text from files.
"""

from __future__ import annotations

import xml.etree.ElementTree as ET

from rankdash import style
from rankdash.drawings.svg import SVG
from rankdash.inspect.lists import Changes, QueryLists
from rankdash.style import layout
from rankdash.style import queries as words

#: How lines look: whether the move helped, width, dashes. Green lines are thick and pink ones dashed.
_LOOKS: tuple[tuple[bool | None, str, str], ...] = ((True, "2.5", ""), (False, "2", "7 4"), (None, "1.5", ""))


def lists_lines(query_lists: QueryLists) -> str:
    """Return an SVG drawing of lines from ranks of A on the left to ranks of B: 10 units wide, and a unit high per row.

    One path per effect, in the order helps, hurts, neither. The drawing is stretched to the available room; the lines
    keep their width.
    """
    rows = max(len(query_lists.a.placed), len(query_lists.b.placed), 1)
    drawing = ET.Element(
        "svg",
        xmlns=SVG,
        viewBox=f"0 0 10 {rows}",
        width="100",
        height=str(100 * rows),
        preserveAspectRatio="none",
        fill="none",
    )
    shown = {row.rank for row in query_lists.b.placed}
    for effect, width, dashes in _LOOKS:
        joined = [(row.rank, row.other_rank) for row in query_lists.a.placed if row.helps is effect]
        line = {
            "d": " ".join(f"M0 {a - 0.5}L10 {b - 0.5}" for a, b in joined if b in shown),
            "stroke": words.EFFECT_COLOUR[effect],
            "stroke-width": width,
            "vector-effect": "non-scaling-stroke",
        }
        ET.SubElement(drawing, "path", line | ({"stroke-dasharray": dashes} if dashes else {}))
    return ET.tostring(drawing, encoding="unicode")


def mark(changes: Changes, chosen: int, below: int = 0) -> str:
    """Return an arrow at the top of the chart of sorted deltas and a line below it, over the bar of a chosen query. The
    line ends above the names of the bars, which are ``below`` pixels high.

    The drawing fills its room, which is a little wider than the bars on both sides, so that no arrow is cut off.
    """
    share = (chosen + 0.5) / len(changes)
    drawing = ET.Element("svg", xmlns=SVG, width="100%", height="100%")
    at = ET.SubElement(drawing, "svg", x=f"{100 * share:.3f}%", overflow="visible")
    moved = ET.SubElement(at, "g", transform=f"translate({layout.MARK_BESIDE * (1 - 2 * share):.2f} 0)")
    line = {"stroke": style.MODEL, "stroke-width": "1.5", "stroke-dasharray": "2 3"}
    ET.SubElement(moved, "line", line, y1=str(below), y2="100%", transform=f"translate(0 {-below})")
    ET.SubElement(moved, "path", d="M-6 0H6L0 10Z", fill=style.MODEL)
    return ET.tostring(drawing, encoding="unicode")
