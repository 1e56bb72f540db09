"""The rules and the verdict."""

from __future__ import annotations

import re
from dataclasses import asdict, replace
from typing import Any

import numpy as np
import pytest

from rankdash.policy import Policy
from rankdash.verdict import (
    RULES,
    VOTES_RULES,
    Evidence,
    Guardrail,
    Leaning,
    Outcome,
    Primary,
    Segment,
    Severe,
    Verdict,
    Votes,
    Watch,
    decide_from,
)
from rankdash.verdict.decide import case_of
from rankdash.verdict.rule import outcome_of
from tests.evidence.cases import CASES, all_close, close, of
from tests.made_evidence import data, evidence, from_scores, told, votes

CLEAN = evidence(CASES["policy_cases"]["full"][0]["evidence"])
FULL, VOTES_ONLY = of("policy_cases", "full"), of("policy_cases", "gsb_only")


def verdict_of(case: dict[str, Any]) -> Verdict:
    """The verdict on a case of the reference."""
    found = evidence(case["evidence"]) if "evidence" in case else Evidence(votes=told(case["votes"]))
    return decide_from(found, Policy.from_dict(case["policy"]), case.get("looks", 1))


def primary(**changes: Any) -> Evidence:
    """The clean win with another primary result."""
    assert CLEAN.plain is not None
    return replace(CLEAN, plain=replace(CLEAN.plain, primary=replace(CLEAN.plain.primary, **changes)))


def plain(**changes: Any) -> Evidence:
    """The clean win with other guardrails, watch measures, segments or severe changes."""
    assert CLEAN.plain is not None
    return replace(CLEAN, plain=replace(CLEAN.plain, **changes))


@pytest.mark.parametrize("case", [*FULL, *VOTES_ONLY])
def test_the_policy_decides_as_the_reference_does(case: dict[str, Any]) -> None:
    """Outcome, launch, deciding rule, tag and exit status are those of the reference."""
    verdict, expected = verdict_of(case), case["expected"]
    found = (verdict.outcome, verdict.launch, verdict.rule, verdict.tag, verdict.exit_code)
    assert found == tuple(expected[name] for name in ("outcome", "launch", "rule", "tag", "exit_code"))


@pytest.mark.parametrize("case", [*FULL, *VOTES_ONLY])
def test_every_rule_has_the_status_of_the_reference(case: dict[str, Any]) -> None:
    """Every rule is evaluated, also after the one that decides, with the status of the reference and in its order."""
    statuses = {check.rule: str(check.status) for check in verdict_of(case).checks}
    assert list(statuses.items()) == list(case["expected"]["statuses"].items())


@pytest.mark.parametrize("case", [*FULL, *VOTES_ONLY])
def test_the_leaning_is_that_of_the_reference(case: dict[str, Any]) -> None:
    """Where A and B can be compared the verdict says who is ahead, win to loss, and what the bare sign would say."""
    leaning = verdict_of(case).leaning
    expected = case["expected"]["leaning"]
    if leaning is None or expected is None:
        assert leaning is expected
    else:
        assert {name: getattr(leaning, name) for name in expected} == expected


@pytest.mark.parametrize("case", FULL)
@pytest.mark.parametrize("words", ["sentence", "next_step", "would_change"])
def test_the_words_are_those_of_the_reference(case: dict[str, Any], words: str) -> None:
    """Sentence, next step and what would change the verdict are those of the reference, letter for letter."""
    expected = case["expected"][words]
    assert expected is None or getattr(verdict_of(case), words) == expected


@pytest.mark.parametrize("case", [*FULL, *VOTES_ONLY])
def test_what_plain_numbers_warn_of_is_that_of_the_reference(case: dict[str, Any]) -> None:
    """Looks, position, sides and pooled votes are warned of where the reference warns, in its words."""
    plain_numbers = ("looks", "position", "sides", "pooled")
    found = {one.id: one.sentence for one in verdict_of(case).caveats if one.id in plain_numbers}
    assert found == case["expected"]["caveats"]


@pytest.mark.parametrize("case", FULL)
def test_the_outcome_without_words_is_that_of_the_checklist(case: dict[str, Any]) -> None:
    """Asking the rules in turn until one decides finds the same rule and outcome as the whole checklist does."""
    policy, verdict = Policy.from_dict(case["policy"]), verdict_of(case)
    if verdict.outcome is not Outcome.NOT_COMPARABLE:
        outcome, rule = outcome_of(RULES, case_of(evidence(case["evidence"]), policy))
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
    texts = [verdict.sentence, verdict.leaning.sentence if verdict.leaning else ""]
    if verdict.rule != "H1" or verdict.outcome is not Outcome.NOT_PROVEN:  # that sentence is about its p
        assert not re.search(r"\bp [<=0-9]|[α-ωΑ-ΓΕ-Ω]", verdict.sentence)
    for text in [*texts, verdict.would_change, *(check.sentence for check in verdict.checks)]:
        assert not re.search(r"(?<![\w-])-\d|[+−]0\.0+(?!\d)|\bnan\b|None(?! of )", text)
        assert not re.search(r"no difference|probability that|trend towards|improved by", text)
    assert verdict.sentence.endswith((".", "?"))


@pytest.mark.parametrize("case", [*FULL, *VOTES_ONLY])
def test_every_verdict_says_what_to_do_and_what_would_change_it(case: dict[str, Any]) -> None:
    """Next step, the nearest limit and a sentence for each rule are never empty."""
    verdict = verdict_of(case)
    assert verdict.next_step
    assert verdict.would_change
    assert all(check.sentence for check in verdict.checks)
    assert verdict.screen == ("Launch" if verdict.launch else "No launch")


@pytest.mark.parametrize("rules", [RULES, VOTES_RULES])
def test_the_table_names_each_rule_once(rules: tuple[Any, ...]) -> None:
    """Each rule stands once in the table."""
    names = [rule.id for rule in rules]
    assert len(set(names)) == len(names)


def test_a_launch_names_what_was_looked_at() -> None:
    """The launch sentence names means, interval, limit and every safeguard that was evaluated."""
    found = primary(mean_a=0.612, mean_b=0.627)
    verdict = decide_from(replace(found, votes=votes(150, 170, 80)), Policy())
    assert verdict.sentence == (
        "B raises NDCG@10 by +0.015 (0.612 → 0.627; 95% interval +0.008 to +0.022) on 1,000 queries, above the 0.005 "
        "that matters; MAP is safe within 0.010; no harm to NDCG@1, MRR; raters do not object."
    )


def test_a_launch_names_nothing_that_was_not_looked_at() -> None:
    """Without guardrails, watch measures and votes the launch sentence promises nothing about them."""
    verdict = decide_from(CLEAN, Policy(guardrails=(), watch=()))
    assert verdict.sentence == (
        "B raises NDCG@10 by +0.015 (95% interval +0.008 to +0.022) on 1,000 queries, above the 0.005 that matters."
    )


def test_a_launch_names_segments_that_were_judged() -> None:
    """Columns of which a segment was large enough are named; small segments promise nothing."""
    segments = tuple(
        Segment(column, "x", n, 0.01, 0.9) for column, n in (("frequency", 200), ("frequency", 90), ("language", 29))
    )
    verdict = decide_from(plain(segments=segments), Policy(segments=("frequency", "language")))
    assert "no harm to NDCG@1, MRR, segments of frequency." in verdict.sentence


def test_raters_who_confirm_are_named_as_confirming() -> None:
    """Under confirm the sentence says that raters confirm it, not only that they do not object."""
    verdict = decide_from(replace(CLEAN, votes=votes(150, 170, 80)), Policy(votes="confirm"))
    assert verdict.sentence.endswith("; raters confirm it.")


def test_no_harm_launch_states_the_worst_case() -> None:
    """Under do_no_harm the sentence states the difference, how bad it may be, and the limit."""
    found = primary(delta=-0.001, lower95=-0.008447, upper95=0.006447, lower90=-0.007248, upper90=0.005248)
    sentence = decide_from(found, Policy(intent="do_no_harm")).sentence
    assert sentence.startswith(
        "B is as good as A: NDCG@10 −0.001, at worst −0.007, limit −0.020, on 1,000 queries; MAP is safe"
    )


def test_a_proven_loss_inside_its_limit_is_noted() -> None:
    """A loss that is proven but tolerated passes, and the verdict carries a note about it."""
    rail = (Guardrail("AP", -0.005, -0.006, -0.004),)
    verdict = decide_from(plain(guardrails=rail), Policy())
    assert verdict.launch
    assert verdict.notes == ("A loss is proven, but it is inside the limit: MAP −0.005.",)
    assert verdict.notes[0] in {check.rule: check.sentence for check in verdict.checks}["H2"]
    small = primary(delta=-0.005, lower95=-0.008, upper95=-0.002, lower90=-0.0075, upper90=-0.0025)
    assert decide_from(small, Policy(intent="do_no_harm")).notes


def test_affected_queries_are_told_with_all() -> None:
    """With the affected population the sentence states both numbers of queries and the mean over all."""
    found = primary(n=120, n_all=1000, delta_all=0.0018)
    found = replace(found, data=replace(found.data, affected=120))  # type: ignore[type-var]
    policy = Policy(population="affected")
    launched = decide_from(found, policy).sentence
    assert "on 120 of 1,000 queries" in launched
    assert launched.endswith("The mean over all queries is +0.002.")
    stopped = decide_from(found, policy.changed(n_min=500)).sentence
    assert "120 of 1,000 queries" in stopped
    assert "+0.002" in stopped


def test_no_affected_query_has_its_own_sentence() -> None:
    """Where no list differs there is nothing to compare, and that is said instead of a wrong reason."""
    verdict = decide_from(primary(n=0, changed=0, wins=0, losses=0), Policy(population="affected"))
    assert verdict.rule == "C1"
    assert "the same everywhere" in verdict.sentence


@pytest.mark.parametrize(
    ("numbers", "words"),
    [
        (
            {"required_n_mpe": 4524, "required_n_seen": 1133},
            (
                "This set resolves about ±0.025; a gain of 0.005 needs about 4,500 queries, a difference as seen "
                "(+0.010) about 1,100."
            ),
        ),
        (
            {"required_n_mpe": 200, "required_n_seen": 1133},
            "This set resolves about ±0.025; a difference as seen (+0.010) needs about 1,100 queries.",
        ),
        ({"required_n_mpe": None, "required_n_seen": 150}, "This set resolves about ±0.025."),
        (
            {"required_n_mpe": None, "required_n_seen": 2001},
            (
                "This set resolves about ±0.025; a difference as seen (+0.010) needs about 2,000 queries. More queries "
                "will not settle this; use votes or an online test."
            ),
        ),
    ],
)
def test_not_proven_says_how_many_queries_it_takes(numbers: dict[str, Any], words: str) -> None:
    """The next step names the resolution and the queries needed; beyond ten times as many it names another way."""
    found = primary(n=200, delta=0.01, lower95=-0.007, upper95=0.027, mde80=0.0249, **numbers)
    verdict = decide_from(found, Policy())
    assert (verdict.rule, verdict.next_step) == ("U1", words)


def test_without_a_resolution_the_next_step_is_plain() -> None:
    """Where evidence says nothing about its resolution, the next step is that of the outcome."""
    found = primary(delta=0.01, lower95=-0.007, upper95=0.027, mde80=None)
    assert decide_from(found, Policy()).next_step == "Add queries, or collect votes."


def test_what_would_change_names_the_distance() -> None:
    """The nearest limit comes with what was observed and, where known, the queries that are missing."""
    found = primary(n=200, delta=0.01, lower95=-0.007, upper95=0.027, required_n_seen=2001)
    assert decide_from(found, Policy()).would_change == "lower bound −0.007, needs > 0"
    assert decide_from(primary(n=25), Policy()).would_change == "5 more queries"
    severe = decide_from(plain(severe=Severe(20, 45)), Policy())
    assert severe.would_change == "45 big losses against 20 big wins, needs ≤ 32"
    assert decide_from(plain(severe=Severe(20, 32)), Policy()).launch
    assert decide_from(plain(severe=Severe(20, 33)), Policy()).rule == "H5"


def test_a_launch_says_which_limit_is_nearest() -> None:
    """A launch, too, names the limit that is nearest to stopping it."""
    assert decide_from(CLEAN, Policy()).would_change == "lower bound +0.008, must stay > 0"


def leaning_of(**numbers: Any) -> str:
    """The leaning line of a result that proves nothing."""
    leaning = decide_from(primary(lower95=-1.0, upper95=1.0, **numbers), Policy()).leaning
    assert isinstance(leaning, Leaning)
    return leaning.sentence


def test_the_leaning_line_reads_well_in_every_case() -> None:
    """Ahead in both, mean against count either way, as many wins as losses, and level."""
    assert leaning_of(delta=0.01, wins=65, losses=55) == "B is ahead, 65 to 55; the sign rule says launch."
    assert leaning_of(delta=0.008, wins=40, losses=80) == (
        "B is ahead on average (+0.008) but wins 40 queries and loses 80; the sign rule says launch."
    )
    assert leaning_of(delta=-0.045, wins=15, losses=3) == (
        "A is ahead on average (−0.045) but B wins 15 queries and loses 3; the sign rule says no launch."
    )
    assert leaning_of(delta=0.002, wins=7, losses=7) == (
        "B is ahead on average (+0.002), with as many wins as losses (7); the sign rule says launch."
    )
    assert leaning_of(delta=0.0, wins=9, losses=4) == "A and B are level."


def test_the_textbook_example_is_not_proven() -> None:
    """1 good, 1 same, 2 bad: no launch, not proven yet, and the sign rule agrees on the action."""
    verdict = decide_from(Evidence(votes=Votes(1, 1, 2)), Policy())
    assert (verdict.outcome, verdict.rule, verdict.tag) == (Outcome.NOT_PROVEN, "V1", "not proven yet")
    assert verdict.leaning is not None
    assert verdict.leaning.sentence == "A is ahead, 2 to 1; the sign rule says no launch."


def test_neither_judgments_nor_votes_cannot_be_compared() -> None:
    """With nothing to go by the verdict says so."""
    verdict = decide_from(Evidence(), Policy())
    assert (verdict.rule, verdict.sentence) == ("C1", "There are neither judgments nor votes.")


def test_a_reading_without_its_data_checks_is_refused() -> None:
    """Numbers without the checks beside them are an error of the caller."""
    with pytest.raises(ValueError, match="data checks"):
        decide_from(Evidence(plain=CLEAN.plain), Policy())


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


def test_judgments_of_clicks_do_not_ask_about_gaps() -> None:
    """Where the judgments name only what is relevant the judged gap means nothing."""
    found = replace(CLEAN, data=data(1000, kind="positive_only", judged_a=0.3, judged_b=0.1))
    statuses = {check.rule: check.status for check in decide_from(found, Policy()).checks}
    assert statuses["C5"] == "not_applicable"


@pytest.mark.parametrize(
    ("missing", "judged", "fails"), [(4, 100, False), (5, 100, True), (5, 500, False), (6, 500, True)]
)
def test_missing_queries_stop_from_five_and_one_percent(missing: int, judged: int, fails: bool) -> None:
    """A difference of five queries that is more than one percent cannot be compared; either alone can."""
    found = replace(CLEAN, data=data(judged, missing_b=missing))
    check = next(check for check in decide_from(found, Policy()).checks if check.rule == "C4")
    assert (check.status == "failed") == fails
    assert check.observed is not None
    assert check.limit is not None
    assert (check.observed > check.limit) == fails


def test_a_guardrail_without_interval_is_safe_only_where_nothing_changed() -> None:
    """A guardrail that is 0 on every query passes; another constant is not proven."""
    still, moved = Guardrail("AP", 0.0, None, None), Guardrail("AP", 0.004, None, None)
    assert decide_from(plain(guardrails=(still,)), Policy()).launch
    assert decide_from(plain(guardrails=(moved,)), Policy()).rule == "U3"


def test_the_worst_guardrail_speaks() -> None:
    """Of two harmed guardrails the one further beyond its own margin is named."""
    rails = (Guardrail("AP", -0.02, -0.03, -0.01), Guardrail("P@5", -0.09, -0.1, -0.08))
    verdict = decide_from(plain(guardrails=rails), Policy(guardrails=(("AP", 0.01), ("P@5", 0.02))))
    assert verdict.sentence == (
        "Possible harm to P@5: −0.090 (90% interval −0.100 to −0.080) on 1,000 queries; among 3 harm tests chance can "
        "do this."
    )


def test_effective_queries_stand_for_queries_in_every_gate() -> None:
    """With weights that leave 25 effective queries nothing launches, whatever the number of queries."""
    verdict = decide_from(primary(n_eff=25.0), Policy())
    assert verdict.rule == "S1"
    assert "Only 25 queries after weighting" in verdict.sentence
    assert "Only 29 queries after weighting" in decide_from(primary(n_eff=29.9), Policy()).sentence
    assert decide_from(primary(n_eff=30.0), Policy()).launch


def test_a_watch_measure_without_p_is_not_in_the_family() -> None:
    """One undefined p leaves the other alone in its family, so .03 is harm."""
    pair = (Watch("nDCG@1", -0.03, 0.03), Watch("RR", 0.0, None))
    assert decide_from(plain(watch=pair), Policy()).rule == "H4"
    assert decide_from(plain(watch=(pair[0], Watch("RR", 0.0, 0.5))), Policy()).launch


def test_small_segments_are_not_judged() -> None:
    """A segment below 30 queries neither blocks nor counts in the family."""
    tail = Segment("frequency", "tail", 29, -0.3, 0.0001)
    assert decide_from(plain(segments=(tail,)), Policy(segments=("frequency",))).launch
    verdict = decide_from(plain(segments=(replace(tail, n=30),)), Policy(segments=("frequency",)))
    assert verdict.sentence == (
        "B harms frequency “tail”: −0.300 (no 90% interval) on 30 queries, beyond the limit of −0.020."
    )


def test_a_verdict_can_be_stored() -> None:
    """A verdict is plain numbers and text, so it can be written as it is."""
    stored = asdict(decide_from(CLEAN, Policy()))
    assert stored["outcome"] == "LAUNCH"
    assert stored["checks"][0]["status"] == "passed"


def test_real_scores_go_the_whole_way() -> None:
    """From per-query scores to a verdict: a clear gain on both measures launches."""
    random = np.random.default_rng(4)
    a = random.uniform(0.2, 0.7, 400)
    better = {name: (a, a + random.normal(0.03, 0.05, 400)) for name in ("nDCG@10", "AP", "nDCG@1", "RR")}
    assert decide_from(from_scores(better), Policy()).rule == "L1"
    worse = {name: (b, a) for name, (a, b) in better.items()}
    assert decide_from(from_scores(worse), Policy()).rule == "H1"


def test_a_primary_without_numbers_is_empty() -> None:
    """A primary result of no query has no size beyond its count."""
    assert Primary(n=0).size == 0


def test_sentences_have_three_decimals() -> None:
    """An end of an interval has three decimals in a sentence, also where it rounds to 0; a rounded 0 has no sign."""
    nearly = {"delta": 0.01, "lower95": -0.0003, "upper95": 0.02, "lower90": 0.0009, "upper90": 0.019}
    verdict = decide_from(primary(**nearly, required_n_seen=900), Policy())
    assert (verdict.rule, verdict.would_change) == ("U1", "lower bound 0.000, needs > 0")
    lost = {"delta": -0.01, "lower95": -0.02, "upper95": -0.0003, "lower90": -0.019, "upper90": -0.001}
    assert "(95% interval −0.020 to 0.000)" in decide_from(primary(**lost), Policy()).sentence


def test_no_affected_query_is_an_empty_population() -> None:
    """Where the policy counts the affected queries and there is none, A and B cannot be compared."""
    assert CLEAN.data is not None
    empty = replace(CLEAN, data=replace(CLEAN.data, affected=0))
    verdict = decide_from(empty, Policy(population="affected"))
    assert (verdict.outcome, verdict.rule) == (Outcome.NOT_COMPARABLE, "C1")
    assert decide_from(empty, Policy()).launch
