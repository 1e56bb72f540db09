"""Exports of Quepid as it writes them: queries without ratings or results, and quotes that are doubled."""

from __future__ import annotations

import json
from typing import Any

import pytest

from rankdash.reading import ReadError, read_judgments, read_queries, read_run, recognise

BASIC = "query,docid,rating\n"
DETAILED = "Team Name,Case Name,Case ID,Query Text,Doc ID,Doc Position,Title,Rating,price\n"


@pytest.mark.parametrize("above", ["", "\n"], ids=["", "below a blank line"])
@pytest.mark.parametrize(
    "radio", ["radio", "radio,,", '"radio, old",,', '"7"" radio"', "radio;;", '"a; b";;', "a, b;;"]
)
def test_a_query_that_nobody_rated_is_counted(above: str, radio: str) -> None:
    """A line of the basic export with a query alone, padded with empty cells or not, has no judgments and is noted;
    also where a spreadsheet saved it with semicolons.
    """
    rows = [BASIC.strip(), "tv,d1,3.0", "tv,d2,0.0"]
    if ";" in radio:
        rows = [row.replace(",", ";").replace(".0", ",0") for row in rows]
    content = "\n".join([f"{above}{rows[0]}", rows[1], radio, rows[2], ""]).encode()
    judgments = read_judgments(content)
    assert judgments.table.column("query_id").to_pylist() == ["tv", "tv"]
    assert judgments.table.column("relevance").to_pylist() == [3, 0]
    assert "1 query has no documents." in judgments.source.notes
    assert recognise(content).kind == "judgments"


def test_a_query_without_ratings_at_the_end_of_many_is_counted() -> None:
    """The rows that are looked at first need not hold it."""
    rows = "".join(f"q{n},d{n},{n % 3}.0\n" for n in range(20_000))
    assert "1 query has no documents." in read_judgments(f"{BASIC}{rows}radio,,\n".encode()).source.notes


def test_a_rating_without_a_document_is_refused() -> None:
    """A grade of no document is an error, in every export."""
    with pytest.raises(Exception, match="document id is empty"):
        read_judgments(f"{BASIC}tv,d1,3.0\nradio,,1.0\n".encode())


@pytest.mark.parametrize("radio", ["t,c,7,radio", "t,c,7,radio,,,,,", 't,"c, d",7,"old, radio"', 't,c,7,7"" radio'])
def test_a_query_without_results_is_counted(radio: str) -> None:
    """A row of the detailed export that ends with the query is one without documents, as a run and as judgments."""
    content = f'{DETAILED}t,c,7,tv,d1,1,"A title\nt,c,7,radio",3,9\n{radio}\nt,c,7,tv,d2,2,T,0,8\n'.encode()
    for table in (read_run(content), read_judgments(content)):
        assert table.table.column("doc_id").to_pylist() == ["d1", "d2"]
        assert "1 query has no documents." in table.source.notes
    assert read_run(content).table.column("title").to_pylist() == ["A title\nt,c,7,radio", "T"]


def test_ratings_of_what_was_shown_alone_are_noted() -> None:
    """The detailed export has no rated document that the search did not show, which makes ideal lists too low."""
    shown = read_judgments(f"{DETAILED}t,c,7,tv,d1,1,T,3,9\n".encode())
    assert any("are too high. Its Basic export has all ratings." in note for note in shown.source.notes)
    assert not any("Basic export" in note for note in read_judgments(f"{BASIC}tv,d1,3\n".encode()).source.notes)


def test_a_query_without_results_is_counted_where_a_spreadsheet_saved_it() -> None:
    """With semicolons between the cells a row of the detailed export that ends with the query is one, too."""
    content = f"{DETAILED}t,c,7,tv,d1,1,T,3,9\nt,c,7,radio,,,,,\n".replace(",", ";").encode()
    assert "1 query has no documents." in read_run(content).source.notes


def test_a_row_that_is_cut_elsewhere_is_refused() -> None:
    """A row with fewer cells that does not end with the query is an error."""
    with pytest.raises(Exception, match="5 cells where the header has 9"):
        read_run(f"{DETAILED}t,c,7,tv,d1,1,T,3,9\nt,c,7,tv,d2\n".encode())


NAMED: dict[str, Any] = {"id": 3, "name": "n", "time": "2026-05-10T09:00:00.000Z"}
RATED = [{"query_id": 1, "query_text": "tv", "ratings": {"d1": 3}}]
TRY = {"scorer": {"scale": [0, 1]}, "try": {"args": {"q": ["x"]}}}


@pytest.mark.parametrize(
    "value",
    [
        {**NAMED, "has_snapshot_file": True},
        {**NAMED, **TRY},
        {**NAMED, "docs": {}, "queries": [], "scores": []},
        {"snapshots": [{**NAMED, "has_snapshot_file": False}] * 2},
    ],
)
def test_a_snapshot_without_lists_and_queries_is_refused(value: dict[str, Any]) -> None:
    """What Quepid gives of a snapshot without its documents is no table of any kind, and how to get them is said."""
    for read in (read_run, read_judgments, read_queries, recognised):
        with pytest.raises(ReadError, match=r"snapshot of Quepid without documents.*shallow=false"):
            read(json.dumps(value).encode())


@pytest.mark.parametrize("docs", [{}, {"1": []}])
def test_a_snapshot_without_lists_is_no_run(docs: dict[str, Any]) -> None:
    """Where no query had results it is refused as a run; its ratings can be read."""
    content = json.dumps({**NAMED, **TRY, "docs": docs, "queries": RATED, "scores": []}).encode()
    with pytest.raises(ReadError, match=r"without documents, not a run"):
        read_run(content)
    assert read_judgments(content).table.column("doc_id").to_pylist() == ["d1"]


def test_the_labels_of_a_scale_are_no_votes() -> None:
    """A book with a scale of two labels holds grades; its labels are no models that somebody voted for."""
    pairs = [{"query_text": "tv", "doc_id": "d1", "judgements": [{"rating": 1.0, "user_email": "a@x"}]}]
    scale = {"scale": [0, 1], "scale_with_labels": {"0": "Irrelevant", "1": "Relevant"}}
    assert recognise(json.dumps({"name": "B", **scale, "query_doc_pairs": pairs}).encode()).kind == "judgments"


def test_rated_documents_behind_the_found_ones_are_noted() -> None:
    """Where a snapshot as CSV repeats documents in a list, it is said what Quepid writes there, in every list alike."""
    head = "Snapshot Name,Snapshot Time,Case ID,Query Text,Doc ID,Doc Position\n"
    found = [f"n,Mon,7,{query},d{doc},{at}" for query in ("tv", "bag") for at, doc in enumerate((1, 2), start=1)]
    rated = ["n,Mon,7,tv,d9,3", "n,Mon,7,tv,d1,4"]
    for rows, told in ((found, 0), ([*found, rated[0]], 0), ([*found, *rated], 1)):
        notes = read_run("\n".join([head.strip(), *rows, ""]).encode()).source.notes
        assert sum(note.startswith("Documents stand twice in 1 list:") for note in notes) == told


def test_a_book_that_a_spreadsheet_saved_with_decimal_commas_is_one() -> None:
    """Whole grades such as 3,0 are grades of raters; other decimals are none, and the file is no run for them."""
    book = b"query;docid;Ann Lee;bob@x.org\ntv;d1;3,0;2,0\ntv;d2;0,0;\n"
    assert recognise(book).kind == "judgments"
    assert read_judgments(book).table.column("relevance").to_pylist() == [2.5, 0]
    with pytest.raises(ReadError, match="is no grade"):
        read_judgments(book.replace(b"3,0", b"3,5"))
