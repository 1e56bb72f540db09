"""What is known of the same values is not counted again, and says what counting again would."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import rankdash as rd
from rankdash.comparison.paired_results import Sample, Weighed, weigh
from rankdash.metrics import parse_measures
from rankdash.verdict.sensitivity import without_missing
from tests.truth.test_per_query import made

POLICY = rd.Policy(segments=("kind",))


@pytest.mark.parametrize("seed", range(24))
def test_the_same_values_say_the_same(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whichever measures have the same values, one of them changed in its last bit or not: every number is equal."""
    random = np.random.default_rng(seed)
    names, n = [*POLICY.measures, "P@5"], 60
    values = np.round(random.random((2, len(names), n)), 2)
    values[:, random.random((len(names), n)) < 0.1] = np.nan
    kinds = {"kind": np.array([("x", "y", "")[i % 3] for i in range(n)], object)}
    weights = None if seed % 2 else random.integers(0, 4, n).astype(float)
    sample = Sample(random.random(n) < 0.9, weights, kinds)
    known = (*values, weigh(POLICY, parse_measures(names), *values, sample))
    other = values[:, : len(POLICY.measures)].copy()
    changed = random.random(len(POLICY.measures)) < (0.0, 0.4, 1.0)[seed % 3]
    for row in np.flatnonzero(changed):
        at = int(np.flatnonzero(~np.isnan(other[0, row]))[0])
        other[int(random.integers(2)), row, at] = (np.nan, np.nextafter(other[0, row, at], 2), 0.5)[seed % 3]
    measures = parse_measures(POLICY.measures)
    expected = weigh(POLICY, measures, *other, sample)
    counted = []
    pair = Sample.pair
    monkeypatch.setattr(Sample, "pair", lambda *given: counted.append(len(given)) or pair(*given))
    assert weigh(POLICY, measures, *other, sample, known) == expected
    assert counted.count(4) <= int(changed.sum())


def plain_twin(comparison: rd.Comparison) -> Weighed:
    """The queries that both lists answer, weighed for themselves."""
    both = comparison.counted & comparison.answered_by_both
    return comparison.weighed("plain", replace(comparison.sample, counted=both))


@pytest.mark.parametrize("seed", range(12))
def test_a_comparison_says_what_each_part_says_alone(seed: int) -> None:
    """Without the unjudged documents, over all queries, and over those that both answer; in worlds where these are the
    same as the plain reading and in others.
    """
    small, policy = made(seed)
    comparison = rd.compare(small.run("a"), small.run("b"), small.judgments(), policy=policy, queries=small.queries())
    assert comparison.condensed == comparison.weighed("condensed", comparison.sample)
    a, b = comparison.scores_a[0], comparison.scores_b[0]
    assert comparison.primary_everywhere == comparison.sample.everywhere().pair(a, b, policy.mpe)
    found, twin = without_missing(comparison), plain_twin(comparison)
    known = len(policy.measures)
    assert [one.paired for one in found.results[:known]] == [one.paired for one in twin.results]
    assert (found.severe_wins, found.severe_losses) == (twin.severe_wins, twin.severe_losses)
