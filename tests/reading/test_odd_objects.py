"""Objects and files of other libraries that could silently be another number: refused, noted, or read as meant."""

from __future__ import annotations

from dataclasses import make_dataclass
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from rankdash.reading import ReadError, read_judgments, read_run, recognise


def test_scores_that_rise_are_noted() -> None:
    """Distances, of which the first is the best, are ordered by score with a note; who says so has the rows' order."""
    documents = [(SimpleNamespace(id=own, page_content="x"), distance) for own, distance in (("d1", 0.1), ("d2", 0.5))]
    said = "Scores rise from row to row in every list, as distances do"
    for source in ({"q": documents}, b"query,docid,score\nq,d1,0.1\nq,d2,0.5\nr,d1,0.2\nr,d3,0.9\n"):
        assert any(said in note for note in read_run(source).source.notes)
        asked = read_run(source, order="position")
        assert asked.ordered_by == "position"
        assert not any(said in note for note in asked.source.notes)
    for text in (b"q,d1,0.5\nq,d2,0.5\n", b"q,d1,0.1\nr,d2,0.5\n", b"q,d1,0.1\nq,d2,0.5\nq,d3,0.4\n"):
        assert not any(said in note for note in read_run(b"query,docid,score\n" + text).source.notes)


@pytest.mark.parametrize(
    ("more", "said"),
    [
        ({"retrieved_context_ids": "ab"}, "retrieved_context_ids of a sample is no list"),
        ({"user_input": [SimpleNamespace(content="hi")]}, "is a conversation, and no text"),
        ({"user_input": None}, "is a conversation, and no text"),
    ],
)
def test_odd_samples_of_ragas_are_refused(more: dict[str, Any], said: str) -> None:
    """A text is no list of ids, and a conversation is no query."""
    sample = {"user_input": "q", "retrieved_context_ids": ["a"], "reference_context_ids": ["a"], **more}
    with pytest.raises(ReadError, match=said):
        read_run([SimpleNamespace(**sample)])


def test_narrow_arrays_are_no_runs() -> None:
    """Rows of two or three whole numbers may be lists or records: refused as a run, records as judgments."""
    for rows in ([[4, 7, 9], [3, 1, 2]], [[4, 7], [3, 1]]):
        with pytest.raises(ReadError, match="may be lists of ids, or records"):
            read_run(np.array(rows))
    assert read_judgments(np.array([[4, 7, 1], [4, 9, 0]])).table.num_rows == 2


def test_ratings_of_users_with_times_are_no_lists() -> None:
    """Rows of a user, an item, a rating and a time are no lists of four ids; ids as large as times are ids."""
    with pytest.raises(ReadError, match='"ndarray of 4" is not a record'):
        read_run(np.array([[1, 7, 3, 881250949], [1, 9, 5, 881250950]]))
    assert read_run(np.array([[881250999, 7, 3, 881250950], [1, 9, 5, 881250950]])).table.num_rows == 8


def test_an_index_without_signs_has_places_without_documents() -> None:
    """-1 that was made a number without a sign is no document."""
    rows = np.array([[4, 7, 9, -1], [3, 1, 2, 5]]).astype(np.uint64)
    assert read_run(rows).table.num_rows == 7


def test_whole_scores_of_ranx_are_no_grades(tmp_path: Path) -> None:
    """A Run as Parquet whose scores happen to be whole is a run; Qrels are judgments. Who says so has the other."""
    run, qrels = ({"q_id": ["q", "q"], "doc_id": ["a", "b"], "score": scores} for scores in ([3.0, 1.0], [3, 1]))
    pq.write_table(pa.table(run), tmp_path / "run.parquet")
    pq.write_table(pa.table(qrels), tmp_path / "qrels.parquet")
    kinds = [recognise(tmp_path / name).kind for name in ("run.parquet", "qrels.parquet")]
    assert kinds == ["run", "judgments"]
    with pytest.raises(ReadError, match="give it as a run"):
        read_judgments(tmp_path / "run.parquet")
    with pytest.raises(ReadError, match="as ranx writes grades"):
        read_run(tmp_path / "qrels.parquet")
    assert read_run(tmp_path / "qrels.parquet", columns={"score": "score"}).ordered_by == "score"


def test_a_url_that_was_made_a_path_is_said_to_be_one() -> None:
    """A path takes a slash away; it is a URL all the same."""
    with pytest.raises(ReadError, match="URLs are not read"):
        read_run(Path("https://example.org/a.trec"))


@pytest.mark.parametrize("text", ["q 0 d\n", '{"q": {"d": 1}}', "q\0d", "q" * 5000 + "\n"])
def test_the_content_of_a_file_is_said_to_be_no_path(text: str) -> None:
    """A str is a path; the text of a file that is given as one is answered with the way to give it."""
    with pytest.raises(ReadError, match=r"no path of one\. Give text\.encode\(\), or io\.StringIO"):
        read_run(text)


def test_records_may_be_dataclasses() -> None:
    """Records of a dataclass are read by the names of their fields, as named tuples are, also as judgments."""
    Row = make_dataclass("Row", ["query_id", "doc_id", "score", "relevance"])
    records = [Row("q", "a", 1.5, 2), Row("q", "b", 2.5, 0)]
    assert read_run(records).table["doc_id"].to_pylist() == ["a", "b"]
    assert read_run(records).ordered_by == "score"
    assert read_judgments(records).table["relevance"].to_pylist() == [2.0, 0.0]
