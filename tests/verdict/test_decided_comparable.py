"""What people read when models cannot be compared, or on too little, letter for letter."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from rankdash.policy import Policy
from rankdash.verdict import Evidence, Reading, Severe, decide_from
from tests.made_evidence import CLEAN, UNCHANGED, checks, primary, votes
from tests.truth.twin_verdict import QUESTIONS
from tests.verdict.decided import BEHIND, NO_HARM, Expected

SAME = {"lower95": None, "upper95": None, "lower90": None, "upper90": None}


def unchanged(**data: Any) -> Evidence:
    """Two runs with the same first ten everywhere."""
    assert CLEAN.plain is not None
    same = replace(CLEAN.plain.primary, **UNCHANGED | ({"n": 0} if "affected" in data else {}))
    return Evidence(checks(identical=True, **data).data, Reading(same, severe=Severe(0, 0)))


def unjudged(number: int) -> Evidence:
    """A win that is none without the unjudged documents."""
    assert CLEAN.plain is not None
    other = replace(CLEAN.plain, primary=replace(CLEAN.plain.primary, lower95=-0.001))
    return replace(checks(judged_b=0.9, unjudged_shown=number), condensed=other)


#: Evidence, policy, and what of the verdict: the rule first.
DECIDED: list[tuple[Evidence, Policy, Expected]] = [
    (checks(common_queries=0), Policy(), {
        "rule": "C1", "tag": "cannot compare yet", "would_change": "one judged query that both runs answer",
        "next_step": "Check that runs and judgments use the same query ids.",
    }),
    (primary(n=0, changed=0), Policy(population="affected"), {
        "rule": "C1", "would_change": "one query that differs in list",
        "sentence": "No query is left to compare.",
        "next_step": "Check that A and B are different models, or count all queries.",
    }),
    (checks(queries_with_relevant=0), Policy(), {
        "rule": "C2", "would_change": "one query on which nDCG@10 can be above 0",
        "next_step": "Label more documents, or check from which grade on a document is relevant.",
    }),
    (checks(distinct_grades=1, unjudged_shown=0), Policy(), {
        "rule": "C2", "would_change": "judgments with more than one grade",
    }),
    (checks(judged_a=0.0), Policy(cutoff=7), {
        "rule": "C6", "would_change": "one judged document in the top 7 of each model",
        "next_step": "Check that A, B and the judgments use the same document ids.",
    }),
    (unchanged(same_file=False), Policy(), {
        "rule": "N0", "tag": "nothing changed", "would_change": "a query that differs in list",
        "next_step": "Check that B is the run that was meant.",
    }),
    (unchanged(same_file=True), NO_HARM, {
        "rule": "N0", "tag": "B is as good as A", "screen": "Launch",
        "next_step": "A and B are the same file: check that B is the run that was meant.",
    }),
    (unchanged(same_file=False), NO_HARM, {"rule": "N0", "next_step": "Launch, and confirm it online."}),
    (unchanged(affected=0), NO_HARM.changed(population="affected"), {"rule": "N0", "screen": "Launch"}),
    (primary(**SAME, changed=1, clusters=1), Policy(), {
        "rule": "S0", "would_change": "a second group of queries",
        "sentence": "All queries are one group: nothing tells a difference from chance.",
    }),
    (primary(**SAME | {"delta": 0.0}, changed=40, clusters=50), Policy(), {
        "rule": "S0", "would_change": "a group of queries with another difference",
        "sentence": "Gains and losses cancel in every group of queries: the difference is 0 in each.",
    }),
    (primary(**SAME, changed=5, clusters=5), Policy(), {
        "rule": "S0", "would_change": "1 more group that differs",
        "sentence": "The difference is +0.015 in every group; 5 groups are too few to rule out chance, 6 are needed.",
    }),
    (primary(n=300, changed=24, clusters=24), Policy(), {
        "rule": "S1", "next_step": "Add 6 more groups.", "would_change": "6 more groups",
        "sentence": "Only 300 queries in 24 groups, 24 groups differ in score; a launch needs 30 and 20.",
    }),
    (primary(n=300, changed=19, clusters=60), Policy(), {
        "rule": "S1", "next_step": "Add 1 more group that differs in score.",
        "would_change": "1 more group that differs in score",
        "sentence": "Only 19 of 60 groups differ in score; a launch needs 20.",
    }),
    (primary(n=300, n_eff=29.5, changed=19, clusters=60), Policy(), {
        "rule": "S1",
        "next_step": "Add queries until they are worth 30 equal ones and 1 more group that differs in score.",
        "would_change": "queries until they are worth 30 equal ones and 1 more group that differs in score",
        "sentence": ("Only 300 queries in 60 groups, worth 29 equal ones, 19 groups differ in score; a launch needs "
                     "30 and 20."),
    }),
    (checks(missing_a=20, missing_b=3), Policy(), {
        "rule": "C4", "would_change": "difference in missing queries 17, needs ≤ 10",
        "next_step": "Say in the policy what missing means: empty (returned nothing) or skip (left out).",
    }),
    (checks(missing_b=1), Policy(missing_gap=1, missing_share=0.0), {
        "rule": "C4", "would_change": "difference in missing queries 1, needs ≤ 0",
        "sentence": "B has no result for 1 query, A for 0.",
    }),
    (unjudged(400), Policy(), {"rule": "C5", "would_change": "label 400 documents"}),
    (unjudged(1), Policy(), {
        "rule": "C5", "would_change": "label 1 document", "sentence": "The answer depends on 1 unjudged document.",
        "next_step": "Label these documents, those with the largest effect first.",
    }),
    (primary(**SAME, changed=5), Policy(), {
        "rule": "S0", "would_change": "1 more query that differs", "next_step": "Add queries.",
    }),
    (primary(**SAME, n=1, changed=1), Policy(), {
        "rule": "S0", "would_change": "5 more queries that differ",
        "sentence": "The difference is +0.015 on every query; 1 query is too few to rule out chance, 6 are needed.",
    }),
    (primary(**SAME | {"delta": 0.0}, changed=0), Policy(), {
        "rule": "S0", "would_change": "a query that differs in nDCG@10",
    }),
    (primary(n=29), Policy(), {
        "rule": "S1", "would_change": "1 more query", "next_step": "Add 1 more query.",
        "sentence": "Only 29 queries, 600 of them differ in score; a launch needs 30 and 20.",
    }),
    (primary(n=28, changed=18), Policy(), {
        "rule": "S1", "would_change": "2 more queries and 2 more queries that differ in score",
    }),
    (primary(changed=19), Policy(), {"rule": "S1", "would_change": "1 more query that differs in score"}),
    (primary(**BEHIND, n=29), Policy(), {
        "rule": "S1", "would_change": "1 more query, and a better B: difference −0.001, needs ≥ 0.005",
        "next_step": "Add 1 more query.",
    }),
    (primary(**BEHIND, n=29), NO_HARM, {"rule": "S1", "would_change": "1 more query"}),
]  # fmt: skip


@pytest.mark.parametrize(("found", "policy", "expected"), DECIDED, ids=range(len(DECIDED)))
def test_what_cannot_be_compared_says_what_is_missing(found: Evidence, policy: Policy, expected: Expected) -> None:
    """Rules C1 to C6, S0 and S1 have their words, in the singular where there is one of a kind."""
    assert {name: getattr(decide_from(found, policy), name) for name in expected} == expected


@pytest.mark.parametrize("found", [CLEAN, checks(common_queries=0), Evidence(votes=votes(60, 60, 50)), Evidence()])
def test_every_rule_answers_its_question(found: Evidence) -> None:
    """Comparable, enough, harmed or better, whether the rule passed, stopped or had nothing to say."""
    questions = {rule: question for question, (rules, _) in QUESTIONS.items() for rule in rules}
    for check in decide_from(found, Policy()).checks:
        assert check.question == questions.get(check.rule, "enough")
