"""Relations between numbers: what a better grade, the same model, one more query or a row far below can do to them."""

import math
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import rankdash as rd
from rankdash.metrics import DEFINITIONS
from tests.truth.scale import sampled
from tests.truth.small import Small, small_world, some_convention, some_policy

K = (1, 2, 3, 10)
LARGEST = 6.0
RISING = ("CG", "DCG", "P", "RR", "Success", "RBP", "ERR")
SEEDS = range(sampled(10))
Values = dict[str, dict[str, float]]  # by query and measure


def names(rng: np.random.Generator) -> list[str]:
    """Every measure that scores a list, some of them cut; ERR on one scale whatever the judgments hold."""
    found = []
    for name, row in DEFINITIONS.items():
        own = f"(max_grade={LARGEST:g})" if name == "ERR" else ""
        cut = row.cutoff == "required" or (row.cutoff == "optional" and rng.random() < 0.5)
        if row.of_lists is not None and not row.of_subtopics:
            found.append(f"{name}{own}@{rng.choice(K)}" if cut else f"{name}{own}")
    return found


def judged_world(rng: np.random.Generator, **sizes: Any) -> Small:
    """A world in which a document of A is judged: without any nothing is evaluated."""
    while True:
        world = small_world(rng, **sizes)
        if any((query, doc) in world.grades for query, docs in world.lists["a"].items() for doc, _ in docs):
            return world


def values(world: Small, measures: list[str], convention: rd.Convention) -> Values:
    """The values of A; without a list that the convention leaves out."""
    frame = rd.evaluate(world.run("a"), world.judgments(), measures, convention=convention)
    found: Values = {}
    for query, measure, value in zip(frame["query_id"], frame["measure"], frame["value"], strict=True):
        found.setdefault(query, {})[measure] = value
    return found


@pytest.mark.parametrize("seed", SEEDS)
def test_a_higher_grade_lowers_no_measure_without_an_ideal(seed: int) -> None:
    """A higher grade of one document never lowers CG, DCG, P, RR, Success or RBP of a list, nor ERR under a fixed
    largest grade; nDCG, AP and recall may fall, for what they divide by rises.
    """
    rng = np.random.default_rng([seed, 11])
    convention = some_convention(rng, gain=str(rng.choice(["linear", "exp2"])), unjudged="nonrelevant", no_relevant="0")
    measures = [name for name in names(rng) if name.split("@")[0].split("(")[0] in RISING]
    world = judged_world(rng, queries=3, repeats=False)
    before = values(world, measures, convention)
    pairs = [(query, f"d{i}") for query in before for i in range(6)]
    for query, doc in pairs[:: int(rng.integers(3, 9))]:
        grade = world.grades.get((query, doc), -1.0)
        higher = float(rng.choice([one for one in (0.0, 0.5, 1.0, 2.0, 3.0, 5.0, LARGEST) if one > grade]))
        kept = tuple(row for row in world.judged if row[:2] != (query, doc))
        after = values(replace(world, judged=(*kept, (query, doc, higher))), measures, convention)
        for measure, value in before[query].items():
            assert after[query][measure] >= value - 1e-12, (measure, convention)
        assert {q: of for q, of in after.items() if q != query} == {q: of for q, of in before.items() if q != query}


@pytest.mark.parametrize("seed", SEEDS)
def test_a_model_against_itself_is_0(seed: int) -> None:
    """A against A: every delta that is defined is 0, nothing wins or loses, and nothing launches."""
    rng = np.random.default_rng([seed, 12])
    primary = str(rng.choice(["nDCG@3", "AP", "RR", "P@2", "ERR(max_grade=6)@3", "Bpref"]))
    world, policy, measures = small_world(rng), some_policy(rng, primary=primary), names(rng)
    found = world.compared(policy, measures, sides="aa")
    assert not np.nan_to_num(found.deltas).any()
    for result in found.results:
        assert (result.paired.wins, result.paired.losses, result.paired.delta or 0.0) == (0, 0, 0.0)
    assert not found.scored["changed"].any()
    assert not found.gsb_derived.delta
    assert not any((found.explained.waterfall or {}).values())
    assert rd.decide(found).rule in ("C1", "C2", "C6", "C7", "C4", "C5", "N0")


@pytest.mark.parametrize("seed", SEEDS)
def test_one_more_query_changes_no_other_query(seed: int) -> None:
    """One more query, judged or not, changes no other value of any measure."""
    rng = np.random.default_rng([seed, 15])
    world, convention, measures = judged_world(rng), some_convention(rng), names(rng)
    before = values(world, measures, convention)
    more = {**world.lists, "a": {"a new query": [("d0", 2.0), ("new", 1.0)], **world.lists["a"]}}
    judged = (*([("a new query", "d0", LARGEST)] if rng.random() < 0.7 else []), *world.judged)
    same_values(values(replace(world, lists=more, judged=judged), measures, convention), before)


@pytest.mark.parametrize("seed", SEEDS)
def test_a_row_far_below_the_cutoff_changes_no_query(seed: int) -> None:
    """Documents far below the cutoff change no value that is cut, of this query or another."""
    rng = np.random.default_rng([seed, 16])
    world, convention = judged_world(rng, documents=14, longest=14), some_convention(rng)
    measures = [name for name in names(rng) if "@" in name]
    longer = {
        query: [(doc, score + 100) for doc, score in docs] + [(f"far {i}", -float(i)) for i in range(10)]
        if len({doc for doc, _ in docs}) >= max(K)
        else docs
        for query, docs in world.lists["a"].items()
    }
    after = values(replace(world, lists={**world.lists, "a": longer}), measures, convention)
    same_values(after, values(world, measures, convention))


def same_values(found: Values, before: Values) -> None:
    """The values of the queries that were there are the same to the last digit."""
    for query, of in before.items():
        for measure, value in of.items():
            assert found[query][measure] == value or math.isnan(found[query][measure]) == math.isnan(value) is True
