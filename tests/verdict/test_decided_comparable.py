"""What people read when models cannot be compared, or on too little, letter for letter."""

from __future__ import annotations

from dataclasses import replace

import pytest

from rankdash.policy import Policy
from rankdash.verdict import Evidence, decide_from
from tests.made_evidence import CLEAN, checks, primary, votes
from tests.verdict.decided import BEHIND, NO_HARM, Expected

SAME = {"lower95": None, "upper95": None, "lower90": None, "upper90": None}


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
        "rule": "C1", "would_change": "one query whose lists differ",
        "sentence": "No query is left to compare: the top 10 of A and B are the same everywhere.",
        "next_step": "Check that A and B are different models, or count all queries.",
    }),
    (checks(queries_with_relevant=0), Policy(), {
        "rule": "C2", "would_change": "one query with a relevant document",
        "next_step": "Label more documents, or check from which grade on a document is relevant.",
    }),
    (checks(distinct_grades=1, unjudged_shown=0), Policy(), {
        "rule": "C2", "would_change": "judgments with more than one grade",
    }),
    (checks(judged_a=0.0), Policy(cutoff=7), {
        "rule": "C6", "would_change": "one judged document in the top 7 of each model",
        "next_step": "Check that A, B and the judgments use the same document ids.",
    }),
    (checks(identical=True), Policy(), {
        "rule": "C3", "would_change": "a list that differs", "next_step": "Choose the other model's file.",
    }),
    (checks(missing_a=20, missing_b=3), Policy(), {
        "rule": "C4", "would_change": "a gap of 17 queries, needs ≤ 10",
        "next_step": "Say in the policy what missing means: empty (returned nothing) or skip (left out).",
    }),
    (checks(missing_b=1), Policy(missing_gap=1, missing_share=0.0), {
        "rule": "C4", "would_change": "a gap of 1 query, needs ≤ 0",
        "sentence": "B has no result for 1 query, A for 0.",
    }),
    (unjudged(400), Policy(), {"rule": "C5", "would_change": "label 400 documents"}),
    (unjudged(1), Policy(), {
        "rule": "C5", "would_change": "label 1 document", "sentence": "The answer depends on 1 unjudged document.",
        "next_step": "Label these documents, those with the largest effect first.",
    }),
    (primary(**SAME, changed=5), Policy(), {
        "rule": "S0", "would_change": "1 more query that differs", "next_step": "Add queries, or collect votes.",
    }),
    (primary(**SAME, n=1, changed=1), Policy(), {
        "rule": "S0", "would_change": "5 more queries that differ",
        "sentence": "The difference is +0.015 on every query; 1 query is too few to rule out chance, 6 are needed.",
    }),
    (primary(**SAME | {"delta": 0.0}, changed=0), Policy(), {
        "rule": "S0", "would_change": "a query on which NDCG@10 differs",
    }),
    (primary(n=29), Policy(), {
        "rule": "S1", "would_change": "1 more query", "next_step": "Add 1 more query, or collect votes.",
        "sentence": "Only 29 queries, 600 of them changed; a launch needs 30 and 20.",
    }),
    (primary(n=28, changed=18), Policy(), {
        "rule": "S1", "would_change": "2 more queries and 2 more changed queries",
    }),
    (primary(changed=19), Policy(), {"rule": "S1", "would_change": "1 more changed query"}),
    (primary(**BEHIND, n=29), Policy(), {
        "rule": "S1", "would_change": "1 more query, and a better B: difference −0.001, needs ≥ 0.005",
        "next_step": "Add 1 more query, or collect votes.",
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
    questions = {"C": "comparable", "S": "enough", "V": "enough", "H": "harmed"}
    safety = {"U3": "harmed", "U4": "harmed"}
    for check in decide_from(found, Policy()).checks:
        assert check.question == safety.get(check.rule, questions.get(check.rule[0], "better"))
