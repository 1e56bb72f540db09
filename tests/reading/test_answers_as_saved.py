"""Answers of search engines as people save them: clients' objects, one a line, failures among them, stored fields."""

from __future__ import annotations

import json
from types import SimpleNamespace
from typing import Any

import pytest

from rankdash.reading import ReadError, read_judgments, read_models, read_queries, read_run, read_votes, recognise
from tests.reading.other_tools import GRADES, LISTS, RANK_EVAL, STUDIO, answer, stored

FAILED = {"error": {"type": "parsing_exception", "reason": "x"}, "status": 400}
NO_HITS = {"took": 1, "timed_out": False, "hits": {"total": {"value": 0}, "max_score": None, "hits": []}}
SEARCH = answer(("d1", 2.5), ("d2", 1.5))


def rows(source: Any, **how: Any) -> list[tuple[str, str]]:
    """The query and the document of each row of a run."""
    return [(row["query_id"], row["doc_id"]) for row in read_run(source, **how).table.to_pylist()]


def lines(*values: Any) -> bytes:
    """Values as JSON, one a line."""
    return "".join(f"{json.dumps(value)}\n" for value in values).encode()


def client(body: Any) -> Any:
    """An answer as the Python client wraps it."""
    return SimpleNamespace(body=body, meta=SimpleNamespace(status=200))


def test_answers_of_the_client_are_read_by_query_and_in_a_list() -> None:
    """{query: answer} and [answer], all of them wrapped or some, as their bodies are."""
    plain = {"tv": SEARCH, "radio": FAILED, "pc": SEARCH}
    for given in ({query: client(body) for query, body in plain.items()}, {**plain, "tv": client(SEARCH)}):
        assert read_run(given).table.to_pylist() == read_run(plain).table.to_pylist()
        assert any('there is no list: "radio".' in note for note in read_run(given).source.notes)
    assert rows([client(SEARCH), SEARCH]) == [("1", "d1"), ("1", "d2"), ("2", "d1"), ("2", "d2")]
    with pytest.raises(ReadError, match="no column for the relevance"):
        read_judgments({"tv": client(SEARCH)})


@pytest.mark.parametrize("around", [lambda body: {"response": body}, lambda body: body], ids=["within", "beside"])
def test_a_query_a_line_with_its_answer_may_have_no_hits_or_have_failed(around: Any) -> None:
    """{"query": …, "response": answer}, or both in one: without hits it is counted, and named where it failed."""
    given = [{"query": name, **around(body)} for name, body in (("tv", SEARCH), ("radio", NO_HITS), ("pc", FAILED))]
    assert rows(lines(*given)) == LISTS
    notes = read_run(lines(*given)).source.notes
    assert "1 query has no documents." in notes
    assert 'Searches failed, so that there is no list: "pc".' in notes


def test_records_in_memory_are_read_as_in_a_file() -> None:
    """Hits stand in their order, whatever their scores; those without hits are counted, those that failed named."""
    rising = answer(("d1", 1.5), ("d2", 2.5))
    given = [{"query": "radio", "response": NO_HITS}, {"query": "tv", "response": rising}, {"query": "pc", **FAILED}]
    lists = [{"query": "radio", "hits": []}, {"query": "tv", "hits": rising["hits"]["hits"]}]
    for source in (given, lists):
        found = read_run(source)
        assert found.table.to_pylist() == read_run(lines(*source)).table.to_pylist()
        assert [(row["doc_id"], row["rank"]) for row in found.table.to_pylist()] == [("d1", 1), ("d2", 2)]
        assert found.ordered_by == "rank"
        assert "1 query has no documents." in found.source.notes


def test_requests_of_a_rank_evaluation_alone_are_judgments() -> None:
    """In memory as in a file: the id of a request is the query, the _id of a rating the document."""
    ratings = [{"_index": "shop", "_id": own, "rating": grade} for _, own, grade in GRADES]
    requests = [{"id": "tv", "request": {"query": {"match_all": {}}}, "ratings": ratings}]
    for source in (requests, json.dumps(requests).encode(), {"requests": requests}):
        found = read_judgments(source).table.to_pylist()
        assert [(row["query_id"], row["doc_id"], row["relevance"]) for row in found] == GRADES


def test_one_query_a_file_is_read_as_several_are() -> None:
    """A line with the query and its answer, within or beside, as a file of several such lines has it."""
    for given in ({"query": "tv", "response": SEARCH}, {"query": "tv", **SEARCH}, {"query_id": "tv", "result": SEARCH}):
        for source in (given, lines(given)):
            assert rows(source) == LISTS


def test_one_of_two_lists_of_a_query_may_be_empty() -> None:
    """Named by their sides, beside the query: a list without documents is none of the other model."""
    hits = SEARCH["hits"]["hits"]
    given = lines(
        {"query": "tv", "results_a": hits, "results_b": hits},
        {"query": "pc", "results_a": [], "results_b": hits},
        {"query": "radio", "results_a": [], "results_b": []},
    )
    first, second = read_models(given).runs
    assert [row["query_id"] for row in first.table.to_pylist()] == ["tv", "tv"]
    assert [row["query_id"] for row in second.table.to_pylist()] == ["tv", "tv", "pc", "pc"]
    assert "1 query has no documents." in first.source.notes
    assert first.table.column_names == second.table.column_names
    assert "results_a" not in first.table.column_names


@pytest.mark.parametrize("called", ["name", "product_name", "title"])
def test_the_title_of_a_hit_has_any_of_its_names(called: str) -> None:
    """As in other files, in each form of an answer."""
    given = json.loads(json.dumps(SEARCH))
    for hit in given["hits"]["hits"]:
        hit["_source"] = {called: "A TV", "tags": ["x"]}
    for source in ({"tv": given}, {"tv": given, "pc": FAILED}, {"took": 1, "responses": [given]}):
        assert read_run(source).table["title"].to_pylist() == ["A TV", "A TV"]


def test_details_of_a_rank_evaluation_alone_keep_the_order_of_their_hits() -> None:
    """Whatever the scores are: {query: {"hits": [{"hit": …, "rating": …}]}} is read as the whole answer is."""
    details = json.loads(json.dumps(RANK_EVAL["details"]))
    for hit, score in zip(details["tv"]["hits"], (1.0, 2.0), strict=True):
        hit["hit"]["_score"] = score
    for source in (details, json.dumps(details).encode(), {"metric_score": 0.5, "details": details}):
        assert rows(source) == LISTS
        assert [row["rank"] for row in read_run(source).table.to_pylist()] == [1, 2]
        assert read_run(source).ordered_by == "rank"


def test_what_is_no_failure_of_a_search_stays_refused() -> None:
    """A record without a document is no list, where no engine says that its search failed."""
    for odd in ({"error": None}, {"error": ""}, {"error": 3}, {"note": {"x": 1}}):
        with pytest.raises(ReadError):
            read_run(lines({"query": "tv", **SEARCH}, {"query": "radio", **odd}))
    table = [{"query": "tv", "doc_id": "d1", "score": 1.0, "error": "none"}]
    assert rows(lines(*table, *table)) == [("tv", "d1"), ("tv", "d1")]


@pytest.mark.parametrize("first", [SEARCH, NO_HITS, FAILED], ids=["hits", "none", "failed"])
def test_answers_one_a_line_that_name_no_queries_are_told_what_to_do(first: Any) -> None:
    """Neither numbered nor asked for a column of the query: the sentence says what they are."""
    with pytest.raises(ReadError, match=r"name no queries. Give {query: answer}: docs/formats.md"):
        read_run(lines(first, SEARCH))


def test_a_hit_shows_its_title_whatever_else_is_stored() -> None:
    """Lists and objects beside the title leave it shown, in each form of an answer, and are left unread by name."""
    given = answer(("d1", 2.5), ("d2", 1.5), tags=["a"], price={"eur": 3}, rank=9, brand="x")
    for source in ({"tv": given}, {"tv": given, "radio": FAILED}, lines(*[{"query": "tv", "response": given}] * 2)):
        run = read_run(source)
        assert run.table["title"].to_pylist()[:2] == ["d1", "d2"]
        assert run.table["rank"].to_pylist()[:2] == [1, 2]
        assert any('"_source.tags"' in note for note in run.source.notes)


def test_judgments_kept_in_a_search_engine_are_read_as_judgments() -> None:
    """Where every hit has a query, a document and a grade; given as a run, the answer is what it was."""
    kept = [{"query": "tv", "doc_id": own, "rating": grade, "tags": ["x"]} for _, own, grade in GRADES]
    other = [{"query_id": "tv", "docid": own, "relevance": grade} for _, own, grade in GRADES]
    for source in (stored(*kept), json.dumps(stored(*kept)).encode(), stored(*other)):
        found = read_judgments(source).table
        assert [(row["query_id"], row["doc_id"], row["relevance"]) for row in found.to_pylist()] == GRADES
    dumped = [{"_index": "j", "_id": f"x{n}", "_score": 1.0, "_source": one} for n, one in enumerate(kept)]
    for source in (lines(*dumped), json.dumps(dumped).encode()):
        found = read_judgments(source).table
        assert [(row["query_id"], row["doc_id"], row["relevance"]) for row in found.to_pylist()] == GRADES
    for source in (stored({"title": "TV", "rating": 4.5, "sku": "s"}), stored(kept[0], {"title": "TV"})):
        with pytest.raises(ReadError, match="It holds no grades"):
            read_judgments(source)
    with pytest.raises(ReadError, match="names no query"):
        read_run(stored(*kept))


def test_an_evaluation_of_rre_is_refused_by_name() -> None:
    """Its metrics by version are no lists of documents."""
    value = {"versions": {"v1.0": {"value": 0.5}, "v1.1": {"value": 0.7}}}
    given = {"name": "E", "metrics": {"P@1": value}, "corpora": [{"name": "c", "metrics": {}, "topics": []}]}
    for read in (read_run, read_models, read_judgments, read_queries, read_votes):
        with pytest.raises(ReadError, match="this is an evaluation of the Rated Ranking Evaluator"):
            read(given)
    with pytest.raises(ReadError, match="Rated Ranking Evaluator"):
        recognise(json.dumps(given).encode())


def test_an_evaluation_of_the_studio_has_the_judgements_that_were_in_force() -> None:
    """As judgments it has those of its runtime too, once each; as lists it says that its hits rate what they show."""
    more = {
        f"j{n}": {"scenario_id": "tv", "doc_id": own, "rating": grade, "index": "shop"}
        for n, (own, grade) in enumerate((("d1", 3), ("d2", 0), ("d9", 2)))
    }
    given = {**STUDIO, "runtime": {"judgements": more, "indices": {}}}
    found = read_judgments(given).table
    graded = [(row["doc_id"], row["relevance"]) for row in found.to_pylist() if row["relevance"] == row["relevance"]]
    assert graded == [("d1", 3.0), ("d2", 0.0), ("d9", 2.0)]
    for source, whole in ((given, "The same file as the judgments (-q FILE)"), (STUDIO, "The list of judgements")):
        notes = read_models(source).runs[0].source.notes
        assert any(note.endswith(f"recall and AP are too high. {whole} has all ratings.") for note in notes)


def test_strategies_of_the_studio_go_by_their_names() -> None:
    """Where each has a name of its own; scenarios keep their ids, and have their names as the texts of the queries."""
    runtime = {
        "scenarios": {"tv": {"name": "television"}},
        "strategies": {"old": {"name": "v1"}, "new": {"name": "v2"}},
    }
    first, second = read_models({**STUDIO, "runtime": runtime}).runs
    assert (first.name, second.name) == ("v1", "v2")
    assert [(row["query_id"], row["query_text"]) for row in first.table.to_pylist()] == [("tv", "television")] * 2
    assert "Strategies go by their names, scenarios by their ids." in first.source.notes
    for odd in ({"old": {"name": "v"}, "new": {"name": "v"}}, {"old": {"name": "v1"}, "new": {"name": " "}}, [], None):
        assert [run.name for run in read_models({**STUDIO, "runtime": {"strategies": odd}}).runs] == ["old", "new"]


def test_a_search_of_the_studio_that_was_not_made_is_named() -> None:
    """Neither hits nor metrics: it failed, or nothing judges its scenario."""
    given = json.loads(json.dumps(STUDIO))
    given["results"][1]["searches"] += [
        {"scenario_id": "radio", "metrics": {}, "hits": []},
        {"scenario_id": "pc", "metrics": {"ndcg": 0.0}, "hits": []},
    ]
    notes = read_models(given).runs[0].source.notes
    assert any(note.endswith('so that there is no list: "radio (new)".') for note in notes)


def test_a_failed_search_of_a_rank_evaluation_counts_as_a_missing_list() -> None:
    """The note says how it counts there and here, and what has all ratings."""
    notes = read_run({**RANK_EVAL, "failures": {"radio": FAILED}}).source.notes
    told = 'there is no list: "radio". They do not count there, and here as a query without a list does.'
    assert any(note.endswith(told) for note in notes)
