"""LETOR and SVMlight files with the scores of models, and the sizes of queries, in files of their own."""

from __future__ import annotations

import io

import pytest

from rankdash.reading import ReadError, read_judgments, read_models, read_run

WITH_IDS = b"2 qid:7 1:0.5 2:1 # docid = d1\n0 qid:7 1:0.1 # docid = d2\n1 qid:8 1:3 # docid = d1\n"
WITHOUT = b"2 1:0.5 2:1\n0 1:0.1\n1 1:3\n"
SCORES = b"0.5\n2\n-1e-3\n"


def rows(table: object, *names: str) -> list[tuple[object, ...]]:
    """Some columns of a table."""
    return [tuple(row[name] for name in names) for row in table.table.to_pylist()]


def test_a_letor_file_holds_judgments() -> None:
    """Grade, query and the document id of the remark."""
    assert rows(read_judgments(WITH_IDS), "query_id", "doc_id", "relevance") == [
        ("7", "d1", 2),
        ("7", "d2", 0),
        ("8", "d1", 1),
    ]


@pytest.mark.parametrize(
    "content",
    [
        b"0.0 qid:301 # 32 red shoes\n2.0 qid:301 # 27 red shoes\n1 qid:302 # 27 document scanner\n",
        b"# qid:301: red\n0 qid:301 1:9.8 2:0 # 32 red\n2 qid:301 1:1 # 27 red\n1 qid:302 1:2 # 27 doc\n",
    ],
)
def test_an_id_stands_before_the_text_of_its_query(content: bytes) -> None:
    """Training sets of search engines, as Quepid exports them, name a document and its query's text behind #."""
    read = read_judgments(content)
    assert rows(read, "query_id", "doc_id", "relevance") == [("301", "32", 0), ("301", "27", 2), ("302", "27", 1)]
    assert any("by the first word behind #" in note for note in read.source.notes)


@pytest.mark.parametrize(
    "content",
    [
        b"0 qid:1 1:1 # found late\n2 qid:1 1:2 # found early\n",
        b"0 qid:1 1:1 # same text\n2 qid:1 1:2 # same text\n",
        b"0 qid:1 1:1 # 7 text\n2 qid:1 1:2\n",
    ],
)
def test_other_remarks_name_no_document(content: bytes) -> None:
    """Where a remark is not the id and the text of a query, documents are numbered, and that is told."""
    read = read_judgments(content)
    assert rows(read, "query_id", "doc_id") == [("1", "1"), ("1", "2")]
    assert "There are no document ids; documents are numbered within their query." in read.source.notes


@pytest.mark.parametrize("end", ["", "\n", "\r\n", "\n\n", "\n# end"])
def test_the_last_line_counts_whatever_ends_it(end: str) -> None:
    """No row is lost where the file does not end with a line end."""
    content = f"2 qid:1 1:0.1 # d1\n0 qid:1 1:0.2 # d2{end}".encode()
    assert rows(read_judgments(content), "doc_id", "relevance") == [("d1", 2), ("d2", 0)]
    assert rows(read_run(content, scores=b"0.5\n0.7"), "doc_id", "score") == [("d1", 0.5), ("d2", 0.7)]


def test_scores_make_it_a_run() -> None:
    """A score for each line makes a run, with the grades beside it."""
    run = read_run(WITH_IDS, scores=SCORES)
    assert rows(run, "query_id", "doc_id", "score", "relevance") == [
        ("7", "d1", 0.5, 2),
        ("7", "d2", 2, 0),
        ("8", "d1", -0.001, 1),
    ]
    assert run.ordered_by == "score"


def test_scores_of_two_models_make_a_combined_file() -> None:
    """scores= by model gives the run of each and the judgments."""
    models = read_models(WITH_IDS, scores={"x": SCORES, "y": io.BytesIO(b"1\n2\n3\n")})
    assert [(run.name, run.table.num_rows) for run in models.runs] == [("x", 3), ("y", 3)]
    assert models.judgments is not None


def test_sizes_of_queries_stand_in_another_file() -> None:
    """Without qid: the sizes tell the queries; documents are numbered; equal scores keep the order of the file."""
    run = read_run(WITHOUT, scores=b"1\n1\n3\n", groups=b"2\n1\n")
    assert rows(run, "query_id", "doc_id", "rank") == [("1", "1", 1), ("1", "2", 2), ("2", "1", 1)]
    assert run.ordered_by == "rank"
    assert "There are no document ids; documents are numbered within their query." in run.source.notes
    assert rows(read_judgments(WITHOUT, groups=b"2\n1\n"), "query_id", "doc_id") == [("1", "1"), ("1", "2"), ("2", "1")]


@pytest.mark.parametrize(
    ("content", "how", "what"),
    [
        (WITH_IDS, {}, r"this is a LETOR file .* Give it as judgments, or give the file of scores with scores="),
        (WITH_IDS, {"scores": b"1\n2\n"}, "there are 2 scores for 3 lines"),
        (WITH_IDS, {"scores": b"1\nx\n2\n"}, 'the file, row 2: "x" is not a score'),
        (WITHOUT, {"scores": SCORES}, r"the lines name no query .* with groups="),
        (
            WITHOUT,
            {"scores": SCORES, "groups": b"2\n2\n"},
            "the sizes of the queries add up to 4, and there are 3 lines",
        ),
        (WITH_IDS.replace(b"qid:8 ", b""), {"scores": SCORES}, "row 3: this line names no query"),
        (WITH_IDS + b"oops\n", {"scores": SCORES}, 'row 4: "oops" is no line of a LETOR file'),
    ],
)
def test_what_is_missing_or_does_not_match_is_told(content: bytes, how: dict[str, bytes], what: str) -> None:
    """Scores, sizes and lines that are missing or do not match are named with the option."""
    with pytest.raises(ReadError, match=what):
        read_run(content, **how)


def test_queries_are_spelt_in_several_ways_and_scores_may_have_a_heading() -> None:
    """QID:, qid= and query: name the query; a word above the scores is a heading, with a note."""
    for spelling in (b"QID:", b"qid=", b"query:"):
        assert rows(read_judgments(WITH_IDS.replace(b"qid:", spelling)), "query_id") == [("7",), ("7",), ("8",)]
    run = read_run(WITH_IDS, scores=b"score\n" + SCORES)
    assert rows(run, "score") == [(0.5,), (2,), (-0.001,)]
    assert any(note.endswith('is a heading: "score".') for note in run.source.notes)
