"""What reading decided and left out is told on the terminal as on the page; what looks like judgments is refused."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import pytest

import rankdash as rd
from rankdash.__main__ import main
from rankdash.notes import as_json
from rankdash.report.notes import input_notes, notes_of
from tests.browsed import judgments_csv, run_csv

FILES = ("a.csv", "b.csv", "-q", "q.csv")


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Two runs and judgments, and a store of its own."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("RANKDASH_HOME", str(tmp_path / "home"))
    monkeypatch.delenv("RANKDASH_STORE", raising=False)
    monkeypatch.setenv("RANKDASH_URL", "https://rank.example")
    Path("a.csv").write_bytes(run_csv(False))
    Path("b.csv").write_bytes(run_csv(True).replace(b"title", b"\x1b[31mtitle", 1))
    header, *rows = judgments_csv().decode().splitlines()
    Path("q.csv").write_text("\n".join([f"{header},remark", *(f"{row},x" for row in rows)]), "utf-8")
    return tmp_path


@pytest.mark.parametrize("command", [["compare"], ["compare", "--json", "-"], ["compare", "--gate"], ["save"]])
def test_the_terminal_tells_what_the_page_does(command: Sequence[str], capsys: pytest.CaptureFixture[str]) -> None:
    """Each note of each input is a line on stderr, whatever is asked for, and the same stands in JSON."""
    main([*command, *FILES])
    assert capsys.readouterr().err.count("Column") == 0  # details are for --verbose alone
    main([*command, *FILES, "-v"])
    told = capsys.readouterr()
    comparison = rd.compare("a.csv", "b.csv", "q.csv")
    lines = [line for line in told.err.splitlines() if not line.startswith("`rankdash open ")]  # beside a saved one
    assert lines == [*notes_of(comparison, verbose=True)]
    if "-" in command:
        inputs = json.loads(told.out)["inputs"]
        for one in input_notes(comparison):
            assert inputs[one.input]["notes"] == as_json(one.notes)


def test_text_of_files_is_seen_and_drives_no_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    """An escape sequence in a heading is spelled out."""
    main(["compare", *FILES, "-v"])
    told = capsys.readouterr().err
    assert "\x1b" not in told
    assert "x1b[31mtitle" in told
