"""The terminal prints warnings alone, few of them, and the verdict last; --verbose prints what was understood."""

import io
import json
from collections.abc import Sequence
from pathlib import Path
from threading import Event

import pytest

import rankdash as rd
from rankdash import cli
from rankdash.__main__ import main
from rankdash.cli import comparing
from rankdash.notes import as_json
from rankdash.report.notes import input_notes, notes_of
from tests.browsed import judgments_csv, run_csv

FILES = ("a.csv", "b.csv", "-q", "q.csv", "--queries", "t.csv")


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
    Path("t.csv").write_text("query_id,visits\n" + "".join(f"q{i},{i}\n" for i in range(99)), "utf-8")
    return tmp_path


@pytest.mark.parametrize("command", [["compare"], ["compare", "--json", "-"], ["compare", "--gate"], ["save"]])
def test_the_terminal_tells_what_the_page_does(command: Sequence[str], capsys: pytest.CaptureFixture[str]) -> None:
    """Each note of each input is a line on stderr, whatever is asked for, and the same stands in JSON. That no query
    has a weight is said where a column of the queries is not used.
    """
    main([*command, *FILES])
    terse = capsys.readouterr().err
    assert (terse.count("Column"), terse.count("No query has a weight")) == (0, 1)  # details are for --verbose alone
    main([*command, *FILES, "-v"])
    told = capsys.readouterr()
    comparison = rd.compare("a.csv", "b.csv", "q.csv", queries="t.csv")
    assert {*notes_of(comparison, verbose=True)} <= {*told.err.splitlines()}
    if "-" in command:
        for one in input_notes(comparison):
            assert json.loads(told.out)["inputs"][one.input]["notes"] == as_json(one.notes)


def test_few_warnings_come_before_the_verdict(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """At most five warnings and how many more there are, all of them with --verbose; the last line is the verdict."""
    comparison = rd.compare("a.csv", "b.csv", "q.csv")
    many = [f"warning {i}" for i in range(8)]
    monkeypatch.setattr(comparing, "warnings", lambda *_, **__: many)
    main(["compare", *FILES])
    printed = capsys.readouterr()
    assert printed.err.splitlines() == [*many[:5], "3 more: --verbose"]
    assert printed.out.splitlines()[-1] == rd.decide(comparison).line
    main(["compare", *FILES, "-v", "-o", "out.md"])
    printed = capsys.readouterr()
    assert (printed.err.splitlines(), printed.out) == ([*many, rd.decide(comparison).line], "")


class Screen(io.StringIO):
    """A terminal, or a pipe, that says when something is written."""

    def __init__(self, is_terminal: bool) -> None:
        super().__init__()
        self.is_terminal, self.written = is_terminal, Event()

    def isatty(self) -> bool:
        """Whether it is a terminal."""
        return self.is_terminal

    def write(self, text: str) -> int:
        """Write, and let those who wait go on."""
        self.written.set()
        return super().write(text)


@pytest.mark.parametrize(("is_terminal", "patience"), [(True, 0.01), (False, 0.01), (True, 3600)])
def test_progress_is_for_terminals(is_terminal: bool, patience: float, monkeypatch: pytest.MonkeyPatch) -> None:
    """What takes longer than the patience is shown on a terminal and wiped out; a pipe gets nothing."""
    screen, is_shown = Screen(is_terminal), is_terminal and patience < 1
    monkeypatch.setattr("sys.stderr", screen)
    monkeypatch.setattr(cli, "_PATIENCE", patience)
    with cli.progress("reading", 3) as count:
        count()
        assert not is_shown or screen.written.wait(120)
    assert ("reading 1 of 3 …" in screen.getvalue()) == is_shown
    assert not is_shown or screen.getvalue().endswith("\r\x1b[K")


def test_text_of_files_is_seen_and_drives_no_terminal(capsys: pytest.CaptureFixture[str]) -> None:
    """An escape sequence in a heading is spelled out."""
    main(["compare", *FILES, "-v"])
    told = capsys.readouterr().err
    assert "\x1b" not in told
    assert "x1b[31mtitle" in told
