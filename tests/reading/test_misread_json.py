"""JSON of other tools that was read as something else without a word: read rightly, or refused with the way out."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from rankdash.reading import ReadError, read_judgments, read_models, read_run, recognise
from rankdash.reading.tables.mistaken_runs import MAY_BE_GRADES
from tests.reading.test_jsons import rows, text

GROUPED = {"responseHeader": {"status": 0}, "grouped": {"brand": {"groups": [{"doclist": {"docs": [{"id": "d1"}]}}]}}}
QRELS = {f"q{n}": {f"d{n}{m}": m % 2 for m in range(3)} for n in range(4)}
MEASURES = "these are values of measures, not a run"
TEXTS = "these are texts and their ids"
GRADES = "the scores are small whole numbers in no order, as grades are"


def lines(*records: Any) -> bytes:
    """Records as JSON Lines."""
    return b"\n".join(map(text, records)) + b"\n"


@pytest.mark.parametrize(
    ("source", "sentence"),
    [
        (text({"q1": {"query": {"match": {"title": "tv"}}, "size": 10}}), '"query" has an object where the number of'),
        (text({"tv": {"retriever": {"documents": [{"id": "d1", "score": 0.9}]}}}), "has an object where the number"),
        (text({"tv": {"scores": [1], "groups": {"a": {}}}}), "no column for the document id"),
        (b'query\tdocs\nq1\t[["a", {"x": 1}]]\n', 'column "docs": "a" has an object where the number'),
        (b'query\tdocs\nq1\t[["a", [1, 2]]]\n', 'column "docs": "a" has a list where the number'),
        (text({"laptop": GROUPED, "phone": GROUPED}), "hits stand in groups, by query, not a run. Search without"),
        (text(GROUPED), "hits stand in groups, not a run"),
        (text({"result": {"groups": [{"id": "a", "hits": [{"id": 1, "score": 0.9}]}]}, "status": "ok"}), "in groups"),
        (text({"found": 1, "grouped_hits": [{"group_key": ["x"], "hits": []}]}), "hits stand in groups"),
        (text({"tv": {"id": "answer-7", "results": [{"index": 3, "score": 0.9}]}}), "no column for the document id"),
        (text({"hits": [], "query": "tv", "facets": {"brand": {"sony": 3, "lg": 4}}}), "no member of the JSON text"),
        (text({"hits": [], "facetDistribution": {"brand": {"sony": 3}}}), "no member of the JSON text holds a run"),
        (text({"ndcg@10": 0.4, "map": 0.3}), MEASURES),
        (text({"q1": {"ndcg": 0.4}, "q2": {"ndcg": 0.5}}), MEASURES),
        (text({"ndcg": {"q1": 0.4}, "map": {"q1": 0.3}}), MEASURES),
        (text({"map": {"all": 0.4}, "ndcg": {"all": 0.3}}), MEASURES),
        (text({"bm25": {"q1": {"map": 0.4, "ndcg_cut_10": 0.5}}}), MEASURES),
        (text({"cosine": {"accuracy@k": {"1": 0.4}, "ndcg@k": {"10": 0.5}}}), MEASURES),
        (text({"model": {"test": {"ndcg_at_10": 0.4, "map_at_10": 0.2}}}), MEASURES),
        (text([{"NDCG@10": 0.4}, {"MAP@10": 0.3}, {"Recall@10": 0.5}, {"P@10": 0.2}]), MEASURES),
        (lines({"_id": "q1", "text": "what is x"}, {"_id": "q2", "text": "what is y"}), TEXTS),
        (lines({"_id": "d1", "title": "T", "text": "x"}, {"_id": "d2", "title": "", "text": "y"}), TEXTS),
        (b"id,text\nq1,what\nq2,who\n", TEXTS),
        (lines(*({"query-id": "q", "corpus-id": own, "score": 1} for own in ("d1", "d2"))), GRADES),
        (b"query-id\tcorpus-id\tscore\nq1\td1\t1\nq2\td2\t1\n", GRADES),
        (text({"retriever": {"documents": [{"id": "d1", "score": 0.9}]}}), "of Haystack returned, not a run. It"),
        (text({"results": {"results": [{"id": "r1", "score": 1, "vars": {"query": "tv"}}], "stats": {}}}), "promptfoo"),
        (text([{"id": 1, "data": {"query": "tv", "doc_id": "d1"}, "annotations": []}]), "as CSV or as JSON-MIN"),
    ],
)  # fmt: skip
def test_what_holds_no_lists_is_no_run(source: bytes, sentence: str) -> None:
    """One sentence says what it is; a value that is no number never becomes a document."""
    with pytest.raises(ReadError) as refused:
        read_run(source)
    assert sentence in str(refused.value)


def test_grades_may_be_scores_all_the_same() -> None:
    """{query: {document: 1}} may be grades, which is noted; not where they fall, or are written as scores are."""
    assert recognise(text(QRELS)).kind == "judgments"
    for source in (QRELS, text(QRELS), {"q1": {"d1": 1}, "q2": {"d2": 1}}):
        assert MAY_BE_GRADES in read_run(source).source.notes
        assert MAY_BE_GRADES not in read_run(source, order="score").source.notes
    falling = {f"q{n}": {f"d{m}": 5 - m for m in range(4)} for n in range(4)}
    assert MAY_BE_GRADES not in read_run(text(falling)).source.notes
    assert recognise(lines({"_id": "q1", "text": "x"}, {"_id": "q2", "text": "y"})).kind == "queries"
    table = b"query-id\tcorpus-id\tscore\nq1\td1\t1\nq2\td2\t1\n"
    assert rows(read_run(table, order="score"), "doc_id", "score") == [("d1", 1), ("d2", 1)]
    floats = {query: {doc: float(grade) for doc, grade in docs.items()} for query, docs in QRELS.items()}
    assert MAY_BE_GRADES not in read_run(text(floats)).source.notes
    table = b"query-id\tcorpus-id\tscore\nq1\td1\t1.5\nq2\td2\t0.5\n"
    assert rows(read_run(table), "doc_id", "score") == [("d1", 1.5), ("d2", 0.5)]


@pytest.mark.parametrize("query", ["map", "recall", "precision"])
def test_a_query_may_be_called_as_a_measure_is(query: str) -> None:
    """A single query that is a measure's name has its documents."""
    assert rows(read_run(text({query: {"d1": 0.4, "d2": 0.3}})), "query_id") == [(query,), (query,)]


ONE = [("tv", "d1"), ("tv", "d2")]


@pytest.mark.parametrize(
    "answer",
    [
        {"hits": [{"objectID": "d1", "sku": "s1", "id": 7, "rank": 2}, {"objectID": "d2", "rank": 1}], "query": "tv"},
        {"results": [{"hits": [{"objectID": "d1", "url": "u"}, {"objectID": "d2"}], "query": "tv", "index": "shop"}]},
        {"tv": {"hits": [{"objectID": "d1", "product_id": "u"}, {"objectID": "d2"}], "query": "tv"}},
        {"hits": [{"id": "d1", "keywords": "k"}, {"id": "d2", "keywords": "l"}], "query": "tv"},
        {"found": 2, "hits": [{"document": {"id": own}, "text_match": n, "text_match_info": {"score": str(n)}}
                              for n, own in enumerate(("d1", "d2"))], "request_params": {"q": "tv"}},
        {"query": {"text": "x", "qid": "tv"}, "candidates": [{"docid": "d1", "doc": {"text": "x"}}, {"docid": "d2"}]},
        {"query_id": "tv", "query": "x", "results": [{"id": "d1", "score": 2}, {"id": "d2", "score": 1}]},
        {"query": "tv", "docs": ["d1", "d2"]},
        {"tv": {"hits": [{"id": own, "_federation": {"indexUid": "shop", "queriesPosition": at}}
                         for own, at in (("d1", 1), ("d2", 0))]}},
    ],
)  # fmt: skip
def test_an_answer_that_names_its_query_is_its_list(answer: Any) -> None:
    """The documents stand in their order, by their own ids, whatever else describes them."""
    run = read_run(text(answer))
    assert rows(run, "query_id", "doc_id") == ONE
    assert run.ordered_by == "score" or [place for (place,) in rows(run, "rank")] == [1, 2]


@pytest.mark.parametrize("wrapped", [lambda hits: {"hits": {"hits": hits}}, lambda hits: {"hits": hits}])
def test_the_query_of_an_answer_is_that_of_its_documents(wrapped: Any) -> None:
    """What is stored under a hit is none of the names that stand around the answer, even if it names a query."""
    hits = [{"_id": own, "_score": 1.5, "_source": {"query_id": "other", "doc_id": f"x{own}"}} for own in ("d1", "d2")]
    for value in ({"tv": wrapped(hits)}, [{"query": "tv", **wrapped(hits)}]):
        run = read_run(text(value))
        assert rows(run, "query_id", "doc_id") == ONE
        assert any('"_source.doc_id"' in note for note in run.source.notes)
    assert rows(read_run(text({"tv": wrapped(hits)}), columns={"doc_id": "doc_id"}), "doc_id") == [("xd1",), ("xd2",)]


def test_queries_of_a_topic_share_its_relevant_documents() -> None:
    """Ratings of RRE may stand in a topic without groups, at its queries or beside them."""
    queries = [{"placeholders": {"$query": query}} for query in ("tv", "tele")]
    beside = {"topics": [{"description": "d", "relevant_documents": {"3": ["d1"], "1": ["d2"]}, "queries": queries}]}
    inside = [{**query, "relevant_documents": {"3": ["d1"], "1": ["d2"]}} for query in queries]
    for value in (beside, {"topics": [{"queries": inside}]}):
        found = rows(read_judgments(text(value)), "query_id", "doc_id", "relevance")
        assert found == [(query, doc, grade) for query in ("tv", "tele") for doc, grade in (("d1", 3), ("d2", 1))]
        with pytest.raises(ReadError, match="ratings of the Rated Ranking Evaluator, not a run"):
            read_run(text(value))


@pytest.mark.parametrize(
    ("described", "grades", "order"),
    [
        ({"d1": {"score": 0.5, "rank": 2}, "d2": {"score": 0.9, "rank": 1}}, None, "rank"),
        ({"d1": {"score": 0.5}, "d2": {"score": 0.9, "meta": {"year": 1}}}, None, "score"),
        ({"d1": {"title": "x", "id": 7}, "d2": {"title": "y", "tags": ["a"]}}, None, "rank"),
        (
            {"d1": {"grade": 3, "by": "x"}, "d2": {"grade": 0, "by": "y"}},
            [("tv", "d1", 3.0), ("tv", "d2", 0.0)],
            "rank",
        ),
    ],
)
@pytest.mark.parametrize("several", [False, True])
def test_documents_may_be_described_by_their_names(described: Any, grades: Any, order: str, several: bool) -> None:
    """{query: {document: {name: value}}} has these documents; no number of one is a document, and no query a model."""
    value = {"tv": described} | ({"radio": {"d3": described["d2"]}} if several else {})
    for source in (value, text(value)):
        run = read_run(source)
        assert [row for row in rows(run, "query_id", "doc_id") if row[0] == "tv"] == ONE
        assert run.ordered_by == order
        with pytest.raises(ReadError):
            read_models(source)
        if grades:
            assert rows(read_judgments(source), "query_id", "doc_id", "relevance")[:2] == grades
    assert recognise(text(value)).kind == "run"


def test_rows_that_name_their_queries_are_read_by_these() -> None:
    """A query beside rows of a run, as a database has it, is none of theirs."""
    for own in ({"user_id": "u"}, {"query": "u"}, {"query_id": "u"}):
        value = {"query": "select 1", "rows": [{**own, "doc_id": "d", "score": 1.5}]}
        assert rows(read_run(text(value)), "query_id", "doc_id") == [("u", "d")]


@pytest.mark.parametrize(
    "answer",
    [
        {"result": {"points": [{"id": "d1", "score": 0.9}, {"id": "d2", "score": 0.9}]}, "status": "ok", "time": 0.1},
        {"result": {"hits": [{"_id": "d1", "_score": 0.9, "fields": {}}, {"_id": "d2", "_score": 0.8}]}, "usage": {}},
    ],
)
def test_lists_deep_in_an_answer_are_found(answer: dict[str, Any], tmp_path: Path) -> None:
    """The answers of Qdrant and Pinecone are lists by query, or of the query by whose name the file is called."""
    assert rows(read_run(text({"tv": answer})), "query_id", "doc_id", "rank") == [("tv", "d1", 1), ("tv", "d2", 2)]
    (tmp_path / "tv.json").write_text(json.dumps(answer), encoding="utf-8")
    assert rows(read_run(tmp_path / "tv.json"), "query_id", "doc_id") == ONE


def test_the_id_of_a_search_is_no_query(tmp_path: Path) -> None:
    """Amazon Kendra gives each search an id of its own: the query is the name of the file."""
    items = [
        {"Id": f"u-{own}", "DocumentId": own, "ScoreAttributes": {"ScoreConfidence": "HIGH"}} for own in ("d1", "d2")
    ]
    (tmp_path / "tv.json").write_text(json.dumps({"QueryId": "u", "ResultItems": items}), encoding="utf-8")
    assert rows(read_run(tmp_path / "tv.json"), "query_id", "doc_id") == ONE


def test_scores_beside_items_are_no_query_of_a_model() -> None:
    """{user: {items, scores}} is one run; a query may be called scores where documents stand there."""
    value = {user: {"items": ["i1", "i2"], "scores": [0.9, 0.8]} for user in ("u", "v")}
    with pytest.raises(ReadError, match='"scores" of "u" are numbers, and no documents of a query'):
        read_models(text(value))
    assert recognise(text(value)).kind == "run"
    assert len(read_models(text({"a": {"scores": {"d1": 2.5}}, "b": {"scores": {"d1": 2.5}}})).runs) == 2


def test_hits_without_the_id_ask_for_it(tmp_path: Path) -> None:
    """An index whose key is called otherwise is read by the field that somebody names."""
    (tmp_path / "tv.json").write_text(json.dumps({"value": [{"@search.score": 2.5, "Key": "d1"}]}), encoding="utf-8")
    with pytest.raises(ReadError, match=r'no column for the document id\. Found: "@search.score", "Key"'):
        read_run(tmp_path / "tv.json")
    assert rows(read_run(tmp_path / "tv.json", columns={"doc_id": "Key"}), "query_id", "doc_id") == [("tv", "d1")]


def test_scores_below_a_name_are_no_grades() -> None:
    """Numbers below a name that says nothing are looked at as those of a file are."""
    scores = {f"q{n}": {f"d{m}": 0.9 - m / 7 for m in range(4)} for n in range(4)}
    for value in (scores, {"model": "m", "search_results": scores}):
        with pytest.raises(ReadError, match="the numbers are scores: most are no whole numbers"):
            read_judgments(text(value))
    for name in ("qrels", "labels", "relevance"):
        assert len(read_judgments(text({"model": "m", name: scores})).table) == 16
