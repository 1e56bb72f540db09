"""Hits, documents and nodes in memory: read by their usual names, or refused by their type; no object becomes an id."""

from __future__ import annotations

import dataclasses
import json
import uuid
from collections import namedtuple
from decimal import Decimal
from types import SimpleNamespace
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

import rankdash as rd
from rankdash.reading import ReadError, read_judgments, read_models, read_queries, read_run
from tests.reading.test_json_parts import SNAPSHOT
from tests.reading.test_jsons import rows


@dataclasses.dataclass
class Node:
    """A node, shaped as LlamaIndex has it: the id within, and the score beside it."""

    id_: str
    text: str = "words"
    embedding: Any = None
    metadata: dict[str, Any] = dataclasses.field(default_factory=dict)


@dataclasses.dataclass
class NodeWithScore:
    """What a retriever returns."""

    node: Node
    score: float | None = None


class Document:
    """A document, shaped as LangChain has it: its id may be nothing, and stand in the metadata."""

    def __init__(self, id: str | None, metadata: dict[str, Any]) -> None:
        self.id, self.metadata, self.page_content = id, metadata, "words"


class Hit:
    """A hit that lists no attribute, as those of another language do."""

    __slots__ = ("_found",)

    def __init__(self, docid: str, score: float) -> None:
        self._found = docid, score

    def __getattr__(self, name: str) -> Any:
        if name in ("docid", "score"):
            return self._found[("docid", "score").index(name)]
        raise AttributeError(name)


class Slotted:
    """An object with slots alone."""

    __slots__ = ("doc_id", "score", "tensor")

    def __init__(self, doc_id: str, score: float) -> None:
        self.doc_id, self.score, self.tensor = doc_id, score, np.zeros(3)


Pair = namedtuple("Pair", "docno score rank")
SCORED = [("q", "a", 2.5), ("q", "b", 1.5)]


@pytest.mark.parametrize(
    "make",
    [
        lambda doc, score: {"_id": doc, "_score": score, "_source": {"title": "t"}},
        lambda doc, score: {"doc_id": doc, "score": score},
        lambda doc, score: {"id": doc, "score": np.float32(score)},
        lambda doc, score: Hit(doc, score),
        lambda doc, score: Slotted(doc, score),
        lambda doc, score: SimpleNamespace(id=doc, score=score, method=print),
        lambda doc, score: SimpleNamespace(document=SimpleNamespace(doc_id=doc), score=score),
        lambda doc, score: NodeWithScore(Node(doc), score),
        lambda doc, score: NodeWithScore(Node("0", metadata={"doc_id": doc}), score),
        lambda doc, score: (Document(doc, {}), score),
        lambda doc, score: (Document(None, {"docno": doc, "page": 3}), score),
        lambda doc, score: Pair(doc, score, 7),
    ],
)
def test_hits_documents_and_nodes_are_read_by_their_usual_names(make: Any) -> None:
    """As attributes or keys, beside the score or within a document, of the baseline and of what comes later."""
    source = {"q": [make("a", 2.5), make("b", 1.5)], "empty": []}
    run = read_run(source, order="score")
    assert rows(run, "query_id", "doc_id", "score") == SCORED


def test_a_set_of_documents_is_golden_and_no_list() -> None:
    """{query: {document, document}} are judgments of grade 1; as a run it is refused, for a set has no order."""
    golden = read_judgments({"q1": {"b", "a"}, "q2": frozenset({"a"})})
    assert rows(golden, "query_id", "doc_id", "relevance") == [("q1", "a", 1), ("q1", "b", 1), ("q2", "a", 1)]
    with pytest.raises(ReadError, match="the documents of query q1 are a set, which has no order"):
        read_run({"q1": {"b", "a"}})


@pytest.mark.parametrize("names", [("ndcg", "map"), ("P_10", "recip_rank"), ("nDCG@10", "RR"), ("ndcg@5", "mrr")])
def test_values_of_measures_are_no_run(names: tuple[str, str]) -> None:
    """{query: {measure: value}}, as pytrec_eval and ranx return it, is refused in memory and as JSON."""
    values = {f"q{n}": dict.fromkeys(names, n / 7) for n in range(3)}
    for source in (values, json.dumps(values).encode()):
        with pytest.raises(ReadError, match="values of measures"):
            read_run(source)
    for documents in ({"P": 1.0, "R": 0.5}, {**values["q1"], "other": 0.1}):
        assert len(read_run({"q": documents}).table) == len(documents)


@pytest.mark.parametrize("column", ["model", "text"])
def test_lists_where_a_text_is_expected_are_refused(column: str) -> None:
    """Lists in the column of the models or of the texts of queries are refused by a sentence."""
    table = pa.table({"query_id": ["q"], "doc_id": ["d"], "score": [1.0], column: pa.array([["x"]])})
    read = read_run if column == "model" else read_queries
    with pytest.raises(ReadError, match=f'column "{column}" holds list<.*>, not text'):
        read(table)


def test_lists_without_scores_stand_in_their_order() -> None:
    """Documents without a score, or with none, are ranked by their place."""
    for source in (
        {"q": [Document("a", {}), Document("b", {})]},
        {"q": [NodeWithScore(Node("a")), NodeWithScore(Node("b"))]},
    ):
        assert rows(read_run(source), "doc_id", "rank") == [("a", 1), ("b", 2)]


def test_an_id_of_the_document_wins_over_one_of_the_object() -> None:
    """Of a generated id and a doc_id in the metadata the second is the document; a note says what was passed over."""
    run = read_run({"q": [Document("generated-1", {"doc_id": "a"}), Document("generated-2", {"doc_id": "b"})]})
    assert rows(run, "doc_id") == [("a",), ("b",)]
    assert 'Further columns, which are only shown: "id", "page_content".' in run.source.notes


def test_what_is_not_read_of_an_object_is_named() -> None:
    """Attributes that are no plain values, and those whose name is taken, are in the notes."""
    node = Node("a", embedding=[0.5], metadata={"text": "other", "nested": {"x": 1}})
    run = read_run({"q": [NodeWithScore(node, 1.0)]})
    (unread,) = [note for note in run.source.notes if note.startswith("Not read")]
    for name in ("node.embedding", "node.metadata.text", "node.metadata.nested"):
        assert f'"{name}"' in unread


def test_a_comparison_of_hits_is_that_of_their_scores() -> None:
    """What was an id made of an object, and judged by nobody, is the document that it is."""
    judgments = {"q": {"a": 0, "b": 1}}
    hits = rd.compare(
        {"q": [{"_id": "a", "_score": 2.0}, {"_id": "b", "_score": 1.0}]},
        {"q": [Document("b", {}), Document("a", {})]},
        judgments,
        measures="RR",
    )
    plain = rd.compare({"q": {"a": 2.0, "b": 1.0}}, {"q": ["b", "a"]}, judgments, measures="RR")
    assert hits.summary.to_dict("list") == plain.summary.to_dict("list")


class Raising:
    """An object whose getters raise, and which must not be asked to show itself."""

    @property
    def doc_id(self) -> str:
        """Raises what it likes."""
        raise RuntimeError("no connection")

    def __str__(self) -> str:
        raise AssertionError("an object was turned into text")

    __repr__ = __str__


@pytest.mark.parametrize(
    ("documents", "what"),
    [
        ([object(), object()], "a document is an object of the type object without an id"),
        ([Raising()], "an object of the type Raising without an id"),
        ([SimpleNamespace(score=1.0)], "an object of the type SimpleNamespace without an id"),
        ([uuid.uuid4()], "an object of the type UUID without an id"),
        (["a", object()], "is of the type object, and no id of a document"),
        ([True, False], '"True" is of the type bool, and no id of a document of query "q"'),
        ([7.5], '"7.5" is of the type float, and no id'),
        ([Decimal("1.5")], "is of the type Decimal, and no id"),
        ([float("nan")], "the document id is empty"),
        ([b"\xff"], "is of the type bytes, and no id"),
        ({("a", 1): 1.0}, "is of the type tuple, and no id"),
        ([["a", 1.0], [object(), 2.0]], "is of the type object, and no id"),
        ([{"doc_id": True, "score": 1}], 'column "doc_id" holds true or false. Ids are texts or whole numbers'),
        ([{"doc_id": ["a"], "score": 1}], 'column "doc_id" holds lists'),
        ([{"doc_id": {"x": {"y": 1}}, "score": 1}], 'column "doc_id" holds objects'),
        ([{"doc_id": 7.5, "score": 1}], 'column "doc_id" holds numbers with decimals'),
        ([{"doc_id": float("nan"), "score": 1}], 'column "doc_id" holds numbers with decimals'),
        ([{"doc_id": b"\xff", "score": 1}], 'column "doc_id" holds bytes'),
        ({"a", "b"}, "are a set, which has no order"),
        ((doc for doc in "ab"), "an object of the type generator without an id"),
    ],
)
def test_what_is_no_document_is_refused_by_its_type(documents: Any, what: str) -> None:
    """Objects without an id, truths, numbers with decimals, bytes that are no text: a sentence, and never an id."""
    with pytest.raises(ReadError, match=what):
        read_run({"q": documents})


@pytest.mark.parametrize(("value", "id_"), [(7, "7"), (np.int64(7), "7"), (7.0, "7"), (np.str_("x"), "x"), (b"x", "x")])
def test_whole_numbers_and_texts_of_any_type_are_ids(value: Any, id_: str) -> None:
    """Of documents and of queries, in every form of a dict and in records."""
    for source in (
        {value: {value: 1.0}},
        {value: [[value, 1.0]]},
        {value: [value]},
        {value: [{"doc_id": value, "score": 1.0}]},
        [{"query_id": value, "doc_id": value, "score": 1.0}],
        [{"query_id": value, "doc_id": value}, {"query_id": "other", "doc_id": "other"}],
        [(value, value, 1.0)],
    ):
        run = read_run(source)
        assert rows(run, "query_id", "doc_id")[0] == (id_, id_)


@pytest.mark.parametrize("value", [True, 7.5, object(), uuid.uuid4(), {"a": 1}.keys()])
def test_records_take_no_other_ids(value: Any) -> None:
    """Nor do records, whether all of their ids are of that type or one is."""
    for other in (value, "b"):
        records = [{"query_id": "q", "doc_id": one, "score": 1.0} for one in (value, other)]
        with pytest.raises(ReadError, match=r"is neither text nor a whole number|holds .*, not ids"):
            read_run(records)


def test_names_of_queries_are_texts_or_whole_numbers() -> None:
    """A query that is named by a tuple, None or a truth is refused; judgments, queries and votes alike."""
    for name in ((1, 2), True, 2.5):
        for read in (read_run, read_judgments, read_queries, rd.read_votes):
            with pytest.raises(ReadError, match="no id of a query"):
                read({name: {"a": 1}})


def test_a_dict_is_what_its_json_would_be() -> None:
    """Columns, members with lists and grades, and two models are read in memory as from a file."""
    columns = {"query_id": ["q", "q"], "doc_id": ["a", "b"], "score": [2.5, 1.5]}
    assert rows(read_run(columns), "query_id", "doc_id", "score") == SCORED
    parts = {"run": {"q": {"a": 2.5, "b": 1.5}}, "qrels": {"q": {"a": 1}}, "k": 10}
    run = read_run(parts)
    assert rows(run, "query_id", "doc_id", "score") == SCORED
    assert 'Not read: "qrels", "k".' in run.source.notes
    assert rows(read_judgments(parts), "doc_id", "relevance") == [("a", 1)]
    assert rows(read_run(SNAPSHOT), "doc_id", "rank") == [("d1", 1), ("d2", 2), ("d3", 1)]
    models = read_models({"bm25": {"q": {"a": 2.5}}, "dense": {"q": {"b": 1}}})
    assert [one.name for one in models.runs] == ["bm25", "dense"]


def test_documents_in_a_numpy_array_are_a_list() -> None:
    """An array of ids is a ranked list, and an array of pairs one with scores."""
    assert rows(read_run({"q": np.array(["b", "a"])}), "doc_id") == [("b",), ("a",)]
    assert rows(read_run({"q": np.array([3, 1])}), "doc_id") == [("3",), ("1",)]


def test_a_struct_of_arrow_is_no_id() -> None:
    """An object that stands where an id is expected is opened or refused, and never written out as an id."""
    table = pa.table({"query_id": ["q"], "doc_id": [[1, 2]], "score": [1.0]})
    with pytest.raises(ReadError):
        read_run(table.set_column(1, "doc_id", pa.array([[[1], [2]]])))
