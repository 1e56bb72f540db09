"""What people read when a rule decides: sentence, next step, what would change it and tag, letter for letter."""

from __future__ import annotations

from dataclasses import replace
from math import comb
from typing import Any

import pytest

from rankdash.policy import Policy
from rankdash.verdict import Evidence, Guardrail, Segment, Severe, Votes, Watch, decide_from
from tests.made_evidence import CLEAN, plain, primary, votes

SAME = {"lower95": None, "upper95": None, "lower90": None, "upper90": None}
WORSE = {"delta": -0.01, "lower95": -0.015, "upper95": -0.005, "lower90": -0.014, "upper90": -0.006}
OPEN = {"delta": 0.01, "lower95": -0.007, "upper95": 0.027, "lower90": -0.004, "upper90": 0.024}
BEHIND = {"delta": -0.001, "lower95": -0.012, "upper95": 0.01, "lower90": -0.01, "upper90": 0.008}
NO_HARM = Policy(intent="do_no_harm")
CONFIRM = Policy(votes="confirm")
FEW = Policy(n_min=1, changed_min=1, harm_n_min=1, harm_changed_min=1)
LOOK = "Look at these queries; more of them show whether the harm is real."
ALONE = {"watch": (), "segments": (), "severe": None}


def checks(**changes: Any) -> Evidence:
    """The clean win with other data checks."""
    assert CLEAN.data is not None
    return replace(CLEAN, data=replace(CLEAN.data, **changes))


def guarded(*guards: Guardrail, **more: Any) -> Evidence:
    """The clean win with these guardrails, and nothing else that may be harmed unless it is said."""
    return plain(guardrails=guards, **{**ALONE, **more})


def voted(good: int, same: int, bad: int, delta: float, lower: float, upper: float, **more: Any) -> Votes:
    """Votes with an interval that is said."""
    return Votes(good, same, bad, delta, lower, upper, **{"lower90": lower, **more})


def unjudged(number: int) -> Evidence:
    """A win that is none without the unjudged documents."""
    assert CLEAN.plain is not None
    other = replace(CLEAN.plain, primary=replace(CLEAN.plain.primary, lower95=-0.001))
    return replace(checks(judged_b=0.9, unjudged_shown=number), condensed=other)


def most_losses(wins: int) -> int:
    """The most losses beside so many wins that a fair coin brings in at least 5 of 100 throws."""
    losses = wins
    while sum(comb(wins + losses + 1, k) for k in range(wins + 1)) / 2 ** (wins + losses + 1) >= 0.05:
        losses += 1
    return losses


ONE = primary(n=1, n_all=1, delta_all=0.0004, changed=1, mean_a=0.412, mean_b=0.427)
AFFECTED = replace(ONE, data=replace(checks().data, affected=1))  # type: ignore[type-var]

#: Evidence, policy, and what of the verdict: the rule first.
DECIDED: list[tuple[Evidence, Policy, dict[str, str]]] = [
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
    (primary(**WORSE), Policy(), {
        "rule": "H1", "tag": "B is worse", "next_step": "Look at the losses.",
        "would_change": "upper bound −0.005, needs ≥ 0",
    }),
    (primary(**WORSE | {"delta": -0.03}), NO_HARM, {
        "rule": "H1", "would_change": "difference −0.030, needs > −0.020",
    }),
    (primary(**WORSE, n=1, changed=1), FEW, {
        "rule": "H1", "sentence": "B is worse: NDCG@10 −0.010 (95% interval −0.015 to −0.005) on 1 query.",
    }),
    (primary(**WORSE, changed=20, p_flip=0.025), Policy(), {
        "rule": "H1", "tag": "possible harm", "next_step": LOOK,
        "sentence": ("B may be worse: NDCG@10 −0.010 (95% interval −0.015 to −0.005) on 1,000 queries, but only 20 of "
                     "them changed and sign flips give p = 0.025."),
    }),
    (primary(**WORSE, changed=20, p_flip=0.024), Policy(), {"rule": "H1", "tag": "B is worse"}),
    (primary(**WORSE, changed=21, p_flip=0.9), Policy(), {"rule": "H1", "tag": "B is worse"}),
    (guarded(Guardrail("AP", -0.02, -0.03, -0.011, 600, 0.0001)), Policy(), {
        "rule": "H2", "tag": "B harms MAP", "would_change": "MAP −0.020, needs > −0.010",
        "sentence": ("B harms MAP: −0.020 (90% interval −0.030 to −0.011) on 1,000 queries, "
                     "beyond the limit of −0.010."),
    }),
    (guarded(Guardrail("AP", -0.02, -0.03, -0.011, 600, 0.06)), Policy(), {
        "rule": "H2", "tag": "possible harm", "next_step": LOOK,
        "sentence": ("Possible harm to MAP: −0.020 (90% interval −0.030 to −0.011) on 1,000 queries; "
                     "among 1 harm test chance can do this."),
    }),
    (guarded(Guardrail("AP", -0.02, -0.03, -0.011, 5, 0.0001)), Policy(), {
        "rule": "H2", "tag": "possible harm",
        "sentence": ("Possible harm to MAP: −0.020 (90% interval −0.030 to −0.011) on 1,000 queries; "
                     "only 5 of them changed, 6 are needed to prove it."),
    }),
    (replace(CLEAN, votes=voted(2, 0, 1, -0.3, -0.5, -0.1)), Policy(votes_min=1), {
        "rule": "H3", "tag": "raters prefer A", "would_change": "upper bound of ΔGSB −10.0%, needs ≥ 0",
        "sentence": ("Raters prefer A: 1 loss against 2 wins on 3 queries "
                     "(ΔGSB −30.0%, 95% interval −50.0 to −10.0)."),
    }),
    (replace(CLEAN, votes=voted(1, 0, 0, -0.3, -0.5, -0.1, n_side=1.0)), Policy(votes_min=1), {
        "rule": "H3",
        "sentence": ("Raters prefer A: 0 losses against 1 win on 1 query "
                     "(ΔGSB −30.0%, 95% interval −50.0 to −10.0; averaged over both sides)."),
    }),
    (guarded(watch=(Watch("RR", -0.03, 0.0001, 600, None, -0.04, -0.02),)), Policy(), {
        "rule": "H4", "tag": "B harms MRR", "would_change": "MRR −0.030, needs > −0.020",
        "sentence": ("B harms MRR: −0.030 (90% interval −0.040 to −0.020) on 1,000 queries, "
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
        "would_change": f"25 big losses against 5 big wins, needs ≤ {most_losses(5)}",
        "sentence": ("B breaks more queries than it rescues: 25 big losses against 5 big wins (|Δ| ≥ 0.200) "
                     "on 1,000 queries."),
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
    (primary(delta=0.001, lower95=-0.001, upper95=0.004), Policy(), {
        "rule": "F1", "tag": "gain too small", "next_step": "Do not spend more labels on it.",
        "would_change": "upper bound +0.004, needs ≥ 0.005",
        "sentence": ("Even at best B gains less than the 0.005 that matters, and it does not lose more than 0.020 "
                     "(95% interval −0.001 to +0.004)."),
    }),
    (primary(delta=-0.008, lower95=-0.02, upper95=0.004), Policy(), {
        "rule": "F1", "tag": "no gain in sight",
        "next_step": "Look at the losses; more queries can only tell how large the loss is.",
        "sentence": ("Even at best B gains less than the 0.005 that matters, and it may lose 0.020 "
                     "(95% interval −0.020 to +0.004)."),
    }),
    (primary(delta=-0.008, lower95=-0.02, upper95=0.004), Policy(mpe=0.03), {"rule": "F1", "tag": "gain too small"}),
    (primary(**OPEN), Policy(), {
        "rule": "U1", "tag": "not proven yet", "sentence": "B looks better by 0.010, but chance alone can do this.",
    }),
    (primary(**BEHIND), Policy(), {
        "rule": "U1", "sentence": "B looks worse by 0.001, but chance alone can do this.",
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
        "rule": "U1", "would_change": "about 930 more queries if the difference stays (lower bound −0.007, needs > 0)",
    }),
    (primary(**OPEN, n=200, mde80=0.025, required_n_mpe=None, required_n_seen=2000), Policy(), {
        "rule": "U1",
        "would_change": "about 1,800 more queries if the difference stays (lower bound −0.007, needs > 0)",
        "next_step": ("This set resolves about ±0.025; a difference as seen (+0.010) needs about 2,000 queries."),
    }),
    (primary(**BEHIND, mde80=0.02, required_n_mpe=None, required_n_seen=9999), Policy(), {
        "rule": "U1", "next_step": "This set resolves about ±0.020. A is ahead: look at the losses first.",
    }),
    (primary(**OPEN | {"delta": 0.0}, mde80=0.02, required_n_mpe=1001), Policy(), {
        "rule": "U1",
        "next_step": "This set resolves about ±0.020; a gain of 0.005 needs about 1,000 queries. A and B are level.",
    }),
    (primary(delta=0.004, lower95=0.001, upper95=0.007), Policy(), {
        "rule": "U2", "would_change": "difference +0.004, needs ≥ 0.005",
        "sentence": "B is really better, but perhaps by less than the 0.005 that matters.",
    }),
    (primary(delta=-0.01, lower95=-0.03, upper95=0.01, lower90=-0.026, upper90=0.006), NO_HARM, {
        "rule": "N1", "sentence": "B may be worse by up to 0.026; the limit is 0.020.",
        "would_change": "lower bound −0.026, needs > −0.020; about 1,600 more queries if the difference stays",
    }),
    (primary(delta=-0.02, lower95=-0.05, upper95=0.01, lower90=-0.04, upper90=0.001), NO_HARM, {
        "rule": "N1", "would_change": "lower bound −0.040, needs > −0.020",
    }),
    (primary(delta=-0.01, lower95=-0.03, upper95=0.01, lower90=-0.02, upper90=0.001), NO_HARM, {
        "rule": "N1", "would_change": "lower bound −0.020, needs > −0.020",
    }),
    (guarded(Guardrail("AP", 0.0, -0.02, 0.02, 600, 0.5)), Policy(), {
        "rule": "U3", "sentence": "A loss over 0.010 on MAP cannot be ruled out yet.",
        "would_change": "MAP lower bound −0.020, needs > −0.010; about 3,000 more queries if the difference stays",
    }),
    (guarded(Guardrail("AP", 0.005, None, None, 5)), Policy(), {
        "rule": "U3", "would_change": "MAP is +0.005 on every query, so it has no lower bound",
    }),
    (guarded(Guardrail("AP", -0.01, -0.012, 0.01, 600, 0.4), Guardrail("P@5", -0.02, -0.022, 0.02, 600, 0.4)),
     Policy(guardrails=(("AP", 0.01), ("P@5", 0.02))), {
        "rule": "U3", "would_change": "MAP lower bound −0.012, needs > −0.010",
    }),
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
    (CLEAN, Policy(mpe=0.015), {
        "rule": "L1", "tag": "B is better", "would_change": "difference +0.015, must stay ≥ 0.015",
        "sentence": ("B raises NDCG@10 by +0.015 (95% interval +0.008 to +0.022) on 1,000 queries, as much as the "
                     "0.015 that matters; MAP is safe within 0.010; no harm to NDCG@1, MRR."),
        "next_step": "Launch, and confirm it online.",
    }),
    (CLEAN, NO_HARM, {
        "rule": "L2", "tag": "B is as good as A", "would_change": "MAP lower bound +0.003, must stay > −0.010",
    }),
    (guarded(), NO_HARM.changed(guardrails=()), {
        "rule": "L2", "would_change": "lower bound +0.009, must stay > −0.020",
    }),
    (AFFECTED, FEW.changed(population="affected"), {
        "rule": "L1",
        "sentence": ("B raises NDCG@10 by +0.015 (0.412 → 0.427; 95% interval +0.008 to +0.022) on 1 of 1 query, "
                     "above the 0.005 that matters; MAP is safe within 0.010; no harm to NDCG@1, MRR. "
                     "The mean over all queries is 0.000."),
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
def test_a_rule_that_decides_says_what_to_do(found: Evidence, policy: Policy, expected: dict[str, str]) -> None:
    """Every rule has its words, in the singular where there is one of a kind, and at its limit those of its side."""
    verdict = decide_from(found, policy)
    assert {name: getattr(verdict, name) for name in expected} == expected


@pytest.mark.parametrize(
    ("numbers", "sentence"),
    [
        ({"delta": 0.01, "wins": 1, "losses": 2}, "B is ahead on average (+0.010) but wins 1 query and loses 2"),
        ({"delta": -0.01, "wins": 1, "losses": 0}, "A is ahead on average (−0.010) but B wins 1 query and loses 0"),
        ({"delta": -0.01, "wins": 1, "losses": 1200}, "A is ahead, 1,200 to 1"),
        ({"delta": -0.01, "wins": 3, "losses": 3}, "A is ahead on average (−0.010), with as many wins as losses (3)"),
    ],
)
def test_who_is_ahead_is_told_with_wins_and_losses(numbers: dict[str, Any], sentence: str) -> None:
    """By the mean and by the count, whichever way they point."""
    leaning = decide_from(primary(**numbers), Policy()).leaning
    assert leaning is not None
    rule = "launch" if numbers["delta"] > 0 else "no launch"
    assert (leaning.ahead, leaning.sign_rule) == ("B" if numbers["delta"] > 0 else "A", rule)
    assert (leaning.wins, leaning.losses) == (numbers["wins"], numbers["losses"])
    assert leaning.sentence == f"{sentence}; the sign rule says {rule}."


def test_two_proven_losses_inside_their_limits_are_both_told() -> None:
    """The note names every guardrail with a proven loss that its limit allows, and no other."""
    guards = [Guardrail("AP", -0.005, -0.006, -0.004), Guardrail("P@5", -0.01, -0.012, -0.008)]
    policy = Policy(guardrails=(("AP", 0.01), ("P@5", 0.02), ("RR", 0.02)), watch=())
    verdict = decide_from(guarded(*guards, Guardrail("RR", -0.001, -0.002, 0.0, 600)), policy)
    assert verdict.notes == ("A loss is proven, but it is inside the limit: MAP −0.005, P@5 −0.010.",)


def test_the_harm_that_is_proven_speaks_before_one_that_only_stops() -> None:
    """Among several, a claim goes before a doubt, and what stops a launch before what is only low."""
    proven = Guardrail("AP", -0.011, -0.015, -0.0105, 600, 0.0001)
    doubted = Guardrail("P@5", -0.2, -0.3, -0.1, 3, 0.0001)
    low = Guardrail("RR", -0.5, -0.9, 0.1, 600, 0.4)
    policy = Policy(guardrails=(("P@5", 0.01), ("RR", 0.01), ("AP", 0.01)), watch=())
    assert decide_from(guarded(doubted, low, proven), policy).tag == "B harms MAP"
    assert decide_from(guarded(doubted, low), policy).sentence.startswith("Possible harm to P@5")


def test_noise_in_the_thirteenth_decimal_is_on_the_limit() -> None:
    """A bound that differs from its limit by rounding alone is neither above nor below it."""
    for noise in (-4e-13, 4e-13):
        at_zero = primary(delta=0.01, lower95=noise, upper95=0.02)
        assert decide_from(at_zero, Policy()).rule == "U1"
        assert decide_from(primary(delta=0.005 + noise), Policy()).launch
    assert decide_from(primary(delta=0.01, lower95=2e-12, upper95=0.02), Policy()).launch


@pytest.mark.parametrize("found", [CLEAN, checks(common_queries=0), Evidence(votes=votes(60, 60, 50)), Evidence()])
def test_every_rule_answers_its_question(found: Evidence) -> None:
    """Comparable, enough, harmed or better, whether the rule passed, stopped or had nothing to say."""
    questions = {"C": "comparable", "S": "enough", "V": "enough", "H": "harmed"}
    safety = {"U3": "harmed", "U4": "harmed"}
    for check in decide_from(found, Policy()).checks:
        assert check.question == safety.get(check.rule, questions.get(check.rule[0], "better"))
