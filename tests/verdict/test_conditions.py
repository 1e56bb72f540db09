"""The conditions of rules: what was compared with what, that the status follows from it alone, and true words."""

import operator
import random
from collections.abc import Iterator
from typing import Any, get_args

import pytest

import rankdash as rd
from rankdash.report.json import verdict_part
from rankdash.report.sections import answers
from rankdash.style.verdict import IN_SHORT
from rankdash.verdict import RULE_OF, Evidence, Verdict, decide_from
from rankdash.verdict.records import Check, Condition, Numbers, Status, Unit
from rankdash.verdict.rule import shown_numbers
from tests.long import every
from tests.made_evidence import evidence, plain, votes_numbers
from tests.truth import made_cases
from tests.truth.scale import scaled

LIMIT = 0.05
HOLDS = {"<": operator.lt, "≤": operator.le, ">": operator.gt, "≥": operator.ge}


def checks_of(seed: int) -> Iterator[Check]:
    """The checks of random evidence, much of it exactly at a limit, and of random votes without judgments."""
    case, dice = made_cases.case(seed), random.Random(seed)
    yield from decide_from(evidence(case["evidence"]), rd.Policy.from_dict(case["policy"])).checks
    policy, votes = made_cases.votes_policy(dice), made_cases.votes(dice)
    if votes is not None:
        yield from decide_from(Evidence(votes=votes_numbers(votes)), rd.Policy.from_dict(policy)).checks


def as_number(text: str) -> float:
    """A shown number."""
    return float(text.replace("−", "-").replace(",", "").removesuffix("%").removeprefix("<").removeprefix("+"))


def holds(value: Any, relation: str, limit: Any) -> bool:
    """Whether a value is in a relation to a limit, without the package's own comparison."""
    if value is None or isinstance(value, str):
        return value is not None and value == limit
    return HOLDS[relation](round(value - limit, 12), 0)


def test_a_rule_passes_exactly_if_its_conditions_say_so() -> None:
    """In random worlds, for every rule: of each group one condition holds, or the rule stops; it fails if its proof
    holds, too; and what is shown of a condition says the same as its numbers.
    """
    seen = set[tuple[str, str]]()
    for seed in range(250):
        for check in checks_of(seed):
            met = all(any(holds(one.value, one.relation, one.limit) for one in group) for group in check.conditions)
            if check.status is not Status.NOT_APPLICABLE:
                assert (check.status is Status.PASSED) == met, (seed, check)
                assert check.status is not Status.FAILED or all(
                    holds(one.value, one.relation, one.limit) for one in check.proof
                ), (seed, check)
                assert check.deciding or check.rule == "H3", (seed, check)
            for one in [*check.proof, *(one for group in check.conditions for one in group)]:
                value, limit = shown_numbers(one)
                if not isinstance(one.value, str):
                    value, limit = (None if text == "n/a" else as_number(text) for text in (value, limit))
                assert holds(value, one.relation, limit) == one.holds, (seed, check.rule, one)
            # What decides says the same as the status: none holds, or the last one does.
            if check.deciding:
                assert check.deciding[-1].holds == met, (seed, check)
                assert not any(one.holds for one in check.deciding[:-1]), (seed, check)
            seen.add((check.rule, check.status.value))
    for statuses in ({"passed"}, {"failed", "not_proven"}):
        assert {rule for rule, status in seen if status in statuses} >= set(RULE_OF) - {"N0"}


@pytest.mark.parametrize("unit", [unit for unit in get_args(Unit) if unit not in ("name", "outcome")])
@pytest.mark.parametrize("apart", [0.0, 1e-9, -1e-9, 0.0004, -0.0004, 0.04, 12.5])
def test_a_value_and_its_limit_are_told_apart_where_they_differ(unit: Unit, apart: float) -> None:
    """As many decimals are shown as it takes, for every kind of number and whichever side it is on."""
    for limit in (0.0, LIMIT, 0.0123456, 30.0, -0.01):
        value, bound = map(as_number, shown_numbers(Condition("x", limit + apart, ">", limit, unit)))
        assert unit != "p" or value >= 0.001
        if not (unit == "p" and value == 0.001):  # "<0.001"
            assert (value > bound, value < bound) == (apart > 0, apart < 0)


def test_the_json_of_a_check_holds_its_conditions() -> None:
    """Each condition with what, value, relation, limit, unit and whether it holds, in groups."""
    case = made_cases.case(1)
    verdict = decide_from(evidence(case["evidence"]), rd.Policy.from_dict(case["policy"]))
    for check, found in zip(verdict.checks, verdict_part(verdict)["checks"], strict=True):
        for group, rows in zip(check.conditions, found["conditions"], strict=True):
            assert rows == [vars(one) | {"holds": one.holds} for one in group]
        assert [row["holds"] for row in found["proof"]] == [one.holds for one in check.proof]


OWN = [(50, "failed", "passed"), (29, "failed", "not_proven"), (19, "not_applicable", "not_proven")]


@pytest.mark.parametrize(("n", "harm", "enough"), OWN)
@pytest.mark.parametrize("rule", ["H2", "H4"])
def test_each_measure_has_its_own_queries_in_gates_and_sentences(n: int, harm: str, enough: str, rule: str) -> None:
    """Below 20 queries of its own a measure is not called harmed, below 30 of a guardrail nothing launches; what is
    said of it is said on its own queries.
    """
    lost = {"delta": -0.05, "p_harm": 1e-9, "lower90": -0.06, "upper90": -0.04, "changed": n, "n": n}
    kind, measure = ("guardrails", "AP") if rule == "H2" else ("watch", "RR")
    found = plain(**{kind: (Numbers(measure=measure, **lost),)})
    checks = {check.rule: check for check in decide_from(found, rd.Policy()).checks}
    assert checks[rule].status == harm
    assert checks["S1"].status == (enough if rule == "H2" else "passed")
    if harm == "failed":
        assert f" on {n} queries" in checks[rule].sentence
    if rule == "H2":
        assert f" on {n} queries" in checks["U3"].sentence


def sentences(verdict: Verdict) -> dict[str, str]:
    """What each rule says, by its name."""
    return {check.rule: check.sentence for check in verdict.checks}


def zero_in(low: float | None, high: float | None) -> bool:
    """Whether an interval holds 0."""
    return low is not None and high is not None and round(low, 12) <= 0 <= round(high, 12)


@pytest.mark.parametrize("seed", every(4, range(scaled(160))))
def test_no_row_says_what_the_interval_contradicts(seed: int) -> None:
    """Chance is blamed only where the interval holds 0, and a fixed set speaks of no groups and no worth. Where nothing
    can be compared nobody is told whether B is better or harms, and where nobody votes not what raters say.
    """
    case = made_cases.case(seed)
    policy = rd.Policy.from_dict(case["policy"])
    verdict = decide_from(evidence(case["evidence"]), policy)
    said, primary = sentences(verdict), case["evidence"]["plain"]["primary"]
    low, high = (primary["delta"] if end is None else end for end in (primary["lower95"], primary["upper95"]))
    assert "but this could be chance" not in said["U1"] or zero_in(low, high)
    told = verdict_part(verdict)["answers"]
    if verdict.outcome == "NOT_COMPARABLE":
        assert {told["better"], told["harmed"]} == {"Not asked"}
    for answer in answers(verdict):
        assert answer.sentence != "B changes something."
        assert case["evidence"]["votes"] or "Raters" not in answer.sentence
        failed = [IN_SHORT.get(check.rule, ("",))[0] for check in answer.checks if check.status == "failed"]
        assert told["harmed"] != "Found" or answer.question != "harmed" or all(one in answer.sentence for one in failed)
    if policy.inference == "fixed":
        assert not any("by weight" in text or " group" in text for text in said.values())
    if not policy.mpe:
        assert "needs ≥ 0.000" not in verdict.would_change
