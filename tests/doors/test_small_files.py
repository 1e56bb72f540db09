"""Small files that unpack to much: refused by what they say, or stopped while they are unpacked, at every door."""

import bz2
import gzip
import io
import lzma
import struct
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

from rankdash.__main__ import main
from rankdash.reading import ReadError, read_judgments, read_run
from rankdash.sandbox import processes
from tests.intake.test_intake import given
from tests.long import every
from tests.reading.attacks import false_size, far_cell, many_cells, overlapping, shared_strings

CSV = b"query_id,doc_id,rank\n"
LONG = "x" * 9_000
MOST_MB = 400


def text(size: int) -> bytes:
    """One row again and again."""
    return CSV + b"q,d,1\n" * (size // 6)


def arrow(columns: dict[str, pa.Array], compression: str | None = "zstd") -> bytes:
    """An Arrow file."""
    table, out = pa.table(columns), io.BytesIO()
    with pa.ipc.new_file(out, table.schema, options=pa.ipc.IpcWriteOptions(compression=compression)) as written:
        written.write_table(table)
    return out.getvalue()


def parquet(columns: dict[str, pa.Array]) -> bytes:
    """A Parquet file."""
    out = io.BytesIO()
    pq.write_table(pa.table(columns), out, compression="zstd")
    return out.getvalue()


def numbers(count: int) -> pa.Array:
    """Zeros."""
    return pa.array(np.zeros(count, np.int32))


def of_rows(ids: pa.Array) -> dict[str, pa.Array]:
    """The columns of a run with these ids."""
    return {"query_id": ids, "doc_id": ids, "score": numbers(len(ids))}


def repeated(count: int, text: str = LONG) -> pa.Array:
    """A text again and again, by a dictionary."""
    return pa.DictionaryArray.from_arrays(numbers(count), pa.array([text]))


def views(count: int) -> pa.Array:
    """The same by views of one text."""
    view = struct.pack("<i4sii", len(LONG), LONG[:4].encode(), 0, 0)
    buffers = [None, pa.py_buffer(view * count), pa.py_buffer(LONG.encode())]
    return pa.Array.from_buffers(pa.string_view(), count, buffers)


def listed(items: int) -> pa.Array:
    """A list of so many documents."""
    return pa.ListArray.from_arrays(pa.array([0, items], pa.int32()), numbers(items))


def compressed_zstd(content: bytes) -> bytes:
    """A text packed by zstd, with its size in the head."""
    return bytes(pa.Codec("zstd").compress(content, asbytes=True))


def huge_tar() -> bytes:
    """A tar archive whose file says that it has an exabyte or more."""
    info = tarfile.TarInfo("a.csv")
    info.size = 1 << 62
    return info.tobuf(tarfile.GNU_FORMAT) + CSV


def zipped(size: int) -> bytes:
    """A zip archive of zeros."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as packed:
        packed.writestr("a.csv", bytes(size))
    return out.getvalue()


def lying_gzip() -> bytes:
    """A file of gzip that says that it holds ten bytes."""
    return gzip.compress(text(100_000_000), 6)[:-4] + struct.pack("<I", 10)


#: By how many MB a process of its own grows that reads a file.
_GROWTH = """
import contextlib, resource, sys
from rankdash.reading import ReadError, read_run
import pyarrow.parquet, zipfile, lzma
peak = lambda: resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1000
before = peak()
with contextlib.suppress(ReadError):
    read_run(sys.argv[1])
print(peak() - before)
"""


def grown(path: Path) -> int:
    """By how many MB a process grows that reads a file."""
    command = [sys.executable, "-c", _GROWTH, str(path)]
    return int(subprocess.run(command, capture_output=True, check=True, timeout=600).stdout)


#: By name: what makes the file, and the code of its refusal.
FILES: dict[str, tuple[Callable[[], bytes], str]] = {
    "huge.tar": (huge_tar, "unsupported"),
    "dictionary.arrow": (lambda: arrow(of_rows(repeated(3_000_000))), "too_large"),
    "few.arrow": (lambda: arrow(of_rows(repeated(300_000))), "too_large"),
    "views.arrow": (lambda: arrow(of_rows(views(300_000))), "too_large"),
    "runs.arrow": (
        lambda: arrow(of_rows(pa.RunEndEncodedArray.from_arrays(pa.array([300_000], pa.int32()), pa.array([LONG])))),
        "missing_column",
    ),
    "zeros.arrow": (lambda: arrow(of_rows(numbers(50_000_000))), "too_large"),
    "list.parquet": (lambda: parquet({"query_id": pa.array(["q"]), "documents": listed(5_000_000)}), "unsupported"),
    "zeros.parquet": (lambda: parquet(of_rows(numbers(15_000_000))), "too_large"),
    "dictionary.parquet": (lambda: parquet(of_rows(repeated(300_000))), "too_large"),
    "rows.csv.gz": (lambda: gzip.compress(text(100_000_000), 6), "too_large"),
    "lying.csv.gz": (lying_gzip, "too_large"),
    "rows.csv.bz2": (lambda: bz2.compress(text(10_000_000)), "too_large"),
    "rows.csv.xz": (lambda: lzma.compress(text(100_000_000), preset=0), "too_large"),
    "rows.csv.zst": (lambda: compressed_zstd(text(100_000_000)), "too_large"),
    "zeros.zip": (lambda: zipped(300_000_000), "too_large"),
    "lying.zip": (false_size, "unreadable"),
    # Newer Pythons see by themselves that members overlap.
    "overlapping.zip": (overlapping, "unreadable" if hasattr(zipfile.ZipInfo(), "_end_offset") else "unsupported"),
    "cells.xlsx": (lambda: many_cells(3_000_000), "too_large"),
    "strings.xlsx": (shared_strings, "too_large"),
    "far.xlsx": (far_cell, "too_large"),
}


@pytest.mark.parametrize("name", every(4, FILES))
def test_small_files_are_refused_before_they_unpack_to_much(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A file of at most 1.5 MB grows no process by more than 400 MB, and every door refuses it with the same code."""
    make, code = FILES[name]
    content, path = make(), tmp_path / name
    assert len(content) < 1_500_000
    path.write_bytes(content)
    assert grown(path) < MOST_MB
    for source in (str(path), content):
        with pytest.raises(ReadError) as error:
            read_run(source)
        assert error.value.problems[0].code == code
    assert main(["compare", str(path), str(path), "--gate"]) == 2
    assert "Traceback" not in capsys.readouterr().err
    page = processes.read(given(name, content), "run").error
    assert page.problems[0].code == code


@pytest.mark.parametrize("name", ["zeros.zip", "cells.xlsx", "strings.xlsx"])
def test_what_says_how_large_it_is_is_not_unpacked(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file that says that it unpacks to more than is read is refused before a byte of it is unpacked."""

    def never(*_: object, **__: object) -> None:
        raise AssertionError("something was unpacked")

    content = FILES[name][0]()
    monkeypatch.setattr(zipfile.ZipExtFile, "read", never)
    with pytest.raises(ReadError) as error:
        read_run(content)
    assert error.value.problems[0].code == "too_large"


@pytest.mark.parametrize("failure", [MemoryError, pa.ArrowMemoryError])
@pytest.mark.parametrize("ending", ["csv.gz", "parquet", "json"])
def test_an_allocation_that_fails_is_one_sentence(
    failure: type[Exception], ending: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:  # fmt: skip
    """Whatever has no memory left while a file is read, a shell and Python say so, and nothing is called damaged."""
    table = {name: pa.array([cell]) for name, cell in (("query_id", "q"), ("doc_id", "a"), ("relevance", 1))}
    made = {
        "csv.gz": gzip.compress(b"query_id,doc_id,relevance\nq,a,1\n"),
        "parquet": parquet(table),
        "json": b'{"q": {"a": 1}}',
    }
    path = tmp_path / f"grades.{ending}"
    path.write_bytes(made[ending])
    (tmp_path / "run.csv").write_text("query_id,doc_id,rank\nq,a,1\n")
    assert read_judgments(path).table.num_rows == 1

    def full(*_: object, **__: object) -> None:
        raise failure("no memory")

    monkeypatch.setattr("rankdash.reading.build.grade_words", full)
    with pytest.raises(ReadError) as error:
        read_judgments(path)
    assert error.value.problems[0].code == "too_large"
    assert main(["evaluate", str(tmp_path / "run.csv"), "-q", str(path)]) == 2
    assert len(capsys.readouterr().err.splitlines()) == 1
