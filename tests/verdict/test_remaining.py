"""Sums less what some queries gave are what the paired comparison of the others says."""

from __future__ import annotations

from dataclasses import fields

import numpy as np
import pytest

from rankdash.evidence.paired import Groups, Paired, paired
from rankdash.verdict.remaining import Differences
from tests.verdict.decided import removals

#: What the rules read.
READ = [
    *"n n_eff changed clusters wins ties losses delta delta_unweighted".split(),
    *"se df p_harm p_flip lower95 upper95 lower90 upper90".split(),
]


def without(differences: Differences, gone: np.ndarray) -> Paired:
    """What is said when some queries were taken out, one after the other."""
    for row in gone.tolist():
        differences.drop(row)
    return differences.paired()


def same(found: Paired, expected: Paired, names: list[str]) -> None:
    """The same numbers, to the digits that sums in another order keep."""
    known = {field.name for field in fields(Paired)}
    for name in names:
        assert name in known
        one, other = getattr(found, name), getattr(expected, name)
        assert (one is None) == (other is None), name
        assert one is None or one == pytest.approx(other, abs=1e-9), name


@pytest.mark.parametrize("seed", range(20))
def test_the_others_are_compared_as_if_they_were_alone(seed: int) -> None:
    """Weighted or not, in groups or not, with queries without a difference, many ties, few changes, any removal."""
    random = np.random.default_rng(seed)
    n = int(random.integers(6, 40))
    delta = np.round(random.normal(0.01, 0.1, n), 3)
    delta[random.random(n) < (0.1, 0.7)[seed % 2]] = 0.0
    delta[random.random(n) < 0.2] = np.nan
    weights = None if seed % 3 == 0 else np.round(random.uniform(0, 3, n), 2)
    clusters = random.integers(0, max(2, n // 3), n) if seed % 4 > 1 else None
    for size in (0, 1, 3):
        gone = random.choice(n, size, replace=False)
        kept = np.setdiff1d(np.arange(n), gone)
        kept = kept[~np.isnan(delta[kept])]
        chosen = None if weights is None or not weights[kept].sum() > 0 else weights[kept]
        groups = None if clusters is None else clusters[kept]
        expected = paired(np.zeros(len(kept)), delta[kept], weights=chosen, clusters=groups, mpe=0.0)
        names = READ if expected.lower95 is not None else ["n", "wins", "ties", "losses", "delta", "lower95", "upper90"]
        series = Differences(delta, weights, None if clusters is None else Groups.of(clusters))
        same(without(series, gone), expected, names)


@pytest.mark.parametrize("weights", [None, [1.0, 4.0, 1.0, 2.0, 0.5, 3.0]])
def test_differences_that_are_nearly_the_same_are_counted_anew(weights: list[float] | None) -> None:
    """Where sums of squares cancel, the differences themselves are asked, with their weights."""
    delta = np.array([0.3, 0.5, 0.50001, 0.50002, 0.50001, 0.50004])
    weight = None if weights is None else np.array(weights)
    found = without(Differences(delta, weight, None), np.array([0]))
    same(found, paired(np.zeros(5), delta[1:], weights=None if weight is None else weight[1:], mpe=0.0), READ)


def test_no_query_left_says_nothing() -> None:
    """One query has a difference and no interval; none has neither."""
    series = Differences(np.array([0.1, 0.2]), None, None)
    alone = without(series, np.array([0]))
    assert alone.delta == pytest.approx(0.2)
    assert alone.lower95 is None
    assert without(series, np.array([1])).delta is None


@pytest.mark.parametrize("seed", range(10))
def test_a_rest_without_weight_is_counted_as_it_stands(seed: int) -> None:
    """Where every query with a weight is gone, what rounding has left of the weights is no weight."""
    random = np.random.default_rng(seed)
    weights = np.concatenate([random.random(4), np.zeros(4)])
    delta = np.round(random.normal(0, 0.3, 8), 3)
    same(without(Differences(delta, weights, None), np.arange(4)), paired(np.zeros(4), delta[4:], mpe=0.0), READ)
    for up in (False, True):
        assert not {0, 1, 2, 3} <= {*removals(Differences(delta, weights, None), 2.0, up, 8)}


@pytest.mark.parametrize("seed", range(40))
def test_groups_within_which_differences_cancel_are_counted_anew(seed: int) -> None:
    """Where every group that is left sums to nothing there is no spread, and what rounding has left of it is none."""
    random = np.random.default_rng(seed)
    gain, *lost = np.round(random.uniform(0.01, 1, 4), 3)
    delta = np.array([gain, -gain, *lost, 0.0, 0.0])
    groups = np.array([0, 0, 1, 1, 2, 2, 3])
    series = Differences(delta, None, Groups.of(groups))
    left = [0, 1, 5, 6]
    same(without(series, np.array([2, 3, 4])), paired(np.zeros(4), delta[left], clusters=groups[left], mpe=0.0), ["n"])
    assert series.paired().lower95 is None
