"""Permutation, Wilcoxon, sign test and margins."""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np
import pytest

from rankdash.evidence.paired import deltas, paired
from rankdash.evidence.significance_tests import against_margin, permutation, sign_test, wilcoxon
from tests.evidence.cases import close, of, scores

WITH_DATA = [case for case in of("metric_cases") if case.values[0]["n"]]
WITH_MARGIN = [case for case in WITH_DATA if "tost" in case.values[0]["expected"]]
MONTE_CARLO = 0.015


@pytest.mark.parametrize("case", WITH_DATA)
def test_permutation_agrees_with_the_reference(case: dict[str, Any]) -> None:
    """Exact p equal the reference; drawn ones come within 0.015, whatever the seed."""
    expected = case["expected"]["permutation"]
    for seed in range(3):
        found = permutation(deltas(*scores(case)), seed=seed)
        assert found.method == expected["method"]
        assert close(found.p, expected["p"], MONTE_CARLO if found.method == "monte_carlo" else 1e-12)


@pytest.mark.parametrize("case", WITH_DATA)
def test_the_sign_test_is_exact(case: dict[str, Any]) -> None:
    """The sign test is the exact two-sided binomial test of wins against losses."""
    assert close(sign_test(deltas(*scores(case))), case["expected"]["sign_test"]["p"])


@pytest.mark.parametrize("case", WITH_DATA)
@pytest.mark.parametrize("zero_method", ["wilcox", "pratt"])
def test_wilcoxon_agrees_with_the_reference(case: dict[str, Any], zero_method: Any) -> None:
    """Rank sum and p equal the reference for both ways to treat ties; all ties give p = 1."""
    found = wilcoxon(deltas(*scores(case)), zero_method)
    expected = case["expected"]["wilcoxon"]
    wanted = expected.get(zero_method, {"p": 1.0, "W": None})
    assert close(found.p, wanted["p"])
    assert close(found.w, wanted["W"])


@pytest.mark.parametrize("case", WITH_MARGIN)
def test_margins_agree_with_the_reference(case: dict[str, Any]) -> None:
    """Equivalence and non-inferiority have the p and the answer of the reference."""
    expected, result = case["expected"], paired(*scores(case))
    found = against_margin(result, expected["tost"]["margin"])
    assert close(found.p_lower, expected["tost"]["p_lower"])
    assert close(found.p_upper, expected["tost"]["p_upper"])
    assert close(found.p, expected["tost"]["p"])
    assert found.p is not None
    assert (found.p < 0.05) == expected["tost"]["equivalent_5pct"]
    assert found.not_inferior == expected["noninferiority"]["passed_5pct"]
    assert close(result.lower90, expected["noninferiority"]["lower_bound_95_one_sided"])


def test_permutation_says_when_no_outcome_can_reach_five_percent() -> None:
    """Up to five changed queries p cannot go below 5%, and the page is told so; from six on it can."""
    assert "0.250" in permutation([0.1, 0.2, 0.3]).note
    assert permutation([0.1] * 5).note
    assert not permutation([0.1] * 6).note


def test_a_drawn_p_is_never_zero() -> None:
    """However clear the difference, a drawn p is at least 1 / (draws + 1)."""
    found = permutation(np.linspace(0.1, 0.2, 200), draws=999)
    assert found.p == 1 / 1000


@pytest.mark.parametrize("m", [1, 2, 7, 9])
def test_exact_permutation_counts_every_sign_pattern(m: int) -> None:
    """The exact p is the share of all 2^m sign patterns, counted one by one."""
    delta = np.round(np.random.default_rng(m).normal(0.2, 1, m), 3)
    sums = [abs(float(np.dot(signs, delta))) for signs in product((-1, 1), repeat=m)]
    share = np.mean([total >= abs(delta.sum()) - 1e-12 for total in sums])
    assert close(permutation(delta).p, float(share), 1e-12)


def test_up_to_twenty_changed_queries_every_pattern_is_counted() -> None:
    """From 21 on signs are drawn; sums that are equal but for rounding count as equal in both."""
    delta = np.array([0.1, 0.2, -0.3] * 7)
    methods = [permutation(delta[:m]).method for m in (20, 21)]
    assert methods == ["exact", "monte_carlo"]
    assert permutation(delta[:18]).p == permutation(delta).p == 1.0
    small = permutation(np.full(30, 1e-4))
    assert small.p == 1 / 10_001


def test_the_same_seed_gives_the_same_p() -> None:
    """Two calls with one seed agree to the last digit, and the seed is kept with the result."""
    delta = np.random.default_rng(3).normal(0.02, 0.1, 150)
    first, second = permutation(delta, seed=7), permutation(delta, seed=7)
    assert first == second
    assert first.seed == 7


def test_dropped_pairs_play_no_part() -> None:
    """A pair that is not a number changes no test."""
    delta = np.array([0.1, -0.2, 0.3, 0.0, 0.25, 0.4, -0.05])
    holed = np.append(delta, np.nan)
    assert permutation(holed) == permutation(delta)
    assert wilcoxon(holed) == wilcoxon(delta)
    assert sign_test(holed) == sign_test(delta)


def test_a_margin_must_be_positive() -> None:
    """A margin of 0 is refused: nothing could be shown to be within it."""
    with pytest.raises(ValueError, match="positive"):
        against_margin(paired([0.1, 0.2], [0.2, 0.4]), 0.0)
