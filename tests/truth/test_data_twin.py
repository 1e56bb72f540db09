"""From rows to the verdict by a twin that never asks the product: lists, judgments, what counts, and what it proves."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import asdict
from typing import Any

import numpy as np
import pytest

import rankdash as rd
from rankdash.scoring import Comparison, PerQuery, compare_scored, score_queries
from rankdash.verdict import evidence_of
from rankdash.verdict.records import Numbers
from tests.made import cut
from tests.made_evidence import OURS
from tests.truth import made_cases
from tests.truth.scale import done, sampled
from tests.truth.small import Small, small_world
from tests.truth.test_verdict_twin import close, completed, differences
from tests.truth.twin_data import Query, listed, numbers_of
from tests.truth.twin_verdict import judge

#: What ids begin with: nothing, or what takes longer to tell apart than any word of a fingerprint.
BEGINNINGS = ("", "x" * 200, "é" * 100, "0" * 8, "a:" * 12)
CHOICES: dict[str, tuple[Any, ...]] = {
    "primary": ("nDCG@2", "nDCG@3", "nDCG@10", "AP"),
    "guardrails": ([["AP", 0.01]], [["RR", 0.05]], [["nDCG@1", 0.3], ["RR", 0.3]], []),
    "watch": ([["nDCG@1", 0.02]], [["nDCG@3", 0.1]], []),
    "population": ("all", "affected"),
    "missing": ("unknown", "empty", "skip"),
    "missing_gap": (5, 1, 100, 100),
    "judged_gap": (0.01, 0.2),
    "judgments": ("auto", "judged", "positive_only"),
    "intent": ("improve", "do_no_harm"),
    "mpe": (0.0, 0.005, 0.05),
    "primary_margin": (0.02, 0.3),
    "severe": (0.2, 0.1, 0.5),
    "harm_n_min": (20, 2),
    "harm_changed_min": (6, 2),
}
AXES: dict[str, tuple[Any, ...]] = {
    "gain": ("linear", "exp2"),
    "ties": ("docid_desc", "docid_asc", "input_order"),
    "no_relevant": ("0", "1", "skip"),
    "missing_query": ("zero", "skip"),
    "negative": ("unjudged", "clip"),
    "score_type": ("float64", "float32"),
}


def some_policy(rng: np.random.Generator) -> tuple[dict[str, Any], rd.Convention]:
    """What a policy says, measures in one role each, and a convention for it."""
    said = {name: values[rng.integers(len(values))] for name, values in CHOICES.items() if rng.random() < 0.5}
    used = {said.setdefault("primary", "nDCG@3")}
    for role in ("guardrails", "watch"):
        said[role] = [one for one in said.get(role, []) if one[0] not in used]
        used |= {name for name, _ in said[role]}
    if rng.random() < 0.7:
        said |= {"n_min": 5, "changed_min": 3}
    if rng.random() < 0.5:
        said |= {"segments": ["kind"], "segment_n_min": int(rng.choice([30, 3]))}
    axes = {axis: str(rng.choice(values)) for axis, values in AXES.items() if rng.random() < 0.4}
    return said, rd.Convention().with_axes(axes)


def renamed(world: Small, beginning: str) -> Small:
    """The world with another beginning of every document's id, in the same byte order."""
    lists = {
        side: {query: [(beginning + doc, score) for doc, score in rows] for query, rows in of_side.items()}
        for side, of_side in world.lists.items()
    }
    judged = tuple((query, beginning + doc, grade) for query, doc, grade in world.judged)
    return Small(lists, judged, world.weights, world.segments, world.by_score)


def made(seed: int) -> tuple[Small, dict[str, Any], rd.Convention]:
    """Lists with holes on every side, near the limits of the rules, and a policy for them."""
    rng = np.random.default_rng(4_000 + seed)
    many = int(rng.choice([1, 5, 20, 30, 40, 60]))
    world = small_world(rng, queries=many, documents=int(rng.choice([4, 8, 14])), longest=int(rng.choice([3, 8, 14])))
    skill = rng.choice([-1, 0, 1, 1]) * rng.random()
    for query, rows in world.lists["b"].items() if skill else ():
        if rng.random() < abs(skill):  # B puts its documents in the order of the grades, or in the reverse
            places = sorted(rows, key=lambda row: -skill * world.grades.get((query, row[0]), 0.0))
            rows[:] = [(doc, float(len(rows) - at)) for at, (doc, _) in enumerate(places)]
    return renamed(world, str(rng.choice(BEGINNINGS))), *some_policy(rng)


def queries_of(world: Small, convention: rd.Convention) -> list[Query]:
    """The judged queries in the order in which the judgments name them."""
    grades: dict[str, dict[str, float]] = {}
    for (query, doc), grade in world.grades.items():
        grades.setdefault(query, {})[doc] = grade
    return [
        Query(
            *(listed(world.lists[side].get(query, []), world.by_score, convention) for side in "ab"),
            grades=of_query,
            weight=None if world.weights is None else world.weights[query],
            segment=world.segments[query],
        )
        for query, of_query in grades.items()
    ]


def told(found: Any, expected: dict[str, Any] | None, where: str) -> dict[str, Any] | None:
    """The twin's reading, each number the product's, with what the twin leaves out taken from there."""
    if expected is None:
        assert found.primary.n == 0, where
        return None
    close(found.primary, expected["primary"], f"{where} primary")
    assert asdict(found.severe) == expected["severe"], where
    means = {name: getattr(found.primary, name) for name in ("mean_a", "mean_b")}
    rows: dict[str, Any] = {
        "primary": completed(expected["primary"], found.primary) | means,
        "severe": expected["severe"],
    }
    for kind in ("guardrails", "watch", "segments"):
        others = getattr(found, kind) if kind != "segments" else counted(found.segments)
        for one, other in zip(expected[kind], others, strict=True):
            close(other, one, f"{where} {kind}")
        rows[kind] = [completed(one, other) for one, other in zip(expected[kind], others, strict=True)]
    return rows


def counted(segments: Iterable[Numbers]) -> list[Numbers]:
    """Segments by name, without those of which no query counts: these have no number that a rule could read."""
    empty = [one for one in segments if one.changed == 0 and one.delta is None]
    assert all((one.n, one.p_harm, one.p_flip, one.lower90, one.upper90) == (0, *[None] * 4) for one in empty)
    return sorted((one for one in segments if one not in empty), key=lambda one: one.value)


def weighed(comparison: Comparison, world: Small, policy: rd.Policy, convention: rd.Convention, said: Any) -> None:
    """Data, numbers, statuses and words of a comparison are those of the twin."""
    found, expected = evidence_of(comparison), numbers_of(queries_of(world, convention), convention, said)
    assert found.data is not None
    for name, value in expected["data"].items():
        other = getattr(found.data, OURS.get(name, name))
        assert other == (pytest.approx(value, abs=1e-12) if isinstance(value, float) else value), name
    leaks = found.data.likeness or (None, None)  # of the lists as they are, which the twin does not have
    for side, leak in zip(("leak_a", "leak_b"), leaks, strict=True):
        expected["data"][side] = None if leak is None else asdict(leak)
    expected["data"]["same_file"] = found.data.same_file  # of the files, which it has not either
    expected["plain"] = told(found.plain, expected["plain"], "plain")
    expected["condensed"] = told(found.condensed, expected["condensed"], "condensed")
    unlike = differences(rd.decide(comparison), judge(expected, said))
    if "sentence" in unlike and policy.population == "affected":
        there, here = (re.sub(r" of [\d,]+ quer(y|ies)", " of all", text) for text in unlike.pop("sentence"))
        assert there.startswith(here), (there, here)  # the mean over all follows, and says how many these are
    assert not unlike


def test_verdicts_are_those_of_a_twin_that_reads_the_rows() -> None:
    """Queries in one run only, weights of 0, segments, duplicates, conflicts, ties, lists without a judged document,
    affected queries, ids that differ after 200 bytes: in one call, and from the table saved and cut into single rows.
    """
    for seed in range(sampled(6)):
        world, few, convention = made(seed)
        policy = rd.Policy.from_dict(few).changed(convention=convention)
        spelled = {name: getattr(policy, name) for name in ("primary", "guardrails", "watch", "cutoff")}
        said = made_cases.whole({**few, **spelled})
        a, b, judged, queries = world.run("a"), world.run("b"), world.judgments(), world.queries()
        try:
            whole = rd.compare(a, b, judged, policy=policy, queries=queries)
            weighed(whole, world, policy, convention, said)
            scored = score_queries(rd.join(a, b, judged, depth=1), policy)
            rows = [PerQuery.from_arrow(block.to_arrow()) for block in cut(scored, 1)]
            again = compare_scored(PerQuery.concatenated(rows), policy, queries=queries)
            weighed(again, world, policy, convention, said)
            assert rd.decide(again) == rd.decide(whole)
        except AssertionError as error:
            raise AssertionError(f"seed {seed}") from error
    done("comparisons weighed from their rows", sampled(6))
