"""Bootstrap intervals, and what resampling costs."""

from __future__ import annotations

import math
import tracemalloc
from statistics import NormalDist
from typing import Any

import numpy as np
import pytest

from rankdash.evidence.bootstrap import bootstrap, resampled_means
from rankdash.evidence.paired import deltas
from rankdash.evidence.significance_tests import permutation
from tests.evidence.cases import all_close, close, of, scores

WITH_BOOTSTRAP = [case for case in of("metric_cases") if "bootstrap" in case.values[0]["expected"]]


@pytest.mark.parametrize("case", WITH_BOOTSTRAP)
def test_bootstrap_intervals_agree_with_the_reference(case: dict[str, Any]) -> None:
    """Percentile and BCa ends come within the tolerance of the case, for several seeds."""
    expected = case["expected"]["bootstrap"]
    for seed in range(5):
        found = bootstrap(deltas(*scores(case)), draws=expected["B"], seed=seed)
        assert all_close(found.percentile95, expected["percentile95"], expected["tol_abs"])
        assert all_close(found.bca95, expected["bca95"], expected["tol_abs"])
        assert close(found.se, expected["se"], 0.05 * expected["se"])


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
    assert bootstrap(delta, draws=draws, seed=3).bca95 == pytest.approx(ends, abs=1e-9)


@pytest.mark.parametrize("delta", [[], [0.1], [0.0] * 8, [0.02] * 8])
def test_without_spread_there_is_no_bootstrap_interval(delta: list[float]) -> None:
    """No query, one query, only ties and a constant difference give no interval."""
    found = bootstrap(delta)
    assert (found.percentile95, found.bca95, found.se) == (None, None, None)


def test_leaving_zeros_out_keeps_the_distribution() -> None:
    """Resampling only what is not zero has the mean and the spread of resampling everything."""
    delta = np.array([0.0] * 70 + [0.1, -0.2, 0.3] * 10)
    means = resampled_means(delta, 40_000, 5)
    assert abs(means.mean() - delta.mean()) < 4 * delta.std() / 10 / 200
    assert abs(means.std() / (delta.std() / 10) - 1) < 0.02


def test_one_changed_query_can_be_missed_by_a_resample() -> None:
    """With one query that differs, about a third of the resamples are exactly 0."""
    share = (resampled_means(np.array([0.0] * 49 + [1.0]), 20_000, 1) == 0).mean()
    assert abs(share - (1 - 1 / 50) ** 50) < 0.02


@pytest.mark.long
def test_resampling_thousands_of_queries_is_small() -> None:
    """10,000 permutations and 10,000 resamples of 7,000 queries take under 100 MB together."""
    delta = np.round(np.random.default_rng(0).normal(0.003, 0.1, 7_000), 12)
    permutation(delta[:50]), bootstrap(delta[:50])
    tracemalloc.start()
    permutation(delta), bootstrap(delta)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 100e6
