"""The paired comparison of two score vectors."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from rankdash.evidence.paired import deltas, paired
from tests.evidence.cases import all_close, close, of, scores

NAMES = {
    "mean_a": "mean_a",
    "mean_b": "mean_b",
    "mean_delta": "delta",
    "median_delta": "median",
    "rel_delta": "relative",
    "sd": "sd",
    "se": "se",
    "t": "t",
    "t_p": "t_p",
    "p_harm": "p_harm",
    "dz": "effect_size",
    "hedges_gz": "hedges_g",
    "prob_superiority": "superiority",
    "mde80": "mde80",
}


@pytest.mark.parametrize("case", of("metric_cases"))
def test_closed_forms_are_exact(case: dict[str, Any]) -> None:
    """Means, counts, t, intervals, effect sizes and resolution equal the reference to 1e-9."""
    result, expected = paired(*scores(case)), case["expected"]
    found = {name: getattr(result, field) for name, field in NAMES.items() if name in expected}
    wrong = {name: (value, expected[name]) for name, value in found.items() if not close(value, expected[name])}
    assert not wrong
    counts = ("wins", "ties", "losses", "df")
    assert all(getattr(result, name) == expected[name] for name in counts if name in expected)


@pytest.mark.parametrize("case", of("metric_cases"))
def test_intervals_are_exact_and_absent_where_undefined(case: dict[str, Any]) -> None:
    """The 95% interval and the one-sided bounds equal the reference; where it has none there is none."""
    result, expected = paired(*scores(case)), case["expected"]
    assert all_close(result.ci95, expected.get("t_ci95"))
    bounds = None if result.lower90 is None else (result.lower90, result.upper90)
    assert all_close(bounds, expected.get("t_ci90"))


@pytest.mark.parametrize("case", of("metric_cases"))
def test_pairs_that_are_not_numbers_are_dropped_and_counted(case: dict[str, Any]) -> None:
    """n, the pairs dropped and the reason for a missing interval are those of the reference."""
    result = paired(*scores(case))
    assert (result.n, result.n_dropped, result.status) == (
        case["n"],
        case["n_dropped_nonfinite"],
        case["expected"]["status"],
    )


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


def test_equal_weights_change_nothing() -> None:
    """With the same weight everywhere the result is that without weights, up to rounding."""
    a, b = np.array([0.1, 0.5, 0.2, 0.9]), np.array([0.3, 0.4, 0.2, 0.8])
    plain, weighted = paired(a, b), paired(a, b, weights=[7, 7, 7, 7])
    assert all_close((weighted.delta, weighted.se, weighted.t_p), (plain.delta, plain.se, plain.t_p))
    assert weighted.required_n_seen == plain.required_n_seen


def test_a_difference_of_rounding_is_a_tie() -> None:
    """0.1 + 0.2 against 0.3 is a tie, not a loss."""
    result = paired([0.1 + 0.2, 0.5], [0.3, 0.5])
    assert (result.wins, result.ties, result.losses) == (0, 2, 0)


def test_differences_that_cancel_leave_a_mean_of_zero() -> None:
    """Where +0.3 meets -0.1 and -0.2 nobody leads, although these three add up to 3e-17 in floating point."""
    assert sum([0.3, -0.1, -0.2]) != 0
    assert paired([0.0, 0.1, 0.2], [0.3, 0.0, 0.0]).delta == 0
    assert paired([0.0, 0.1, 0.2], [0.3, 0.0, 0.0], weights=[2, 2, 2]).delta == 0


def test_differences_never_read_minus_zero() -> None:
    """A difference that rounds to 0 is 0, without a sign."""
    assert not np.signbit(deltas([0.3], [0.3 - 1e-14])).any()


def test_nothing_is_written_into_the_arguments() -> None:
    """The score vectors are as they were."""
    a, b = np.array([0.1, np.nan, 0.2]), np.array([0.2, 0.3, np.inf])
    before = a.copy(), b.copy()
    paired(a, b)
    np.testing.assert_array_equal((a, b), before)


@pytest.mark.parametrize(
    ("weights", "words"),
    [([1, 2], "weights have the shape"), ([1, -1, 1], "finite numbers >= 0"), ([0, 0, 0], "is positive")],
)
def test_weights_that_make_no_sense_are_refused(weights: list[float], words: str) -> None:
    """A wrong number of weights, a negative one and weights that are all 0 are refused in words."""
    with pytest.raises(ValueError, match=words):
        paired([0.1, 0.2, 0.3], [0.2, 0.2, 0.4], weights=weights)


def test_scores_of_different_queries_are_refused() -> None:
    """Two vectors of different length are an error, never an intersection."""
    with pytest.raises(ValueError, match="one score per query"):
        paired([0.1, 0.2], [0.1])


def test_a_weight_on_one_query_leaves_no_interval() -> None:
    """Where one query carries all the weight nothing varies, so there is no interval."""
    result = paired([0.1, 0.2], [0.3, 0.9], weights=[1, 0])
    assert result.ci95 is None
    assert close(result.delta, 0.2)


def test_equal_weights_are_worth_as_many_queries_as_there_are() -> None:
    """Thirty equal weights pass a gate of thirty queries, whatever their decimals, and count as unweighted."""
    a, b = [0.1 * (i % 7) for i in range(30)], [0.1 * (i % 5) for i in range(30)]
    result = paired(a, b, weights=[0.1] * 30)
    assert result.n_eff == 30
    assert not result.is_weighted
    assert paired(a, b, weights=[0.1] * 29 + [0.2]).is_weighted


@pytest.mark.parametrize("weights", [None, [2.0, 2.0, 2.0]])
def test_what_cancels_is_no_lead(weights: list[float] | None) -> None:
    """0.1 + 0.2 - 0.3 is 0, and not 1e-17 in favour of a model."""
    result = paired([0.0] * 3, [0.1, 0.2, -0.3], weights=weights)
    assert (result.delta, result.delta_unweighted) == (0.0, 0.0)


def test_what_is_not_asked_for_costs_nothing() -> None:
    """Any gain counts, or nothing differs: then no number of queries is required for it."""
    assert paired([0.1, 0.2, 0.3], [0.2, 0.2, 0.5], mpe=0).required_n_mpe is None
    level = paired([0.0] * 3, [0.1, 0.2, -0.3])
    assert level.required_n_seen is None
    assert level.required_n_mpe is not None


def test_a_result_says_why_there_is_no_interval() -> None:
    """No data, one query, no query that differs, no spread; and what is known all the same."""
    found = [paired(a, b) for a, b in (([], []), ([0.1], [0.2]), ([0.1, 0.1], [0.1, 0.1]), ([0.1, 0.1], [0.2, 0.2]))]
    assert [one.status for one in found] == ["no_data", "n_too_small", "all_ties", "zero_variance"]
    assert [one.ci95 for one in found] == [None] * 4
    assert [one.superiority for one in found] == [None, 1.0, 0.5, 1.0]
    assert [one.changed for one in found] == [0, 1, 0, 2]
    assert paired([0.1, 0.1], [0.2, 0.3]).status == "ok"


@pytest.mark.parametrize("n", [1, 2, 3, 4, 10, 11, 200])
def test_the_median_is_the_middle_of_the_differences(n: int) -> None:
    """To the last bit that of the sorted differences, with ties and without, for even and odd numbers of queries."""
    rng = np.random.default_rng(n)
    for b in (rng.normal(size=n), rng.integers(-2, 3, n) / 4):
        ordered = sorted(deltas(np.zeros(n), b).tolist())
        assert paired(np.zeros(n), b).median == (ordered[(n - 1) // 2] + ordered[n // 2]) / 2
