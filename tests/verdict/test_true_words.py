"""What the checklist says of a rule is true also where another rule decides."""

from __future__ import annotations

import random

import pytest

import rankdash as rd
from rankdash.report.sections import answers
from rankdash.verdict import Evidence, Verdict, Votes, decide_from
from tests.long import every
from tests.truth import made_cases
from tests.truth.scale import scaled
from tests.truth.test_verdict_twin import evidence


def sentences(verdict: Verdict) -> dict[str, str]:
    """What each rule says, by its name."""
    return {check.rule: check.sentence for check in verdict.checks}


def zero_in(low: float | None, high: float | None) -> bool:
    """Whether an interval holds 0."""
    return low is not None and high is not None and round(low, 12) <= 0 <= round(high, 12)


@pytest.mark.parametrize("seed", every(4, range(scaled(160))))
def test_no_row_says_what_the_interval_contradicts(seed: int) -> None:
    """Chance is blamed only where the interval holds 0, and a gain is called proven only where it lies above 0."""
    case = made_cases.case(seed)
    policy = rd.Policy.from_dict(case["policy"])
    verdict = decide_from(evidence(case["evidence"]), policy)
    said, primary = sentences(verdict), case["evidence"]["plain"]["primary"]
    low, high = (primary["delta"] if end is None else end for end in (primary["lower95"], primary["upper95"]))
    assert "chance alone" not in said["U1"] or zero_in(low, high)
    assert "A gain is proven" not in said["U2"] or low > 0
    for answer in answers(verdict):
        assert answer.sentence != "B changes something."
    if policy.inference == "fixed":
        assert not any("equal one" in text or " group" in text for text in said.values())
    if not policy.mpe:
        assert "needs ≥ 0.000" not in verdict.would_change


@pytest.mark.parametrize("seed", every(4, range(scaled(120))))
def test_no_row_about_votes_says_what_the_interval_contradicts(seed: int) -> None:
    """That no preference is proven is said only where the interval holds 0, that B is preferred only above it."""
    dice = random.Random(seed)
    given, votes = made_cases.votes_policy(dice), made_cases.votes(dice)
    if votes is None:
        return
    said = sentences(decide_from(Evidence(votes=Votes(**votes)), rd.Policy.from_dict(given)))
    assert "No preference" not in said["U1"] or zero_in(votes["lower95"], votes["upper95"])
    assert "Raters prefer B" not in said["U2"] or votes["lower95"] > 0


def test_a_proven_loss_is_a_number_without_a_sign() -> None:
    """A loss that is proven and inside its limit is told as a loss of so much, not of minus so much."""
    policy = rd.Policy(intent="do_no_harm", guardrails=(), watch=())
    given = {"n": 400, "changed": 200, "wins": 80, "losses": 120, "delta": -0.004, "lower95": -0.006}
    primary = rd.verdict.Primary(**given, upper95=-0.002, lower90=-0.005, upper90=-0.003)  # type: ignore[arg-type]
    data = rd.verdict.DataChecks(400, 400, 0, 0, 400, 3, 0, False, "judged", 1.0, 1.0)
    verdict = decide_from(Evidence(data=data, plain=rd.verdict.Reading(primary)), policy)
    assert verdict.notes == ("A loss of 0.004 is proven, but it is inside the limit of 0.020.",)
