"""The figures of the queries page and the method page, by their traces."""

from __future__ import annotations

import numpy as np
import plotly.graph_objects as go
import pytest

import rankdash as rd
from rankdash import charts, style
from rankdash.lists import Changes, query_lists
from rankdash.method import weights
from rankdash.style import queries as words
from rankdash.view import Curve, Step, Viewed, measure_of, shared_lists, viewed
from tests.browsed import judgments_csv, run_csv


@pytest.fixture(scope="module")
def comparison() -> rd.Comparison:
    """Fifty queries, B better on most."""
    return rd.compare(rd.read_run(run_csv(False)), rd.read_run(run_csv(True)), rd.read_judgments(judgments_csv()))


@pytest.fixture(scope="module")
def found(comparison: rd.Comparison) -> Viewed:
    """The primary measure of all of them."""
    measure = measure_of(comparison, "nDCG", 10)
    return viewed(comparison, measure, shared_lists(comparison, measure.convention))


def test_a_point_per_query_knows_its_query(found: Viewed) -> None:
    """A against B, the ids beside the points, colour and shape by who is better; the chosen one is marked."""
    chosen = found.changes.query_ids[-1]
    diagonal, points = charts.scatter_chart(found, "NDCG@10", chosen).data
    assert list(points.customdata) == list(found.changes.query_ids)
    assert list(points.x) == found.changes.a.tolist()
    assert list(points.y) == found.changes.b.tolist()
    assert list(points.marker.color) == [style.tone(delta) for delta in found.changes.delta.tolist()]
    assert set(points.marker.symbol) == {"triangle-down", "circle", "triangle-up"}
    assert [name for name, size in zip(points.customdata, points.marker.size, strict=True) if size > 9] == [chosen]
    assert list(diagonal.x) == list(diagonal.y)


def test_change_stands_against_quality(found: Viewed) -> None:
    """1 - RBO across, the difference up, and the two corners that matter are named."""
    figure = charts.churn_chart(found, "NDCG@10")
    (points,) = figure.data
    assert list(points.x) == found.churn.tolist()
    assert list(points.y) == found.changes.delta.tolist()
    assert [note.text for note in figure.layout.annotations] == [words.FREE_WINS, words.RISKY]


def test_of_thousands_of_points_few_are_drawn_and_all_are_counted() -> None:
    """Seven thousand queries on a grid of places: one point per place, which says how many it stands for."""
    n = 7_000
    values = np.arange(n) % 5 / 4
    ids = tuple(f"<{i}>" for i in range(n))
    many = Changes(ids, ("",) * n, np.arange(n), values, values[::-1].copy(), values[::-1] - values)
    zeros = np.zeros(n)
    found = Viewed(None, 10, many, zeros, zeros, zeros, zeros > 0, {}, {}, None)  # type: ignore[arg-type]
    points = charts.scatter_chart(found, "m").data[1]
    assert len(points.x) <= 25
    assert points.hovertext[0].startswith("&lt;0&gt;<br>")
    assert "1,399 more here" in points.hovertext[0]


def test_the_curve_has_a_line_per_model() -> None:
    """Both means over the cutoffs, each line named at its end, a gap where there is no value."""
    figure = charts.curve_chart(Curve((1, 5, 10), (0.1, None, 0.3), (0.2, 0.3, 0.4)), "NDCG", 5)
    a, b = figure.data
    assert (list(a.x), list(a.y), list(b.y)) == (["1", "5", "10"], [0.1, None, 0.3], [0.2, 0.3, 0.4])
    assert (a.text[-1], b.text[-1], a.line.dash, b.line.dash) == ("A", "B", "dash", "solid")
    assert figure.layout.shapes[0].x0 == 1


def test_the_waterfall_is_one_bar_after_the_other() -> None:
    """Each bar begins where the one before ended, says its number and carries its part."""
    steps = (
        Step("relevant_dropped", 0, -0.2, -0.2, 3),
        Step("relevant_gained", -0.2, 0.1, 0.3, 5),
        Step("total", 0, 0.1, 0.1, 9),
    )
    (bars,) = charts.waterfall_chart(steps, "relevant_gained").data
    assert (list(bars.base), list(bars.y)) == ([0, -0.2, 0], [-0.2, 0.3, 0.1])
    assert list(bars.text) == ["−0.200", "+0.300", "+0.100"]
    assert list(bars.customdata) == ["relevant_dropped", "relevant_gained", "total"]
    assert list(bars.marker.line.width) == [0, 3, 0]
    assert "5 queries" in bars.hovertext[1]


def test_two_lists_are_joined_where_a_document_stands_in_both() -> None:
    """A line per shared document, by whether its move helps; new, dropped and unjudged documents say so."""
    a, b = {"q": ["x", "y", "z", "only a"]}, {"q": ["y", "x", "z", '<b>"new"</b>']}
    grades = rd.read_judgments({"q": {"x": 0, "y": 2, "z": 1}})
    comparison = rd.compare(rd.read_run(a, name="old"), rd.read_run(b, name="<i>new</i>"), grades)
    figure = charts.lists_chart(query_lists(comparison, "q"), "NDCG@10")
    helps, hurts, neither, judged, unjudged, ranks, marks, titles, moves = figure.data
    assert list(helps.y) == [1, 2, None, 2, 1, None]
    assert list(hurts.y) == []
    assert list(neither.y) == [3, 3, None]
    assert helps.line.color == style.WIN
    assert hurts.line.dash == "dash"
    assert list(ranks.text) == ["1", "2", "3", "4"] * 2
    assert list(marks.text) == ["0", "2", "1", "?", "2", "0", "1", "?"]
    assert titles.text[-1] == '&lt;b&gt;"new"&lt;/b&gt;'
    assert list(moves.text) == [
        "+ to 2", "+ to 1", "same", "dropped", "+ from 2", "+ from 1", "same", "new",
    ]  # fmt: skip
    assert "&lt;i&gt;new&lt;/i&gt;" in figure.layout.annotations[1].text
    assert judged.line.dash == "solid"
    assert [judged.y.count(rank - 0.4) for rank in (1, 2, 3, 4)] == [6, 6, 6, 0]
    assert unjudged.line.dash == "dash"
    assert [unjudged.y.count(rank - 0.4) for rank in (1, 2, 3, 4)] == [0, 0, 0, 6]


def test_ties_and_repeated_documents_are_marked() -> None:
    """Equal scores are tied, and a document that the file holds twice for a query is repeated."""
    run = rd.read_run(b"query_id,doc_id,score\nq,x,2\nq,y,2\nq,z,1\nq,z,0\n")
    comparison = rd.compare(run, run, rd.read_judgments({"q": {"x": 1}}))
    moves = charts.lists_chart(query_lists(comparison, "q"), "m").data[-1]
    assert list(moves.text)[:3] == ["tied · same", "tied · same", "repeated · same"]


def test_an_empty_list_says_that_nothing_was_returned() -> None:
    """B has no list for the query."""
    a, b = rd.read_run({"q": ["x"], "r": ["x"]}), rd.read_run({"r": ["x"]})
    comparison = rd.compare(a, b, rd.read_judgments({"q": {"x": 1}, "r": {"x": 1}}))
    figure = charts.lists_chart(query_lists(comparison, "q"), "m")
    assert words.NOTHING_RETURNED in [note.text for note in figure.layout.annotations]


def test_the_discount_is_drawn_beside_two_other_weights() -> None:
    """Three lines from 1 on, told apart by dashes."""
    lines = charts.discount_chart(weights(5)).data
    assert [line.y[0] for line in lines] == [1, 1, 1]
    assert lines[0].y[2] == pytest.approx(0.5)
    assert len({line.line.dash for line in lines}) == 3


def test_plotly_takes_every_value_of_every_figure(found: Viewed, comparison: rd.Comparison) -> None:
    """Figures are made without plotly's own check of each value, so the check is made here."""
    first = found.changes.query_ids[0]
    steps = [Step("relevant_gained", 0.0, 0.2, 0.2, 3), Step("total", 0.0, 0.2, 0.2, 5)]
    for figure in (
        charts.delta_chart(found.changes, "NDCG@10", 0),
        charts.delta_chart(found.only(np.arange(3)).changes, "NDCG@10"),
        charts.interval_chart(comparison),
        charts.scatter_chart(found, "NDCG@10", first),
        charts.churn_chart(found, "NDCG@10", first),
        charts.curve_chart(Curve((1, 3, 10), (0.1, 0.2, 0.3), (0.2, 0.3, None)), "NDCG", 3),
        charts.waterfall_chart(steps, "relevant_gained"),
        charts.lists_chart(query_lists(comparison, first), "NDCG@10"),
    ):
        assert len(go.Figure(figure.to_dict()).data) == len(figure.data)


def test_grades_that_differ_look_different() -> None:
    """The higher the grade, the larger and darker its square; 0 and unjudged are empty."""
    run = rd.read_run({"q": ["a", "b", "c", "d", "e"]})
    comparison = rd.compare(run, run, rd.read_judgments({"q": {"a": 3, "b": 2, "c": 1, "d": 0}}))
    (marks,) = (trace for trace in charts.lists_chart(query_lists(comparison, "q"), "m").data if trace.name == "grades")
    looks = list(zip(marks.marker.color, marks.marker.size, strict=True))[:5]
    assert len(set(looks[:4])) == 4
    assert looks[3] == looks[4]
    assert [size for _, size in looks[:4]] == sorted((size for _, size in looks[:4]), reverse=True)
