"""JSON and JSON Lines in the shapes that services and tools write."""

from __future__ import annotations

import json
from typing import Any

import pytest

from rankdash.reading import ReadError, read_judgments, read_models, read_queries, read_run, read_votes
from rankdash.reading.source import Limits
from tests.long import every


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


@pytest.mark.parametrize("form", ["array", "lines"])
def test_columns_stand_in_the_order_of_the_records(form: str) -> None:
    """Names keep the order in which records bring them, in every process: a table's digest is made of it."""
    names = ["query_id", *(f"column{i}" for i in range(12))]
    records = [dict.fromkeys(names, "x") | {"query_id": f"q{n}"} for n in range(3)]
    records[2]["late"] = "y"
    text = json.dumps(records) if form == "array" else "\n".join(map(json.dumps, records))
    assert read_queries(text.encode()).table.schema.names == [*names, "late"]


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
        (b"[" * 100_000, "the JSON text is nested too deeply"),
        (b'{"a":' * 100_000, "the JSON text is nested too deeply"),
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


def test_one_object_of_json_has_a_limit() -> None:
    """A list may be as long as it likes; a single object that would take many times its size in memory may not."""
    with pytest.raises(ReadError, match=r"a single value has more than .* At most 3 MB are read in one object"):
        read_run(b'[{"query_id": "' + b"x" * 6_000_000 + b'"}]', limits=Limits(line=3_000_000))


NESTED = [{"doc_id": "a", "score": 2.5}, {"doc_id": "b", "score": 1}]
HITS = {"took": 1, "hits": {"total": {"value": 2}, "hits": [{"_id": "a", "_score": 2.5}, {"_id": "b", "_score": 1}]}}


@pytest.mark.parametrize(
    "value",
    [
        [{"query_id": "q1", **HITS}],
        {"q1": HITS},
        {"responses": 1, "results": {"q1": NESTED}},
        {"0": FLAT[0], "1": FLAT[1]},
        {"schema": {"fields": []}, "data": FLAT},
        {"query_id": {"x": "q1", "y": "q1"}, "doc_id": {"x": "a", "y": "b"}, "score": {"x": 2.5, "y": 1}},
    ],
)
def test_what_search_engines_and_pandas_write_is_a_run(value: object) -> None:
    """Answers of Elasticsearch by query, and every orientation of pandas, give the same run."""
    assert rows(read_run(text(value)), "query_id", "doc_id", "score") == [("q1", "a", 2.5), ("q1", "b", 1)]


@pytest.mark.parametrize(
    "shape", every(4, ["wrapped", "dict", "hits", "columns", "indexed", "split", "lines", "models"])
)
def test_large_json_is_the_same_table_as_small_json(shape: str) -> None:
    """Beyond 2 MB a text is read member by member: the rows are those of the same text that is held whole."""
    flat = [
        {"query_id": f"q{i // 50}", "doc_id": f"d{i}", "score": str(i % 50), "title": "x" * 60} for i in range(30_000)
    ]
    by_query: dict[str, dict[str, str]] = {}
    for row in flat:
        by_query.setdefault(row["query_id"], {})[row["doc_id"] + "y" * 60] = row["score"]
    columns = {name: [row[name] for row in flat] for name in flat[0]}
    values: dict[str, Any] = {
        "wrapped": {"took": 3, "data": {"rows": flat}, "more": [1, {"a": 2}]},
        "dict": by_query,
        "hits": {
            "results": {
                q: {"hits": {"hits": [{"_id": d, "_score": s} for d, s in docs.items()]}}
                for q, docs in by_query.items()
            }
        },
        "columns": columns,
        "indexed": {name: dict(enumerate(cells)) for name, cells in columns.items()},
        "split": {
            "columns": list(columns),
            "index": list(range(30_000)) * 20,
            "data": [list(row.values()) for row in flat],
        },
        "models": {"m": by_query, "n": by_query},
    }
    content = b"\n".join(map(text, flat)) if shape == "lines" else text(values[shape])
    assert len(content) > 1 << 21
    if shape == "models":
        runs = read_models(content).runs
        assert [(run.name, run.table.num_rows) for run in runs] == [("m", 30_000), ("n", 30_000)]
        return
    run = read_run(content)
    assert [row["score"] for row in run.table.select(["score"]).to_pylist()] == [float(row["score"]) for row in flat]
    assert run.table.column("query_id").to_pylist() == columns["query_id"]
    assert [one[:6].rstrip("y") for one in run.table.column("doc_id").to_pylist()] == columns["doc_id"]


@pytest.mark.parametrize(
    ("content", "what"),
    [
        (
            b'[{"query_id": "q",\n "doc_id": "a",}]',
            r"row 2: the JSON text is damaged \(.*column 1\d\). JSON has double quotes",
        ),
        (b'// made today\n{"q": {"a": 1}}', "row 1"),
        (b'{"q": {"a": 1}} /* end */', "row 1: this line is no JSON"),
        (
            b'{"query_id": "q"}\n{"query_id": "q", "doc_id": "a" "rank": 1}',
            r"row 2: this line is no JSON \(Expecting ','",
        ),
        (
            b'{"A": {"q": {"a": 1}}, "B": {"q": {"a": 2}}}',
            'several members: "A", "B". Choose one with member=…. If they are the lists of two models',
        ),
        (b'{"query_id": ["q", "r"], "doc_id": ["a"]}', "has other rows than the first column"),
        (b'[{"query_id": "q", "doc_id": "a"}, 7]', "row 2: this is no object, as the others are"),
    ],
)
def test_damaged_json_is_refused_by_line_and_column(content: bytes, what: str) -> None:
    """Commas, comments and missing signs are told with line and column; lists of several models by their names."""
    with pytest.raises(ReadError, match=what):
        read_run(content)


def test_other_ways_to_write_json_are_read() -> None:
    """Objects without a line end between them, a byte order mark, UTF-16, NaN, half characters, names that differ."""
    flat = [{"query_id": "q", "doc_id": "a", "score": 2}, {"query_id": "q", "doc_id": "b", "title": "x"}]
    for content in (
        text(flat[0]) + text(flat[1]),
        b"\xef\xbb\xbf" + text(flat),
        json.dumps(flat).encode("utf-16"),
        text(flat).replace(b" 2", b" NaN"),
    ):
        assert rows(read_run(content, order="position"), "doc_id", "title") == [("a", ""), ("b", "x")]
    run = read_run(b'[{"query_id": "q", "doc_id": "\\ud800"}]')
    assert "1 text holds half a character; the replacement character stands there." in run.source.notes
