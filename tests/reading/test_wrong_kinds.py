"""Tables that are given as the wrong kind are refused, whatever tool wrote them."""

from __future__ import annotations

import io
import json
from collections.abc import Callable
from typing import Any

import pandas as pd
import pytest

import rankdash as rd
from rankdash.reading import ReadError, read_judgments, read_queries, read_run

QUERIES = [
    {"query_id": 1, "query_text": "tv", "ratings": {"d1": 3}},
    {"query_id": 2, "query_text": "fm", "ratings": {}},
]
SNAPSHOT = {"id": 7, "name": "s", "time": "2026-05-01T00:00:00Z", "scores": [], "queries": QUERIES}
SNAPSHOT |= {
    "docs": {"1": [{"id": "d1", "position": 1}, {"id": "d2", "position": 2}], "2": [{"id": "d3", "position": 1}]}
}
PAIR = {"query_text": "tv", "doc_id": "d1", "position": 1, "judgements": [{"rating": 3.0, "user_email": "a@b.c"}]}
RUN = {"q1": {"d1": 1.5, "d2": 0.3}, "q2": {"d3": 0.9}}
GRADES = {"q1": {"d1": 1, "d2": 2}, "q2": {"d3": 1}}


def parquet(numbers: dict[str, dict[str, float]]) -> bytes:
    """Numbers as ranx writes them to Parquet."""
    rows = [(query, doc, number) for query, docs in numbers.items() for doc, number in docs.items()]
    out = io.BytesIO()
    pd.DataFrame(rows, columns=["q_id", "doc_id", "score"]).to_parquet(out)
    return out.getvalue()


#: Files of lists and judgments, as tools write them.
FILES: dict[str, bytes] = {
    "detailed export": b"Team Name,Case Name,Case ID,Query Text,Doc ID,Doc Position,Rating,title\n"
    b"T,C,1,tv,d1,1,3,x\nT,C,1,fm,d3,1,1,z\n",
    "basic export": b"Team Name,Case Name,Case ID,Query Text,Doc ID,Rating\nT,C,1,tv,d1,3\nT,C,1,fm,d3,1\n",
    "snapshot": json.dumps(SNAPSHOT).encode(),
    "snapshot, CSV": b"Snapshot Name,Snapshot Time,Case ID,Query Text,Doc ID,Doc Position\ns,2026-05-01,1,tv,d1,1\n",
    "book": json.dumps({"name": "b", "book_id": 1, "query_doc_pairs": [PAIR, {**PAIR, "doc_id": "d2"}]}).encode(),
    "book, CSV": b"query,docid,a@example.com,b@example.com\ntv,d1,3,2\ntv,d2,,1\n",
    "book, CSV, one rater": b"query,docid,Jane Doe\ntv,d1,3\ntv,d2,0\n",
    "ranx run": json.dumps(RUN).encode(),
    "ranx grades": json.dumps(GRADES).encode(),
    "ranx run, Parquet": parquet(RUN),
    "ranx grades, Parquet": parquet(GRADES),
    "TREC run": b"q1 Q0 d1 1 2.5 x\nq1 Q0 d2 2 1.5 x\n",
    "qrels": b"q1 0 d1 1\nq1 0 d2 0\n",
}


@pytest.mark.parametrize("source", [*FILES.values(), RUN, GRADES], ids=[*FILES, "dict of scores", "dict of grades"])
def test_lists_and_judgments_are_no_queries(source: Any) -> None:
    """Every file of documents that is given as the queries is refused, in one sentence, and is read as what it is."""
    with pytest.raises(ReadError):
        read_queries(source)
    readings = []
    for read in (read_run, read_judgments):
        try:
            readings.append(read(source))
        except ReadError:
            continue
    assert readings


@pytest.mark.parametrize("name", [name for name in FILES if name.startswith("book")])
def test_a_book_is_no_run(name: str) -> None:
    """Grades of raters have no order: as a run they are refused, as judgments they are read."""
    with pytest.raises(ReadError):
        read_run(FILES[name])
    assert len(read_judgments(FILES[name]).table)


def test_columns_beside_documents_that_are_no_grades_leave_a_run() -> None:
    """A query, a document and a word about it, in the order of the rows, is a run."""
    assert len(read_run(b"query,docid,brand\ntv,d1,sony\ntv,d2,lg\n").table) == 2


def lists(order: int) -> dict[str, list[str]]:
    """Ids of documents in an order, by query."""
    return {f"q{q}": [f"d{j}" for j in range(4)][::order] for q in range(3)}


@pytest.mark.parametrize("grades", [(0, 1, 2, 1), (1, 1, 1, 1), (1, 0, 0, 1)])
@pytest.mark.parametrize(
    "call", [rd.compare, lambda q, a, b: rd.compare(a, q, b), lambda q, a, _: rd.evaluate(q, a, ["AP"])]
)
def test_judgments_that_are_given_in_the_place_of_lists_are_asked_about(
    call: Callable[..., object], grades: tuple[int, ...]
) -> None:
    """Judgments first, and lists of ids for a run and for the judgments: refused, and never computed."""
    judgments = {f"q{q}": {f"d{j}": grade for j, grade in enumerate(grades)} for q in range(3)}
    with pytest.raises(ReadError):
        call(judgments, lists(1), lists(-1))
