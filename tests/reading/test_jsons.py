"""JSON and JSON Lines in the shapes that services and tools write."""

from __future__ import annotations

import json
from typing import Any

import pytest

from rankdash.reading import ReadError, read_judgments, read_models, read_queries, read_run, read_votes
from rankdash.reading.limits import Limits


def rows(table: Any, *names: str) -> list[tuple[Any, ...]]:
    """Some columns of a table."""
    return [tuple(row[name] for name in names) for row in table.table.to_pylist()]


def text(value: object) -> bytes:
    """A value as JSON."""
    return json.dumps(value, ensure_ascii=False).encode()


FLAT = [{"query_id": "q1", "doc_id": "a", "score": 2.5}, {"query_id": "q1", "doc_id": "b", "score": 1}]


@pytest.mark.parametrize(
    "value",
    [
        FLAT,
        {"results": FLAT},
        {"took": 3, "data": FLAT},
        {"q1": {"a": 2.5, "b": 1}},
        {"q1": [["a", 2.5], ["b", 1]]},
        {"q1": [{"doc_id": "a", "score": 2.5}, {"doc_id": "b", "score": 1}]},
        [{"query_id": "q1", "results": [{"doc_id": "a", "score": 2.5}, {"id": "b", "doc_id": "b", "score": 1}]}],
        [{"id": "q1", "hits": [{"_id": "a", "_score": 2.5}, {"_id": "b", "_score": 1}]}],
        {"queries": [{"qid": "q1", "docs": {"a": 2.5, "b": 1}}]},
        {"query_id": ["q1", "q1"], "doc_id": ["a", "b"], "score": [2.5, 1]},
        {"query_id": {"0": "q1", "1": "q1"}, "doc_id": {"0": "a", "1": "b"}, "score": {"0": 2.5, "1": 1}},
        {"columns": ["query_id", "doc_id", "score"], "index": [0, 1], "data": [["q1", "a", 2.5], ["q1", "b", 1]]},
        [["query_id", "doc_id", "score"], ["q1", "a", 2.5], ["q1", "b", 1]],
    ],
)
def test_many_shapes_are_a_run(value: object) -> None:
    """Flat and nested records, dicts of dicts, columns and lists of lists give the same run."""
    run = read_run(text(value))
    assert rows(run, "query_id", "doc_id", "score") == [("q1", "a", 2.5), ("q1", "b", 1)]


def test_json_lines_are_records() -> None:
    """One object per line, blank lines between them, is a table; problems name the line."""
    lines = b"\n\n".join(map(text, FLAT)) + b"\n"
    assert rows(read_run(lines), "doc_id", "score") == [("a", 2.5), ("b", 1)]
    with pytest.raises(ReadError, match='row 3, column "score": "high" is not a number'):
        read_run(lines.replace(b": 1}", b': "high"}'))
    with pytest.raises(ReadError, match="row 3: this line is no JSON"):
        read_run(lines.replace(b": 1}", b": 1"))
    assert read_run(lines.replace(b"\n\n", b"\r\n")).table.num_rows == 2


def test_lists_of_ids_are_in_their_order() -> None:
    """A list of ids is a ranked list."""
    assert rows(read_run(text({"q1": ["b", "a"]})), "doc_id") == [("b",), ("a",)]
    run = read_run(text([{"query_id": "q1", "docs": ["b", "a"]}]))
    assert rows(run, "doc_id", "rank") == [("b", 1), ("a", 2)]


def test_ids_stay_as_they_are_written() -> None:
    """Leading zeros, 19 and more digits, 1e5 and null as a word are ids."""
    ids = ["007", 12345678901234567890123, "1e5", "null"]
    run = read_run(text([{"query_id": "q", "doc_id": one, "rank": i} for i, one in enumerate(ids)]))
    assert rows(run, "doc_id") == [("007",), ("12345678901234567890123",), ("1e5",), ("null",)]
    with pytest.raises(ReadError, match="the document id is empty"):
        read_run(text([{"query_id": "q", "doc_id": None, "rank": 1}]))


def test_judgments_queries_and_votes_come_as_json_too() -> None:
    """Qrels as pytrec_eval has them, records with grades, queries and votes."""
    assert rows(read_judgments(text({"q": {"a": 1, "b": 0}})), "doc_id", "relevance") == [("a", 1), ("b", 0)]
    nested = [{"query_id": "q", "judgments": [{"doc": "a", "grade": "Exact"}]}]
    assert rows(read_judgments(text(nested)), "doc_id", "relevance") == [("a", 3)]
    assert rows(read_queries(text({"q": "red shoes"})), "query_id", "text") == [("q", "red shoes")]
    assert rows(read_queries(text([{"id": "q", "query": "red", "weight": 2}])), "query_id", "weight") == [("q", 2)]
    assert rows(read_votes(text([{"query_id": "q", "vote": "good"}])), "vote") == [("good",)]
    assert rows(read_votes(text({"q": {"r": "bad"}})), "rater", "vote") == [("r", "bad")]


def test_both_models_may_be_in_one_text() -> None:
    """{model: {query: …}}, and records with a list for A and one for B, are two runs."""
    by_name = read_models(text({"bm25": {"q": {"a": 1.5}}, "dense": {"q": {"b": 2}}}))
    assert [run.name for run in by_name.runs] == ["bm25", "dense"]
    sides = read_models(
        text([{"query_id": "q", "results_a": ["x", "y"], "results_b": [{"doc_id": "z", "relevance": 2}]}])
    )
    assert [(run.name, rows(run, "doc_id", "rank")) for run in sides.runs] == [
        ("A", [("x", 1), ("y", 2)]),
        ("B", [("z", 1)]),
    ]
    assert sides.judgments is not None
    with pytest.raises(ReadError, match='a record has 2 lists: "results_a", "results_b"'):
        read_run(text([{"query_id": "q", "results_a": ["x"], "results_b": ["y"]}]))


def test_a_name_that_occurs_twice_is_noted() -> None:
    """The first of two equal names counts, with a note."""
    run = read_run(b'{"q": {"a": 1.5, "a": 2}}')
    assert rows(run, "score") == [(1.5,)]
    assert run.source.notes[0] == "1 names occur twice in an object; the first of each counts."


@pytest.mark.parametrize(
    ("content", "what"),
    [
        (b'{"q": {"a": 1,}}', "row 1: the JSON text is damaged"),
        (b'[{"query_id": "q"', "row 1: the JSON text is damaged"),
        (b"[" * 100_000, "the JSON text cannot be read: it is nested too deeply"),
        (b'{"a":' * 100_000, "the JSON text cannot be read: it is nested too deeply"),
        (b"[]", "the JSON text holds an empty list"),
        (b"{}", "there is nothing in the JSON text"),
        (b"[1, 2]", "the items of the JSON list are no objects"),
        (b'{"q": 1}', '"q" is neither a list nor an object'),
        (b'[{"query_id": "q", "brand": "x"}]', "there is no column for the document id"),
        (b'[["a", "b"], ["c"]]', "the first of the JSON lists names no columns"),
        (b'[["query_id", "doc_id"], ["c"]]', "row 2: this list has not 2 items"),
    ],
)
def test_other_json_is_refused_in_one_sentence(content: bytes, what: str) -> None:
    """Damaged, too deep, empty and shapeless JSON is refused with what is wrong."""
    with pytest.raises(ReadError, match=what):
        read_run(content)


def test_json_has_a_limit_of_its_own() -> None:
    """A text that would take many times its size in memory is refused by its size."""
    with pytest.raises(ReadError, match=r"the JSON text has .* At most"):
        read_run(text(FLAT), limits=Limits(json=10))
