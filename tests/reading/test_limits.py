"""How much a hostile or very large file may take: refused as soon as it is seen, read a block at a time."""

from __future__ import annotations

import bz2
import gzip
import io
import json
import lzma
import subprocess
import sys
import tarfile
import zipfile
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from rankdash.reading import ReadError, read_judgments, read_run
from rankdash.reading.source import Limits, document
from tests.long import every
from tests.reading.made_files import archive, open_document, workbook

ROOT = Path(__file__).parents[2]
CSV = b"query_id,doc_id,rank\nq,a,1\n"

#: Prints by how many MB the reading of a file makes a process grow, and what came of it.
GROWTH = """
import resource, sys
from pathlib import Path
from rankdash.reading import ReadError, read_run
told = Path("/proc/self/status")  # elsewhere: of the system, which may count what the parent had
if told.exists():
    peak = lambda: int(told.read_text().split("VmHWM:")[1].split()[0]) / 1024
else:
    peak = lambda: resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
read_run(b"query_id,doc_id\\nq,a\\n")
for path in sys.argv[1:]:
    before = peak()
    try:
        said = str(read_run(path).table.num_rows)
    except ReadError as error:
        said = str(error)
    print(round(peak() - before), said)
"""


def zstd(content: bytes) -> bytes:
    """Packed with zstd."""
    out = pa.BufferOutputStream()
    with pa.CompressedOutputStream(out, "zstd") as packed:
        packed.write(content)
    return bytes(out.getvalue())


def tar(files: list[tuple[str, bytes]], mode: str = "w") -> bytes:
    """A tar archive."""
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode=mode) as packed:  # type: ignore[call-overload]
        for name, content in files:
            info = tarfile.TarInfo(name)
            info.size = len(content)
            packed.addfile(info, io.BytesIO(content))
    return out.getvalue()


def grown(*paths: Path) -> list[tuple[int, str]]:
    """By how many MB a process grows that reads the files one after the other, and what came of each."""
    done = subprocess.run(
        [sys.executable, "-c", GROWTH, *map(str, paths)],
        env={"PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=True,
        timeout=600,
    )
    assert done.stderr == ""
    told = (line.split(maxsplit=1) for line in done.stdout.splitlines())
    return [(int(size), said) for size, said in told]


@pytest.mark.parametrize(
    ("name", "parts", "said", "size", "most"),
    every(4, [
        ("a.csv", (b"query_id,doc_id\nq,", b"x" * 1_000_000, b"\n"), "row 2: this line has more than 16 MB", 200, 150),
        ("a.trec", (b"q Q0 d 1 2 t\nq Q0 ", b"x" * 1_000_000, b" 2 1 t\n"), "row 2: this line has more", 200, 150),
        ("a.jsonl", (b'{"query_id": "q"}\n{"a": "', b"x" * 1_000_000, b'"}'), "row 2: a single value has", 200, 150),
        # Arrow reads ahead by blocks of 16 MB, more or less of them from run to run; less than the file in any case.
        ("a.csv", (b'query_id,doc_id\nq,a\nq,"', b"x\n" * 500_000, b'"\n'), "row 2: behind this row there", 400, 400),
    ]),
)  # fmt: skip
def test_a_line_without_an_end_is_refused_as_soon_as_it_is_seen(
    name: str, parts: tuple[bytes, bytes, bytes], said: str, size: int, most: int, tmp_path: Path
) -> None:
    """A line, a cell or an object of 200 MB and more is refused by its row before it is held."""
    path = tmp_path / name
    with path.open("wb") as file:
        file.write(parts[0])
        for _ in range(size):
            file.write(parts[1])
        file.write(parts[2])
    ((by, told),) = grown(path)
    assert said in told
    assert by < most, told


@pytest.mark.parametrize("shape", every(3, ["lines", "records", "dicts"]))
def test_json_is_read_a_block_at_a_time(shape: str, tmp_path: Path) -> None:
    """200,000 rows of JSON take about as much memory as the table that they become, whatever the shape."""
    path = tmp_path / "run.json"
    rows = [{"query_id": f"q{i // 100}", "doc_id": f"doc{i}", "score": 100 - i % 100} for i in range(200_000)]
    if shape == "lines":
        path.write_text("\n".join(map(json.dumps, rows)))
    elif shape == "records":
        path.write_text(json.dumps({"took": 1, "data": rows}))
    else:
        queries: dict[str, dict[str, int]] = {}
        for row in rows:
            queries.setdefault(row["query_id"], {})[row["doc_id"]] = row["score"]
        path.write_text(json.dumps(queries))
    ((size, told),) = grown(path)
    assert told == "200000"
    assert size < 120


@pytest.mark.parametrize("pack", [gzip.compress, bz2.compress, lzma.compress, zstd])
def test_packed_files_are_unpacked_by_content(pack: Callable[[bytes], bytes]) -> None:
    """gzip, bzip2, xz and zstd, one member or two, are read; a cut one, junk behind it and a bomb are refused."""
    assert read_run(pack(CSV)).table.num_rows == 1
    assert read_run(pack(CSV[:21]) + pack(CSV[21:])).table.num_rows == 1
    for bad in (pack(CSV)[:-6], pack(CSV) + b"junk", pack(CSV + b"q,b,2\n" * 400_000)):
        with pytest.raises(ReadError, match=r"ends too early|something else|damaged|unpacks to"):
            read_run(bad)


@pytest.mark.parametrize("mode", ["w", "w:gz", "w:xz", "w:bz2"])
def test_what_is_not_unpacked_is_refused(mode: str) -> None:
    """Tar archives, packed or in a zip too, and LZ4 are refused, and the sentence says to unpack them first."""
    made = tar([("run.csv", CSV)], mode)
    lz4 = pa.BufferOutputStream()
    with pa.CompressedOutputStream(lz4, "lz4") as stream:
        stream.write(CSV)
    for content in (made, archive({"a.tar": made}), made[:600], lz4.getvalue().to_pybytes()):
        with pytest.raises(ReadError, match=r"Unpack it first|packed twice|ends too early|damaged") as error:
            read_run(content)
        assert error.value.problems[0].code in ("unsupported", "unreadable")


def test_what_is_unpacked_or_recoded_is_not_kept_whole(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Beyond 64 MB what is unpacked or recoded is made again whenever it is read: the same table comes out."""
    rows = "".join(f"q{i // 9},文档{i},{i % 9 + 1}\n" for i in range(20_000))
    text = "query_id,doc_id,rank\n" + rows
    expected = read_run(text.encode()).table
    monkeypatch.setattr(document, "_KEPT", 1000)
    path = tmp_path / "run.zip"
    path.write_bytes(archive({"run.csv": text}))
    for source in (gzip.compress(text.encode()), path, text.encode("utf-16"), gzip.compress(text.encode("gb18030"))):
        assert read_run(source).table == expected
    with pytest.raises(ReadError, match=r'row 20001, column "rank": "x" is not a number'):
        read_run(gzip.compress((text[:-2] + "x\n").encode()))


def test_rows_that_are_longer_than_a_block_are_read_once() -> None:
    """Where a quoted row is longer than a block, the rows before it are not read twice."""
    wide = ",".join(f"c{i}" for i in range(8))
    rows = "".join(f'q,"d{i}",{i},{"," * 7}\n' for i in range(1, 60_001))
    long = ",".join('"' + "y" * 200_000 + '"' for _ in range(8))
    run = read_run(f"query_id,doc_id,rank,{wide}\n{rows}q,z,60001,{long}\n".encode())
    assert run.table.num_rows == 60_001


def test_a_list_of_members_is_not_read_where_it_is_too_long() -> None:
    """An archive of more files than anybody packs is refused by the size of its list."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as packed:
        for i in range(12_000):
            packed.writestr(f"{'x' * 300}{i}", "")
    with pytest.raises(ReadError, match="the archive holds more than 10,000 files"):
        read_run(out.getvalue())


@pytest.mark.parametrize("column", ["doc_id", "title"])
def test_a_dictionary_that_repeats_a_long_text_is_refused(column: str) -> None:
    """A Parquet column of a million references to one long text is refused before it is made."""
    text = pa.DictionaryArray.from_arrays(pa.array(np.zeros(1_000_000, np.int32)), pa.array(["x" * 500_000]))
    ids = pa.array(np.arange(1_000_000))
    table = {"query_id": ids, "doc_id": ids, "rank": ids} | {column: text}
    out = io.BytesIO()
    pq.write_table(pa.table(table), out)
    with pytest.raises(ReadError, match="unpacks to 500,000 MB"):
        read_run(out.getvalue() + b"")


def test_a_broken_workbook_says_nothing_of_its_own(tmp_path: Path) -> None:
    """Whatever the library that opens workbooks prints or breaks, people see one sentence."""
    far = '<row r="1048576"><c r="XFD1048576"><v>1</v></c></row></sheetData>'
    with zipfile.ZipFile(io.BytesIO(workbook({"S": [["query_id", "doc_id"], ["q", "a"]]}))) as packed:
        files = {name: packed.read(name) for name in packed.namelist()}
    sheet = "xl/worksheets/sheet1.xml"
    bad = [
        archive({**files, sheet: files[sheet].replace(b"</sheetData>", far.encode())}),
        archive({**files, sheet: files[sheet].replace(b'r="A1"', b'r="A99999999999999"')}),
        archive({**files, sheet: files[sheet][:-60]}),
        archive({"xl/workbook.bin": b"\x9c\x01\x04aaaa", "xl/_rels/workbook.bin.rels": "<Relationships/>"}),
        b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(range(256)) * 10,
        open_document({"S": [["query_id"]]}).replace(b"PK\x01\x02", b"PK\x01\x03", 1),
    ]
    paths = [tmp_path / f"{i}.xlsx" for i in range(len(bad))]
    for path, content in zip(paths, bad, strict=True):
        path.write_bytes(content)
    for path, (_, told) in zip(paths, grown(*paths), strict=True):  # which holds that nothing was printed beside
        assert told.startswith(path.name), told


@pytest.mark.long
def test_opening_a_workbook_has_limits_that_can_be_set() -> None:
    """Memory and seconds of the process that opens a workbook are settings, and named where they are passed."""
    content = workbook({"S": [["query_id", "doc_id"], *[["q", f"d{i}"] for i in range(60_000)]]})
    assert read_run(content).table.num_rows == 60_000
    with pytest.raises(ReadError, match="opening the workbook takes more than 12 MB"):
        read_run(content, limits=Limits(memory=12_000_000))


def test_arrow_files_and_streams_are_read() -> None:
    """Arrow and Feather files and streams give the table of the Parquet file; damaged ones are refused."""
    table = pa.table({"query_id": ["q", "q"], "doc_id": ["a", "b"], "relevance": [True, False]})
    for writer in (pa.ipc.new_file, pa.ipc.new_stream):
        out = io.BytesIO()
        with writer(out, table.schema) as written:
            written.write_table(table)
        assert read_judgments(out.getvalue()).table.column("relevance").to_pylist() == [1, 0]
        with pytest.raises(ReadError, match=r"the Arrow file is damaged|there are columns but no rows"):
            read_judgments(out.getvalue()[:400])
        with pytest.raises(ReadError, match="the Arrow file is damaged"):
            read_judgments(out.getvalue().replace(b"query_id", b"que\xe4y_id"))
        with pytest.raises(ReadError, match=r"the table is too large\. At most 1 rows"):
            read_judgments(out.getvalue(), limits=Limits(rows=1))


def test_text_in_views_is_read_from_arrow_files() -> None:
    """An Arrow file whose texts stand in views is read, with every version of Arrow, and its size has the limit."""
    views = pa.array(["query one", "query two, which is long"], pa.string_view())
    table = pa.table({"query_id": views, "doc_id": ["a", "b"], "relevance": [1, 0]})
    out = io.BytesIO()
    with pa.ipc.new_file(out, table.schema) as written:
        written.write_table(table)
    assert read_judgments(out.getvalue()).table.column("query_id").to_pylist() == views.to_pylist()
    with pytest.raises(ReadError, match="the table is too large"):
        read_judgments(out.getvalue(), limits=Limits(unpacked=20))


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (json.dumps([{"query_id": "q", f"n{i}": 1} for i in range(9_000)]).encode(), "4,097 different names"),
        (b"\n".join(b'{"query_id": "q", "n%d": 1}' % i for i in range(9_000)), "4,097 different names"),
        (gzip.compress(b"") * 50_000, "the file is empty"),
        (b"," * 500_000, "there are 262,145 columns|there are 500,001 columns"),
        (
            b"query_id,doc_id,score\n" + b"".join(b"q,d%d,%sx\n" % (i, b"1" * 390) for i in range(1500)),
            "is not a number",
        ),
    ],
    ids=["records", "lines", "members", "columns", "digits"],
)
def test_limits_hold_before_the_work_is_done(content: bytes, said: str) -> None:
    """What is beyond a limit is refused when it is seen."""
    with pytest.raises(ReadError, match=said):
        read_run(content)
