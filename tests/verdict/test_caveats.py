"""What a reader is told beside the verdict."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import is_dataclass, replace
from typing import Any

import pytest

from rankdash.policy import Policy
from rankdash.verdict import Caveat, Evidence, Fragility, Outcome
from rankdash.verdict.caveats import ROWS, CaveatInput, caveats, ordered
from tests.evidence.cases import CASES, of
from tests.made_evidence import data, evidence, votes

CLEAN = evidence(CASES["policy_cases"]["full"][0]["evidence"])
assert CLEAN.plain is not None
FEW = Fragility(2, ("q1", "q7"), Outcome.NOT_PROVEN, 20)
#: The right side pulls.
PULLED = {"n_side": 170.0, "left": 0.6, "side_effect": -0.3, "side_lower95": -0.54, "side_upper95": -0.06}
PULLED |= {"side_effect_p": 0.014}
#: Of the table, without what only usable votes can say.
ORDER = "unjudged votes_ignored missing judgments fragile ties looks family repeated weights majority small".split()
#: Six raters whose interval proves nothing, unlike that of the queries.
SIX = {"people": 6, "rater_lower95": -0.1, "rater_upper95": 1.2}


def told(known: CaveatInput, policy: Policy | None = None) -> dict[str, Mapping[str, Any]]:
    """What the caveats of a launch found, by name."""
    return {found.id: found.facts for found in caveats(known, policy or Policy(), Outcome.LAUNCH)}


def voted(*counts: int, **more: Any) -> CaveatInput:
    """The clean win beside votes."""
    return CaveatInput(replace(CLEAN, votes=votes(*counts, **more)))


def fragile(n: int, of: int = 1000) -> CaveatInput:
    """A verdict on so many queries that n of them turn."""
    return CaveatInput(primary(n=of), fragility=Fragility(n, tuple(f"q{i}" for i in range(n)), Outcome.WORSE, 200))


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


#: Input, caveat, and facts that it shows; None: it is silent.
SHOWN: list[tuple[CaveatInput, str, dict[str, Any] | None]] = [
    (known(turned=(("A", "rank", 0.98),)), "order", {"turned": (("A", "rank", 0.98),)}),
    (known(level=(("B", 30, 40),)), "order", {"level": (("B", 30, 40),)}),
    (known(), "order", None),
    (known(checks(judged_a=0.97, judged_b=0.89), delta_condensed=0.021), "unjudged",
     {"judged_a": 0.97, "judged_b": 0.89, "delta_condensed": 0.021, "k": 10}),
    (known(checks(judged_b=0.95), delta_bounds=(-0.01, 0.03)), "unjudged", {"bounds": (-0.01, 0.03)}),
    (known(checks(judged_b=0.95), labels_from="A"), "unjudged", {"labels_from": "A"}),
    (known(), "unjudged", None),
    (known(checks(judged_a=0.97, judged_b=0.96)), "unjudged", None),
    (known(checks(judged_a=None, judged_b=0.5)), "unjudged", None),
    (known(checks(kind="positive_only", judged_b=0.1)), "unjudged", None),
    (voted(3, 4, 5), "votes_ignored", {}),
    (voted(150, 10, 80), "votes_ignored", None),
    (known(checks(missing_b=3), delta_without_missing=0.014), "missing",
     {"missing_a": 0, "missing_b": 3, "left_out": False, "delta_without": 0.014}),
    (known(), "missing", None),
    (known(judgments="judged_or_logged"), "judgments", {"kind": "judged_or_logged"}),
    (known(fragility=FEW), "fragile", {"n": 2, "queries": ("q1", "q7"), "turns_to": Outcome.NOT_PROVEN}),
    (fragile(10), "fragile", {"n": 10}),
    (fragile(11), "fragile", None),
    (fragile(3, 40), "fragile", {"n": 3}),
    (fragile(4, 40), "fragile", None),
    (known(fragility=Fragility(None, (), None, 20)), "fragile", None),
    (known(tie_bounds=(0.009, 0.0201), tied_share=0.04), "ties", {"bounds": (0.009, 0.0201), "tied_share": 0.04}),
    (known(tie_bounds=(0.01, 0.02), tied_share=0.1), "ties", None),
    (known(looks=4), "looks", {"looks": 4}),
    (known(looks=1), "looks", None),
    (known(candidates=2), "family", {"candidates": 2}),
    (known(candidates=1), "family", None),
    (voted(90, 30, 60, **PULLED), "sides", {"side": "right", "moves": 0.15, "low": 0.03, "high": 0.27}),
    (voted(90, 30, 60, **PULLED | {"side_effect_p": 0.05}), "sides", None),
    (voted(90, 30, 60), "sides", {"side": None}),
    (voted(90, 30, 60, n_side=180.0, left=0.5), "sides", None),
    (voted(90, 30, 60), "raters", {"people": None, "few": True, "alpha": None}),
    (voted(90, 30, 60, people=1), "raters", {"people": 1, "few": True}),
    (voted(90, 30, 60, **SIX | {"people": 4}), "raters", {"people": 4, "few": True, "by_rater": None}),
    (voted(90, 30, 60, **SIX), "raters", {"people": 6, "few": False, "by_rater": (-0.1, 1.0)}),
    (voted(90, 30, 60, **SIX | {"rater_lower95": 0.001}), "raters", None),
    (voted(90, 30, 60, **SIX | {"rater_lower95": 0.001, "alpha": 0.3999}), "raters", {"few": False, "alpha": 0.3999}),
    (known(checks(repeated_texts=50)), "repeated", {"repeated": 50, "n": 1000}),
    (known(checks(repeated_texts=49)), "repeated", None),
    (known(replace(primary(clusters=900), data=checks(repeated_texts=500).data)), "repeated", None),
    (known(primary(n_eff=990.0), delta_unweighted=-0.004), "weights", {"delta": 0.015, "delta_unweighted": -0.004}),
    (known(primary(n_eff=499.9), delta_unweighted=0.01), "weights", {"n": 1000, "worth": 499, "largest": None}),
    (known(primary(n_eff=990.0), largest_weight=0.051), "weights", {"largest": 0.051}),
    (known(primary(n_eff=500.0), delta_unweighted=0.0, largest_weight=0.05), "weights", None),
    (voted(80, 30, 120), "majority", {"counts": None}),
    (voted(120, 30, 80), "majority", None),
    (known(primary(wins=34, losses=36)), "majority", {"delta": 0.015, "counts": (34, 36), "votes": None}),
    (known(primary(delta=-0.01, wins=6, losses=5)), "majority", {"delta": -0.01, "counts": (6, 5)}),
    (known(primary(delta=-0.01, wins=6, losses=40)), "majority", None),
    (known(primary(n=99)), "small", {}),
    (known(primary(n=100)), "small", None),
    (known(primary(n=900, clusters=120, n_eff=99.9)), "small", {}),
]  # fmt: skip


@pytest.mark.parametrize(("found", "caveat", "facts"), SHOWN, ids=range(len(SHOWN)))
def test_a_caveat_is_shown_exactly_for_its_reason(
    found: CaveatInput, caveat: str, facts: dict[str, Any] | None
) -> None:
    """Each caveat appears from its limit on, with the numbers that it was given."""
    shown = told(found).get(caveat)
    assert (shown is None) == (facts is None)
    for name, value in (facts or {}).items():
        assert shown is not None
        assert shown[name] == (pytest.approx(value) if isinstance(value, float) else value), name


#: A number as people read it.
_NUMBER = re.compile(r"[+−]?\d[\d,]*(?:\.\d+)?")


def numbers_in(value: Any) -> Iterator[float]:
    """Every number in the facts of a caveat, as it is, in percent, and what a chance of .025 comes to."""
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        yield from (value, 100 * value, 100 * (1 - 0.975**value) if 0 <= value < 1000 else value)
    elif isinstance(value, Mapping):
        for one in value.values():
            yield from numbers_in(one)
    elif isinstance(value, (tuple, list)):
        for one in value:
            yield from numbers_in(one)
    elif is_dataclass(value):
        yield from numbers_in(vars(value))


@pytest.mark.parametrize("found", [found for found, _, facts in SHOWN if facts is not None])
def test_each_number_of_a_caveat_is_one_of_its_facts(found: CaveatInput) -> None:
    """No sentence has a number that is not among its facts, rounded to the digits that are shown."""
    for caveat in caveats(found, Policy(), Outcome.LAUNCH):
        allowed = [*numbers_in(caveat.facts), 2.5, 95, 1]
        if "votes" in caveat.facts:  # the counts of the votes, and what a policy asks for
            allowed += [found.evidence.votes.n, found.evidence.votes.preferring] if found.evidence.votes else []
        said = re.sub(r"\bq\d+|[AB]’s", "", caveat.sentence)
        for text in _NUMBER.findall(said):
            shown, decimals = float(text.replace("−", "-").replace(",", "")), len(text.partition(".")[2])
            near = 0.51 * 10**-decimals
            assert any(abs(abs(shown) - abs(number)) <= near for number in allowed), (caveat.id, text)


def everything(**more: Any) -> CaveatInput:
    """An input to which every caveat applies."""
    found = primary(n=60, n_eff=20.0, delta=-0.01)
    raters = votes(9, 2, 3, alpha=0.3, **PULLED)  # too few to be used: what they say of sides stays silent
    checked = data(60, judged_b=0.5, missing_b=4, repeated_texts=9)
    found = replace(found, data=checked, votes=raters)
    return CaveatInput(
        found,
        judgments="threshold",
        fragility=FEW,
        tie_bounds=(-0.2, 0.1),
        looks=3,
        candidates=2,
        **more,
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
    assert found.facts["left_out"] == left_out
    assert ("3.0%" in found.sentence) == (policy.get("missing") == "empty")


@pytest.mark.parametrize("case", of("policy_cases", "caveat_cases"))
def test_caveats_are_chosen_as_in_the_reference(case: dict[str, Any]) -> None:
    """What comes first, and whether the order of tied scores is worth a caveat, are as in the reference."""
    if "found" in case:
        # Caveats that the reference knows and are now part of another one, or withdrawn.
        now = {row.id: row.id for row in ROWS} | {"position": "sides"}
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
