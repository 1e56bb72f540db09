"""Rows of votes -> ΔGSB and its interval, agreement, sides."""

import math
from typing import Any

import numpy as np
import pytest
from scipy import stats

from rankdash.evidence.gsb import Gsb, Rated, gsb, krippendorff, mid_p, rated, score_p, sides, tango, two_sided_p
from rankdash.policy import Policy
from rankdash.verdict import VoteNumbers
from rankdash.verdict.rule import why_unusable
from tests.evidence.cases import CASES, all_close, close, of

NOT_EMPTY = [case for case in of("gsb_cases") if case.values[0]["expected"]["delta_gsb"] is not None]


@pytest.mark.parametrize("case", NOT_EMPTY)
def test_gsb_agrees_with_the_reference(case: dict[str, Any]) -> None:
    """ΔGSB, both score intervals, both sign tests, the win rate and its interval equal the reference."""
    found, expected = gsb(case["good"], case["same"], case["bad"]), case["expected"]
    assert found.n == expected["n"]
    assert close(found.delta, expected["delta_gsb"])
    assert all_close(found.ci95, expected["tango_score95"])
    assert all_close(found.ci90, expected["tango_score90"])
    assert close(found.p, expected["sign_midp"])
    assert close(found.sign_p, expected["sign_test_p"])


@pytest.mark.parametrize("same", [0, 3, 40])
def test_the_interval_excludes_zero_exactly_where_the_score_test_does(same: int) -> None:
    """For every table up to 25 by 25 the 95% interval is on one side of 0 iff |g - b| / sqrt(g + b) > 1.96."""
    for good in range(26):
        for bad in range(26):
            if good + bad + same == 0:
                continue
            low, high = tango(good, same, bad)
            proven = good + bad > 0 and abs(good - bad) / math.sqrt(good + bad) > 1.959963984540054
            assert (low > 0 or high < 0) == proven, (good, same, bad)


@pytest.mark.parametrize(
    ("decided", "n_side", "why"),
    [
        (19, None, "too_few"),
        (20, None, None),
        (19, 0.0, "too_few"),
        (50, 49.9, "sides"),
        (50, 50.0, None),
        (50, 0.0, "sides"),
    ],
)
def test_votes_are_used_only_where_they_can_be_trusted(decided: int, n_side: float | None, why: str | None) -> None:
    """Too few decided votes and nearly always one side make votes unusable, at their limits."""
    assert why_unusable(VoteNumbers(decided, 100 - decided, 0, n_side=n_side), Policy()) == why


def test_shares_that_are_whole_counts_are_tested_exactly() -> None:
    """Where averaging over sides leaves whole numbers the sign test is exact; elsewhere it is the score's."""
    assert two_sided_p(12.0 + 1e-12, 3.0) == mid_p(12, 3)
    assert two_sided_p(0.6 * 19.2, 0.15 * 19.2) == score_p(0.6 * 19.2, 0.15 * 19.2)


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


def test_agreement_is_that_of_the_reference() -> None:
    """Krippendorff's nominal alpha of twelve queries by three raters."""
    ratings = CASES["rater_agreement"]["ratings"]
    query = np.repeat(np.arange(len(ratings)), 3)
    assert close(krippendorff(query, np.ravel(ratings)), CASES["rater_agreement"]["krippendorff_alpha_nominal"])


@pytest.mark.parametrize(
    ("query", "vote"),
    [([0, 0, 1, 1], [1, 1, 1, 1]), ([0, 1, 2], [1, 0, -1]), ([], [])],
    ids=["one label", "one row", "none"],
)
def test_agreement_is_undefined_where_nobody_could_disagree(query: list[int], vote: list[int]) -> None:
    """With one label only, or one row per query, there is no alpha, so it blocks nothing."""
    assert krippendorff(query, vote) is None


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


def test_raters_are_counted_where_all_of_them_are_known() -> None:
    """How many people voted; one vote without a name leaves that unknown, and the interval by rater too."""
    query, vote = np.repeat(np.arange(10), 2), [1, 0, -1, 1] * 5
    known = rated(query, vote, rater=np.tile(np.arange(5), 4))
    assert known.people == 5
    assert known.rater_lower95 is not None
    unknown = rated(query, vote, rater=[-1, *np.tile(np.arange(5), 4)[1:]])
    assert (unknown.people, unknown.rater_lower95) == (None, None)
    assert rated(query, vote).people is None


def test_a_rater_counts_once_per_query() -> None:
    """The last vote of a rater on a query counts, earlier ones are counted as repeated; an unknown rater is another."""
    found = rated([0, 0, 0, 1], [1, 1, -1, 1], rater=[5, 6, 5, 5])
    assert (found.repeated, found.labels.tolist(), found.raters) == (1, [0, 1], 2)
    assert rated([0, 0, 0], [1, 1, -1], rater=[-1, -1, -1]).repeated == 0
    assert rated([0, 0], [1, -1], rater=[5, 5], about=[1, 2]).repeated == 0


def test_labels_on_a_line_have_no_spread_whatever_the_shares_are() -> None:
    """Three raters make sides of thirds, which no double is; what rounding leaves over is no spread."""
    for labels, h in (([1, 0, 0], [1, 1 / 3, 1 / 3]), ([-1, -1, 0], [-1 / 3, -1 / 3, 1 / 3])):
        found = sides(labels, h, 0.5)
        assert (found.effect, found.se, found.p) == (3.0, 0.0, 0.0)
    assert sides([0, -1, 0], [1 / 3, -1 / 3, 1 / 3], 0.5).effect == 3.0


@pytest.mark.parametrize(
    ("h", "half"), [([0.0, 0.0, 0.0, 0.2, 0.2, 0.2], 3.0), ([0.0] * 4 + [0.6] * 4, 4.0), ([-1 / 3] + [0.5] * 4, 2.5)]
)
def test_votes_that_are_worth_half_of_their_queries_are_worth_just_that(h: list[float], half: float) -> None:
    """At least half of the queries at a balanced side can be used; one that rounding took off would leave too few."""
    found = sides([1, -1] * (len(h) // 2) + [0] * (len(h) % 2), h, 0.5)
    assert found.n == half
    assert why_unusable(VoteNumbers(len(h), 0, 0, n_side=found.n), Policy(votes_min=1)) is None
