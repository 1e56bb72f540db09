"""What a dropped file is taken for."""

from __future__ import annotations

import json

import pytest

from rankdash.reading import ReadError, recognised
from tests.reading.made_files import archive, workbook

TREC = b"q Q0 a 1 2.5 t\nq Q0 b 2 1.5 t\n"


@pytest.mark.parametrize(
    ("content", "kind"),
    [
        (TREC, "run"),
        (b"q 0 a 1\nq 0 b 0\n", "judgments"),
        (b"q a 2\nq b 0\nq c 1\n", "judgments"),
        (b"query_id,doc_id,rank\nq,a,1\n", "run"),
        (b"query_id,doc_id,rank,relevance\nq,a,1,2\n", "run"),
        (b"query,docs\nq,a b c\n", "run"),
        (b"query_id,doc_id,relevance\nq,a,1\n", "judgments"),
        (b"query_id,doc_id,label\nq,a,Exact\n", "judgments"),
        (b"model,query,position,asin\nx,q,1,a\ny,q,1,b\n", "models"),
        (b"query_id,rank,doc_a,doc_b\nq,1,a,b\n", "models"),
        (b"query_id,vote\nq,good\nr,bad\n", "votes"),
        (b"query_id,doc_id,verdict,rater\nq,d,good,x\nr,d,bad,x\n", "votes"),
        (b"query_id,rater1,rater2\nq,1,2\nr,0,2\n", "votes"),
        (b"1\twho is he\n2\twhat is it\n", "queries"),
        (b"query_id,text,weight\nq,red shoes,2\n", "queries"),
        (b"2 qid:1 1:0.5 # docid = a\n", "judgments"),
        (json.dumps({"q": {"a": 1.5, "b": 0.5}}).encode(), "run"),
        (workbook({"S": [["query_id", "doc_id", "grade"], ["q", "a", 1]]}), "judgments"),
        (archive({"a.txt": TREC}), "run"),
        (b"query_id,doc_id,rank\n" + b"".join(b"q,%d,%d\n" % (i, i) for i in range(1, 60_000)), "run"),
    ],
)
def test_each_kind_is_recognised(content: bytes, kind: str) -> None:
    """Runs, judgments, combined files, votes and queries are told apart by what can be read."""
    assert recognised(content).kind == kind


def test_what_has_to_be_decided_comes_with_the_kind() -> None:
    """Several pairs of models, or two columns of grades, are choices of the kind that was recognised."""
    pairs = recognised(b"id,model_a,model_b,vote\n1,x,y,good\n2,x,z,bad\n")
    assert (pairs.kind, pairs.choices[0].option, pairs.choices[0].values) == ("votes", "pair", ("x,y", "x,z"))
    grades = recognised(b"query_id,doc_id,esci_label,gain\nq,a,E,100\n")
    assert (grades.kind, grades.choices[0].key) == ("judgments", "relevance")
    assert grades.choices[0].values == ("esci_label", "gain")
    decided = recognised(b"query_id,doc_id,esci_label,gain\nq,a,E,100\n", columns={"relevance": "gain"})
    assert (decided.kind, decided.choices) == ("judgments", ())


def test_two_columns_of_numbers_that_could_be_grades_are_no_votes() -> None:
    """Grades and gains beside documents ask which of them counts, though numbers by sign could be votes too."""
    found = recognised(b"query_id,doc_id,grade,gain\nq,a,1,0\nq,b,0,1\n")
    assert (found.kind, found.choices[0].key, found.choices[0].values) == ("judgments", "relevance", ("grade", "gain"))


def test_sheets_and_members_are_asked_for_first() -> None:
    """A workbook or an archive with several tables is refused with the choice."""
    rows = [["query_id", "doc_id", "rank"], ["q", "a", 1]]
    with pytest.raises(ReadError) as error:
        recognised(workbook({"A": rows, "B": rows}))
    assert error.value.choices[0].option == "sheet"
    with pytest.raises(ReadError) as error:
        recognised(archive({"a.txt": TREC, "b.txt": TREC}))
    assert error.value.choices[0].option == "member"


def test_what_is_no_table_is_refused() -> None:
    """A letter is no table of any kind."""
    with pytest.raises(ReadError):
        recognised(b"Dear all,\nplease find attached\n")
