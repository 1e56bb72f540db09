"""Rows of votes -> labels, agreement, sides."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import permutations
from typing import Any

import numpy as np
import pytest
from scipy import stats

from rankdash.evidence.votes.gsb import Gsb, gsb, tango
from rankdash.evidence.votes.gsb_of_votes import Rated, krippendorff, rated
from rankdash.evidence.votes.ratio import cluster
from rankdash.evidence.votes.sides import UNKNOWN
from tests.evidence.cases import CASES, all_close, close, of


def rows(case: dict[str, Any]) -> tuple[list[str], list[int], list[int]]:
    """Query names, the query of each row and its vote."""
    names = list(dict.fromkeys(query for query, _ in case["rows"]))
    return names, [names.index(query) for query, _ in case["rows"]], [vote for _, vote in case["rows"]]


@pytest.mark.parametrize("case", of("cluster_gsb_cases"))
def test_queries_are_counted_by_majority(case: dict[str, Any]) -> None:
    """The strict majority of each query, and its counts, equal the reference; ΔGSB is the mean of the mean votes."""
    names, query, vote = rows(case)
    found, expected = rated(query, vote), case["expected"]["majority"]
    assert dict(zip(names, found.labels.tolist(), strict=True)) == expected["labels"]
    table = found.gsb
    assert [table.good, table.same, table.bad] == [expected[name] for name in ("good", "same", "bad")]
    means = [np.mean([v for q, v in zip(query, vote, strict=True) if q == at]) for at in range(len(names))]
    assert close(table.delta, float(np.mean(means)))


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
        assert (again.gsb, again.people, again.raters) == (first.gsb, first.people, first.raters)
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
    names = ("queries", "repeated", "raters", "people", "decided", "good", "same", "bad")
    counts = (len(found.query), found.repeated, found.raters, found.people, found.decided, *vars_of(table))
    assert counts == tuple(expected[name] for name in names)
    queries = sorted({row[0] for row in case["rows"]})
    assert dict(zip(queries, found.labels.tolist(), strict=True)) == expected["labels"]
    numbers = (side.left, side.n, side.effect, side.se, side.lower95, side.upper95, side.p, table.delta)
    wanted = ("left", "n_side", "side_effect", "side_se", "side_lower95", "side_upper95", "side_effect_p", "delta")
    assert all_close(numbers, [expected[name] for name in wanted])
    low, high = table.ci95 or (None, None)
    ends = (low, high, None if table.ci90 is None else table.ci90[0], found.rater_lower95, found.rater_upper95)
    wanted = ("lower95", "upper95", "lower90", "rater_lower95", "rater_upper95")
    assert all_close(ends, [expected[name] for name in wanted])
    assert expected["p"] is None or close(table.p, expected["p"])


def vars_of(table: Gsb) -> tuple[int, int, int]:
    """Its counts."""
    return table.good, table.same, table.bad


@pytest.mark.parametrize("seed", range(24))
def test_mean_votes_are_a_regression_on_sides(seed: int) -> None:
    """ΔGSB, its interval, its test and the interval by rater, from the matrices of least squares."""
    random = np.random.default_rng(seed)
    n, raters = int(random.integers(6, 30)), int(random.integers(5, 9))
    per = random.integers(1, 4, n)
    query = np.repeat(np.arange(n), per)
    query = np.concatenate([query, [0]])  # at least one query with two votes
    rater = np.concatenate([random.permutation(raters)[:m] for m in per])
    rater = np.concatenate([rater, [next(r for r in range(raters) if r not in rater[: per[0]])]])
    vote = random.integers(-1, 2, len(query))
    left = random.choice([-1, 1], len(query)) if seed % 3 else None
    found = rated(query, vote, rater=rater, left=left)
    m = np.bincount(query)
    y = np.bincount(query, weights=vote) / m
    columns = [np.ones(n)] + ([] if left is None else [np.bincount(query, weights=left) / m])
    design = np.column_stack(columns)
    beta, *_ = np.linalg.lstsq(design, y, rcond=None)
    at_zero = np.linalg.pinv(design)[0]
    residual = y - design @ beta
    df = n - design.shape[1]
    se = np.sqrt(n / df * ((at_zero * residual) ** 2).sum())
    assert found.gsb.interval == "t"
    delta = float(np.clip(beta[0], -1, 1))
    assert found.gsb.delta == pytest.approx(delta, abs=1e-9)
    half = stats.t.ppf(0.975, df) * se
    assert found.gsb.ci95 == pytest.approx((max(-1, delta - half), min(1, delta + half)), abs=1e-9)
    assert found.gsb.p == pytest.approx(2 * stats.t.sf(abs(delta) / se, df), abs=1e-9)
    fit = (design @ beta)[query]
    people = sorted(set(rater.tolist()))
    adds = [sum(at_zero[q] * (v - f) / m[q] for q, v, f, r in zip(query, vote, fit, rater, strict=True) if r == one)
            for one in people]  # fmt: skip
    if len(people) < 5:
        assert found.rater_lower95 is None
        return
    half = stats.t.ppf(0.975, len(people) - 1) * np.sqrt(len(people) / (len(people) - 1) * np.square(adds).sum())
    assert (found.rater_lower95, found.rater_upper95) == pytest.approx((beta[0] - half, beta[0] + half), abs=1e-9)


def test_votes_that_never_differ_have_the_interval_of_shares() -> None:
    """Where nothing is left over, several votes per query have Tango's interval of their shares."""
    for label in (-1, 0, 1):
        found = rated([0, 0, 1, 1, 2, 2], [label] * 6, left=[1, 1, -1, 1, -1, -1]).gsb
        expected = gsb(3 * (label > 0), 3 * (label == 0), 3 * (label < 0))
        assert (found.delta, found.ci95, found.interval) == (label, pytest.approx(expected.ci95), "tango")
    assert rated([0, 0, 0], [1, 1, -1]).gsb.ci95 == pytest.approx(tango(2 / 3, 0.0, 1 / 3))
    pulled = rated([0, 0, 1, 1, 2, 2], [1, 1, -1, -1, 1, 1], left=[1, 1, -1, -1, 1, 1]).gsb
    assert pulled.delta == pytest.approx(0.0, abs=1e-12)
    assert pulled.ci95 is not None
    assert pulled.ci95[0] < 0 < pulled.ci95[1]


def test_raters_are_counted_where_all_of_them_are_known() -> None:
    """How many people voted; one vote without a name leaves that unknown, and the interval by rater too."""
    query, vote = np.repeat(np.arange(10), 2), [1, 0, -1, 1] * 5
    known = rated(query, vote, rater=np.tile(np.arange(5), 4))
    assert known.people == 5
    assert known.rater_lower95 is not None
    unknown = rated(query, vote, rater=[-1, *np.tile(np.arange(5), 4)[1:]])
    assert (unknown.people, unknown.rater_lower95) == (None, None)
    assert rated(query, vote).people is None


def test_votes_that_cancel_decide_nothing() -> None:
    """A query is decided where its votes do not add up to nothing."""
    found = rated([0, 0, 1, 1, 1, 2], [1, -1, 1, -1, 0, 1])
    assert (found.decided, found.gsb.good, found.gsb.same) == (1, 1, 2)


def test_one_vote_per_query_is_averaged_over_both_sides() -> None:
    """With one vote per query the shares are the means of those with B on the left and those with B on the right."""
    random = np.random.default_rng(3)
    for _ in range(50):
        n = int(random.integers(4, 60))
        left, vote = random.choice((-1, 1), n), random.integers(-1, 2, n)
        if len(set(left.tolist())) < 2:
            continue
        found = rated(np.arange(n), vote, left=left)
        assert found.gsb.delta == pytest.approx(np.mean([vote[left == at].mean() for at in (-1, 1)]), abs=1e-9)


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
