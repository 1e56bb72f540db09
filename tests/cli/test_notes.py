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


@pytest.mark.parametrize("gate", [[], ["--gate"]])
@pytest.mark.parametrize("form", ["csv", "json"])
def test_judgments_given_as_a_run_are_bad_input(form: str, gate: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    """Given as B, a table of grades ends every command with 2 and the option that settles it; with it, it is a run."""
    rows = [line.split(",") for line in judgments_csv().decode().splitlines()[1:]]
    header, records = "query_id,doc_id,relevance", [dict(zip(("query_id", "doc_id", "relevance"), row, strict=True))
                                                      for row in reversed(rows)]  # fmt: skip
    text = json.dumps(records) if form == "json" else "\n".join([header, *(",".join(one.values()) for one in records)])
    Path(f"b.{form}").write_text(text, "utf-8")
    for command in ("compare", "save"):
        extra = gate if command == "compare" else []
        assert main([command, "a.csv", f"b.{form}", "-q", "q.csv", *extra]) == 2
        told = capsys.readouterr()
        assert told.out == ""
        assert f"b.{form}: B has grades and neither rank nor score" in told.err
        assert "say so with --order position." in told.err
    assert main(["score", "a.csv", f"b.{form}", "-q", "q.csv", "--out", "scored"]) == 2
    assert "--order position" in capsys.readouterr().err
    assert main(["compare", "a.csv", f"b.{form}", "-q", "q.csv", "--order", "position"]) == 0
