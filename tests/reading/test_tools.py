"""What other tools write: read with these documents, or refused; docs/formats.md shows the way to a plain form."""

import copy
import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

import rankdash as rd
from rankdash.__main__ import main
from rankdash.reading import ReadError, read_judgments, read_models, read_queries, read_run, read_votes
from rankdash.reading.recognition import recognise
from tests.long import every
from tests.reading import other_tools
from tests.reading.other_tools import FAILED, MANY, PAIR, RATED, READ, RESULT, WITHDRAWN, answer, given, stored

READERS: dict[str, Callable[[Any], Any]] = {
    "run": read_run, "judgments": read_judgments, "models": read_models, "queries": read_queries,
}  # fmt: skip
DOCS = (Path(__file__).parents[2] / "docs" / "formats.md").read_text(encoding="utf-8")


def rows(kind: str, read: Any) -> Any:
    """What was read: (query, document) in the order of a list, with the grades of judgments, or by model."""
    if kind == "models":
        return {run.name: rows("run", run) for run in read.runs}
    table = read.table.to_pylist()
    if kind == "queries":
        return [row["query_id"] for row in table]
    if kind == "judgments":
        return [(row["query_id"], row["doc_id"], row["relevance"]) for row in table]
    queries = list(dict.fromkeys(row["query_id"] for row in table))
    ordered = sorted(table, key=lambda row: (queries.index(row["query_id"]), row.get("rank", 0)))
    return [(row["query_id"], row["doc_id"]) for row in ordered]


def codes(source: Any, kind: str = "run", level: str = "warning") -> set[str]:
    """The codes of the notes on a source."""
    read = READERS[kind](source)
    first = read.runs[0] if kind == "models" else read
    return {note.code for note in first.source.notes if note.level == level}


def refusal(source: Any, kind: str = "run", **how: Any) -> str:
    """The code by which a source is refused; "" where it is read."""
    try:
        READERS[kind](source, **how)
    except ReadError as error:
        return error.problems[0].code
    return ""


def outcome(kind: str, source: Any) -> Any:
    """What is read, or the code of the refusal."""
    return refusal(source, kind) or rows(kind, READERS[kind](source))


@pytest.mark.parametrize("name", READ)
def test_each_form_is_what_it_is_and_nothing_else(name: str) -> None:
    """Read as the kinds that it holds, with exactly these rows and warnings; refused as all others."""
    source, expected, warned = READ[name]
    found = {kind: outcome(kind, source) for kind in READERS}
    assert {kind: own for kind, own in found.items() if not isinstance(own, str)} == expected
    assert set().union(*(codes(source, kind) for kind in expected)) == warned
    if isinstance(source, (dict, list)) and not hasattr(next(iter(source)), "_fields"):
        source = json.dumps(source, default=lambda own: own.body).encode()
        assert {kind: outcome(kind, source) for kind in READERS} == found
    if isinstance(source, bytes):
        assert recognise(source).kind in expected


TEXTS = {
    name: (source if isinstance(source, bytes) else json.dumps(source, indent=1).encode(), expected)
    for name, (source, expected, _) in READ.items()
    if (isinstance(source, bytes) and source[:4] != b"PAR1")
    or (isinstance(source, (dict, list)) and "client" not in name and "ir_measures" not in name)
}


def test_a_file_that_ends_too_early_is_never_another_grade() -> None:
    """Of a text whose end is missing documents may be missing, and no document has another grade."""
    for name, (content, expected) in TEXTS.items():
        for end in (len(content) // 2, len(content) - 3):
            found = outcome("judgments", content[:end])
            if "judgments" in expected and "CSV" not in name and "export" not in name and not isinstance(found, str):
                assert {*found} <= {*expected["judgments"]}, name


def _places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The paths to everything within a value."""
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for name, own in inner:
        yield (*path, name)
        yield from _places(own, (*path, name))


def _changed(value: Any, path: tuple[Any, ...], new: Callable[[Any], Any]) -> Any:
    made = at = copy.deepcopy(value)
    for name in path[:-1]:
        at = at[name]
    at[path[-1]] = new(at[path[-1]])
    return made


JSON = {
    name: (source, expected)
    for name, (source, expected, _) in READ.items()
    if isinstance(source, (dict, list)) and name in TEXTS and not name.startswith(("BEIR", "ir_"))
}


@pytest.mark.parametrize("name", every(2, JSON))
def test_no_member_of_another_type_is_a_traceback_or_loses_a_list(name: str) -> None:
    """Whatever stands in the place of any member: a ReadError, or a table; null in a list of objects takes no row."""
    source, expected = JSON[name]
    for path in _places(source):
        for new in (None, "x", [None], {"x": {"y": 1}}):
            changed = _changed(source, path, lambda _, new=new: new)
            for kind in READERS:
                outcome(kind, changed)
        beside = _changed(source, path, lambda own: [*own, None] if isinstance(own, list) and own else own)
        for kind, own in expected.items():
            assert outcome(kind, beside) == own or refusal(beside, kind) or codes(beside, kind) & {"left_out"}


@pytest.mark.parametrize("name", [name for name, (source, _) in JSON.items() if isinstance(source, dict)])
def test_an_unknown_member_changes_nothing(name: str) -> None:
    """A member that no reader knows is left unread, wherever it stands."""
    source, expected = JSON[name]
    if not any(isinstance(own, dict) and "hits" in own for own in source.values()) or "hits" in source:
        for more in ({"surprise": {"x": 1}, **source}, {**source, "surprise": ["y"]}):
            assert {kind: outcome(kind, more) for kind in expected} == expected


# --- searches --------------------------------------------------------------------------------------------------------


def test_hits_stand_in_their_order_whatever_their_scores_and_what_describes_them() -> None:
    """A search may sort by something else; what is stored under a hit names neither its query nor its document."""
    for more in ({"query": "x"}, {"query_id": "x", "doc_id": "y"}, {"rank": 9, "score": 0.5}, {"user": {"id": "x"}}):
        found = answer(("d1", 1.0), ("d2", 2.0), **more)
        for source in (
            {"tv": found},
            [{"query": "tv", **found}],
            other_tools.lines({"query": "tv", "response": found}),
        ):
            run = read_run(source)
            assert rows("run", run) == other_tools.LISTS
            assert run.ordered_by == "rank"
            assert run.table["title"].to_pylist() == ["d1", "d2"]
        assert refusal(found) == "missing_column"
        assert refusal({"tv": found}, "judgments") == "other_kind"


@pytest.mark.parametrize("field", ["sku", "_source.sku", "product.id", "_source.product.id", "_id"])
def test_the_document_may_be_a_stored_field(field: str) -> None:
    """By its name or its path, in every form of answers; refused where a hit lacks it. A number of a product that is
    not the id is offered, and that it was not read is a warning.
    """
    found = answer(("x1", 2.0), ("x2", 1.0))
    for place, hit in enumerate(found["hits"]["hits"], start=1):
        hit["_source"] |= {"sku": f"d{place}", "product": {"id": f"d{place}", "tags": ["a"]}}
    own = ["x1", "x2"] if field == "_id" else ["d1", "d2"]
    for source in ({"tv": found}, {"responses": [found]}, [found], other_tools.lines({"query": "tv", **found})):
        run = read_run(source, columns={"doc_id": field})
        assert run.table["doc_id"].to_pylist() == own
        assert "column_passed_over" in codes(source, "run")
    del found["hits"]["hits"][1]["_source"]
    for odd in (field, "asin", "product.tags"):
        assert refusal({"tv": found}, columns={"doc_id": odd}) or odd == "_id"


@pytest.mark.parametrize("more", [{"timed_out": True}, {"_shards": {"total": 2, "failed": 1}}])
def test_searches_that_ended_before_their_time_are_a_warning(more: dict[str, Any]) -> None:
    """Of queries, and of what a tool stored."""
    for source, kind in (
        ({"tv": {**other_tools.SEARCH, **more}}, "run"), ({"responses": [{**other_tools.SEARCH, **more}]}, "run"),
        ({**stored(RATED), **more}, "judgments"), ({**stored(RESULT), **more}, "run"),
        ({**stored(PAIR), **more}, "models"),
    ):  # fmt: skip
        assert "searches_partial" in codes(source, kind)


@pytest.mark.parametrize("total", [{"value": 1_200, "relation": "eq"}, 1_200])
def test_answers_that_hold_the_first_of_many_stored_documents_say_so(total: Any) -> None:
    """Judgments and results of which the search returned ten are not all."""
    for source, kind in ((stored(RATED), "judgments"), (stored(RESULT), "run")):
        source["hits"]["total"] = total
        assert "first_of_many" in codes(source, kind)


@pytest.mark.parametrize("source", [FAILED, [FAILED, FAILED], {"responses": [FAILED]}, {"tv": FAILED}])
def test_failures_alone_are_no_lists(source: Any) -> None:
    """An error in place of every answer is refused, whatever it is given as."""
    assert {refusal(source, kind) for kind in READERS} == {"other_kind"}


@pytest.mark.parametrize("kind", ["run", "models"])
def test_two_lists_of_a_query_are_never_one(kind: str) -> None:
    """Of one search configuration, in results and in an experiment; and snapshots of two times under one name."""
    assert refusal([RESULT, {**RESULT, "documentIds": ["d3"]}], kind) == "unclear"
    if kind == "models":
        assert refusal({**PAIR, "results": PAIR["results"] * 2}, kind) == "unclear"
    assert refusal([PAIR, PAIR], "models") == refusal([RATED, RATED], "judgments") == "unclear"


def test_variants_of_a_configuration_are_models() -> None:
    """Results under two sets of parameters are two models, and no run."""
    both = [{**RESULT, "experimentVariantParameters": own} for own in ("w=0.3", "w=0.5")]
    assert [run.name for run in read_models(both).runs] == ["old w=0.3", "old w=0.5"]
    assert refusal(both) == "other_kind"


def test_results_without_documents_are_counted_and_without_a_query_refused() -> None:
    """Null in the place of a list is an empty one; a text is none; a query that nobody names has no name."""
    assert "no_documents" in codes([RESULT, {**RESULT, "searchText": "radio", "documentIds": None}])
    result = PAIR["results"][0]
    assert "no_documents" in codes({**PAIR, "results": [result, {"queryText": "radio", "error": "x"}]}, "models")
    assert refusal([RESULT, {**RESULT, "searchText": "radio", "documentIds": "abc"}]) == "malformed"
    for name in (None, ["tv"]):
        assert refusal({**PAIR, "results": [{**result, "queryText": name}]}, "models") == "missing_value"
    newer = {**PAIR, "results": [{"query_text": "tv", **{k: v for k, v in result.items() if k != "queryText"}}]}
    assert rows("models", read_models(newer)) == other_tools.BOTH


# --- Quepid ----------------------------------------------------------------------------------------------------------


def test_a_snapshot_without_texts_goes_by_its_ids() -> None:
    """With a warning; so it does where two queries have one text. Both its run and its judgments."""
    for queries in (
        [{"query_id": 1, "ratings": {"d1": 3}}],
        [{"query_id": n, "query_text": "tv", "ratings": {"d1": 3}} for n in (1, 2)],
    ):
        source = {**other_tools.SNAPSHOT, "queries": queries}
        assert {query for query, _ in rows("run", read_run(source))} == {"1"}
        assert rows("judgments", read_judgments(source))[0] == ("1", "d1", 3.0)
        assert "quepid_ids" in codes(source) & codes(source, "judgments")


def test_every_rating_of_a_book_counts() -> None:
    """Two ratings by one rater count as their mean; ratings without a name each by itself."""
    for ratings, mean in (
        (((3, "a@x"), (0, "a@x"), (0.5, "b@x")), 1.0), (((3, "a@x"), (0, None), (0, None)), 1.0), (((2, None),), 2.0),
    ):  # fmt: skip
        pair = {**other_tools.BOOK["query_doc_pairs"][0], "judgements": [given(*own) for own in ratings]}
        assert rows("judgments", read_judgments({"query_doc_pairs": [pair]})) == [("tv", "d1", mean)]
    for odd in ("nan", "inf", True, 10**400, [3]):
        pair["judgements"] = [given(odd, "a@x")]
        assert refusal({"query_doc_pairs": [pair]}, "judgments") == "bad_value"
        assert (
            refusal({**other_tools.CASE, "queries": [{"query_text": "tv", "ratings": {"d1": odd}}]}, "judgments")
            == "bad_value"
        )


@pytest.mark.parametrize("columns", ["ctr", "bm25", "fold", "price,stock", "clicks,views", "alice"])
def test_what_is_no_person_is_no_rater(columns: str) -> None:
    """A column whose heading is neither an address nor a full name is no grade, unless somebody says so."""
    table = f"query,docid,{columns}\ntv,d1{',1' * len(columns.split(','))}\n".encode()
    assert refusal(table, "judgments") == "missing_column"
    chosen = read_judgments(table, columns={"relevance": columns.split(",")[-1]})
    assert rows("judgments", chosen) == [("tv", "d1", 1.0)]


def test_a_row_that_is_cut_elsewhere_is_refused() -> None:
    """A row with fewer cells that does not end with the query, and a grade of no document, are errors by row."""
    for text, code in (
        (f"{other_tools.TWO}s,Mon,7,tv,d1,1\ns,Mon,7,tv\n", "malformed"),
        ("query,docid,rating\ntv,d1,3\nradio,,1\n", "missing_value"),
        ("query,docid,Ann Lee\ntv,d1,3\nradio,d2,0.5\n", "bad_value"),
    ):
        with pytest.raises(ReadError) as caught:
            read_judgments(text.encode()) if text.startswith("query") else read_run(text.encode())
        assert (caught.value.problems[0].code, caught.value.problems[0].row) == (code, 3)


# --- ranx, MTEB, users -----------------------------------------------------------------------------------------------


def test_the_type_of_the_numbers_tells_runs_of_ranx_from_its_qrels() -> None:
    """Whole scores that are no whole numbers by their type are scores, and the reverse; who says so has the other."""
    run, qrels = (
        other_tools.parquet({"q_id": ["q", "q"], "doc_id": ["a", "b"], "score": own}) for own in ([3.0, 1.0], [3, 1])
    )
    assert [recognise(own).kind for own in (run, qrels)] == ["run", "judgments"]
    assert refusal(run, "judgments") == refusal(qrels) == "other_kind"
    assert read_run(qrels, columns={"score": "score"}).ordered_by == "score"
    assert read_judgments(run, columns={"relevance": "score"}).table["relevance"].to_pylist() == [3, 1]
    assert refusal(json.dumps(READ["BEIR: results"][0]).encode(), "judgments") == "other_kind"


def test_predictions_that_are_no_lists_or_of_several_splits_are_refused() -> None:
    """Labels of a classification are no documents; of two splits one is chosen by its name."""
    for split in ([1, 0, 1], [], {"tv": [1]}):
        assert refusal({"mteb_model_meta": {"model_name": "m"}, "default": {"test": split}}) == "unclear"
    both = {**READ["MTEB: predictions"][0]["default"], "dev": {"tv": {"d3": 1.0}}}
    two = {"mteb_model_meta": {}, "default": both}
    assert refusal(two) == "unclear"
    assert rows("run", read_run(two, member="dev")) == [("tv", "d3")]


@pytest.mark.parametrize("column", ["clicked", "target", "ctr", "price", "query"])
def test_what_users_did_not_take_has_no_grade(column: str) -> None:
    """A column beside users and items that is no date or time may say that an item was not taken."""
    table = f"user_id,item_id,{column}\nu,i,1\nu,j,0\n".encode()
    assert refusal(table, "judgments") == "missing_column"
    assert rows("judgments", read_judgments(table, columns={"relevance": column})) == [("u", "i", 1.0), ("u", "j", 0.0)]
    assert refusal(b"query_id,doc_id\nq,a\n", "judgments") == "missing_column"


# --- what is withdrawn -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", WITHDRAWN)
def test_withdrawn_forms_are_refused(name: str) -> None:
    """Never read as something else, whatever they are given as."""
    source, code = WITHDRAWN[name]
    assert refusal(source) == code
    assert all(refusal(source, kind) for kind in ("run", "judgments", "models"))
    with pytest.raises(ReadError):
        read_votes(source)


PLAIN = dict(re.findall(r"^\| ([^|`]+) \| `(.+)` \|$", DOCS, re.MULTILINE))


@pytest.mark.parametrize("name", PLAIN)
def test_the_documents_show_the_plain_form_of_what_is_withdrawn(name: str) -> None:
    """The line of docs/formats.md makes of ``x``, the parsed file, what is read with the same documents."""
    source = WITHDRAWN[name][0]
    x = source.decode() if isinstance(source, bytes) else source
    made = eval(PLAIN[name], {"x": x, "pd": pd})
    made = made.encode() if isinstance(made, str) else made
    found = [outcome(kind, made) for kind in ("run", "judgments", "models")]
    ids = (
        [(str(q), str(d)) for q, row in enumerate(source.tolist()) for d in row if d >= 0]
        if "NumPy" in name
        else other_tools.LISTS
    )
    ones = [(query, own, 1.0) for query, own in other_tools.LISTS]
    assert any(own in (ids, other_tools.GRADES, other_tools.BOTH, ones) for own in found)


def test_each_withdrawn_form_is_in_the_documents() -> None:
    """With its line, or as one that holds nothing to be read."""
    assert {name for name in WITHDRAWN if f"| {name} |" not in DOCS} == set()


@pytest.mark.parametrize("queries", [["tv", "radio", "mp3"], ["a", "b", "tv"]])
def test_answers_that_name_no_queries_take_them_from_a_table_in_its_order(queries: list[str], tmp_path: Path) -> None:
    """In Python and at a shell; the values are those of named answers, and any other number of queries is refused."""
    named = dict(zip(queries, MANY["responses"], strict=True))
    judgments = {queries[0]: {"d2": 1}}
    table = [{"query_id": own, "text": own} for own in queries]
    expected = rd.compare(named, named, judgments)
    found = rd.compare(MANY, MANY, judgments, queries=table)
    assert found.primary.paired == expected.primary.paired
    for wrong in (table[:2], [*table, {"query_id": "more", "text": "x"}]):
        with pytest.raises(ReadError) as error:
            rd.compare(MANY, MANY, judgments, queries=wrong)
        assert error.value.problems[0].code == "unclear"
    files = {"a.json": MANY, "q.json": judgments, "all.json": table, "few.json": table[:2]}
    for name, value in files.items():
        (tmp_path / name).write_text(json.dumps(value))
    a, grades, every, few = (str(tmp_path / name) for name in ("a.json", "q.json", "all.json", "few.json"))
    assert main(["compare", a, a, "-q", grades, "--queries", every, "--quiet"]) != 2
    assert main(["compare", a, a, "-q", grades, "--queries", few]) == 2
