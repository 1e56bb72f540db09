"""The search for the fewest queries that turn a verdict: which bound is moved, and by which removals."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import rankdash as rd
from rankdash.evidence.paired import Groups
from rankdash.verdict import RULE_OF, Outcome, Segment
from rankdash.verdict.fragility import _candidates, _other_class, _paths, fragility
from rankdash.verdict.outcome import case_of
from rankdash.verdict.remaining import Differences
from rankdash.verdict.rule_evidence import evidence_of
from rankdash.verdict.rules.rule import RuleInput
from tests.made import judgments, run
from tests.verdict.decided import removals

N = 16


def bound(delta: list[float], weights: list[float], groups: list[int], c: float) -> float | None:
    """Mean + c standard errors in plain Python: linearised variance over groups; None for one group."""
    units = sorted(set(groups))
    if len(units) < 2:
        return None
    total = math.fsum(weights)
    mean = math.fsum(w * d for w, d in zip(weights, delta, strict=True)) / total
    rows = list(zip(delta, weights, groups, strict=True))
    squares = math.fsum(math.fsum(w * (d - mean) for d, w, group in rows if group == one) ** 2 for one in units)
    return round(mean + c * math.sqrt(len(units) / (len(units) - 1) * squares) / total, 12)


def greedy(delta: list[float], weights: list[float], groups: list[int], c: float, up: bool, most: int) -> list[int]:
    """The definition: again and again the query without which the bound is best, the first of equal ones."""
    gone: list[int] = []
    for _ in range(most):
        best: tuple[float, int] | None = None
        for i in range(len(delta)):
            kept = [j for j in range(len(delta)) if j != i and j not in gone]
            moved = bound([delta[j] for j in kept], [weights[j] for j in kept], [groups[j] for j in kept], c)
            if i in gone or moved is None:
                continue
            here = (-moved if up else moved, i)
            best = here if best is None or here < best else best
        if best is None:
            return gone
        gone.append(best[1])
    return gone


@pytest.mark.parametrize("seed", range(18))
@pytest.mark.parametrize("up", [True, False])
def test_removals_are_those_of_the_definition(seed: int, up: bool) -> None:
    """On random differences, at times weighted or in groups, in both directions, for a mean and for bounds."""
    random = np.random.default_rng(seed)
    delta = np.round(random.normal(0.02, 0.1, N), 2)
    weights = None if seed % 2 else np.round(random.uniform(0.2, 3, N), 1)
    groups = np.arange(N) if seed % 4 < 2 else random.integers(0, 6, N)
    c = (0.0, 2.1, -1.7)[seed % 3]
    expected = greedy(delta.tolist(), [1.0] * N if weights is None else weights.tolist(), groups.tolist(), c, up, 13)
    series = Differences(delta, weights, None if seed % 4 < 2 else Groups.of(groups))
    assert removals(series, c, up, 13) == expected


def test_queries_without_a_difference_are_never_removed() -> None:
    """Where a measure is not defined there is nothing to take away."""
    delta = np.array([0.1, np.nan, 0.2, -0.1, np.nan, 0.3])
    assert removals(Differences(delta, None, None), 0.0, True, 9) == [3, 0]


def test_candidates_are_the_largest_and_the_smallest() -> None:
    """Of many queries 400 of either end are looked at; of equal ones the first. What is between them moves nothing."""
    random = np.random.default_rng(0)
    delta = np.round(random.normal(0.0, 0.1, 1500), 2)
    weights = np.round(random.uniform(0.5, 2, 1500), 1)
    for chosen in (None, weights):
        series = Differences(delta, chosen, None)
        moved = delta if chosen is None else delta * chosen
        order = sorted(range(1500), key=lambda i: moved[i])
        from_above = sorted(range(1500), key=lambda i: -moved[i])
        assert _candidates(series, np.sort).tolist() == sorted({*order[:400], *from_above[:400]})
        whole = greedy_from(delta, chosen)
        assert removals(series, -2.0, False, 4) == whole


def greedy_from(delta: Any, weights: Any) -> list[int]:
    """The first four removals among all queries, by plain sums."""
    w = np.ones(len(delta)) if weights is None else weights
    gone: list[int] = []
    for _ in range(4):
        values = []
        for i in range(len(delta)):
            kept = np.setdiff1d(np.arange(len(delta)), [*gone, i])
            mean = np.average(delta[kept], weights=w[kept])
            n = len(kept)
            se = np.sqrt(n / (n - 1) * ((w[kept] * (delta[kept] - mean)) ** 2).sum()) / w[kept].sum()
            values.append(np.inf if i in gone else round(float(mean - 2.0 * se), 12))
        gone.append(int(np.argmin(values)))
    return gone


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


PRIMARY = "nDCG@2"
DOWN_TO_WORSE = (PRIMARY, 0.975, False)
#: Rule, outcome, policy, and the bounds that are moved: measure, standard errors, up.
PATHS: list[tuple[str | None, Outcome, dict[str, Any], list[tuple[str, float, bool]]]] = [
    (None, Outcome.LAUNCH, {}, [(PRIMARY, -0.975, False), ("AP", -0.95, False), ("RR", -0.95, False)]),
    (None, Outcome.LAUNCH, {"intent": "do_no_harm", "guardrails": []}, [(PRIMARY, -0.95, False)]),
    ("H1", Outcome.WORSE, {}, [(PRIMARY, 0.975, True)]),
    ("H1", Outcome.NOT_PROVEN, {}, [(PRIMARY, 0.975, True), DOWN_TO_WORSE]),
    ("H5", Outcome.WORSE, {}, [(PRIMARY, 0.0, True)]),
    ("U2", Outcome.NOT_PROVEN, {}, [(PRIMARY, 0.0, True), DOWN_TO_WORSE]),
    ("S1", Outcome.NOT_PROVEN, {}, [DOWN_TO_WORSE]),
    ("U1", Outcome.NOT_PROVEN, {}, [(PRIMARY, -0.975, True), DOWN_TO_WORSE]),
    ("F1", Outcome.TOO_SMALL, {}, [(PRIMARY, -0.975, True), DOWN_TO_WORSE]),
    ("N1", Outcome.NOT_PROVEN, {"intent": "do_no_harm"}, [(PRIMARY, -0.95, True), DOWN_TO_WORSE]),
    ("U3", Outcome.NOT_PROVEN, {}, [("least safe", -0.95, True), DOWN_TO_WORSE]),
    ("H2", Outcome.WORSE, {}, [("worst", 0.95, True)]),
    ("H4", Outcome.WORSE, {}, [("P@1", 0.95, True)]),
]  # fmt: skip


@pytest.mark.parametrize(("rule", "outcome", "policy", "expected"), PATHS, ids=range(len(PATHS)))
def test_the_bound_that_decides_is_moved(
    rule: str | None, outcome: Outcome, policy: dict[str, Any], expected: list[tuple[str, float, bool]]
) -> None:
    """Which measure, at which level, in which direction, by the rule that decides."""
    comparison = compared({"harm_n_min": 1, **policy})
    case = case_of(evidence_of(comparison), comparison.policy)
    by_margins = sorted(case.harms.guards, key=lambda guard: guard.delta / guard.margin)
    by_safety = sorted(case.harms.guards, key=lambda guard: (guard.safe, (guard.lower90 or 0.0) / guard.margin))
    names = {"worst": by_margins, "least safe": by_safety}
    wanted = [(names[name][0].name if name in names else name, level, up) for name, level, up in expected]
    found = _paths(case, outcome, None if rule is None else RULE_OF[rule])
    assert found is not None
    assert [(path.bound.measure, path.bound.level, path.up) for path in found] == wanted


@pytest.mark.parametrize("outcome", Outcome)
@pytest.mark.parametrize("turned", Outcome)
def test_the_class_of_an_outcome_is_what_turns(outcome: Outcome, turned: Outcome) -> None:
    """A launch that is none any more, harm that is none; what was open and now launches or harms."""
    claims = {Outcome.LAUNCH, Outcome.WORSE}
    assert _other_class(outcome, turned) == (turned != outcome if outcome in claims else turned in claims)


def test_raters_and_segments_are_not_searched() -> None:
    """What decides there is no mean of a measure over all queries."""
    comparison = compared({"harm_n_min": 1})
    case = case_of(evidence_of(comparison), comparison.policy)
    found = {rule: _paths(case, Outcome.WORSE, RULE_OF[rule]) is None for rule in ("H1", "H2", "H3", "H4", "U3", "U4")}
    assert found == {"H1": False, "H2": False, "H3": True, "H4": False, "U3": False, "U4": True}
    tail = Segment("market", "de", 40, -0.5, 1e-9, 40, None, -0.6, -0.4)
    of_segment = replace(case.reading, segments=(tail,))
    policy = comparison.policy.changed(segments=["market"])
    assert _paths(RuleInput(replace(case.evidence, plain=of_segment), policy), Outcome.WORSE, RULE_OF["H4"]) is None


def test_four_queries_are_searched() -> None:
    """Three are too few to leave any out, and three are always left. Where nothing is compared, nothing can turn."""
    for n, is_searched in ((3, False), (4, True), (5, True)):
        lists_b = {f"q{i}": ["b", "a"] if i % 3 else ["a", "b"] for i in range(n)}
        grades = {f"q{i}": {"a": 1, "b": 2} for i in range(n)}
        comparison = rd.compare(run({q: ["a", "b"] for q in lists_b}), run(lists_b), judgments(grades))
        assert isinstance(comparison, rd.Comparison)
        found = fragility(comparison, evidence_of(comparison), Outcome.NOT_PROVEN)
        assert (found is not None) == is_searched
        assert found is None or found.searched == n - 3
        assert fragility(comparison, evidence_of(comparison), Outcome.NOT_COMPARABLE) is None
