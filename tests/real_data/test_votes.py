"""The votes of three annotators on real answers, against an independent count of majorities, interval and agreement."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import rankdash as rd


@pytest.mark.parametrize("form", ["judgments_long.csv", "judgments_wide.csv"])
@pytest.mark.parametrize("pair", [("cerebras-gpt-6.7B", "opt-7b"), ("bloom-7b", "opt-7b")])
def test_majorities_interval_and_agreement_are_the_oracles(form: str, pair: tuple[str, str], real_data: Path) -> None:
    """Both forms of the file give the counts, ΔGSB, its Tango interval and alpha to the oracle's printed digits."""
    folder = real_data / "gsb_pandalm"
    answers = json.loads((folder / "oracle.json").read_text("utf-8"))["pairs"]["_".join(pair)]
    expected = answers["strict_majority_else_same"]
    said = rd.compare_votes(rd.read_votes(folder / form, pair=pair)).votes
    table = said.gsb
    counts = (expected["good_B_wins"], expected["same"], expected["bad_A_wins"])
    assert (table.good, table.same, table.bad) == counts
    assert table.delta == pytest.approx(expected["delta_GSB"], abs=5e-9)
    assert table.ci95 == pytest.approx(expected["ci95_tango_of_delta_GSB"], abs=5e-9)
    assert said.alpha == pytest.approx(answers["krippendorff_alpha_nominal"], abs=5e-7)
    pooled = answers["all_votes_pooled"]
    assert (said.pooled.good, said.pooled.same, said.pooled.bad) == (
        pooled["good_B_wins"],
        pooled["same"],
        pooled["bad_A_wins"],
    )
