"""LETOR and SVMlight files with the scores of models, and the sizes of queries, in files of their own."""

import io
from typing import Any

import pytest

from rankdash.reading import ReadError, read_judgments, read_models, read_run
from tests.reading.made_files import rows

WITH_IDS = b"2 qid:7 1:0.5 2:1 # docid = d1\n0 qid:7 1:0.1 # docid = d2\n1 qid:8 1:3 # docid = d1\n"
WITHOUT = b"2 1:0.5 2:1\n0 1:0.1\n1 1:3\n"
SCORES = b"0.5\n2\n-1e-3\n"


@pytest.mark.parametrize("spelling", [b"qid:", b"QID:", b"qid=", b"query:"])
@pytest.mark.parametrize("end", [b"\n", b"", b"\r\n", b"\n\n", b"\n# end"])
def test_a_letor_file_holds_judgments(spelling: bytes, end: bytes) -> None:
    """Grade, query and the document id of the remark, whatever ends the last line."""
    content = WITH_IDS.replace(b"qid:", spelling).rstrip() + end
    assert rows(read_judgments(content)) == [("7", "d1", 2), ("7", "d2", 0), ("8", "d1", 1)]


@pytest.mark.parametrize(
    ("content", "documents"),
    [
        (b"0.0 qid:301 # 32 red shoes\n2.0 qid:301 # 27 red shoes\n1 qid:302 # 27 scanner\n", ["32", "27", "27"]),
        (b"# qid:301: red\n0 qid:301 1:9.8 # 32 red\n2 qid:301 1:1 # 27 red\n", ["32", "27"]),
        (b"0 qid:1 1:1 # found late\n2 qid:1 1:2 # found early\n", ["1", "2"]),
        (b"0 qid:1 1:1 # same text\n2 qid:1 1:2 # same text\n", ["1", "2"]),
        (b"0 qid:1 1:1 # 7 text\n2 qid:1 1:2\n", ["1", "2"]),
    ],
)
def test_a_remark_names_the_document_or_it_is_numbered(content: bytes, documents: list[str]) -> None:
    """An id before the text of its query is one, as Quepid exports it; other remarks name nothing, which is noted."""
    read = read_judgments(content)
    assert [doc for _, doc, _ in rows(read)] == documents
    assert ("no_doc_ids" in {note.code for note in read.source.notes}) == (documents == ["1", "2"])


def test_scores_make_runs_of_it() -> None:
    """A score for each line makes a run with its grades, scores by model a combined file; a heading above is none."""
    for scores in (SCORES, b"score\n" + SCORES, [0.5, 2, -0.001], b"7 0 0.5\n7 1 2\n8 0 -1e-3\n"):
        run = read_run(WITH_IDS, scores=scores)
        assert rows(run, "query_id", "doc_id", "score", "relevance") == [
            ("7", "d1", 0.5, 2),
            ("7", "d2", 2, 0),
            ("8", "d1", -0.001, 1),
        ]
        assert run.ordered_by == "score"
    models = read_models(WITH_IDS, scores={"x": SCORES, "y": io.BytesIO(b"1\n2\n3\n")})
    assert [(run.name, run.table.num_rows) for run in models.runs] == [("x", 3), ("y", 3)]
    assert models.judgments is not None


def test_sizes_of_queries_stand_in_another_file() -> None:
    """Without qid: the sizes tell the queries, documents are numbered, equal scores keep the order of the file."""
    run = read_run(WITHOUT, scores=b"1\n1\n3\n", groups=b"2\n1\n")
    assert rows(run, "query_id", "doc_id", "rank") == [("1", "1", 1), ("1", "2", 2), ("2", "1", 1)]
    assert run.ordered_by == "rank"
    judgments = read_judgments(WITHOUT, groups=[2, 1])
    assert rows(judgments, "query_id", "doc_id") == [("1", "1"), ("1", "2"), ("2", "1")]


@pytest.mark.parametrize(
    ("content", "how", "found"),
    [
        (WITH_IDS, {}, ("other_kind", None)),
        (WITH_IDS, {"scores": b"1\n2\n"}, ("bad_option", None)),
        (WITH_IDS, {"scores": {"x": SCORES, "y": SCORES}}, ("bad_option", None)),
        (WITH_IDS, {"scores": b"1\nx\n2\n"}, ("bad_value", 2)),
        (WITH_IDS, {"scores": b"1\nnan\n2\n"}, ("bad_value", 2)),
        (WITHOUT, {"scores": SCORES}, ("missing_column", None)),
        (WITHOUT, {"scores": SCORES, "groups": b"2\n2\n"}, ("bad_option", None)),
        (WITHOUT, {"scores": SCORES, "groups": b"4\n-1\n"}, ("bad_option", None)),
        (WITH_IDS.replace(b"qid:8 ", b""), {"scores": SCORES}, ("missing_value", 3)),
        (WITH_IDS + b"\noops\n", {"scores": SCORES}, ("malformed", 5)),
    ],
)
def test_what_is_missing_or_does_not_match_is_told(
    content: bytes, how: dict[str, Any], found: tuple[str, int | None]
) -> None:
    """Scores, sizes and lines that are missing, no numbers, or do not match."""
    with pytest.raises(ReadError) as error:
        read_run(content, **how)
    assert (error.value.problems[0].code, error.value.problems[0].row) == found
