"""The folder for files that only this process uses: it comes, and it goes."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from rankdash.intake import scratch


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of temporary files of its own."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    monkeypatch.setattr(scratch, "_own", {})
    return tmp_path


#: A process that puts a file into its folder, says so, and waits to be killed.
PUTS = """
import pathlib, time
from rankdash.intake import scratch
kept = pathlib.Path(scratch.folder()) / "a.csv"
kept.write_bytes(b"x" * 10)
print(kept, flush=True)
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
    """Programs that clean up the folder for temporary files do not end what a process is doing there."""
    first = scratch.folder()
    shutil.rmtree(first)
    again = scratch.folder()
    assert os.path.isdir(again)
    assert again != first


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
    for path in (old, other):
        os.utime(path, (0, 0))
    own = scratch.folder()
    assert {path.name for path in folder.iterdir()} == {young.name, other.name, kept.name, Path(own).name}
