"""What people read when votes decide, letter for letter."""

from __future__ import annotations

from dataclasses import replace

import pytest

from rankdash.policy import Policy
from rankdash.verdict import Evidence, decide_from
from tests.made_evidence import CLEAN, votes
from tests.verdict.decided import CONFIRM, Expected, voted

#: Evidence, policy, and what of the verdict: the rule first.
DECIDED: list[tuple[Evidence, Policy, Expected]] = [
    (CLEAN, CONFIRM, {
        "rule": "U4", "sentence": "The policy asks for votes; there are none, or too few.",
        "would_change": "queries voted better or worse 0, needs ≥ 20",
    }),
    (replace(CLEAN, votes=voted(60, 60, 63, -0.01, -0.1, 0.1, lower90=-0.04)), CONFIRM, {
        "rule": "U4", "sentence": ("Raters do not confirm it: ΔGSB −1.0% (95% interval −10.0 to +10.0) on 183 "
                                   "queries."),
        "would_change": "ΔGSB −1.0%, needs ≥ 0",
    }),
    (replace(CLEAN, votes=voted(60, 60, 60, 0.0, -0.1, 0.1, lower90=-0.05)), CONFIRM, {
        "rule": "U4", "would_change": "lower bound of ΔGSB −5.0%, needs > −5.0%",
    }),
    (replace(CLEAN, votes=votes(6, 60, 5)), CONFIRM, {
        "rule": "U4", "would_change": "queries voted better or worse 11, needs ≥ 20",
    }),
    (replace(CLEAN, votes=votes(60, 60, 50, n_side=1.0)), CONFIRM, {
        "rule": "U4", "sentence": "The policy asks for votes; B stood on one side in nearly all of them.",
        "would_change": "balanced queries 1, needs ≥ 85",
    }),
    (Evidence(), Policy(), {
        "rule": "C1", "would_change": "votes, or judgments", "next_step": "Add judgments or votes.",
    }),
    (Evidence(votes=votes(10, 0, 9)), Policy(), {
        "rule": "V1", "would_change": "queries voted better or worse 19, needs ≥ 20",
        "next_step": "Collect votes on more queries, with sides at random.",
    }),
    (Evidence(votes=votes(5, 0, 6)), Policy(), {
        "rule": "V1", "would_change": "queries voted better or worse 11, needs ≥ 20; more votes alone do not launch it",
    }),
    (Evidence(votes=votes(20, 0, 1, n_side=1.0)), Policy(), {
        "rule": "V1", "would_change": "balanced queries 1, needs ≥ 10.5",
        "sentence": "B stood on one side in nearly all votes.",
    }),
    (Evidence(votes=voted(60, 60, 60, 0.0, -0.01, 0.01)), Policy(), {
        "rule": "F1", "tag": "gain too small", "would_change": "upper bound of ΔGSB +1.0%, needs ≥ 2.0%",
        "sentence": ("A ΔGSB of 2.0% is unlikely, and so is one below −5.0%: ΔGSB 0.0% (95% interval −1.0 to +1.0) "
                     "on 180 queries."),
    }),
    (Evidence(votes=voted(60, 60, 60, -0.02, -0.05, 0.01)), Policy(), {
        "rule": "F1", "tag": "no gain in sight",
        "next_step": "Look at the losses; more votes can only tell how large the loss is.",
        "sentence": ("A ΔGSB of 2.0% is unlikely; one of −5.0% is possible: ΔGSB −2.0% (95% interval −5.0 to +1.0) "
                     "on 180 queries."),
    }),
    (Evidence(votes=voted(30, 0, 30, 0.0, -0.2, 0.2)), Policy(), {
        "rule": "U1", "sentence": "No preference is proven: ΔGSB 0.0% (95% interval −20.0 to +20.0) on 60 queries.",
    }),
    (Evidence(votes=voted(1, 0, 0, 0.0, -0.2, 0.2)), Policy(votes_min=1), {
        "rule": "U1", "sentence": "No preference is proven: ΔGSB 0.0% (95% interval −20.0 to +20.0) on 1 query.",
    }),
    (Evidence(votes=voted(40, 0, 30, 0.1, 0.0, 0.2)), Policy(), {
        "rule": "U1", "sentence": "No preference is proven: ΔGSB +10.0% (95% interval 0.0 to +20.0) on 70 queries.",
        "would_change": "lower bound of ΔGSB 0.0%, needs > 0",
    }),
    (Evidence(votes=voted(30, 0, 40, -0.1, -0.2, 0.1)), Policy(), {
        "rule": "U1", "sentence": "No preference is proven: ΔGSB −10.0% (95% interval −20.0 to +10.0) on 70 queries.",
        "would_change": "lower bound of ΔGSB −20.0%, needs > 0; more votes alone do not launch it",
    }),
    (Evidence(votes=voted(40, 0, 30, 0.015, 0.01, 0.2)), Policy(), {
        "rule": "U2", "would_change": "ΔGSB +1.5%, needs ≥ 2.0%",
        "sentence": ("Raters prefer B, but the estimate is below the 2.0% that matters: ΔGSB +1.5% (95% interval "
                     "+1.0 to +20.0) on 70 queries."),
    }),
    (Evidence(votes=voted(1, 0, 0, 0.5, 0.1, 0.9)), Policy(votes_min=1), {
        "rule": "L1", "would_change": "lower bound of ΔGSB +10.0%, must stay > 0",
        "sentence": ("Raters prefer B: ΔGSB +50.0% (95% interval +10.0 to +90.0) on 1 query, estimated above the "
                     "2.0% that matters."),
    }),
]  # fmt: skip


@pytest.mark.parametrize(("found", "policy", "expected"), DECIDED, ids=range(len(DECIDED)))
def test_votes_say_what_they_show_and_what_they_lack(found: Evidence, policy: Policy, expected: Expected) -> None:
    """Rule U4, and every rule of a comparison with votes alone, have their words."""
    assert {name: getattr(decide_from(found, policy), name) for name in expected} == expected
