"""The rows behind the checks: which queries and documents are missing, unjudged, doubled, tied or contradicted."""

from __future__ import annotations

import csv
import io

import pytest

import rankdash as rd
from rankdash.report.tables import rows_csv
from rankdash.scoring import Concern, concerns
from tests.made import judgments, run

GRADES = {"q1": {"a": 1, "b": 0}, "q2": {"a": 0, "b": 0}, "q3": {"a": 1}}


def found(comparison: rd.Comparison) -> dict[str, Concern]:
    """The findings by name."""
    return {one.name: one for one in concerns(comparison)}


@pytest.fixture
def comparison() -> rd.Comparison:
    """Three judged queries: A lacks q3 and has q9, B holds a document twice and ties two, one is unjudged."""
    a = run({"q1": [["a", 3.0], ["b", 2.0]], "q2": [["a", 2.0], ["x", 1.0]], "q9": [["a", 1.0]]})
    b = run({"q1": [["b", 2.0], ["a", 2.0], ["b", 1.0]], "q2": [["b", 1.0]], "q3": [["a", 1.0]]})
    return rd.compare(a, b, judgments(GRADES))


def test_missing_and_unknown_queries_are_listed_by_model(comparison: rd.Comparison) -> None:
    """A judged query without a list and a query without judgments stand with the model that has them."""
    rows = found(comparison)
    assert rows["missing"].table.to_pylist() == [{"model": "A", "query_id": "q3"}]
    assert rows["strange"].table.to_pylist() == [{"model": "A", "query_id": "q9"}]
    assert rows["without_relevant"].table.to_pylist() == [{"query_id": "q2"}]


def test_unjudged_documents_have_their_ranks_in_both_lists(comparison: rd.Comparison) -> None:
    """A shown document without a judgment stands with its ranks, empty where a list does not show it."""
    rows = found(comparison)["unjudged"]
    assert rows.table.to_pylist() == [{"query_id": "q2", "doc_id": "x", "rank_a": "2", "rank_b": ""}]
    assert rows.count == comparison.counts.unjudged_shown


def test_doubled_and_tied_rows_are_listed(comparison: rd.Comparison) -> None:
    """A document that stands twice, and rows of equal score in ranked order."""
    rows = found(comparison)
    assert rows["duplicates"].table.to_pylist() == [{"model": "B", "query_id": "q1", "doc_id": "b"}]
    tied = [(row["model"], row["doc_id"], row["rank"], row["score"]) for row in rows["ties"].table.to_pylist()]
    assert tied == [("B", "b", "1", "2"), ("B", "a", "2", "2")]


def test_labels_that_are_all_alike_are_listed() -> None:
    """Every judged document where all have one grade; none where two differ."""
    runs = run({"q": ["a", "b"]}), run({"q": ["b", "a"]})
    rows = found(rd.compare(*runs, judgments({"q": {"a": 1, "b": 1}})))["alike"].table.to_pylist()
    assert rows == [{"query_id": "q", "doc_id": name, "kept": "1"} for name in "ab"]
    assert not found(rd.compare(*runs, judgments({"q": {"a": 1, "b": 0}})))["alike"].count


def test_judgments_that_contradict_themselves_are_listed_with_both_grades() -> None:
    """The grade that was kept and the other one, for every contradiction and for no repetition."""
    graded = rd.read_judgments(b"query_id,doc_id,relevance\nq,a,1\nq,a,2\nq,b,1\nq,b,1\nq,a,0\n")
    comparison = rd.compare(run({"q": ["a", "b"]}), run({"q": ["b", "a"]}), graded)
    rows = found(comparison)["conflicts"]
    assert rows.count == comparison.joined.pool.conflict_count == 2
    assert [(row["doc_id"], row["kept"], row["other"]) for row in rows.table.to_pylist()] == [
        ("a", "1", "2"),
        ("a", "1", "0"),
    ]


def test_a_clean_comparison_has_no_rows() -> None:
    """Where nothing is wrong every finding is there, and empty."""
    lists = {f"q{i}": ["a", "b"] for i in range(3)}
    turned = {f"q{i}": ["b", "a"] for i in range(3)}
    comparison = rd.compare(run(lists), run(turned), judgments({q: {"a": 1, "b": 0} for q in lists}))
    assert [(one.count, len(one.examples())) for one in concerns(comparison)] == [(0, 0)] * 9


def test_saved_rows_hold_no_formula() -> None:
    """An id that a spreadsheet would run gets an apostrophe in front; the others are as they are."""
    comparison = rd.compare(run({"q": ["=1+1", "a"]}), run({"q": ["a", "=1+1"]}), judgments({"q": {"a": 1}}))
    rows = list(csv.reader(io.StringIO(rows_csv(found(comparison)["unjudged"].table).decode())))
    assert rows == [["query_id", "doc_id", "rank_a", "rank_b", "disarmed"], ["q", "'=1+1", "1", "2", "yes"]]
