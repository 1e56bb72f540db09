"""Every chart of a report: whether there is such a chart, its drawing, and its note. One row each."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from rankdash import drawings, style
from rankdash.inspect.lists import changes
from rankdash.inspect.view import waterfall
from rankdash.report.sections import votes
from rankdash.report.sections.reported import Reported
from rankdash.scoring import Comparison, VotesAlone
from rankdash.style import evidence, queries
from rankdash.style import report as words
from rankdash.wording import count


@dataclass(frozen=True)
class ChartRow:
    """A chart: its title, its drawing, why there is none, and the note below it."""

    title: Callable[[Reported], str]
    draw: Callable[[Reported], ET.Element]
    lacks: Callable[[Reported], str]
    note: Callable[[Reported], str]


def lacks_queries(reported: Reported) -> str:
    """Return why there is nothing per query; "" where there is."""
    return words.ONLY_VOTES if isinstance(reported.comparison, VotesAlone) else ""


def _compared(reported: Reported) -> Comparison:
    assert isinstance(reported.comparison, Comparison)
    return reported.comparison


def _lacks_bars(reported: Reported) -> str:
    return lacks_queries(reported) or ("" if len(changes(_compared(reported))) else words.NO_BARS)


def _lacks_parts(reported: Reported) -> str:
    return lacks_queries(reported) or ("" if waterfall(_compared(reported)) else queries.NO_WATERFALL)


def _intervals_title(reported: Reported) -> str:
    return style.INTERVALS if _compared(reported).sample.inferred else style.DIFFERENCES


def _queries_title(reported: Reported) -> str:
    return style.DELTAS.format(measure=_compared(reported).primary.label)


def _queries_note(reported: Reported) -> str:
    """Return how many queries were won, tied and lost, and where not all are drawn, that too."""
    comparison = _compared(reported)
    paired, n = comparison.primary.paired, len(changes(comparison))
    said = words.WON.format(won=count(paired.wins), tied=count(paired.ties), lost=count(paired.losses))
    if n <= drawings.MOST_BARS:
        return said
    return f"{said} {style.DELTAS_THINNED.format(shown=count(drawings.MOST_BARS), n=count(n))}"


def _why_title(reported: Reported) -> str:
    return queries.CHART_TITLES["why"].format(k=_compared(reported).policy.cutoff)


#: In the order in which a report shows them.
CHARTS: Mapping[str, ChartRow] = MappingProxyType(
    {
        "intervals": ChartRow(
            _intervals_title,
            lambda reported: drawings.interval_drawing(_compared(reported)),
            lacks_queries,
            lambda reported: style.INTERVALS_LEGEND,
        ),
        "queries": ChartRow(
            _queries_title,
            lambda reported: drawings.delta_drawing(changes(_compared(reported)), _compared(reported)),
            _lacks_bars,
            _queries_note,
        ),
        "why": ChartRow(
            _why_title,
            lambda reported: drawings.waterfall_drawing(waterfall(_compared(reported))),
            _lacks_parts,
            lambda reported: words.WHY_HINT,
        ),
        "votes": ChartRow(
            lambda reported: evidence.GSB_PANEL,
            lambda reported: drawings.gsb_drawing(votes.bars(reported.comparison)),
            lambda reported: "",
            lambda reported: evidence.GSB_PANEL_HINT,
        ),
    }
)


def to_svg(reported: Reported, name: str) -> bytes:
    """Return a chart as a file of its own."""
    row = CHARTS[name]
    return drawings.as_file(row.draw(reported), row.title(reported), row.note(reported))
