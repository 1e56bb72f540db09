"""Headings that nobody knows: they are headings all the same, and numbers below one are not passed over in silence."""

from __future__ import annotations

import pytest

from rankdash.reading import ReadError, numbers_beside, read_judgments, read_queries, read_run, recognise

RUN = b"frage;treffer;platz\nf1;d1;2\nf1;d2;1\nf2;d3;1\n"
GRADES = "frage;treffer;wertung\nf1;d1;gut\nf1;d2;mäßig\nf2;d3;schlecht\n".encode()
COLUMNS = {"query_id": "frage", "doc_id": "treffer"}


def test_words_above_ids_with_digits_are_headings() -> None:
    """No heading is known and no column holds numbers: still the first row is no query of its own."""
    for reader in (read_run, read_judgments, read_queries):
        with pytest.raises(ReadError, match=r'no column for the query id\. Found: "frage", "treffer", "wertung"'):
            reader(GRADES)
    with pytest.raises(ReadError):
        recognise(GRADES)
    grades = {"gut": 2, "mäßig": 1, "schlecht": 0}
    judgments = read_judgments(GRADES, columns={**COLUMNS, "relevance": "wertung"}, grades=grades)
    assert judgments.table.num_rows == 3


@pytest.mark.parametrize("text", [b"cat,a\ncat,b\ndog,a\n", b"f1,a\nf1,b\nf2,a\n", b"cat,d1\ncat,d2\ndog,d1\n"])
def test_pairs_without_a_header_keep_their_first_row(text: bytes) -> None:
    """With a digit in the first row, or an id without one below it, nothing there is a heading."""
    run = read_run(text)
    assert run.source.rows == 3
    assert run.source.notes[0].startswith("There is no header line")


def test_numbers_that_order_nothing_are_named() -> None:
    """Lists in the order of the rows, beside a column of numbers: a note names it, and what would make it the rank."""
    run = read_run(RUN, columns=COLUMNS)
    assert run.ordered_by == "position"
    assert numbers_beside(run.table) == ("platz",)
    assert run.source.notes[-1].startswith('Numbers stand in "platz". If they are ranks or scores, choose the column')
    ranked = read_run(RUN, columns={**COLUMNS, "rank": "platz"})
    assert ranked.ordered_by == "rank"
    assert numbers_beside(ranked.table) == ()
    assert not any("Numbers stand" in note for note in ranked.source.notes)


def test_columns_of_text_are_no_numbers() -> None:
    """A title, a brand and a column that is empty are not named."""
    run = read_run(b"query_id,doc_id,title,brand,empty\nq,a,5,x,\nq,b,6,7,\n")
    assert numbers_beside(run.table) == ()


def test_a_column_can_be_said_to_mean_nothing() -> None:
    """columns= with "" leaves a usual name unread: the rest orders the lists, it is noted, and the cells are kept."""
    text = b"query_id,doc_id,rank,score\nq,a,2,9\nq,b,1,1\n"
    run = read_run(text, columns={"rank": ""})
    assert run.ordered_by == "score"
    assert "No column was read as the rank, as asked." in run.source.notes
    assert run.table.column("rank (2)").to_pylist() == ["2", "1"]
    assert read_run(text, columns={"rank": "", "score": ""}).ordered_by == "position"
    assert read_run(b"query_id,doc_id,bm25_score\nq,a,2\n", columns={"score": ""}).ordered_by == "position"
    with pytest.raises(ReadError, match=r"no column for the document id"):
        read_run(text, columns={"doc_id": ""})
    assert read_run(b"q1,a\nq1,c\nq2,b\n", columns={"rank": ""}).source.rows == 3
