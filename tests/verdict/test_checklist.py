"""The checklist: what each rule says, also where it passes or has nothing to say."""

from __future__ import annotations

import ast
from dataclasses import replace
from pathlib import Path

import pytest

import rankdash
from rankdash.policy import Policy
from rankdash.verdict import RULE_OF, Evidence, Guardrail, Leak, Outcome, Reading, Segment, Severe, Votes, decide_from
from rankdash.verdict.rules.comparable import READING_RULES
from rankdash.verdict.rules.rule import Rule
from tests.made_evidence import CLEAN, UNCHANGED, checks, plain, primary, votes

BY_GRADE = Leak(listed=400, judged=400, lists=40, in_grade_order=40, two_grades=30)
NO_HARM = Policy(intent="do_no_harm")
CONFIRM = Policy(votes="confirm")


def voted(found: Votes) -> Evidence:
    """The clean win with votes."""
    return replace(CLEAN, votes=found)


def unchanged() -> Evidence:
    """Two runs with the same first ten everywhere."""
    data = checks(identical=True).data
    assert CLEAN.plain is not None
    same = replace(CLEAN.plain.primary, **UNCHANGED)
    return Evidence(data, Reading(same, (Guardrail("AP", 0.0, None, None, 0),), severe=Severe(0, 0)))


def said(found: Evidence, policy: Policy) -> dict[str, tuple[str, str]]:
    """Rule by rule: status, sentence."""
    made = decide_from(found, policy).checks
    return {one.rule: (str(one.status), one.sentence) for one in made}


LAUNCH = {
    "C1": ("passed", "A and B both answer 1,000 judged queries."),
    "C2": ("passed", "nDCG@10 can be above 0 on 985 queries."),
    "C6": ("passed", "Documents in the top 10 of A and of B are judged."),
    "C7": ("not_applicable", "Whether lists are in the order of the grades is not known."),
    "N0": ("not_applicable", "B changes something."),
    "C4": ("passed", "No judged query is missing in A or B."),
    "C5": ("passed", "Of the top 10, 97.0% and 96.6% are judged in A and B."),
    "S0": ("passed", "The differences vary, so an interval can be drawn."),
    "H1": ("passed", "No loss is proven: nDCG@10 +0.015 (95% interval +0.008 to +0.022)."),
    "H2": (
        "passed",
        ("No harm beyond the limit is proven: AP +0.008 (90% interval +0.003 to +0.013), limit −0.010."),
    ),
    "H3": ("not_applicable", "There are no votes."),
    "H4": ("passed", "No harm is proven to watch measures and segments; the lowest is RR +0.004."),
    "H5": ("passed", "31 big losses against 40 big wins."),
    "S1": ("passed", "1,000 queries, 600 of them differ in score; a launch needs 30 and 20."),
    "F1": ("passed", "A gain of 0.005 is still possible: the 95% interval ends at +0.022."),
    "U1": ("passed", "Chance alone would rarely do this: the 95% interval begins at +0.008."),
    "U2": ("passed", "The gain is estimated at +0.015; the least that matters is 0.005."),
    "N1": ("not_applicable", "The policy asks for a gain."),
    "U3": ("passed", "AP is safe within 0.010."),
    "U4": ("not_applicable", "The policy does not ask votes to confirm."),
}
ONLY_NO_HARM = ("not_applicable", "The policy asks only that B does no harm.")
BY_VOTES = {
    "C1": ("passed", "There are votes on 240 queries."),
    "V1": ("passed", "180 queries were voted better or worse, 20 are needed."),
    "H3": (
        "passed",
        ("No objection of raters is proven: ΔGSB +25.0% (95% interval +14.2 to +35.1) on 240 queries."),
    ),
    "F1": ("passed", "A ΔGSB of 2.0% is still possible: the 95% interval ends at +35.1%."),
    "U1": ("passed", "Chance alone would rarely do this: the 95% interval of ΔGSB begins at +14.2%."),
    "U2": ("passed", "ΔGSB is estimated at +25.0%; the least that matters is 2.0%."),
}
NO_INTERVAL = ("not_applicable", "The primary measure has no interval.")
TOO_LITTLE = "Too little to say worse: {}; 20 and 6 are needed."
SAME = {"lower95": None, "upper95": None, "lower90": None, "upper90": None}
WORSE = {"delta": -0.01, "lower95": -0.015, "upper95": -0.005, "lower90": -0.014, "upper90": -0.006}
PLAIN = CLEAN.plain
assert PLAIN is not None
NOT_PROVEN = replace(PLAIN, primary=replace(PLAIN.primary, lower95=-0.001))
TWO_GUARDS = Policy(guardrails=(("AP", 0.01), ("P@5", 0.02)))
LOSS = Guardrail("AP", -0.005, -0.008, -0.002, 600, 0.001)

#: Evidence and policy, and what some rules say about it.
CHECKS: list[tuple[Evidence, Policy, dict[str, tuple[str, float | None, float | None, str]]]] = [
    (CLEAN, Policy(), LAUNCH),
    (CLEAN, NO_HARM, {
        "H1": ("passed", "No loss is proven: nDCG@10 +0.015 (95% interval +0.008 to +0.022)."),
        "F1": ONLY_NO_HARM, "U1": ONLY_NO_HARM, "U2": ONLY_NO_HARM,
        "N1": ("passed", "At worst +0.009; the limit is −0.020."),
    }),
    (checks(common_queries=1), Policy(), {"C1": ("passed", "A and B both answer 1 judged query.")}),
    (checks(common_queries=0), Policy(), {
        "C1": ("failed", "A and B share no judged query."),
        "C2": ("not_applicable", "There is nothing to compare."),
        "U4": ("not_applicable", "There is nothing to compare."),
    }),
    (checks(queries_with_relevant=0, judged_a=0.0), Policy(), {
        "C2": ("failed", "The labels cannot tell the models apart."),
        "C6": ("passed", "Documents in the top 10 of A and of B are judged."),
    }),
    (checks(queries_with_relevant=1, judged_a=0.0), Policy(), {
        "C2": ("passed", "nDCG@10 can be above 0 on 1 query."),
        "C6": ("failed", "None of A’s top 10 documents is judged."),
    }),
    (checks(judged_b=0.0), Policy(), {
        "C6": ("failed", "None of B’s top 10 documents is judged."),
        "C5": ("not_applicable", "The lists without unjudged documents were not evaluated."),
    }),
    (checks(judged_a=0.0, judged_b=0.0), Policy(cutoff=5), {
        "C6": ("failed", "None of the top 5 documents of A and B is judged."),
    }),
    (checks(judged_a=None), Policy(), {
        "C6": ("not_applicable", "No document is shown."),
        "C5": ("not_applicable", "No document is shown."),
    }),
    (checks(distinct_grades=1, unjudged_shown=0), Policy(), {
        "C2": ("failed", "The labels cannot tell the models apart."),
    }),
    (checks(distinct_grades=1, unjudged_shown=1), Policy(), {"C2": LAUNCH["C2"]}),
    (checks(identical=True), Policy(), {"N0": LAUNCH["N0"], "C1": LAUNCH["C1"]}),
    (unchanged(), Policy(), {
        "C1": LAUNCH["C1"],
        "N0": ("failed", "B changes nothing in the first 10 of 1,000 queries."),
        "S0": ("not_applicable", "B changes nothing."),
        "U4": ("not_applicable", "B changes nothing."),
    }),
    (unchanged(), NO_HARM, {"N0": ("passed", "B changes nothing in the first 10 of 1,000 queries.")}),
    (checks(leak_a=BY_GRADE, leak_b=replace(BY_GRADE, in_grade_order=39)), Policy(), {
        "C7": ("failed", ("A is the judgments themselves: all of its documents are judged, and every list "
                                    "is in the order of their grades.")),
    }),
    (checks(leak_a=BY_GRADE, leak_b=BY_GRADE), Policy(), {
        "C7": ("failed", ("A and B are the judgments themselves: all of their documents are judged, and "
                                    "every list is in the order of their grades."))}),
    (checks(leak_a=None, leak_b=replace(BY_GRADE, two_grades=29)), Policy(), {
        "C7": ("passed", "Neither A nor B lists the judged documents alone, in the order of their grades.")}),
    (checks(missing_a=1, missing_b=3), Policy(), {
        "C4": ("passed", "B has no result for 3 queries, A for 1. A difference of 10 is allowed."),
    }),
    (checks(missing_a=20, missing_b=3), Policy(), {
        "C4": ("failed", "A has no result for 20 queries, B for 3."),
    }),
    (checks(missing_a=20), Policy(missing="skip"), {
        "C4": ("not_applicable", "The policy says what a missing query means: skip."),
    }),
    (replace(checks(judged_b=0.9), condensed=PLAIN), Policy(), {
        "C5": ("passed", ("Of the top 10, 97.0% and 90.0% are judged in A and B; "
               "without the unjudged documents the outcome is the same.")),
    }),
    (replace(checks(judged_b=0.9), condensed=NOT_PROVEN), Policy(), {
        "C5": ("failed", "The answer depends on 400 unjudged documents."),
    }),
    (checks(kind="positive_only"), Policy(), {
        "C5": ("not_applicable", "The judgments name only relevant documents."),
    }),
    (primary(**SAME), Policy(), {
        "S0": ("passed", "The difference is the same on every query, so the exact test decides."),
        "H1": ("passed", "No loss is proven: nDCG@10 +0.015 (the same on every query)."),
        "U1": ("passed", "Chance alone would rarely do this: the 95% interval begins at +0.015."),
    }),
    (primary(**SAME, changed=5), Policy(), {
        "S0": ("not_proven", ("The difference is +0.015 on every query; 1,000 queries are too few to rule "
               "out chance, 6 are needed.")),
        "H1": ("not_applicable", TOO_LITTLE.format("1,000 queries, 5 queries differ in score")),
        "F1": NO_INTERVAL, "U1": NO_INTERVAL, "U2": NO_INTERVAL,
    }),
    (primary(**SAME | {"delta": 0.0}, changed=0), Policy(), {
        "S0": ("not_proven", "B changes nothing that nDCG@10 sees: the difference is 0 on every query."),
        "S1": ("not_proven", "Only 0 of 1,000 queries differ in score; a launch needs 20."),
    }),
    (primary(n=19), Policy(), {
        "H2": ("not_applicable", TOO_LITTLE.format("19 queries, 600 queries differ in score")),
        "S1": ("not_proven", "Only 19 queries, 600 of them differ in score; a launch needs 30 and 20."),
    }),
    (primary(n=1, changed=1), Policy(), {
        "H4": ("not_applicable", TOO_LITTLE.format("1 query, 1 query differs in score")),
        "S1": ("not_proven", "Only 1 query, 1 of them differs in score; a launch needs 30 and 20."),
    }),
    (primary(n_eff=25.5), Policy(), {
        "S1": ("not_proven", ("Only 1,000 queries, worth 25 equal ones, 600 of them differ in score; a launch "
                                          "needs 30 and 20.")),
    }),
    (primary(**WORSE), NO_HARM, {
        "H1": ("passed", "No loss is proven: nDCG@10 −0.010 (95% interval −0.015 to −0.005)."),
        "N1": ("passed", "At worst −0.014; the limit is −0.020."),
    }),
    (primary(**WORSE), Policy(), {
        "H1": ("failed", "B is worse: nDCG@10 −0.010 (95% interval −0.015 to −0.005) on 1,000 queries."),
    }),
    (plain(guardrails=(LOSS, Guardrail("P@5", 0.005, None, None, 5))), TWO_GUARDS, {
        "H2": ("passed", ("No harm beyond the limit is proven: AP −0.005 (90% interval −0.008 to "
                                         "−0.002), limit −0.010.")),
        "U3": ("not_proven", ("A loss over 0.020 on P@5 cannot be ruled out yet: too few queries "
                                            "differ in score.")),
    }),
    (plain(guardrails=()), Policy(), {
        "H2": ("not_applicable", "The policy names no guardrail that was measured."),
        "U3": ("not_applicable", "The policy names no guardrail that was measured."),
    }),
    (plain(guardrails=(Guardrail("AP", 0.001, None, None, 3),)), Policy(), {
        "H2": ("not_applicable", "No guardrail has an interval on enough queries."),
    }),
    (plain(watch=()), Policy(), {
        "H4": ("not_applicable", "No watch measure and no segment can be judged."),
    }),
    (plain(watch=(), segments=(Segment("market", "de", 120, -0.01, 0.4, 60, None, -0.02, 0.01),)),
     Policy(segments=("market",)), {
        "H4": ("passed", ("No harm is proven to watch measures and segments; the lowest is market “de”"
                                        " −0.010.")),
    }),
    (plain(severe=None), Policy(), {"H5": ("not_applicable", "Severe changes were not counted.")}),
    (plain(severe=Severe(0, 4)), Policy(), {
        "H5": ("passed", "4 big losses against 0 big wins: no more than chance makes."),
    }),
    (plain(severe=Severe(1, 1)), Policy(), {
        "H5": ("passed", "1 big loss against 1 big win."),
    }),
    (plain(severe=Severe(0, 5)), Policy(), {
        "H5": ("passed", ("5 big losses against 0 big wins: an excess of 0.5% of the queries, the limit is "
               "1.0%.")),
    }),
    (plain(severe=Severe(0, 5)), Policy(big_excess_min=0), {
        "H5": ("not_proven", ("B may break more queries than it rescues: 5 big losses against 0 big wins "
               "(|Δ| ≥ 0.200) on 1,000 queries; among 4 harm tests chance can do this.")),
    }),
    (voted(votes(60, 60, 50)), CONFIRM, {
        "H3": ("passed", ("No objection of raters is proven: ΔGSB +5.9% (95% interval −6.2 to +17.8) "
                                        "on 170 queries.")),
        "U4": ("passed", ("Raters confirm it: ΔGSB +5.9% (95% interval −6.2 to +17.8) on 170 "
                                            "queries.")),
    }),
    (voted(votes(60, 60, 50)), Policy(votes="inform"), {
        "H3": ("not_applicable", "The policy only shows votes."),
    }),
    (voted(votes(6, 60, 5)), CONFIRM, {
        "H3": ("not_applicable", "Only 11 of 71 queries were voted better or worse; 20 are needed."),
        "U4": ("not_proven", "The policy asks for votes; there are none, or too few."),
    }),
    (voted(votes(60, 60, 50, n_side=10.0)), Policy(), {
        "H3": ("not_applicable", "B stood on one side in nearly all votes."),
    }),
    (voted(votes(60, 60, 50, raters=3, alpha=0.1, people=3)), Policy(), {
        "H3": ("passed", ("No objection of raters is proven: ΔGSB +5.9% (95% interval −6.2 to +17.8) "
                                        "on 170 queries by 3 raters.")),
    }),
    (voted(Votes(0, 0, 0)), Policy(), {"H3": ("not_applicable", "There are no votes.")}),
    (Evidence(votes=votes(120, 60, 60)), Policy(), BY_VOTES),
    (Evidence(votes=votes(1, 0, 0)), Policy(), {
        "C1": ("passed", "There are votes on 1 query."),
        "V1": ("not_proven", "Only 1 of 1 query was voted better or worse; 20 are needed."),
    }),
    (Evidence(votes=votes(60, 60, 50, n_side=10.0)), Policy(), {
        "V1": ("not_proven", "B stood on one side in nearly all votes."),
    }),
    (Evidence(votes=Votes(0, 0, 0)), Policy(), {"C1": ("failed", "There are no votes.")}),
    (Evidence(), Policy(), {"C1": ("failed", "There are neither judgments nor votes.")}),
]  # fmt: skip


@pytest.mark.parametrize(("found", "policy", "expected"), CHECKS, ids=range(len(CHECKS)))
def test_every_rule_says_what_it_saw(found: Evidence, policy: Policy, expected: dict[str, tuple[str, str]]) -> None:
    """Status and sentence of a rule, also where it passes or does not apply, letter for letter."""
    made = said(found, policy)
    assert {rule: made[rule] for rule in expected} == expected


def test_raters_against_a_proven_gain_are_told_as_raters() -> None:
    """Where raters prefer A the tag blames B, unless the primary measure proves B better: a lower bound above 0."""
    against = votes(30, 60, 80)
    tags = [decide_from(replace(primary(lower95=lower), votes=against), Policy()).tag for lower in (0.0, 0.001, -0.001)]
    assert tags == ["B is worse", "raters prefer A", "B is worse"]


def test_votes_without_an_interval_have_that_of_their_counts() -> None:
    """ΔGSB that comes without an interval, no sides being known, is judged by the interval of the counts: no launch."""
    bare = Votes(60, 60, 50, delta=10 / 170)
    verdict, counted = (decide_from(Evidence(votes=one), Policy()) for one in (bare, votes(60, 60, 50)))
    assert verdict == counted
    assert verdict.outcome is Outcome.NOT_PROVEN


def test_rules_are_named_in_their_table_alone() -> None:
    """No module outside of the table asks for a rule by its id: what depends on a rule stands on its row."""
    package = Path(rankdash.__file__).parent
    ids = {*RULE_OF, "L1", "L2"}
    outside = [
        file for file in package.rglob("*.py") if file.parent not in (package / "verdict/rules", package / "metrics")
    ]
    named = {
        f"{file.relative_to(package)}: {node.value}"
        for file in outside
        for node in ast.walk(ast.parse(file.read_text("utf-8")))
        if isinstance(node, ast.Constant) and node.value in ids
    }
    assert named == set()


def test_rules_that_read_a_bound_say_what_moves_them() -> None:
    """Every rule for samples says which bounds removed queries would have to raise, but those of raters alone."""
    silent = {rule.id for rule in READING_RULES if rule.moved_by is Rule.moved_by}
    assert silent == {"H3", "U4"}
