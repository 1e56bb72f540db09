"""How few queries carry a verdict: the numbers without some queries, which bound is moved, by which removals; and what
the order of tied scores could do.
"""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import rankdash as rd
from rankdash.evidence.distributions import t_quantile
from rankdash.verdict import RULE_OF, Outcome, evidence_of
from rankdash.verdict.decide import Counted, _paths
from rankdash.verdict.records import Numbers, reading_of
from rankdash.verdict.rule import Bound, RuleInput, outcome_of
from rankdash.verdict.rules import READING_RULES
from tests.evidence.cases import CLOSE, close, of
from tests.long import every
from tests.made import judgments, run


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


def compared_lists(policy: dict[str, Any]) -> rd.Comparison:
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
    comparison = compared_lists({"harm_n_min": 1, **policy})
    case = RuleInput(evidence_of(comparison), comparison.policy)
    by_margins = sorted(case.harms.guards, key=lambda guard: guard.delta / guard.margin)
    by_safety = sorted(case.harms.guards, key=lambda guard: (guard.safe, (guard.lower90 or 0.0) / guard.margin))
    names = {"worst": by_margins, "least safe": by_safety}
    wanted = [(names[name][0].of.measure if name in names else name, level, up) for name, level, up in expected]
    found = _paths(case, outcome, None if rule is None else RULE_OF[rule])
    assert found is not None
    assert [(bound.measure, bound.level, up) for bound, up in found] == wanted


def test_raters_and_segments_are_not_searched() -> None:
    """What decides there is no mean of a measure over all queries."""
    comparison = compared_lists({"harm_n_min": 1})
    case = RuleInput(evidence_of(comparison), comparison.policy)
    found = {rule: _paths(case, Outcome.WORSE, RULE_OF[rule]) is None for rule in ("H1", "H2", "H3", "H4", "U3", "U4")}
    assert found == {"H1": False, "H2": False, "H3": True, "H4": False, "U3": False, "U4": True}
    tail = Numbers(column="market", value="de", n=40, delta=-0.5, p_harm=1e-9, changed=40, lower90=-0.6, upper90=-0.4)
    of_segment = replace(case.reading, segments=(tail,))
    policy = comparison.policy.changed(segments=["market"])
    assert _paths(RuleInput(replace(case.evidence, plain=of_segment), policy), Outcome.WORSE, RULE_OF["H4"]) is None


FIRST_ONLY = {"primary": "nDCG@1", "guardrails": [], "watch": []}


def of_scores(a: Any, b: Any, policy: dict[str, Any], cluster: Any = None, **more: Any) -> rd.Comparison:
    """A comparison whose nDCG@1 is the given scores: one document in each list, one of grade 1 in none."""
    if cluster is not None:
        more["queries"] = rd.read_queries([{"query_id": f"q{i}", "cluster": one} for i, one in enumerate(cluster)])
    lists: dict[str, dict[str, list[str]]] = {"a": {}, "b": {}}
    grades: dict[str, dict[str, float]] = {}
    for i, (one, other) in enumerate(zip(a, b, strict=True)):
        query = f"q{i}"
        lists["a"][query], lists["b"][query] = ["a"], ["a" if one == other else "b"]
        grades[query] = {"best": 1.0, "a": float(one), "b": float(other)}
    return rd.compare(run(lists["a"]), run(lists["b"]), judgments(grades), policy=rd.Policy.from_dict(policy), **more)


@pytest.mark.parametrize("case", of("policy_cases", "fragility_cases"))
def test_the_fewest_queries_are_those_of_the_reference(case: dict[str, Any]) -> None:
    """Outcome, the queries without which it changes, what it turns to and how far was searched are the reference's."""
    comparison = of_scores(case["a"], case["b"], case["policy"], case.get("cluster"))
    verdict, expected = rd.decide(comparison), case["expected"]
    assert (verdict.outcome, verdict.rule) == (expected["outcome"], expected["rule"])
    found, wanted = verdict.fragility, expected["fragility"]
    assert found is not None
    assert found.queries == tuple(f"q{row}" for row in wanted["rows"])
    assert (found.n, found.turns_to, found.searched) == (wanted["n"], wanted["turns_to"], wanted["searched"])
    assert ("fragile" in {caveat.id for caveat in verdict.caveats}) == expected["caveat"]


def made_comparison(seed: int) -> tuple[rd.Comparison, np.random.Generator]:
    """A small comparison near its limits, at times weighted, with a guardrail, and with segments."""
    random = np.random.default_rng(seed)
    n = int(random.integers(30, 45))
    a = np.round(random.uniform(0.3, 0.7, n), 3)
    shift = random.choice([-0.06, -0.02, 0.0, 0.03, 0.06])
    b = np.clip(np.round(a + random.normal(shift, 0.09, n), 3), 0, 1)
    policy = FIRST_ONLY | {"intent": "do_no_harm" if seed % 3 == 0 else "improve"}
    if seed % 2:
        policy |= {"guardrails": [["RR", 0.05]]}
    rows = [f"q{i},{random.uniform(0.5, 2):.2f},{'x' if i % 2 else 'y'},g{i % 17}\n" for i in range(n)]
    last = "cluster" if seed % 2 else "other"
    table = rd.read_queries((f"query_id,weight,kind,{last}\n" + "".join(rows)).encode()) if seed % 5 < 2 else None
    if table is not None:
        policy |= {"segments": ["kind"]}
    return of_scores(a, b, policy, queries=table), random


@pytest.mark.parametrize("seed", every(4, range(20)))
@pytest.mark.parametrize("up", [True, False])
def test_removals_are_those_of_the_definition(seed: int, up: bool) -> None:
    """At times weighted or in groups, in both directions, for a mean and for bounds."""
    comparison, _ = made_comparison(seed)
    level = (0.0, 0.975, -0.95)[seed % 3]
    c = math.copysign(t_quantile(abs(level), comparison.primary.paired.size - 1), level) if level else 0.0
    counted = Counted(comparison)
    delta = comparison.deltas[0][counted.rows].tolist()
    expected = greedy(delta, counted.weights.tolist(), counted.unit.tolist(), c, up, 10)
    found = counted.removals(Bound(comparison.policy.primary, level), 10, up=up)
    assert [delta[row] for row in found] == [delta[row] for row in expected]


@pytest.mark.parametrize("seed", every(4, range(30)))
def test_the_numbers_without_some_queries_are_those_of_the_others(seed: int) -> None:
    """What the rules read is what a comparison of the remaining queries says, measure by measure."""
    comparison, random = made_comparison(seed)
    counted = Counted(comparison)
    gone = random.choice(len(counted.rows), int(random.integers(1, 12)), replace=False).tolist()
    found = counted.reading(gone)
    rows = tuple(int(counted.rows[place]) for place in gone)
    slow = reading_of(comparison.weighed("plain", comparison.sample.without(rows)))
    pairs = [(found.primary, slow.primary), *zip(found.guardrails, slow.guardrails, strict=True)]
    for one, other in (*pairs, *zip(found.segments, slow.segments, strict=True)):
        assert one == replace(other, required_n_mpe=None, required_n_seen=None)
    assert found.severe == slow.severe


@pytest.mark.parametrize("seed", every(4, range(24)))
def test_the_queries_named_turn_the_outcome_and_not_before_the_last(seed: int) -> None:
    """Without the named queries the rules say what is promised; without all but the last of them they do not."""
    comparison, _ = made_comparison(seed)
    verdict = rd.decide(comparison)
    found = verdict.fragility
    if found is None or found.n is None or verdict.outcome is rd.Outcome.NOT_COMPARABLE:
        return
    case = RuleInput(evidence_of(comparison), comparison.policy)

    def outcome_without(gone: tuple[int, ...]) -> rd.Outcome:
        reading = Counted(comparison).reading(list(gone))
        evidence = type(case.evidence)(case.evidence.data, reading, None, case.evidence.votes)
        return outcome_of(READING_RULES, type(case)(evidence, case.policy, case.reading))[0]

    places = tuple(comparison.query_ids.index(query) for query in found.queries)
    assert outcome_without(places) is found.turns_to
    claims = (rd.Outcome.LAUNCH, rd.Outcome.WORSE)
    for fewer in range(1, found.n):
        turned = outcome_without(places[:fewer])
        assert not (turned is not verdict.outcome if verdict.outcome in claims else turned in claims)


@pytest.mark.parametrize("case", of("policy_cases", "tie_cases"))
def test_the_order_of_ties_moves_the_mean_as_far_as_in_the_reference(case: dict[str, Any]) -> None:
    """A's groups of equal scores best and B's worst by grade, and the reverse: both means, and the share of ties."""
    lists = [{query["query"]: query[side] for query in case["queries"]} for side in "AB"]
    grades = {query["query"]: query["grades"] for query in case["queries"]}
    policy = rd.Policy(primary=f"nDCG@{case['k']}", convention=rd.Convention(gain=case["gain"]))
    found, expected = rd.compare(run(lists[0]), run(lists[1]), judgments(grades), policy=policy), case["expected"]
    assert found.tie_bounds is not None
    assert abs(found.tie_bounds[0] - expected["lower"]) <= CLOSE
    assert abs(found.tie_bounds[1] - expected["upper"]) <= CLOSE
    assert close(found.tied_share, expected["tied_share"])
