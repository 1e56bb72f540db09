"""The search for the fewest queries that turn a verdict: which bound is moved, and by which removals."""

from __future__ import annotations

import math
from itertools import combinations
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from scipy import stats

import rankdash as rd
from rankdash.verdict import Outcome
from rankdash.verdict.evidence import evidence_of
from rankdash.verdict.fragility import _not_searched, _other_class, _paths, fragility
from rankdash.verdict.outcome import case_of
from rankdash.verdict.remaining import Remaining, Series
from rankdash.verdict.removals import Path
from tests.made import judgments, run

N = 16


def bound(delta: list[float], weights: list[float], c: float) -> float:
    """Mean + c standard errors in plain Python: linearised variance, n / (n - 1)."""
    n, total = len(delta), math.fsum(weights)
    mean = math.fsum(w * d for w, d in zip(weights, delta, strict=True)) / total
    squares = math.fsum((w * (d - mean)) ** 2 for w, d in zip(weights, delta, strict=True))
    return round(mean + c * math.sqrt(n / (n - 1) * squares) / total, 12)


def removals(delta: list[float], weights: list[float], c: float, up: bool, most: int) -> list[tuple[int, ...]]:
    """The definition: one; the best two and three of the twelve that move most alone; then one after the other."""

    def after(gone: tuple[int, ...]) -> float:
        kept = [i for i in range(len(delta)) if i not in gone]
        moved = bound([delta[i] for i in kept], [weights[i] for i in kept], c)
        return -moved if up else moved

    alone = sorted(range(len(delta)), key=lambda i: after((i,)))
    found = [(alone[0],)]
    found += [min(combinations(alone[:12], k), key=after) for k in range(2, min(3, most) + 1)]
    while len(found) < most:
        others = [i for i in range(len(delta)) if i not in found[-1]]
        found.append((*found[-1], min(others, key=lambda i: after((*found[-1], i)))))
    return found


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize("up", [True, False])
def test_removals_are_those_of_the_definition(seed: int, up: bool) -> None:
    """On random differences, at times weighted, in both directions, for a mean and for bounds."""
    random = np.random.default_rng(seed)
    delta = np.round(random.normal(0.02, 0.1, N), 4)
    weights = None if seed % 2 else np.round(random.uniform(0.2, 3, N), 3)
    c = (0.0, 2.1, -1.7)[seed % 3]
    expected = removals(delta.tolist(), [1.0] * N if weights is None else weights.tolist(), c, up, 6)
    found = list(Path(Series.of(delta, weights), c, up).orders(6))
    assert [set(one) for one in found] == [set(one) for one in expected]
    assert list(Path(Series.of(delta, weights), c, up).orders(2)) == found[:2]
    assert list(Path(Series.of(delta, weights), c, up).orders(1)) == found[:1]


def test_queries_without_a_difference_are_never_removed() -> None:
    """Where a measure is not defined there is nothing to take away."""
    delta = np.array([0.1, np.nan, 0.2, -0.1, np.nan, 0.3])
    gone = list(Path(Series.of(delta, None), 0.0, True).orders(3))
    assert [set(one) for one in gone] == [{3}, {3, 0}, {3, 0, 2}]


@pytest.mark.parametrize("c", [0.0, 1.9, -1.9])
def test_no_query_is_removed_twice(c: float) -> None:
    """Where fewer queries have a difference than may be removed, the search ends with the last of them."""
    delta = np.array([np.nan, 0.2, np.nan, -0.1, 0.3, 0.1, np.nan, np.nan])
    *_, last = Path(Series.of(delta, None), c, True).orders(7)
    assert sorted(last) == [1, 3, 4, 5]


def compared(policy: dict[str, Any]) -> rd.Comparison:
    """A comparison of ten queries, with two guardrails and a watch measure."""
    lists_b = {f"q{i}": ["b", "a"] if i % 3 else ["a", "b"] for i in range(10)}
    grades = {f"q{i}": {"a": 0, "b": 1} for i in range(10)}
    said = {"primary": "nDCG@2", "guardrails": [["AP", 0.01], ["RR", 0.02]], "watch": [["P@1", 0.02]], **policy}
    found = rd.compare(
        run({q: ["a", "b"] for q in lists_b}), run(lists_b), judgments(grades), policy=rd.Policy.from_dict(said)
    )
    assert isinstance(found, rd.Comparison)
    return found


def t(p: float, df: float = 9.0) -> float:
    """The quantile of Student's t."""
    return float(stats.t.ppf(p, df))


PRIMARY = "nDCG@2"
DOWN_TO_WORSE = (PRIMARY, t(0.975), False)
#: Rule, outcome, policy, and the bounds that are moved: measure, standard errors, up.
PATHS: list[tuple[str | None, Outcome, dict[str, Any], list[tuple[str, float, bool]]]] = [
    (None, Outcome.LAUNCH, {}, [(PRIMARY, -t(0.975), False), ("AP", -t(0.95), False), ("RR", -t(0.95), False)]),
    (None, Outcome.LAUNCH, {"intent": "do_no_harm", "guardrails": []}, [(PRIMARY, -t(0.95), False)]),
    ("H1", Outcome.WORSE, {}, [(PRIMARY, t(0.975), True)]),
    ("H1", Outcome.NOT_PROVEN, {}, [(PRIMARY, t(0.975), True), DOWN_TO_WORSE]),
    ("H5", Outcome.WORSE, {}, [(PRIMARY, 0.0, True)]),
    ("U2", Outcome.NOT_PROVEN, {}, [(PRIMARY, 0.0, True), DOWN_TO_WORSE]),
    ("S1", Outcome.NOT_PROVEN, {}, [DOWN_TO_WORSE]),
    ("U1", Outcome.NOT_PROVEN, {}, [(PRIMARY, -t(0.975), True), DOWN_TO_WORSE]),
    ("F1", Outcome.TOO_SMALL, {}, [(PRIMARY, -t(0.975), True), DOWN_TO_WORSE]),
    ("N1", Outcome.NOT_PROVEN, {"intent": "do_no_harm"}, [(PRIMARY, -t(0.95), True), DOWN_TO_WORSE]),
    ("U3", Outcome.NOT_PROVEN, {}, [("least safe", -t(0.95), True), DOWN_TO_WORSE]),
    ("H2", Outcome.WORSE, {}, [("worst", t(0.95), True)]),
    ("H4", Outcome.WORSE, {}, [("P@1", t(0.95), True)]),
]  # fmt: skip


@pytest.mark.parametrize(("rule", "outcome", "policy", "expected"), PATHS, ids=range(len(PATHS)))
def test_the_bound_that_decides_is_moved(
    rule: str | None, outcome: Outcome, policy: dict[str, Any], expected: list[tuple[str, float, bool]]
) -> None:
    """Which measure, at which level, in which direction, by the rule that decides."""
    comparison = compared(policy)
    case, remaining = case_of(evidence_of(comparison), comparison.policy), Remaining.of(comparison)
    named: Any = None if rule is None else SimpleNamespace(id=rule)
    by_margins = sorted(case.harms.guards, key=lambda guard: guard.delta / guard.margin)
    by_safety = sorted(case.harms.guards, key=lambda guard: (guard.safe, (guard.lower90 or 0.0) / guard.margin))
    names = {"worst": by_margins, "least safe": by_safety}
    measures = [names[name][0].name if name in names else name for name, _, _ in expected]
    found = list(_paths(case, outcome, named, remaining))
    assert all(path.series is remaining.series(name) for path, name in zip(found, measures, strict=True))
    assert [path.c for path in found] == pytest.approx([c for _, c, _ in expected])
    assert [path.up for path in found] == [up for _, _, up in expected]


def test_two_queries_have_one_degree_of_freedom_at_least() -> None:
    """A level is that of t with at least one degree of freedom."""
    comparison = compared({})
    remaining: Any = SimpleNamespace(df=lambda measure: 0.2, series=Remaining.of(comparison).series)
    case = case_of(evidence_of(comparison), comparison.policy)
    (path,) = _paths(case, Outcome.WORSE, SimpleNamespace(id="H1"), remaining)  # type: ignore[arg-type]
    assert path.c == pytest.approx(t(0.975, 1.0))


@pytest.mark.parametrize("outcome", Outcome)
@pytest.mark.parametrize("turned", Outcome)
def test_the_class_of_an_outcome_is_what_turns(outcome: Outcome, turned: Outcome) -> None:
    """A launch that is none any more, harm that is none; what was open and now launches or harms."""
    claims = {Outcome.LAUNCH, Outcome.WORSE}
    assert _other_class(outcome, turned) == (turned != outcome if outcome in claims else turned in claims)


def test_raters_and_segments_are_not_searched() -> None:
    """What decides there is no mean of a measure over all queries."""
    comparison = compared({})
    case: Any = case_of(evidence_of(comparison), comparison.policy)
    found = {rule: _not_searched(case, SimpleNamespace(id=rule)) for rule in ("H1", "H2", "H3", "H4", "U3", "U4")}  # type: ignore[arg-type]
    assert found == {"H1": False, "H2": False, "H3": True, "H4": False, "U3": False, "U4": True}
    assert not _not_searched(case, None)


def test_four_queries_are_searched() -> None:
    """Three are too few to leave any out; where A and B cannot be compared there is nothing to turn."""
    for n, is_searched in ((3, False), (4, True), (5, True)):
        lists_b = {f"q{i}": ["b", "a"] if i % 3 else ["a", "b"] for i in range(n)}
        grades = {f"q{i}": {"a": 1, "b": 2} for i in range(n)}
        comparison = rd.compare(run({q: ["a", "b"] for q in lists_b}), run(lists_b), judgments(grades))
        assert isinstance(comparison, rd.Comparison)
        found = fragility(comparison, evidence_of(comparison), Outcome.NOT_PROVEN)
        assert (found is not None) == is_searched
        assert found is None or found.searched == 10
        assert fragility(comparison, evidence_of(comparison), Outcome.NOT_COMPARABLE) is None
