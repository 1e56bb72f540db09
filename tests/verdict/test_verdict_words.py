"""The words of the verdict: what was looked at, what is missing, what would change it."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from rankdash.policy import Policy
from rankdash.verdict import (
    Guardrail,
    Segment,
    Severe,
    decide_from,
)
from tests.made_evidence import CLEAN, plain, primary, votes


def test_a_launch_names_what_was_looked_at() -> None:
    """The launch sentence names means, interval, limit and every safeguard that was evaluated."""
    found = primary(mean_a=0.612, mean_b=0.627)
    verdict = decide_from(replace(found, votes=votes(150, 170, 80)), Policy())
    assert verdict.sentence == (
        "B raises nDCG@10 by +0.015 (0.612 → 0.627; 95% interval +0.008 to +0.022) on 1,000 queries, estimated "
        "above the 0.005 that matters. AP is safe within 0.010; no harm proven to nDCG@1, RR; raters: ΔGSB +17.5% "
        "(95% interval +10.2 to +24.6) on 400 queries, no objection proven."
    )


def test_a_launch_names_nothing_that_was_not_looked_at() -> None:
    """Without guardrails, watch measures and votes the launch sentence promises nothing about them."""
    verdict = decide_from(CLEAN, Policy(guardrails=(), watch=()))
    assert verdict.sentence == (
        "B raises nDCG@10 by +0.015 (95% interval +0.008 to +0.022) on 1,000 queries, estimated above the 0.005 that "
        "matters."
    )


def test_a_launch_names_segments_that_were_judged() -> None:
    """Columns of which a segment was large enough are named; small segments promise nothing."""
    segments = tuple(
        Segment(column, "x", n, 0.01, 0.9) for column, n in (("frequency", 200), ("frequency", 90), ("language", 29))
    )
    verdict = decide_from(plain(segments=segments), Policy(segments=("frequency", "language")))
    assert "no harm proven to nDCG@1, RR, segments of frequency." in verdict.sentence


def test_raters_who_confirm_are_named_as_confirming() -> None:
    """Under confirm the sentence says that raters confirm it, not only that they do not object."""
    verdict = decide_from(replace(CLEAN, votes=votes(150, 170, 80)), Policy(votes="confirm"))
    assert verdict.sentence.endswith("; raters confirm it: ΔGSB +17.5% (95% interval +10.2 to +24.6) on 400 queries.")


def test_no_harm_launch_states_the_worst_case() -> None:
    """Under do_no_harm the sentence states the difference, how bad it may be, and the limit."""
    found = primary(delta=-0.001, lower95=-0.008447, upper95=0.006447, lower90=-0.007248, upper90=0.005248)
    sentence = decide_from(found, Policy(intent="do_no_harm")).sentence
    assert sentence.startswith(
        "B is as good as A: nDCG@10 −0.001, at worst −0.007, limit −0.020, on 1,000 queries. AP is safe"
    )


def test_a_proven_loss_inside_its_limit_is_noted() -> None:
    """A loss that is proven but tolerated passes, and the verdict carries a note about it."""
    rail = (Guardrail("AP", -0.005, -0.006, -0.004),)
    verdict = decide_from(plain(guardrails=rail), Policy())
    assert verdict.launch
    assert verdict.notes == ("A loss is proven, but it is inside the limit: AP −0.005.",)
    small = primary(delta=-0.005, lower95=-0.008, upper95=-0.002, lower90=-0.0075, upper90=-0.0025)
    assert decide_from(small, Policy(intent="do_no_harm")).notes


def test_affected_queries_are_told_with_all() -> None:
    """With the affected population the sentence states both numbers of queries and the mean over all."""
    found = primary(n=120, n_all=1000, delta_all=0.0018)
    found = replace(found, data=replace(found.data, affected=120))  # type: ignore[type-var]
    policy = Policy(population="affected")
    launched = decide_from(found, policy).sentence
    assert "on 120 of 1,000 queries" in launched
    assert launched.endswith("Over all queries the mean is +0.002.")
    stopped = decide_from(found, policy.changed(n_min=500)).sentence
    assert "120 of 1,000 queries" in stopped


def test_no_affected_query_has_its_own_sentence() -> None:
    """Where no list differs there is nothing to compare, and that is said instead of a wrong reason."""
    verdict = decide_from(primary(n=0, changed=0, wins=0, losses=0), Policy(population="affected"))
    assert (verdict.rule, verdict.sentence) == ("C1", "No query is left to compare.")


@pytest.mark.parametrize(
    ("numbers", "words"),
    [
        (
            {"required_n_mpe": 4524, "required_n_seen": 1133},
            (
                "This set resolves about ±0.025; to tell a gain of 0.005 from 0 takes about 4,500 queries, a "
                "difference as seen (+0.010) about 1,100."
            ),
        ),
        (
            {"required_n_mpe": 200, "required_n_seen": 1133},
            "This set resolves about ±0.025; a difference as seen (+0.010) takes about 1,100 queries.",
        ),
        ({"required_n_mpe": None, "required_n_seen": 150}, "This set resolves about ±0.025."),
        (
            {"required_n_mpe": None, "required_n_seen": 2001},
            (
                "This set resolves about ±0.025; a difference as seen (+0.010) takes about 2,000 queries. It would "
                "take about 10 times as many queries."
            ),
        ),
    ],
)
def test_not_proven_says_how_many_queries_it_takes(numbers: dict[str, Any], words: str) -> None:
    """The next step names the resolution and the queries needed; beyond ten times as many, how many times."""
    found = primary(n=200, delta=0.01, lower95=-0.007, upper95=0.027, mde80=0.0249, **numbers)
    verdict = decide_from(found, Policy())
    assert (verdict.rule, verdict.next_step) == ("U1", words)


def test_without_a_resolution_the_next_step_is_plain() -> None:
    """Where evidence says nothing about its resolution, the next step is that of the outcome."""
    found = primary(delta=0.01, lower95=-0.007, upper95=0.027, mde80=None)
    assert decide_from(found, Policy()).next_step == "Add queries."


def test_what_would_change_names_the_distance() -> None:
    """The nearest limit comes with what was observed and, where known, the queries that are missing."""
    found = primary(n=200, delta=0.01, lower95=-0.007, upper95=0.027, required_n_seen=2001)
    assert decide_from(found, Policy()).would_change == "lower bound −0.007, needs > 0"
    assert decide_from(primary(n=25), Policy()).would_change == "5 more queries"
    severe = decide_from(plain(severe=Severe(20, 45)), Policy())
    assert severe.would_change == "excess of big losses 2.5%, needs < 1.0%"
    assert decide_from(plain(severe=Severe(20, 32)), Policy()).launch
    assert decide_from(plain(severe=Severe(20, 33)), Policy()).rule == "H5"


def test_a_launch_says_which_limit_is_nearest() -> None:
    """A launch, too, names the limit that is nearest to stopping it."""
    assert decide_from(CLEAN, Policy()).would_change == "lower bound +0.008, must stay > 0"


def test_a_number_never_contradicts_the_outcome() -> None:
    """An end of an interval that would round to 0 has the decimals that it takes to stand on its side."""
    nearly = {"delta": 0.01, "lower95": -0.0003, "upper95": 0.02, "lower90": 0.0009, "upper90": 0.019}
    verdict = decide_from(primary(**nearly, required_n_seen=900), Policy())
    assert (verdict.rule, verdict.would_change) == ("U1", "lower bound −0.0003, needs > 0")
    lost = {"delta": -0.01, "lower95": -0.02, "upper95": -0.0003, "lower90": -0.019, "upper90": -0.001}
    assert "(95% interval −0.020 to −0.0003)" in decide_from(primary(**lost), Policy()).sentence


@pytest.mark.parametrize(
    ("numbers", "rule", "text"),
    [
        ({"upper95": 0.0004}, "H1", "No loss is proven: nDCG@10 +0.015 (95% interval +0.008 to +0.0004)."),
        ({"lower95": 0.0003}, "U1", "Chance alone would rarely do this: the 95% interval begins at +0.0003."),
        ({"upper95": 0.0052}, "F1", "A gain of 0.005 is still possible: the 95% interval ends at +0.0052."),
        ({"delta": 0.0052}, "U2", "The gain is estimated at +0.0052; the least that matters is 0.005."),
    ],
)
def test_rules_that_pass_stand_on_their_side(numbers: dict[str, float], rule: str, text: str) -> None:
    """A value that would round to zero, or onto its limit, has more decimals than every other one."""
    checks = decide_from(primary(**numbers), Policy()).checks
    assert text in {check.rule: check.sentence for check in checks}[rule]


@pytest.mark.parametrize(
    ("numbers", "rule", "text"),
    [
        ({"delta": -0.01, "lower95": -0.02, "upper95": -0.0003}, "H1", "upper bound −0.0003, needs ≥ 0"),
        ({"delta": 0.0048, "lower95": 0.001, "upper95": 0.009}, "U2", "difference +0.0048, needs ≥ 0.005"),
        ({"delta": 0.0152, "lower95": 0.0004, "upper95": 0.03}, "L1", "lower bound +0.0004, must stay > 0"),
    ],
)
def test_what_would_change_a_verdict_stands_on_its_side(numbers: dict[str, float], rule: str, text: str) -> None:
    """What was observed has as many decimals as it takes to tell it from its limit."""
    verdict = decide_from(primary(**numbers), Policy())
    assert (verdict.rule, verdict.would_change) == (rule, text)
    rail = (Guardrail("AP", 0.005, -0.0102, 0.02),)
    unsafe = decide_from(plain(guardrails=rail), Policy())
    assert (unsafe.rule, unsafe.would_change.split(";")[0]) == ("U3", "AP lower bound −0.0102, needs > −0.010")
