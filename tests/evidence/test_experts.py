"""The tests for experts: permutation, Wilcoxon, sign test, bootstrap."""

import math
from itertools import product
from statistics import NormalDist
from typing import Any

import numpy as np
import pytest

from rankdash.evidence.experts import bootstrap, permutation, resampled_means, sign_test, wilcoxon
from rankdash.evidence.paired import deltas
from tests.evidence.cases import all_close, close, of, scores

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
