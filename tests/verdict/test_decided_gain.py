"""What people read when a gain is shown, or is not, letter for letter."""

from __future__ import annotations

from dataclasses import replace

import pytest

from rankdash.policy import Policy
from rankdash.verdict import Evidence, decide_from
from tests.made_evidence import CLEAN, checks, primary
from tests.verdict.decided import BEHIND, FEW, NO_HARM, Expected, guarded

OPEN = {"delta": 0.01, "lower95": -0.007, "upper95": 0.027, "lower90": -0.004, "upper90": 0.024}
ONE = primary(n=1, n_all=1, delta_all=0.0004, changed=1, mean_a=0.412, mean_b=0.427)
AFFECTED = replace(ONE, data=replace(checks().data, affected=1))  # type: ignore[type-var]

#: Evidence, policy, and what of the verdict: the rule first.
DECIDED: list[tuple[Evidence, Policy, Expected]] = [
    (primary(delta=0.001, lower95=-0.001, upper95=0.004), Policy(), {
        "rule": "F1", "tag": "gain too small", "next_step": "Do not spend more labels on it.",
        "would_change": "upper bound +0.004, needs ≥ 0.005",
        "sentence": ("A gain of 0.005 is unlikely, and so is a loss over 0.020: nDCG@10 +0.001 (95% interval −0.001 "
                     "to +0.004) on 1,000 queries."),
    }),
    (primary(delta=-0.008, lower95=-0.02, upper95=0.004), Policy(), {
        "rule": "F1", "tag": "no gain in sight",
        "next_step": "Look at the losses; more queries can only tell how large the loss is.",
        "sentence": ("A gain of 0.005 is unlikely; a loss of 0.020 is possible: nDCG@10 −0.008 (95% interval −0.020 "
                     "to +0.004) on 1,000 queries."),
    }),
    (primary(delta=-0.008, lower95=-0.02, upper95=0.004), Policy(mpe=0.03), {"rule": "F1", "tag": "gain too small"}),
    (primary(**OPEN), Policy(), {
        "rule": "U1", "tag": "not proven yet", "sentence": ("B looks better by 0.010 (95% interval −0.007 to +0.027)"
                                                            " on 1,000 queries, but chance alone can do this."),
    }),
    (primary(**BEHIND), Policy(), {
        "rule": "U1", "sentence": ("B looks worse by 0.001 (95% interval −0.012 to +0.010) on 1,000 queries, but "
                                   "chance alone can do this."),
        "would_change": "a better B: difference −0.001, needs ≥ 0.005; more queries alone do not launch it",
    }),
    (primary(**OPEN | {"delta": 0.0004}), Policy(), {
        "rule": "U1", "sentence": "The difference is not distinguishable from zero with 1,000 queries.",
    }),
    (primary(**OPEN | {"delta": 0.0004}, n=1, changed=1), FEW, {
        "rule": "U1", "sentence": "The difference is not distinguishable from zero with 1 query.",
    }),
    (primary(**OPEN | {"delta": 0.004}), Policy(), {
        "rule": "U1", "would_change": "difference +0.004, needs ≥ 0.005, and lower bound −0.007, needs > 0",
    }),
    (primary(**OPEN, n=200, required_n_seen=1133), Policy(), {
        "rule": "U1", "would_change": ("about 930 more queries to tell it from 0, if the difference stays (lower "
                                       "bound −0.007, needs > 0)"),
    }),
    (primary(**OPEN, n=200, mde80=0.025, required_n_mpe=None, required_n_seen=2000), Policy(), {
        "rule": "U1",
        "would_change": ("about 1,800 more queries to tell it from 0, if the difference stays (lower bound −0.007, "
                         "needs > 0)"),
        "next_step": ("This set resolves about ±0.025; a difference as seen (+0.010) takes about 2,000 queries."),
    }),
    (primary(**BEHIND, mde80=0.02, required_n_mpe=None, required_n_seen=9999), Policy(), {
        "rule": "U1", "next_step": "This set resolves about ±0.020. A is ahead: look at the losses first.",
    }),
    (primary(**OPEN | {"delta": 0.0}, mde80=0.02, required_n_mpe=1001), Policy(), {
        "rule": "U1",
        "next_step": ("This set resolves about ±0.020; to tell a gain of 0.005 from 0 takes about 1,000 queries. A "
                      "and B are level."),
    }),
    (primary(delta=0.004, lower95=0.001, upper95=0.007), Policy(), {
        "rule": "U2", "would_change": "difference +0.004, needs ≥ 0.005",
        "sentence": ("A gain is proven, but estimated at +0.004, less than the 0.005 that matters (95% interval "
                     "+0.001 to +0.007) on 1,000 queries."),
    }),
    (CLEAN, Policy(mpe=0.015), {
        "rule": "L1", "tag": "B is better", "would_change": "difference +0.015, must stay ≥ 0.015",
        "sentence": ("B raises nDCG@10 by +0.015 (95% interval +0.008 to +0.022) on 1,000 queries, estimated as much"
                     " as the 0.015 that matters. AP is safe within 0.010; no harm proven to nDCG@1, RR."),
        "next_step": "Launch, and confirm it online.",
    }),
    (CLEAN, NO_HARM, {
        "rule": "L2", "tag": "B is as good as A", "would_change": "AP lower bound +0.003, must stay > −0.010",
    }),
    (guarded(), NO_HARM.changed(guardrails=()), {
        "rule": "L2", "would_change": "lower bound +0.009, must stay > −0.020",
    }),
    (AFFECTED, FEW.changed(population="affected"), {
        "rule": "L1",
        "sentence": ("B raises nDCG@10 by +0.015 (0.412 → 0.427; 95% interval +0.008 to +0.022) on 1 of 1 query, "
                     "estimated above the 0.005 that matters. AP is safe within 0.010; no harm proven to nDCG@1, "
                     "RR. Over all queries the mean is +0.0004."),
    }),
]  # fmt: skip


@pytest.mark.parametrize(("found", "policy", "expected"), DECIDED, ids=range(len(DECIDED)))
def test_a_gain_says_how_large_it_is_and_what_it_lacks(found: Evidence, policy: Policy, expected: Expected) -> None:
    """Rules F1, U1, U2, L1 and L2 have their words, at a limit those of its side."""
    assert {name: getattr(decide_from(found, policy), name) for name in expected} == expected


def test_noise_in_the_thirteenth_decimal_is_on_the_limit() -> None:
    """A bound that differs from its limit by rounding alone is neither above nor below it."""
    for noise in (-4e-13, 4e-13):
        at_zero = primary(delta=0.01, lower95=noise, upper95=0.02)
        assert decide_from(at_zero, Policy()).rule == "U1"
        assert decide_from(primary(delta=0.005 + noise), Policy()).launch
    assert decide_from(primary(delta=0.01, lower95=2e-12, upper95=0.02), Policy()).launch
