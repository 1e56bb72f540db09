"""The verdict against a twin written from its definition alone, on random evidence and random small comparisons."""

from __future__ import annotations

import random
from dataclasses import asdict
from typing import Any, get_args

import pytest

import rankdash as rd
from rankdash.verdict import Evidence, Verdict, decide_from, evidence_of
from rankdash.verdict.records import Question
from rankdash.verdict.rule import answer
from tests.evidence.cases import CASES, of
from tests.made import judgments, run
from tests.made_evidence import OURS, evidence, votes_numbers
from tests.truth import made_cases, small_worlds
from tests.truth.scale import done, scaled
from tests.truth.twin_numbers import fewest, reading_of, required_n, votes_of
from tests.truth.twin_verdict import judge
from tests.truth.twin_votes import judge_votes, mid_p, required_votes, tango

PLAIN_CAVEATS = "looks family sides raters repeated small".split()
CLOSE = 1e-9


def told_by(verdict: Verdict) -> dict[str, Any]:
    """What the product says, as the twin says it."""
    return {
        "outcome": str(verdict.outcome),
        "launch": verdict.launch,
        "rule": verdict.rule,
        "screen": verdict.screen,
        "tag": verdict.tag,
        "exit_code": verdict.exit_code,
        "statuses": {check.rule: str(check.status) for check in verdict.checks},
        "caveats": {one.id for one in verdict.caveats if one.id in PLAIN_CAVEATS},
        "answers": {question: answer(question, verdict.checks) for question in get_args(Question)},
    }


def differences(verdict: Verdict, expected: dict[str, Any]) -> dict[str, tuple[Any, Any]]:
    """Where the product and the twin disagree."""
    found = told_by(verdict)
    return {name: (found[name], value) for name, value in expected.items() if found[name] != value}


def whole(said: dict[str, Any]) -> dict[str, Any]:
    """A policy of the reference with every field."""
    other = {"guardrails": [["nDCG@10", 0.01]]} if said.get("primary") == "AP" else {}
    return made_cases.whole({**other, **said})


@pytest.mark.parametrize("case", of("policy_cases", "full"))
def test_the_twin_is_the_reference(case: dict[str, Any]) -> None:
    """The twin decides every case of the reference as the reference does."""
    found = judge(case["evidence"], whole(case["policy"]), case["looks"], case["candidates"])
    expected = {name: case["expected"][name] for name in found.keys() & case["expected"].keys() - {"caveats"}}
    # The reference does not know rules that are newer than it is.
    found["statuses"] = {key: found["statuses"].get(key) for key in expected["statuses"]}
    assert {name: found[name] for name in expected} == expected


@pytest.mark.parametrize("case", of("policy_cases", "gsb_only"))
def test_the_twin_for_votes_is_the_reference(case: dict[str, Any]) -> None:
    """The twin decides votes alone as the reference does."""
    low, high = case["expected"].get("ci95") or (None, None)
    counted = {"delta": case["expected"].get("delta_gsb"), "lower95": low, "upper95": high, "lower90": None}
    found = judge_votes(counted | case["votes"], whole(case["policy"]))
    expected = {name: case["expected"][name] for name in found.keys() & case["expected"].keys() - {"caveats"}}
    assert {name: found[name] for name in expected} == expected


def test_the_arithmetic_of_the_twin_is_that_of_the_reference() -> None:
    """Tango, mid-p and the required numbers of the twin are those of the reference."""
    for case in CASES["gsb_cases"]:
        expected, (g, b) = case["expected"], (case["good"], case["bad"])
        if "n" in expected:
            assert tango(g, b, expected["n"], made_cases.Z95) == pytest.approx(expected["tango_score95"], abs=CLOSE)
            assert mid_p(g, b) == pytest.approx(expected["sign_midp"], abs=CLOSE)
    for case in CASES["required_n_metric"][::4]:
        assert required_n(case["sd"], case["target"]) == case["n"]
    for case in CASES["required_n_gsb"]:
        assert required_votes(case["discordant_share"], case["target_delta_gsb"]) == case["n"]


def test_plain_numbers_are_judged_as_the_twin_judges_them() -> None:
    """On random evidence, much of it exactly at a limit, rules, tag, statuses, words and caveats are the twin's."""
    for seed in range(scaled(240)):
        case = made_cases.case(seed)
        policy = rd.Policy.from_dict(case["policy"])
        times = case["looks"], case["candidates"]
        verdict = decide_from(evidence(case["evidence"]), policy, *times)
        assert not differences(verdict, judge(case["evidence"], whole(case["policy"]), *times)), seed
    done("records of evidence", scaled(240))


def test_votes_alone_are_judged_as_the_twin_judges_them() -> None:
    """On random votes the rules for votes alone are the twin's."""
    for seed in range(scaled(180)):
        dice = random.Random(seed)
        said, votes = made_cases.votes_policy(dice), made_cases.votes(dice)
        if votes is None:
            continue
        times = dice.choice((1, 2, 7)), dice.choice((1, 3))
        verdict = decide_from(Evidence(votes=votes_numbers(votes)), rd.Policy.from_dict(said), *times)
        assert not differences(verdict, judge_votes(votes, whole(said), *times)), seed
    done("records of votes", scaled(180))


def compared(world: small_worlds.World) -> rd.Comparison:
    """The world through the door that everybody uses."""
    queries = None if world.queries is None else rd.read_queries(world.queries)
    votes = None if world.votes is None else rd.read_votes(world.votes)
    policy = rd.Policy.from_dict(world.policy)
    found = rd.compare(run(world.a), run(world.b), judgments(world.grades), policy=policy, queries=queries, votes=votes)
    assert isinstance(found, rd.Comparison)
    return found


def deltas_of(comparison: rd.Comparison, world: small_worlds.World) -> dict[str, list[float]]:
    """The differences of the queries that count, by measure."""
    table, found = comparison.per_query, {}
    for query, measure, delta in zip(table["query_id"], table["measure"], table["delta"], strict=True):
        found.setdefault(measure, {})[query] = round(float(delta), 12)
    return {measure: [values[query] for query in world.counted] for measure, values in found.items()}


def close(found: Any, expected: dict[str, Any], where: str) -> None:
    """Every number that the twin knows is that of the product."""
    for name, value in expected.items():
        other = getattr(found, name, value)
        if isinstance(value, float) and other is not None:
            assert abs(other - value) <= CLOSE, (where, name)
        elif value is not None or not name.startswith(("required", "side_")):
            assert other == value, (where, name)


def completed(numbers: dict[str, Any], found: Any) -> dict[str, Any]:
    """The twin's numbers with those of the product where they agree to the last digit that counts: at a limit the
    twelfth decimal decides, and sums in another order have another sixteenth.
    """
    return {**numbers, **{name: getattr(found, name) for name in numbers if hasattr(found, name)}}


def numbers_of(world: small_worlds.World, comparison: rd.Comparison, found: Evidence) -> dict[str, Any]:
    """The twin's evidence of a world, each number compared with the product's."""
    assert found.plain is not None
    policy = whole(world.policy)
    groups = None if policy["inference"] == "fixed" else world.groups
    numbers = reading_of(
        deltas_of(comparison, world), policy, world.weights, world.segments, groups=groups, needed=world.seed % 8 == 0
    )
    rows: dict[str, Any] = {"severe": numbers["severe"]}
    assert asdict(found.plain.severe) == numbers["severe"] if found.plain.severe else False
    for kind in ("guardrails", "watch", "segments"):
        others = sorted(getattr(found.plain, kind), key=lambda one: one.value)
        rows[kind] = []
        for one, other in zip(numbers[kind], others, strict=True):
            close(other, one, kind)
            rows[kind].append(completed(one, other))
    close(found.plain.primary, numbers["primary"], "primary")
    rows["primary"] = {**asdict(found.plain.primary), **completed(numbers["primary"], found.plain.primary)}
    votes = None
    if found.votes is not None:
        votes = votes_of(world.vote_rows)
        close(found.votes, votes, "votes")
        votes = {**asdict(found.votes), **completed(votes, found.votes)}
    data = asdict(found.data) if found.data else {}
    leaks = dict(zip(("leak_a", "leak_b"), data["likeness"] or (), strict=False))
    return {
        "data": data | leaks | {theirs: data[ours] for theirs, ours in OURS.items()},
        "plain": rows,
        "votes": votes,
    } | {"condensed": None}


def test_small_comparisons_are_judged_as_the_twin_judges_them() -> None:
    """From ranked lists and votes to the verdict each number, status and word is the twin's."""
    for seed in range(scaled(12)):
        world = small_worlds.world(seed)
        if not world.counted:
            continue
        comparison = compared(world)
        numbers = numbers_of(world, comparison, evidence_of(comparison))
        assert not differences(rd.decide(comparison), judge(numbers, whole(world.policy))), seed
    done("small comparisons", scaled(12))


def test_the_fewest_queries_are_those_of_a_plain_search() -> None:
    """Which queries carry a verdict, and what it turns to, is what the search of the definition finds."""
    seeds = iter(range(10_000))
    for _ in range(scaled(3)):
        world = next(w for w in map(small_worlds.world, seeds) if w.plain and 20 <= len(w.counted) <= 30)
        comparison = compared(world)
        verdict = rd.decide(comparison)
        found = verdict.fragility
        if found is None:
            nothing = verdict.outcome is rd.Outcome.NOT_COMPARABLE or verdict.rule in ("H3", "U4", "N0")
            assert nothing or world.policy.get("inference") == "fixed"
            continue
        turns = None if found.turns_to is None else str(found.turns_to)
        gone, *expected = fewest(deltas_of(comparison, world), whole(world.policy), world.weights, world.groups)
        assert [turns, found.searched] == expected, world.seed
        assert found.queries == tuple(world.counted[i] for i in gone or ()), world.seed
    done("searches for the fewest queries", scaled(3))
