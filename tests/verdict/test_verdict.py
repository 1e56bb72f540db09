"""The rules and the verdict: the cases of the reference, and the limits."""

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

import pytest

import rankdash as rd
from rankdash.policy import Policy
from rankdash.verdict import RULES, Evidence, Outcome, Verdict, decide_from
from rankdash.verdict.records import Numbers
from rankdash.verdict.rule import RuleInput, answer, needs, outcome_of
from rankdash.verdict.rules import FIXED
from rankdash.wording import about
from tests.evidence.cases import of
from tests.made_evidence import CLEAN, counts, data, evidence, plain, primary, votes, votes_numbers

FULL, VOTES_ONLY = of("policy_cases", "full"), of("policy_cases", "gsb_only")


def verdict_of(case: dict[str, Any]) -> Verdict:
    """The verdict on a case of the reference."""
    found = evidence(case["evidence"]) if "evidence" in case else Evidence(votes=votes_numbers(case["votes"]))
    policy = Policy.from_dict(case["policy"])
    return decide_from(found, policy, case.get("looks", 1), case.get("candidates", 1))


@pytest.mark.parametrize("case", [*FULL, *VOTES_ONLY])
def test_the_policy_decides_as_the_reference_does(case: dict[str, Any]) -> None:
    """Outcome, launch, deciding rule, screen, tag and exit status are those of the reference."""
    verdict, expected = verdict_of(case), case["expected"]
    names = ("outcome", "launch", "rule", "screen", "tag", "exit_code")
    assert {name: getattr(verdict, name) for name in names} == {name: expected[name] for name in names}


@pytest.mark.parametrize("case", [*FULL, *VOTES_ONLY])
def test_every_rule_has_the_status_of_the_reference(case: dict[str, Any]) -> None:
    """Every rule is evaluated, also after the one that decides, with the status of the reference and in its order.

    Rules that the reference does not know stand among them and change none of its answers.
    """
    expected = case["expected"]["statuses"]
    statuses = {check.rule: str(check.status) for check in verdict_of(case).checks if check.rule in expected}
    assert list(statuses.items()) == list(expected.items())


#: What the reference answers, in the words of today.
HARM = {"Yes": "Found", "None proven": "None found", "Cannot be ruled out": "Not ruled out"}
ANSWERS = {"harmed": HARM, "enough": {"Enough to ask": "Yes"}}


@pytest.mark.parametrize("case", FULL)
def test_the_questions_are_answered_as_in_the_reference(case: dict[str, Any]) -> None:
    """The answers to the four questions are those of the reference; where B need not be better, none says so."""
    expected, checks = case["expected"]["answers"], verdict_of(case).checks
    said = {question: answer(question, checks) for question in expected}
    if case["policy"].get("intent") == "do_no_harm" and expected["better"] == "Yes":
        assert said.pop("better") in ("As good", "The same")
    assert said == {one: ANSWERS.get(one, {}).get(expected[one], expected[one]) for one in said}


@pytest.mark.parametrize("case", [*FULL, *VOTES_ONLY])
def test_the_next_step_is_a_step_and_has_the_number_of_its_facts(case: dict[str, Any]) -> None:
    """Every outcome has a next step; where more queries would confirm the gain, it says how many."""
    verdict = verdict_of(case)
    more = verdict.needed.get("more_as_seen")
    assert verdict.next_step.endswith(".")
    assert more is None or f"about {about(more)} more " in verdict.next_step


@pytest.mark.parametrize("case", FULL)
def test_nobody_is_asked_to_judge_clicks(case: dict[str, Any]) -> None:
    """Where judgments name only relevant documents, no step is to judge: such queries are collected."""
    found = evidence(case["evidence"])
    logged = replace(found, data=replace(found.data, kind="positive_only"))
    step = decide_from(logged, Policy.from_dict(case["policy"])).next_step
    assert "judge" not in step.lower().replace("judged", "")


#: What the reference calls caveats that are now part of another one; None: withdrawn, or shown for another reason.
NOW = {"agreement": "raters", "position": "sides", "fixed": None, "small": None}


def named(caveats: Iterable[str]) -> set[str]:
    """The names of caveats that the evidence alone decides, as they are called now."""
    return {NOW.get(name, name) for name in caveats} - {None}


@pytest.mark.parametrize("case", [*FULL, *VOTES_ONLY])
def test_what_plain_numbers_warn_of_is_that_of_the_reference(case: dict[str, Any]) -> None:
    """What the evidence alone decides is warned of where the reference warns."""
    found = {one.id for one in verdict_of(case).caveats} & {*"looks family sides raters repeated".split()}
    assert found == named(case["expected"]["caveats"])


@pytest.mark.parametrize("case", FULL)
def test_the_outcome_without_words_is_that_of_the_checklist(case: dict[str, Any]) -> None:
    """Asking the rules in turn until one decides finds the same rule and outcome as the whole checklist does."""
    policy, verdict = Policy.from_dict(case["policy"]), verdict_of(case)
    if verdict.outcome is not Outcome.NOT_COMPARABLE:
        rules = FIXED if policy.inference == "fixed" else RULES
        outcome, rule = outcome_of(rules, RuleInput(evidence(case["evidence"]), policy))
        assert (outcome, rule.id if rule else verdict.rule) == (verdict.outcome, verdict.rule)


@pytest.mark.parametrize(("judged", "rule"), [(0, "C6"), (1, None), (2, None)])
def test_ids_never_match_where_not_one_shown_document_is_judged(judged: int, rule: str | None) -> None:
    """One judged document in the first k is enough to compare, below them none counts; how few there are is said."""
    docs = [f"d{i}" for i in range(12)]
    grades = {f"q{i}": {doc: at % 3 for at, doc in enumerate(docs)} for i in range(100)}
    b = {query: {doc: -at for at, doc in enumerate(docs[::-1])} for query in grades}
    a = {q: {f"s:{doc}": -at for at, doc in enumerate(docs[:11])} | {"d11": -99} for q in grades}  # at rank 12
    for query in list(grades)[:judged]:
        a[query] = {doc: -at for at, doc in enumerate(["d1", *(f"s:{doc}" for doc in docs[1:])])}
    verdict = rd.decide(rd.compare(rd.read_run(a), rd.read_run(b), rd.read_judgments(grades)))
    (check,) = (check for check in verdict.checks if check.rule == "C6")
    assert check.status == ("failed" if rule else "passed")
    assert check.conditions[0][0].value == pytest.approx(judged / 1000)
    assert (verdict.rule == "C6") == (rule == "C6")
    if not rule:
        says = next(one.sentence for one in verdict.caveats if one.id == "unjudged")
        assert f"{judged / 10:.1f}% are judged in A" in says


@pytest.mark.parametrize(("gap", "rule"), [(0.97 - 0.96, "L1"), (0.0100001, "C5")])
def test_one_point_of_judged_gap_is_within_the_limit(gap: float, rule: str) -> None:
    """.97 against .96 differ by 0.010000000000000009 in binary and still by no more than one point."""
    found = replace(CLEAN, data=data(1000, judged_a=0.96 + gap, judged_b=0.96, unjudged_shown=14))
    worse = primary(delta=-0.015, lower95=-0.022, upper95=-0.008, lower90=-0.021, upper90=-0.009).plain
    verdict = decide_from(replace(found, condensed=worse), Policy())
    assert verdict.rule == rule
    if rule == "C5":
        assert verdict.sentence == "The answer depends on 14 unjudged documents."
        assert verdict.would_change == "label 14 documents"


@pytest.mark.parametrize(("n", "ends"), [(1000, "is the same."), (12, "is the same: Only 12 queries")])
def test_an_outcome_that_rests_on_another_rule_without_unjudged_documents_says_so(n: int, ends: str) -> None:
    """The two readings are compared by their outcomes; their rules may differ."""
    unproven = {"delta": 0.01, "lower95": -0.01, "upper95": 0.03, "lower90": -0.005, "upper90": 0.025}
    found = replace(primary(**unproven), data=data(1000, judged_a=0.98, judged_b=0.96, unjudged_shown=14))
    verdict = decide_from(replace(found, condensed=primary(**unproven, n=n, n_eff=n, changed=n).plain), Policy())
    assert f"the outcome {ends}" in next(check for check in verdict.checks if check.rule == "C5").sentence


@pytest.mark.parametrize(("candidates", "rule"), [(1, "L1"), (16, "U1")])
def test_both_readings_are_at_the_level_of_all_candidates(candidates: int, rule: str) -> None:
    """What launches alone, with and without unjudged documents, is not proven of 16 candidates, in both readings."""
    found = primary(delta=0.022, se=0.01, df=999.0, lower95=0.0024, upper95=0.0416, lower90=0.0055, upper90=0.0385)
    found = replace(found, data=data(1000, judged_a=0.98, judged_b=0.96, unjudged_shown=14), condensed=found.plain)
    verdict = decide_from(found, Policy(), candidates=candidates)
    assert (verdict.rule, verdict.launch) == (rule, candidates == 1)
    assert next(check for check in verdict.checks if check.rule == "C5").status == "passed"


@pytest.mark.parametrize(
    ("missing", "judged", "fails"), [(4, 100, False), (5, 100, True), (5, 500, False), (6, 500, True)]
)
def test_missing_queries_stop_from_five_and_one_percent(missing: int, judged: int, fails: bool) -> None:
    """A difference of five queries that is more than one percent cannot be compared; either alone can."""
    found = replace(CLEAN, data=data(judged, missing_b=missing))
    check = next(check for check in decide_from(found, Policy()).checks if check.rule == "C4")
    assert (check.status == "failed") == fails


def test_a_watch_measure_without_p_is_not_in_the_family() -> None:
    """One undefined p leaves the other alone in its family, so .03 is harm."""
    lost = Numbers(measure="nDCG@1", n=400, changed=200, delta=-0.03, p_harm=0.03)
    same = Numbers(measure="RR", n=400, changed=200, delta=0.0)
    assert decide_from(plain(watch=(lost, same)), Policy()).rule == "H4"
    assert decide_from(plain(watch=(lost, replace(same, p_harm=0.5))), Policy()).launch


def test_no_affected_query_is_an_empty_population() -> None:
    """Where the policy counts the affected queries and there is none, A and B cannot be compared."""
    empty = replace(CLEAN, data=counts({**vars(CLEAN.data), "affected": 0}))
    verdict = decide_from(empty, Policy(population="affected"))
    assert (verdict.outcome, verdict.rule) == (Outcome.NOT_COMPARABLE, "C1")
    assert decide_from(empty, Policy()).launch


def test_what_cannot_be_told_apart_is_not_ahead() -> None:
    """The next step says that A is ahead only where the difference does not read 0.000."""
    found = [primary(delta=delta, lower95=-0.02, upper95=0.02) for delta in (-0.0004, -0.001)]
    assert ["A is ahead" in decide_from(one, Policy()).next_step for one in found] == [False, True]


def test_raters_against_a_proven_gain_are_told_as_raters() -> None:
    """Where raters prefer A the tag blames B, unless the primary measure proves B better: a lower bound above 0."""
    against = votes(30, 60, 80)
    tags = [decide_from(replace(primary(lower95=lower), votes=against), Policy()).tag for lower in (0.0, 0.001, -0.001)]
    assert tags == ["B is worse", "raters prefer A", "B is worse"]


ALIKE = [(-0.001, 10, "passed"), (-0.02, 10, "not_proven"), (-0.001, 5, "not_proven")]


@pytest.mark.parametrize(("delta", "n", "status"), ALIKE)
def test_a_guardrail_that_is_the_same_on_its_few_queries_is_decided(delta: float, n: int, status: str) -> None:
    """One difference on six queries or more is every bound of U3, however few queries the guardrail has."""
    guard = Numbers(measure="AP", n=n, changed=n, delta=delta, p_harm=None)
    found = {check.rule: check for check in decide_from(plain(guardrails=(guard,)), Policy()).checks}
    assert found["U3"].status == status
    assert "AP +" not in needs(found["U3"].deciding[-1])
