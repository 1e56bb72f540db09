"""The rows behind every finding: queries and documents that are missing, unjudged, doubled, tied or contradicted."""

from typing import Any

import pytest

import rankdash as rd
from rankdash.scoring.concerns import concerns
from tests.made import judgments, run

A = [
    ("q1", "d1", 3.0), ("q1", "d2", 2.0), ("q1", "d3", 2.0), ("q1", "d1", 1.0), ("q1", "d9", 0.5),
    ("q9", "d1", 1.0), ("q2", "d4", 1.0), ("q2", "d7", 0.5),
]  # fmt: skip
B = [
    ("q3", "d5", 2.0), ("q3", "d6", 2.0), ("q3", "d5", 2.0), ("q1", "d9", 7.0), ("q1", "d2", 6.0),
    ("q8", "d1", 1.0), ("q7", "d1", 1.0),
]  # fmt: skip
GRADES = [
    ("q1", "d1", 2), ("q1", "d2", 0), ("q1", "d1", 1), ("q2", "d4", 0), ("q3", "d5", 1), ("q3", "d5", 1),
    ("q3", "d5", 0.25),
]  # fmt: skip
ROWS: dict[str, tuple[tuple[str, ...], list[tuple[str, ...]]]] = {
    "missing": (("model", "query_id"), [("A", "q3"), ("B", "q2")]),
    "strange": (("model", "query_id"), [("A", "q9"), ("B", "q8"), ("B", "q7")]),
    "without_relevant": (("query_id",), [("q2",)]),
    "alike": (("query_id", "doc_id", "kept"), []),
    "unweighted": (("query_id",), [("q2",), ("q3",)]),
    "unjudged": (
        ("query_id", "doc_id", "rank_a", "rank_b"),
        [("q1", "d9", "4", "1"), ("q3", "d6", "", "1"), ("q1", "d3", "2", ""), ("q2", "d7", "2", "")],
    ),
    "conflicts": (
        ("query_id", "doc_id", "kept", "other"),
        [("q1", "d1", "2", "1"), ("q3", "d5", "1", "0.25")],
    ),
    "duplicates": (("model", "query_id", "doc_id"), [("A", "q1", "d1"), ("B", "q3", "d5")]),
    "ties": (
        ("model", "query_id", "doc_id", "rank", "score"),
        [
            ("A", "q1", "d3", "2", "2"), ("A", "q1", "d2", "3", "2"),
            ("B", "q3", "d6", "1", "2"), ("B", "q3", "d5", "2", "2"),
        ],
    ),
}  # fmt: skip


@pytest.fixture(scope="module")
def comparison() -> rd.Comparison:
    """Two runs and judgments with something wrong of every kind."""
    weights = rd.read_queries(b"query_id,weight\nq1,1\nq3,\n")
    return rd.compare(rd.read_run(A), rd.read_run(B), rd.read_judgments(GRADES), queries=weights, missing_weight=1)


def test_every_finding_names_its_rows(comparison: rd.Comparison) -> None:
    """Columns and rows of each, A's before B's, unjudged documents by the better of their ranks."""
    found = {one.name: one for one in concerns(comparison)}
    rows: dict[str, Any] = {
        name: (tuple(one.table.column_names), [tuple(row.values()) for row in one.table.to_pylist()])
        for name, one in found.items()
    }
    assert rows == ROWS
    assert list(found) == list(ROWS)
    assert {name: one.count for name, one in found.items()} == {name: len(rows) for name, (_, rows) in ROWS.items()}


def test_scores_that_are_equal_where_they_are_compared_are_listed_as_tied() -> None:
    """Under a convention that compares scores as float32, two that become one there are a tie, with their scores."""
    a = run({"q": [["d1", 1 + 1e-9], ["d2", 1.0], ["d3", 0.5]]})
    b = run({"q": [["d1", 3.0], ["d2", 2.0]]})
    for convention, expected in (("standard", []), ("trec_eval-9", ["d2", "d1"])):
        compared = rd.compare(a, b, judgments({"q": {"d1": 1}}), convention=convention)
        ties = next(one for one in concerns(compared) if one.name == "ties")
        assert [row["doc_id"] for row in ties.table.to_pylist()] == expected
