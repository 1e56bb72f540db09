"""The verdict against twins that never ask the product: on random evidence, on votes, and from rows of files on."""

import random
from collections.abc import Iterable
from dataclasses import asdict
from typing import Any

import pytest

import rankdash as rd
from rankdash.scoring import Comparison, PerQuery, compare_scored, join, score_queries
from rankdash.verdict import Evidence, Verdict, decide_from, evidence_of
from rankdash.verdict.records import Numbers
from tests.evidence.cases import of
from tests.made_evidence import OURS, evidence, votes_numbers
from tests.truth import made_cases
from tests.truth.scale import sampled, scaled
from tests.truth.small import Small, near_limits
from tests.truth.twin_numbers import Query, listed, numbers_of
from tests.truth.twin_verdict import judge, judge_votes

PLAIN_CAVEATS = "looks family sides raters repeated small".split()
CLOSE = 1e-9


def differences(verdict: Verdict, expected: dict[str, Any]) -> dict[str, tuple[Any, Any]]:
    """Where the product and the twin disagree."""
    found = {
        "outcome": str(verdict.outcome),
        "rule": verdict.rule,
        "tag": verdict.tag,
        "statuses": {check.rule: str(check.status) for check in verdict.checks},
        "caveats": {one.id for one in verdict.caveats if one.id in PLAIN_CAVEATS},
    }
    return {name: (found[name], value) for name, value in expected.items() if found[name] != value}


@pytest.mark.parametrize("case", of("policy_cases", "full"))
def test_the_twin_is_the_reference(case: dict[str, Any]) -> None:
    """The twin decides every case of the reference as the reference does."""
    other = {"guardrails": [["nDCG@10", 0.01]]} if case["policy"].get("primary") == "AP" else {}
    policy = made_cases.whole({**other, **case["policy"]})
    found = judge(case["evidence"], policy, case["looks"], case["candidates"])
    expected = {name: case["expected"][name] for name in found.keys() & case["expected"].keys() - {"caveats"}}
    # The reference does not know rules that are newer than it is.
    found["statuses"] = {key: found["statuses"].get(key) for key in expected["statuses"]}
    assert {name: found[name] for name in expected} == expected


def put_at_a_limit(case: dict[str, Any], dice: random.Random) -> None:
    """Make one number of the primary measure the limit that a rule has for it; a loss at its margin is proven."""
    policy, primary = made_cases.whole(case["policy"]), case["evidence"]["plain"]["primary"]
    margin, mpe = policy["primary_margin"], policy["mpe"]
    limits = {
        "upper95": (0.0, mpe),
        "lower95": (0.0, -max(mpe, margin)),
        "lower90": (-margin,),
        "delta": (mpe, -margin),
    }
    name = dice.choice([*limits])
    if primary["lower95"] is not None:
        primary |= {
            name: dice.choice(limits[name]),
            "se": None,
        }  # the error that several candidates have no longer fits
        primary["upper95"] = -margin / 2 if primary["delta"] == -margin else primary["upper95"]


def test_plain_numbers_are_judged_as_the_twin_judges_them() -> None:
    """On random evidence, much of it exactly at a limit, rules, tag, statuses and caveats are the twin's."""
    for seed in range(scaled(340)):
        case = made_cases.case(seed)
        if seed % 2:
            put_at_a_limit(case, random.Random(seed))
        times = case["looks"], case["candidates"]
        verdict = decide_from(evidence(case["evidence"]), rd.Policy.from_dict(case["policy"]), *times)
        expected = judge(case["evidence"], made_cases.whole(case["policy"]), *times)
        assert not differences(verdict, expected), seed


def test_votes_alone_are_judged_as_the_twin_judges_them() -> None:
    """On random votes the rules for votes alone are the twin's."""
    for seed in range(scaled(180)):
        dice = random.Random(seed)
        said, votes = made_cases.votes_policy(dice), made_cases.votes(dice)
        if votes is None:
            continue
        times = dice.choice((1, 2, 7)), dice.choice((1, 3))
        verdict = decide_from(Evidence(votes=votes_numbers(votes)), rd.Policy.from_dict(said), *times)
        assert not differences(verdict, judge_votes(votes, made_cases.whole(said), *times)), seed


def queries_of(world: Small, convention: rd.Convention) -> list[Query]:
    """The judged queries in the order in which the judgments name them."""
    grades: dict[str, dict[str, float]] = {query: {} for query, _, _ in world.judged}
    for (query, doc), grade in world.grades.items():
        grades[query][doc] = grade
    return [
        Query(
            *(listed(world.lists[side].get(query, []), world.by_score, convention) for side in "ab"),
            grades=of_query,
            weight=None if world.weights is None else world.weights[query],
            segment=world.segments[query],
            group=None if world.clusters is None else world.clusters[query] or f"alone {query}",
        )
        for query, of_query in grades.items()
    ]


def completed(expected: dict[str, Any], found: Any, where: str) -> dict[str, Any]:
    """The twin's numbers, each the product's, with those of the product where they agree to the last digit that counts:
    at a limit the twelfth decimal decides, and sums in another order have another sixteenth.
    """
    for name, value in expected.items():
        other = getattr(found, name, value)
        if isinstance(value, float) and other is not None:
            assert abs(other - value) <= CLOSE, (where, name)
        else:
            assert other == value, (where, name)
    return {**expected, **{name: getattr(found, name) for name in expected if hasattr(found, name)}}


def told(found: Any, expected: dict[str, Any] | None, where: str) -> dict[str, Any] | None:
    """The twin's reading, each number the product's."""
    if expected is None:
        assert found.primary.n == 0, where
        return None
    assert asdict(found.severe) == expected["severe"], where
    rows = {"primary": completed(expected["primary"], found.primary, where), "severe": expected["severe"]}
    for kind in ("guardrails", "watch", "segments"):
        others = getattr(found, kind) if kind != "segments" else counted(found.segments)
        pairs = zip(expected[kind], others, strict=True)
        rows[kind] = [completed(one, other, f"{where} {kind}") for one, other in pairs]
    return rows


def counted(segments: Iterable[Numbers]) -> list[Numbers]:
    """Segments by name, without those of which no query counts: these have no number that a rule could read."""
    empty = [one for one in segments if one.changed == 0 and one.delta is None]
    assert all((one.n, one.p_harm, one.p_flip, one.lower90, one.upper90) == (0, *[None] * 4) for one in empty)
    return sorted((one for one in segments if one not in empty), key=lambda one: one.value)


def weighed(comparison: Comparison, world: Small, convention: rd.Convention, said: dict[str, Any], of: int) -> None:
    """Data, numbers, statuses and caveats of a comparison, one ``of`` several, are those of the twin."""
    found, expected = evidence_of(comparison, of), numbers_of(queries_of(world, convention), convention, said)
    for name, value in expected["data"].items():
        other = getattr(found.data, OURS.get(name, name))
        assert other == (pytest.approx(value, abs=1e-12) if isinstance(value, float) else value), name
    leaks = found.data.likeness or (None, None)  # of the lists as they are, which the twin does not have
    for side, leak in zip(("leak_a", "leak_b"), leaks, strict=True):
        expected["data"][side] = None if leak is None else asdict(leak)
    expected["votes"] = None if found.votes is None else asdict(found.votes)  # tests/evidence has their twin
    for kind in ("plain", "condensed"):
        expected[kind] = told(getattr(found, kind), expected[kind], kind)
    assert not differences(rd.decide(comparison, candidates=of), judge(expected, said, candidates=of))


def test_verdicts_are_those_of_a_twin_that_reads_the_rows() -> None:
    """Queries in one run only, weights of 0, groups, segments, votes, duplicates, conflicts, ties, affected queries,
    lists without a judged document, ids that differ after 200 bytes: in one call, and from the table read back.
    """
    for seed in range(sampled(30)):
        world, few, convention = near_limits(seed)
        policy = rd.Policy.from_dict(few).changed(convention=convention)
        spelled = {name: getattr(policy, name) for name in ("primary", "guardrails", "watch", "cutoff")}
        said = made_cases.whole({**few, **spelled})
        try:
            whole = world.compared(policy)
            weighed(whole, world, convention, said, 1 + seed % 4)
            joined = join(world.run("a"), world.run("b"), world.judgments(), depth=1)
            table = PerQuery.from_arrow(score_queries(joined, policy).to_arrow())
            again = compare_scored(table, policy, queries=world.queries(), votes=world.votes())
            weighed(again, world, convention, said, 1 + seed % 4)
            assert rd.decide(again) == rd.decide(whole)
        except AssertionError as error:
            raise AssertionError(f"seed {seed}") from error
