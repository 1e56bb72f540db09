"""What a reader is told beside the verdict."""

import re
from dataclasses import replace
from typing import Any

import pytest

from rankdash.policy import Policy
from rankdash.verdict import Caveat, Evidence, Fragility, Outcome
from rankdash.verdict.caveats import ROWS, CaveatInput, caveats, ordered
from tests.evidence.cases import of
from tests.made_evidence import CLEAN, data, primary, votes

FEW = Fragility(2, ("q1", "q7"), Outcome.NOT_PROVEN, 20)
#: The right side pulls.
PULLED = {"n_side": 170.0, "left": 0.6, "side_effect": -0.3, "side_lower95": -0.54, "side_upper95": -0.06}
PULLED |= {"side_effect_p": 0.014}
#: Of the table, without what only usable votes can say.
ORDER = "unjudged votes_ignored missing judgments fragile ties looks family repeated weights majority small".split()
#: Six raters whose interval proves nothing, unlike that of the queries.
SIX = {"people": 6, "rater_lower95": -0.1, "rater_upper95": 1.2}


def told(known: CaveatInput, policy: Policy | None = None) -> dict[str, str]:
    """What the caveats of a launch say, by name."""
    return {found.id: found.sentence for found in caveats(known, policy or Policy(), Outcome.LAUNCH)}


def voted(*counts: int, **more: Any) -> CaveatInput:
    """The clean win beside votes."""
    return CaveatInput(replace(CLEAN, votes=votes(*counts, **more)))


def fragile(n: int, of: int = 1000) -> CaveatInput:
    """A verdict on so many queries that n of them turn."""
    return CaveatInput(primary(n=of), fragility=Fragility(n, tuple(f"q{i}" for i in range(n)), Outcome.WORSE, 200))


def known(evidence_: Evidence = CLEAN, **more: Any) -> CaveatInput:
    """Input for caveats, the clean win where nothing else is said."""
    return CaveatInput(evidence_, **more)


def checks(**changes: Any) -> Evidence:
    """The clean win with other data."""
    return replace(CLEAN, data=data(1000, **changes))


#: Input, caveat, and numbers and names that it shows; None: it is silent.
SHOWN: list[tuple[CaveatInput, str, str | None]] = [
    (known(turned=(("A", "rank", 0.98),)), "order", "A 98.0%"),
    (known(level=(("B", 30, 40),)), "order", "B 30 40"),
    (known(), "order", None),
    (known(checks(judged_a=0.97, judged_b=0.89), delta_condensed=0.021), "unjudged", "10 97.0% 89.0% +0.021"),
    (known(checks(judged_b=0.95), delta_bounds=(-0.01, 0.03)), "unjudged", "−0.010 +0.030"),
    (known(checks(judged_b=0.95), labels_from="A"), "unjudged", "A’s"),
    (known(), "unjudged", None),
    (known(checks(judged_a=0.97, judged_b=0.96)), "unjudged", None),
    (known(checks(judged_a=None, judged_b=0.5)), "unjudged", None),
    (known(checks(kind="positive_only", judged_b=0.1)), "unjudged", None),
    (voted(3, 4, 5), "votes_ignored", "8 12 20 −16.7%"),
    (voted(150, 10, 80), "votes_ignored", None),
    (voted(90, 30, 60, n_side=60.0, left=1.0), "votes_ignored", "nearly all votes that record it"),
    (known(checks(missing_b=3), delta_without_missing=0.014), "missing", "0 3 +0.014"),
    (known(), "missing", None),
    (known(judgments="judged_or_logged"), "judgments", ""),
    (known(fragility=FEW), "fragile", "2 q1 q7"),
    (fragile(10), "fragile", "10"),
    (fragile(11), "fragile", None),
    (fragile(3, 40), "fragile", "3"),
    (fragile(4, 40), "fragile", None),
    (known(fragility=Fragility(None, (), None, 20)), "fragile", None),
    (known(tie_bounds=(0.009, 0.0201), tied_share=0.04), "ties", "+0.009 +0.020 4.0% 10"),
    (known(tie_bounds=(0.01, 0.02), tied_share=0.1), "ties", None),
    (known(looks=4), "looks", "4 9.6% 2.5%"),
    (known(looks=1), "looks", None),
    (known(candidates=2), "family", "2 97.5%"),
    (known(candidates=1), "family", None),
    (voted(90, 30, 60, **PULLED), "sides", "right +15.0 +3.0 +27.0"),
    (voted(90, 30, 60, **PULLED | {"side_effect_p": 0.05}), "sides", None),
    (voted(90, 30, 60), "sides", ""),
    (voted(90, 30, 60, n_side=180.0, left=0.5), "sides", None),
    (voted(90, 30, 60), "raters", ""),
    (voted(90, 30, 60, people=1), "raters", "one"),
    (voted(90, 30, 60, **SIX | {"people": 4}), "raters", "4"),
    (voted(90, 30, 60, **SIX), "raters", "−10.0 +100.0 6"),
    (voted(90, 30, 60, **SIX | {"rater_lower95": 0.001}), "raters", None),
    (voted(65, 30, 60, people=6, rater_lower95=0.02, rater_upper95=0.1), "raters", "+2.0 +10.0 prefer B others"),
    (voted(90, 30, 60, **SIX | {"rater_lower95": 0.001, "alpha": 0.3999}), "raters", "0.3999"),
    (known(checks(repeated_texts=50)), "repeated", "50 1,000"),
    (known(checks(repeated_texts=49)), "repeated", None),
    (known(replace(primary(clusters=900), data=checks(repeated_texts=500).data)), "repeated", None),
    (known(primary(n_eff=990.0), delta_unweighted=-0.004), "weights", "+0.015 −0.004"),
    (known(primary(n_eff=499.9), delta_unweighted=0.01), "weights", "+0.015 +0.010"),
    (known(primary(n_eff=990.0), largest_weight=0.051), "weights", "5.1%"),
    (known(primary(n_eff=500.0), delta_unweighted=0.0, largest_weight=0.05), "weights", None),
    (voted(80, 30, 120), "majority", "−17.4%"),
    (voted(120, 30, 80), "majority", None),
    (known(primary(wins=34, losses=36)), "majority", "0.015 36 34"),
    (known(primary(delta=-0.01, wins=6, losses=5)), "majority", "0.010 6 5"),
    (known(primary(delta=-0.01, wins=6, losses=40)), "majority", None),
    (known(primary(n=99)), "small", "99"),
    (known(primary(n=100)), "small", None),
    (known(primary(n=900, clusters=120, n_eff=99.9)), "small", "900 120 99"),
]  # fmt: skip


@pytest.mark.parametrize(("found", "caveat", "numbers"), SHOWN, ids=range(len(SHOWN)))
def test_a_caveat_is_shown_exactly_for_its_reason(found: CaveatInput, caveat: str, numbers: str | None) -> None:
    """Each caveat appears from its limit on, with the numbers that it was given."""
    shown = told(found).get(caveat)
    assert (shown is None) == (numbers is None)
    assert set((numbers or "").split()) <= set(re.findall(r"[^\s(),;:.]+(?:[.,][^\s(),;:.]+)*", shown or "")), shown


def test_whose_weight_moves_the_difference_is_said_where_that_matters() -> None:
    """A difference with weights that is no further from the one without than what matters has no segment to name."""
    gaps = (known(primary(n_eff=9.0), delta_unweighted=without, weight_segment="head") for without in (0.011, 0.009))
    assert ["head" in told(gap)["weights"] for gap in gaps] == [False, True]


def everything(**more: Any) -> CaveatInput:
    """An input to which every caveat applies."""
    found = primary(n=60, n_eff=20.0, delta=-0.01)
    raters = votes(9, 2, 3, alpha=0.3, **PULLED)  # too few to be used: what they say of sides stays silent
    checked = data(60, judged_b=0.5, missing_b=4, repeated_texts=9)
    found = replace(found, data=checked, votes=raters)
    return CaveatInput(
        found, judgments="threshold", fragility=FEW, tie_bounds=(-0.2, 0.1), looks=3, candidates=2, **more
    )


def test_caveats_come_in_their_order() -> None:
    """With nothing recomputed the caveats stand in the order of the table, those of votes where they can be used."""
    assert list(told(everything())) == ORDER
    usable = replace(everything().evidence, votes=votes(90, 30, 60, people=2, alpha=0.3, **PULLED))
    of_votes = [name for name in told(replace(everything(), evidence=usable)) if name not in ORDER]
    assert of_votes == ["sides", "raters"]
    of_samples = {"fragile", "looks", "family", "repeated", "small"}
    assert list(told(everything(), Policy(inference="fixed"))) == [name for name in ORDER if name not in of_samples]


def test_what_would_turn_the_outcome_comes_first() -> None:
    """A caveat whose other reading gives another outcome goes before all others, and says which."""
    others = {"weights": Outcome.WORSE, "missing": Outcome.LAUNCH, "fragile": Outcome.NOT_PROVEN}
    found = caveats(everything(other_outcomes=others), Policy(), Outcome.LAUNCH)
    assert [caveat.id for caveat in found[:3]] == ["fragile", "weights", "unjudged"]
    assert found[0].turns_to is Outcome.NOT_PROVEN
    assert len(found) == len(ORDER)


@pytest.mark.parametrize(
    ("policy", "left_out"),
    [({}, False), ({"missing": "skip"}, True), ({"missing": "empty"}, False), ({"convention": "trec_eval-9"}, True),
     ({"convention": "trec_eval-9", "missing": "empty"}, False)],
)  # fmt: skip
def test_missing_queries_say_what_they_count_as(policy: dict[str, str], left_out: bool) -> None:
    """Where the policy or its convention leaves missing queries out, the caveat says so; empty lists are a rate."""
    (found,) = caveats(known(checks(missing_a=1, missing_b=30)), Policy(**policy), Outcome.WORSE)
    assert ("left out" in found.sentence) == left_out
    assert ("3.0%" in found.sentence) == (policy.get("missing") == "empty")


@pytest.mark.parametrize("case", of("policy_cases", "caveat_cases"))
def test_caveats_are_chosen_as_in_the_reference(case: dict[str, Any]) -> None:
    """What comes first, and whether the order of tied scores is worth a caveat, are as in the reference."""
    if "found" in case:
        # Caveats that the reference knows and are now part of another one, or withdrawn.
        now = {name: name for name in ROWS} | {"position": "sides"}
        found = [
            Caveat(now[one["id"]], "", one["turns_to"], one["effect"]) for one in case["found"] if one["id"] in now
        ]
        assert [caveat.id for caveat in ordered(found, case["outcome"])][:3] == [now[name] for name in case["expected"]]
        return
    low, high, delta, share, turns = case["ties"]
    others = {"ties": Outcome.NOT_PROVEN} if turns else {}
    said = told(known(primary(delta=delta), tie_bounds=(low, high), tied_share=share, other_outcomes=others))
    assert ("ties" in said) == case["expected"]


def test_the_effect_is_how_far_the_other_reading_moves() -> None:
    """A caveat carries the distance between the deciding difference and that of its other reading, where known."""
    found = caveats(
        known(checks(missing_b=3), other_deltas={"missing": 0.011}, judgments="threshold"), Policy(), Outcome.LAUNCH
    )
    effects = {caveat.id: caveat.effect for caveat in found}
    assert effects["missing"] == pytest.approx(0.004)
    assert effects["judgments"] is None
