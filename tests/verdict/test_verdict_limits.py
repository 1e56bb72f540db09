"""The limits of the rules, and comparisons at the edge of having none."""

from __future__ import annotations

from dataclasses import asdict, replace

import numpy as np
import pytest

from rankdash.policy import Policy
from rankdash.verdict import (
    Evidence,
    Guardrail,
    Outcome,
    Primary,
    Segment,
    Votes,
    Watch,
    decide_from,
)
from tests.made_evidence import CLEAN, data, from_scores, plain, primary


def test_the_textbook_example_is_not_proven() -> None:
    """1 good, 1 same, 2 bad: no launch, not proven yet."""
    verdict = decide_from(Evidence(votes=Votes(1, 1, 2)), Policy())
    assert (verdict.outcome, verdict.rule, verdict.tag) == (Outcome.NOT_PROVEN, "V1", "not proven yet")


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
    assert "Only 1,000 queries, worth 25 equal ones" in verdict.sentence
    assert "worth 29 equal ones" in decide_from(primary(n_eff=29.9), Policy()).sentence
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


def test_no_affected_query_is_an_empty_population() -> None:
    """Where the policy counts the affected queries and there is none, A and B cannot be compared."""
    assert CLEAN.data is not None
    empty = replace(CLEAN, data=replace(CLEAN.data, affected=0))
    verdict = decide_from(empty, Policy(population="affected"))
    assert (verdict.outcome, verdict.rule) == (Outcome.NOT_COMPARABLE, "C1")
    assert decide_from(empty, Policy()).launch
