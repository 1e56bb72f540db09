"""One population: whatever is said about a comparison speaks of the queries that count, as much as they count.

Small worlds are labelled in every way, and compared anew each time; the parts, the bounds and the effects of labels
have to be what compare() then says.
"""

from dataclasses import replace
from itertools import product
from typing import Any

import numpy as np
import pytest

import rankdash as rd
from rankdash.inspect.labels import candidates
from rankdash.inspect.view import waterfall
from rankdash.metrics.lists import gains
from tests.long import every
from tests.truth.scale import sampled
from tests.truth.small import Grades, Small, small_world, some_convention, some_policy

EXACT = 1e-12
MOST_UNJUDGED = 5


def policy_of(rng: np.random.Generator, **axes: Any) -> rd.Policy:
    """A policy about nDCG@k, or with it beside another primary measure, under which documents add up."""
    k = int(rng.choice([1, 2, 3, 10]))
    convention = some_convention(rng, ideal="judged", ideal_cut="k", unjudged="nonrelevant", **axes)
    primary, alone = str(rng.choice([f"nDCG@{k}", "AP", "RR"])), {"judgments": "judged", "guardrails": (), "watch": ()}
    return some_policy(rng, primary=primary, cutoff=k, convention=convention, **alone)


def comparison(world: Small, policy: rd.Policy, more: Grades | None = None) -> rd.Comparison:
    """The world under the policy, with some more labels."""
    return world.compared(policy, [f"nDCG@{policy.cutoff}"], more=more)


def delta(found: rd.Comparison) -> float | None:
    """The mean difference of nDCG@k as compare() has it; None where no query counts."""
    return found.result(f"nDCG@{found.policy.cutoff}").paired.delta


def unjudged(found: rd.Comparison, world: Small) -> list[tuple[str, str]]:
    """Pairs in the first k of A or B without a grade that counts, of the judged queries, read from the lists."""
    k, ids = found.policy.cutoff, found.query_ids
    pairs: dict[tuple[str, str], None] = {}
    for side in ("a", "b"):
        run, rows = found.joined.run(side), found.joined.ranked(side, found.order).top_row[:, :k]
        docs = run.table.column("doc_id").to_pylist()
        for query, places in zip(ids, rows.tolist(), strict=True):
            pairs |= dict.fromkeys((query, docs[row]) for row in places if row >= 0)
    clipped = found.convention.negative == "clip"
    return [pair for pair in pairs if pair not in world.grades or (world.grades[pair] < 0 and not clipped)]


def ends(world: Small, policy: rd.Policy) -> tuple[float, float]:
    """The grades from 0 on that gain most and least."""
    grades = sorted(grade for grade in world.grades.values() if grade >= 0)
    gained = gains(np.array(grades), policy.scoring.gain)
    return grades[int(np.argmax(gained))], grades[int(np.argmin(gained))]


@pytest.mark.parametrize("seed", every(3, range(6)))
def test_parts_and_bounds_are_of_the_queries_that_count(seed: int) -> None:
    """The parts of the waterfall add up to Δ of nDCG@k, and the bounds are the smallest and largest Δ over all ways to
    label as what gains most or as 0: over random populations, weights of 0, missing queries, gains, ties, negative
    grades and cutoffs.
    """
    rng = np.random.default_rng([seed, 1])
    for _ in range(sampled(1)):
        world, policy = small_world(rng, queries=4, documents=5, longest=4), policy_of(rng)
        found = comparison(world, policy)
        parts = found.explained.waterfall
        if parts is not None:
            assert sum(parts.values()) == pytest.approx(delta(found), abs=EXACT)
            assert waterfall(found)[-1].value == pytest.approx(delta(found), abs=EXACT)
        if found.explained.is_sum and not (policy.scoring.no_relevant == "1" and policy.missing != "skip"):
            assert (parts is None) == (delta(found) is None)
        pairs = unjudged(found, world)
        if found.worklist is None or len(pairs) > MOST_UNJUDGED:
            continue
        tried = [
            delta(comparison(world, policy, dict(zip(pairs, labels, strict=True))))
            for labels in product((ends(world, policy)[0], 0.0), repeat=len(pairs))
        ]
        defined = [value for value in tried if value is not None]
        if found.delta_bounds is None:
            assert not defined
        else:
            assert found.delta_bounds == pytest.approx((min(defined), max(defined)), abs=EXACT)


@pytest.mark.parametrize("seed", every(3, range(6)))
def test_each_label_moves_the_mean_as_it_was_said(seed: int) -> None:
    """What one label does to Δ is what compare() says after it, also where it makes a query count that did not; no
    document of a query that cannot count is listed, and none that can move Δ is left out.
    """
    rng = np.random.default_rng([seed, 2])
    for _ in range(sampled(1)):
        world, policy = small_world(rng, queries=5, documents=6, longest=5), policy_of(rng)
        found = comparison(world, policy)
        listed = candidates(found)
        if listed is None or found.worklist is None:
            continue
        now = delta(found) or 0.0
        said = {}
        for one, best, worst in zip(listed, found.worklist.if_best, found.worklist.if_worst, strict=True):
            said[one.query_id, one.doc_id] = (float(best), float(worst))
        for pair in unjudged(found, world):
            after = [delta(comparison(world, policy, {pair: grade})) for grade in ends(world, policy)]
            moves = [0.0 if value is None else value - now for value in after]
            assert said.get(pair, (0.0, 0.0)) == pytest.approx(moves, abs=EXACT)
        effects = np.abs(found.worklist.effect)
        assert (np.diff(effects) <= EXACT).all()


@pytest.mark.parametrize("seed", range(8))
def test_queries_that_do_not_count_change_nothing(seed: int) -> None:
    """Without the queries of weight 0, and those that the policy leaves out, everything that is said stays the same:
    means, counts, segments, severe changes, derived votes, parts, bounds, labels and neighbouring settings.
    """
    rng = np.random.default_rng([seed, 3])
    for _ in range(sampled(1)):
        world, policy = small_world(rng, queries=7, documents=6, longest=5), policy_of(rng, ties="docid_desc")
        whole = comparison(world, policy)
        kept = {query for query, counts in zip(whole.query_ids, whole.counted, strict=True) if counts}
        if not kept or not any(query in kept for query in world.lists["a"] | world.lists["b"]):
            continue
        part = without(world, kept)
        if not all(part.lists.values()) or all(grade < 0 for grade in part.grades.values()):
            continue
        if ends(part, policy) != ends(world, policy):
            continue  # the best and the worst grade of a label are those of all judgments
        assert_alike(whole, comparison(part, policy))


def without(world: Small, kept: set[str]) -> Small:
    """The world of some queries alone."""
    return replace(
        world,
        lists={side: {q: docs for q, docs in lists.items() if q in kept} for side, lists in world.lists.items()},
        judged=tuple(row for row in world.judged if row[0] in kept),
        segments={q: kind for q, kind in world.segments.items() if q in kept},
    )


def assert_alike(whole: rd.Comparison, part: rd.Comparison) -> None:
    """Two comparisons say the same of the queries that count."""
    for one, other in zip(whole.results, part.results, strict=True):
        assert repr(one.paired) == repr(other.paired)
    segments = {(one.column, one.value): one.paired for one in whole.plain.segments}
    for one in part.plain.segments:  # a column that has one value there splits nothing
        assert segments[one.column, one.value] == one.paired
    assert (whole.plain.severe_wins, whole.plain.severe_losses) == (part.plain.severe_wins, part.plain.severe_losses)
    assert whole.gsb_derived == part.gsb_derived
    assert whole.counts.unjudged_shown == part.counts.unjudged_shown
    assert (whole.counts.judged_a, whole.counts.judged_b) == (part.counts.judged_a, part.counts.judged_b)
    assert whole.condensed.results[0].paired == part.condensed.results[0].paired
    assert whole.explained.waterfall == pytest.approx(part.explained.waterfall)
    assert whole.delta_bounds == pytest.approx(part.delta_bounds)
    assert candidates(whole) == candidates(part)


def test_weights_of_any_size_have_a_mean() -> None:
    """Weights count by their proportions, also where their sum would be infinite."""
    run_a, run_b = {"q1": ["d", "e"], "q2": ["d", "e"]}, {"q1": ["e", "d"], "q2": ["d", "e"]}
    judged = {"q1": {"d": 1}, "q2": {"d": 1}}
    deltas = [
        rd.compare(run_a, run_b, judged, queries=rd.read_queries(f"query_id,weight\nq1,{w}\nq2,{w}\n".encode()))
        for w in ("1", "1.7e308")
    ]
    assert deltas[0].primary.paired == deltas[1].primary.paired
