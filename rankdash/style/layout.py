"""Sizes that charts and drawings share with the style sheet. They are written down in ``page.css`` and read from there.

What lies over a chart is placed by the style sheet, what lies under it by Plotly; with one number for both they cannot
drift apart.
"""

from __future__ import annotations

import re
from pathlib import Path

SHEET = Path(__file__).with_name("page.css")
_SIZES = {
    name: int(pixels) for name, pixels in re.findall(r"--([a-z](?:-?[a-z])*): (\d+)px;", SHEET.read_text("utf-8"))
}

#: Margins of the chart of the sorted deltas, in pixels: room for the numbers and the title of its axis, and below it.
DELTA_CHART_LEFT = _SIZES["delta-chart-left"]
DELTA_CHART_RIGHT = _SIZES["delta-chart-right"]
DELTA_CHART_BOTTOM = _SIZES["delta-chart-bottom"]
#: Pixels that the drawing of the mark reaches beyond the bars of that chart on either side.
MARK_BESIDE = _SIZES["mark-beside"]
