"""Layouts other than one row per document: ranks as columns, lists in cells, A beside B."""

from __future__ import annotations

import pytest

from rankdash.reading import ReadError, read_judgments, read_models, read_run
from rankdash.reading.source import Limits

LIST = [("q1", "a", 1), ("q1", "b", 2), ("q1", "c", 3), ("q2", "d", 1)]


def rows(run: object, *names: str) -> list[tuple[object, ...]]:
    """Some columns of a run."""
    return [tuple(row[name] for name in names) for row in run.table.to_pylist()]


@pytest.mark.parametrize(
    "text",
    [
        "query_id,rank1,rank2,rank3\nq1,a,b,c\nq2,d,,\n",
        "query,1,2,3\nq1,a,b,c\nq2,d,,\n",
        "qid;doc_0;doc_1;doc_2\nq1;a;b;c\nq2;d;;\n",
        "query,docs\nq1,a b c\nq2,d\n",
        "query_id\tdoc_ids\nq1\ta,b,c\nq2\td\n",
        "query_id,results\nq1,a|b|c\nq2,d\n",
        'query;results\nq1;["a", "b", "c"]\nq2;"[""d""]"\n',
        "query;docs\nq1;['a', 'b', 'c']\nq2;['d']\n",
        'query;docs\nq1;[{"doc_id": "a"}, {"id": "b"}, "c"]\nq2;["d"]\n',
        "查询,排名1,排名2,排名3\nq1,a,b,c\nq2,d,,\n",
    ],
)
def test_a_row_for_each_query_is_a_run(text: str) -> None:
    """Columns for ranks, and lists in a cell, give a row for each document in the order of the list, with a note."""
    run = read_run(text.encode())
    assert rows(run, "query_id", "doc_id", "rank") == LIST
    assert any("were read as lists side by side" in note for note in run.source.notes)


def test_lists_of_scores_stand_beside_lists_of_documents() -> None:
    """As many scores as documents are their scores; other numbers of them are a problem with the row."""
    text = "query\tdoc_ids\tscores\nq1\ta,b\t2.5,1\n"
    assert rows(read_run(text.encode()), "doc_id", "rank", "score") == [("a", 1, 2.5), ("b", 2, 1)]
    assert rows(read_run(b'query;docs\nq1;[["a", 2.5], ["b", 1]]\n'), "doc_id", "score") == [("a", 2.5), ("b", 1)]
    with pytest.raises(ReadError, match='row 2, column "doc_ids": the lists of this row have different lengths'):
        read_run(text.replace(",1\n", "\n").encode())


@pytest.mark.parametrize(
    "text",
    [
        "query_id,rank,doc_a,doc_b\nq1,1,a,b\nq1,2,c,\n",
        "query_id,rank,A,B\nq1,1,a,b\nq1,2,c,\n",
        "query_id,doc_id,rank_a,rank_b\nq1,a,1,\nq1,c,2,\nq1,b,,1\n",
        "query_id,docs_a,docs_b\nq1,\"['a','c']\",\"['b']\"\n",
    ],
)
def test_a_beside_b_is_two_models(text: str) -> None:
    """Columns for A and for B, of documents or of ranks, are the runs of two models."""
    models = read_models(text.encode())
    assert [run.name for run in models.runs] == ["A", "B"]
    assert rows(models.runs[0], "query_id", "doc_id", "rank") == [("q1", "a", 1), ("q1", "c", 2)]
    assert rows(models.runs[1], "query_id", "doc_id", "rank") == [("q1", "b", 1)]


@pytest.mark.parametrize("sides", ["Baseline Doc,Candidate Doc", "线上结果,实验结果", "old_docs,new_docs"])
def test_words_for_sides_are_no_names_of_models(sides: str) -> None:
    """Columns of lists that are called by a word for a side, in place of A and B, are refused."""
    with pytest.raises(ReadError):
        read_models(f"query_id,rank,{sides}\nq1,1,a,b\nq1,2,c,\n".encode())


def test_grades_may_stand_beside_each_side() -> None:
    """A grade for A's document and one for B's are judgments; a column for both too."""
    text = b"query,position,Doc (A),Label A,Doc (B),Label B\nq1,1,a,3,b,0\nq1,2,c,,a,3\n"
    models = read_models(text)
    assert models.judgments is not None
    assert rows(models.judgments, "doc_id", "relevance") == [("a", 3), ("b", 0), ("a", 3)]
    assert rows(read_judgments(text), "doc_id", "relevance") == [("a", 3), ("b", 0), ("a", 3)]
    shared = read_models(b"query_id,doc_id,score_a,score_b,relevance\nq1,x,1,2,3\nq1,y,2,,0\n")
    assert [run.ordered_by for run in shared.runs] == ["score", "score"]


def test_problems_in_unfolded_rows_name_the_row_of_the_file() -> None:
    """A bad cell is told with the row that people see."""
    with pytest.raises(ReadError, match='row 3, column "label": "splendid" is not a number'):
        read_run(b"query_id,rank1,rank2,label\nq1,a,b,1\nq2,c,d,splendid\n")


def test_two_models_side_by_side_are_no_run() -> None:
    """A table of A beside B is refused as one model's run, and says what it is."""
    with pytest.raises(ReadError, match="there are two models side by side"):
        read_run(b"query_id,rank,doc_a,doc_b\nq1,1,a,b\n")


def test_numbers_that_do_not_follow_each_other_are_no_ranks() -> None:
    """Columns 1, 2, 4 are no ranks: the document id is missing."""
    with pytest.raises(ReadError, match="there is no column for the document id"):
        read_run(b"query,1,2,4\nq1,a,b,c\n")


def test_lists_count_against_the_limit_of_rows() -> None:
    """More documents than the limit of rows are refused."""
    with pytest.raises(ReadError, match="more than 3 documents"):
        read_run(b"query,docs\nq1,a b c\nq2,d\n", limits=Limits(rows=3))


def test_lists_of_documents_some_of_which_have_a_score_keep_each_beside_its_own() -> None:
    """A number that a document lacks is a blank, not that of the next one."""
    text = b'query\tresults\nq1\t[["a"], ["b", 2.5]]\nq2\t[["c", 1]]\n'
    run = read_run(text)
    scores = [score if score == score else None for score in run.table.column("score").to_pylist()]
    assert run.table.column("doc_id").to_pylist() == ["a", "b", "c"]
    assert scores == [None, 2.5, 1]
