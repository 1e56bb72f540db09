"""The votes of three annotators on real answers, against an independent count of majorities, interval and agreement."""

import json
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

import rankdash as rd

pairs = pytest.mark.parametrize("pair", [("cerebras-gpt-6.7B", "opt-7b"), ("bloom-7b", "opt-7b")])


def _answers(folder: Path, pair: tuple[str, str]) -> dict[str, Any]:
    answers: dict[str, Any] = json.loads((folder / "oracle.json").read_text("utf-8"))["pairs"]["_".join(pair)]
    return answers


def _counts(said: dict[str, Any]) -> tuple[int, int, int]:
    return said["good_B_wins"], said["same"], said["bad_A_wins"]


@pytest.mark.parametrize("form", ["judgments_long.csv", "judgments_wide.csv"])
@pairs
def test_majorities_mean_and_agreement_are_the_oracles(form: str, pair: tuple[str, str], real_data: Path) -> None:
    """Both forms give the majorities, the mean of the votes and alpha to the oracle's printed digits."""
    folder = real_data / "gsb_pandalm"
    answers = _answers(folder, pair)
    said = rd.compare_votes(rd.read_votes(folder / form, pair=pair)).votes
    table = said.gsb
    assert (table.good, table.same, table.bad) == _counts(answers["strict_majority_else_same"])
    # Each annotator voted on each query, so that the mean of the queries' means is that of all votes.
    assert table.delta == pytest.approx(answers["all_votes_pooled"]["delta_GSB"], abs=5e-9)
    assert said.alpha == pytest.approx(answers["krippendorff_alpha_nominal"], abs=5e-7)


@pytest.mark.parametrize("annotator", [1, 2, 3])
@pairs
def test_one_annotator_has_the_oracles_counts(annotator: int, pair: tuple[str, str], real_data: Path) -> None:
    """The votes of one annotator, taken out of the long form, count as the oracle counts them."""
    folder = real_data / "gsb_pandalm"
    expected = _answers(folder, pair)["per_annotator"][f"annotator{annotator}"]
    rows = pd.read_csv(folder / "judgments_long.csv")
    said = rd.compare_votes(rd.read_votes(rows[rows["rater"] == f"annotator{annotator}"], pair=pair)).votes
    assert (said.gsb.good, said.gsb.same, said.gsb.bad) == _counts(expected)
    assert said.gsb.delta == pytest.approx(expected["delta_GSB"], abs=5e-9)


@pairs
def test_one_vote_for_each_query_has_tangos_interval(pair: tuple[str, str], real_data: Path) -> None:
    """The majorities, given as votes of one rater, have the interval of Tango that the oracle printed."""
    folder = real_data / "gsb_pandalm"
    expected = _answers(folder, pair)["strict_majority_else_same"]
    rows = pd.read_csv(folder / "judgments_long.csv")
    rows = rows[(rows["model_a"] == pair[0]) & (rows["model_b"] == pair[1])]
    spoken = rows.groupby("id")["verdict"].value_counts().unstack(fill_value=0)
    most = spoken.idxmax(axis=1).where(2 * spoken.max(axis=1) > spoken.sum(axis=1), "Same")
    votes = pd.DataFrame({"query_id": most.index, "verdict": most.to_numpy()})
    said = rd.compare_votes(rd.read_votes(votes)).votes
    assert (said.gsb.good, said.gsb.same, said.gsb.bad) == _counts(expected)
    assert said.gsb.delta == pytest.approx(expected["delta_GSB"], abs=5e-9)
    assert said.gsb.ci95 == pytest.approx(expected["ci95_tango_of_delta_GSB"], abs=5e-9)
