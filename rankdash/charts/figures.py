"""The figures of a comparison for a notebook: the charts of the pages, each with a title of its own."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import plotly.graph_objects as go

from rankdash import charts, style
from rankdash.inspect.lists import query_lists
from rankdash.inspect.query_order import query_texts, sorted_changes
from rankdash.inspect.view import curve, waterfall
from rankdash.metrics import Measure, parse_measures
from rankdash.records import as_figure
from rankdash.report.sections import models_words
from rankdash.report.svg import MOST_BARS
from rankdash.scoring import Comparison, ComparisonError, VotesAlone
from rankdash.style import queries as words
from rankdash.wording import count, literal, nouns, number, short, signed

Asked = str | Measure | None
#: The height of the bars without the names below them, the room of a title and beside it, and its columns of letters.
_BARS, _TITLE, _BESIDE, _LONGEST = 200, 58, 12, 80
#: The figure, and its title.
Drawn = tuple[go.Figure, str]


@as_figure.register
def _of_votes(votes: VotesAlone, kind: str, *asked: Asked) -> go.Figure:
    raise ComparisonError(words.NO_FIGURE)


@as_figure.register
def _of_comparison(comparison: Comparison, kind: str, *asked: Asked) -> go.Figure:
    """Return a figure under its title and the names of both models. ComparisonError where there is nothing to draw."""
    if kind != "query" and comparison.primary.paired.delta is None:
        raise ComparisonError(style.DELTAS_NONE.format(measure=comparison.primary.label))
    figure, title = _KINDS[kind](comparison, *asked)
    figure.layout.height += _TITLE
    figure.layout.margin.update(l=figure.layout.margin.l + _BESIDE, t=figure.layout.margin.t + _TITLE)
    title, models = (charts.literal(literal(text)) for text in (title, models_words(comparison)))
    top = {"y": 1 - 14 / figure.layout.height, "yanchor": "top"}
    figure.layout.title = {"text": f"<b>{title}</b><br>{models}", "font": {"size": 15}, "x": 0.01, **top}
    return figure


def _deltas(comparison: Comparison, asked: Asked) -> Drawn:
    result = comparison.primary if asked is None else comparison[asked]
    at = comparison.results.index(result)
    values = comparison.scores_a[at], comparison.scores_b[at], comparison.deltas[at]
    changes = sorted_changes(comparison, *values, result.paired.good)
    figure = charts.delta_chart(changes, result.label, _BARS + charts.names_height(changes))
    thinned = style.DELTAS_THINNED.format(shown=count(MOST_BARS), n=count(len(changes)))
    said = nouns(comparison.of_users).say(style.DELTAS if len(changes) <= MOST_BARS else thinned)
    return figure, f"{result.label}: {said}"


def _intervals(comparison: Comparison) -> Drawn:
    has_intervals = comparison.sample.inferred and any(result.paired.ci95 for result in comparison.results)
    return charts.interval_chart(comparison), style.INTERVALS if has_intervals else style.DIFFERENCES


def _why(comparison: Comparison) -> Drawn:
    steps = waterfall(comparison)
    if not steps:
        raise ComparisonError(nouns(comparison.of_users).say(words.NO_WATERFALL))
    return charts.waterfall_chart(steps), words.WHY_TITLE.format(k=comparison.policy.cutoff)


def _cutoffs(comparison: Comparison, asked: Asked) -> Drawn:
    (measure,) = parse_measures(asked or comparison.measures[0], comparison.convention)
    family = measure.label.split("@")[0]
    figure = charts.curve_chart(curve(comparison, measure), family, measure.k or comparison.policy.cutoff)
    return figure, f"{family}: {words.CHARTS['curve']}"


def _query(comparison: Comparison, query_id: str, asked: Asked) -> Drawn:
    (measure,) = parse_measures(asked or comparison.measures[0], comparison.convention)
    query_id = str(query_id)  # in a frame it may be a number
    lists = query_lists(comparison, query_id, measure=measure)
    name = short(query_texts(comparison).get(query_id) or query_id, _LONGEST)
    values = f"{number(lists.a.value)} → {number(lists.b.value)}, {signed(lists.delta)}"
    return charts.query_chart(lists), f"{name}: {lists.a.worked.measure.label} {values}. {words.SIDES_OF_CHART}"


_KINDS: Mapping[str, Callable[..., Drawn]] = {
    "deltas": _deltas,
    "intervals": _intervals,
    "why": _why,
    "cutoffs": _cutoffs,
    "query": _query,
}
