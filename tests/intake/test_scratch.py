"""Files on the disk that only this process and those that it started use: they come, and they go."""

from __future__ import annotations

import gc
import os
import tempfile
import time
import weakref
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Event
from typing import Any

import pyarrow as pa
import pytest

from rankdash.intake import Given, files, scratch
from rankdash.sandbox import apart, wire
from tests.long import every
from tests.sandbox.test_apart import SAMPLES, given, plain


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of temporary files of its own."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    scratch._sweep.cache_clear()
    return tmp_path


@pytest.mark.parametrize("sample", every(3, SAMPLES))
def test_a_file_on_the_disk_is_read_as_one_in_memory(sample: str) -> None:
    """Look and reading are the same to the last field, name, digest, problems and choices included."""
    kind, content, decisions = SAMPLES[sample]
    name = f"{sample}.csv"
    lies, stands = Given(name, scratch.put(name, content)), given(name, content)
    there, here = apart.look(lies, decisions), files.look(stands, decisions)
    assert plain(there) == plain(here)
    for file in (lies, lies.of_digest(there.digest)):
        found = apart.read(file, kind, decisions, form=here.form)
        assert plain(found) == plain(files.read(stands, kind, decisions, form=here.form))


@pytest.mark.long
def test_a_large_table_comes_back_as_it_is_and_leaves_nothing(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What goes by way of the disk is equal to the bit, types and metadata included, and nothing lies there after."""
    apart.end()  # the next process that reads has this folder too
    monkeypatch.setenv("TMPDIR", str(folder))
    rows = wire.LARGE // 20
    text = "query_id,doc_id,score\n" + "".join(f"q{row // 100},d{row},{row % 100}\n" for row in range(rows))
    file = given("run.csv", text.encode())
    found, same = apart.read(file, "run").table, files.read(file, "run").table
    assert found.table.nbytes >= wire.LARGE
    assert found.table.equals(same.table, check_metadata=True)
    assert found == same
    assert [column.num_chunks for column in found.table.columns] == [1, 1, 1]
    assert not list(folder.iterdir())
    apart.end()


def test_pages_that_are_left_to_the_system_come_back(folder: Path) -> None:
    """A table on the disk is the same after its pages were left, however often, also where only a part of it lives."""
    table = pa.table({"x": pa.array(range(100_000)), "d": pa.array([f"d{i}" for i in range(100_000)])})
    found = scratch.take_table(scratch.put_table(table))
    assert not list(folder.iterdir())
    scratch.leave_pages()
    assert found.equals(table)
    part = found.column("d").chunk(0).slice(99_990)
    del found
    gc.collect()
    scratch.leave_pages()
    assert part.to_pylist() == table.column("d").to_pylist()[99_990:]
    del part
    gc.collect()
    assert not list(scratch._mapped)
    scratch.leave_pages()


def test_pages_are_left_while_another_table_comes(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In a server one session leaves pages while another one reads: neither hears of the other."""
    looking = Event()

    class Slow(weakref.WeakSet[Any]):
        def __iter__(self) -> Iterator[Any]:
            for one in super().__iter__():
                looking.set()
                time.sleep(0.2)
                yield one

    monkeypatch.setattr(scratch, "_mapped", Slow())
    names = [scratch.put_table(pa.table({"x": [i]})) for i in range(3)]
    taken = [scratch.take_table(name) for name in names[:2]]
    with ThreadPoolExecutor(1) as other:
        leaving = other.submit(scratch.leave_pages)
        assert looking.wait(10)
        taken.append(scratch.take_table(names[2]))
        leaving.result()
    assert [table.column("x")[0].as_py() for table in taken] == [0, 1, 2]


def test_a_file_is_there_as_long_as_somebody_refers_to_it(folder: Path) -> None:
    """It can be read by nobody else, and is gone with the last reference."""
    file = scratch.put("a.csv", b"x" * 10)
    assert Path(file).read_bytes() == b"x" * 10
    assert os.name == "nt" or Path(file).stat().st_mode & 0o077 == 0
    assert file.size == 10
    other = Given("a.csv", file).of_digest("0")
    assert os.fspath(other.source) == os.fspath(file)
    del other
    assert list(folder.iterdir())
    del file
    gc.collect()
    assert not list(folder.iterdir())


def test_a_file_that_was_removed_by_somebody_is_told(folder: Path) -> None:
    """Reading it says that it cannot be opened, under the name that people gave it."""
    file = Given("a.csv", scratch.put("a.csv", b"query_id,doc_id,score\nq,d,1\n"))
    os.remove(file.source)
    for found in (apart.look(file), apart.read(file, "run")):
        assert found.error is not None
        assert "a.csv" in str(found.error)
        assert "cannot be opened" in str(found.error)


def test_no_other_file_is_taken_for_a_table(folder: Path) -> None:
    """A name that is none of ours is refused, whatever lies there."""
    (folder / "x").write_bytes(b"")
    for name in ("x", "../x", "/etc/passwd", "rankdash-../x.scratch", ""):
        with pytest.raises(ValueError, match="scratch"):
            scratch.take_table(name)
    assert (folder / "x").exists()


def test_what_a_killed_process_left_is_removed_a_week_later(folder: Path) -> None:
    """Old files of ours go with the first new one; others, and young ones, stay."""
    old, young, other = (folder / name for name in ("rankdash-a.scratch", "rankdash-b.scratch", "mine.txt"))
    for path in (old, young, other):
        path.write_bytes(b"x")
    long_ago = time.time() - 8 * 24 * 3600
    for path in (old, other):
        os.utime(path, (long_ago, long_ago))
    kept = scratch.put("a.csv", b"x")
    assert {path.name for path in folder.iterdir()} == {young.name, other.name, Path(kept).name}


def test_a_disk_that_takes_no_more_leaves_nothing(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where a file or a table cannot be written, OSError says so, and what was begun is removed."""

    def full(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(pa, "OSFile", full)
    with pytest.raises(OSError, match="No space"):
        scratch.put_table(pa.table({"x": [1]}))
    monkeypatch.setattr(os, "fdopen", full)
    with pytest.raises(OSError, match="No space"):
        scratch.put("a.csv", b"x")
    assert not list(folder.iterdir())
