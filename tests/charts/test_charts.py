"""The figures, by their traces."""

from __future__ import annotations

import numpy as np
import pytest

import rankdash as rd
from rankdash import charts, style
from rankdash.inspect.query_order import Changes
from rankdash.report.svg import MOST_BARS
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
