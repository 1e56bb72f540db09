"""What a side is worth: a straight line through the votes, written out by another road."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from rankdash.evidence.votes.gsb import unusable
from rankdash.evidence.votes.sides import Sides, sides


@pytest.mark.parametrize("seed", range(8))
def test_labels_at_a_balanced_side_are_those_of_a_regression(seed: int) -> None:
    """Slope of least squares on h, the variance of HC1 from its matrices, t with n - 2 degrees."""
    random = np.random.default_rng(seed)
    n = int(random.integers(5, 30))
    labels, h = random.integers(-1, 2, n), random.choice([-1.0, -1 / 3, 1 / 3, 1.0], n)
    design = np.column_stack((np.ones(n), h))
    line = np.linalg.lstsq(design, labels.astype(float), rcond=None)[0]
    residual = labels - design @ line
    inside = np.linalg.inv(design.T @ design)
    hc1 = n / (n - 2) * inside @ (design.T * residual**2) @ design @ inside
    se = 2 * np.sqrt(hc1[1, 1])
    found = sides(labels, h, 0.4)
    assert found.n == pytest.approx(n * (1 - h.sum() ** 2 / (n * (h**2).sum())), abs=1e-9)
    assert found.left == 0.4
    assert found.effect == pytest.approx(2 * line[1], abs=1e-9)
    assert found.se == pytest.approx(se, abs=1e-9)
    half = stats.t.ppf(0.975, n - 2) * se
    assert (found.lower95, found.upper95) == pytest.approx((2 * line[1] - half, 2 * line[1] + half), abs=1e-9)
    assert found.p == pytest.approx(2 * stats.t.sf(abs(2 * line[1]) / se, n - 2), abs=1e-9)


def test_where_b_always_stood_on_one_side_nothing_is_balanced() -> None:
    """No query is left of it; where nobody stood anywhere every query is balanced."""
    assert sides([1, 0, -1, -1], [1, 1, 1, 1], 1.0) == Sides(1.0, 0.0)
    assert sides([1, 0, -1, -1], [0, 0, 0, 0], 0.5) == Sides(0.5, 4.0)


def test_two_queries_have_an_effect_and_no_interval() -> None:
    """A line through two points leaves nothing over; three on a line have no spread, and p is 0 or 1."""
    two = sides([1, -1], [1, -1], 0.5)
    assert (two.effect, two.se, two.p) == (2.0, None, None)
    three = sides([1, 0, -1], [1, 0, -1], 0.5)
    assert (three.effect, three.se, three.lower95, three.upper95, three.p) == (2.0, 0.0, 2.0, 2.0, 0.0)
    level = sides([0, 0, 0], [1, 0, -1], 0.5)
    assert (level.effect, level.se, level.p) == (0.0, 0.0, 1.0)


@pytest.mark.parametrize("seed", range(6))
def test_what_a_side_moves_is_possible(seed: int) -> None:
    """Half of the effect, as far as ΔGSB can lie on either side of its balance; none where nothing is left out."""
    random = np.random.default_rng(seed)
    for n in (3, 4, 8, 30, 300):
        found = sides(random.integers(-1, 2, n), random.choice([-1.0, -1 / 3, 0.05, 1.0], n), 0.4)
        if found.effect is None or found.lower95 is None or found.upper95 is None:
            assert found.shift is None
            continue
        low, high = max(found.lower95 / 2, -1.0), min(found.upper95 / 2, 1.0)
        if (low, high) == (-1.0, 1.0) or not low <= found.effect / 2 <= high:
            assert found.shift is None
        else:
            assert found.shift == (found.effect / 2, low, high)
    assert sides([1, -1], [1, -1], 0.5).shift is None
    assert sides([1, 1, -1, -1], [1, 1, -1, -1], 0.5).shift == (1.0, 1.0, 1.0)


@pytest.mark.parametrize("label", [-1, 0, 1])
def test_a_side_is_worth_nothing_where_every_label_is_the_same(label: int) -> None:
    """Whatever side B stood on, nobody preferred another one because of it: an effect of 0, and nothing proven."""
    random = np.random.default_rng(0)
    for h in ([1 / 3, 1 / 3, 1.0], *(random.choice([-1.0, -1 / 3, -0.2, 1 / 3, 0.6], n) for n in range(4, 40))):
        found = sides([label] * len(h), h, 0.5)
        assert (found.effect, found.se, found.p) == (0.0, 0.0, 1.0)


def test_labels_on_a_line_have_no_spread_whatever_the_shares_are() -> None:
    """Three raters make sides of thirds, which no double is; what rounding leaves over is no spread."""
    for labels, h in (([1, 0, 0], [1, 1 / 3, 1 / 3]), ([-1, -1, 0], [-1 / 3, -1 / 3, 1 / 3])):
        found = sides(labels, h, 0.5)
        assert (found.effect, found.se, found.p) == (3.0, 0.0, 0.0)
    assert sides([0, -1, 0], [1 / 3, -1 / 3, 1 / 3], 0.5).effect == 3.0


@pytest.mark.parametrize(
    ("h", "half"),
    [([0.0, 0.0, 0.0, 0.2, 0.2, 0.2], 3.0), ([0.0] * 4 + [0.6] * 4, 4.0), ([-1 / 3] + [0.5] * 4, 2.5)],
)
def test_votes_that_are_worth_half_of_their_queries_are_worth_just_that(h: list[float], half: float) -> None:
    """At least half of the queries at a balanced side can be used; one that rounding took off would leave too few."""
    found = sides([1, -1] * (len(h) // 2) + [0] * (len(h) % 2), h, 0.5)
    assert found.n == half
    assert unusable(len(h), len(h), found.n, votes_min=1) is None


def test_a_line_beyond_what_a_side_can_do_says_nothing_about_it() -> None:
    """A difference of two ΔGSB is at most 2: a steeper line through one half of the sides is no effect of a side."""
    found = sides([-1, -1, 1, -1, 1], [-0.2, 0.6, 1.0, -1 / 3, 0.6], 0.5)
    assert found.effect == pytest.approx(2.8378, abs=1e-4)
    assert found.shift is None
