"""The figures, those of the queries page and the method page too, by their traces."""

import xml.etree.ElementTree as ET
from datetime import UTC, datetime

import numpy as np
import plotly.graph_objects as go
import pytest

import rankdash as rd
from rankdash import charts, style
from rankdash.inspect.lists import query_lists
from rankdash.inspect.query_order import Changes
from rankdash.inspect.view import Curve, Viewed, WaterfallStep, measure_of, orders_of, shared_lists, viewed
from rankdash.report.svg import MOST_BARS, lists_lines
from rankdash.wording import signed
from tests.browsed import judgments_csv, run_csv


@pytest.fixture(scope="module")
def comparison() -> rd.Comparison:
    """Fifty queries, B better on most."""
    return rd.compare(rd.read_run(run_csv(False)), rd.read_run(run_csv(True)), rd.read_judgments(judgments_csv()))


def many(n: int, text: str = "") -> Changes:
    """So many queries with deltas from -1 to 1, and one text."""
    delta = np.linspace(-1, 1, n)
    ids = tuple(f"q<{i}>" for i in range(n))
    return Changes(ids, (text,) * n, np.arange(n), np.zeros(n), delta, delta)


def test_the_interval_chart_has_one_row_per_measure(comparison: rd.Comparison) -> None:
    """Intervals, limits and points stand at the values of the results, in their order."""
    intervals, limits, points = charts.interval_chart(comparison).data
    names = comparison.measure_names
    assert list(points.y) == names
    assert list(points.x) == [result.paired.delta for result in comparison.results]
    ends = [end for result in comparison.results for end in (*result.paired.ci95, None)]
    assert list(intervals.x) == ends
    assert dict(zip(limits.y, limits.x, strict=True)) == {"nDCG@10": 0.005, "AP": -0.01, "nDCG@1": -0.02, "RR": -0.02}


def test_a_measure_without_an_upper_bound_has_a_scale_of_its_own() -> None:
    """It fits beside the others with the same 0, and says its own numbers; one that only describes is grey."""
    found = rd.compare(run_csv(False), run_csv(True), judgments_csv(), measures=["CG@1", "IDCG@2", "NumRet"])
    _, _, points = (figure := charts.interval_chart(found)).data
    alone = charts.interval_chart(rd.compare(run_csv(False), run_csv(True), judgments_csv()))
    assert figure.layout.xaxis.range == alone.layout.xaxis.range
    at = found.measure_names.index("CG@1")
    assert 0 < points.x[at] < figure.layout.xaxis.range[1]
    assert f"CG@1: {signed(found['CG@1'].paired.delta)} (" in points.hovertext[at]
    assert points.marker.color[-1] == style.SAME


@pytest.mark.parametrize("queries", [1, 2, 3, 50])
def test_an_axis_ends_near_the_largest_difference_that_can_be(queries: int) -> None:
    """Intervals of a few queries reach beyond 1, where no difference of these measures is; the axis does not."""
    judged = b"\n".join(judgments_csv().split(b"\n")[: 1 + 4 * queries])
    axis = charts.interval_chart(rd.compare(run_csv(False), run_csv(True), judged)).layout.xaxis
    assert -1.2 < axis.range[0] < 0 < axis.range[1] < 1.2


def test_of_thousands_of_queries_a_thousand_are_drawn() -> None:
    """The drawn bars are queries, evenly spread, the largest loss and the largest gain among them."""
    (bars,) = charts.delta_chart(many(7_000), "m").data
    assert len(bars.y) == MOST_BARS
    assert (bars.customdata[0], bars.customdata[-1]) == (0, 6_999)


def test_quotation_marks_in_names_stay_quotation_marks() -> None:
    """Plotly does not know the entity of a quote, so a title such as 16" is not escaped into one."""
    named = Changes(('16" <i>',), ("",), np.arange(1), np.zeros(1), np.ones(1), np.ones(1))
    figure = charts.delta_chart(named, "m")
    assert figure.layout.xaxis.ticktext[0] == '16" &lt;i&gt;'
    assert figure.data[0].hovertext[0].startswith('16" &lt;i&gt;<br>')


@pytest.fixture(scope="module")
def found(comparison: rd.Comparison) -> Viewed:
    """The primary measure of all of them."""
    measure = measure_of(comparison, "nDCG", 10)
    return viewed(comparison, measure, shared_lists(comparison, orders_of(comparison.joined, measure)))


def test_a_point_per_query_knows_its_query(found: Viewed) -> None:
    """A against B, the ids beside the points, colour and shape by who is better; the chosen one is marked."""
    chosen = found.changes.query_ids[-1]
    diagonal, points = charts.scatter_chart(found, "nDCG@10", chosen).data
    assert list(points.customdata) == list(found.changes.query_ids)
    assert list(points.x) == found.changes.a.tolist()
    assert list(points.y) == found.changes.b.tolist()
    assert list(points.marker.color) == [style.tone(delta) for delta in found.changes.delta.tolist()]
    assert set(points.marker.symbol) == {"triangle-down", "circle", "triangle-up"}
    assert [name for name, size in zip(points.customdata, points.marker.size, strict=True) if size > 9] == [chosen]
    assert list(diagonal.x) == list(diagonal.y)


def test_the_waterfall_is_one_bar_after_the_other() -> None:
    """Each bar lies between the end of the one before and its own, and says its number on the side away from 0."""
    steps = (
        WaterfallStep("relevant_dropped", 0, -0.2, -0.2, 3),
        WaterfallStep("relevant_gained", -0.2, -0.125, 0.075, 5),
        WaterfallStep("reordering", -0.125, -0.125, 0, 0),
        WaterfallStep("total", 0, -0.125, -0.125, 9),
    )
    (bars,) = charts.waterfall_chart(steps).data
    assert list(bars.base) == [0, -0.125, -0.125, 0]
    assert list(bars.x) == pytest.approx([-0.2, -0.075, 0, -0.125], abs=1e-6)
    assert max(bars.x) < 0
    assert list(bars.text) == ["−0.200", "+0.075", "0.000", "−0.125"]
    assert "n = 5" in bars.hovertext[1]


def test_two_lists_are_joined_where_a_document_stands_in_both() -> None:
    """A path per effect, from a row of A to one of B; what only one list has, or shows further down, has no line."""
    a, b = {"q": ["x", "y", "z", "only a", "deep"]}, {"q": ["y", "x", "z", "only b", "o", "p", "deep"]}
    grades = rd.read_judgments({"q": {"x": 0, "y": 2, "z": 1}})
    comparison = rd.compare(rd.read_run(a), rd.read_run(b), grades)
    drawing = ET.fromstring(lists_lines(query_lists(comparison, "q", 5)))
    assert drawing.get("viewBox") == "0 0 10 5"
    helps, hurts, neither = list(drawing)
    assert helps.get("d") == "M0 0.5L10 1.5 M0 1.5L10 0.5"
    assert hurts.get("d") == ""
    assert neither.get("d") == "M0 2.5L10 2.5"
    assert [path.get("stroke") for path in drawing] == [style.WIN, style.LOSS, style.SAME]
    assert [path.get("stroke-dasharray") is None for path in drawing] == [True, False, True]


def test_a_drawing_of_lists_holds_nothing_that_a_file_says() -> None:
    """Ids, titles and names of models cannot get into the picture."""
    run = rd.read_run({"<script>": ["</svg>", "&x;"]}, name="<b>")
    comparison = rd.compare(run, run, rd.read_judgments({"<script>": {"</svg>": 1}}))
    drawing = ET.fromstring(lists_lines(query_lists(comparison, "<script>")))
    assert {node.tag.rpartition("}")[2] for node in drawing.iter()} == {"svg", "path"}
    assert not any(node.text for node in drawing.iter())


def test_plotly_takes_every_value_of_every_figure(found: Viewed, comparison: rd.Comparison) -> None:
    """Figures are made without plotly's own check of each value, so the check is made here."""
    first = found.changes.query_ids[0]
    steps = [WaterfallStep("relevant_gained", 0.0, 0.2, 0.2, 3), WaterfallStep("total", 0.0, 0.2, 0.2, 5)]
    for figure in (
        charts.delta_chart(found.changes, "nDCG@10"),
        charts.delta_chart(found.only(np.arange(3)).changes, "nDCG@10"),
        charts.interval_chart(comparison),
        charts.scatter_chart(found, "nDCG@10", first),
        charts.curve_chart(Curve((1, 3, 10), (0.1, 0.2, 0.3), (0.2, 0.3, None)), "nDCG", 3),
        charts.waterfall_chart(steps),
    ):
        assert len(go.Figure(figure.to_dict()).data) == len(figure.data)


def test_a_difference_over_time_or_side_by_side_has_the_colour_of_its_verdict() -> None:
    """An interval beyond 0 is green only if its verdict launches, as of several candidates. Up to eight and more over
    time have their names beside them.
    """
    when, ends = datetime(2026, 11, 28, tzinfo=UTC), (0.02, 0.01, 0.03)
    outcomes, tones = ("LAUNCH", "NOT_PROVEN", "WORSE", None), [style.WIN, style.SAME, style.LOSS, style.SAME]
    moments = [(when, outcome or "", *ends, outcome) for outcome in outcomes]
    dots = [(outcome or "", *ends, True, outcome) for outcome in outcomes]
    drawn = [charts.history_chart(moments * times, "nDCG@10") for times in (1, 2, 4)]
    for figure in (*drawn, charts.dot_chart(dots, "nDCG@10")):
        assert list(figure.data[0].marker.color)[:4] == tones
    assert [bool(figure.layout.yaxis.ticktext) for figure in drawn] == [True, True, False]
