"""Good, same and bad: ΔGSB and its interval."""

from __future__ import annotations

import math
from typing import Any

import pytest
from scipy.optimize import brentq

from rankdash.evidence.votes.gsb import _score, gsb, mid_p, score_p, tango, two_sided_p, unusable
from tests.evidence.cases import all_close, close, of

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
    assert close(found.win_rate, expected["win_rate_excl_ties"])
    assert all_close(found.win_rate_ci95, expected["wilson95_win_rate_excl_ties"])


def test_no_votes_say_nothing() -> None:
    """Without a row there is no ΔGSB and no interval."""
    found = gsb(0, 0, 0)
    assert (found.delta, found.ci95, found.p) == (None, None, None)


def test_the_interval_stays_within_one() -> None:
    """Unlike Wald's, the score interval never leaves [-1, 1], and ends there exactly when every vote agrees."""
    assert tango(1, 1, 2) > (-1.0, -1.0)
    assert tango(5, 0, 0)[1] == 1.0
    assert tango(0, 0, 5)[0] == -1.0


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


def test_the_interval_holds_the_estimate_and_mirrors() -> None:
    """The interval holds ΔGSB, and exchanging good and bad turns it around."""
    for good, same, bad in [(3, 4, 9), (40, 80, 29), (0, 7, 2), (1000, 0, 1)]:
        low, high = tango(good, same, bad)
        assert low <= (good - bad) / (good + same + bad) <= high
        assert all_close(tango(bad, same, good), (-high, -low))


def test_mid_p_of_a_tie_is_one() -> None:
    """As many wins as losses, also none at all, give p = 1."""
    assert mid_p(0, 0) == mid_p(7, 7) == 1.0


def test_counts_cannot_be_negative() -> None:
    """A negative count is an error."""
    with pytest.raises(ValueError, match="at least 0"):
        gsb(-1, 0, 3)


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
    assert unusable(decided, 100, n_side) == why


def test_shares_that_are_whole_counts_are_tested_exactly() -> None:
    """Where averaging over sides leaves whole numbers the sign test is exact; elsewhere it is the score's."""
    assert two_sided_p(12.0 + 1e-12, 3.0) == mid_p(12, 3)
    assert two_sided_p(0.6 * 19.2, 0.15 * 19.2) == score_p(0.6 * 19.2, 0.15 * 19.2)


@pytest.mark.parametrize(("good", "same", "bad"), [(7, 3, 2), (1, 1, 2), (60, 100, 40), (3, 0, 1), (2500.5, 10, 2400)])
def test_ends_of_the_interval_are_where_the_score_is(good: float, same: float, bad: float) -> None:
    """Another root finder, given both sides of an end, finds the same end."""
    n, z = good + same + bad, 1.959963984540054
    low, high = tango(good, same, bad)
    for end, value in ((low, z), (high, -z)):
        found = brentq(
            lambda d, value=value: _score(d, good, bad, n) - value,
            max(end - 1e-3, -1 + 1e-9),
            min(end + 1e-3, 1 - 1e-9),
        )
        assert close(found, end)
