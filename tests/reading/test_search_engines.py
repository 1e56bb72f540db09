"""What search engines answer: failures and printed numbers are told, and ids may stand in what was stored."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from rankdash.reading import (
    ReadError,
    read_judgments,
    read_models,
    read_queries,
    read_run,
    read_votes,
    recognise,
    two_models,
)
from tests.long import every
from tests.reading.other_tools import (
    EVALUATED,
    LISTS,
    MANY,
    PAIRWISE,
    QUERY_SET,
    RANK_EVAL,
    RATED,
    SOLR,
    VESPA,
    answer,
    stored,
)


def rank_eval(metric: dict[str, Any], **more: Any) -> dict[str, Any]:
    """The answer to a rank evaluation with the details of a metric."""
    details = {"tv": {**RANK_EVAL["details"]["tv"], "metric_details": metric}}
    return {**RANK_EVAL, "details": details, **more}


@pytest.mark.parametrize(
    ("metric", "said"),
    [
        ({"precision": {"docs_retrieved": 2}}, "printed 0.5 as precision: under the convention rank_eval this is P@k."),
        ({"dcg": {"dcg": 7.0, "unrated_docs": 0}}, "printed 0.5 as dcg: under the convention rank_eval this is DCG@k."),
        (
            {"dcg": {"dcg": 7.0, "ideal_dcg": 7.0, "normalized_dcg": 1.0}},
            "this is nDCG@k, with all ratings of the request as the judgments.",
        ),
        ({"mean_reciprocal_rank": {"first_relevant": 1}}, "this is RR@k."),
        ({"recall": {"relevant_docs": 2}}, "this is R@k, with all ratings of the request"),
        ({"expected_reciprocal_rank": {"unrated_docs": 0}}, "this is ERR(max_grade=m)@k, m for maximum_relevance."),
    ],
)
def test_the_measure_of_a_printed_number_is_named(metric: dict[str, Any], said: str) -> None:
    """An answer says which metric it has: the note names ours, and the convention."""
    for read in (read_run, read_judgments):
        assert any(said in note for note in read(rank_eval(metric)).source.notes)


@pytest.mark.parametrize("metric", [{}, {"own": {}}, {"dcg": {}, "precision": {}}, None, 3])
def test_an_unknown_metric_has_no_measure(metric: Any) -> None:
    """Where the metric is unknown, or several are named, nothing is said about the number."""
    assert not any("convention" in note for note in read_run(rank_eval(metric)).source.notes)


def test_failures_of_a_rank_evaluation_are_named() -> None:
    """Each query that failed by its name, the first of many; and queries whose hits nobody rated."""
    failed = {f"q{n}": {"error": {"type": "x"}} for n in range(500)}
    notes = read_run(rank_eval({}, failures=failed)).source.notes
    (note,) = [note for note in notes if note.startswith("Searches failed")]
    assert '"q0", "q1"' in note
    assert len(note) < 1_000
    assert not any("failures" in note for note in notes if note != note)
    unrated = {"hits": [{"hit": {"_id": "d9", "_score": 1.0}, "rating": None}], "metric_score": 0.0}
    given = {**RANK_EVAL, "details": {**RANK_EVAL["details"], "radio": unrated}}
    assert any('which count 0 in its mean: "radio".' in note for note in read_run(given).source.notes)


@pytest.mark.parametrize("failures", [[], "x", 3, None])
def test_odd_failures_are_no_failures(failures: Any) -> None:
    """Where they are no object, nobody failed by name, and the lists are read."""
    notes = read_run(rank_eval({}, failures=failures)).source.notes
    assert not any(note.startswith("Searches failed") for note in notes)


HITS = answer(("x1", 2.0), ("x2", 1.0))
for place, hit in enumerate(HITS["hits"]["hits"]):
    hit["_source"] |= {"sku": f"s{place}", "product": {"id": 70 + place, "tags": ["a", "b"]}, "number": place}


@pytest.mark.parametrize(
    ("field", "ids"),
    [
        ("sku", ["s0", "s1"]),
        ("_source.sku", ["s0", "s1"]),
        ("product.id", ["70", "71"]),
        ("_source.product.id", ["70", "71"]),
        ("number", ["0", "1"]),
        ("_id", ["x1", "x2"]),
    ],
)
def test_the_document_may_be_a_stored_field(field: str, ids: list[str], tmp_path: Path) -> None:
    """A field in _source is the id, by its name or its path, in one answer, in several, and in those by query."""
    (tmp_path / "tv.json").write_text(json.dumps(HITS), encoding="utf-8")
    several = {"took": 1, "responses": [HITS, HITS]}
    how = {"columns": {"doc_id": field}}
    for source in (tmp_path / "tv.json", several, [HITS], json.dumps(several).encode()):
        found = read_run(source, **how)
        assert found.table.column("doc_id").to_pylist()[:2] == ids
        unread = "".join(note for note in found.source.notes if note.startswith("Not read"))
        assert ('"_id"' in unread) == (field != "_id")


#: What describes a document, under names that are a query's elsewhere: texts, users, objects.
DESCRIBED = [
    {name: value}
    for name in ("text", "query", "question", "topic", "user", "user_id", "q", "qid", "query_id")
    for value in ("some words", {"id": "x", "name": "y"})
] + [{"doc_id": "x"}, {"rating": 3, "rank": 9, "score": 0.5, "id": 7, "user_rating": 4}]


def _pairs(source: Any, **how: Any) -> list[tuple[str, str]]:
    return [(row["query_id"], row["doc_id"]) for row in read_run(source, **how).table.to_pylist()]


@pytest.mark.parametrize("more", DESCRIBED, ids=str)
def test_what_is_stored_describes_the_document_and_names_no_query(more: dict[str, Any], tmp_path: Path) -> None:
    """Whatever stands in _source: an answer has the query of its file, its key or its place, and bytes have none."""
    given = answer(("d1", 2.5), ("d2", 1.5), **more)
    (tmp_path / "tv.json").write_text(json.dumps(given), encoding="utf-8")
    assert _pairs(tmp_path / "tv.json") == LISTS
    for source in ({"tv": given}, {"tv": given, "radio": given}):
        named = [(query, document) for query in source for document in ("d1", "d2")]
        for form in (source, json.dumps(source).encode()):
            assert _pairs(form) == named
            with pytest.raises(ReadError):
                read_judgments(form)
    for source in ({"responses": [given, given]}, [given, given], json.dumps([given, given]).encode()):
        assert _pairs(source) == [("1", "d1"), ("1", "d2"), ("2", "d1"), ("2", "d2")]
    for source in (given, json.dumps(given).encode()):
        with pytest.raises(ReadError, match="names no query"):
            read_run(source)
        with pytest.raises(ReadError, match="It holds no grades"):
            read_judgments(source)


@pytest.mark.parametrize("more", every(3, [DESCRIBED[3], DESCRIBED[0], DESCRIBED[-1]]), ids=str)
def test_what_is_stored_names_no_query_in_a_large_file(more: dict[str, Any]) -> None:
    """The same where a text is too long to be looked at whole before it is read."""
    source = {f"q{number}": answer(("d1", 2.5), ("d2", 1.5), **more) for number in range(2_000)}
    for form in (source, json.dumps(source).encode()):
        assert _pairs(form) == [(query, document) for query in source for document in ("d1", "d2")]
        with pytest.raises(ReadError):
            read_judgments(form)


def test_an_answer_of_hits_alone_is_an_answer(tmp_path: Path) -> None:
    """With filter_path an answer has nothing but its hits: it is read as a whole one is."""
    given = {"hits": {"hits": [{"_id": "d1", "_source": {"text": "x"}}, {"_id": "d2", "_source": {"text": "y"}}]}}
    (tmp_path / "tv.json").write_text(json.dumps(given), encoding="utf-8")
    assert _pairs(tmp_path / "tv.json") == LISTS
    with pytest.raises(ReadError, match="names no query"):
        read_run(given)


@pytest.mark.parametrize("name", ["text", "question", "user_id", "topic"])
def test_the_text_of_a_passage_is_no_text_of_the_query(name: str) -> None:
    """Where a record names its query, what documents say under such a name is theirs, and left unread by name."""
    inner = [{"id": "d1", "score": 2.0, name: "a passage"}, {"id": "d2", "score": 1.0, "payload": {name: "another"}}]
    for source in ([{"query": "tv", "results": inner}], {"tv": inner}):
        run = read_run(json.dumps(source).encode())
        assert [(row["query_id"], row["doc_id"]) for row in run.table.to_pylist()] == LISTS
        assert "query_text" not in run.table.column_names
        assert any("Not read" in note and name in note for note in run.source.notes)
    named = [{"query": "tv", "results": [{"id": "d1", "query_text": "television"}]}]
    assert read_run(json.dumps(named).encode()).table["query_id"].to_pylist() == ["tv"]


def test_the_document_may_be_a_stored_field_of_answers_by_query() -> None:
    """The same where a dict has an answer for each query."""
    for field, ids in (("sku", ["s0", "s1"]), ("_source.product.id", ["70", "71"])):
        for source in ({"tv": HITS}, json.dumps({"tv": HITS, "radio": HITS}).encode()):
            assert read_run(source, columns={"doc_id": field}).table.column("doc_id").to_pylist()[:2] == ids


def test_a_field_that_is_not_stored_is_no_id() -> None:
    """It is refused by name where no hit has it, where one lacks it, and where it holds a list."""
    several = {"took": 1, "responses": [HITS]}
    with pytest.raises(ReadError, match="asin"):
        read_run(several, columns={"doc_id": "asin"})
    with pytest.raises(ReadError, match="list"):
        read_run(several, columns={"doc_id": "product.tags"})
    lacking = json.loads(json.dumps(several))
    del lacking["responses"][0]["hits"]["hits"][1]["_source"]["sku"]
    with pytest.raises(ReadError):
        read_run(lacking, columns={"doc_id": "sku"})


def test_variants_of_an_experiment_are_models() -> None:
    """Results of one search configuration under two sets of parameters are two models, and no run."""
    one = EVALUATED["hits"]["hits"][0]["_source"]
    both = stored(
        {**one, "experimentVariantParameters": "weights=0.3,0.7"},
        {**one, "experimentVariantParameters": "weights=0.5,0.5", "documentIds": ["d2", "d1"]},
    )
    assert [run.name for run in read_models(both).runs] == ["old weights=0.3,0.7", "old weights=0.5,0.5"]
    with pytest.raises(ReadError, match="the lists of 2 search configurations"):
        read_run(both)


def test_the_measures_of_the_workbench_are_named() -> None:
    """A note says under which convention the stored numbers come out."""
    one = EVALUATED["hits"]["hits"][0]["_source"]
    given = stored({**one, "metrics": [{"metric": "NDCG@10", "value": 0.5}, {"metric": "MAP@10", "value": 0.5}]})
    told = 'printed "NDCG@10", "MAP@10": under the convention srw'
    assert any(told in note for note in read_run(given).source.notes)


@pytest.mark.parametrize("names", [{"evaluationId": "e"}, {"evaluationResults": [{"evaluationId": "e"}]}])
def test_an_experiment_without_lists_is_refused(names: dict[str, Any]) -> None:
    """An experiment over a list of queries names its results and holds none: never its ids as documents."""
    result = {"queryText": "tv", "searchConfigurationId": "c", **names}
    experiment = {"id": "x", "type": "POINTWISE_EVALUATION", "results": [result]}
    for source in (experiment, stored(experiment)):
        for read in (read_run, read_models):
            with pytest.raises(ReadError, match="names its evaluation results and holds none"):
                read(source)
        with pytest.raises(ReadError, match="give the list of judgments"):
            read_judgments(source)


def test_a_list_of_judgments_alone_is_one() -> None:
    """The document without the answer around it is read as the answer is."""
    alone = RATED["hits"]["hits"][0]["_source"]
    assert read_judgments(alone).table.to_pylist() == read_judgments(RATED).table.to_pylist()
    with pytest.raises(ReadError):
        read_run(alone)
    assert recognise(json.dumps(alone).encode()).kind == "judgments"
    assert MANY["responses"]


def test_answers_by_query_name_those_that_failed() -> None:
    """A search that failed has no list, and is named; the others are read as they are without it."""
    several = {"tv": HITS, "radio": {"error": {"type": "x"}, "status": 400}, "pc": HITS}
    for source in (several, json.dumps(several).encode()):
        found = read_run(source)
        assert found.table.column("query_id").unique().to_pylist() == ["tv", "pc"]
        assert any('so that there is no list: "radio".' in note for note in found.source.notes)
        with pytest.raises(ReadError, match="It holds no grades"):
            read_judgments(source)
    assert read_run(several, columns={"doc_id": "sku"}).table.column("doc_id").to_pylist()[:2] == ["s0", "s1"]


def test_a_query_of_an_experiment_without_lists_is_counted() -> None:
    """A result of a pairwise experiment that has no lists is in the notes."""
    given = json.loads(json.dumps(PAIRWISE))
    given["hits"]["hits"][0]["_source"]["results"].append({"queryText": "radio", "error": "x"})
    (old, new) = read_models(given).runs
    for found in (old, new):
        assert "1 result without documents." in found.source.notes


def test_predictions_of_mteb_that_are_no_lists_are_refused() -> None:
    """Labels of a classification are no documents."""
    for split in ([1, 0, 1], []):
        given = {"mteb_model_meta": {"model_name": "m"}, "default": {"test": split}}
        with pytest.raises(ReadError, match="without lists of documents"):
            read_run(given)


def test_ratings_of_the_hits_alone_are_told() -> None:
    """As a run and as judgments: an answer rates only what it shows, so that some measures are too high."""
    for read in (read_run, read_judgments):
        (note,) = [
            note for note in read(rank_eval({})).source.notes if "rates only the documents that it shows" in note
        ]
        assert "nDCG, recall and AP are too high" in note
        assert "-q request.json" in note
    request = {"requests": [{"id": "tv", "request": {}, "ratings": [{"_index": "p", "_id": "d1", "rating": 3}]}]}
    assert read_judgments(request).table.column("doc_id").to_pylist() == ["d1"]


@pytest.mark.parametrize("query", ["queryText", "searchText", "query"])
def test_an_experiment_that_names_its_results_is_no_answer_of_a_search(query: str) -> None:
    """However it calls its queries, an experiment with evaluationId is refused: it holds no lists."""
    results = [{"evaluationId": "r1", "searchConfigurationId": "c1", query: "tv"}]
    experiment = stored({"id": "e1", "type": "POINTWISE_EVALUATION", "results": results})
    for source in (experiment, json.dumps(experiment).encode()):
        with pytest.raises(ReadError, match="holds none: ask the search engine for those of the experiment"):
            read_run(source)


def test_the_question_who_is_a_shows_the_order_of_the_experiment() -> None:
    """Names that do not tell which is A: the question has them in the order of searchConfigurationList."""
    shots = [{"searchConfigurationId": name, "docIds": ["d1", name]} for name in ("c2f0", "a917")]
    results = [{"queryText": "tv", "snapshots": shots}]
    experiment = stored({"id": "e1", "searchConfigurationList": ["a917", "c2f0"], "results": results})
    with pytest.raises(ReadError) as caught:
        two_models(read_models(experiment))
    assert 'names its search configurations in this order: "a917", "c2f0".' in str(caught.value)
    odd = stored({"id": "e1", "searchConfigurationList": [{"x": 1}], "results": results})
    with pytest.raises(ReadError) as caught:
        two_models(read_models(odd))
    assert "in this order" not in str(caught.value)


def test_the_queries_of_a_query_set_are_read() -> None:
    """Alone or as the answer to a search, a query set of OpenSearch has the texts of its queries, and nothing else."""
    for source in (QUERY_SET, stored(QUERY_SET), json.dumps(QUERY_SET).encode()):
        assert read_queries(source).table["query_id"].to_pylist() == ["tv", "radio"]


def test_answers_of_other_engines_have_ids_in_their_fields() -> None:
    """A field may be the document, by its path; one answer in memory names no query."""
    for path in ("fields.sku", "sku"):
        run = read_run({"tv": VESPA}, columns={"doc_id": path})
        assert run.table["doc_id"].to_pylist() == ["s1", "s2"]
        assert run.table["score"].to_pylist() == [0.03, 0.02]
    assert read_run({"tv": SOLR}, columns={"doc_id": "text"}).table["doc_id"].to_pylist() == ["a b", "c"]
    for source in (VESPA, SOLR):
        with pytest.raises(ReadError, match="names no query"):
            read_run(source)


def test_one_line_is_one_record() -> None:
    """JSON Lines of one line hold one query, or one vote, and not a query for each of its names."""
    for record in ({"qid": "1", "query": "laptop"}, {"id": "1", "question": "laptop"}):
        for source in (json.dumps(record).encode(), record):
            queries = read_queries(source).table
            assert (queries["query_id"].to_pylist(), queries["text"].to_pylist()) == (["1"], ["laptop"])
    assert read_votes(b'{"query_id": "tv", "vote": "good"}').table["query_id"].to_pylist() == ["tv"]
    with pytest.raises(ReadError, match="no column for the vote"):
        read_votes(b'{"qid": 1, "dummy-annotation": 1}')
    assert read_queries({"tv": "television", "radio": "wireless"}).table["query_id"].to_pylist() == ["tv", "radio"]
