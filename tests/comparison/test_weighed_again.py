"""What is known of the same values is not counted again, and says what counting again would."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import rankdash as rd
from rankdash.judged import SIDES
from rankdash.metrics import parse_measures
from rankdash.scoring import PerQuery, compare_scored, existing, numbers_under, score_queries
from rankdash.scoring.comparison import values_of
from rankdash.scoring.results import QuerySample, Weighed, WeighedValues, weigh
from rankdash.verdict.decide import without_missing
from tests.long import every
from tests.made import compared_anyway
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
    sample = QuerySample(random.random(n) < 0.9, weights, kinds)
    earlier = [WeighedValues(POLICY, sample, *values, weigh(POLICY, parse_measures(names), *values, sample))]
    other = values[:, : len(POLICY.measures)].copy()
    changed = random.random(len(POLICY.measures)) < (0.0, 0.4, 1.0)[seed % 3]
    for row in np.flatnonzero(changed):
        at = int(np.flatnonzero(~np.isnan(other[0, row]))[0])
        other[int(random.integers(2)), row, at] = (np.nan, np.nextafter(other[0, row, at], 2), 0.5)[seed % 3]
    measures = parse_measures(POLICY.measures)
    expected = weigh(POLICY, measures, *other, sample)
    counted = []
    pair = QuerySample.pair
    monkeypatch.setattr(QuerySample, "pair", lambda *given: counted.append(len(given)) or pair(*given))
    assert weigh(POLICY, measures, *other, sample, earlier) == expected
    assert counted.count(4) <= int(changed.sum())


def anew(comparison: rd.Comparison, reading: str, sample: QuerySample) -> Weighed:
    """The policy's measures under a reading, weighed as if nothing was known."""
    a, b = (values_of(comparison.scored, reading, side, comparison.policy) for side in SIDES)
    return weigh(comparison.policy, comparison.policy_measures, a, b, sample)


def plain_twin(comparison: rd.Comparison) -> Weighed:
    """The queries that both lists answer, weighed for themselves."""
    both = comparison.counted & comparison.answered_by_both
    return anew(comparison, "plain", replace(comparison.sample, counted=both))


@pytest.mark.parametrize("seed", range(12))
def test_a_comparison_says_what_each_part_says_alone(seed: int) -> None:
    """Without the unjudged documents, over all queries, and over those that both answer; in worlds where these are the
    same as the plain reading and in others.
    """
    small, policy = made(seed)
    comparison = compared_anyway(
        small.run("a"), small.run("b"), small.judgments(), policy=policy, queries=small.queries()
    )
    assert comparison.condensed == anew(comparison, "condensed", comparison.sample)
    a, b = comparison.scores_a[0], comparison.scores_b[0]
    assert comparison.primary_everywhere == comparison.sample.everywhere().pair(a, b, policy.mpe)
    found, twin = without_missing(comparison), plain_twin(comparison)
    n = len(policy.measures)
    assert [one.paired for one in found.results[:n]] == [one.paired for one in twin.results]
    assert (found.severe_wins, found.severe_losses) == (twin.severe_wins, twin.severe_losses)


@pytest.mark.parametrize("seed", every(4, range(12)))
def test_a_setting_says_what_its_policy_says_alone(seed: int) -> None:
    """The numbers under a setting beside the policy are those of a comparison under it, from lists and from a table."""
    small, policy = made(seed)
    a, b, judged, queries = small.run("a"), small.run("b"), small.judgments(), small.queries()
    with_lists = compared_anyway(a, b, judged, policy=policy, queries=queries)
    scored = PerQuery.from_arrow(score_queries(with_lists.joined, policy, neighbours=True).to_arrow())
    with_table = compare_scored(scored, policy, queries=queries)
    for name, other in existing(policy, scored.scope.grades).items():
        alone = compared_anyway(a, b, judged, policy=other, queries=queries)
        for comparison in (with_lists, with_table):
            assert numbers_under(comparison, name, other) == alone.numbers, name


@pytest.mark.parametrize("what", ["counted", "weights", "segments", "mpe"])
def test_what_is_known_of_other_queries_or_limits_is_not_taken(what: str) -> None:
    """Values that are the same say something else about another sample, or under another limit: they are weighed."""
    values = np.random.default_rng(1).random((2, len(POLICY.measures), 40))
    sample = QuerySample(np.ones(40, bool), np.ones(40), {})
    policy = other = rd.Policy()
    measures = parse_measures(policy.measures)
    earlier = [WeighedValues(policy, sample, *values, weigh(policy, measures, *values, sample))]
    if what == "counted":
        sample = replace(sample, counted=np.arange(40) > 3)
    elif what == "weights":
        sample = replace(sample, weights=np.arange(40.0) + 1)
    elif what == "segments":
        sample = replace(sample, segments={"kind": np.array(["x", "y"] * 20, object)})
    else:
        other = policy.changed(mpe=0.01)
    expected = weigh(other, measures, *values, sample)
    assert weigh(other, measures, *values, sample, earlier) == expected != earlier[0].weighed
