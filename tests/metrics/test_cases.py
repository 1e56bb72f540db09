"""Every case with an answer from another tool that a preset says it covers, to the precision of the case."""

import json
import math
from pathlib import Path
from typing import Any

import pytest

import rankdash as rd
from tests.made import judgments, run
from tests.peers.search_tools import FORMULAS

CASES = json.loads((Path(__file__).parents[1] / "cases" / "metric_cases.json").read_text("utf-8"))["cases"]
SCORED = [pytest.param(case, id=case["name"]) for case in CASES if case["qrels"] and case["covered_measures"]]
LISTS = [
    pytest.param(case, name, id=f"{case['name']}-{name}")
    for case in CASES
    if not case["qrels"]
    for name in case["covered_measures"]
]


def judged(case: dict[str, Any]) -> rd.Judgments:
    """The judgments of a case, those of subtopics where it has them."""
    if "subtopic_qrels" not in case:
        return judgments(case["qrels"])
    names = ("query_id", "subtopic", "doc_id", "relevance")
    return rd.read_judgments([dict(zip(names, row, strict=True)) for row in case["subtopic_qrels"]])


def own_values(case: dict[str, Any]) -> dict[str, dict[str, float]]:
    """Of each measure our value per query, NaN where undefined, and the mean over the defined ones as "all"."""
    asked = {name: rd.parse_measure(case["as"][name]).name for name in case["covered_measures"]}
    frame = rd.evaluate(run(case["run"]), judged(case), list(dict.fromkeys(asked.values())))
    found = {name: frame[frame["measure"] == measure] for name, measure in asked.items()}
    return {
        name: {**dict(zip(rows["query_id"], rows["value"], strict=True)), "all": rows["value"].mean()}
        for name, rows in found.items()
    }


@pytest.mark.parametrize("case", SCORED)
def test_presets_print_what_the_tool_prints(case: dict[str, Any]) -> None:
    """A measure under the preset of a tool equals that tool's number."""
    for name, ours in own_values(case).items():
        for query, expected in case["expected"][name].items():
            value = ours.get(query, math.nan)
            if expected is None:
                assert math.isnan(value), name
            else:
                assert value == pytest.approx(expected, abs=case["tol"], rel=0), name


@pytest.mark.parametrize(("case", "name"), LISTS)
def test_lists_compare_as_published(case: dict[str, Any], name: str) -> None:
    """Overlap, RBO and tau-b of two lists equal the published values."""
    first, second = case.get("lists", {}).get(name, ["A", "B"])
    frame = rd.similarity(run({"q": case["run"][first]}), run({"q": case["run"][second]}), [case["as"][name]])
    assert frame["value"].tolist() == pytest.approx([case["expected"][name]["A-B"]], abs=case["tol"])


@pytest.mark.parametrize("preset", [name for name in rd.PRESETS if name not in FORMULAS])
def test_every_preset_has_cases(preset: str) -> None:
    """No preset is claimed without a number of its tool behind it; those of search tools have their formulas."""
    assert any(case["as"][name].startswith(f"{preset}:") for case in CASES for name in case["covered_measures"])
