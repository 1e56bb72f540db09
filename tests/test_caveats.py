"""What a reader is told beside the verdict."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from rankdash.policy import Policy
from rankdash.verdict import CaveatInput, Evidence, Outcome, caveats, decide_from, with_caveats
from tests.evidence.cases import CASES
from tests.made_evidence import data, evidence, votes

CLEAN = evidence(CASES["policy_cases"]["full"][0]["evidence"])
assert CLEAN.plain is not None
ORDER = [
    *"unjudged votes_ignored missing judgments few_queries weights majority tuned small no_relevant".split(),
    *"agreement dirt slices".split(),
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
        (known(favourites=("q1", "q7"), delta_without=-0.002), "few_queries", "(q1, q7) Δ is −0.002"),
        (known(bca95=(-0.001, 0.03)), "few_queries", "disagree about zero"),
        (known(primary(n_eff=990.0), delta_unweighted=-0.004), "weights", "unweighted −0.004"),
        (known(primary(n_eff=420.0), delta_unweighted=0.01), "weights", "1,000 queries count as 420"),
        (known(primary(n_eff=990.0), largest_weight=0.051), "weights", "5.1% of the weight"),
        (known(replace(CLEAN, votes=votes(80, 30, 120))), "majority", "By the votes B loses more queries but"),
        (known(primary(delta=-0.01), derived=((0.01, 0.2),)), "majority", "B wins more queries but loses bigger."),
        (known(derived=((0.01, 0.2), (0.05, -0.1))), "majority", "how small a difference counts as the same"),
        (known(not_tuned=False), "tuned", "tuned on these queries"),
        (known(primary(n=99)), "small", "Fewer than 100"),
        (known(checks(queries_with_relevant=790)), "no_relevant", "21.0% of the queries have no relevant document"),
        (known(replace(CLEAN, votes=votes(90, 30, 60))), "agreement", "One rater"),
        (known(replace(CLEAN, votes=votes(90, 30, 60, raters=3, alpha=0.3))), "agreement", "α 0.30, 3 raters"),
        (known(duplicates=4, tied=12), "dirt", "4 duplicate rows, 12 tied scores."),
        (known(exploratory=8), "slices", "8 comparisons; expect 0.4 false alarms."),
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
        (known(delta_without=0.004), "few_queries"),
        (known(bca95=(0.001, 0.03)), "few_queries"),
        (known(primary(n_eff=1000.0), delta_unweighted=0.015, largest_weight=0.001), "weights"),
        (known(derived=((0.01, 0.2), (0.0, 0.1), (0.05, 0.0))), "majority"),
        (known(primary(n=100)), "small"),
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
    found = replace(found, data=data(60, judged_b=0.5, missing_b=4, queries_with_relevant=30), votes=votes(9, 2, 3))
    return CaveatInput(
        found,
        judgments="?",
        delta_without=0.01,
        not_tuned=False,
        duplicates=1,
        exploratory=3,
        **more,
    )


def test_caveats_come_in_their_order() -> None:
    """With nothing recomputed the caveats stand in the order of the table."""
    assert list(told(everything())) == ORDER


def test_what_would_turn_the_outcome_comes_first() -> None:
    """A caveat whose other reading gives another outcome goes before all others, and says which."""
    others = {"weights": Outcome.WORSE, "missing": Outcome.LAUNCH, "few_queries": Outcome.NOT_PROVEN}
    found = caveats(everything(other_outcomes=others), Policy(), Outcome.LAUNCH)
    assert [caveat.id for caveat in found[:3]] == ["few_queries", "weights", "unjudged"]
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
    assert list(told(CaveatInput(Evidence(votes=votes(60, 20, 30))))) == ["agreement"]


def test_caveats_change_nothing_but_themselves() -> None:
    """A verdict with caveats is the same verdict."""
    verdict = decide_from(CLEAN, Policy())
    found = with_caveats(verdict, known(duplicates=3), Policy())
    assert [caveat.id for caveat in found.caveats] == ["dirt"]
    assert replace(found, caveats=()) == verdict
