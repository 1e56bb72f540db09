"""How many queries and votes a difference needs."""

from __future__ import annotations

import math
import random
from statistics import NormalDist
from typing import Any

import pytest

from rankdash.evidence.power import required_n, required_votes
from rankdash.evidence.votes.gsb import gsb
from tests.evidence.cases import of
from tests.truth import twin_numbers


@pytest.mark.parametrize("case", of("required_n_metric"))
def test_required_queries_are_exact(case: dict[str, Any]) -> None:
    """The smallest number of queries with 80% power is that of the noncentral t."""
    assert required_n(case["sd"], case["target"]) == case["n"]


def test_required_queries_are_those_of_a_plain_search() -> None:
    """On random deviations and targets, from 2 pairs to 100,000, no smaller number has 80% power by integration."""
    rng = random.Random(8)
    for _ in range(60):
        sd, target = 10 ** rng.uniform(-3, 2), 10 ** rng.uniform(-0.05, 0.05)
        assert required_n(sd, target) == twin_numbers.required_n(sd, target), (sd, target)


def test_a_difference_far_above_its_spread_needs_three_pairs_where_two_have_too_little_power() -> None:
    """Two pairs have 69% power at a deviation of 0.11 targets, whatever the far tail of the noncentral t says."""
    assert [required_n(sd, 1.0) for sd in (0.05, 0.11, 0.13, 0.15, 0.18)] == [2, 3, 3, 3, 3]


@pytest.mark.parametrize("case", of("required_n_gsb"))
def test_required_votes_are_exact(case: dict[str, Any]) -> None:
    """The number of queries with votes follows the share of decided votes and the preference looked for."""
    assert required_votes(case["discordant_share"], case["target_delta_gsb"]) == case["n"]


@pytest.mark.parametrize("case", [c for c in of("gsb_cases") if "required_n_80_for_5pp" in c.values[0]["expected"]])
def test_required_votes_of_a_table(case: dict[str, Any]) -> None:
    """The votes needed for five points follow the share of decided votes seen."""
    table = gsb(case["good"], case["same"], case["bad"])
    assert required_votes(table.decided / table.n, 0.05) == case["expected"]["required_n_80_for_5pp"]


def test_a_large_requirement_is_still_a_number() -> None:
    """A tiny difference needs millions of queries, and the answer comes at once."""
    assert 7.8e8 < required_n(1.0, 1e-4) < 7.9e8


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
