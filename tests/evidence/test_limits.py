"""Where evidence ends: no queries, one query, nothing to weigh, and labels that decide which queries count."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from rankdash.evidence.bootstrap import bootstrap
from rankdash.evidence.distributions import coin_at_most, coin_two_sided
from rankdash.evidence.documents.worklist import LabelBounds
from rankdash.evidence.paired import paired
from rankdash.evidence.significance_tests import against_margin, permutation, wilcoxon
from rankdash.evidence.votes.gsb import Gsb, gsb
from rankdash.evidence.votes.ratio import cluster


@pytest.mark.parametrize("seed", range(12))
def test_labels_move_the_mean_as_far_as_the_best_choice_of_queries(seed: int) -> None:
    """Over every choice of the queries that may count or not: the smallest and the largest weighted mean."""
    random = np.random.default_rng(seed)
    n = 7
    least = np.round(random.normal(0, 0.3, n), 2)
    most = least + np.round(random.uniform(0, 0.3, n), 2)
    least[0] = most[0] = np.nan
    free = random.random(n) < (0.5, 1.0)[seed % 2]
    weight = np.where(random.random(n) < 0.3, 0.0, np.round(random.uniform(0.5, 3, n), 1))
    means: list[list[float]] = [[], []]
    for chosen in product([False, True], repeat=n):
        taken = np.array(chosen)
        if (taken | free)[1:].all() and not taken[0] and (weight * taken).sum() > 0:
            for found, values in zip(means, (least, most), strict=True):
                found.append(float((weight * np.nan_to_num(values))[taken].sum() / weight[taken].sum()))
    bounds = LabelBounds(least, most, free).means(weight)
    expected = (min(means[0]), max(means[1])) if means[0] else None
    assert bounds == (None if expected is None else pytest.approx(expected))


def test_without_weights_every_query_counts_the_same() -> None:
    """And where no labels give any query a value there is no mean."""
    nothing, one = np.array([np.nan]), np.array([0.5])
    assert LabelBounds(nothing, nothing, np.array([True])).means() is None
    assert LabelBounds(np.array([0.0, 1.0]), np.array([0.5, 1.0]), np.zeros(2, bool)).means() == (0.5, 0.75)
    assert LabelBounds(one, one, np.array([False])).means([0.0]) is None


def test_a_coin_is_never_surer_than_certain() -> None:
    """P(X <= k) from below 0 heads to more than all; two-sided at most 1."""
    assert [coin_at_most(k, 3) for k in (-1, 0, 1, 3, 5)] == [0.0, 1 / 8, 1 / 2, 1.0, 1.0]
    assert [coin_two_sided(k, 3) for k in (0, 1, 3)] == [1 / 4, 1.0, 1 / 4]
    assert coin_two_sided(0, 0) == 1.0


def test_results_carry_how_they_were_made() -> None:
    """Seed, draws, and the treatment of zeros stand in the result, also where there is nothing to test."""
    delta = [0.1, -0.05, 0.2, 0.15]
    assert (bootstrap(delta, draws=50, seed=4).seed, bootstrap(delta, draws=50, seed=4).draws) == (4, 50)
    assert (bootstrap([0.1], draws=50, seed=4).seed, bootstrap([0.1], draws=50, seed=4).draws) == (4, 50)
    assert (wilcoxon(delta).zero_method, wilcoxon(delta, "pratt").zero_method) == ("wilcox", "pratt")
    ties = permutation([0.0, 0.0])
    assert (ties.p, ties.method, ties.changed, ties.draws, ties.seed) == (1.0, "all_ties", 0, None, None)
    assert (ties.floor, permutation(delta).floor) == (1.0, 2 / 2**4)


def test_weighted_scores_have_weighted_means() -> None:
    """Both means, their difference and the plain one beside it; a relative change where A is not 0."""
    found = paired([0.2, 0.4], [0.5, 0.3], weights=[3, 1])
    assert found.mean_a == pytest.approx(0.25)
    assert found.mean_b == pytest.approx(0.45)
    assert found.delta == pytest.approx(0.2)
    assert found.delta_unweighted == pytest.approx(0.1)
    assert found.relative == pytest.approx(0.8)
    assert found.n_eff == pytest.approx(16 / 10)
    assert paired([0.0, 0.0], [0.5, 0.3]).relative is None
    assert paired([np.nan], [1.0]) == paired([1.0, 2.0], [np.nan, np.nan], weights=[1, 1]).__class__(
        0, 1, 0.0, 0, 0, 0, 0
    )


def test_margins_without_an_interval_say_nothing() -> None:
    """One query has no t; at 5% exactly nothing is ruled out."""
    alone = against_margin(paired([0.1], [0.2]), 0.05)
    assert (alone.p_lower, alone.p_upper, alone.p, alone.not_inferior) == (None, None, None, None)


def test_no_votes_are_counted_as_none() -> None:
    """Counts of 0 everywhere, and no share, interval or test of them."""
    assert gsb(0, 0, 0) == Gsb(0, 0, 0)
    nobody = cluster(np.array([], int), np.array([], int))
    assert (nobody.delta, nobody.ci95) == (None, None)
    assert [getattr(nobody, name) for name in ("rows", "queries", "good", "same", "bad")] == [0] * 5
    alone = cluster(np.array([0, 0]), np.array([1, 0]))
    assert [getattr(alone, name) for name in ("rows", "queries", "good", "same", "bad")] == [2, 1, 1, 1, 0]
