"""Edited queries ranked alone, and the rest kept: nothing may differ from ranking everything again."""

from __future__ import annotations

from dataclasses import fields

import numpy as np
import pytest

import rankdash as rd
from rankdash.comparison import compare_joined, rejoin
from rankdash.edits import apply
from rankdash.judged import Order
from tests.edits.made_edits import random_edits, random_tables


@pytest.mark.parametrize("seed", range(12))
def test_a_spliced_ranking_is_the_one_made_anew(seed: int) -> None:
    """After edits of every kind each array is equal, and so is every number of the comparison."""
    rng = np.random.default_rng(seed)
    a, b, grades = random_tables(rng, ties=True)
    order = Order()
    base = rd.join(a, b, grades, depth=10)
    base.both(order)
    edits = random_edits(rng, int(rng.integers(1, 9)))
    edited = apply(edits, a, b, grades)
    quick = rejoin(base, edited.a, edited.b, edited.judgments, [edit.query_id for edit in edits], depth=10)
    anew = rd.join(edited.a, edited.b, edited.judgments, depth=10)
    assert quick.rankings["a"].made
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
