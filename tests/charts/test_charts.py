"""The figures, by their traces."""

from __future__ import annotations

import xml.etree.ElementTree as ET

import numpy as np
import pytest

import rankdash as rd
from rankdash import charts, style
from rankdash.charts.verdict import SIZES
from rankdash.evidence.votes import gsb
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


def test_quotation_marks_in_names_stay_quotation_marks() -> None:
    """Plotly does not know the entity of a quote, so a title such as 16" is not escaped into one."""
    named = Changes(('16" <i>',), ("",), np.arange(1), np.zeros(1), np.ones(1), np.ones(1))
    figure = charts.delta_chart(named, "m")
    assert figure.layout.xaxis.ticktext[0] == '16" &lt;i&gt;'
    assert figure.data[0].hovertext[0].startswith('16" &lt;i&gt;<br>')


ROWS = {"Votes": gsb(30, 10, 10), "Derived from <b>nDCG</b>": gsb(97, 1, 2)}


def test_each_bar_is_as_long_as_all_its_queries() -> None:
    """Three traces, good, same and bad, in the colours of better, same and worse; together they fill the bar."""
    good, same, bad = charts.gsb_chart(ROWS).data
    assert [trace.name for trace in (good, same, bad)] == ["good", "same", "bad"]
    assert list(good.x) == [0.6, 0.97]
    assert list(same.x) == [0.2, 0.01]
    assert list(bad.x) == [0.2, 0.02]
    assert [trace.marker.color for trace in (good, same, bad)] == [style.WIN, style.SAME, style.LOSS]


def test_counts_are_text_on_the_bars_where_they_fit_and_always_over_them() -> None:
    """A narrow part has no count of its own; the name over the bar has all three, with nothing interpreted."""
    figure = charts.gsb_chart(ROWS)
    assert [trace.text for trace in figure.data] == [("30 good", "97 good"), ("10 same", ""), ("10 bad", "")]
    assert [note.text for note in figure.layout.annotations] == [
        "Votes: 30 good, 10 same, 10 bad",
        "Derived from &lt;b&gt;nDCG&lt;/b&gt;: 97 good, 1 same, 2 bad",
    ]
    assert "30 good, 10 same, 10 bad" in charts.gsb_alt(ROWS)
