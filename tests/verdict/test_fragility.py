"""How few queries carry a verdict: the numbers without some queries, which bound is moved, by which removals; and what
the order of tied scores could do.
"""

from __future__ import annotations

import math
from dataclasses import fields, replace
from typing import Any

import numpy as np
import pytest

import rankdash as rd
from rankdash.evidence.paired import Groups, Paired, paired
from rankdash.verdict import RULE_OF, Outcome, evidence_of
from rankdash.verdict.comparable import READING_RULES
from rankdash.verdict.fragility import Differences, Remaining, _candidates, _paths
from rankdash.verdict.outcome import reading_of
from rankdash.verdict.records import Numbers
from rankdash.verdict.rule import RuleInput, outcome_of
from tests.evidence.cases import CLOSE, close, of
from tests.long import every
from tests.made import judgments, run

#: What the rules read.
READ = [
    *"n n_eff changed clusters wins ties losses delta delta_unweighted".split(),
    *"se df p_harm p_flip lower95 upper95 lower90 upper90".split(),
]


def removals(differences: Differences, c: float, up: bool, most: int) -> list[int]:
    """The queries that are taken out one after the other to move mean + c standard errors."""
    rows, gone = _candidates(differences, np.sort), list[int]()
    while len(gone) < most and (row := differences.farthest(rows, c, up=up)) is not None:
        gone.append(row)
        differences.drop(row)
    return gone


def without(differences: Differences, gone: np.ndarray) -> Paired:
    """What is said when some queries were taken out, one after the other."""
    for row in gone.tolist():
        differences.drop(row)
    return differences.paired()


def same(found: Paired, expected: Paired, names: list[str]) -> None:
    """The same numbers, to the digits that sums in another order keep."""
    known = {field.name for field in fields(Paired)}
    for name in names:
        assert name in known
        one, other = getattr(found, name), getattr(expected, name)
        assert (one is None) == (other is None), name
        assert one is None or one == pytest.approx(other, abs=1e-9), name


@pytest.mark.parametrize("seed", range(20))
def test_the_others_are_compared_as_if_they_were_alone(seed: int) -> None:
    """Weighted or not, in groups or not, with queries without a difference, many ties, few changes, any removal."""
    random = np.random.default_rng(seed)
    n = int(random.integers(6, 40))
    delta = np.round(random.normal(0.01, 0.1, n), 3)
    delta[random.random(n) < (0.1, 0.7)[seed % 2]] = 0.0
    delta[random.random(n) < 0.2] = np.nan
    weights = None if seed % 3 == 0 else np.round(random.uniform(0, 3, n), 2)
    clusters = random.integers(0, max(2, n // 3), n) if seed % 4 > 1 else None
    for size in (0, 1, 3):
        gone = random.choice(n, size, replace=False)
        kept = np.setdiff1d(np.arange(n), gone)
        kept = kept[~np.isnan(delta[kept])]
        chosen = None if weights is None or not weights[kept].sum() > 0 else weights[kept]
        groups = None if clusters is None else clusters[kept]
        expected = paired(np.zeros(len(kept)), delta[kept], weights=chosen, clusters=groups, mpe=0.0)
        names = READ if expected.lower95 is not None else ["n", "wins", "ties", "losses", "delta", "lower95", "upper90"]
        series = Differences(delta, weights, None if clusters is None else Groups.of(clusters))
        same(without(series, gone), expected, names)


@pytest.mark.parametrize("weights", [None, [1.0, 4.0, 1.0, 2.0, 0.5, 3.0]])
def test_differences_that_are_nearly_the_same_are_counted_anew(weights: list[float] | None) -> None:
    """Where sums of squares cancel, the differences themselves are asked, with their weights."""
    delta = np.array([0.3, 0.5, 0.50001, 0.50002, 0.50001, 0.50004])
    weight = None if weights is None else np.array(weights)
    found = without(Differences(delta, weight, None), np.array([0]))
    same(found, paired(np.zeros(5), delta[1:], weights=None if weight is None else weight[1:], mpe=0.0), READ)


@pytest.mark.parametrize("seed", range(10))
def test_a_rest_without_weight_is_counted_as_it_stands(seed: int) -> None:
    """Where every query with a weight is gone, what rounding has left of the weights is no weight."""
    random = np.random.default_rng(seed)
    weights = np.concatenate([random.random(4), np.zeros(4)])
    delta = np.round(random.normal(0, 0.3, 8), 3)
    same(without(Differences(delta, weights, None), np.arange(4)), paired(np.zeros(4), delta[4:], mpe=0.0), READ)
    for up in (False, True):
        assert not {0, 1, 2, 3} <= {*removals(Differences(delta, weights, None), 2.0, up, 8)}


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
    assert [(path.bound.measure, path.bound.level, path.up) for path in found] == wanted


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


@pytest.mark.parametrize("seed", every(4, range(30)))
def test_the_numbers_without_some_queries_are_those_counted_anew(seed: int) -> None:
    """Sums less what the queries gave say what a comparison of the remaining queries says, measure by measure."""
    comparison, random = made_comparison(seed)
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
    comparison, _ = made_comparison(seed)
    verdict = rd.decide(comparison)
    found = verdict.fragility
    if found is None or found.n is None or verdict.outcome is rd.Outcome.NOT_COMPARABLE:
        return
    case = RuleInput(evidence_of(comparison), comparison.policy)

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
