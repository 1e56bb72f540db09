"""The bars of good, same and bad queries, by their traces."""

from __future__ import annotations

from rankdash import charts, style
from rankdash.evidence.votes import gsb

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


def test_no_votes_at_all_draw_an_empty_bar() -> None:
    """Nothing is divided by zero queries."""
    assert [list(trace.x) for trace in charts.gsb_chart({"Votes": gsb(0, 0, 0)}).data] == [[0], [0], [0]]
