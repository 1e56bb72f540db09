"""What search engines and their tools answer is never taken for something else: refused by name, or read as it is."""

from __future__ import annotations

import json
from typing import Any

import pytest

from rankdash.reading import ReadError, read_judgments, read_models, read_queries, read_run, read_votes, recognise
from tests.reading.other_tools import EVALUATED, FIRST, JUDGED, LISTS, RANK_EVAL, RATED, answer

READERS = (read_run, read_models, read_judgments, read_queries, read_votes)
SEARCH = answer(("d1", 2.5), ("d2", 1.5))
FAILED = {"error": {"root_cause": [{"type": "x"}], "type": "parsing_exception", "reason": "x"}, "status": 400}


def lines(*values: Any) -> bytes:
    """Values as JSON, one a line."""
    return "".join(f"{json.dumps(value)}\n" for value in values).encode()


def forms(values: list[Any]) -> tuple[Any, ...]:
    """A list in memory, as JSON and a value a line."""
    return (values, json.dumps(values).encode(), lines(*values))


def rows(source: Any) -> list[tuple[str, str]]:
    """The query and the document of each row of a run."""
    return [(row["query_id"], row["doc_id"]) for row in read_run(source).table.to_pylist()]


@pytest.mark.parametrize("score", [1.0, None])
def test_hits_in_a_list_are_neither_votes_nor_queries(score: Any) -> None:
    """An export of documents with their ids and scores: no score is a vote, and no document is a query."""
    hits = [{"_index": "shop", "_id": f"x{n}", "_score": score, "_source": {"title": "TV"}} for n in range(3)]
    for source in forms(hits)[1:]:
        for read in (read_votes, read_queries):
            with pytest.raises(ReadError, match=r'these are hits of a search engine, .* stands in their "_source"'):
                read(source)
        assert recognise(source).kind not in ("votes", "queries")


def test_what_is_exported_from_the_indices_of_tools_is_read_as_found_there() -> None:
    """Hits in a list, or what is stored in them: evaluation results, judgements of the Studio, lists of judgments."""
    for answered, read in ((EVALUATED, read_run), (JUDGED, read_judgments), (RATED, read_judgments)):
        hits = answered["hits"]["hits"]
        whole: Any = read(answered)
        for source in (*forms(hits)[1:], *(forms([hit["_source"] for hit in hits])[1:] if answered != RATED else ())):
            assert read(source).table.to_pylist() == whole.table.to_pylist()


def test_evaluation_results_of_two_configurations_a_line_are_two_models() -> None:
    """Never one run, whose queries would be the ids of the results."""
    (hit,) = EVALUATED["hits"]["hits"]
    both = [{**hit["_source"], "id": f"r{n}", "searchConfigurationId": name} for n, name in enumerate(("old", "new"))]
    for source in forms(both)[1:]:
        with pytest.raises(ReadError, match="the lists of 2 search configurations"):
            read_run(source)
        assert [run.name for run in read_models(source).runs] == ["old", "new"]


def test_answers_by_model_and_query_are_both_models() -> None:
    """As a run they are refused: no query is a document. A search that failed is named, and the lists are read."""
    both = {"old": {"tv": SEARCH, "radio": FAILED}, "new": {"tv": SEARCH, "radio": SEARCH}}
    for source in (both, json.dumps(both).encode()):
        with pytest.raises(ReadError, match='"tv" has an object where the number of a document should stand'):
            read_run(source)
        old, new = read_models(source).runs
        assert [(row["query_id"], row["doc_id"]) for row in old.table.to_pylist()] == FIRST
        assert new.table.num_rows == 4
        assert any('there is no list: "radio".' in note for note in old.source.notes)


@pytest.mark.parametrize(
    "around",
    [
        lambda body: {"status": 200, "body": body},
        lambda body: {"id": "F", "is_partial": False, "response": body},
        lambda body: {"details": {"tv": body}},
    ],
)
def test_what_stands_around_an_answer_is_no_document(around: Any) -> None:
    """{query: {"status": 200, "body": answer}} has no documents called status and body."""
    given = {"tv": around(SEARCH), "radio": around(SEARCH)}
    for read in (read_run, read_judgments):
        with pytest.raises(ReadError):
            read(json.dumps(given).encode())


def test_hits_without_ids_by_query_are_no_models() -> None:
    """With filter_path=hits.hits._source: the member hits is no query of a model called as the query is."""
    bare = {"hits": {"hits": [{"_source": {"sku": "d1", "title": "x"}}, {"_source": {"sku": "d2", "title": "y"}}]}}
    given = json.dumps({"tv": bare, "radio": bare}).encode()
    with pytest.raises(ReadError, match="no column for the model"):
        read_models(given)
    assert recognise(given).kind == "run"
    assert rows(given)[:2] == LISTS


@pytest.mark.parametrize("given", [FAILED, {"took": 1, "responses": [FAILED, FAILED]}, {"error": "x", "status": 404}])
def test_an_error_of_a_search_engine_is_one(given: dict[str, Any]) -> None:
    """Alone, or in place of every answer, it is refused by name, whatever it is given as."""
    for read in READERS:
        with pytest.raises(ReadError, match="this is the error of a search engine"):
            read(given)


def test_what_the_studio_keeps_for_itself_is_refused() -> None:
    """Scenarios, strategies and evaluations that are not completed are no list of a query called as the file is."""
    kept = {"workspace_id": "w", "name": "n", "values": {"text": "tv"}}
    hit = {"_index": "esrs-scenarios-1", "_id": "s1", "_score": 1.0, "_source": kept}
    for read in READERS:
        with pytest.raises(ReadError, match="this is what Relevance Studio keeps for itself"):
            read({"took": 1, "timed_out": False, "hits": {"hits": [hit]}})


def test_a_rank_evaluation_is_one_in_part_and_of_older_versions() -> None:
    """Its details alone under their name, and quality_level for metric_score, are read; scores alone are no lists."""
    details = RANK_EVAL["details"]
    older = {"quality_level": 0.5, "details": {"tv": {**details["tv"], "metric_details": {"precision": {}}}}}
    for given in ({"details": details}, older):
        assert rows(given) == LISTS
        assert read_judgments(given).table.num_rows == 2
    assert any("printed 0.5 as precision" in note for note in read_run(older).source.notes)
    empty = {"metric_score": 0.0, "details": {}, "failures": {"tv": FAILED}}
    for given in ({"metric_score": 0.5, "details": {"tv": {"metric_score": 0.5}}}, empty):
        for read in (read_run, read_judgments):
            with pytest.raises(ReadError, match="there are no documents in the lists"):
                read(given)
    assert rows({"details": ["d1", "d2"]}) == [("details", "d1"), ("details", "d2")]
