"""Rows of votes -> labels, agreement, sides."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import permutations
from typing import Any

import numpy as np
import pytest

from rankdash.evidence.votes.raters import Rated, cluster, krippendorff, rated
from rankdash.evidence.votes.sides import UNKNOWN
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


SIDE = {"B": 1, "A": -1, None: 0}


def of_sides(case: dict[str, Any]) -> Rated:
    """What the rows of a case about sides say."""
    queries, raters = (sorted({row[at] for row in case["rows"]}) for at in (0, 3))
    return rated(
        [queries.index(row[0]) for row in case["rows"]],
        [row[1] for row in case["rows"]],
        rater=[raters.index(row[3]) for row in case["rows"]],
        left=[SIDE[row[2]] for row in case["rows"]],
    )


@pytest.mark.parametrize("case", of("policy_cases", "side_cases"))
def test_sides_are_averaged_as_the_reference_does(case: dict[str, Any]) -> None:
    """ΔGSB at a balanced side, its intervals, the effect of the side and the counts are those of the reference."""
    found, expected = of_sides(case), case["expected"]
    table, side = found.gsb, found.side
    counts = (len(found.query), found.repeated, found.raters, table.good, table.same, table.bad)
    assert counts == tuple(expected[name] for name in ("queries", "repeated", "raters", "good", "same", "bad"))
    names = sorted({row[0] for row in case["rows"]})
    assert dict(zip(names, found.labels.tolist(), strict=True)) == expected["labels"]
    numbers = (side.left, side.n, side.effect, side.se, side.lower95, side.upper95, side.p, table.delta)
    wanted = ("left", "n_side", "side_effect", "side_se", "side_lower95", "side_upper95", "side_effect_p", "delta")
    assert all_close(numbers, [expected[name] for name in wanted])
    low, high = table.ci95 or (None, None)
    lower90 = None if table.ci90 is None else table.ci90[0]
    assert all_close((low, high, lower90), [expected[name] for name in ("lower95", "upper95", "lower90")])
    if side.n is not None:
        assert all_close((side.good, side.bad), (expected["share_good"], expected["share_bad"]))
    pooled = expected["pooled"]
    assert close(found.pooled.delta, pooled["delta"])
    assert all_close(found.pooled.ci95, (pooled["lower95"], pooled["upper95"]))


def test_one_vote_per_query_is_averaged_over_both_sides() -> None:
    """With one vote per query the shares are the means of those with B on the left and those with B on the right."""
    random = np.random.default_rng(3)
    for _ in range(50):
        n = int(random.integers(4, 60))
        left, vote = random.choice((-1, 1), n), random.integers(-1, 2, n)
        if len(set(left.tolist())) < 2:
            continue
        side = rated(np.arange(n), vote, left=left).side
        for sign, share in ((1, side.good), (-1, side.bad)):
            assert close(share, float(np.mean([(vote[left == at] == sign).mean() for at in (-1, 1)])))


def test_a_rater_counts_once_per_query() -> None:
    """The last vote of a rater on a query counts, earlier ones are counted as repeated; an unknown rater is another."""
    found = rated([0, 0, 0, 1], [1, 1, -1, 1], rater=[5, 6, 5, 5])
    assert (found.repeated, found.labels.tolist(), found.raters) == (1, [0, 1], 2)
    assert rated([0, 0, 0], [1, 1, -1], rater=[-1, -1, -1]).repeated == 0
    assert rated([0, 0], [1, -1], rater=[5, 5], about=[1, 2]).repeated == 0


def test_sides_that_nobody_recorded_change_nothing() -> None:
    """Without a side, or with none known, ΔGSB is the plain one and no effect is claimed."""
    assert rated([0, 1], [1, -1]).side == UNKNOWN
    assert rated([0, 1], [1, -1], left=[0, 0]).side == UNKNOWN


def test_one_query_has_no_cluster_interval() -> None:
    """All rows on one query say nothing about other queries."""
    found = cluster([3, 3, 3], [1, 1, -1])
    assert close(found.delta, 1 / 3)
    assert found.ci95 is None


def test_the_pooled_interval_that_is_shown_is_possible() -> None:
    """Its ends lie in [-1, 1]; where it would leave out no value of them, none can be drawn."""
    assert cluster([1, 1, 2, 2], [1, 1, -1, -1]).possible95 is None
    wide = cluster([1, 2, 3, 4, 5, 6, 7, 8], [1, 1, 1, 1, 1, 1, 1, -1])
    assert wide.ci95[1] > 1
    assert wide.possible95 == (wide.ci95[0], 1.0)
    narrow = cluster(list(range(40)), [1, -1, 0, 0] * 10)
    assert narrow.possible95 == narrow.ci95
