"""Where tables come from: paths, uploads, packed files, encodings, frames and dicts; limits, and hostile bytes."""

import bz2
import gzip
import hashlib
import io
import lzma
import os
import pickle
import subprocess
import sys
import tarfile
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from rankdash.reading import Limits, ReadError, read_judgments, read_models, read_queries, read_run, read_votes
from rankdash.reading.recognition import recognise
from tests.long import every
from tests.reading.attacks import ATTACKS
from tests.reading.made_files import archive, rows, workbook

TEXT = b"query_id,doc_id,rank,score\n007,a,1,2.5\n007,b,2,1.5\nq2,NA,1,3\n"
ROWS = [("007", "a", 1, 2.5), ("007", "b", 2, 1.5), ("q2", "NA", 1, 3.0)]
ROOT = Path(__file__).parents[2]


def codes(table: Any) -> set[str]:
    """The codes of the notes."""
    return {note.code for note in table.source.notes}


def refused(source: Any, read: Callable[..., Any] = read_run, **how: Any) -> tuple[str, int | None]:
    """Code and row of the first problem."""
    with pytest.raises(ReadError) as error:
        read(source, **how)
    return error.value.problems[0].code, error.value.problems[0].row


def zstd(content: bytes) -> bytes:
    """Packed with zstd."""
    out = pa.BufferOutputStream()
    with pa.CompressedOutputStream(out, "zstd") as packed:
        packed.write(content)
    return bytes(out.getvalue())


def tar(content: bytes, mode: str = "w") -> bytes:
    """A tar archive of one file."""
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode=mode) as packed:  # type: ignore[call-overload]
        info = tarfile.TarInfo("run.csv")
        info.size = len(content)
        packed.addfile(info, io.BytesIO(content))
    return out.getvalue()


class Upload(io.BytesIO):
    """A file in memory with a name, as an upload in a page is."""

    name = "my run.csv"


# --- files -----------------------------------------------------------------------------------------------------------


def test_a_file_gives_its_name_its_digest_and_its_rows(tmp_path: Path) -> None:
    """A path, an open file and an upload that was read before: one run, named as the file, with its SHA-256."""
    path = tmp_path / "a.bm25.csv"
    path.write_bytes(TEXT)
    upload = Upload(TEXT)
    upload.read()
    with path.open("rb") as binary, path.open(encoding="utf-8") as text:
        for source, name in (*((own, "a.bm25") for own in (path, str(path), binary, text)), (upload, "my run")):
            run = read_run(source)
            assert (rows(run), run.name, run.source.name) == (ROWS, name, f"{name}.csv")
            assert run.source.sha256 == hashlib.sha256(TEXT).hexdigest()
            assert (run.source.rows, run.source.first_row) == (3, 2)
    assert read_run(path, name="B").name == "B"


def test_what_is_no_file_is_refused_by_what_it_is(tmp_path: Path) -> None:
    """Missing files, folders, pipes, devices, URLs and texts are one sentence each, numbers a TypeError."""
    os.mkfifo(tmp_path / "pipe")
    for source in (tmp_path / "nothing.csv", tmp_path, "-"):
        assert refused(source)[0] == "unreadable"
    for source in (tmp_path / "pipe", "/dev/null", "https://example.org/run.csv", TEXT.decode(), '{"q": {"a": 1}}'):
        assert refused(source)[0] == "unsupported"
    for other in (3, {"a", "b"}, None):
        with pytest.raises(TypeError):
            read_run(other)


PACKINGS = [gzip.compress, bz2.compress, lzma.compress, zstd]


@pytest.mark.parametrize("pack", PACKINGS)
def test_packed_files_are_read_by_their_content(
    pack: Callable[[bytes], bytes], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One member or two, under any name; a cut one, an empty one, junk behind it and a bomb are refused. Nothing is
    written to the disk.
    """
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    path = tmp_path / "run.csv"
    path.write_bytes(pack(TEXT[:40]) + pack(TEXT[40:]))
    run = read_run(path)
    assert (rows(run), run.name, "unpacked" in codes(run)) == (ROWS, "run", True)
    assert run.source.sha256 == hashlib.sha256(path.read_bytes()).hexdigest()
    assert refused(pack(TEXT)[:-6])[0] == refused(pack(TEXT) + b"junk")[0] == "unreadable"
    assert refused(pack(b""))[0] == "empty"
    assert refused(pack(TEXT + b"q,b,2,1\n" * 400_000))[0] == "too_large"
    assert refused(pack(pack(TEXT)))[0] == "unsupported"
    assert rows(read_run(archive({"run.csv": TEXT}))) == ROWS
    assert [*tmp_path.iterdir()] == [path]


def test_a_zip_archive_holds_one_table_or_asks_which(tmp_path: Path) -> None:
    """What systems add does not count; of several files one is chosen; nothing is written; damages are told."""
    path = tmp_path / "run.csv"
    path.write_bytes(archive({"../../etc/run.csv": TEXT, "__MACOSX/._run.csv": "x", "folder/": "", ".DS_Store": "x"}))
    assert rows(read_run(path)) == ROWS
    assert [found.name for found in tmp_path.iterdir()] == ["run.csv"]
    book = archive({"book.xlsx": workbook({"S": [["query_id", "doc_id"], ["q", "a"]]})})
    assert rows(read_run(book)) == [("q", "a")]
    two = archive({"x/a.csv": TEXT, "x/b.csv": TEXT.replace(b"007", b"7")})
    with pytest.raises(ReadError) as error:
        read_run(two)
    assert (error.value.problems[0].code, error.value.choices[0].option) == ("unclear", "member")
    assert error.value.choices[0].values == ("x/a.csv", "x/b.csv")
    for member in ("b.csv", "x/b.csv"):
        assert rows(read_run(two, member=member), "query_id")[0] == ("7",)
    assert refused(two, member="c.csv")[0] == "bad_option"
    locked = bytearray(archive({"a.csv": TEXT}))
    locked[6] |= 1
    locked[locked.find(b"PK\x01\x02") + 8] |= 1
    cases = {
        "empty": [archive({}), archive({"a.csv": ""})],
        "unreadable": [archive({"a.csv": TEXT})[:-30], bytes(locked)],
        "unsupported": [archive({"a.csv.gz": gzip.compress(TEXT)}), archive({"a.tar": tar(TEXT)})],
        "too_large": [archive({"a.csv": TEXT + b"q,a,1,1\n" * 3_000_000})],
    }
    for code, contents in cases.items():
        for content in contents:
            assert refused(content)[0] == code


LZ4 = pa.BufferOutputStream()
with pa.CompressedOutputStream(LZ4, "lz4") as _stream:
    _stream.write(TEXT)


@pytest.mark.parametrize(
    "content",
    [
        *(tar(TEXT, mode) for mode in ("w", "w:gz", "w:xz", "w:bz2")),
        LZ4.getvalue().to_pybytes(),
        pickle.dumps({"q": {"a": 1}}),
        pickle.dumps([1, 2], 0),
        *(begin + bytes(9) for begin in (b"\x89PNG\r\n", b"\xff\xd8\xff", b"Rar!\x1a", b"\x93NUMPY", b"PARE\xff")),
        b"%PDF-1.7\n",
        b"\n<!DOCTYPE html>\n<html><body>Please sign in</body></html>",
        b"<?xml version='1.0'?><a/>",
        b"SQLite format 3\0" + bytes(9),
        b"version https://git-lfs.github.com/spec/v1\noid sha256:1\nsize 2\n",
        b"q1\tnDCG@10\t0.5\nq2\tAP(rel=2)\t0.25\n",
        b"map                   \tall\t0.2\nP_10                  \tall\t0.1\n",
        "query_id,doc_id\nq,a\n".encode("utf-32-le"),
    ],
)  # fmt: skip
def test_withdrawn_packings_and_what_is_no_table_are_refused(content: bytes) -> None:
    """Tar, LZ4, pickles, pictures, login pages and the output of evaluation tools are named, given for anything."""
    for read in (read_run, read_judgments, read_queries, read_votes, recognise_bytes):
        assert refused(content, read)[0] == "unsupported"


def recognise_bytes(content: bytes) -> Any:
    """What a file holds."""

    return recognise(content)


# --- encodings -------------------------------------------------------------------------------------------------------

SIMPLIFIED = "查询,文档ID,排名,标题\n红色运动鞋,商品甲,1,轻便透气的跑步鞋\n红色运动鞋,b,2,蓝色\n"
TRADITIONAL = "查詢,文檔ID,排名,標題\n紅色運動鞋,商品甲,1,輕便透氣的跑步鞋\n紅色運動鞋,b,2,藍色\n"
JAPANESE = "検索クエリ,商品番号,順位,タイトル\n赤い靴,商品甲,1,軽くて歩きやすい運動靴\n赤い靴,b,2,青い\n"
KOREAN = "query,doc_id,rank,title\n휴대폰,삼성,1,갤럭시 휴대폰\n휴대폰,엘지,2,벨벳 휴대폰\n"
WESTERN = "query,docno,pos,title\nMüller straße,déjà,1,café crème – 5€\nMüller straße,b,2,naïve\n"
POLISH = "query,sku,position,title\ndrewniane żółte,a,1,Młotek\ndrewniane żółte,b,2,Mały młotek\npiła,a,1,Hak\n"
BRANDS = "query,sku,position,title\nUSB線,a,1,LED燈 3W\nUSB線,b,2,Philips檯燈\n手機殼,a,1,iPhone手機殼\n"


@pytest.mark.parametrize(
    ("text", "encoding"),
    [
        *((SIMPLIFIED, "gb18030"), (SIMPLIFIED, "gb2312"), (TRADITIONAL, "big5"), (TRADITIONAL, "cp950")),
        *((JAPANESE, "shift_jis"), (JAPANESE, "euc_jp"), (KOREAN, "euc_kr"), (WESTERN, "cp1252")),
        *((POLISH, "cp1250"), (BRANDS, "big5")),
        *((SIMPLIFIED, "utf-16"), (JAPANESE, "utf-16-le"), (TRADITIONAL, "utf-16-be"), (WESTERN, "utf-32")),
    ],
)
def test_other_encodings_give_the_same_table(text: str, encoding: str) -> None:
    """A table in any of the usual encodings is the one in UTF-8; a guess is a warning, a mark or a name is not."""
    found = read_run(text.encode(encoding))
    assert found.table.equals(read_run(text.encode()).table)
    guessed = {note.code: note.phrase("page") for note in found.source.notes if note.level == "warning"}
    assert [*guessed] == ([] if encoding.startswith("utf") else ["encoding_guessed"])
    assert "Details" not in "".join(guessed.values())  # the Data page and a report show it too, and have none
    named = read_run(text.encode(encoding), encoding=encoding)
    assert named.table.equals(found.table)
    assert "encoding" in codes(named)


def test_a_wrong_encoding_is_told_by_row() -> None:
    """Bytes that are not in the encoding that was named, damages of UTF-8, and names that are no encoding."""
    assert refused(b"query_id,doc_id\nq,a\nq,\xff\xff\n", encoding="big5") == ("bad_encoding", 3)
    assert refused(b"query_id,doc_id\nq,a\nq,b", encoding="utf-16")[0] == "bad_encoding"
    assert refused(SIMPLIFIED.encode() + b"q,\xff,3,x\n") == ("bad_encoding", 4)
    assert refused("query_id,doc_id\nGrüße,a\n".encode() + "Grüße,b\n".encode("latin-1")) == ("bad_encoding", 3)
    far = b"query_id,doc_id\nq,\xc3\xa9\xc3\xa9\n" + b"".join(b"q,document-%d\n" % i for i in range(100_000))
    assert refused(far + b"q,caf\xe9\n") == ("bad_encoding", 100_003)
    for encoding in ("klingon", "zlib", "rot13"):
        with pytest.raises(ReadError) as error:
            read_run(WESTERN.encode(), encoding=encoding)
        assert (error.value.problems[0].code, error.value.choices[0].option) == ("bad_option", "encoding")
    below = "".join(f"q1,d{i},{i}\n" for i in range(1, 20_000)) + "q2,红色运动鞋推荐,1\n"
    run = read_run(f"query_id,doc_id,rank\n{below}".encode("gb18030"))
    assert rows(run, "doc_id")[-1] == ("红色运动鞋推荐",)


# --- memory ----------------------------------------------------------------------------------------------------------


def test_the_same_rows_are_the_same_run_from_everywhere() -> None:
    """Frames, Arrow, Parquet, records and dicts: one table, and one digest of its columns."""
    import pandas as pd

    table = pa.table({"query_id": ["q", "q"], "doc_id": ["a", "7"], "score": [2.0, 1.0]})
    chunks = pa.concat_tables([table.slice(0, 1), table.slice(1)])
    records = table.to_pylist()
    sources: list[Any] = [table, chunks, table.to_pandas(), records, iter(records), {"q": {"a": 2, 7: 1.0}}]
    sources += [{"q": [["a", 2], (7, 1)]}, [tuple(row.values()) for row in records]]
    runs = [read_run(source) for source in sources]
    assert {tuple(rows(run)) for run in runs} == {(("q", "a", 2.0), ("q", "7", 1.0))}
    assert len({run.source.sha256 for run in runs}) == 1
    assert read_run({"q": {"a": 2, "b": 3}}).source.sha256 != runs[0].source.sha256
    out = io.BytesIO()
    pq.write_table(table, out)
    assert rows(read_run(out.getvalue())) == rows(runs[0])
    mixed = pd.DataFrame({"query_id": ["q", 1, 2.0], "doc_id": pd.Categorical(["a", "b", "a"], ["c", "b", "a"])})
    assert rows(read_run(mixed)) == [("q", "a"), ("1", "b"), ("2", "a")]
    assert read_run(mixed).table.column("query_id").chunk(0).dictionary.to_pylist() == ["q", "1", "2"]
    assert refused(mixed.replace(2.0, 2.5))[0] == "bad_value"
    assert read_run({"q": ["b", "a"], 2: ["b"]}).ordered_by == "position"
    assert rows(read_judgments({"q": {"a": 2, "b": None, "c": 0}})) == [("q", "a", 2.0), ("q", "c", 0.0)]
    assert rows(read_queries({"a": 3, "b": np.float64(0.5)})) == [("a", 3.0), ("b", 0.5)]
    assert rows(read_queries({"a": "3", 2: "two"})) == [("a", "3"), ("2", "two")]


def test_numbers_of_parquet_are_ids_and_bad_cells_have_their_row() -> None:
    """Whole numbers become ids as people write them; rows of binary files count from 1; damages are told."""
    table = pa.table({"qid": pa.array([7, None]), "docno": ["a", "b"], "rel": [float("inf"), 1.0]})
    out = io.BytesIO()
    pq.write_table(table, out)
    with pytest.raises(ReadError) as error:
        read_judgments(out.getvalue())
    found = [(one.code, one.row, one.column) for one in error.value.problems]
    assert found == [("bad_value", 1, "rel"), ("missing_value", 2, "qid")]
    run = read_run(pa.table({"query_id": [7.0], "doc_id": ["a"], "vector": [[1.0]]}))
    assert rows(run) == [("7", "a")]
    assert refused(b"PAR1" + b"junk" * 100)[0] == "unreadable"


# --- limits ----------------------------------------------------------------------------------------------------------


def test_limits_are_told_with_their_row() -> None:
    """Bytes, rows, columns, texts, ids and lines beyond the limits are refused."""
    text = b"query_id,doc_id,rank\n" + b"q,d,1\n" * 50
    for limits in (Limits(upload=100), Limits(rows=10), Limits(columns=2)):
        assert refused(text, limits=limits)[0] == "too_large"
    long = "é" * 5_001
    for read, content, row in (
        (read_run, f"q Q0 a 1 2 t\nq Q0 {long} 2 1 t\n", 2),
        (read_run, f"q Q0 a 1 2 t\n{long} Q0 b 2 1 t\n", 2),
        (read_judgments, f"q 0 a 1\nq 0 b 0\nq 0 {long} 1\n", 3),
        (read_judgments, f"query_id,doc_id,relevance\n{long},b,1\n", 2),
        (read_votes, f"query_id,vote\nq,good\n{long},bad\n", 3),
        (read_run, f"query_id,doc_id,rank,title\nq,a,1,t\nq,b,2,{'é' * 999_999}\nq,c,3,t\n", 3),
        (read_run, 'query_id,doc_id,rank,title\nq,a,1,"' + "a,b" * 600_000 + '"\nq,c,3,t\n', 2),
    ):
        assert refused(content.encode(), read) == ("too_large", row)
    assert rows(read_run(f"query_id,doc_id\nq,{long[:5000]}\n".encode()), "doc_id") == [(long[:5000],)]
    wide = ",".join(['"' + "x" * 900_000 + '"'] * 4)
    assert len(read_run(f"query_id,doc_id,a,b,c,d\nq,d,{wide}\n".encode()).table) == 1


def lines_without_end(begin: bytes, part: bytes) -> bytes:
    """A file of 40 MB in one line."""
    return begin + part * (40_000_000 // len(part))


@pytest.mark.parametrize(
    ("content", "row"),
    [
        (lambda: lines_without_end(b"query_id,doc_id\nq,", b"x" * 1_000_000), None),
        (lambda: lines_without_end(b"q Q0 d 1 2 t\nq  Q0 ", b"x" * 1_000_000), 2),
        (lambda: lines_without_end(b'query_id,doc_id\nq,a\nq,"', b"x\n" * 500_000), None),
        (lambda: lines_without_end(b"", b","), None),
        (lambda: lines_without_end(b"", b"1"), None),
    ],
)
def test_a_line_without_an_end_is_refused(content: Callable[[], bytes], row: int | None) -> None:
    """A line or a quoted cell of tens of MB is no traceback and no table."""
    code, found = refused(content())
    assert code in ("too_large", "malformed", "missing_column")
    assert row is None or found == row


@pytest.mark.parametrize("name", every(9, ATTACKS))
def test_no_hostile_file_ends_in_a_traceback(name: str) -> None:
    """Each attack is read, or refused with problems of one line each, whatever it is given for."""
    content = ATTACKS[name]()
    for read in (read_run, read_judgments, read_models, read_queries):
        try:
            read(content)
        except ReadError as error:
            told = [str(problem) for problem in error.problems]
            if not told or "\n" in "".join(told):
                pytest.fail(f"{told} are no sentences")


def test_an_archive_of_more_files_than_anybody_packs_is_refused() -> None:
    """The size of its list tells, before an object is made for each file."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as packed:
        for i in range(12_000):
            packed.writestr(f"{'x' * 300}{i}", "")
    assert refused(out.getvalue())[0] == "too_large"


LIGHT = """
import contextlib, sys
from rankdash.reading import ReadError, read_judgments, read_models, read_run
csv = b"query_id,doc_id,rank,title\\nq, a ,1,x\\nq,b,2,y\\n"
trec, tsv = b"q Q0 a 1 2 t\\nq Q0 b 2 1 t\\n", b"q\\ta\\t1\\nq\\tb\\t2\\n"
for good in (trec, csv, csv.replace(b",2,", b",2.0,"), tsv, {"q": {"a": 1}}):
    read_run(good)
read_models(csv.replace(b"title", b"model"))
read_judgments(b"query_id,doc_id,relevance\\nq,a,\\nq,b,1\\n")
for bad in (csv.replace(b",2,", b",two,"), csv + b"x\\n", csv + b"\\xff", b"", csv.replace(b"doc_id", b"foo")):
    with contextlib.suppress(ReadError):
        read_run(bad)
        raise AssertionError(bad)
print(*{"pandas", "scipy", "streamlit", "plotly", "python_calamine"} & {*sys.modules})
"""


def test_no_text_loads_what_it_does_not_need() -> None:
    """Neither good nor bad TREC, CSV and dicts load pandas, scipy, streamlit, plotly or the opener of workbooks."""
    command, env = [sys.executable, "-c", LIGHT], {"PYTHONPATH": str(ROOT)}
    done = subprocess.run(command, env=env, capture_output=True, text=True, check=False, timeout=600)
    assert (done.stdout.strip(), done.stderr) == ("", "")
