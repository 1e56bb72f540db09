"""Comparison -> plotly figures, one file per figure: pure functions. Nothing here knows Streamlit.

``drawings`` has the sentence that says what a figure shows, and the drawings that are laid over a figure.
"""

from rankdash.charts.base import CONFIG
from rankdash.charts.counts import gsb_chart
from rankdash.charts.curve import curve_chart
from rankdash.charts.deltas import MOST_NAMED, delta_chart, names_height
from rankdash.charts.intervals import interval_chart
from rankdash.charts.launches import launch_chart
from rankdash.charts.method import discount_chart
from rankdash.charts.points import churn_chart, scatter_chart
from rankdash.charts.trend import dot_chart, trend_chart
from rankdash.charts.waterfall import waterfall_chart
from rankdash.drawings import MOST_BARS, gsb_alt, intervals_alt, lists_lines, mark, own_limit, short_name

__all__ = [
    "CONFIG",
    "MOST_BARS",
    "MOST_NAMED",
    "churn_chart",
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
    "trend_chart",
    "waterfall_chart",
]
