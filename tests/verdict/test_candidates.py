"""Several candidates compared with one A: each verdict is held at the level of them all."""

import math
import random

import pytest
from scipy import stats

import rankdash as rd
from rankdash.evidence.gsb import gsb, rated
from rankdash.verdict import decide_from, evidence_of
from rankdash.verdict.records import Check
from tests.made_evidence import evidence
from tests.truth import made_cases

KS = (1, 2, 5, 10, 20)


def check_of(verdict: rd.Verdict, rule: str) -> Check:
    """One row of the checklist."""
    return next(check for check in verdict.checks if check.rule == rule)


def compared(seed: int, intent: str = "improve") -> rd.Comparison:
    """Sixty queries of which B wins a few more than it loses."""
    dice = random.Random(seed)
    lists = {side: {f"q{i}": dice.sample("abcd", 4) for i in range(60)} for side in "ab"}
    for query in dice.sample(list(lists["b"]), 18):
        lists["b"][query] = sorted(lists["b"][query])
    grades = {query: {"a": 3, "b": 1} for query in lists["a"]}
    return rd.compare(lists["a"], lists["b"], grades, policy=rd.Policy(intent=intent, guardrails=()))


@pytest.mark.parametrize(("intent", "rule", "tail"), [("improve", "U1", 0.025), ("do_no_harm", "N1", 0.05)])
def test_the_bound_of_a_launch_is_that_of_all_candidates(intent: str, rule: str, tail: float) -> None:
    """The bound is SciPy's t at the K-th part of the tail; one candidate has the interval that is shown."""
    turned = 0
    for seed in range(6):
        comparison, statuses = compared(seed, intent), list[str]()
        paired = comparison.results[0].paired
        for k in KS:
            check = check_of(rd.decide(comparison, candidates=k), rule)
            bound = paired.delta - stats.t.ppf(1 - tail / k, paired.n - 1) * paired.se
            assert check.conditions[0][0].value == pytest.approx(bound, abs=1e-9)
            statuses.append(str(check.status))
        turned += len(set(statuses)) > 1
        assert statuses == sorted(statuses, reverse=True), "once not proven, never proven for more candidates"
    assert turned, "no world in which the number of candidates decides"


def test_votes_alone_are_held_at_the_level_of_all_candidates() -> None:
    """Tango's interval at z(1 - .025/K), or the t interval of several votes; both conditions are shown."""
    for good, same, bad in ((60, 40, 35), (30, 5, 12), (21, 0, 0)):
        table = gsb(good, same, bad)
        low = table.lower_bound(1 - 0.025 / 5)
        assert table.ci95 is not None
        assert low < table.ci95[0]
        n, z = good + same + bad, stats.norm.ppf(1 - 0.025 / 5)
        # Tango's score at the bound: the restricted maximum likelihood share of bad queries solves a square.
        a, b, c = 2 * n, -good - bad + (2 * n - good + bad) * low, -bad * low * (1 - low)
        share = (math.sqrt(b * b - 4 * a * c) - b) / (2 * a)
        assert (good - bad - n * low) / math.sqrt(n * (2 * share + low * (1 - low))) == pytest.approx(z, abs=1e-6)
    several = rated([0, 0, 1, 1, 2, 2, 3, 3], [1, 1, 1, 0, -1, 1, 1, 1]).gsb
    assert several.interval == "t"
    expected = max(-1.0, several.delta - stats.t.ppf(1 - 0.025 / 5, 3) * several.se)
    assert several.lower_bound(1 - 0.025 / 5) == pytest.approx(expected)
    votes = [{"query": f"q{i}", "vote": vote} for i, vote in enumerate(["good"] * 60 + ["same"] * 40 + ["bad"] * 38)]
    alone = rd.compare_votes(votes)
    rules = [check_of(rd.decide(alone, candidates=k), "U1") for k in (1, 5)]
    assert [str(check.status) for check in rules] == ["passed", "not_proven"]
    assert [len(check.conditions) for check in rules] == [1, 2]


def test_one_of_several_is_fragile_by_its_own_bound() -> None:
    """Removals move the bound that the launch rests on: with more candidates a launch hangs on fewer queries."""
    found = [compared(seed) for seed in range(15)]
    launched = [one for one in found if rd.decide(one, candidates=20).launch]
    assert launched
    for one in launched:
        alone, several = (rd.decide(one, candidates=k).fragility for k in (1, 20))
        assert alone.n is None or (several.n is not None and several.n <= alone.n)
    assert evidence_of(found[0], 20).candidates == 20


def test_more_candidates_take_more_queries_to_tell_one_from_chance() -> None:
    """The number of queries that a proof takes is that of the level of all candidates: about 1.9 times for 20."""
    case = made_cases.case(279)
    read = evidence(case["evidence"]), rd.Policy.from_dict(case["policy"])
    alone, several = (decide_from(*read, 1, candidates).needed for candidates in (1, 20))
    assert several["as_seen"] / alone["as_seen"] == pytest.approx(((3.0233 + 0.8416) / (1.96 + 0.8416)) ** 2, rel=1e-2)


@pytest.mark.parametrize("said", [{}, {"intent": "do_no_harm"}, {"inference": "fixed"}])
def test_votes_alone_are_warned_of_alike_under_every_policy(said: dict[str, str]) -> None:
    """By votes alone B must always be preferred, and raters speak for others: looks and candidates are said so."""
    rows = [{"query_id": f"q{i}", "vote": "good" if i % 3 else "bad"} for i in range(60)]
    told = [
        {one.id: one.sentence for one in rd.decide(rd.compare_votes(rows, policy=policy), 2, 3).caveats}
        for policy in (rd.Policy(), rd.Policy.from_dict(said))
    ]
    assert told[0] == told[1]
    assert told[0].keys() >= {"looks", "family"}
