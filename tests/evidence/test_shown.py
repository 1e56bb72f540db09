"""The documents that two models show, and sums over queries."""

from __future__ import annotations

import math

import numpy as np
import pytest

from rankdash.evidence.bootstrap import bootstrap
from rankdash.evidence.documents.shown import (
    ABSENT,
    Documents,
    discounts,
    in_top,
    mean_over,
    over_ideal,
    per_query,
)
from rankdash.evidence.expertise import expertise
from rankdash.evidence.significance_tests import permutation, sign_test, wilcoxon

RANKS = np.array([0, 1, 2, 3, 4])


def test_rank_0_is_no_rank() -> None:
    """It says that a list does not hold the document: never among the first, and without a discount."""
    assert ABSENT == 0
    assert in_top(RANKS, 3).tolist() == [False, True, True, True, False]
    assert discounts(RANKS, 3).tolist() == pytest.approx([0, 1, 1 / math.log2(3), 0.5, 0])


def test_a_move_is_the_discount_gained() -> None:
    """From A to B, within the first k; a document is shown where one of them has it there."""
    ranks = {"rank_a": np.array([1, 0, 5]), "rank_b": np.array([3, 2, 6])}
    rest = {name: np.zeros(3, np.int64) for name in ("query", "condensed_a", "condensed_b")}
    documents = Documents(**rest, **ranks, gain=np.zeros(3), judged=np.ones(3, bool))
    assert documents.moves(3).tolist() == pytest.approx([0.5 - 1, 1 / math.log2(3), 0])
    assert documents.shown(3).tolist() == [True, True, False]
    assert documents.shown(5).tolist() == [True, True, True]


def test_sums_and_means_over_queries() -> None:
    """Every query has a sum, also without documents; nothing ideal makes 0; no query makes a mean of 0."""
    assert per_query(np.array([0, 2, 2]), np.array([1.0, 2.0, 3.0]), 4).tolist() == [1, 0, 5, 0]
    assert per_query(np.array([], int), np.array([]), 2).dtype == np.float64
    assert over_ideal(np.array([1.0, 2.0]), np.array([2.0, 0.0])).tolist() == [0.5, 0]
    assert mean_over(np.array([]), None) == 0
    assert mean_over(np.array([1.0, 2.0]), None) == 1.5
    assert mean_over(np.array([1.0, 2.0]), [3, 1]) == 1.25


def test_experts_see_every_test_of_the_same_differences() -> None:
    """Each is the test of its name, with the seed that was asked for; what is not a number is left out."""
    delta = np.round(np.random.default_rng(1).normal(0.02, 0.1, 40), 3)
    delta[:5] = 0
    found = expertise(np.append(delta, np.nan), seed=3)
    assert found.permutation == permutation(delta, seed=3)
    assert found.bootstrap == bootstrap(delta, seed=3)
    assert found.wilcoxon == wilcoxon(delta, "wilcox")
    assert found.pratt == wilcoxon(delta, "pratt")
    assert found.sign_p == sign_test(delta)
    assert expertise(delta).permutation.seed == 0


def test_a_cutoff_beyond_every_list_costs_nothing() -> None:
    """The discounts under a cutoff of a billion are those under the depth of the lists."""
    rank = np.array([0, 1, 3, 7])
    assert discounts(rank, 10**9).tolist() == discounts(rank, 7).tolist()
