"""Two runs in order against one set of judgments."""

from __future__ import annotations

import pytest

import rankdash as rd
from rankdash.comparison import joined as module
from rankdash.comparison import rejoin
from rankdash.comparison.joined import SIDES
from rankdash.judged import Order
from tests.made import judgments, run

A = {"q1": ["d1", "d2", "d3"], "q2": ["d4"]}
B = {"q1": ["d2", "d1"], "q2": ["d4", "d5"]}
GRADES = {"q1": {"d1": 1, "d3": 2}, "q2": {"d4": 1}}


def test_long_runs_are_put_in_order_side_by_side(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two threads give what one gives: the lists of A first, then those of B."""
    one_after_the_other = rd.join(run(A), run(B), judgments(GRADES)).both(Order())
    monkeypatch.setattr(module, "PARALLEL_ROWS", 6)
    side_by_side = rd.join(run(A), run(B), judgments(GRADES)).both(Order())
    for mine, other in zip(side_by_side, one_after_the_other, strict=True):
        assert mine.top_row.tolist() == other.top_row.tolist()
        assert mine.lists.rank.tolist() == other.lists.rank.tolist()


def test_runs_without_a_grade_cannot_be_compared() -> None:
    """The message names both runs, by their files where they have one."""
    with pytest.raises(rd.ComparisonError) as error:
        rd.join(run(A, "old"), run(B, "new"), None)
    assert str(error.value) == (
        'There are no judgments: neither a judgments file nor a column "relevance" in old or new.'
    )


def test_an_edit_puts_only_the_edited_queries_in_order() -> None:
    """What was put in order before is taken over, in every order of ties that there was; else all is made anew."""
    base = rd.join(run(A), run(B), judgments(GRADES))
    orders = {Order(), Order("docid_asc")}
    for order in orders:
        for side in SIDES:
            base.rankings[side].keep(order, base.rankings[side].ranked(order))
    grades = judgments({**GRADES, "q2": {"d4": 2}})
    for side in SIDES:
        assert rejoin(base, run(A), run(B), grades, ["q2"]).rankings[side].made.keys() == orders
        assert rejoin(base, run(A), run(B), grades, iter(["q2"])).rankings[side].made.keys() == orders
        unknown = judgments({**GRADES, "q3": {"d4": 2}})
        for joined in (
            rejoin(base, run(A), run(B), grades, []),
            rejoin(base, run(A), run(B), unknown, ["q3"]),
            rejoin(base, run(A), run(B), judgments({"q2": GRADES["q2"], "q1": GRADES["q1"]}), ["q2"]),
            rejoin(base, run(A), run(B), grades, ["q2"], depth=1),
        ):
            assert not joined.rankings[side].made


def test_ten_first_ranks_are_kept_if_nothing_else_is_asked() -> None:
    """Of lists of twelve documents join and rejoin keep ten by row, of shorter lists no more than they have."""
    long, short = run({"q1": [f"d{i}" for i in range(12)]}), run({"q1": ["d1", "d2"], "q2": ["d1"]})
    base = rd.join(long, short, judgments(GRADES))
    assert base.depth == rejoin(base, long, short, judgments(GRADES), ["q1"]).depth == 10
    assert rd.join(short, short, judgments(GRADES)).depth == 2
    assert rd.join(short, long, judgments(GRADES), depth=50).depth == 12
