"""What a reader is told beside the verdict."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from rankdash.policy import Policy
from rankdash.verdict import (
    Caveat,
    CaveatInput,
    Evidence,
    Fragility,
    Outcome,
    caveats,
    decide_from,
    ordered,
    with_caveats,
)
from tests.evidence.cases import CASES, of
from tests.made_evidence import data, evidence, votes

CLEAN = evidence(CASES["policy_cases"]["full"][0]["evidence"])
assert CLEAN.plain is not None
FEW = Fragility(2, ("q1", "q7"), Outcome.NOT_PROVEN, 20)
#: The right side pulls.
PULLED = {"n_side": 170.0, "left": 0.6, "side_effect": -0.3, "side_lower95": -0.54, "side_upper95": -0.06}
PULLED |= {"side_effect_p": 0.014}
ORDER = [
    *"unjudged votes_ignored missing judgments fragile ties skewed looks family repeated weights majority".split(),
    *"tuned small no_relevant dirt slices".split(),
]


def told(known: CaveatInput, policy: Policy | None = None) -> dict[str, str]:
    """The caveats of a launch by name."""
    return {found.id: found.sentence for found in caveats(known, policy or Policy(), Outcome.LAUNCH)}


def known(evidence_: Evidence = CLEAN, **more: Any) -> CaveatInput:
    """Input for caveats, the clean win where nothing else is said."""
    return CaveatInput(evidence_, **more)


def primary(**changes: Any) -> Evidence:
    """The clean win with another primary result."""
    assert CLEAN.plain is not None
    return replace(CLEAN, plain=replace(CLEAN.plain, primary=replace(CLEAN.plain.primary, **changes)))


def checks(**changes: Any) -> Evidence:
    """The clean win with other data."""
    return replace(CLEAN, data=data(1000, **changes))


@pytest.mark.parametrize(
    ("found", "caveat", "words"),
    [
        (
            known(checks(judged_a=0.97, judged_b=0.89), delta_condensed=0.021),
            "unjudged",
            "97.0% are judged in A, 89.0%",
        ),
        (known(checks(judged_b=0.95), delta_bounds=(-0.01, 0.03)), "unjudged", "between −0.010 and +0.030"),
        (known(checks(judged_b=0.95), labels_from="A"), "unjudged", "labels come from A’s results only"),
        (known(replace(CLEAN, votes=votes(3, 4, 5))), "votes_ignored", "would have said ΔGSB −16.7%"),
        (
            known(checks(missing_b=3), delta_without_missing=0.014),
            "missing",
            "3 in B; they count 0; left out, Δ is +0.014",
        ),
        (known(judgments="Judged, or logged?"), "judgments", "Judged, or logged?"),
        (known(fragility=FEW), "fragile", "Without 2 queries (q1, q7) the answer is another: not proven yet."),
        (
            known(tie_bounds=(0.009, 0.0201), tied_share=0.04),
            "ties",
            "Δ lies between +0.009 and +0.020; 4.0% of the top 10 are tied.",
        ),
        (known(johnson95=(-0.001, 0.03)), "skewed", "corrected for skewness the interval is −0.001 to +0.030."),
        (known(bca95=(-0.002, 0.03)), "skewed", "the interval is −0.002 to +0.030."),
        (known(looks=4), "looks", "with 4 states of the data. Looking until it launches would launch up to 9.6%"),
        (known(candidates=2), "family", "2 candidates were compared with this A."),
        (
            known(replace(CLEAN, votes=votes(90, 30, 60, **PULLED))),
            "sides",
            "Standing on the right moves ΔGSB by +15.0 points (95% interval +3.0 to +27.0)",
        ),
        (known(primary(n_eff=990.0), delta_unweighted=-0.004), "weights", "unweighted −0.004"),
        (known(primary(n_eff=420.0), delta_unweighted=0.01), "weights", "1,000 queries are worth 420 equal ones"),
        (known(primary(n_eff=990.0), largest_weight=0.051), "weights", "5.1% of the weight"),
        (known(replace(CLEAN, votes=votes(80, 30, 120))), "majority", "Raters see it the other way: ΔGSB"),
        (known(primary(delta=-0.01), derived=((0.01, 0.2),)), "majority", "B wins more queries but loses bigger."),
        (known(derived=((0.01, 0.2), (0.05, -0.1))), "majority", "how small a difference counts as the same"),
        (known(not_tuned=False), "tuned", "tuned on these queries"),
        (known(primary(n=99)), "small", "With 99 queries, up to 3.0% of all queries"),
        (known(checks(queries_with_relevant=790)), "no_relevant", "21.0% of the queries have no relevant document"),
        (known(replace(CLEAN, votes=votes(90, 30, 60))), "raters", "Who voted was not recorded"),
        (known(replace(CLEAN, votes=votes(90, 30, 60, raters=3, alpha=0.3))), "agreement", "(α = 0.30)"),
        (known(duplicates=4), "dirt", "4 duplicate rows."),
        (known(exploratory=8), "slices", "8 comparisons; if nothing differed, about 0.4 would look as if it did."),
        (known(cells=13), "slices", "13 comparisons"),
    ],
)
def test_a_caveat_is_shown_for_its_reason(found: CaveatInput, caveat: str, words: str) -> None:
    """Each caveat appears where its condition holds, with the number that matters."""
    assert words in told(found)[caveat]


def test_results_that_came_back_empty_are_shown_as_a_rate() -> None:
    """Where the policy says that a missing query returned nothing, the share of them stands beside the count."""
    found = known(checks(missing_a=1, missing_b=30))
    assert "1 judged query has no result in A (0.1%), 30 in B (3.0%)" in told(found, Policy(missing="empty"))["missing"]
    assert "%" not in told(found)["missing"]


def test_counts_of_dirt_agree_with_their_nouns() -> None:
    """One of a kind is said in the singular."""
    assert told(known(duplicates=1, not_finite=1, conflicts=2))["dirt"] == (
        "1 duplicate row, 1 list with scores that are not numbers, 2 conflicting judgments."
    )


@pytest.mark.parametrize(
    ("found", "caveat"),
    [
        (known(), "unjudged"),
        (known(checks(judged_a=0.97, judged_b=0.96)), "unjudged"),
        (known(checks(kind="positive_only", judged_b=0.1)), "unjudged"),
        (known(replace(CLEAN, votes=votes(150, 10, 80))), "votes_ignored"),
        (known(), "missing"),
        (known(fragility=Fragility(11, ("q",) * 11, Outcome.NOT_PROVEN, 20)), "fragile"),
        (known(fragility=Fragility(None, (), None, 20)), "fragile"),
        (known(tie_bounds=(0.01, 0.02), tied_share=0.1), "ties"),
        (known(johnson95=(0.001, 0.03), bca95=(0.001, 0.03)), "skewed"),
        (known(looks=1), "looks"),
        (known(replace(CLEAN, votes=votes(3, 4, 5))), "position"),
        (known(replace(CLEAN, votes=votes(90, 30, 60, n_side=180.0, left=0.5))), "position"),
        (known(primary(n_eff=1000.0), delta_unweighted=0.015, largest_weight=0.001), "weights"),
        (known(derived=((0.01, 0.2), (0.0, 0.1), (0.05, 0.0))), "majority"),
        (known(primary(n=300)), "small"),
        (known(checks(queries_with_relevant=800)), "no_relevant"),
        (known(replace(CLEAN, votes=votes(90, 30, 60, raters=3, alpha=0.4))), "agreement"),
        (known(cells=12), "slices"),
    ],
)
def test_a_caveat_is_silent_without_its_reason(found: CaveatInput, caveat: str) -> None:
    """At its limit, or without its input, a caveat is not shown."""
    assert caveat not in told(found)


def everything(**more: Any) -> CaveatInput:
    """An input to which every caveat applies."""
    found = primary(n=60, n_eff=20.0, delta=-0.01)
    raters = votes(9, 2, 3, raters=2, alpha=0.3, **PULLED)  # too few to be used: what they say of sides stays silent
    checked = data(60, judged_b=0.5, missing_b=4, queries_with_relevant=30, repeated_texts=9)
    found = replace(found, data=checked, votes=raters)
    return CaveatInput(
        found,
        judgments="?",
        fragility=FEW,
        tie_bounds=(-0.2, 0.1),
        johnson95=(-0.01, 0.02),
        looks=3,
        candidates=2,
        derived=((0.01, 0.2),),
        not_tuned=False,
        duplicates=1,
        exploratory=3,
        **more,
    )


def test_caveats_come_in_their_order() -> None:
    """With nothing recomputed the caveats stand in the order of the table, those of votes where they can be used."""
    assert list(told(everything())) == ORDER
    usable = replace(everything().evidence, votes=votes(90, 30, 60, raters=2, people=2, alpha=0.3, **PULLED))
    of_votes = [name for name in told(replace(everything(), evidence=usable)) if name not in ORDER]
    assert of_votes == ["sides", "raters", "agreement"]
    many = CaveatInput(CLEAN, exploratory=20, not_tuned=False)
    assert list(told(many, Policy(inference="fixed"))) == ["fixed"]


def test_what_would_turn_the_outcome_comes_first() -> None:
    """A caveat whose other reading gives another outcome goes before all others, and says which."""
    others = {"weights": Outcome.WORSE, "missing": Outcome.LAUNCH, "fragile": Outcome.NOT_PROVEN}
    found = caveats(everything(other_outcomes=others), Policy(), Outcome.LAUNCH)
    assert [caveat.id for caveat in found[:3]] == ["fragile", "weights", "unjudged"]
    assert found[0].turns_to is Outcome.NOT_PROVEN
    assert len(found) == len(ORDER)


def test_missing_queries_say_what_they_count_as() -> None:
    """Where the policy leaves missing queries out, the caveat says so."""
    assert "they are left out" in told(known(checks(missing_a=2)), Policy(missing="skip"))["missing"]


def test_queries_without_a_relevant_document_say_what_they_count_as() -> None:
    """The convention's word for queries without a relevant document is told."""
    found = known(checks(queries_with_relevant=100))
    assert told(found)["no_relevant"].endswith("they count 0.")
    assert told(found, Policy(convention="lightgbm"))["no_relevant"].endswith("they count 1.")
    assert told(found, Policy(convention="gdeval"))["no_relevant"].endswith("they are left out.")


def test_votes_alone_have_few_caveats() -> None:
    """Without judgments only what concerns votes is told."""
    assert list(told(CaveatInput(Evidence(votes=votes(60, 20, 30))))) == ["position", "raters"]


def test_caveats_change_nothing_but_themselves() -> None:
    """A verdict with caveats is the same verdict."""
    verdict = decide_from(CLEAN, Policy())
    assert verdict.caveats == ()
    found = with_caveats(verdict, known(duplicates=3), Policy())
    assert [caveat.id for caveat in found.caveats] == ["dirt"]
    assert replace(found, caveats=()) == verdict


@pytest.mark.parametrize("case", of("policy_cases", "caveat_cases"))
def test_caveats_are_chosen_as_in_the_reference(case: dict[str, Any]) -> None:
    """What comes first, and whether the order of tied scores is worth a caveat, are as in the reference."""
    if "found" in case:
        found = [Caveat(one["id"], "", one["turns_to"], one["effect"]) for one in case["found"]]
        assert [caveat.id for caveat in ordered(found, case["outcome"])][: len(case["expected"])] == case["expected"]
        return
    low, high, delta, share, turns = case["ties"]
    others = {"ties": Outcome.NOT_PROVEN} if turns else {}
    said = told(known(primary(delta=delta), tie_bounds=(low, high), tied_share=share, other_outcomes=others))
    assert ("ties" in said) == case["expected"]


def test_the_effect_is_how_far_the_other_reading_moves() -> None:
    """A caveat carries the distance between the deciding difference and that of its other reading, where known."""
    found = caveats(known(checks(missing_b=3), other_deltas={"missing": 0.011}, duplicates=1), Policy(), Outcome.LAUNCH)
    effects = {caveat.id: caveat.effect for caveat in found}
    assert effects["missing"] == pytest.approx(0.004)
    assert effects["dirt"] is None
