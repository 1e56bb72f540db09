"""What people read when B is harmful, or may be, letter for letter."""

from __future__ import annotations

from dataclasses import replace
from math import comb

import pytest

from rankdash.policy import Policy
from rankdash.verdict import Evidence, Guardrail, Segment, Severe, Watch, decide_from
from tests.made_evidence import CLEAN, plain, primary
from tests.verdict.decided import FEW, NO_HARM, Expected, guarded, voted

WORSE = {"delta": -0.01, "lower95": -0.015, "upper95": -0.005, "lower90": -0.014, "upper90": -0.006}
LOOK = "Look at these queries; more of them show whether the harm is real."


def most_losses(wins: int) -> int:
    """The most losses beside so many wins that a fair coin brings in at least 5 of 100 throws."""
    losses = wins
    while sum(comb(wins + losses + 1, k) for k in range(wins + 1)) / 2 ** (wins + losses + 1) >= 0.05:
        losses += 1
    return losses


#: Evidence, policy, and what of the verdict: the rule first.
DECIDED: list[tuple[Evidence, Policy, Expected]] = [
    (primary(**WORSE), Policy(), {
        "rule": "H1", "tag": "B is worse", "next_step": "Look at the losses.",
        "would_change": "upper bound −0.005, needs ≥ 0",
    }),
    (primary(**WORSE | {"delta": -0.03}), NO_HARM, {
        "rule": "H1", "would_change": "difference −0.030, needs > −0.020",
    }),
    (primary(**WORSE, n=1, changed=1), FEW, {
        "rule": "H1", "sentence": "B is worse: nDCG@10 −0.010 (95% interval −0.015 to −0.005) on 1 query.",
    }),
    (primary(**WORSE, changed=20, p_flip=0.025), Policy(), {
        "rule": "H1", "tag": "possible harm", "next_step": LOOK,
        "sentence": ("B may be worse: nDCG@10 −0.010 (95% interval −0.015 to −0.005) on 1,000 queries, but only 20 "
                     "queries differ in score and sign flips give p = 0.025."),
    }),
    (primary(**WORSE, changed=20, p_flip=0.024), Policy(), {"rule": "H1", "tag": "B is worse"}),
    (primary(**WORSE, changed=21, p_flip=0.9), Policy(), {"rule": "H1", "tag": "B is worse"}),
    (guarded(Guardrail("AP", -0.02, -0.03, -0.011, 600, 0.0001)), Policy(), {
        "rule": "H2", "tag": "B harms AP", "would_change": "AP −0.020, needs > −0.010",
        "sentence": ("B harms AP: −0.020 (90% interval −0.030 to −0.011) on 1,000 queries, "
                     "beyond the limit of −0.010."),
    }),
    (guarded(Guardrail("AP", -0.02, -0.03, -0.011, 600, 0.06)), Policy(), {
        "rule": "H2", "tag": "possible harm", "next_step": LOOK,
        "sentence": ("Possible harm to AP: −0.020 (90% interval −0.030 to −0.011) on 1,000 queries; "
                     "among 1 harm test chance can do this."),
    }),
    (guarded(Guardrail("AP", -0.02, -0.03, -0.011, 5, 0.0001)), Policy(), {
        "rule": "H2", "tag": "possible harm",
        "sentence": ("Possible harm to AP: −0.020 (90% interval −0.030 to −0.011) on 1,000 queries; "
                     "only 5 queries differ in score, 6 are needed to prove it."),
    }),
    (replace(CLEAN, votes=voted(2, 0, 1, -0.3, -0.5, -0.1)), Policy(votes_min=1), {
        "rule": "H3", "tag": "raters prefer A", "would_change": "upper bound of ΔGSB −10.0%, needs ≥ 0",
        "sentence": "Raters prefer A: ΔGSB −30.0% (95% interval −50.0 to −10.0) on 3 queries.",
    }),
    (replace(CLEAN, votes=voted(1, 0, 0, -0.3, -0.5, -0.1, n_side=1.0)), Policy(votes_min=1), {
        "rule": "H3",
        "sentence": ("Raters prefer A: ΔGSB −30.0% (95% interval −50.0 to −10.0) on 1 query, averaged over both "
                     "sides."),
    }),
    (guarded(watch=(Watch("RR", -0.03, 0.0001, 600, None, -0.04, -0.02),)), Policy(), {
        "rule": "H4", "tag": "B harms RR", "would_change": "RR −0.030, needs > −0.020",
        "sentence": ("B harms RR: −0.030 (90% interval −0.040 to −0.020) on 1,000 queries, "
                     "beyond the limit of −0.020."),
    }),
    (guarded(segments=(Segment("market", "de", 120, -0.03, 0.0001, 60, None, -0.04, -0.02),)),
     Policy(segments=("market",)), {
        "rule": "H4", "tag": "B harms market “de”", "would_change": "market “de” −0.030, needs > −0.020",
        "sentence": ("B harms market “de”: −0.030 (90% interval −0.040 to −0.020) on 120 queries, "
                     "beyond the limit of −0.020."),
    }),
    (plain(severe=Severe(5, 25)), Policy(), {
        "rule": "H5", "tag": "B breaks some queries",
        "would_change": "excess of big losses 2.0%, needs < 1.0%",
        "sentence": ("B breaks more queries than it rescues: 25 big losses against 5 big wins (|Δ| ≥ 0.200) "
                     "on 1,000 queries."),
    }),
    (primary(delta=-0.01, lower95=-0.03, upper95=0.01, lower90=-0.026, upper90=0.006), NO_HARM, {
        "rule": "N1", "sentence": "B may be worse by up to 0.026 on 1,000 queries; the limit is 0.020.",
        "would_change": "lower bound −0.026, needs > −0.020; about 1,600 more queries if the difference stays",
    }),
    (primary(delta=-0.02, lower95=-0.05, upper95=0.01, lower90=-0.04, upper90=0.001), NO_HARM, {
        "rule": "N1", "would_change": "lower bound −0.040, needs > −0.020",
    }),
    (primary(delta=-0.01, lower95=-0.03, upper95=0.01, lower90=-0.02, upper90=0.001), NO_HARM, {
        "rule": "N1", "would_change": "lower bound −0.020, needs > −0.020",
    }),
    (guarded(Guardrail("AP", 0.0, -0.02, 0.02, 600, 0.5)), Policy(), {
        "rule": "U3", "sentence": ("A loss over 0.010 on AP cannot be ruled out yet: it may be 0.020 on 1,000 "
                                   "queries."),
        "would_change": "AP lower bound −0.020, needs > −0.010; about 3,000 more queries if the difference stays",
    }),
    (guarded(Guardrail("AP", 0.005, None, None, 5)), Policy(), {
        "rule": "U3", "would_change": "5 queries that differ in score by AP, needs ≥ 6",
    }),
    (guarded(Guardrail("AP", -0.01, -0.012, 0.01, 600, 0.4), Guardrail("P@5", -0.02, -0.022, 0.02, 600, 0.4)),
     Policy(guardrails=(("AP", 0.01), ("P@5", 0.02))), {
        "rule": "U3", "would_change": "AP lower bound −0.012, needs > −0.010",
    }),
]  # fmt: skip


@pytest.mark.parametrize(("found", "policy", "expected"), DECIDED, ids=range(len(DECIDED)))
def test_harm_says_what_is_harmed_and_by_how_much(found: Evidence, policy: Policy, expected: Expected) -> None:
    """The rules of harm, N1 and U3 have their words: a claim where harm is proven, a doubt where it is possible."""
    assert {name: getattr(decide_from(found, policy), name) for name in expected} == expected


def test_two_proven_losses_inside_their_limits_are_both_told() -> None:
    """The note names every guardrail with a proven loss that its limit allows, and no other."""
    guards = [Guardrail("AP", -0.005, -0.006, -0.004), Guardrail("P@5", -0.01, -0.012, -0.008)]
    policy = Policy(guardrails=(("AP", 0.01), ("P@5", 0.02), ("RR", 0.02)), watch=())
    verdict = decide_from(guarded(*guards, Guardrail("RR", -0.001, -0.002, 0.0, 600)), policy)
    assert verdict.notes == ("A loss is proven, but it is inside the limit: AP −0.005, P@5 −0.010.",)


def test_the_harm_that_is_proven_speaks_before_one_that_only_stops() -> None:
    """Among several, a claim goes before a doubt, and what stops a launch before what is only low."""
    proven = Guardrail("AP", -0.011, -0.015, -0.0105, 600, 0.0001)
    doubted = Guardrail("P@5", -0.2, -0.3, -0.1, 3, 0.0001)
    low = Guardrail("RR", -0.5, -0.9, 0.1, 600, 0.4)
    policy = Policy(guardrails=(("P@5", 0.01), ("RR", 0.01), ("AP", 0.01)), watch=())
    assert decide_from(guarded(doubted, low, proven), policy).tag == "B harms AP"
    assert decide_from(guarded(doubted, low), policy).sentence.startswith("Possible harm to P@5")


@pytest.mark.parametrize("wins", [0, 1, 2, 3, 4, 5, 9, 20, 39, 128, 300])
def test_the_big_losses_that_pass_are_counted_as_one_would_count_them(wins: int) -> None:
    """As many as there are wins, one more, and so on, up to the last that chance still makes or the policy allows."""
    assert CLEAN.plain is not None
    for allowed, policy in ((-1, Policy(big_excess_min=0)), (9, Policy()), (49, Policy(big_excess_min=0.0495))):
        most = max(most_losses(wins), wins + allowed)
        for losses, passes in ((most, True), (most + 1, False)):
            reading = replace(CLEAN.plain, severe=Severe(wins, losses))
            found = decide_from(replace(CLEAN, plain=reading), policy)
            assert [check.status == "passed" for check in found.checks if check.rule == "H5"] == [passes]
