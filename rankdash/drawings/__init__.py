"""Comparison -> SVG, without Plotly or scripts: the charts of a report, and what pages lay over their charts.

Positions across are shares of the width, so that a drawing fits a page of any width while its letters keep their size.
"""

from rankdash.drawings.counts import gsb_alt, gsb_drawing
from rankdash.drawings.deltas import MOST_BARS, delta_alt, delta_drawing, name_of, short_name
from rankdash.drawings.intervals import interval_drawing, intervals_alt, own_limit
from rankdash.drawings.lists import lists_lines, mark
from rankdash.drawings.svg import as_file, as_text
from rankdash.drawings.waterfall import waterfall_alt, waterfall_drawing

__all__ = [
    "MOST_BARS",
    "as_file",
    "as_text",
    "delta_alt",
    "delta_drawing",
    "gsb_alt",
    "gsb_drawing",
    "interval_drawing",
    "intervals_alt",
    "lists_lines",
    "mark",
    "name_of",
    "own_limit",
    "short_name",
    "waterfall_alt",
    "waterfall_drawing",
]
