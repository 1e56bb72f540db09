"""JSON documents with several members: each kind of table is read from the member that holds it, in whatever order they
stand; the others are named.
"""

from __future__ import annotations

import itertools
import json
from typing import Any

import pytest

from rankdash.reading import Choice, ReadError, read_judgments, read_models, read_queries, read_run, recognise
from tests.long import every
from tests.reading.test_jsons import rows, text

SNAPSHOT: dict[str, Any] = {
    "id": 7,
    "name": "Friday",
    "docs": {
        "1": [
            {"id": "d1", "explain": "{}", "position": 1, "rated_only": False, "fields": {"title": "T", "id": "z"}},
            {"id": "d2", "explain": "{}", "position": 2, "rated_only": False, "fields": {"title": "U", "id": "z"}},
            {"id": "d9", "explain": "{}", "position": None, "rated_only": True, "fields": {"title": "V", "id": "z"}},
        ],
        "2": [{"id": "d3", "explain": "{}", "position": 1, "rated_only": False}],
    },
    "queries": [
        {"query_id": 1, "query_text": "star wars", "ratings": {"d2": 3, "d9": 1}},
        {"query_id": 2, "query_text": "moon", "ratings": {"d3": 0}},
    ],
    "scores": [{"query_id": 1, "score": 0.5, "all_rated": True}],
}
RUN = {"q": {"a": 1.5, "b": 2.5}}
QRELS = {"q": {"a": 1, "b": 0}}


def permuted(value: dict[str, Any], number: int) -> dict[str, Any]:
    """The same object with its members in another order."""
    names = next(itertools.islice(itertools.permutations(value), number, None))
    return {name: value[name] for name in names}


@pytest.mark.parametrize("number", range(0, 120, 7))
def test_a_snapshot_of_quepid_is_the_lists_that_it_shows(number: int) -> None:
    """As a run it is ``docs`` in their positions, as judgments the ratings, as queries their texts; notes say so."""
    content = text(permuted(SNAPSHOT, number))
    run = read_run(content)
    assert rows(run, "query_id", "doc_id", "rank") == [("1", "d1", 1), ("1", "d2", 2), ("2", "d3", 1)]
    assert 'The member "docs" was read.' in run.source.notes
    assert 'The member "queries" holds judgments: give the file as judgments to read them.' in run.source.notes
    (unread,) = [note for note in run.source.notes if note.startswith("Not read")]
    assert run.name == "Friday"
    for name in ("id", "queries", "scores", "fields.id", "documents where rated_only is true"):
        assert f'"{name}"' in unread
    judgments = read_judgments(content)
    assert rows(judgments, "query_id", "doc_id", "relevance") == [("1", "d2", 3), ("1", "d9", 1), ("2", "d3", 0)]
    assert 'The member "docs" holds lists: give the file as a run to read them.' in judgments.source.notes
    for table in (run, judgments):
        assert "Queries go by their ids in Quepid, not by their texts." in table.source.notes
    assert rows(read_queries(content), "query_id", "text") == [("1", "star wars"), ("2", "moon")]
    assert recognise(content).kind == "run"


@pytest.mark.parametrize("number", every(3, range(6)))
@pytest.mark.parametrize("large", ["docs", "queries", "both", "neither"])
def test_a_large_document_is_read_as_a_small_one_is(number: int, large: str) -> None:
    """Beyond 2 MB, where members are read as they come, the rows and the notes are the same in every order."""
    ids = [[f"d{q}-{i}-{'y' * 150}" for i in range(40)] for q in range(350)]
    docs = {str(q): [{"id": id_, "position": i + 1} for i, id_ in enumerate(own)] for q, own in enumerate(ids)}
    queries = [{"query_id": q, "ratings": {id_: i % 4 for i, id_ in enumerate(own)}} for q, own in enumerate(ids)]
    value = {
        "docs": docs if large in ("docs", "both") else dict(itertools.islice(docs.items(), 3)),
        "queries": queries if large in ("queries", "both") else queries[:3],
        "scores": [{"query_id": 1, "score": 0.5}],
    }
    content = text(permuted(value, number))
    assert (len(content) > 1 << 21) == (large != "neither")
    run, judgments = read_run(content), read_judgments(content)
    assert rows(run, "query_id", "doc_id", "rank") == [
        (q, doc["id"], doc["position"]) for q, listed in value["docs"].items() for doc in listed
    ]
    assert rows(judgments, "query_id", "doc_id", "relevance") == [
        (str(one["query_id"]), doc, grade) for one in value["queries"] for doc, grade in one["ratings"].items()
    ]
    assert {'The member "docs" was read.'} < set(run.source.notes)
    assert sum('"queries"' in note and '"scores"' in note for note in run.source.notes) == 1


@pytest.mark.parametrize(
    ("run", "judgments"),
    [
        ({"run": RUN}, {"qrels": QRELS}),
        ({"results": RUN}, {"judgments": QRELS}),
        ({"docs": {"q": ["b", "a"]}}, {"ratings": QRELS}),
        ({"data": [{"query_id": "q", "doc_id": d, "score": s} for d, s in RUN["q"].items()]},
         {"records": [{"query_id": "q", "doc_id": d, "relevance": g} for d, g in QRELS["q"].items()]}),
        ({"hits": [{"query": "q", "hits": [{"_id": d, "_score": s} for d, s in RUN["q"].items()]}]},
         {"queries": [{"query": "q", "ratings": [{"_id": d, "rating": g} for d, g in QRELS["q"].items()]}]}),
    ],
)  # fmt: skip
def test_lists_and_grades_in_one_document_are_never_confused(run: dict[str, Any], judgments: dict[str, Any]) -> None:
    """Whichever stands first: as a run the lists are read, as judgments the grades."""
    for value in ({**run, **judgments}, {**judgments, **run}, {"took": 3, **judgments, "meta": {"k": 1}, **run}):
        best = max(rows(read_run(text(value)), "doc_id", "score") if "docs" not in run else [("b", 1)],
                   key=lambda row: row[1])  # fmt: skip
        assert best[0] == "b"
        assert rows(read_judgments(text(value)), "doc_id", "relevance") == [("a", 1), ("b", 0)]


def test_two_lists_are_asked_for_and_can_be_chosen() -> None:
    """Where two members could be the run, the reader asks which; as the file with both models they are its two."""
    content = text({"bm25": RUN, "dense": {"q": {"b": 1}}, "qrels": QRELS, "k": 10})
    with pytest.raises(ReadError, match='a run could stand in several members: "bm25", "dense"') as error:
        read_run(content)
    assert (error.value.problems[0].code, error.value.choices) == (
        "unclear",
        (Choice("member", ("bm25", "dense"), "json"),),
    )
    assert rows(read_run(content, member="dense"), "doc_id") == [("b",)]
    assert [run.name for run in read_models(content).runs] == ["bm25", "dense"]
    assert 'Not read: "qrels", "k".' in read_models(content).runs[0].source.notes
    assert rows(read_judgments(content), "doc_id", "relevance") == [("a", 1), ("b", 0)]
    assert recognise(content).kind == "models"


def test_two_members_of_grades_are_asked_for() -> None:
    """Judgments of two raters in two members are not read by the first."""
    content = text({"ratings": QRELS, "grades": {"q": {"a": 3}}})
    with pytest.raises(ReadError, match='judgments could stand in several members: "ratings", "grades"'):
        read_judgments(content)
    assert rows(read_judgments(content, member="grades"), "doc_id", "relevance") == [("a", 3)]


def test_ratings_are_no_run() -> None:
    """Grades under their own name are refused as a run, by themselves and beside other members, with what to do."""
    alone = text({"queries": [{"query_id": 1, "ratings": {"a": 3, "b": 1}}]})
    with pytest.raises(ReadError, match='the documents stand in "ratings", which hold grades and no order'):
        read_run(alone)
    with pytest.raises(ReadError, match="no member of the JSON text holds a run") as error:
        read_run(text({"queries": [{"query_id": 1, "ratings": {"a": 3}}], "scores": [{"query_id": 1, "value": 2}]}))
    assert "Give it as judgments" in str(error.value)


def test_a_record_with_lists_and_ratings_is_read_by_its_lists() -> None:
    """Beside each other in a record, a run takes the documents and judgments the grades; the other is named."""
    content = text([{"query_id": "1", "docs": ["a", "b"], "ratings": {"a": 1}}])
    run, judgments = read_run(content), read_judgments(content)
    assert rows(run, "doc_id", "rank") == [("a", 1), ("b", 2)]
    assert 'Not read: "ratings".' in run.source.notes
    assert rows(judgments, "doc_id", "relevance") == [("a", 1)]
    assert 'Not read: "docs".' in judgments.source.notes


def test_what_stands_beside_the_lists_is_named() -> None:
    """Members around the hits of a query, and of an object whose name is taken, are said to be unread."""
    hits = {"took": 1, "hits": {"total": 9, "max_score": 3, "hits": [{"_id": "a", "_score": 3, "_source": {"t": "x"}}]}}
    run = read_run(text({"q": hits}))
    assert 'Not read: "hits.total", "hits.max_score", "took".' in [
        note.replace('"documents.', '"') for note in run.source.notes
    ]
    record = {"query_id": "q", "title": "of the query", "docs": [{"doc_id": "a", "score": 1, "title": "of a"}]}
    run = read_run(text([record]))
    assert rows(run, "title") == [("of a",)]
    assert 'Not read: "title".' in run.source.notes


def test_many_unread_names_are_counted() -> None:
    """A note names the first twenty, and says how many there are."""
    run = read_run(text({**{f"x{i}": i for i in range(300)}, "data": [{"query_id": "q", "doc_id": "a", "score": 1}]}))
    (note,) = [note for note in run.source.notes if note.startswith("Not read")]
    assert note.endswith('"x19", … (300 in all).')


@pytest.mark.parametrize("depth", [9, 300, 950])
def test_rows_below_many_names_are_refused(depth: int) -> None:
    """However deep the rows stand, the answer is a sentence."""
    content = b'{"data": ' * depth + b'{"q": {"a": 1}}' + b"}" * depth
    with pytest.raises(ReadError, match=r"names deep|nested too deeply"):
        read_run(content)
    large = json.dumps({"q": {f"{'d' * 100}{i}": i for i in range(30_000)}}).encode()
    with pytest.raises(ReadError, match=r"names deep|nested too deeply"):
        read_run(b'{"data": ' * depth + large + b"}" * depth)


@pytest.mark.parametrize("number", range(0, 5040, 701))
def test_a_snapshot_as_the_interface_gives_it_is_the_lists_that_it_shows(number: int) -> None:
    """The settings of its try, its scorer and the scores of its queries are no lists beside ``docs``."""
    scores = [{"id": 1, "query_id": 1, "score": 0.5, "all_rated": True}, {"id": 2, "query_id": 2, "score": 1.0}]
    settings = {"scorer": {"scale": [0, 1, 2, 3], "name": "nDCG@10"}, "try": {"args": {"q": ["x"]}, "try_number": 2}}
    content = text(permuted({**SNAPSHOT, **settings, "scores": scores}, number))
    assert recognise(content).kind == "run"
    assert rows(read_run(content), "query_id", "doc_id", "rank") == [("1", "d1", 1), ("1", "d2", 2), ("2", "d3", 1)]
    judgments = read_judgments(content)
    assert rows(judgments, "query_id", "doc_id", "relevance") == [("1", "d2", 3), ("1", "d9", 1), ("2", "d3", 0)]
    assert 'The member "docs" holds lists: give the file as a run to read them.' in judgments.source.notes


@pytest.mark.parametrize("names", [("docs", "queries"), ("queries", "docs")])
def test_a_large_snapshot_is_its_lists_whatever_stands_first(names: tuple[str, str]) -> None:
    """A snapshot whose ratings alone are more than is looked at is recognised as a run, in either order."""
    ratings = [{"query_id": n, "query_text": "t" * 600, "ratings": {"d1": n % 4}} for n in range(600)]
    lists = {str(n): [{"id": "d1", "position": 1}] for n in range(600)}
    members = {"docs": lists, "queries": ratings}
    content = text({"id": 7, "name": "Friday", **{name: members[name] for name in names}})
    found = recognise(content)
    assert (found.kind, found.snapshot[0]) == ("run", "Friday")


@pytest.mark.parametrize("size", every(2, [600, 4_000]))
def test_what_follows_a_large_beginning_is_looked_at(size: int) -> None:
    """A query behind its hits is theirs, and relevant documents behind the texts of queries are judgments, no run."""
    hits = [{"objectID": f"d{n}", "keywords": "k", "text": "t" * 600} for n in range(size)]
    answer = text({"hits": hits, "query": "tv"})
    assert recognise(answer).kind == "run"
    assert rows(read_run(answer), "query_id", "doc_id")[-1] == ("tv", f"d{size - 1}")
    texts = {f"q{n}": "t" * 600 for n in range(size)}
    relevant = {"queries": texts, "corpus": {"d1": "x"}, "relevant_docs": {query: ["d1"] for query in texts}}
    assert recognise(text(relevant)).kind == "judgments"
    assert len(read_judgments(text(relevant)).table) == size
    with pytest.raises(ReadError, match='Give it as judgments: "relevant_docs" could be such'):
        read_run(text(relevant))
