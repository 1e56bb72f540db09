"""The parts of a comparison, and its settings, say what each says alone."""

from __future__ import annotations

from dataclasses import replace

import pytest

import rankdash as rd
from rankdash.judged import SIDES
from rankdash.scoring import PerQuery, compare_scored, existing, numbers_under, score_queries
from rankdash.scoring.comparison import values_of
from rankdash.scoring.results import QuerySample, Weighed, weigh
from rankdash.verdict.decide import without_missing
from tests.long import every
from tests.made import compared_anyway
from tests.truth.test_per_query import made

POLICY = rd.Policy(segments=("kind",))


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
            numbers = numbers_under(comparison, name, other)
            assert vars(numbers) == {field: getattr(alone, field) for field in vars(numbers)}, name
