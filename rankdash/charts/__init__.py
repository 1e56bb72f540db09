"""Comparison -> Plotly figures: pure functions. Nothing here knows Streamlit."""

from rankdash.charts.base import CONFIG
from rankdash.charts.pages import curve_chart, discount_chart, dot_chart, launch_chart, scatter_chart, waterfall_chart
from rankdash.charts.verdict import MOST_NAMED, delta_chart, gsb_alt, gsb_chart, interval_chart, mark, names_height
from rankdash.report.svg import MOST_BARS, intervals_alt, lists_lines, own_limit, short_name

__all__ = [
    "CONFIG",
    "MOST_BARS",
    "MOST_NAMED",
    "curve_chart",
    "delta_chart",
    "discount_chart",
    "dot_chart",
    "gsb_alt",
    "gsb_chart",
    "interval_chart",
    "intervals_alt",
    "launch_chart",
    "lists_lines",
    "mark",
    "names_height",
    "own_limit",
    "scatter_chart",
    "short_name",
    "waterfall_chart",
]
