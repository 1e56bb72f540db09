"""The figures, by their traces."""

from __future__ import annotations

import xml.etree.ElementTree as ET

import numpy as np
import pytest

import rankdash as rd
from rankdash import charts, style
from rankdash.charts.verdict import SIZES
from rankdash.inspect.lists import Changes, changes
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


def test_every_measure_has_its_limit_on_its_own_row_only(comparison: rd.Comparison) -> None:
    """There is no shape that crosses rows, and the axis of measures is one of names."""
    figure = charts.interval_chart(comparison)
    assert not figure.layout.shapes
    assert figure.layout.yaxis.type == "category"


def test_the_numbers_beside_the_intervals_are_text(comparison: rd.Comparison) -> None:
    """Each row carries its difference and interval as words, and so does the description of the chart."""
    found = comparison.primary.paired
    words = [note.text for note in charts.interval_chart(comparison).layout.annotations]
    assert len(words) == len(comparison.results)
    assert f"{found.delta:+.3f}" in words[0]
    assert f"{found.delta:+.3f}" in charts.intervals_alt(comparison)


def test_a_measure_without_an_interval_is_a_point_and_says_so() -> None:
    """One query has a difference and no interval; nothing is drawn in its place."""
    a, b = rd.read_run({"q": ["d1", "d2"]}), rd.read_run({"q": ["d2", "d1"]})
    figure = charts.interval_chart(rd.compare(a, b, rd.read_judgments({"q": {"d2": 1}})))
    assert not figure.data[0].x
    assert style.NO_INTERVAL in figure.layout.annotations[0].text


def test_bars_are_sorted_coloured_and_know_their_query(comparison: rd.Comparison) -> None:
    """One trace, a bar per query from loss to gain, green where B is better, the place of the query beside it."""
    found = changes(comparison)
    figure = charts.delta_chart(found, "nDCG@10")
    (bars,) = figure.data
    assert list(bars.y) == sorted(found.delta.tolist())
    assert list(bars.customdata) == list(range(50))
    colours = {int(np.sign(delta)): colour for delta, colour in zip(bars.y, bars.marker.color, strict=True)}
    assert colours == {-1: style.LOSS, 0: style.SAME, 1: style.WIN}


def test_names_are_shown_only_where_they_fit() -> None:
    """Few bars are named, escaped; more are not."""
    assert charts.delta_chart(many(charts.MOST_NAMED), "m").layout.xaxis.ticktext[0] == "q&lt;0&gt;"
    assert not charts.delta_chart(many(charts.MOST_NAMED + 1), "m").layout.xaxis.ticktext


def test_of_thousands_of_queries_a_thousand_are_drawn() -> None:
    """The drawn bars are queries, evenly spread, the largest loss and the largest gain among them."""
    (bars,) = charts.delta_chart(many(7_000), "m").data
    assert len(bars.y) == charts.MOST_BARS
    assert (bars.customdata[0], bars.customdata[-1]) == (0, 6_999)


def test_text_from_files_stays_text_in_a_figure() -> None:
    """What plotly would interpret is escaped on hovering too."""
    (bars,) = charts.delta_chart(many(3), "m").data
    assert bars.hovertext[0].startswith("q&lt;0&gt;<br>")


def test_an_arrow_points_at_the_chosen_query() -> None:
    """The arrow and the line stand over the middle of the bar, which fills its share of the width between 8 points."""
    for place, x, shift in ((2, "62.500%", "translate(-2.00 0)"), (0, "12.500%", "translate(6.00 0)")):
        (at,) = ET.fromstring(charts.mark(many(4), place))
        (moved,) = at
        assert (at.get("x"), moved.get("transform")) == (x, shift)
        assert [moved[0].get("stroke"), moved[1].get("fill")] == [style.MODEL] * 2


def test_the_line_of_the_arrow_ends_above_the_names_of_bars() -> None:
    """Names have a room of their own below the bars, as high as the longest of them, and the line is shorter by it."""
    short, long = many(4), many(4, "a query of more letters than fit")
    rooms = [charts.names_height(names) for names in (short, long)]
    assert 0 < rooms[0] < rooms[1]
    assert charts.names_height(many(charts.MOST_NAMED + 1)) == 0
    for names, room in zip((short, long), rooms, strict=True):
        ((line, _),) = ET.fromstring(charts.mark(names, 0, room))[0]
        assert (line.get("y1"), line.get("y2"), line.get("transform")) == (str(room), "100%", f"translate(0 {-room})")
        assert charts.delta_chart(names, "m").layout.margin.b == room + SIZES["delta-chart-bottom"]


def test_ids_that_differ_at_their_end_are_told_apart_below_the_bars() -> None:
    """A query without a text is called by its id, which is cut in its middle."""
    ids = tuple(f"query_of_production_{n:02}" for n in range(3))
    named = Changes(ids, ("",) * 3, np.arange(3), np.arange(3.0), np.ones(3), np.ones(3))
    assert len(set(charts.delta_chart(named, "m").layout.xaxis.ticktext)) == 3


def test_figures_do_not_depend_on_who_draws_them(comparison: rd.Comparison) -> None:
    """Every figure names a white template of its own and the colours of its traces."""
    for figure in (charts.interval_chart(comparison), charts.delta_chart(changes(comparison), "m")):
        assert figure.layout.template.layout.colorway[0] == style.MODEL
        assert all(
            (trace.line.color if trace.marker.color is None else trace.marker.color) is not None
            for trace in figure.data
        )


def test_quotation_marks_in_names_stay_quotation_marks() -> None:
    """Plotly does not know the entity of a quote, so a title such as 16" is not escaped into one."""
    named = Changes(('16" <i>',), ("",), np.arange(1), np.zeros(1), np.ones(1), np.ones(1))
    figure = charts.delta_chart(named, "m")
    assert figure.layout.xaxis.ticktext[0] == '16" &lt;i&gt;'
    assert figure.data[0].hovertext[0].startswith('16" &lt;i&gt;<br>')
