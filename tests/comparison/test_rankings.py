"""Two runs in order against one set of judgments."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

import pytest

import rankdash as rd
from rankdash.judged import Order, RankedRun
from rankdash.scoring import compare_joined, rankings
from tests.made import judgments, run

A = {"q1": [["d1", 2.0], ["d2", 2.0], ["d3", 1.0]], "q2": [["d4", 1.0]]}
B = {"q1": [["d2", 1.0], ["d1", 1.0]], "q2": [["d4", 2.0], ["d5", 1.0]]}
GRADES = {"q1": {"d1": 1, "d3": 2}, "q2": {"d4": 1}}


def test_long_runs_are_put_in_order_side_by_side(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two threads give what one gives: the lists of A first, then those of B."""
    one_after_the_other = rd.join(run(A), run(B), judgments(GRADES)).both(Order())
    monkeypatch.setattr(rankings, "PARALLEL_ROWS", 6)
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


def rows_put_in_order(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Grows by the rows of each run that is put in order from here on."""
    rows: list[int] = []

    def counted(made: Callable[..., RankedRun]) -> Callable[..., RankedRun]:
        def ranked(run: rd.Run, *others: Any) -> RankedRun:
            rows.append(len(run.table))
            return made(run, *others)

        return ranked

    for module in (rankings, sys.modules["rankdash.judged.ranked"]):
        monkeypatch.setattr(module, "ranked", counted(module.ranked))
    return rows


ORDERS = (Order(), Order("docid_asc"), Order("input_order", "float32"))


def test_an_edit_puts_only_the_edited_queries_in_order(monkeypatch: pytest.MonkeyPatch) -> None:
    """In every order of ties that was asked for before the edit: the rows of q2 as they were and as they are now."""
    base = rd.join(run(A), run(B), judgments(GRADES))
    for order in ORDERS:
        base.both(order)
    rows, grades = rows_put_in_order(monkeypatch), judgments({**GRADES, "q2": {"d4": 2}})
    for named in (["q2"], iter(["q2"])):
        edited = base.edited(run(A), run(B), grades, named)
        for order in ORDERS:
            edited.both(order)
    assert set(rows) == {1, 2}


@pytest.mark.parametrize(
    ("grades", "named", "depth"),
    {
        "no query is named": (GRADES, [], 10),
        "another query is judged": ({**GRADES, "q3": {"d4": 2}}, ["q3"], 10),
        "in another order of queries": ({"q2": GRADES["q2"], "q1": GRADES["q1"]}, ["q2"], 10),
        "lists are kept less deep": (GRADES, ["q2"], 1),
    }.values(),
)
def test_after_other_changes_everything_is_put_in_order(
    monkeypatch: pytest.MonkeyPatch, grades: dict[str, dict[str, int]], named: list[str], depth: int
) -> None:
    """Where the edit changes more than the lists of the named queries nothing of what was before can be used."""
    base = rd.join(run(A), run(B), judgments(GRADES))
    base.both(Order())
    rows = rows_put_in_order(monkeypatch)
    base.edited(run(A), run(B), judgments(grades), named, depth=depth).both(Order())
    assert rows == [4, 4]


def test_a_run_that_an_edit_leaves_alone_shares_its_rankings() -> None:
    """An edited list of A takes no memory for B; an edited grade is one of both."""
    a, b, grades = run(A), run(B).renamed("other"), judgments(GRADES)
    base = rd.join(a, b, grades)
    moved = base.edited(run({**A, "q1": [["d3", 3.0], ["d1", 2.0], ["d2", 1.0]]}), b, grades, ["q1"])
    assert moved.by_side["b"] is base.by_side["b"]
    assert moved.by_side["a"] is not base.by_side["a"]
    anew = rd.join(moved.a, b, grades)
    for mine, other in zip(moved.both(Order()), anew.both(Order()), strict=True):
        assert mine.top_row.tolist() == other.top_row.tolist()
        assert mine.top_judgment.tolist() == other.top_judgment.tolist()
    graded = base.edited(a, b, judgments({**GRADES, "q2": {"d4": 2}}), ["q2"])
    assert not any(graded.by_side[side] is base.by_side[side] for side in ("a", "b"))


def test_an_edit_of_an_edit_is_as_quick_and_as_right(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whether the order was asked for before the first edit, after it, or never: the rankings are those made anew."""
    last = judgments({"q1": {"d1": 3, "d3": 2}, "q2": {"d4": 2}})
    base = rd.join(run(A), run(B), judgments(GRADES))
    once = base.edited(run(A), run(B), judgments({**GRADES, "q2": {"d4": 2}}), ["q2"])
    once.both(Order())
    rows = rows_put_in_order(monkeypatch)
    twice = once.edited(run(A), run(B), last, ["q1"])
    anew = rd.join(run(A), run(B), last)
    for order in ORDERS:
        for mine, other in zip(twice.both(order), anew.both(order), strict=True):
            assert mine.lists.relevance.tolist() == other.lists.relevance.tolist()
            assert mine.top_judgment.tolist() == other.top_judgment.tolist()
    assert max(rows) == 4
    assert base.by_side["a"].is_quick(Order())
    assert not rd.join(run(A), run(B), last).by_side["a"].is_quick(Order())


def test_a_cutoff_beyond_the_ranks_that_are_kept_is_no_other_comparison() -> None:
    """Runs that were joined for a smaller cutoff are put in order again: counts of the first k are those of compare."""
    long = {"q1": [f"d{i}" for i in range(9)], "q2": ["d4", "d1"]}
    other = {"q1": [f"d{i}" for i in (0, 1, 2, 3, 4, 8, 7, 6, 5)], "q2": ["d4", "d1"]}
    policy = rd.Policy(primary="nDCG@9")
    anew = rd.compare(run(long), run(other), judgments(GRADES), policy=policy)
    for depth in (1, 5, 9, 20):
        joined = rd.join(run(long), run(other), judgments(GRADES), depth=depth)
        found = compare_joined(joined, policy)
        assert found.counts == anew.counts
        assert found.delta_bounds == anew.delta_bounds
        assert (found.joined is joined) == (depth >= 9)
    assert anew.counts.affected == 1
    short = rd.join(run(A), run(B), judgments(GRADES), depth=3)
    assert short.reaching(50) is short


def test_a_tie_across_the_cutoff_counts_however_few_ranks_are_kept() -> None:
    """The document at rank k is tied with the one behind it, also where k first ranks are kept: as compare says."""
    tied = {"q1": {"d1": 3.0, "d2": 2.0, "d3": 1.0, "d4": 1.0}, "q2": {"d4": 2.0, "d1": 1.0}}
    policy = rd.Policy(primary="nDCG@3")
    for a, b in ((tied, GRADES), (GRADES, tied), (tied, tied)):
        anew = rd.compare(run(a), run(b), judgments(GRADES), policy=policy)
        assert anew.tied_share > 0
        for depth in (1, 3, 4, 20):
            found = compare_joined(rd.join(run(a), run(b), judgments(GRADES), depth=depth), policy)
            assert (found.tied_share, rd.decide(found)) == (anew.tied_share, rd.decide(anew))


def test_ten_first_ranks_are_kept_if_nothing_else_is_asked() -> None:
    """Of lists of twelve documents join and edited keep ten by row, of shorter lists no more than they have."""
    long, short = run({"q1": [f"d{i}" for i in range(12)]}), run({"q1": ["d1", "d2"], "q2": ["d1"]})
    base = rd.join(long, short, judgments(GRADES))
    assert base.depth == base.edited(long, short, judgments(GRADES), ["q1"]).depth == 10
    assert rd.join(short, short, judgments(GRADES)).depth == 2
    assert rd.join(short, long, judgments(GRADES), depth=50).depth == 12
