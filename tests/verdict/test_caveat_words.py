"""What each caveat says, letter for letter, and that it is silent exactly at its limit."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from rankdash.policy import Policy
from rankdash.verdict import CaveatInput, Evidence, Fragility, Outcome, Votes, caveats
from tests.made_evidence import CLEAN, primary, votes


def checks(**changes: Any) -> Evidence:
    """The clean win with other data checks."""
    assert CLEAN.data is not None
    return replace(CLEAN, data=replace(CLEAN.data, **changes))


def voted(found: Votes) -> Evidence:
    """The clean win with votes."""
    return replace(CLEAN, votes=found)


def fragile(n: int, turns_to: Outcome | None = Outcome.WORSE) -> CaveatInput:
    """A verdict that so many queries turn."""
    return CaveatInput(CLEAN, fragility=Fragility(n, tuple(f"q{i}" for i in range(n)), turns_to, 200))


PULL = {"n_side": 170.0, "left": 0.6, "side_effect_p": 0.014}
RIGHT = PULL | {"side_effect": -0.3, "side_lower95": -0.54, "side_upper95": -0.06}
LEFT = PULL | {"side_effect": 0.3, "side_lower95": 0.06, "side_upper95": 0.54}
FIXED = Policy(inference="fixed")
SIX = {"people": 6, "rater_lower95": -0.1, "rater_upper95": 1.2}
SKIPPED = Policy(convention="trec_eval-9")
TEN = "q0, q1, q2, q3, q4, q5, q6, q7, q8, q9"

#: Input, policy, caveat, and what it says; None: it is silent.
SAID: list[tuple[CaveatInput, Policy, str, str | None]] = [
    (fragile(1), Policy(), "fragile", "Without 1 query (q0) the answer is another: B is worse."),
    (fragile(10), Policy(), "fragile", f"Without 10 queries ({TEN}) the answer is another: B is worse."),
    (fragile(11), Policy(), "fragile", None),
    (replace(fragile(11), evidence=primary(n=1100)), Policy(), "fragile",
     f"Without 11 queries ({TEN} and 1 more) the answer is another: B is worse."),
    (replace(fragile(3), evidence=primary(n=40)), Policy(), "fragile",
     "Without 3 queries (q0, q1, q2) the answer is another: B is worse."),
    (replace(fragile(4), evidence=primary(n=40)), Policy(), "fragile", None),
    (CaveatInput(primary(lower95=0.0), johnson95=(0.001, 0.03)), Policy(), "skewed",
     "A few large differences on one side: corrected for skewness the interval is +0.001 to +0.030."),
    (CaveatInput(primary(lower95=-0.02, upper95=0.0), johnson95=(-0.03, -0.001)), Policy(), "skewed",
     "A few large differences on one side: corrected for skewness the interval is −0.030 to −0.001."),
    (CaveatInput(CLEAN, johnson95=(0.0, 0.03)), Policy(), "skewed",
     "A few large differences on one side: corrected for skewness the interval is 0.000 to +0.030."),
    (CaveatInput(primary(lower95=-0.3, upper95=0.9), johnson95=(-0.2, 0.8)), Policy(), "skewed", None),
    (CaveatInput(CLEAN, looks=40), Policy(), "looks",
     ("This verdict was looked at with 40 states of the data. Looking until it launches would launch up to 63.7% "
      "of models that are no better, one look 2.5%.")),
    (CaveatInput(CLEAN, looks=2), Policy(), "looks",
     ("This verdict was looked at with 2 states of the data. Looking until it launches would launch up to 4.9% of "
      "models that are no better, one look 2.5%.")),
    (CaveatInput(voted(votes(80, 30, 120))), Policy(), "majority",
     "Raters see it the other way: ΔGSB −17.4% (95% interval −28.9 to −5.4)."),
    (CaveatInput(replace(primary(delta=-0.01), votes=votes(120, 30, 80))), Policy(), "majority",
     "Raters see it the other way: ΔGSB +17.4% (95% interval +5.4 to +28.9)."),
    (CaveatInput(CLEAN, derived=((0.01, -0.2),)), Policy(), "majority", "B loses more queries but wins bigger."),
    (CaveatInput(CLEAN, derived=((0.01, 0.2), (0.0, -0.1))), Policy(), "majority",
     "Which model wins more queries depends on how small a difference counts as the same."),
    (CaveatInput(CLEAN, derived=((0.01, 0.0), (0.0, 0.1))), Policy(), "majority", None),
    (CaveatInput(primary(n=99)), Policy(), "small", ("With 99 queries, up to 3.0% of all queries may lose badly "
                                                     "without one showing here.")),
    (CaveatInput(primary(n=0)), Policy(), "small", None),
    (CaveatInput(primary(n=1)), Policy(), "small", ("With 1 query, up to 100.0% of all queries may lose badly "
                                                    "without one showing here.")),
    (CaveatInput(CLEAN, not_tuned=False), Policy(), "tuned",
     "The interval is too optimistic if B was tuned on these queries."),
    (CaveatInput(CLEAN, exploratory=1, cells=3), Policy(), "slices", ("3 comparisons; if nothing differed, about 0.2"
                                                                      " would look as if it did.")),
    (CaveatInput(CLEAN, cells=13), Policy(), "slices", ("13 comparisons; if nothing differed, about 0.7 would look "
                                                        "as if it did.")),
    (CaveatInput(checks(judged_a=0.9, judged_b=0.91)), Policy(), "unjudged", None),
    (CaveatInput(checks(judged_a=0.899, judged_b=0.9)), Policy(cutoff=5), "unjudged",
     "Of the top 5, 89.9% are judged in A, 90.0% in B."),
    (CaveatInput(checks(judged_a=0.95, judged_b=0.97), delta_condensed=0.02, delta_bounds=(-0.01, 0.03),
                 labels_from="B"), Policy(), "unjudged",
     ("Of the top 10, 95.0% are judged in A, 97.0% in B. Without the unjudged documents Δ is +0.020. With each "
     "of them at grade 0 or at the highest grade, Δ lies between −0.010 and +0.030. The labels come from B’s results "
     "only: what only A shows counts as not relevant, which favours B.")),
    (CaveatInput(checks(judged_a=None, judged_b=0.5)), Policy(), "unjudged", None),
    (CaveatInput(checks(missing_a=1, missing_b=0), delta_without_missing=0.02), Policy(), "missing",
     "1 judged query has no result in A, 0 in B; they count 0; left out, Δ is +0.020."),
    (CaveatInput(checks(missing_a=2, missing_b=1200), delta_without_missing=0.02), SKIPPED, "missing",
     "2 judged queries have no result in A, 1,200 in B; they are left out."),
    (CaveatInput(checks(missing_a=2), delta_without_missing=0.02), SKIPPED.changed(missing="empty"), "missing",
     "2 judged queries have no result in A (0.2%), 0 in B (0.0%); they count 0; left out, Δ is +0.020."),
    (CaveatInput(checks(missing_b=2), delta_without_missing=0.02), Policy(missing="skip"), "missing",
     "0 judged queries have no result in A, 2 in B; they are left out."),
    (CaveatInput(CLEAN, tie_bounds=(0.01, 0.02), tied_share=0.1), Policy(), "ties", None),
    (CaveatInput(CLEAN, tie_bounds=(0.01, 0.015), tied_share=0.101), Policy(cutoff=3), "ties",
     "Depending on the order of tied scores Δ lies between +0.010 and +0.015; 10.1% of the top 3 are tied."),
    (CaveatInput(CLEAN, tie_bounds=(0.009, 0.015)), Policy(), "ties",
     "Depending on the order of tied scores Δ lies between +0.009 and +0.015; 0.0% of the top 10 are tied."),
    (CaveatInput(CLEAN, tie_bounds=(0.015, 0.021)), Policy(), "ties",
     "Depending on the order of tied scores Δ lies between +0.015 and +0.021; 0.0% of the top 10 are tied."),
    (CaveatInput(primary(n_eff=500.0), delta_unweighted=0.0, largest_weight=0.05), Policy(), "weights", None),
    (CaveatInput(primary(n_eff=499.9), delta_unweighted=0.01, weight_segment="market “de”"), Policy(), "weights",
     ("Weighted, Δ is +0.015; unweighted +0.010; most of the difference between them comes from market “de”. "
      "1,000 queries are worth 499 equal ones.")),
    (CaveatInput(primary(n_eff=990.0), delta_unweighted=0.01, largest_weight=0.06), Policy(), "weights",
     ("Weighted, Δ is +0.015; unweighted +0.010. 1,000 queries are worth 990 equal ones; one query carries 6.0% of "
      "the weight.")),
    (CaveatInput(checks(queries_with_relevant=799)), Policy(), "no_relevant",
     "20.1% of the queries have no relevant document; they count 0."),
    (CaveatInput(checks(queries_with_relevant=800)), Policy(), "no_relevant", None),
    (CaveatInput(CLEAN, duplicates=2, not_finite=2, conflicts=1), Policy(), "dirt",
     "2 duplicate rows, 2 lists with scores that are not numbers, 1 conflicting judgment."),
    (CaveatInput(voted(replace(votes(3, 4, 5), lower95=-0.5, upper95=0.25))), Policy(), "votes_ignored",
     ("The votes are ignored. Only 8 of 12 queries were voted better or worse; 20 are needed. They would have said "
      "ΔGSB −16.7% (95% interval −50.0 to +25.0).")),
    (CaveatInput(voted(votes(90, 30, 60))), Policy(), "position",
     "Which side B stood on was not recorded: the pull of a side cannot be excluded."),
    (CaveatInput(voted(votes(90, 30, 60, left=0.5))), Policy(), "position", None),
    (CaveatInput(voted(votes(90, 30, 60, **RIGHT))), Policy(), "sides",
     "Standing on the right moves ΔGSB by +15.0 points (95% interval +3.0 to +27.0); it is averaged over both sides."),
    (CaveatInput(voted(votes(90, 30, 60, **LEFT))), Policy(), "sides",
     "Standing on the left moves ΔGSB by +15.0 points (95% interval +3.0 to +27.0); it is averaged over both sides."),
    (CaveatInput(voted(votes(90, 30, 60, **LEFT | {"side_effect_p": 0.05}))), Policy(), "sides", None),
    (CaveatInput(voted(votes(9, 3, 6, **LEFT))), Policy(), "sides", None),
    (CaveatInput(voted(votes(90, 30, 60))), Policy(), "raters",
     "Who voted was not recorded: this may be one person’s preference."),
    (CaveatInput(voted(votes(90, 30, 60, people=1))), Policy(), "raters", "This is one person’s preference."),
    (CaveatInput(voted(votes(90, 30, 60, **SIX | {"people": 4}))), Policy(), "raters",
     "This holds for the 4 raters who voted, not for raters in general."),
    (CaveatInput(voted(votes(90, 30, 60, **SIX))), Policy(), "raters",
     ("Counted by rater the interval is −10.0 to +100.0: what holds for these 6 raters is not proven for raters in "
      "general.")),
    (CaveatInput(voted(votes(90, 30, 60, **SIX | {"rater_lower95": 0.001}))), Policy(), "raters", None),
    (CaveatInput(voted(votes(9, 3, 6, people=1))), Policy(), "raters", None),
    (CaveatInput(voted(votes(90, 30, 60))), Policy(), "agreement", None),
    (CaveatInput(voted(votes(90, 30, 60, raters=2, alpha=0.2))), Policy(), "agreement",
     "Raters agree little (α = 0.20)."),
    (CaveatInput(voted(votes(90, 30, 60, raters=2, alpha=0.3999))), Policy(), "agreement",
     "Raters agree little (α = 0.3999)."),
    (CaveatInput(voted(votes(90, 30, 60, raters=2, alpha=0.1999))), Policy(), "agreement",
     "Raters agree little (α = 0.1999): ask for clearer instructions or more queries."),
    (CaveatInput(voted(votes(90, 30, 60, raters=2, alpha=0.4))), Policy(), "agreement", None),
    (CaveatInput(voted(votes(9, 3, 6, raters=2, alpha=0.1))), Policy(), "agreement", None),
    (CaveatInput(CLEAN, candidates=3), Policy(), "family",
     ("3 candidates were compared with this A. If none were better, up to 7.3% of such families would launch one.")),
    (CaveatInput(CLEAN, candidates=1), Policy(), "family", None),
    (CaveatInput(CLEAN, candidates=3, looks=3, fragility=fragile(1).fragility), FIXED, "family", None),
    (CaveatInput(CLEAN, looks=3), FIXED, "looks", None),
    (fragile(1), FIXED, "fragile", None),
    (CaveatInput(primary(n=12)), FIXED, "small", None),
    (CaveatInput(checks(repeated_texts=500)), FIXED, "repeated", None),
    (CaveatInput(CLEAN, johnson95=(-0.001, 0.03)), FIXED, "skewed", None),
    (CaveatInput(CLEAN), FIXED, "fixed", "This says nothing about other queries."),
    (CaveatInput(CLEAN), Policy(), "fixed", None),
    (CaveatInput(checks(repeated_texts=50)), Policy(), "repeated",
     ("50 of 1,000 queries share their text with another one, and count as if they were independent. A column "
      "cluster would say which belong together.")),
    (CaveatInput(checks(repeated_texts=49)), Policy(), "repeated", None),
    (CaveatInput(checks(repeated_texts=None)), Policy(), "repeated", None),
    (CaveatInput(replace(primary(clusters=900), data=checks(repeated_texts=500).data)), Policy(), "repeated", None),
    (CaveatInput(primary(n=299)), Policy(), "small",
     "With 299 queries, up to 1.0% of all queries may lose badly without one showing here."),
    (CaveatInput(primary(n=300)), Policy(), "small", None),
    (CaveatInput(primary(n=900, clusters=120, n_eff=110.9)), Policy(), "small",
     ("With 900 queries in 120 groups, worth 110 equal ones, up to 2.7% of all queries may lose badly without one "
      "showing here.")),
]  # fmt: skip


@pytest.mark.parametrize(("known", "policy", "caveat", "sentence"), SAID, ids=range(len(SAID)))
def test_a_caveat_says_what_it_found(known: CaveatInput, policy: Policy, caveat: str, sentence: str | None) -> None:
    """Shown from its limit on, with every number that it was given and no other."""
    told = {found.id: found.sentence for found in caveats(known, policy, Outcome.LAUNCH)}
    assert told.get(caveat) == sentence


@pytest.mark.parametrize("outcome", Outcome)
def test_only_a_decision_is_fragile(outcome: Outcome) -> None:
    """That a few queries turn it is told of a launch and of harm, not of what is open anyway."""
    told = {found.id for found in caveats(fragile(1), Policy(), outcome)}
    assert ("fragile" in told) == (outcome in (Outcome.LAUNCH, Outcome.WORSE))
