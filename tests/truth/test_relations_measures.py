"""Relations between numbers: what a better grade, the other side, one more query or a row far below can do to them."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import rankdash as rd
from rankdash.metrics import DEFINITIONS
from tests.truth.scale import done, sampled
from tests.truth.small import Small, small_world, some_convention

K = (1, 2, 3, 10)
LARGEST = 6.0


def names(rng: np.random.Generator) -> list[str]:
    """Every measure that scores a list, some of them cut; ERR on one scale whatever the judgments hold."""
    found = []
    for name, row in DEFINITIONS.items():
        own = f"(max_grade={LARGEST:g})" if name == "ERR" else ""
        cut = row.cutoff == "required" or (row.cutoff == "optional" and rng.random() < 0.5)
        if row.of_lists is not None:
            found.append(f"{name}{own}@{rng.choice(K)}" if cut else f"{name}{own}")
    return found


def values(
    world: Small, measures: list[str], convention: rd.Convention, side: str = "a"
) -> dict[str, dict[str, float]]:
    """{query: {measure: value}} of one side; without a list that the convention leaves out."""
    frame = rd.evaluate(world.run(side), world.judgments(), measures, convention=convention)
    found: dict[str, dict[str, float]] = {}
    for query, measure, value in zip(frame["query_id"], frame["measure"], frame["value"], strict=True):
        found.setdefault(query, {})[measure] = value
    return found


@pytest.mark.parametrize("seed", range(5))
def test_a_higher_grade_lowers_no_measure_without_an_ideal(seed: int) -> None:
    """A higher grade of one document never lowers CG, DCG, P, RR, Success or RBP of a list, nor ERR under a fixed
    largest grade; nDCG, AP and recall may fall, for what they divide by rises.
    """
    rng = np.random.default_rng([seed, 11])
    for _ in range(sampled(2)):
        convention = some_convention(
            rng, gain=str(rng.choice(["linear", "exp2"])), unjudged="nonrelevant", no_relevant="0"
        )
        measures = [name for name in names(rng) if name.split("@")[0].split("(")[0] in _RISES]
        world = small_world(rng, queries=3, repeats=False)
        before = values(world, measures, convention)
        if not before:
            continue
        pairs = [(query, f"d{i}") for query in before for i in range(6)]
        query, doc = pairs[int(rng.integers(len(pairs)))]
        grade = world.grades.get((query, doc), -1.0)
        higher = float(rng.choice([one for one in (0.0, 0.5, 1.0, 2.0, 3.0, 5.0, LARGEST) if one > grade]))
        kept = tuple(row for row in world.judged if row[:2] != (query, doc))
        after = values(replace(world, judged=(*kept, (query, doc, higher))), measures, convention)
        for measure, value in before[query].items():
            assert after[query][measure] >= value - 1e-12, (measure, convention)
        assert {q: of for q, of in after.items() if q != query} == {q: of for q, of in before.items() if q != query}
        done("relations of measures")


_RISES = ("CG", "DCG", "P", "RR", "Success", "RBP", "ERR")


def test_ndcg_and_ap_may_fall_with_a_grade() -> None:
    """The condition of the relation above is needed: a higher grade below raises the ideal more than the list."""
    run, low, high = {"q": ["d", "x", "e"]}, {"q": {"d": 1}}, {"q": {"d": 1, "e": 2}}
    for measure in ("nDCG@2", "AP", "R@1"):
        before, after = (rd.evaluate(run, grades, [measure])["value"][0] for grades in (low, high))
        assert after < before


def some_policy(rng: np.random.Generator) -> rd.Policy:
    """Any measure that a policy may have, and gates so low that verdicts differ."""
    return rd.Policy(
        primary=str(rng.choice(["nDCG@3", "AP", "RR", "P@2", "ERR(max_grade=6)@3", "Bpref"])),
        convention=some_convention(rng, gain=str(rng.choice(["linear", "exp2"]))),
        population=str(rng.choice(["all", "affected"])),  # type: ignore[arg-type]
        missing=str(rng.choice(["unknown", "empty", "skip"])),  # type: ignore[arg-type]
        judgments="judged",
        n_min=1,
        changed_min=1,
        harm_n_min=1,
        missing_gap=100,
    )


def compared(world: Small, a: str, b: str, policy: rd.Policy, measures: list[str]) -> rd.Comparison:
    """One side of the world against another, or against itself."""
    return rd.compare(
        world.run(a), world.run(b), world.judgments(), policy=policy, measures=measures, queries=world.queries()
    )


@pytest.mark.parametrize("seed", range(5))
def test_a_model_against_itself_is_0(seed: int) -> None:
    """A against A: every delta that is defined is 0, nothing wins or loses, and nothing launches."""
    rng = np.random.default_rng([seed, 12])
    for _ in range(sampled(2)):
        world, policy, measures = small_world(rng), some_policy(rng), names(rng)
        found = compared(world, "a", "a", policy, measures)
        assert not np.nan_to_num(found.deltas).any()
        for result in found.results:
            assert (result.paired.wins, result.paired.losses, result.paired.delta or 0.0) == (0, 0, 0.0)
        assert not found.affected.any()
        assert not any((found.explained.waterfall or {}).values())
        assert rd.decide(found).rule in ("C1", "C2", "C6", "C7", "C4", "C5", "N0")
        done("relations of measures")


@pytest.mark.parametrize("seed", range(5))
def test_exchanging_the_models_negates_every_difference(seed: int) -> None:
    """B against A has every delta of A against B with the other sign, bounds and parts too; both never launch."""
    rng = np.random.default_rng([seed, 13])
    for _ in range(sampled(1)):
        world, policy, measures = small_world(rng, queries=8), some_policy(rng), names(rng)
        there, back = (compared(world, *sides, policy, measures) for sides in (("a", "b"), ("b", "a")))
        np.testing.assert_array_equal(there.deltas, -back.deltas)
        for one, other in zip(there.results, back.results, strict=True):
            assert (one.paired.wins, one.paired.losses) == (other.paired.losses, other.paired.wins)
            assert close(one.paired.delta, other.paired.delta, -1)
            assert close(one.paired.lower95, other.paired.upper95, -1)
        assert (there.plain.severe_wins, there.plain.severe_losses) == (
            back.plain.severe_losses,
            back.plain.severe_wins,
        )
        if there.delta_bounds is not None and back.delta_bounds is not None:
            assert there.delta_bounds == pytest.approx([-end for end in back.delta_bounds[::-1]], abs=1e-12)
        assert (there.delta_bounds is None) == (back.delta_bounds is None)
        if policy.intent == "improve":
            assert not (rd.decide(there).launch and rd.decide(back).launch)
        done("relations of measures")


def close(one: float | None, other: float | None, sign: int) -> bool:
    """Whether one number is the other with a sign; None only where None is."""
    return one is other if one is None or other is None else math.isclose(one, sign * other, abs_tol=1e-12)


@pytest.mark.parametrize("seed", range(5))
def test_clear_winners_launch_on_one_side_alone(seed: int) -> None:
    """Where the better model launches, the exchanged comparison does not; the other outcomes never launch either."""
    rng = np.random.default_rng([seed, 14])
    for _ in range(sampled(1)):
        docs = [f"d{i}" for i in range(6)]
        judged = {
            f"q{i}": {doc: float(grade) for doc, grade in zip(docs, rng.integers(0, 4, 6), strict=True)}
            for i in range(60)
        }
        lists: Any = [{}, {}]
        for query, grades in judged.items():
            best = sorted(docs, key=lambda doc: -grades[doc])
            lists[0][query] = list(rng.permutation(docs))
            lists[1][query] = best if rng.random() < 0.6 else list(rng.permutation(docs))
        policy = rd.Policy(convention=rd.Convention(), primary="nDCG@5", guardrails=(), watch=())
        there, back = (rd.decide(rd.compare(*pair, judged, policy=policy)) for pair in (lists, lists[::-1]))
        assert (there.launch, back.launch) == (True, False)
        done("relations of measures")


@pytest.mark.parametrize("seed", range(5))
def test_one_more_query_changes_no_other_query(seed: int) -> None:
    """One more query, judged or not, changes no other value of any measure."""
    rng = np.random.default_rng([seed, 15])
    for _ in range(sampled(2)):
        world, convention, measures = small_world(rng), some_convention(rng), names(rng)
        before = values(world, measures, convention)
        more = {**world.lists, "a": {"a new query": [("d0", 2.0), ("new", 1.0)], **world.lists["a"]}}
        judged = (*([("a new query", "d0", LARGEST)] if rng.random() < 0.7 else []), *world.judged)
        after = values(replace(world, lists=more, judged=judged), measures, convention)
        same_values(after, before)
        done("relations of measures")


@pytest.mark.parametrize("seed", range(5))
def test_a_row_far_below_the_cutoff_changes_no_query(seed: int) -> None:
    """Documents far below the cutoff change no value that is cut, of this query or another."""
    rng = np.random.default_rng([seed, 16])
    for _ in range(sampled(2)):
        world, convention = small_world(rng, documents=14, longest=14), some_convention(rng)
        measures = [name for name in names(rng) if "@" in name]
        before = values(world, measures, convention)
        longer = {
            query: [(doc, score + 100) for doc, score in docs] + [(f"far {i}", -float(i)) for i in range(10)]
            if len({doc for doc, _ in docs}) >= max(K)
            else docs
            for query, docs in world.lists["a"].items()
        }
        same_values(values(replace(world, lists={**world.lists, "a": longer}), measures, convention), before)
        done("relations of measures")


def same_values(found: dict[str, dict[str, float]], before: dict[str, dict[str, float]]) -> None:
    """The values of the queries that were there are the same to the last digit."""
    for query, of in before.items():
        for measure, value in of.items():
            assert found[query][measure] == value or math.isnan(found[query][measure]) == math.isnan(value) is True
