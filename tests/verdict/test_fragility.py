"""How few queries carry a verdict, and what the order of tied scores could do."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import rankdash as rd
from rankdash.verdict import evidence_of
from rankdash.verdict.outcome import case_of
from rankdash.verdict.remaining import Remaining
from rankdash.verdict.rule_evidence import reading_of
from rankdash.verdict.rules.comparable import READING_RULES
from rankdash.verdict.rules.rule import outcome_of
from tests.evidence.cases import CLOSE, close, of
from tests.long import every
from tests.made import judgments, run

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


def made(seed: int) -> tuple[rd.Comparison, np.random.Generator]:
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


@pytest.mark.parametrize("seed", every(4, range(30)))
def test_the_numbers_without_some_queries_are_those_counted_anew(seed: int) -> None:
    """Sums less what the queries gave say what a comparison of the remaining queries says, measure by measure."""
    comparison, random = made(seed)
    remaining = Remaining(comparison)
    gone = random.choice(len(remaining.rows), int(random.integers(1, 12)), replace=False)
    for row in gone.tolist():
        remaining.drop(row)
    fast = remaining.reading()
    rows = tuple(int(remaining.rows[place]) for place in gone.tolist())
    slow = reading_of(comparison.weighed("plain", comparison.sample.without(rows)))
    pairs = [(fast.primary, slow.primary), *zip(fast.guardrails, slow.guardrails, strict=True)]
    pairs += zip(fast.segments, slow.segments, strict=True)
    for one, other in pairs:
        names = ("delta", "lower90", "upper90", "changed", "lower95", "upper95", "p_harm", "p_flip", "wins")
        for name in names:
            assert close(getattr(one, name, None), getattr(other, name, None)), name
    assert fast.severe == slow.severe


@pytest.mark.parametrize("seed", every(4, range(24)))
def test_the_queries_named_turn_the_outcome_and_not_before_the_last(seed: int) -> None:
    """Without the named queries the rules say what is promised; without all but the last of them they do not."""
    comparison, _ = made(seed)
    verdict = rd.decide(comparison)
    found = verdict.fragility
    if found is None or found.n is None or verdict.outcome is rd.Outcome.NOT_COMPARABLE:
        return
    case = case_of(evidence_of(comparison), comparison.policy)

    def outcome_without(gone: tuple[int, ...]) -> rd.Outcome:
        remaining = Remaining(comparison)
        for row in gone:
            remaining.drop(row)
        evidence = type(case.evidence)(case.evidence.data, remaining.reading(), None, case.evidence.votes)
        return outcome_of(READING_RULES, type(case)(evidence, case.policy, case.reading))[0]

    places = tuple(comparison.query_ids.index(query) for query in found.queries)
    assert outcome_without(places) is found.turns_to
    claims = (rd.Outcome.LAUNCH, rd.Outcome.WORSE)
    for fewer in range(1, found.n):
        turned = outcome_without(places[:fewer])
        assert not (turned is not verdict.outcome if verdict.outcome in claims else turned in claims)


def test_what_cannot_be_compared_is_not_searched() -> None:
    """Below four queries, and where A and B cannot be compared, there is no fragility."""
    assert rd.decide(of_scores([0.1, 0.2, 0.3], [0.3, 0.2, 0.4], FIRST_ONLY)).fragility is None
    assert rd.decide(of_scores([0.1] * 9, [0.1] * 9, FIRST_ONLY)).fragility is None


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


def test_every_order_of_ties_lies_between_the_bounds() -> None:
    """Whatever order tied documents stand in, the mean difference lies between the bounds, and both are reached."""
    scores = {"a": 2.0, "b": 1.0, "c": 1.0, "d": 1.0, "e": 0.5}
    grades = {"q": {"a": 1, "b": 3, "d": 2}}
    policy = rd.Policy(primary="nDCG@3")
    tied = rd.compare(run({"q": scores}), run({"q": ["e", "a", "b"]}), judgments(grades), policy=policy)
    assert tied.tie_bounds is not None
    seen = []
    for order in (("b", "c", "d"), ("b", "d", "c"), ("c", "b", "d"), ("c", "d", "b"), ("d", "b", "c"), ("d", "c", "b")):
        fixed = rd.compare(run({"q": ["a", *order, "e"]}), tied.b, judgments(grades), policy=policy)
        seen.append(fixed.primary.paired.delta)
    assert tied.tie_bounds == pytest.approx((min(seen), max(seen)))
