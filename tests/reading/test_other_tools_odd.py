"""Odd files of other tools: repeated, in part or not what they look like. They are refused or noted, never guessed."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from rankdash.reading import ReadError, read_judgments, read_models, read_run
from tests.reading.other_tools import BOOK, MANY, PAIRWISE, RANK_EVAL, RATED, RRE_GAINS, RRE_LISTS, STUDIO, TWO, stored

RESULT = {"searchConfigurationId": "old", "searchText": "tv", "documentIds": ["d1", "d2"], "metrics": []}
JUDGMENT = {"workspace_id": "w", "scenario_id": "tv", "doc_id": "d1", "rating": 3}
Path = tuple[str | int, ...]
SHOTS: Path = ("hits", "hits", 0, "_source", "results", 0, "snapshots")


def _as_json(value: Any) -> bytes:
    return json.dumps(value).encode()


def _changed(value: Any, path: Path, new: Callable[[Any], Any]) -> Any:
    """A copy of a value in which what stands at a path is replaced."""
    copy = json.loads(json.dumps(value))
    *above, last = path
    at = copy
    for name in above:
        at = at[name]
    at[last] = new(at[last])
    return copy


def _with_null(value: Any, *path: str | int) -> Any:
    return _changed(value, path, lambda items: [*items, None])


def _pair(shots: list[dict[str, Any]]) -> Any:
    return _changed(PAIRWISE, SHOTS, lambda _: shots)


def _refusal(value: Any) -> str:
    """The sentence by which a value is refused as a run; none where it is read."""
    try:
        read_run(_as_json(value))
    except ReadError as error:
        return str(error)
    return ""


@pytest.mark.parametrize("reader", [read_run, read_models])
def test_results_of_two_experiments_are_never_one_list(reader: Callable[[Any], Any]) -> None:
    """The same query and search configuration twice is refused, with the query and the configuration."""
    twice = stored(RESULT, {**RESULT, "documentIds": ["d3"]})
    with pytest.raises(ReadError, match='two lists of the query "tv" for the search configuration "old"') as caught:
        reader(_as_json(twice))
    assert "one experiment" in str(caught.value)


def test_two_snapshots_of_a_configuration_are_never_one_list() -> None:
    """A query of a pairwise experiment that comes twice, or twice for one configuration, is refused."""
    old = {"searchConfigurationId": "old", "docIds": ["d1"]}
    with pytest.raises(ReadError, match='two lists of the query "tv"'):
        read_models(_as_json(_pair([old, {**old, "docIds": ["d2"]}])))
    with pytest.raises(ReadError, match='two lists of the query "tv"'):
        read_models(_as_json(_changed(PAIRWISE, SHOTS[:-2], lambda results: results * 2)))


@pytest.mark.parametrize("more", [{"rank": 1}, {"query_id": "q"}, {"score": 0.5}, {"model": "m"}])
def test_a_table_with_scenarios_is_no_judgement_of_studio(more: dict[str, Any]) -> None:
    """Records that have a column of a run or of a combined file are read by it, and not refused as judgements."""
    rows = [{**JUDGMENT, **more}, {**JUDGMENT, "doc_id": "d2", **more}]
    assert "Relevance Studio" not in _refusal(rows)


def test_workspaces_that_contradict_each_other_are_refused() -> None:
    """Two workspaces that rate a document of a scenario differently are named."""
    other = {**JUDGMENT, "workspace_id": "v", "rating": 0}
    for held in ([JUDGMENT, other], stored(JUDGMENT, other)):
        with pytest.raises(ReadError, match='workspaces "w", "v" rate the document "d1" differently'):
            read_judgments(_as_json(held))


def test_a_judgement_that_is_no_object_is_refused_far_down() -> None:
    """An item that is no object, beyond those by which the form is recognised, is named by its number."""
    many = [{**JUDGMENT, "doc_id": f"d{number}"} for number in range(9)]
    with pytest.raises(ReadError, match="item 10 of the list is no object"):
        read_judgments(_as_json([*many, None]))


def test_searches_without_hits_are_no_evaluation_of_studio() -> None:
    """An object with results and searches, but no lists of hits, is not taken for an evaluation."""
    results = [{"strategy_id": name, "searches": [{"scenario_id": "tv"}]} for name in ("old", "new")]
    assert "strategies" not in _refusal({"results": results})


OF_RATED: Path = ("hits", "hits", 0, "_source", "judgmentRatings")
WITH_NULL = (
    (read_judgments, _with_null(RATED, *OF_RATED), "judgmentRatings"),
    (read_judgments, _with_null(RATED, *OF_RATED, 0, "ratings"), "ratings"),
    (read_run, _with_null(RANK_EVAL, "details", "tv", "hits"), "hits"),
    (read_judgments, _with_null(RRE_LISTS, "queries"), "queries"),
    (read_judgments, _with_null(RRE_GAINS, "topics", 0, "query_groups"), "query_groups"),
    (read_judgments, _with_null(RRE_GAINS, "topics", 0, "query_groups", 0, "queries"), "queries"),
    (read_judgments, _with_null(BOOK, "query_doc_pairs"), "query_doc_pairs"),
    (read_judgments, _with_null(BOOK, "query_doc_pairs", 0, "judgements"), "judgements"),
    (read_models, _with_null(STUDIO, "results"), "results"),
    (read_models, _with_null(STUDIO, "results", 0, "searches", 0, "hits"), "hits"),
    (read_models, _with_null(PAIRWISE, *SHOTS), "snapshots"),
    (read_models, _with_null(PAIRWISE, "hits", "hits"), "hits"),
    (read_run, _with_null(MANY, "responses"), "responses"),
    (read_run, _with_null(MANY, "responses", 0, "hits", "hits"), "hits"),
)


@pytest.mark.parametrize(("reader", "source", "name"), WITH_NULL, ids=[name for _, _, name in WITH_NULL])
def test_a_list_with_an_item_that_is_no_object_is_refused(reader: Callable[[Any], Any], source: Any, name: str) -> None:
    """Where a form has objects in a list, null among them is refused by its place, and no list vanishes."""
    with pytest.raises(ReadError, match=f'item [0-9]+ of "{name}" is no object'):
        reader(_as_json(source))


def test_ratings_that_are_no_list_are_refused() -> None:
    """An object in the place of a list does not make a query vanish."""
    with pytest.raises(ReadError, match='"ratings" is no list'):
        read_judgments(_as_json(_changed(RATED, (*OF_RATED, 0, "ratings"), lambda _: {"d1": 3})))


def test_relevant_documents_that_are_a_list_are_refused() -> None:
    """A query of RRE whose relevant documents have no grades is refused beside a proper one."""
    bare = {"placeholders": {"$query": "radio"}, "relevant_documents": ["d1"]}
    with pytest.raises(ReadError, match='"relevant_documents" of a query is no object'):
        read_judgments(_as_json(_changed(RRE_LISTS, ("queries",), lambda queries: [*queries, bare])))


@pytest.mark.parametrize("query", [None, ["tv"], True])
def test_placeholders_that_are_no_texts_name_no_query(query: Any) -> None:
    """A placeholder of RRE is a text or a whole number; null is no query of the name "None"."""
    path: Path = ("queries", 0, "placeholders", "$query")
    with pytest.raises(ReadError, match=r'placeholder "\$query" of a query is neither a text nor a whole number'):
        read_judgments(_as_json(_changed(RRE_LISTS, path, lambda _: query)))
    seven = read_judgments(_as_json(_changed(RRE_LISTS, path, lambda _: 7)))
    assert set(seven.table["query_id"].to_pylist()) == {"7"}


def test_relevant_documents_without_placeholders_are_not_of_rre() -> None:
    """An object with queries and relevant documents, but no placeholders, is not refused as ratings of RRE."""
    held = {"queries": [{"query": "tv", "relevant_documents": {"d1": 3}}]}
    assert "Rated Ranking Evaluator" not in _refusal(held)


def test_results_without_documents_are_counted() -> None:
    """Results whose list is null or empty, and hits without a source, are in the notes."""
    held = stored(RESULT, {**RESULT, "searchText": "radio", "documentIds": None})
    held = _changed(held, ("hits", "hits"), lambda hits: [*hits, {"_id": "x"}])
    run = read_run(_as_json(held))
    assert run.table["query_id"].to_pylist() == ["tv", "tv"]
    assert "1 result without documents." in run.source.notes
    assert "1 hit without documents: it has no _source." in run.source.notes
    empty = {"searchConfigurationId": "third", "docIds": []}
    models = read_models(_as_json(_changed(PAIRWISE, SHOTS, lambda shots: [*shots, empty])))
    assert "1 result without documents." in models.runs[0].source.notes


def test_a_text_is_no_list_of_documents() -> None:
    """A text in the place of a list of ids is refused, and not read letter by letter."""
    shot = {"searchConfigurationId": "new", "docIds": "abc"}
    with pytest.raises(ReadError, match='the documents of the query "tv" are no list'):
        read_models(_as_json(_changed(PAIRWISE, (*SHOTS, 1), lambda _: shot)))
    with pytest.raises(ReadError, match='the documents of the query "radio" are no list'):
        read_run(_as_json(stored(RESULT, {**RESULT, "searchText": "radio", "documentIds": "abc"})))
    held = {"results": [{"queryText": "tv", "snapshots": [{"name": "x"}]}]}
    assert "pairwise" not in _refusal(held)


def _sorted_otherwise(document: str, score: float) -> dict[str, Any]:
    return {"_index": "shop", "_id": document, "_score": score}


BY_PRICE = [_sorted_otherwise("first", 1.0), _sorted_otherwise("second", 2.0)]
ANSWER = {"took": 1, "timed_out": False, "_shards": {"total": 2, "failed": 0}, "hits": {"hits": BY_PRICE}}
RATED_BY_PRICE = {
    "metric_score": 0.5,
    "details": {"tv": {"hits": [{"hit": hit, "rating": 1} for hit in BY_PRICE]}},
}


@pytest.mark.parametrize(
    "value",
    [
        RATED_BY_PRICE,
        {"responses": [ANSWER]},
        {"tv": ANSWER},
        {"tv": {"hits": BY_PRICE}},
    ],
)
def test_hits_stand_in_their_order_whatever_their_scores(value: Any) -> None:
    """Where a search sorts by something else, the first hit is the first, and not the one with the best score."""
    for source in (_as_json(value), value):
        run = read_run(source)
        assert run.table["doc_id"].to_pylist() == ["first", "second"]
        assert run.table["rank"].to_pylist() == [1, 2]


def test_large_answers_by_query_stand_in_their_order() -> None:
    """Answers by query that are read member by member have the order of the hits, too."""
    many = {f"q{number}{'x' * 500}": ANSWER for number in range(4_000)}
    run = read_run(_as_json(many))
    assert run.table["doc_id"].to_pylist() == ["first", "second"] * len(many)


PARTIAL = ({"timed_out": True}, {"_shards": {"total": 2, "failed": 1}})


@pytest.mark.parametrize("more", PARTIAL)
def test_searches_that_ended_before_their_time_are_named(more: dict[str, Any]) -> None:
    """An answer that timed out or lacks a shard is named in the notes, by its query where it has one."""
    notes = read_run(_as_json({"responses": [ANSWER, {**ANSWER, **more}]})).source.notes
    assert 'Searches timed out or failed in part, so that documents may be missing: "2".' in notes
    what = "A search timed out or failed in part, so that documents may be missing."
    assert what in read_run(_as_json({"tv": ANSWER, "radio": {**ANSWER, **more}})).source.notes
    assert what not in read_run(_as_json({"tv": ANSWER})).source.notes
    for source, reader in ((RATED, read_judgments), (stored(RESULT), read_run), (PAIRWISE, read_models)):
        read = reader(_as_json({**source, **more}))
        first = read.runs[0] if reader is read_models else read
        assert what in first.source.notes
        whole = reader(_as_json(source))
        assert not any("missing" in note for note in (whole.runs[0] if reader is read_models else whole).source.notes)


@pytest.mark.parametrize("total", [{"value": 1_200, "relation": "eq"}, 1_200])
def test_answers_that_hold_the_first_of_many_say_so(total: Any) -> None:
    """Stored results and judgments of which the search returned the first alone are counted in a note."""
    for source, reader in ((RATED, read_judgments), (stored(RESULT), read_run)):
        held = _changed(source, ("hits", "total"), lambda _: total)
        assert "The answer holds 1 of 1,200 hits: the search asked for no more." in reader(_as_json(held)).source.notes


@pytest.mark.parametrize("reader", [read_run, read_models])
def test_two_snapshots_of_one_name_are_never_one_list(reader: Callable[[Any], Any]) -> None:
    """Snapshots of Quepid that were taken at two times under one name are refused, with the name and the times."""
    rows = "old,Mon,7,tv,d1,1\nold,Mon,7,tv,d2,2\n"
    with pytest.raises(ReadError, match='snapshots of 2 times are called "old": "Mon", "Tue"'):
        reader(f"{TWO}{rows}old,Tue,7,tv,d2,1\nold,Tue,7,tv,d3,2\n".encode())
    assert reader(f"{TWO}{rows}old,,8,radio,d1,1\n".encode())
