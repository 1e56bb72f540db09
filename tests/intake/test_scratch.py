"""Files on the disk that only this process and those that it started use: they come, and they go."""

from __future__ import annotations

import gc
import os
import shutil
import subprocess
import sys
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
    monkeypatch.setattr(scratch, "_own", {})
    return tmp_path


def lying(folder: Path) -> list[str]:
    """The names of files in the folders of processes."""
    return sorted(path.name for path in folder.glob("*/*"))


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
    rows = wire.LARGE // 20
    text = "query_id,doc_id,score\n" + "".join(f"q{row // 100},d{row},{row % 100}\n" for row in range(rows))
    file = given("run.csv", text.encode())
    found, same = apart.read(file, "run").table, files.read(file, "run").table
    assert found.table.nbytes >= wire.LARGE
    assert found.table.equals(same.table, check_metadata=True)
    assert found == same
    assert [column.num_chunks for column in found.table.columns] == [1, 1, 1]
    assert not lying(folder)
    apart.end()


def test_pages_that_are_left_to_the_system_come_back(folder: Path) -> None:
    """A table on the disk is the same after its pages were left, however often, also where only a part of it lives."""
    table = pa.table({"x": pa.array(range(100_000)), "d": pa.array([f"d{i}" for i in range(100_000)])})
    found = scratch.take_table(handed_over(table))
    assert not lying(folder)
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
    names = [handed_over(pa.table({"x": [i]})) for i in range(3)]
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
    assert lying(folder)
    del file
    gc.collect()
    assert not lying(folder)


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
    for name in ("x", "../x", "/etc/passwd", "rankdash-../x.scratch", "rankdash-1-../x.scratch", ""):
        with pytest.raises(ValueError, match="scratch"):
            scratch.take_table(name)
    assert (folder / "x").exists()


def handed_over(table: pa.Table) -> str:
    """A table as a process that was started hands it over: its folder for temporary files is that of this process."""
    before, tempfile.tempdir = tempfile.tempdir, scratch.folder()
    try:
        return scratch.put_table(table)
    finally:
        tempfile.tempdir = before


#: A process that puts a file on the disk, says so, and waits to be killed.
PUTS = """
import sys, time
from rankdash.intake import scratch
kept = scratch.put("a.csv", b"x" * 10)
print(kept.path, flush=True)
time.sleep(600)
"""


def test_what_a_killed_process_left_is_removed_when_the_next_one_starts(folder: Path) -> None:
    """The folder of a process that lives stays, that of one that was killed goes; and nothing else does."""
    variables = {**os.environ, "TMPDIR": str(folder)}
    command = [sys.executable, "-c", PUTS]
    mine, link = folder / "rankdash-mine.txt", folder / "rankdash-link.scratch"
    mine.write_bytes(b"x")
    (folder / "target").mkdir()
    link.symlink_to(folder / "target")
    others = [subprocess.Popen(command, env=variables, stdout=subprocess.PIPE, text=True) for _ in range(2)]
    try:
        paths = [Path(one.stdout.readline().strip()) for one in others]  # type: ignore[union-attr]
        assert all(path.read_bytes() == b"x" * 10 for path in paths)
        assert all(path.parent.stat().st_mode & 0o077 == 0 for path in paths)
        others[0].kill()
        others[0].wait()
        scratch.sweep()
        assert [path.parent.exists() for path in paths] == [False, True]
        assert mine.exists()
        assert link.exists()
        others[1].terminate()
        others[1].wait()
        scratch.folder()
        assert not paths[1].parent.exists()
    finally:
        for one in others:
            one.kill()
            one.communicate()


def test_a_process_that_ends_takes_its_folder_with_it(folder: Path) -> None:
    """Nothing is left by a process that ends by itself, and a copy of it leaves the folder alone."""
    script = """
import os
from rankdash.intake import scratch
folder = scratch.folder()
if os.fork() == 0:
    raise SystemExit
os.wait()
assert os.path.isdir(folder)
"""
    subprocess.run([sys.executable, "-c", script], env={**os.environ, "TMPDIR": str(folder)}, check=True)
    assert not list(folder.iterdir())


def test_a_folder_that_somebody_removed_is_made_again(folder: Path) -> None:
    """Programs that clean up the folder for temporary files do not end uploads."""
    first = scratch.folder()
    shutil.rmtree(first)
    kept = scratch.put("a.csv", b"x")
    assert Path(kept).read_bytes() == b"x"
    assert scratch.folder() != first


def test_what_has_no_lock_is_removed_a_week_later(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where there are no locks, and for files of earlier versions, a week tells what is nobody's."""
    monkeypatch.setattr(scratch, "fcntl", None)
    old, young, other, kept = (
        folder / name for name in ("rankdash-a.scratch", "rankdash-b.scratch", "mine.txt", "rankdash-c.scratch")
    )
    old.mkdir()
    (old / "x").write_bytes(b"x")
    for path in (young, other, kept):
        path.write_bytes(b"x")
    long_ago = time.time() - 8 * 24 * 3600
    for path in (old, other):
        os.utime(path, (long_ago, long_ago))
    own = scratch.folder()
    assert {path.name for path in folder.iterdir()} == {young.name, other.name, kept.name, Path(own).name}


def test_what_a_process_that_reads_was_about_to_hand_over_goes_with_it(folder: Path) -> None:
    """A reader that is ended leaves no table behind, and takes nothing of others with it."""
    mine, theirs = handed_over(pa.table({"x": [1]})), "rankdash-12-abc.scratch"
    (Path(scratch.folder()) / theirs).write_bytes(b"x")
    scratch.leave_files_of(12)
    assert lying(folder) == [mine]


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
    assert not lying(folder)
