"""The parts of a comparison, and its settings, say what each says alone."""

from __future__ import annotations

import pytest

from rankdash.scoring import PerQuery, compare_scored, existing, numbers_under, score_queries
from tests.long import every
from tests.made import compared_anyway
from tests.truth.test_per_query import made


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
