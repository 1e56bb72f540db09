"""JSON and values of Python: the same rows in every plain form, and one sentence for anything else."""

import itertools
import json
import uuid
from collections import namedtuple
from collections.abc import Callable
from decimal import Decimal
from types import SimpleNamespace
from typing import Any

import numpy as np
import pandas as pd
import pytest

import rankdash as rd
from rankdash.reading import (
    Limits,
    ReadError,
    read_items,
    read_judgments,
    read_models,
    read_queries,
    read_run,
    read_votes,
)
from rankdash.reading.recognition import recognise
from tests.reading.made_files import rows
from tests.reading.test_tools import refusal

Scored = namedtuple("Scored", "docno query_id score")
FLAT = [{"query_id": "q1", "doc_id": "a", "score": 2.5}, {"query_id": "q1", "doc_id": "b", "score": 1}]
RUN, QRELS = {"q": {"a": 1.5, "b": 2.5}}, {"q": {"a": 1, "b": 0}}


def text(value: object) -> bytes:
    """A value as JSON."""
    return json.dumps(value, ensure_ascii=False).encode()


def lines(values: list[Any]) -> bytes:
    """Values as JSON, one a line."""
    return b"\n".join(map(text, values)) + b"\n"


SHAPES: dict[str, Any] = {
    "records": FLAT,
    "documents with scores": {"q1": {"a": 2.5, "b": 1}},
    "pairs": {"q1": [["a", 2.5], ["b", 1]]},
    "documents as records": {"q1": [{"doc_id": "a", "score": 2.5, "text": "x"}, {"doc_id": "b", "score": 1}]},
    "lists below names": [["query_id", "doc_id", "score"], ["q1", "a", 2.5], ["q1", "b", 1]],
    "lists": [["q1", "a", 2.5], ["q1", "b", 1]],
}


@pytest.mark.parametrize("name", SHAPES)
def test_every_plain_form_is_the_same_run(name: str) -> None:
    """In a file, with a mark or in UTF-16, and in memory."""
    value = SHAPES[name]
    expected = [("q1", "a", 2.5), ("q1", "b", 1)]
    for source in (text(value), b"\xef\xbb\xbf" + text(value), json.dumps(value).encode("utf-16"), value):
        assert rows(run := read_run(source), "query_id", "doc_id", "score") == expected
        assert "query_text" not in run.table.column_names  # a text beside a document is of the document
    assert recognise(text(value)).kind == "run"


@pytest.mark.parametrize("documents", [{"a": 2.5, "b": 1}, [["a", 2.5], ["b", 1]], [{"id": "a"}, {"id": "b"}], ["a"]])
def test_a_query_a_line_is_one_object(documents: Any) -> None:
    """Lines and lists of {query: …} are read as one object with all queries; a query that comes again is refused."""
    whole = read_run({"q1": documents, "q2": documents})
    every = [{"q1": documents}, {"q2": documents}]
    assert [read_run(source).table for source in (lines(every), text(every), every)] == [whole.table] * 3
    assert recognise(lines(every)).kind == recognise(text({"q1": documents, "q2": documents})).kind
    assert refusal(lines([*every, every[0]])) == "malformed"


def test_lines_tuples_and_iterators_are_records() -> None:
    """One object a line, blank lines between them, or none; named tuples, tuples, an iterator of dicts."""
    tuples = [tuple(row.values()) for row in FLAT]
    for source in (
        lines(FLAT), lines(FLAT).replace(b"\n", b"\r\n\r\n"), tuples, iter(FLAT), (row for row in tuples),
        [Scored(row["doc_id"], row["query_id"], row["score"]) for row in FLAT],
        np.array(tuples, object), np.array(tuples, [("query_id", "U4"), ("doc_id", "U4"), ("score", "f8")]),
    ):  # fmt: skip
        assert rows(read_run(source), "query_id", "doc_id", "score") == [("q1", "a", 2.5), ("q1", "b", 1)]
    with pytest.raises(ReadError) as error:
        read_run(lines(FLAT).replace(b": 1}", b': "high"}').replace(b"\n", b"\n\n"))
    assert [(problem.row, problem.column) for problem in error.value.problems] == [(2, "score")]


def test_lists_of_ids_are_in_their_order() -> None:
    """A list of ids is a ranked list, also as an array; a number that is there is the score."""
    for own in (["b", "a"], ("b", "a"), np.array(["b", "a"])):
        assert rows(read_run({"q1": own}), "doc_id") == [("b",), ("a",)]
    run = read_run({"q": [{"id": "b"}, {"id": "a"}]})
    assert rows(run, "doc_id", "rank") == [("b", 1), ("a", 2)]


def test_a_set_of_documents_is_golden_and_no_list() -> None:
    """{query: {document}} are judgments of grade 1; as a run it is refused, for a set has no order."""
    golden = read_judgments({"q1": {"b", "a"}, "q2": frozenset({"a"})})
    assert rows(golden, "query_id", "doc_id", "relevance") == [("q1", "a", 1), ("q1", "b", 1), ("q2", "a", 1)]
    assert "one_grade" in {note.code for note in golden.source.notes}
    assert refusal({"q1": {"b", "a"}}) == "malformed"


def test_judgments_queries_votes_and_models_come_as_json_too() -> None:
    """Qrels, records with grades, queries, votes, and {model: {query: …}}."""
    for judgments in (QRELS, {"q": [["a", 1], ["b", 0]]}, {"q": [{"doc": "a", "grade": 1}, {"doc": "b", "grade": 0}]}):
        assert rows(read_judgments(text(judgments)), "doc_id", "relevance") == [("a", 1), ("b", 0)]
    assert rows(read_queries(text({"q": "red shoes"})), "query_id", "text") == [("q", "red shoes")]
    assert rows(read_queries({"q": 2}), "query_id", "weight") == [("q", 2)]
    assert rows(read_queries(text([{"id": "q", "query": "red", "weight": 2}])), "query_id", "weight") == [("q", 2)]
    for record in ({"qid": "1", "query": "laptop"}, {"id": "1", "question": "laptop"}):  # a line is a query
        assert rows(read_queries(text(record)), "query_id", "text") == [("1", "laptop")]
    assert rows(read_votes(text([{"query_id": "q", "vote": "good"}])), "vote") == [("good",)]
    for read, facts in (
        (read_queries, {"q": {"text": "x"}}),
        (read_votes, {"q": {"r": "bad"}}),
        (read_votes, {"q": ["bad"]}),
    ):
        with pytest.raises(ReadError):
            read(facts)
    models = read_models(text({"bm25": {"q": {"a": 1.5}}, "dense": {"q": {"b": 2}}}))
    assert [(run.name, rows(run, "doc_id")) for run in models.runs] == [("bm25", [("a",)]), ("dense", [("b",)])]


def test_columns_stand_in_the_order_of_the_records() -> None:
    """Names keep the order in which records bring them, in every process: a table's digest is made of it."""
    names = ["query_id", *(f"column{i}" for i in range(12))]
    records = [dict.fromkeys(names, "x") | {"query_id": f"q{n}"} for n in range(3)]
    records[2]["late"] = "y"
    for source in (text(records), lines(records), records):
        assert read_queries(source).table.schema.names == [*names, "late"]


@pytest.mark.parametrize(
    ("value", "id_"), [(7, "7"), (np.int64(7), "7"), (7.0, "7"), (np.str_("x"), "x"), ("007", "007")]
)
def test_whole_numbers_and_texts_of_any_type_are_ids(value: Any, id_: str) -> None:
    """Of documents and of queries, in every form; leading zeros and long numbers stay."""
    for source in (
        {value: {value: 1.0}}, {value: [[value, 1.0]]}, {value: [value]}, {value: [{"doc_id": value, "score": 1.0}]},
        [{"query_id": value, "doc_id": value}, {"query_id": "other", "doc_id": "other"}], [(value, value, 1.0)],
    ):  # fmt: skip
        assert rows(read_run(source), "query_id", "doc_id")[0] == (id_, id_)
    ids = [12345678901234567890123, "1e5", "null"]
    run = read_run(text([{"query_id": "q", "doc_id": one, "rank": i} for i, one in enumerate(ids)]))
    assert rows(run, "doc_id") == [(str(one),) for one in ids]


class Raising:
    """An object whose getters raise, and which must not be asked to show itself."""

    @property
    def doc_id(self) -> str:
        """Raises what it likes."""
        raise RuntimeError("no connection")

    def __str__(self) -> str:
        raise AssertionError("an object was turned into text")

    __repr__ = __str__


ODD = [True, 7.5, object(), uuid.uuid4(), Raising(), Decimal("1.5"), b"\xff", {"a": 1}.keys()]


@pytest.mark.parametrize("value", ODD, ids=lambda value: type(value).__name__)
def test_what_is_no_id_is_refused_and_never_turned_into_text(value: Any) -> None:
    """Objects, truths, numbers with decimals, bytes: in every form of a dict, in records and in frames."""
    sources: list[Any] = [{"q": [value]}, {"q": [[value, 1.0]]}, {"q": [{"doc_id": value, "score": 1.0}]}]
    for other in (value, "b"):
        sources += [[{"query_id": "q", "doc_id": one, "score": 1.0} for one in (value, other)]]
        sources += [[{"doc_id": "d", "query_id": one, "score": 1.0} for one in (value, other)]]
    if value.__hash__ is not None and not isinstance(value, Raising):
        sources += [{"q": {value: 1.0}}, {value: {"d": 1.0}}]
    for source in sources:
        assert refusal(source)
        assert refusal(source, "judgments")
    frame = pd.DataFrame({"query_id": ["q", "q"], "doc_id": pd.Series([value, "b"], dtype=object), "score": [1.0, 2.0]})
    assert refusal(frame) if not isinstance(value, Decimal) else True


@pytest.mark.parametrize(
    ("documents", "code"),
    [
        ([SimpleNamespace(id="a")], "bad_value"),
        ([float("nan")], "missing_value"),
        ([{"doc_id": ["a"], "score": 1}], "missing_column"),
        ([{"doc_id": {"x": 1}, "score": 1}], "missing_column"),
        ((doc for doc in "ab"), "malformed"),
        ("ab", "malformed"),
        (7, "malformed"),
        (None, "malformed"),
        ([["a", 1, 2]], "malformed"),
        ([["a", 1.0], ["b"]], "malformed"),
        ([["a", {"x": 1}]], "bad_value"),
        ({"a": {"score": 1}}, "malformed"),
        ({"a": [1]}, "malformed"),
        ([], "empty"),
    ],
)
def test_what_is_no_list_of_documents_is_refused(documents: Any, code: str) -> None:
    """With the code, and never an id made of an object."""
    assert refusal({"q": documents}) == code


@pytest.mark.parametrize("rows_", [[[4, 7, 9], [3, 1, 2]], [[4, 7], [3, 1]], [[1, 7, 3, 881250949]], [1, 2]])
def test_arrays_of_numbers_are_no_records(rows_: Any) -> None:
    """They may be lists of ids, or records: nothing says which."""
    assert refusal(np.array(rows_)) == refusal(np.array(rows_), "judgments") == "unclear"


@pytest.mark.parametrize("names", [("ndcg", "map"), ("P_10", "recip_rank"), ("nDCG@10", "RR"), ("ndcg@5", "mrr")])
def test_values_of_measures_are_no_run(names: tuple[str, str]) -> None:
    """{query: {measure: value}}, as pytrec_eval and ranx return it; a query may be called as a measure is."""
    values = {f"q{n}": dict.fromkeys(names, n / 7) for n in range(3)}
    for source in (values, text(values)):
        assert refusal(source) == refusal(source, "judgments") == "other_kind"
    for documents in ({"P": 1.0, "R": 0.5}, {**values["q1"], "other": 0.1}):
        assert len(read_run({"q": documents}).table) == len(documents)
    for query in ("map", "recall"):
        assert rows(read_run({query: {"d1": 0.4, "d2": 0.3}}), "query_id") == [(query,), (query,)]


def test_numbers_without_a_name_that_may_be_something_else_are_warned_about() -> None:
    """Grades or ranks in the place of scores; not where they fall, are written as scores are, or have a name."""
    grades = {f"q{n}": {f"d{n}{m}": m % 2 for m in range(3)} for n in range(4)}
    ranks = {f"q{n}": {f"d{m}": m for m in range(1, 9)} for n in range(4)}
    for value, code in ((grades, "may_be_grades"), (ranks, "may_be_ranks")):
        floats = {query: {doc: number + 0.25 for doc, number in own.items()} for query, own in value.items()}
        records = [{"query_id": q, "doc_id": d, "score": own} for q, docs in value.items() for d, own in docs.items()]
        for source in (value, text(value)):
            assert code in {note.code for note in read_run(source).source.notes}
        for source in (floats, records):
            assert code not in {note.code for note in read_run(source).source.notes}
    falling = {f"q{n}": {f"d{m}": 5 - m for m in range(4)} for n in range(4)}
    assert not {"may_be_grades", "may_be_ranks"} & {note.code for note in read_run(falling).source.notes}
    assert recognise(text(grades)).kind == "judgments"


# --- what is no plain form -------------------------------------------------------------------------------------------

#: Members that hold a table, and records that hold a list.
WITHDRAWN: dict[str, Any] = {
    "a member with records": {"took": 3, "data": FLAT},
    "a member alone": {"results": FLAT},
    "members in members": {"response": {"results": FLAT}, "took": 3},
    "a table of pandas": {"schema": {"fields": []}, "data": FLAT},
    "lists and grades": {"run": RUN, "qrels": QRELS},
    "two lists": {"bm25": RUN, "dense": {"q": {"b": 1}}},
    "records with a list": [{"query_id": "q1", "results": [{"doc_id": "a", "score": 2.5}]}],
    "records with ids": [{"id": "q1", "query": "x", "retrieved_docs": ["b", "a"]}],
    "records with scores": [{"question_id": "q1", "found": [{"id": "a", "score": 2.5}]}],
    "records with hits": [{"qid": "q1", "hits": [{"_id": "a", "_score": 2.5}, {"_id": "b", "_score": 1}]}],
    "records with grades": [{"query_id": 1, "ratings": {"a": 3, "b": 1}}],
    "a member with a dict": {"queries": [{"qid": "q1", "docs": {"a": 2.5, "b": 1}}]},
    "one record": {"query": "q1", "candidates": [{"docid": "a", "score": 2.5}, {"docid": "b", "score": 1}]},
    "a list of another query": {"x": FLAT},
    "records with ids alone": [{"query": "q1", "doc_ids": ["b", "a"], "scores": [2.5, 1]}],
    "numbers by rank": {query: {"1": 17, "2": 93, "3": 40} for query in "qr"},
    "a notebook": {"cells": [{"source": ["x"], "outputs": []}], "metadata": {}, "nbformat": 4},
    "a link": {"": "Do not edit!", "doc_id": "1AbC", "email": "a@b.c"},
}


@pytest.mark.parametrize("name", WITHDRAWN)
def test_members_and_records_with_lists_are_refused(name: str) -> None:
    """As a run, as judgments and as queries, in a file and in memory; never read as something else."""
    for source in (WITHDRAWN[name], text(WITHDRAWN[name])):
        for kind in ("run", "judgments", "queries"):
            assert refusal(source, kind) in ("malformed", "unclear", "other_kind", "missing_column", "unsupported")
    if name != "two lists":
        with pytest.raises(ReadError):
            recognise(text(WITHDRAWN[name]))


def test_lists_beside_queries_and_items_are_left_unread() -> None:
    """Terms with scores are no documents, and an item may have scored neighbours of its own."""
    terms = {"query_id": "q", "text": "red", "terms": [{"term": "rouge", "score": 0.5}]}
    assert recognise(lines([terms, {**terms, "query_id": "r"}])).kind == "queries"
    item = {"id": "a", "title": "Hat", "similar": [{"id": "b", "score": 0.5}]}
    assert rows(read_items(lines([item, {**item, "id": "c"}])), "doc_id") == [("a",), ("c",)]


def test_lists_of_documents_are_no_queries() -> None:
    """A run, judgments and values of measures are no queries."""
    for value in (RUN, QRELS, {"q": ["a", "b"]}, {"q": "x", "r": 1}, {"ndcg": 0.5, "map": 0.1}):
        assert refusal(value, "queries") == refusal(text(value), "queries") != ""


def test_what_is_left_unread_is_named() -> None:
    """Lists and objects beside what is read: the first twenty, and how many there are."""
    run = read_run(text([{**FLAT[0], **{f"x{i}": [i] for i in range(300)}, "meta": {"doc_id": "z"}}]))
    (note,) = [str(note) for note in run.source.notes if note.code == "not_read"]
    assert '"x19"' in note
    assert "301" in note
    assert rows(run, "doc_id") == [("a",)]


# --- damage ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("content", "code", "row"),
    [
        (b'{"q": {"a": 1,}}', "malformed", 1),
        (b'[{"query_id": "q",\n "doc_id": "a",}]', "malformed", 2),
        (b'[{"query_id": "q"', "malformed", 1),
        (b'{"query_id": "q"}\n{"query_id": "q", "doc_id": "a" "rank": 1}', "malformed", 2),
        (b'{"query_id": "q"}\n{"query_id": "q", "doc', "malformed", 2),
        (b'{"q": {"a": 1}} /* end */', "malformed", None),
        (b'[{"query_id": "q", "doc_id": "a"}, 7]', "malformed", 2),
        (b'[["query_id", "doc_id"], ["c"]]', "malformed", 2),
        (b"[" * 100_000, "malformed", None),
        (b'{"a":' * 100_000, "malformed", None),
        (b'{"data": ' * 9 + b'{"q": {"a": 1}}' + b"}" * 9, "malformed", None),
        (b'{"q": {"a": ' + b"9" * 5_000 + b"}}", "malformed", None),
        (b"[]", "empty", None),
        (b"{}", "empty", None),
        (b"[1, 2]", "malformed", 1),
        (b'{"q": 1}', "malformed", None),
        (b'[{"query_id": "q", "brand": "x"}]', "missing_column", None),
    ],
)
def test_damaged_and_shapeless_json_is_refused_by_row(content: bytes, code: str, row: int | None) -> None:
    """Commas, comments, missing signs, depth and long numbers are one sentence, and no advice on lines for the last."""
    with pytest.raises(ReadError) as error:
        read_run(content)
    assert error.value.problems[0].code == code
    assert row is None or error.value.problems[0].row == row
    assert "on each line" not in str(error.value)


def test_a_name_that_occurs_twice_is_refused() -> None:
    """Neither of two numbers under one name is taken."""
    assert refusal(b'{"q": {"a": 1.5, "a": 2}}') == "malformed"


def test_half_characters_are_refused() -> None:
    """In ids, texts and names of columns; NaN is no score."""
    for half in ({"doc_id": "\ud800"}, {"title": "\ud800"}, {"\ud800": 1}):
        assert refusal([{"query_id": "q", "doc_id": "a", "score": 1} | half]) == "bad_encoding"
    assert refusal(text(FLAT).replace(b" 2.5", b" NaN")) == "missing_value"


def test_limits_hold_for_values() -> None:
    """Rows, columns and ids are limited as in files; an endless iterator ends."""
    small = Limits(rows=50, columns=20, id=100)
    for source in (
        {"q": {f"d{i}": i for i in range(60)}}, (("q", f"d{i}", 1.0) for i in itertools.count()),
        [{"query_id": "q", "doc_id": "d", **{f"c{i}": 1 for i in range(30)}}], [{"query_id": "q", "doc_id": "d" * 200}],
    ):  # fmt: skip
        with pytest.raises(ReadError) as error:
            read_run(source, limits=small)
        assert error.value.problems[0].code == "too_large"


# --- what is given in the place of something else --------------------------------------------------------------------


def _lists(order: int) -> dict[str, list[str]]:
    return {f"q{q}": [f"d{j}" for j in range(4)][::order] for q in range(3)}


@pytest.mark.parametrize("grades", [(0, 1, 2, 1), (1, 1, 1, 1), (1, 0, 0, 1)])
@pytest.mark.parametrize(
    "call", [rd.compare, lambda q, a, b: rd.compare(a, q, b), lambda q, a, _: rd.evaluate(q, a, ["AP"])]
)
def test_judgments_in_the_place_of_lists_are_asked_about(call: Callable[..., object], grades: tuple[int, ...]) -> None:
    """Judgments first, and lists of ids for a run and for the judgments: refused, and never computed."""
    judgments = {f"q{q}": {f"d{j}": grade for j, grade in enumerate(grades)} for q in range(3)}
    with pytest.raises(ReadError):
        call(judgments, _lists(1), _lists(-1))


@pytest.mark.parametrize("kind", ["run", "judgments"])
@pytest.mark.parametrize(
    "given",
    [
        {"q": {"d": {"s": 1, "t": 0}, "e": {"t": 2}}, "r": {"d": {"s": 1}}},
        {"mine": {"q": {"d": 1}}, "qrels": {"q": {"d": 1}}},
        {"bm25": {"q": {"d": 1}}},
        {"q": {"d": {"s": 1}}, "r": {"d": 2}},
    ],
)
def test_a_level_more_is_refused(given: dict[str, Any], kind: str) -> None:
    """Names of models above the queries, and subtopics below the documents, are never queries or documents."""
    assert refusal(given, kind) == "malformed"
