"""Edited queries ranked alone, and the rest kept: nothing may differ from ranking everything again."""

from __future__ import annotations

import sys
from dataclasses import fields

import numpy as np
import pytest

import rankdash as rd
from rankdash.edits import apply
from rankdash.judged import Order
from rankdash.scoring import compare_joined
from tests.edits.made_edits import random_edits, random_tables
from tests.long import every
from tests.made import judgments, run


@pytest.mark.parametrize("seed", every(4, range(12)))
def test_a_spliced_ranking_is_the_one_made_anew(seed: int) -> None:
    """After edits of every kind each array is equal, and so is every number of the comparison."""
    rng = np.random.default_rng(seed)
    a, b, grades = random_tables(rng, ties=True)
    order = Order()
    base = rd.join(a, b, grades, depth=10)
    base.both(order)
    edits = random_edits(rng, int(rng.integers(1, 9)))
    edited = apply(edits, a, b, grades)
    quick = base.edited(edited.a, edited.b, edited.judgments, [edit.query_id for edit in edits], depth=10)
    anew = rd.join(edited.a, edited.b, edited.judgments, depth=10)
    for one, other in zip(quick.both(order), anew.both(order), strict=True):
        for field in fields(one):
            if field.name == "lists":
                for axis in ("length", "query", "rank", "tie_first", "tie_last", "relevance"):
                    assert np.array_equal(getattr(one.lists, axis), getattr(other.lists, axis)), axis
            elif field.name == "findings":
                assert one.findings == other.findings
            else:
                assert np.array_equal(getattr(one, field.name), getattr(other, field.name)), field.name
    quickly, slowly = (compare_joined(joined, rd.Policy()) for joined in (quick, anew))
    assert np.array_equal(quickly.deltas, slowly.deltas, equal_nan=True)
    assert quickly.delta_bounds == slowly.delta_bounds


TABLES = (
    run({f"q{i}": [f"d{j}" for j in range(i, i + 4)] for i in range(12)}, "A"),
    run({f"q{i}": [f"d{j}" for j in range(i + 3, i - 1, -1)] for i in range(12)}, "B"),
    judgments({f"q{i}": {f"d{i}": 2, f"d{i + 2}": 1} for i in range(12)}),
)


def graded_anew(queries: list[str]) -> rd.Judgments:
    """The judgments with another grade for the first document of some queries, and one for a document without any."""
    grades = {f"q{i}": {f"d{i}": 2.0, f"d{i + 2}": 1.0} for i in range(12)}
    for query in queries:
        grades[query] = {f"d{query[1:]}": 3.0, f"d{int(query[1:]) + 1}": 1.0, **grades[query]}
    return judgments(grades)


@pytest.mark.parametrize("few", [0, 3, 100])
def test_few_and_many_edited_queries_are_found_alike(monkeypatch: pytest.MonkeyPatch, few: int) -> None:
    """However many queries are edited, and whichever way their rows are looked for, the rankings are those anew."""
    monkeypatch.setattr(sys.modules["rankdash.judged.ranked"], "_FEW", few)
    base = rd.join(*TABLES, depth=4)
    base.both(Order())
    edited = ["q11", "q3", "q4", "q7"]
    shorter = run({f"q{i}": [f"d{j}" for j in range(i, i + (2 if f"q{i}" in edited else 4))] for i in range(12)}, "A")
    quick = base.edited(shorter, TABLES[1], graded_anew(edited), edited, depth=4)
    anew = rd.join(shorter, TABLES[1], graded_anew(edited), depth=4)
    for one, other in zip(quick.both(Order()), anew.both(Order()), strict=True):
        assert one.top_row.tolist() == other.top_row.tolist()
        assert one.top_judgment.tolist() == other.top_judgment.tolist()
        assert one.lists.relevance.tolist() == other.lists.relevance.tolist()
        assert one.document.tolist() == other.document.tolist()


def test_what_an_edit_leaves_as_it_is_is_not_copied() -> None:
    """New grades move no document: the first ranks are the arrays that they were."""
    base = rd.join(*TABLES, depth=4)
    before = base.ranked("a", Order())
    after = base.edited(*TABLES[:2], graded_anew(["q3"]), ["q3"], depth=4).ranked("a", Order())
    assert after.top_row is before.top_row
    assert after.top_print is before.top_print
    assert after.top_judgment is not before.top_judgment
