"""What a verdict says is needed, and what its caveats state, computed again from the rows of random worlds."""

import math
import random

import numpy as np
import pytest
from scipy import stats

import rankdash as rd
from rankdash import wording
from rankdash.verdict import evidence_of
from tests.truth.scale import sampled
from tests.truth.small import near_limits
from tests.truth.twin_numbers import Z80, moments

SEEDS = range(sampled(48))


def made(seed: int) -> rd.Comparison:
    """The comparison of a world near the limits of the rules."""
    world, said, convention = near_limits(seed)
    return world.compared(rd.Policy.from_dict({**said, "inference": "sample"}).changed(convention=convention))


@pytest.mark.parametrize("seed", SEEDS)
def test_queries_that_are_needed_count_judged_ones(seed: int) -> None:
    """What the gate of a launch lacks, and how many queries tell a difference from 0; where only affected queries count
    more must be judged, by the share of these.
    """
    comparison = made(seed)
    verdict, evidence, policy = rd.decide(comparison), evidence_of(comparison), comparison.policy
    primary, needed = evidence.plain.primary, dict(verdict.needed)
    share = primary.n / primary.n_all if policy.population == "affected" and primary.n_all else 1.0
    if verdict.rule == "S1":
        units = primary.clusters or primary.n
        light = min(units, primary.n_eff or units) < units - 1e-9
        assert needed["more"] == (0 if light or units >= policy.n_min else policy.n_min - units)
        assert needed["more_in_score"] == max(policy.changed_min - primary.changed, 0)
        if needed["more"] and policy.population == "affected" and primary.clusters is None:
            assert needed["judged"] == math.ceil(round(needed["more"] / share, 6))
    if verdict.rule == "U1":
        sd = (primary.mde80 or 0.0) / Z80 * math.sqrt(primary.n)
        for name, target in (("gain", policy.mpe), ("as_seen", primary.delta or 0.0)):
            if name in needed:  # the t-test needs two queries more than this
                assert needed[name] == pytest.approx((Z80 * sd / target) ** 2 / share, rel=0.02, abs=5 / share)


@pytest.mark.parametrize("seed", range(sampled(24)))
def test_needed_votes_follow_the_error_that_the_interval_has(seed: int) -> None:
    """Several votes for each query, with sides or without: n (z se / target)^2, se of the interval that is shown."""
    dice = random.Random(seed)
    sided, n = dice.random() < 0.5, dice.choice((40, 90))
    rows = [
        {"query_id": f"q{i}", "rater": f"r{j}", "vote": dice.choices(("good", "same", "bad"), (4, 5, 3))[0]}
        | ({"left": dice.choice("AB")} if sided else {})
        for i in range(n)
        for j in range(dice.choice((2, 5)))
    ]
    alone = rd.compare_votes(rd.read_votes(rows))
    verdict, votes = rd.decide(alone), alone.votes.gsb
    assert votes.ci95 is not None
    se = (votes.ci95[1] - votes.ci95[0]) / 2 / stats.t.ppf(0.975, n - 2 if sided else n - 1)
    for name, target in (("gain", 0.02), ("as_seen", votes.delta or 0.0)):
        if verdict.rule == "U1" and name in verdict.needed:
            assert verdict.needed[name] == pytest.approx(n * (Z80 * se / target) ** 2, abs=1.5, rel=1e-6)


@pytest.mark.parametrize("seed", SEEDS)
def test_caveats_are_true_of_the_rows(seed: int) -> None:
    """Wins against losses, missing queries, weights: each caveat appears exactly where it is true, with its numbers."""
    comparison = made(seed)
    verdict = rd.decide(comparison)
    found = {one.id: one.sentence for one in verdict.caveats}
    counts = comparison.counted & ~np.isnan(comparison.deltas[0])
    deltas = comparison.deltas[0][counts].tolist()
    if verdict.rule.startswith("C") or not deltas:
        return
    weights = None if comparison.sample.weights is None else comparison.sample.weights[counts].tolist()
    mean = moments(deltas, weights)[0]
    wins, losses = (sum(sign * delta > 0 for delta in deltas) for sign in (1, -1))
    contrary = abs(mean) > 1e-9 and (wins - losses) * mean < 0
    counts_said = f"({max(wins, losses)} to {min(wins, losses)})"
    assert (counts_said in found.get("majority", "")) == contrary
    data = evidence_of(comparison).data
    assert ("missing" in found) == bool(data.missing_a + data.missing_b)
    if "the difference is" in found.get("missing", ""):
        without = near_limits(seed)[0].compared(comparison.policy.changed(missing="skip")).primary.paired.delta
        assert f"the difference is {wording.near(without, 0.0)}" in found["missing"]
    if "weights" in found:
        assert f"{wording.near(moments(deltas, None)[0], 0.0)} without" in found["weights"]
    assert ("small" in found) <= verdict.launch
