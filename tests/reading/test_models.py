"""One file with the lists of several models."""

from __future__ import annotations

import pytest

from rankdash.reading import ReadError, read_judgments, read_models, read_run

LONG = (
    b"model,query,position,asin,product_title,label\n"
    b"new,q1,1,a,A,2\nnew,q1,2,b,B,\nold,q1,1,b,B,\nold,q2,1,c,C,0\nnew,q2,1,c,C,0\nnew,q3,1,d,D,\n"
)


def test_each_model_is_a_run_in_order_of_appearance() -> None:
    """A column for the model splits the file into runs, named and ordered as the models first appear."""
    models = read_models(LONG)
    assert [run.name for run in models.runs] == ["new", "old"]
    assert models.runs[1].table.select(["query_id", "doc_id", "rank", "title"]).to_pylist() == [
        {"query_id": "q1", "doc_id": "b", "rank": 1, "title": "B"},
        {"query_id": "q2", "doc_id": "c", "rank": 1, "title": "C"},
    ]
    assert models.runs[1].table.column("query_id").chunk(0).dictionary.to_pylist() == ["q1", "q2"]
    assert [run.source.rows for run in models.runs] == [4, 2]
    assert {run.source.sha256 for run in models.runs} == {models.judgments.source.sha256}


def test_the_grades_of_all_models_are_the_judgments() -> None:
    """The grades beside the documents of every model are pooled; blank ones are no judgments."""
    judgments = read_models(LONG).judgments
    assert judgments.table.to_pylist() == [
        {"query_id": "q1", "doc_id": "a", "relevance": 2.0},
        {"query_id": "q2", "doc_id": "c", "relevance": 0.0},
        {"query_id": "q2", "doc_id": "c", "relevance": 0.0},
    ]
    assert read_judgments(LONG).table.equals(judgments.table)
    assert read_models(LONG.replace(b"label", b"other")).judgments is None


def test_names_choose_models_and_their_order() -> None:
    """names= takes the models it lists, in that order, and refuses one that is not there."""
    assert [run.name for run in read_models(LONG, names=["old", "new"]).runs] == ["old", "new"]
    with pytest.raises(ReadError, match=r'there is no model "x"\. Found: "new", "old"\.'):
        read_models(LONG, names=["x"])


def test_two_models_are_no_run() -> None:
    """A file of several models is refused as a run, with their names and what to do; one model is a run."""
    with pytest.raises(ReadError) as error:
        read_run(LONG)
    assert str(error.value) == (
        'the file: there are 2 models in one file: "new", "old". '
        "Read it with read_models, or keep the rows of one model."
    )
    run = read_run(LONG.replace(b"old", b"new"))
    assert "model" not in run.table.column_names


def test_words_for_grades_are_problems_by_row() -> None:
    """Grades that are words are named by row, column and what was found."""
    with pytest.raises(ReadError) as error:
        read_models(LONG.replace(b",2\n", b",Wonderful\n"))
    assert str(error.value) == (
        'the file, row 2, column "label": "Wonderful" is not a number. Use 0, 1, 2, …, or grades={…: …}'
    )


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (b"query_id,doc_id\nq,a\n", "there is no column for the model"),
        (b"model,query_id,doc_id\n,q,a\nx,q,a\n", "the model is empty"),
        (b"x,q,a,1\ny,q,a,1\n", "there is no header line, and 4 columns do not make a combined file"),
        (b"q Q0 d 1 2 t\n", "this is a TREC run of one model"),
        (b"q 0 d 1\n", "these are judgments"),
    ],
)
def test_what_is_no_combined_file_is_refused(text: bytes, sentence: str) -> None:
    """Files without a model for every row are refused in one sentence."""
    with pytest.raises(ReadError, match=sentence):
        read_models(text)


def test_a_dict_is_no_combined_file() -> None:
    """A dict holds the lists of one model."""
    with pytest.raises(ReadError, match="a dict holds the lists of one model"):
        read_models({"q": {"a": 1}})


def test_models_are_told_before_bad_grades() -> None:
    """A file of several models given as a run is refused for that, whatever its grades are."""
    with pytest.raises(ReadError, match="there are 2 models in one file"):
        read_run(LONG.replace(b",2\n", b",Wonderful\n"))
