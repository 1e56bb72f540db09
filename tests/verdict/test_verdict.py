"""The rules and the verdict: the cases of the reference."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

import pytest

import rankdash as rd
from rankdash.policy import Policy
from rankdash.scoring import compare_votes
from rankdash.verdict import (
    FIXED,
    RULE_OF,
    RULES,
    VOTES_RULES,
    Evidence,
    Outcome,
    Verdict,
    Votes,
    decide_from,
)
from rankdash.verdict.outcome import case_of, outcome_from
from rankdash.verdict.rules.rule import outcome_of
from rankdash.verdict.rules.words import answer
from tests.evidence.cases import all_close, close, of
from tests.made_evidence import evidence, votes

FULL, VOTES_ONLY = of("policy_cases", "full"), of("policy_cases", "gsb_only")


def verdict_of(case: dict[str, Any]) -> Verdict:
    """The verdict on a case of the reference."""
    found = evidence(case["evidence"]) if "evidence" in case else Evidence(votes=Votes(**case["votes"]))
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


@pytest.mark.parametrize("case", FULL)
def test_the_questions_are_answered_as_in_the_reference(case: dict[str, Any]) -> None:
    """The answers to the four questions claim no more than the reference does."""
    expected, checks = case["expected"], verdict_of(case).checks
    assert {question: answer(question, checks) for question in expected["answers"]} == expected["answers"]


#: What the reference calls caveats that are now part of another one; None: withdrawn, or shown for another reason.
NOW = {"agreement": "raters", "position": "sides", "fixed": None, "small": None}


def named(caveats: Iterable[str]) -> set[str]:
    """The names of caveats that the evidence alone decides, as they are called now."""
    return {NOW.get(name, name) for name in caveats} - {None}


@pytest.mark.parametrize("case", [*FULL, *VOTES_ONLY])
def test_what_plain_numbers_warn_of_is_that_of_the_reference(case: dict[str, Any]) -> None:
    """What the evidence alone decides is warned of where the reference warns."""
    plain_numbers = {*"looks family sides raters repeated".split()}
    found = {one.id for one in verdict_of(case).caveats}
    assert found & plain_numbers == named(case["expected"]["caveats"])


@pytest.mark.parametrize("case", [*FULL, *VOTES_ONLY])
def test_the_outcome_alone_is_that_of_the_verdict(case: dict[str, Any]) -> None:
    """Where only the outcome is asked for, it is the one that the whole verdict has."""
    given = evidence(case["evidence"]) if "evidence" in case else Evidence(votes=Votes(**case["votes"]))
    assert outcome_from(given, Policy.from_dict(case["policy"])) is verdict_of(case).outcome


@pytest.mark.parametrize("case", FULL)
def test_the_outcome_without_words_is_that_of_the_checklist(case: dict[str, Any]) -> None:
    """Asking the rules in turn until one decides finds the same rule and outcome as the whole checklist does."""
    policy, verdict = Policy.from_dict(case["policy"]), verdict_of(case)
    if verdict.outcome is not Outcome.NOT_COMPARABLE:
        rules = FIXED if policy.inference == "fixed" else RULES
        outcome, rule = outcome_of(rules, case_of(evidence(case["evidence"]), policy))
        assert (outcome, rule.id if rule else verdict.rule) == (verdict.outcome, verdict.rule)


@pytest.mark.parametrize("case", VOTES_ONLY)
def test_votes_alone_have_the_interval_of_the_reference(case: dict[str, Any]) -> None:
    """ΔGSB and its interval are computed from the counts where only counts are given."""
    if "delta" in case["votes"]:
        return
    counts = {name: case["votes"][name] for name in ("good", "same", "bad")}
    found, expected = votes(**counts), case["expected"]
    assert close(found.delta, expected["delta_gsb"])
    assert all_close((found.lower95, found.upper95), expected["ci95"])


@pytest.mark.parametrize("case", [*FULL, *VOTES_ONLY])
def test_headlines_follow_the_rules_of_style(case: dict[str, Any]) -> None:
    """No p-value, no Greek letter but Δ, no hyphen for a minus and no forbidden phrase in what people read first."""
    verdict = verdict_of(case)
    if verdict.rule != "H1" or verdict.outcome is not Outcome.NOT_PROVEN:  # that sentence is about its p
        assert not re.search(r"\bp [<=0-9]|[α-ωΑ-ΓΕ-Ω]", verdict.sentence)
    for text in [verdict.sentence, verdict.would_change, *(check.sentence for check in verdict.checks)]:
        assert not re.search(r"(?<![\w-])-\d|[+−]0\.0+(?!\d)|\bnan\b|None(?! of | proven)", text)
        assert not re.search(r"no difference|probability that|trend towards|improved by", text)
    assert verdict.sentence.endswith((".", "?"))


@pytest.mark.parametrize("case", [*FULL, *VOTES_ONLY])
def test_every_verdict_says_what_to_do_and_what_would_change_it(case: dict[str, Any]) -> None:
    """Next step, the nearest limit and a sentence for each rule are never empty."""
    verdict = verdict_of(case)
    assert verdict.next_step
    assert verdict.would_change
    assert all(check.sentence for check in verdict.checks)
    assert verdict.screen.startswith("Launch" if verdict.launch else "No launch")


@pytest.mark.parametrize("rules", [RULES, FIXED, VOTES_RULES])
def test_the_table_names_each_rule_once(rules: tuple[Any, ...]) -> None:
    """Each rule stands once in the table, under an id and a name of its own."""
    for names in ([rule.id for rule in rules], [rule.name for rule in rules]):
        assert len(set(names)) == len(names)
        assert all(names)


def test_a_rule_has_one_name_whatever_it_is_asked_of() -> None:
    """Asked of votes alone, or of a fixed set, a rule has the id, name, question and outcome of that for samples."""
    beside = {rule.id: rule for rule in RULES}
    for rule in (*FIXED, *VOTES_RULES):
        known = beside.get(rule.id, rule)
        assert (rule.name, rule.question, rule.outcome) == (known.name, known.question, known.outcome)
        assert RULE_OF[rule.id] is known


def test_rules_that_claim_harm_stand_together() -> None:
    """The rules that say that B is worse have an id with H and follow one another: a claim goes before a doubt."""
    for rules in (RULES, FIXED, VOTES_RULES):
        places = [place for place, rule in enumerate(rules) if rule.claims_harm]
        assert places == list(range(places[0], places[-1] + 1))
        assert all(rule.question == "harmed" for rule in rules if rule.claims_harm)
        assert all(rule.claims_harm == rule.id.startswith("H") for rule in rules)


def verdict_alpha(verdict: Verdict) -> float | None:
    """The agreement of raters, where a caveat says that it is small."""
    return next((one.facts["alpha"] for one in verdict.caveats if one.id == "raters"), None)


_WORDS = {1: "good", 0: "same", -1: "bad"}


@pytest.mark.parametrize("case", of("policy_cases", "side_cases"), ids=lambda case: case["name"])
def test_votes_with_sides_are_decided_as_the_reference_does(case: dict[str, Any]) -> None:
    """The rows of the cases about sides give the verdict of the reference and its caveats."""
    rows = [dict(zip(("query_id", "vote", "left", "rater"), row, strict=True)) for row in case["rows"]]
    table = rd.read_votes([{**row, "vote": _WORDS[row["vote"]], "left": row["left"] or ""} for row in rows])
    expected, verdict = case["expected"]["verdict"], rd.decide(compare_votes(table))
    found = (verdict.outcome, verdict.rule, verdict.tag, verdict.exit_code)
    assert found == tuple(expected[name] for name in ("outcome", "rule", "tag", "exit_code"))
    assert {check.rule: check.status for check in verdict.checks} == expected["statuses"]
    agreed = set() if verdict_alpha(verdict) is None else {"raters"}  # the reference leaves α out
    assert {one.id for one in verdict.caveats} - agreed == named(case["expected"]["caveats"]) - agreed


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
        facts = next(one.facts for one in verdict.caveats if one.id == "unjudged")
        assert (facts["judged_a"], facts["judged_b"]) == (pytest.approx(judged / 1000), 1.0)
