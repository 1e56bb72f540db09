"""The paired comparison of two score vectors, its sign flips, the tests for experts, several tests at once, and how
many queries and votes a difference needs.
"""

import math
import random
from itertools import product
from statistics import NormalDist
from typing import Any

import numpy as np
import pytest
from scipy.stats import false_discovery_control

from rankdash.evidence.documents import LabelBounds
from rankdash.evidence.experts import bootstrap, permutation, resampled_means, sign_test, wilcoxon
from rankdash.evidence.paired import (
    bh,
    deltas,
    holm,
    p_flip,
    p_flip_of_constant,
    paired,
    required_n,
    required_votes,
    reweighted_segment,
)
from tests.evidence.cases import all_close, close, of, scores
from tests.truth import twin_numbers

NAMES = {name: name for name in "mean_a mean_b sd se t t_p p_harm mde80".split()}
NAMES |= {"mean_delta": "delta", "dz": "effect_size"}


@pytest.mark.parametrize("case", of("metric_cases"))
def test_closed_forms_are_exact(case: dict[str, Any]) -> None:
    """Means, counts, t, intervals, bounds, effect sizes and resolution equal the reference to 1e-9; where it has no
    interval there is none, for its reason; pairs that are not numbers are dropped and counted.
    """
    result, expected = paired(*scores(case)), case["expected"]
    found = {name: getattr(result, field) for name, field in NAMES.items() if name in expected}
    wrong = {name: (value, expected[name]) for name, value in found.items() if not close(value, expected[name])}
    assert not wrong
    counts = ("wins", "ties", "losses", "df", "status")
    assert all(getattr(result, name) == expected[name] for name in counts if name in expected)
    assert (result.n, result.n_dropped) == (case["n"], case["n_dropped_nonfinite"])
    assert all_close(result.ci95, expected.get("t_ci95"))
    bounds = None if result.lower90 is None else (result.lower90, result.upper90)
    assert all_close(bounds, expected.get("t_ci90"))


@pytest.mark.parametrize("case", [case for case in of("metric_cases") if "required_n_80" in case.values[0]["expected"]])
def test_required_queries_follow_the_difference_and_the_spread_seen(case: dict[str, Any]) -> None:
    """The queries needed are those for the larger of the difference and the smallest gain that matters."""
    expected = case["expected"]["required_n_80"]
    result = paired(*scores(case))
    assert close(max(abs(result.delta or 0), 0.005), expected["target"])
    larger = result.required_n_seen if abs(result.delta or 0) >= 0.005 else result.required_n_mpe
    assert larger == expected["n"]


@pytest.mark.parametrize("case", [case for case in of("metric_cases") if "weights" in case.values[0]])
def test_weights_give_the_linearised_interval(case: dict[str, Any]) -> None:
    """Weighted mean, standard error, effective number and interval equal the reference, and the plain mean is kept."""
    result, expected = paired(*scores(case), weights=case["weights"]), case["expected"]["weighted"]
    found = (result.delta, result.se, result.n_eff, result.df, result.lower95, result.upper95)
    wanted = [expected[name] for name in ("mean_delta", "se_linearised", "n_eff_kish", "df")]
    assert all_close(found, [*wanted, *expected["ci95"]])
    assert close(result.delta_unweighted, case["expected"]["mean_delta"])


def test_a_difference_of_rounding_is_a_tie() -> None:
    """0.1 + 0.2 against 0.3 is a tie, not a loss."""
    result = paired([0.1 + 0.2, 0.5], [0.3, 0.5])
    assert (result.wins, result.ties, result.losses) == (0, 2, 0)


@pytest.mark.parametrize(
    ("weights", "words"),
    [([1, 2], "weights have the shape"), ([1, -1, 1], "finite numbers >= 0"), ([0, 0, 0], "is positive")],
)
def test_weights_that_make_no_sense_are_refused(weights: list[float], words: str) -> None:
    """A wrong number of weights, a negative one and weights that are all 0 are refused in words."""
    with pytest.raises(ValueError, match=words):
        paired([0.1, 0.2, 0.3], [0.2, 0.2, 0.4], weights=weights)


def test_a_result_says_why_there_is_no_interval() -> None:
    """No data, one query, no query that differs, no spread; and what is known all the same."""
    found = [paired(a, b) for a, b in (([], []), ([0.1], [0.2]), ([0.1, 0.1], [0.1, 0.1]), ([0.1, 0.1], [0.2, 0.2]))]
    assert [one.status for one in found] == ["no_data", "n_too_small", "all_ties", "zero_variance"]
    assert [one.ci95 for one in found] == [None] * 4
    assert [one.changed for one in found] == [0, 1, 0, 2]
    assert paired([0.1, 0.1], [0.2, 0.3]).status == "ok"


def test_means_do_not_depend_on_the_order_of_queries() -> None:
    """Where a mean lies on the edge of rounding, it is shown alike whatever the order of the rows."""
    dice = random.Random(0)
    for _ in range(20):
        b = [dice.choice((0.1, 0.2, 0.3, 0.7)) for _ in range(40)]
        one, other = paired([0.0] * 40, b), paired([0.0] * 40, sorted(b))
        assert (one.mean_a, one.mean_b, one.delta) == (other.mean_a, other.mean_b, other.delta)


def slow(moved: list[float]) -> float:
    """The share of sign patterns whose sum is at most the sum seen, pattern by pattern."""
    changed = [value for value in moved if value]
    sums = [sum(sign * value for sign, value in zip(signs, changed, strict=True)) for signs in patterns(len(changed))]
    return sum(total <= sum(changed) + 1e-12 for total in sums) / len(sums)


def patterns(m: int) -> list[tuple[int, ...]]:
    """Every pattern of m signs."""
    return list(product((1, -1), repeat=m))


@pytest.mark.parametrize("seed", range(40))
def test_sign_flips_agree_with_every_pattern_counted(seed: int) -> None:
    """The two sorted halves count what a plain enumeration counts, ties between sums included."""
    random = np.random.default_rng(seed)
    moved = np.round(random.normal(-0.02, 0.1, int(random.integers(1, 11))), 1 + seed % 3).tolist()
    if any(moved):
        assert p_flip(moved) == pytest.approx(slow(moved), abs=1e-12)


def test_nothing_and_too_much_have_no_sign_flips() -> None:
    """Without a changed query, and with more than 20, there is no such p; with 20 there is."""
    assert p_flip([]) is None
    assert p_flip([0.0, 0.0]) is None
    assert p_flip([-0.1] * 21) is None
    assert p_flip([-0.1] * 20) == 2.0**-20


def test_a_constant_is_decided_whatever_its_number() -> None:
    """The same loss on m queries has p 2^-m, the same gain 1, also beyond 20 queries."""
    assert p_flip_of_constant(-0.1, 7) == p_flip([-0.1] * 7)
    loss, gain = paired([0.5] * 400, [0.49] * 400), paired([0.5] * 400, [0.52] * 400)
    assert (loss.p_flip, gain.p_flip) == (2.0**-400, 1.0)
    assert paired([0.5], [0.3]).p_flip == 0.5
    assert paired([0.5, 0.4], [0.5, 0.4]).p_flip is None


def test_weights_weigh_the_flips() -> None:
    """With weights the differences are flipped as they count in the mean."""
    a, b, weights = [0.5, 0.5, 0.5], [0.4, 0.6, 0.6], [10.0, 1.0, 1.0]
    assert paired(a, b).p_flip == slow([-0.1, 0.1, 0.1])
    assert paired(a, b, weights=weights).p_flip == slow([-10.0, 1.0, 1.0])


def test_required_queries_are_those_of_a_plain_search() -> None:
    """On random deviations and targets, from 2 pairs to 100,000, no smaller number has 80% power by integration."""
    rng = random.Random(8)
    for _ in range(60):
        sd, target = 10 ** rng.uniform(-3, 2), 10 ** rng.uniform(-0.05, 0.05)
        assert required_n(sd, target) == twin_numbers.required_n(sd, target), (sd, target)


@pytest.mark.parametrize("case", of("required_n_gsb"))
def test_required_votes_are_exact(case: dict[str, Any]) -> None:
    """The number of queries with votes follows the share of decided votes and the preference looked for."""
    assert required_votes(case["discordant_share"], case["target_delta_gsb"]) == case["n"]


@pytest.mark.parametrize("guess", [1_000_002, 3_000_000, 200_000_000])
def test_beyond_a_million_pairs_the_normal_approximation_is_enough(guess: int) -> None:
    """(z.975 + z.80)^2 sd^2 / target^2, rounded up: a few pairs more or fewer are nothing beside a million."""
    z80 = NormalDist().inv_cdf(0.975) + NormalDist().inv_cdf(0.8)
    target = z80 / math.sqrt(guess - 0.5)
    assert required_n(1.0, target) == guess


@pytest.mark.parametrize(("sd", "target"), [(0.0, 0.01), (0.1, 0.0), (0.1, -0.1)])
def test_a_requirement_without_spread_or_target_is_refused(sd: float, target: float) -> None:
    """A spread or a target that is not positive is an error."""
    with pytest.raises(ValueError, match="positive"):
        required_n(sd, target)


def test_the_segment_behind_a_reweighted_mean_is_named() -> None:
    """Weights that favour the two German queries, where B loses, explain why the weighted mean is lower."""
    delta, weights = [0.2, 0.2, 0.2, -0.1, -0.1, np.nan], [1, 1, 1, 10, 10, 50]
    language = np.array(["en", "en", "en", "de", "de", "fr"], object)
    long = np.array(["yes", "", "", "yes", "", ""], object)
    assert reweighted_segment(delta, weights, {"long": long, "language": language}) == ("language", "de")
    assert reweighted_segment(delta, weights, {"long": long}) is None
    # Two segments add as much, and queries without one take it away: neither is most of it.
    alike = reweighted_segment([1.0, 1.0, -1.0, 0.0], [4, 4, 4, 1], {"half": np.array(["x", "y", "", ""], object)})
    assert alike is None


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


@pytest.mark.parametrize("case", of("multiple_testing"))
def test_adjusted_p_agree_with_the_reference(case: dict[str, Any]) -> None:
    """Holm and Benjamini-Hochberg equal the reference, in the order in which the p were given."""
    assert all_close(holm(case["p"]).tolist(), case["holm"])
    assert all_close(bh(case["p"]).tolist(), case["bh"])


@pytest.mark.parametrize("adjust", [holm, bh])
def test_an_undefined_p_is_not_in_the_family(adjust: Any) -> None:
    """NaN stays NaN, and the others are adjusted as if it were not there."""
    with_gap = adjust([0.01, np.nan, 0.04])
    assert np.isnan(with_gap[1])
    assert all_close(with_gap[[0, 2]].tolist(), adjust([0.01, 0.04]).tolist())


@pytest.mark.parametrize("seed", range(20))
def test_benjamini_hochberg_is_that_of_scipy(seed: int) -> None:
    """Random families of any size, equal p-values, 0 and 1 among them, are adjusted as scipy adjusts them."""
    rng = np.random.default_rng(seed)
    p = np.round(rng.random(int(rng.integers(1, 40))) ** 3, int(rng.integers(1, 9)))
    assert all_close(bh(p).tolist(), false_discovery_control(p).tolist())


@pytest.mark.parametrize("seed", range(20))
def test_holm_is_its_definition(seed: int) -> None:
    """The p-value of rank i, ascending, times the number of those not below it; never less than the one before."""
    rng = np.random.default_rng(seed)
    p = np.round(rng.random(int(rng.integers(1, 40))) ** 2, int(rng.integers(1, 9)))
    told, largest = dict[int, float](), 0.0
    for rank, at in enumerate(sorted(range(len(p)), key=lambda i: p[i])):
        largest = max(largest, min(1.0, (len(p) - rank) * float(p[at])))
        told[at] = largest
    assert all_close(holm(p).tolist(), [told[at] for at in range(len(p))])


WITH_DATA = [case for case in of("metric_cases") if case.values[0]["n"]]
MONTE_CARLO = 0.015


@pytest.mark.parametrize("case", WITH_DATA)
def test_permutation_agrees_with_the_reference(case: dict[str, Any]) -> None:
    """Exact p equal the reference; drawn ones come within 0.015, whatever the seed."""
    expected = case["expected"]["permutation"]
    for seed in range(3):
        found = permutation(deltas(*scores(case)), seed=seed)
        assert close(found, expected["p"], MONTE_CARLO if expected["method"] == "monte_carlo" else 1e-12)


@pytest.mark.parametrize("case", WITH_DATA)
def test_the_sign_test_is_exact(case: dict[str, Any]) -> None:
    """The sign test is the exact two-sided binomial test of wins against losses."""
    assert close(sign_test(deltas(*scores(case))), case["expected"]["sign_test"]["p"])


@pytest.mark.parametrize("case", WITH_DATA)
def test_wilcoxon_agrees_with_the_reference(case: dict[str, Any]) -> None:
    """The p equals the reference; all ties give p = 1."""
    expected = case["expected"]["wilcoxon"]
    assert close(wilcoxon(deltas(*scores(case))), expected.get("wilcox", {"p": 1.0})["p"])


@pytest.mark.parametrize("m", [1, 2, 7, 9])
def test_exact_permutation_counts_every_sign_pattern(m: int) -> None:
    """The exact p is the share of all 2^m sign patterns, counted one by one."""
    delta = np.round(np.random.default_rng(m).normal(0.2, 1, m), 3)
    sums = [abs(float(np.dot(signs, delta))) for signs in product((-1, 1), repeat=m)]
    share = np.mean([total >= abs(delta.sum()) - 1e-12 for total in sums])
    assert close(permutation(delta), float(share), 1e-12)


def test_up_to_twenty_changed_queries_every_pattern_is_counted() -> None:
    """From 21 on signs are drawn; sums that are equal but for rounding count as equal in both."""
    delta = np.array([0.1, 0.2, -0.3] * 7)
    assert permutation(delta[:18]) == permutation(delta) == 1.0
    assert permutation(np.full(20, 1e-4)) == 2.0**-19
    assert permutation(np.full(30, 1e-4)) == permutation(np.full(21, 1e-4), draws=10_000, seed=4) == 1 / 10_001


WITH_BOOTSTRAP = [case for case in of("metric_cases") if "bootstrap" in case.values[0]["expected"]]


@pytest.mark.parametrize("case", WITH_BOOTSTRAP)
def test_bootstrap_intervals_agree_with_the_reference(case: dict[str, Any]) -> None:
    """Percentile and BCa ends come within the tolerance of the case, for several seeds."""
    expected = case["expected"]["bootstrap"]
    for seed in range(5):
        found = bootstrap(deltas(*scores(case)), draws=expected["B"], seed=seed)
        assert all_close(found, expected["bca95"], expected["tol_abs"])


@pytest.mark.parametrize("draws", [400, 401])
@pytest.mark.parametrize("delta", [[0.001, 0.002, 0.0, 0.03, -0.001, 0.0005], [0.1, 0.1, 0.2, 0.0, -0.1, 0.4, 0.1]])
def test_bca_ends_are_those_of_its_formula(delta: list[float], draws: int) -> None:
    """Efron's bias and acceleration, from the very resamples; a resample as large as the mean counts half on each
    side, also where its sum was added up in another order.
    """
    means = resampled_means(np.array(delta), draws, 3)
    mean, normal = math.fsum(delta) / len(delta), NormalDist()
    sides = [0.5 if math.isclose(one, mean, abs_tol=1e-12) else float(one < mean) for one in means.tolist()]
    bias = normal.inv_cdf(math.fsum(sides) / draws)
    jackknifed = [mean - one for one in delta]  # less the mean of all, and up to a factor that cancels
    acceleration = -math.fsum(one**3 for one in jackknifed) / (6 * math.fsum(one**2 for one in jackknifed) ** 1.5)
    ends = []
    for p in (0.025, 0.975):
        z = bias + normal.inv_cdf(p)
        ends.append(float(np.quantile(means, normal.cdf(bias + z / (1 - acceleration * z)))))
    assert bootstrap(delta, draws=draws, seed=3) == pytest.approx(ends, abs=1e-9)


@pytest.mark.parametrize("delta", [[], [0.1], [0.0] * 8, [0.02] * 8])
def test_without_spread_there_is_no_bootstrap_interval(delta: list[float]) -> None:
    """No query, one query, only ties and a constant difference give no interval."""
    assert bootstrap(delta) is None
