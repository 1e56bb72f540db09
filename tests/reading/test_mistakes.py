"""Files given for what they are not, and layouts that other tools write."""

from __future__ import annotations

import pytest

from rankdash.reading import ReadError, read_judgments, read_run
from tests.long import every


@pytest.mark.parametrize(
    ("content", "what"),
    [
        (b"q 0 a 1\nq 0 b 0\n", r"these are judgments \(query, iteration, document, grade\)"),
        (b"q a 1\nq b 0\nq c 2\n", "could be the rank or the score or grades"),
        (b"1\twho is he\n2\twhat is it\n", "2 columns do not make a run"),
        (b"query_id,vote\nq,good\n", "there is no column for the document id"),
        (b"0.5\n0.2\n", "there is no header line, and 1 column does not make a run"),
        (b"Dear all,\nplease find attached\n", "row 1: there is no header line"),
        (b"query_id,doc_id\nq,a\x00\n", "row 2: this is not a text file: it holds zero bytes"),
    ],
)
def test_what_is_no_run_is_named(content: bytes, what: str) -> None:
    """Judgments, queries, votes, scores and letters given as a run are refused and named."""
    with pytest.raises(ReadError, match=what):
        read_run(content)


@pytest.mark.parametrize(
    ("content", "what"),
    [
        (b"q Q0 a 1 2.5 t\n", "this is a TREC run of one model .* Give it as a run"),
        (b"query_id,doc_id,rank\nq,a,1\n", "If it is a run, give it as a run"),
        (b"q,a,0.91\nq,b,0.5\n", "the numbers are scores"),
        (b"q\ta\t1\nq\tb\t2\nq\tc\t3\nq\td\t4\n", "the numbers are ranks"),
    ],
)
def test_runs_given_as_judgments_are_named(content: bytes, what: str) -> None:
    """Runs with and without a header are refused as judgments."""
    with pytest.raises(ReadError, match=what):
        read_judgments(content)


@pytest.mark.parametrize(
    "content",
    [
        b"query-id\tcorpus-id\tscore\nq\ta\t1\n",
        b"query_id iter doc_id relevance\nq 0 a 1\n",
        b"q 0 a Relevant\n",
        b"query_id,doc_id,relevant?\nq,a,TRUE\n",
        b"query_id,doc_id,relevance,\nq,a,1,\n",
        b"query_id,doc_id,relevance\n\xe2\x80\x8bq,a\xef\xbb\xbf,1\n",
        b'"query\nid",doc_id,relevance\nq,a,1\n',
        b"query_id   doc_id   relevance\nq          a        1\n",
    ],
)
def test_judgments_of_many_tools_are_read(content: bytes) -> None:
    """Headings, words, delimiters at the end of lines, invisible characters and aligned columns of other tools."""
    assert read_judgments(content).table.to_pylist() == [{"query_id": "q", "doc_id": "a", "relevance": 1}]


def test_a_first_score_that_is_no_number_is_no_header() -> None:
    """A TREC run whose first score is nan loses no row: it is refused, by row."""
    with pytest.raises(ReadError, match="row 1"):
        read_run(b"q Q0 a x nan t\nq Q0 b 2 1.5 t\n")
    run = read_run(b"q Q0 a 1 nan t\nq Q0 b 2 1.5 t\n")
    assert run.table.num_rows == 2


@pytest.mark.parametrize(
    "content", every(3, [b"\n" * 5_000_000, b" " * 5_000_000, b"#\n" * 2_000_000, b"," * 5_000_000, b'"' * 5_000_000])
)
def test_files_of_one_character_are_refused(content: bytes) -> None:
    """Millions of blanks, signs and quotes are refused at once."""
    with pytest.raises(ReadError):
        read_run(content)


def test_a_quote_that_is_never_closed_is_refused() -> None:
    """A quote that swallows the rest of a large file is told with the row near it."""
    rows = b"q,b,2,x\n" * 500_000
    with pytest.raises(ReadError, match="row 2: a quote begins here"):
        read_run(b'query_id,doc_id,rank,title\nq,a,1,"open\n' + rows)
