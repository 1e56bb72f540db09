"""The JSON of a comparison keeps to its published form, docs/report.schema.json, which says what every field is."""

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import jsonschema
import numpy as np
import pytest

import rankdash as rd
from rankdash.edits import Edit
from rankdash.report.json import SCHEMA, to_json
from rankdash.report.sections import Reported
from tests.made import judgments, run

FORM = json.loads((Path(__file__).parents[2] / "docs" / "report.schema.json").read_text("utf-8"))
CHECKER = jsonschema.Draft202012Validator(FORM)
POLICY = rd.Policy(primary="nDCG@2", guardrails=(("AP", 0.01),), watch=())
SEGMENTED = replace(POLICY, segments=("kind",), segment_n_min=5)
EDIT = Edit("q1", "a", "grade", None, None, 2.0)


def rows(random: np.random.Generator, n: int) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """Votes with raters and sides, and queries with weights, groups and a segment."""
    votes = [
        {"query_id": f"q{i}", "vote": str(random.choice(["good", "same", "bad"])), "rater": f"r{r}", "left": side}
        for i in range(n)
        for r, side in enumerate(random.permutation([*"AABBAB"]))
    ]
    queries = [
        {"query_id": f"q{i}", "weight": 1 + i % 3, "cluster": f"g{i % 7}", "kind": "ab"[i % 2]} for i in range(n)
    ]
    return votes, queries


ITEMS = [
    {"doc_id": doc, "category": kind, "date": "2026-10-01", "users": 3} for doc, kind in zip("abc", "xxy", strict=True)
]


def reports(n: int = 24) -> Iterator[dict[str, Any]]:
    """A bare comparison, one with everything, one that stands for itself, one without a difference, votes alone."""
    random = np.random.default_rng(4)
    a, b = (run({f"q{i}": list(random.permutation([*"abc"])) for i in range(n)}, name=name) for name in "AB")
    grades = judgments({f"q{i}": {doc: int(random.integers(0, 3)) for doc in "ab"} for i in range(n)})
    votes, queries = rows(random, n)
    given: list[dict[str, Any]] = [
        {},
        {"policy": SEGMENTED, "queries": queries, "votes": votes, "items": ITEMS, "experts": True},
        {"policy": rd.Policy(primary="P@2", inference="fixed", guardrails=(), watch=())},
    ]
    for more in given:
        found = rd.compare(a, b, grades, **({"policy": POLICY} | more))
        yield json.loads(to_json(Reported(found, rd.decide(found, looks=2, candidates=3), [EDIT])))
    same = rd.compare(a, a, grades, policy=POLICY)
    yield json.loads(to_json(Reported(same, rd.decide(same))))
    alone = rd.compare_votes(votes)
    yield json.loads(to_json(Reported(alone, rd.decide(alone))))


REPORTS = list(reports())


@pytest.mark.parametrize("told", REPORTS, ids=["bare", "whole", "fixed", "same", "votes"])
def test_a_report_keeps_to_the_published_form(told: dict[str, Any]) -> None:
    """No field is missing, none is there that the form does not name, and every value is of its kind."""
    assert [f"{problem.json_path}: {problem.message}" for problem in CHECKER.iter_errors(told)] == []
    assert FORM["properties"]["schema"]["const"] == told["schema"] == SCHEMA


def test_a_field_that_the_form_does_not_name_is_noticed() -> None:
    """A field more, or less, at any depth, is a problem: the test above can fail."""
    told = json.loads(json.dumps(REPORTS[1]))
    told["measures"][0]["new"] = 1
    del told["gsb"]["side"]["p"]
    assert len(list(CHECKER.iter_errors(told))) == 2
