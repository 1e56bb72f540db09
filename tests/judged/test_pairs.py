"""Two runs list by list: which lists are the same, and which documents both hold."""

from __future__ import annotations

import numpy as np
import pytest

import rankdash as rd
from rankdash import arrow
from rankdash.judged import Order, list_pair, pooled, same_lists
from tests.made import judgments, run

POOL = pooled(judgments({"q1": {"d1": 1}, "q2": {"d1": 1}}))
LISTS = {"q1": ["d1", "d2", "d3"], "q2": ["d4", "d5"]}


@pytest.mark.parametrize(
    ("other", "same"),
    {
        "in another order of queries": ({"q2": ["d4", "d5"], "q1": ["d1", "d2", "d3"]}, True),
        "with a query that nobody judged": ({**LISTS, "q3": ["d1"]}, True),
        "with a query first that nobody judged": ({"q3": ["d1"], **LISTS}, True),
        "with the last document another one": ({**LISTS, "q1": ["d1", "d2", "d9"]}, False),
        "with two documents exchanged": ({**LISTS, "q2": ["d5", "d4"]}, False),
        "with a document less": ({**LISTS, "q1": ["d1", "d2"]}, False),
        "without a query": ({"q1": ["d1", "d2", "d3"]}, False),
        "with the lists exchanged": ({"q1": ["d4", "d5"], "q2": ["d1", "d2", "d3"]}, False),
        "with as many documents otherwise spread": ({"q1": ["d1", "d2"], "q2": ["d3", "d4", "d5"]}, False),
    }.values(),
)
def test_lists_are_the_same_where_every_judged_query_has_the_same(other: dict[str, list[str]], same: bool) -> None:
    """Documents and their order count; the order of the queries and queries without judgments do not."""
    expected = [other.get(query) == LISTS[query] for query in ("q1", "q2")]
    assert all(expected) is same
    assert same_lists(run(LISTS), run(other), POOL, Order()).tolist() == expected
    assert same_lists(run(other), run(LISTS), POOL, Order()).tolist() == expected


def test_lists_outside_the_queries_asked_about_are_not_looked_at() -> None:
    """They count as not the same, and only the lists of the queries asked about are put in order."""
    other = {**LISTS, "q1": ["d1", "d2", "d9"], "q3": ["d1"]}
    for among in ([True, True], [True, False], [False, True], [False, False]):
        found = same_lists(run(LISTS), run(other), POOL, Order(), np.array(among))
        assert found.tolist() == [False, among[1]]


def test_the_same_list_for_another_query_is_another_list() -> None:
    """Documents are those of a query."""
    assert not same_lists(run({"q1": ["d1", "d2"]}), run({"q2": ["d1", "d2"]}), POOL, Order()).any()


def test_rows_of_a_query_may_stand_apart() -> None:
    """Lists whose rows are mixed with those of others are the same lists, however long."""
    docs = [f"d{i:03}" for i in range(60)]
    sorted_rows = [(query, doc, float(-i)) for query in ("q1", "q2") for i, doc in enumerate(docs)]
    mixed_rows = [(query, doc, float(-i)) for i, doc in enumerate(docs) for query in ("q2", "q1")]
    assert same_lists(rd.read_run(sorted_rows), rd.read_run(mixed_rows), POOL, Order()).all()


def test_a_pair_holds_what_a_dict_says_in_the_order_of_the_queries_asked_for() -> None:
    """Queries in any order, some of one run alone, some of none: common documents by query, with their ranks."""
    rng = np.random.default_rng(5)
    docs = [f"d{i:02}" for i in range(50)]
    a = {f"q{i}": list(rng.permutation(docs)[:40]) for i in (0, 1, 2, 3)}
    b = {f"q{i}": list(rng.permutation(docs)[:30]) for i in (3, 1, 4, 0)}
    asked = ["q4", "q3", "nobody", "q0", "q2"]
    pair = list_pair(run(a), run(b), arrow.from_strings(asked), Order())
    assert pair.length_a.tolist() == [0, 40, 0, 40, 40]
    assert pair.length_b.tolist() == [30, 30, 0, 30, 0]
    assert (np.diff(pair.query) >= 0).all()
    expected = {
        (asked.index(query), a[query].index(doc) + 1, b[query].index(doc) + 1)
        for query in ("q3", "q0")
        for doc in {*a[query]} & {*b[query]}
    }
    assert set(zip(pair.query.tolist(), pair.rank_a.tolist(), pair.rank_b.tolist(), strict=True)) == expected
    assert (pair.tie_a.tolist(), pair.tie_b.tolist()) == (pair.rank_a.tolist(), pair.rank_b.tolist())
    assert len(pair.query) == len(expected)
