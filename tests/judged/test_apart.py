"""Judgments for one list alone: what the other list's grades are to it."""

from __future__ import annotations

import numpy as np

import rankdash as rd
from rankdash.judged import OTHER, SIDES, Order, pooled, ranked
from rankdash.judged.ranked import are_apart, own_grades, swapped_judgments, with_own
from tests.made import run

TEXT = b"query_id,doc_id,relevance,only_for\nq,a,3,A\nq,b,2,B\nq,c,1,\np,a,1,B\n"


def test_a_list_is_ranked_against_its_own_judgments_alone() -> None:
    """A grade for the other list counts neither among the hits, nor in the ideal, nor among the first ranks."""
    judgments = rd.read_judgments(TEXT)
    pool = pooled(judgments)
    found = ranked(run({"q": ["b", "a", "x", "c"], "p": ["a"]}), pool, Order(), 5)
    own = own_grades(judgments, pool, "a")
    assert are_apart(judgments)
    assert dict(zip(pool.relevance[pool.query == 0], own[pool.query == 0], strict=True)) == {3: True, 2: False, 1: True}
    alone = with_own(found, own)
    assert (alone.lists.rank.tolist(), alone.lists.relevance.tolist()) == ([2, 4], [3.0, 1.0])
    assert alone.lists.query.tolist() == alone.lists.query[:2].tolist() == [0, 0]
    assert (alone.lists.tie_first.tolist(), alone.lists.tie_last.tolist()) == ([2, 4], [2, 4])
    assert alone.lists.length.tolist() == [4, 1]
    assert alone.lists.pool.relevance.tolist() == [3.0, 1.0]
    assert pool.relevance[alone.lists.document].tolist() == [3.0, 1.0]
    grade = [[float(pool.relevance[one]) if one >= 0 else None for one in top] for top in alone.top_judgment]
    assert grade == [[None, 3.0, None, 1.0, None], [None] * 5]
    assert np.array_equal(alone.top_row, found.top_row)
    assert own_grades(judgments, pool, "b").tolist() == [one in (2, 1) for one in pool.relevance.tolist()]


def test_what_is_for_a_is_for_b_when_the_models_are_exchanged() -> None:
    """Each side becomes the other one; what is for both lists stays, and so do the grades and their order."""
    assert (SIDES, dict(OTHER)) == (("a", "b"), {"a": "b", "b": "a"})
    judgments = rd.read_judgments(TEXT)
    swapped = swapped_judgments(judgments).table
    assert judgments.table.column("only_for").to_pylist() == ["A", "B", "", "B"]
    assert swapped.column("only_for").to_pylist() == ["B", "A", "", "A"]
    assert swapped.drop_columns(["only_for"]).equals(judgments.table.drop_columns(["only_for"]))
