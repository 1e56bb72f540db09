"""Which column means what."""

from __future__ import annotations

import pytest

from rankdash.reading import ReadError, read_judgments, read_run
from rankdash.reading.headings import MEANINGS, match


@pytest.mark.parametrize("meaning", MEANINGS, ids=lambda meaning: meaning.name)
def test_every_synonym_is_understood(meaning: object) -> None:
    """Each synonym in the table, in any case and with blanks, hyphens or underscores, has its meaning."""
    others = {"query_id", "doc_id"} - {meaning.name}
    for tier in meaning.synonyms:
        for name in (*tier.split(), meaning.name):
            for heading in (name, name.upper(), name.replace("_", " ").title(), name.replace("_", "-")):
                mapping = match("f", [*sorted(others), heading], "run")
                assert mapping.names[len(others)] == meaning.name, heading


def test_exact_names_win_over_synonyms() -> None:
    """A column with the exact name has the meaning; others that could have it stay as they are, with a note."""
    run = read_run(b"docno,doc_id,query_id,qid,Rank,rank,score,similarity\nx,d,q,y,9,1,2,3\n")
    assert run.table.to_pylist() == [
        {
            "query_id": "q",
            "doc_id": "d",
            "rank": 1,
            "score": 2.0,
            "docno": "x",
            "qid": "y",
            "Rank": "9",
            "similarity": "3",
        }
    ]
    assert run.source.notes == (
        'Column "doc_id" was read as the document id, not "docno". --columns doc_id=… changes it.',
        'Column "rank" was read as the rank, not "Rank". --columns rank=… changes it.',
        'Column "score" was read as the score, not "similarity". --columns score=… changes it.',
        'Further columns, which are only shown: "docno", "qid", "Rank", "similarity".',
        "The lists are ordered by rank, not by score.",
    )


@pytest.mark.parametrize(
    ("headings", "query", "text"),
    [
        ("query_id,query,doc_id", "1", "2"),
        ("qid,query,doc_id", "1", "2"),
        ("query,qid,doc_id", "2", "1"),
        ("topic,query,doc_id", "1", "2"),
        ("user_id,query,doc_id", "1", "2"),
        ("query,query_text,doc_id", "1", "2"),
        ("query,text,doc_id", "1", "2"),
        ("query,brand,doc_id", "1", None),
        ("query_text,brand,doc_id", "1", None),
    ],
)
def test_query_is_the_text_where_another_column_is_the_id(headings: str, query: str, text: str | None) -> None:
    """ "query" is the text of the query where another column is its id, and the id where none is."""
    run = read_run(f"{headings}\n1,2,3\n".encode())
    row = run.table.to_pylist()[0]
    assert row["query_id"] == query
    assert row.get("query_text") == text


def test_two_columns_of_one_meaning_are_refused() -> None:
    """Two synonyms of one meaning are an error that names both; for titles the first is taken."""
    with pytest.raises(ReadError) as error:
        read_run(b"qid,docno,item_id,position\nq,a,b,1\n")
    assert str(error.value) == (
        'the file, row 1: 2 columns could be the document id: "docno", "item_id". '
        'Choose one with columns={"doc_id": …}, '
        "or rename the one that is meant to doc_id."
    )
    run = read_run(b"qid,docno,product_title,name\nq,a,b,c\n")
    assert run.table.to_pylist()[0] == {"query_id": "q", "doc_id": "a", "title": "b", "name": "c"}


def test_the_same_name_twice_is_refused() -> None:
    """Two columns of the same exact name are an error too."""
    with pytest.raises(ReadError, match='2 columns could be the query id: "query_id", "query_id"'):
        read_run(b"query_id,query_id,doc_id\nq,r,a\n")


def test_what_was_understood_is_noted() -> None:
    """Every column with another than its exact name is told with the meaning it was given."""
    run = read_run(b"User ID,asin,pos,rating\nq,a,1,2\n")
    assert run.source.notes == (
        'Column "User ID" was read as the query id.',
        'Column "asin" was read as the document id.',
        'Column "pos" was read as the rank.',
        'Column "rating" was read as the relevance.',
        "The lists are ordered by rank.",
    )


def test_a_run_given_as_judgments_says_what_it_looks_like() -> None:
    """A table without relevance is refused as judgments; with rank or score it is said to look like a run."""
    with pytest.raises(ReadError, match=r"no column for the relevance\. .*If it is a run, give it as a run\.$"):
        read_judgments(b"qid,docno,pos\nq,a,1\n")
    with pytest.raises(ReadError, match=r"understood too\)\.$"):
        read_judgments(b"qid,docno,brand\nq,a,1\n")


def test_missing_columns_are_told_together() -> None:
    """Every missing column is one problem."""
    with pytest.raises(ReadError) as error:
        read_judgments(b"foo,rank\nq,1\n")
    assert error.value.count == 3


def test_columns_can_be_chosen_by_hand() -> None:
    """columns= names the column of a meaning, and wins over every name; by number where there is no header."""
    text = b"query_id,doc_id,asin,grade,gain\nq,a,b,1,100\n"
    judgments = read_judgments(text, columns={"doc_id": "asin", "relevance": "GAIN"})
    assert judgments.table.to_pylist() == [{"query_id": "q", "doc_id": "b", "relevance": 100}]
    assert 'Column "asin" was read as the document id, as asked.' in judgments.source.notes
    run = read_run(b"7,a,q\n6,b,q\n", columns={"query_id": "3", "doc_id": "2", "score": "1"})
    assert run.table.to_pylist() == [
        {"query_id": "q", "doc_id": "a", "score": 7},
        {"query_id": "q", "doc_id": "b", "score": 6},
    ]


def test_a_chosen_column_that_is_not_there_is_refused() -> None:
    """A heading that the file does not have is told with those that it has."""
    with pytest.raises(ReadError) as error:
        read_run(b"query_id,doc_id\nq,a\n", columns={"score": "points"})
    assert str(error.value) == (
        'the file, row 1: there is no column "points" to read as the score. Found: "query_id", "doc_id".'
    )
    assert error.value.choices[0].key == "score"
