"""The interactive charts of a report: the figures of the pages, and the code of the installed Plotly."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

from markupsafe import Markup

from rankdash import charts
from rankdash.charts.embedded import drawing_code, embedded
from rankdash.inspect.lists import changes
from rankdash.inspect.view import waterfall
from rankdash.report.sections import votes
from rankdash.report.sections.reported import Reported
from rankdash.scoring import Comparison


def _compared(reported: Reported) -> Comparison:
    assert isinstance(reported.comparison, Comparison)
    return reported.comparison


def _queries(reported: Reported) -> Any:
    comparison = _compared(reported)
    return charts.delta_chart(changes(comparison), comparison.primary.label)


#: The figure of each chart, by its name in ``forms.charts``.
FIGURES: Mapping[str, Callable[[Reported], Any]] = MappingProxyType(
    {
        "intervals": lambda reported: charts.interval_chart(_compared(reported)),
        "queries": _queries,
        "why": lambda reported: charts.waterfall_chart(waterfall(_compared(reported))),
        "votes": lambda reported: charts.gsb_chart(votes.bars(reported.comparison)),
    }
)


def figure_html(reported: Reported, name: str, alt: str) -> Markup:
    """Return a chart as HTML made by Plotly, with what it shows in one sentence."""
    return Markup('<div role="img" aria-label="{}">{}</div>').format(alt, Markup(embedded(FIGURES[name](reported))))


def script() -> Markup:
    """Return the code that draws the figures."""
    return Markup(drawing_code())
