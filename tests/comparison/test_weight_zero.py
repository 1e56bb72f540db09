"""Queries of weight 0: they are in no count, as if nobody had judged them."""

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

import pytest

import rankdash as rd
from rankdash.report.notes import query_numbers
from rankdash.scoring.concerns import concerns as rows_behind
from rankdash.verdict import evidence_of

DOCS = [f"d{i}" for i in range(12)]
LISTS: Mapping[str, Any] = {doc: -at for at, doc in enumerate(DOCS)}
TURNED: Mapping[str, Any] = {doc: at for at, doc in enumerate(DOCS)}
#: Facts about whole files.
OF_FILES = ("distinct_grades", "likeness", "same_file")
#: What the queries of weight 0 are like: judgments, A, B.
LIKE: dict[str, tuple[Mapping[str, float], Mapping[str, Any], Mapping[str, Any]]] = {
    "missing in A": ({"d0": 1}, {}, TURNED),
    "missing in B": ({"d0": 1}, LISTS, {}),
    "missing in both": ({"d0": 1}, {}, {}),
    "without a relevant document": ({"d0": 0}, LISTS, TURNED),
    "all that changed": ({"d0": 1, "d5": 2}, LISTS, TURNED),
}


@pytest.mark.parametrize("population", ["all", "affected"])
@pytest.mark.parametrize("like", LIKE)
def test_a_query_of_weight_0_is_in_no_count(like: str, population: str) -> None:
    """Data checks, numbers and statuses are those of the files without these queries."""
    grades, a, b = LIKE[like]
    counted = {f"q{i:02}": ({"d1": 1, "d2": i % 3}, LISTS, TURNED if i % 2 else LISTS) for i in range(40)}
    if like == "all that changed":
        counted = {query: (judged, LISTS, LISTS) for query, (judged, _, _) in counted.items()}
    weightless = {f"z{i}": (grades, a, b) for i in range(12)}
    policy = rd.Policy(population=population, segments=())
    found = []
    for rows in (counted, counted | weightless):
        judged, run_a, run_b = ({query: row[at] for query, row in rows.items() if row[at]} for at in range(3))
        weights = [{"query_id": query, "weight": float(query in counted)} for query in rows]
        comparison = rd.compare(
            rd.read_run(run_a),
            rd.read_run(run_b),
            rd.read_judgments(judged),
            policy=policy,
            queries=rd.read_queries(weights),
        )
        numbers = query_numbers(comparison)
        numbers.pop("weightless")
        concerns = {concern.name: concern.count for concern in rows_behind(comparison)}
        verdict = rd.decide(comparison)
        data = asdict(evidence_of(comparison).data)  # type: ignore[arg-type]
        seen = {name: value for name, value in data.items() if name not in OF_FILES}
        found.append(
            (
                seen,
                numbers,
                {name: concerns[name] for name in ("missing", "without_relevant")},
                {check.rule: check.status for check in verdict.checks if check.rule != "C7"},
            )
        )
    assert found[0] == found[1]
