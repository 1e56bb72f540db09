"""Per-query values under the settings beside a policy: those of each setting, or none at all."""

from collections.abc import Mapping

import numpy as np
import pytest

import rankdash as rd
from rankdash.judged import SIDES
from rankdash.metrics import DEFINITIONS
from rankdash.scoring import PerQuery, compare_scored, existing, join, numbers_under, score_queries
from tests.long import every
from tests.made import compared_anyway, judgments, run
from tests.truth.test_per_query import made

POLICY = rd.Policy(primary="nDCG@2", n_min=1, changed_min=1)
#: Lists whose values, documents in the first k and missing labels depend on the cutoff, the gain and what is unjudged.
A = {f"q{i}": ["u", "x", "y", "z"][: 2 + i % 3] for i in range(9) if i != 4}
B = {f"q{i}": ["x", "y", "v", "z"][i % 2 :] for i in range(9)}
GRADES = {f"q{i}": {"x": 1, "y": 3, "z": i % 4} for i in range(9)}


@pytest.fixture(scope="module")
def written() -> PerQuery:
    """The values as they come out of a file: no list is at hand."""
    scored = score_queries(join(run(A), run(B), judgments(GRADES)), POLICY, neighbours=True)
    return PerQuery.from_arrow(scored.to_arrow())


@pytest.fixture(scope="module")
def policies(written: PerQuery) -> Mapping[str, rd.Policy]:
    """The settings that exist."""
    return existing(POLICY, written.scope.grades)


def test_what_was_not_scored_for_a_setting_is_not_the_policys_own(
    written: PerQuery, policies: Mapping[str, rd.Policy]
) -> None:
    """Bounds of labels and ties hang on the cutoff: asked for under another one they are refused, never passed off."""
    for name in policies:
        other = written.neighbour(name)
        assert len(written["most"]) == len(written["tied_a"]) == 9
        for column in ("most", "tied_a", "best_of_ties_a:nDCG@2", "nothing"):
            with pytest.raises(KeyError, match="has no column"):
                other[column]


#: An axis that a setting may change, and two values of it.
AXES = {"gain": ("linear", "exp2"), "unjudged": ("nonrelevant", "condensed"), "rel": (1, 2), "ideal_cut": ("k", "none")}


@pytest.mark.parametrize("axis", AXES)
@pytest.mark.parametrize("seed", range(3))
def test_measures_of_one_meaning_have_the_same_values(axis: str, seed: int) -> None:
    """Whatever else a convention says: an axis that a measure does not read changes none of its values, to the bit."""
    small, _ = made(seed)
    joined = join(small.run("a"), small.run("b"), small.judgments(), depth=40)
    conventions = [rd.Convention().with_axes({axis: value}) for value in AXES[axis]]
    forms = [form for row in DEFINITIONS.values() if row.of_lists and not row.of_subtopics for form in row.forms]
    alike = 0
    for form in forms:
        one, other = (rd.parse_measure(form.replace("@k", "@3"), convention) for convention in conventions)
        if one.meaning == other.meaning:
            alike += 1
            for side in SIDES:
                np.testing.assert_array_equal(joined.scores(side, (one,)), joined.scores(side, (other,)), form)
    assert 0 < alike < len(forms)


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
