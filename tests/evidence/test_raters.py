"""Rows of votes -> labels, agreement, sides."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import permutations
from typing import Any

import numpy as np
import pytest

from rankdash.evidence.raters import cluster, krippendorff, rated
from tests.evidence.cases import CASES, all_close, close, of


def rows(case: dict[str, Any]) -> tuple[list[str], list[int], list[int]]:
    """Query names, the query of each row and its vote."""
    names = list(dict.fromkeys(query for query, _ in case["rows"]))
    return names, [names.index(query) for query, _ in case["rows"]], [vote for _, vote in case["rows"]]


@pytest.mark.parametrize("case", of("cluster_gsb_cases"))
def test_the_headline_counts_one_label_per_query(case: dict[str, Any]) -> None:
    """The strict majority of each query, its counts and its interval equal the reference."""
    names, query, vote = rows(case)
    found, expected = rated(query, vote), case["expected"]["majority"]
    assert dict(zip(names, found.labels.tolist(), strict=True)) == expected["labels"]
    table = found.gsb
    assert [table.good, table.same, table.bad] == [expected[name] for name in ("good", "same", "bad")]
    assert close(table.delta, expected["delta_gsb"])
    assert all_close(table.ci95, expected["tango_score95"])
    assert all_close(table.ci90, expected["tango_score90"])
    assert close(table.p, expected["sign_midp"])


@pytest.mark.parametrize("case", of("cluster_gsb_cases"))
def test_pooled_rows_have_a_cluster_interval(case: dict[str, Any]) -> None:
    """Pooled ΔGSB, cluster and naive standard error, interval and design effect equal the reference."""
    _, query, vote = rows(case)
    found, expected = cluster(query, vote), case["expected"]["pooled"]
    counts = ("n_labels", "n_queries", "good", "same", "bad")
    assert [found.rows, found.queries, found.good, found.same, found.bad] == [expected[name] for name in counts]
    numbers = (found.delta, found.se, found.se_naive, found.design_effect)
    names = ("delta_gsb", "se_cluster", "se_naive_ignoring_clusters", "design_effect")
    assert all_close(numbers, [expected[name] for name in names])
    assert all_close(found.ci95, expected["ci95_cluster_t"])


def test_agreement_is_that_of_the_reference() -> None:
    """Krippendorff's nominal alpha of twelve queries by three raters."""
    ratings = CASES["rater_agreement"]["ratings"]
    query = np.repeat(np.arange(len(ratings)), 3)
    assert close(krippendorff(query, np.ravel(ratings)), CASES["rater_agreement"]["krippendorff_alpha_nominal"])


def fleiss_kappa(ratings: Sequence[Sequence[int]]) -> float:
    """Fleiss' kappa, written from its definition, as a referee."""
    table = np.array([[row.count(label) for label in (-1, 0, 1)] for row in map(list, ratings)], float)
    n = table[0].sum()
    observed = ((table**2).sum(axis=1) - n) / (n * (n - 1))
    expected = ((table.sum(axis=0) / table.sum()) ** 2).sum()
    return float((observed.mean() - expected) / (1 - expected))


def cohen_kappa(first: Sequence[int], second: Sequence[int]) -> float:
    """Cohen's kappa of two raters, written from its definition, as a referee."""
    a, b = np.array(first), np.array(second)
    expected = sum((a == label).mean() * (b == label).mean() for label in (-1, 0, 1))
    return float(((a == b).mean() - expected) / (1 - expected))


def test_agreement_stands_beside_fleiss_and_cohen() -> None:
    """The referees give the reference's numbers, and with n ratings alpha is Fleiss corrected by 1/n."""
    expected = CASES["rater_agreement"]
    ratings = expected["ratings"]
    kappa = fleiss_kappa(ratings)
    assert close(kappa, expected["fleiss_kappa"])
    assert close(cohen_kappa([r[0] for r in ratings], [r[1] for r in ratings]), expected["cohen_kappa_r1_r2"])
    alpha = krippendorff(np.repeat(np.arange(len(ratings)), 3), np.ravel(ratings))
    assert close(alpha, kappa + (1 - kappa) / np.size(ratings))


@pytest.mark.parametrize(
    ("query", "vote"),
    [([0, 0, 1, 1], [1, 1, 1, 1]), ([0, 1, 2], [1, 0, -1]), ([], [])],
    ids=["one label", "one row", "none"],
)
def test_agreement_is_undefined_where_nobody_could_disagree(query: list[int], vote: list[int]) -> None:
    """With one label only, or one row per query, there is no alpha, so it blocks nothing."""
    assert krippendorff(query, vote) is None


def test_the_order_of_rows_changes_nothing() -> None:
    """Votes in any order give the same labels, intervals and agreement."""
    query, vote, rater = np.array([4, 4, 4, 9, 9]), np.array([1, -1, 1, 0, 1]), np.array([1, 2, 3, 1, 2])
    first = rated(query, vote, rater=rater)
    for order in permutations(range(5)):
        at = list(order)
        again = rated(query[at], vote[at], rater=rater[at])
        assert again.labels.tolist() == first.labels.tolist()
        assert (again.gsb, again.pooled, again.raters) == (first.gsb, first.pooled, first.raters)
        assert close(again.alpha, first.alpha)


def test_half_is_no_majority() -> None:
    """One of two votes for B is same; a single vote counts; strength does not, only the side."""
    assert rated([0, 0, 1, 2, 2, 2], [1, 0, -1, 3, 0.5, -2]).labels.tolist() == [0, -1, 1]


def test_a_rater_who_votes_twice_is_one_rater() -> None:
    """The number of raters of a query counts people, not rows."""
    assert rated([0, 0, 0], [1, 1, 0], rater=[5, 5, 6]).raters == 2
    assert rated([0, 0, 0], [1, 1, 0]).raters == 3


def test_sides_are_tested_exactly() -> None:
    """B on the left in 5 of 6 rows has p = 14/64; in 20 of 20 it is below one in a thousand; unknown stays unknown."""
    assert close(rated([0] * 6, [1] * 6, b_left=[True] * 5 + [False]).side_p, 14 / 64)
    lopsided = rated(range(20), [1] * 20, b_left=[True] * 20).side_p
    assert lopsided is not None
    assert lopsided < 0.001
    assert rated([0], [1]).side_p is None


def test_one_query_has_no_cluster_interval() -> None:
    """All rows on one query say nothing about other queries."""
    found = cluster([3, 3, 3], [1, 1, -1])
    assert close(found.delta, 1 / 3)
    assert found.ci95 is None
