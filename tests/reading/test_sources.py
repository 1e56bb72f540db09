"""Paths, bytes, files, frames, Arrow tables and dicts: the same table, and where it came from."""

from __future__ import annotations

import gzip
import hashlib
import io
import math
import os
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from rankdash.reading import ReadError, read_judgments, read_run
from rankdash.reading.source import Limits

TEXT = b"query_id,doc_id,rank,score\n007,a,1,2.5\n007,b,2,1.5\nq2,NA,1,3\n"
ROWS = [
    {"query_id": "007", "doc_id": "a", "rank": 1, "score": 2.5},
    {"query_id": "007", "doc_id": "b", "rank": 2, "score": 1.5},
    {"query_id": "q2", "doc_id": "NA", "rank": 1, "score": 3.0},
]


class Upload(io.BytesIO):
    """A file in memory with a name, as an upload in a page is."""

    name = "my run.csv"


def test_a_path_gives_name_digest_and_rows(tmp_path: Path) -> None:
    """A file has its own name, the run that of the file without its ending; the digest is that of its bytes."""
    path = tmp_path / "a.bm25.csv"
    path.write_bytes(TEXT)
    for source in (path, str(path)):
        run = read_run(source)
        assert run.table.to_pylist() == ROWS
        assert run.name == "a.bm25"
        assert run.source.name == "a.bm25.csv"
        assert run.source.sha256 == hashlib.sha256(TEXT).hexdigest()
        assert (run.source.rows, run.source.first_row) == (3, 2)
    assert read_run(path, name="B").name == "B"


def test_an_upload_is_read_wherever_it_stands() -> None:
    """A file in memory is read from its beginning, also after somebody read it before."""
    upload = Upload(TEXT)
    upload.read()
    for _ in range(2):
        run = read_run(upload)
        assert run.table.to_pylist() == ROWS
        assert (run.name, run.source.name) == ("my run", "my run.csv")
        assert run.source.sha256 == hashlib.sha256(TEXT).hexdigest()


def test_an_open_file_is_read(tmp_path: Path) -> None:
    """An open file is read, in text mode too."""
    path = tmp_path / "run.csv"
    path.write_bytes(TEXT)
    with path.open("rb") as file:
        assert read_run(file).table.to_pylist() == ROWS
    with path.open(encoding="utf-8") as file:
        assert read_run(file).name == "run"


def test_gzip_is_known_by_its_content(tmp_path: Path) -> None:
    """Packed files are unpacked whatever they are called; the digest is that of the packed bytes."""
    packed = gzip.compress(TEXT[:30]) + gzip.compress(TEXT[30:])
    for name in ("run.csv.gz", "run.csv"):
        path = tmp_path / name
        path.write_bytes(packed)
        run = read_run(path)
        assert run.table.to_pylist() == ROWS
        assert run.name == "run"
        assert run.source.sha256 == hashlib.sha256(packed).hexdigest()
        assert "The file was unpacked (gzip)." in run.source.notes
    assert read_run(packed + b"\0" * 512).table.to_pylist() == ROWS


@pytest.mark.parametrize(
    ("packed", "sentence"),
    [
        (gzip.compress(TEXT)[:-10], "the gzip data ends too early"),
        (gzip.compress(TEXT)[:10] + b"\xff" * 90, "the gzip data is damaged"),
        (gzip.compress(b""), "the file is empty"),
        (gzip.compress(TEXT) + b"junk", "behind the gzip data there is something else"),
    ],
    ids=["cut", "damaged", "empty", "followed by junk"],
)
def test_damaged_gzip_is_refused(packed: bytes, sentence: str) -> None:
    """Cut, damaged and empty packed files are refused in one sentence."""
    with pytest.raises(ReadError, match=sentence):
        read_run(packed)


def test_gzip_never_unpacks_more_than_the_limits() -> None:
    """A small file that unpacks to a large one is refused before it is unpacked."""
    bomb = gzip.compress(b"q,d,9\n" * 2_000_000)
    with pytest.raises(ReadError, match="unpacks to") as error:
        read_run(bomb)
    assert [problem.code for problem in error.value.problems] == ["too_large"]
    assert "12 MB" in str(error.value)
    assert read_run(bomb, limits=Limits(ratio=10_000)).table.num_rows == 2_000_000


def test_parquet_is_known_by_its_content(tmp_path: Path) -> None:
    """A Parquet file gives the table of the CSV, with numbers for ids read as text."""
    table = pa.table(
        {
            "query_id": pa.array([7, 7, 8], pa.int64()),
            "doc_id": pa.array(["a", "b", "NA"]).dictionary_encode(),
            "rank": pa.array([1, 2, 1], pa.int64()),
            "score": pa.array([2.5, 1.5, 3.0], pa.float32()),
            "brand": pa.array(["x", None, "z"]),
            "vector": pa.array([[1.0], [2.0], [3.0]]),
        }
    )
    path = tmp_path / "run.bin"
    pq.write_table(table, path)
    for source in (path, path.read_bytes(), table):
        run = read_run(source)
        assert run.table.to_pylist() == [
            {"query_id": "7", "doc_id": "a", "rank": 1, "score": 2.5, "brand": "x"},
            {"query_id": "7", "doc_id": "b", "rank": 2, "score": 1.5, "brand": ""},
            {"query_id": "8", "doc_id": "NA", "rank": 1, "score": 3.0, "brand": "z"},
        ]
        assert 'Column "query_id" holds numbers; they were read as text.' in run.source.notes
        assert 'Column "vector" holds list<element: double> and was left out.' in run.source.notes or table is source
        assert all(column.num_chunks == 1 for column in run.table.columns)


def test_problems_of_parquet_are_named_by_row(tmp_path: Path) -> None:
    """Missing ids and infinite grades of a Parquet file are problems of data rows, counted from 1."""
    path = tmp_path / "q.parquet"
    pq.write_table(pa.table({"qid": ["q", None], "docno": ["a", "b"], "rel": [math.inf, 1.0]}), path)
    with pytest.raises(ReadError) as error:
        read_judgments(path)
    assert str(error.value).splitlines() == [
        'q.parquet, row 1, column "rel": "inf" is not a number. Use 0, 1, 2, …, or grades={…: …}',
        'q.parquet, row 2, column "qid": the query id is empty.',
    ]


def test_damaged_parquet_is_refused() -> None:
    """Bytes that only begin like Parquet are refused in one line."""
    with pytest.raises(ReadError, match=r"^the file: the Parquet file is damaged"):
        read_run(b"PAR1" + b"junk" * 100)


def test_a_pandas_frame_is_read() -> None:
    """A frame gives the same table; whole floats and mixed objects become ids as people write them."""
    import pandas as pd

    frame = pd.DataFrame({"qid": ["q1", "q1"], "doc_id": [7.0, 8.0], "score": [1, 2], 3: ["x", None]})
    run = read_run(frame)
    assert run.table.to_pylist() == [
        {"query_id": "q1", "doc_id": "7", "score": 1.0, "3": "x"},
        {"query_id": "q1", "doc_id": "8", "score": 2.0, "3": ""},
    ]
    assert (run.name, run.source.name, run.source.first_row) == ("run", "", 0)
    mixed = pd.DataFrame({"query_id": ["q", 1, 2.0], "doc_id": pd.Categorical(["a", "b", "a"], ["c", "b", "a"])})
    assert read_run(mixed).table.to_pylist() == [
        {"query_id": "q", "doc_id": "a"},
        {"query_id": "1", "doc_id": "b"},
        {"query_id": "2", "doc_id": "a"},
    ]
    with pytest.raises(ReadError, match='row 3, column "query_id": "float" is neither text nor a whole number'):
        read_run(mixed.replace(2.0, 2.5))


def test_dictionaries_hold_only_ids_that_are_there() -> None:
    """Categories without a row do not become queries."""
    import pandas as pd

    frame = pd.DataFrame({"query_id": pd.Categorical(["a", "b"], ["c", "b", "a"]), "doc_id": ["x", "y"]})
    assert sorted(read_run(frame).table.column("query_id").chunk(0).dictionary.to_pylist()) == ["a", "b"]


def test_dicts_are_read() -> None:
    """{query: {doc: score}}, {query: [[doc, score], ...]} and {query: [doc, ...]} are runs; numbers may be ids."""
    scored = [{"query_id": "q", "doc_id": "a", "score": 2.0}, {"query_id": "q", "doc_id": "7", "score": 1.0}]
    assert read_run({"q": {"a": 2, 7: 1.0}}).table.to_pylist() == scored
    assert read_run({"q": [["a", 2], (7, 1)], "empty": []}).table.to_pylist() == scored
    run = read_run({"q": ["b", "a"], 2: ["b"]})
    assert run.ordered_by == "position"
    assert run.table.column("doc_id").to_pylist() == ["b", "a", "b"]
    assert run.table.column("query_id").to_pylist() == ["q", "q", "2"]


def test_judgments_of_a_dict_leave_none_out() -> None:
    """{query: {doc: relevance}} are judgments; None is unjudged."""
    judgments = read_judgments({"q": {"a": 2, "b": None, "c": 0}})
    assert judgments.table.to_pylist() == [
        {"query_id": "q", "doc_id": "a", "relevance": 2.0},
        {"query_id": "q", "doc_id": "c", "relevance": 0.0},
    ]


@pytest.mark.parametrize(
    ("source", "sentence"),
    [
        ({}, "there are no rows"),
        ({"q": {}}, "there are no rows"),
        ({"q": 3}, "the documents of query q are no dict and no list"),
        ({"q": [["a", 1, 2]]}, "the documents of query q are no dict and no list"),
        ({"q": {"a": "x"}}, 'row 1, column "score": "x" is not a number'),
        ({"q": {"a": 1}, "r": ["b"]}, "1 documents have no score"),
        ({"q": {None: 1}}, "the document id is empty"),
    ],
)
def test_dicts_of_something_else_are_refused(source: dict[str, object], sentence: str) -> None:
    """Dicts that are no ranked lists are refused in one sentence."""
    with pytest.raises(ReadError, match=sentence):
        read_run(source)


def test_the_digest_of_a_table_is_that_of_its_columns() -> None:
    """The same rows give the same digest whatever they were made from, other rows another one."""
    table = pa.table({"query_id": ["q", "q"], "doc_id": ["a", "b"], "score": [2.0, 1.0]})
    chunks = pa.concat_tables([table.slice(0, 1), table.slice(1)])
    digests = {read_run(source).source.sha256 for source in (table, chunks, {"q": {"a": 2, "b": 1}}, table.to_pandas())}
    assert len(digests) == 1
    assert read_run({"q": {"a": 2, "b": 3}}).source.sha256 not in digests


def test_a_file_that_cannot_be_opened_is_refused(tmp_path: Path) -> None:
    """A missing file and a folder are refused in one sentence, which says where the way out of a folder stands."""
    with pytest.raises(ReadError, match=r"^nothing\.csv: the file cannot be opened"):
        read_run(tmp_path / "nothing.csv")
    with pytest.raises(ReadError, match=r"this is a folder. Give one file: docs/formats.md"):
        read_run(tmp_path)


def test_standard_input_and_pipes_are_refused_by_name(tmp_path: Path) -> None:
    """They were empty files, or none: one sentence says what to do, and nothing waits for them."""
    os.mkfifo(tmp_path / "pipe")
    for path in ("-", tmp_path / "pipe", "/dev/null"):
        with pytest.raises(ReadError, match=r"standard input and pipes are not read, .* Write it to a file"):
            read_run(path)


def test_what_is_no_source_is_a_type_error() -> None:
    """Anything else is a mistake of the caller, not of a file."""
    with pytest.raises(TypeError, match="int is no path, bytes, file, frame, Arrow table, dict or records"):
        read_run(3)
