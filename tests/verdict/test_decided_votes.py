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
        "would_change": "votes: 20 queries called good or bad",
    }),
    (replace(CLEAN, votes=voted(60, 60, 63, -0.01, -0.1, 0.1, lower90=-0.04)), CONFIRM, {
        "rule": "U4", "sentence": "Raters do not confirm it: ΔGSB −1.0% (−10.0 to +10.0).",
        "would_change": "ΔGSB −1.0%, needs ≥ 0",
    }),
    (replace(CLEAN, votes=voted(60, 60, 60, 0.0, -0.1, 0.1, lower90=-0.05)), CONFIRM, {
        "rule": "U4", "would_change": "lower bound of ΔGSB −5.0%, needs > −5.0%",
    }),
    (replace(CLEAN, votes=votes(6, 60, 5)), CONFIRM, {
        "rule": "U4", "would_change": "11 queries voted good or bad, needs ≥ 20",
    }),
    (replace(CLEAN, votes=votes(60, 60, 50, raters=3, alpha=0.1)), CONFIRM, {
        "rule": "U4", "would_change": "agreement α 0.10, needs ≥ 0.20",
    }),
    (replace(CLEAN, votes=votes(60, 60, 50, n_side=1.0)), CONFIRM, {
        "rule": "U4", "would_change": "votes worth 1 query with balanced sides, needs ≥ 85.0",
    }),
    (Evidence(), Policy(), {
        "rule": "C1", "would_change": "votes, or judgments", "next_step": "Add judgments or votes.",
    }),
    (Evidence(votes=votes(10, 0, 9)), Policy(), {
        "rule": "V1", "would_change": "1 more query voted good or bad",
        "next_step": "Collect more votes, several raters per query, sides at random.",
    }),
    (Evidence(votes=votes(5, 0, 6)), Policy(), {
        "rule": "V1", "would_change": "9 more queries voted good or bad; more votes alone do not launch it",
    }),
    (Evidence(votes=votes(60, 60, 50, raters=3, alpha=0.1)), Policy(), {
        "rule": "V1", "would_change": "agreement α 0.10, needs ≥ 0.20",
    }),
    (Evidence(votes=voted(60, 60, 60, 0.0, -0.01, 0.01)), Policy(), {
        "rule": "F1", "tag": "gain too small", "would_change": "upper bound of ΔGSB +1.0%, needs ≥ 2.0%",
        "sentence": ("Even at best raters prefer B by less than the 2.0% that matters, and they do not prefer A by "
                     "more than 5.0% (95% interval −1.0 to +1.0)."),
    }),
    (Evidence(votes=voted(60, 60, 60, -0.02, -0.05, 0.01)), Policy(), {
        "rule": "F1", "tag": "no gain in sight",
        "next_step": "Look at the losses; more votes can only tell how large the loss is.",
        "sentence": ("Even at best raters prefer B by less than the 2.0% that matters, and they may prefer A by 5.0% "
                     "(95% interval −5.0 to +1.0)."),
    }),
    (Evidence(votes=voted(30, 0, 30, 0.0, -0.2, 0.2)), Policy(), {
        "rule": "U1", "sentence": "The votes are not distinguishable from a tie with 60 queries.",
    }),
    (Evidence(votes=voted(1, 0, 0, 0.0, -0.2, 0.2)), Policy(votes_min=1), {
        "rule": "U1", "sentence": "The votes are not distinguishable from a tie with 1 query.",
    }),
    (Evidence(votes=voted(40, 0, 30, 0.1, 0.0, 0.2)), Policy(), {
        "rule": "U1", "sentence": "B looks better by ΔGSB +10.0%, but chance alone can do this.",
        "would_change": "lower bound of ΔGSB 0.0%, needs > 0",
    }),
    (Evidence(votes=voted(30, 0, 40, -0.1, -0.2, 0.1)), Policy(), {
        "rule": "U1", "sentence": "B looks worse by ΔGSB −10.0%, but chance alone can do this.",
        "would_change": "lower bound of ΔGSB −20.0%, needs > 0; more votes alone do not launch it",
    }),
    (Evidence(votes=voted(40, 0, 30, 0.015, 0.01, 0.2)), Policy(), {
        "rule": "U2", "would_change": "ΔGSB +1.5%, needs ≥ 2.0%",
        "sentence": "Raters really prefer B, but perhaps by less than the 2.0% that matters.",
    }),
    (Evidence(votes=voted(1, 0, 0, 0.5, 0.1, 0.9)), Policy(votes_min=1), {
        "rule": "L1", "would_change": "lower bound of ΔGSB +10.0%, must stay > 0",
        "sentence": ("Raters prefer B: ΔGSB +50.0% (95% interval +10.0 to +90.0) on 1 query, "
                     "above the 2.0% that matters."),
    }),
]  # fmt: skip


@pytest.mark.parametrize(("found", "policy", "expected"), DECIDED, ids=range(len(DECIDED)))
def test_votes_say_what_they_show_and_what_they_lack(found: Evidence, policy: Policy, expected: Expected) -> None:
    """Rule U4, and every rule of a comparison with votes alone, have their words."""
    assert {name: getattr(decide_from(found, policy), name) for name in expected} == expected
