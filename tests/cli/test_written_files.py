"""Files that the command line writes are whole or not there, and an interruption is a sentence."""

import os
import stat
import sys
from pathlib import Path

import pytest

from rankdash.__main__ import main
from rankdash.cli import write

LINES = "".join(f"q{i} Q0 d{j} {j} {9 - j}.5 t\n" for i in range(3) for j in range(1, 4))


def test_a_file_is_replaced_as_a_whole_and_keeps_its_permissions(tmp_path: Path) -> None:
    """What was there stays until all of the new content is on the disk."""
    there = tmp_path / "out.csv"
    there.write_text("old", "utf-8")
    there.chmod(0o640)
    write(str(there), b"new")
    assert there.read_bytes() == b"new"
    assert sys.platform == "win32" or stat.S_IMODE(there.stat().st_mode) == 0o640
    assert os.listdir(tmp_path) == ["out.csv"]


def test_a_writing_that_ends_early_leaves_what_was_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A full disk names the file that was asked for, and leaves nothing half beside it."""
    there = tmp_path / "out.csv"
    there.write_text("old", "utf-8")

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device", "somewhere")

    monkeypatch.setattr(os, "replace", full)
    with pytest.raises(OSError, match="No space left on device") as caught:
        write(str(there), b"new")
    assert caught.value.filename == str(there)
    assert there.read_text("utf-8") == "old"
    assert os.listdir(tmp_path) == ["out.csv"]


def test_an_interruption_is_one_line_and_leaves_no_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Ctrl-C while files are read or compared ends with status 130, without a traceback."""
    (tmp_path / "a.trec").write_text(LINES, "utf-8")
    (tmp_path / "b.trec").write_text(LINES.replace("d1", "e1"), "utf-8")
    (tmp_path / "q.txt").write_text("q0 0 d1 1\nq1 0 d2 1\nq2 0 d2 0\n", "utf-8")
    monkeypatch.chdir(tmp_path)

    def pressed(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("rankdash.cli.mistakes_of", pressed)
    assert main(["compare", "a.trec", "b.trec", "-q", "q.txt", "--out", "out.csv"]) == 130
    assert capsys.readouterr().err.count("\n") == 1
    assert sorted(os.listdir(tmp_path)) == ["a.trec", "b.trec", "q.txt"]
