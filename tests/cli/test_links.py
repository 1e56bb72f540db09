"""Links to saved comparisons: where they lead, and the id where there is nothing to lead to."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

import pytest

import rankdash as rd
from rankdash.__main__ import main
from rankdash.cli import serve
from rankdash.store import Settings, Store
from rankdash.store import settings as servers
from tests.noted import besides_notes
from tests.served import free_port

ROOT = Path(__file__).parents[2]
FILES = ("a.trec", "b.trec", "-q", "q.txt")
URL = "https://rank.example/team"


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A working folder with two runs and judgments, and a store of its own, which is returned."""
    for name, docs in (("a", ("bad", "good")), ("b", ("good", "bad"))):
        rows = [f"q{at} Q0 {doc} {rank} {9 - rank} {name}\n" for at in range(40) for rank, doc in enumerate(docs, 1)]
        (tmp_path / f"{name}.trec").write_text("".join(rows), "utf-8")
    (tmp_path / "q.txt").write_text("".join(f"q{at} 0 good 1\nq{at} 0 bad 0\n" for at in range(40)), "utf-8")
    for name in ("RANKDASH_STORE", "RANKDASH_DATABASE_URL", "RANKDASH_FILES_URL", "RANKDASH_SHARED", "RANKDASH_URL"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("RANKDASH_HOME", str(tmp_path / "home"))
    monkeypatch.chdir(tmp_path)
    return tmp_path / "home"


@contextmanager
def answering(path: str = "/_stcore/health", status: int = 200) -> Iterator[str]:
    """The address of something that answers one path, and nothing else."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(status if self.path == path else 404)
            self.end_headers()

        def log_message(self, *_: Any) -> None:
            """Say nothing."""

    with ThreadingHTTPServer(("localhost", 0), Handler) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://localhost:{server.server_port}"
        server.shutdown()


def ids() -> list[str]:
    """The ids of what is saved."""
    return [row.id for row in Store.open(Settings.from_environment()).listed().rows]


def saved(capsys: pytest.CaptureFixture[str]) -> tuple[str, str]:
    """What `rankdash save` prints, its two streams, with ID for the id."""
    assert main(["save", *FILES]) == 0
    told = capsys.readouterr()
    (id,) = ids()
    return told.out.replace(id, "ID"), besides_notes(told.err).replace(id, "ID")


def test_a_link_begins_with_the_address_that_is_named(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """RANKDASH_URL is where links lead, whatever runs here."""
    monkeypatch.setenv("RANKDASH_URL", f"{URL}/")
    with answering() as address, servers.announced(Settings.from_environment(), address):
        assert saved(capsys) == (f"{URL}/?comparison=ID\n", "")


def test_a_link_leads_to_the_dashboard_that_runs(capsys: pytest.CaptureFixture[str]) -> None:
    """Without RANKDASH_URL a link leads to the dashboard of this store that runs on this machine."""
    with answering() as address, servers.announced(Settings.from_environment(), address):
        assert saved(capsys) == (f"{address}/?comparison=ID\n", "")


def test_without_a_dashboard_there_is_an_id_and_no_link(capsys: pytest.CaptureFixture[str]) -> None:
    """Where no dashboard is named and none runs, the id is printed, and told how it is opened."""
    out, err = saved(capsys)
    assert (out, err.count("\n")) == ("ID\n", 1)
    assert "`rankdash open ID`" in err
    assert "RANKDASH_URL" in err


@pytest.mark.parametrize("named", ["rank.example", "javascript:alert(1)", "https://u:secret@rank.example/"])
def test_an_address_that_is_none_is_told(
    named: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A RANKDASH_URL that no link can begin with is told, without what it may hold in secret."""
    monkeypatch.setenv("RANKDASH_URL", named)
    out, err = saved(capsys)
    assert out == "ID\n"
    assert "RANKDASH_URL is " in err
    assert "`rankdash open ID`" in err
    assert "secret" not in err


def test_what_no_longer_runs_is_no_address(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A note of a process that is gone, of another machine or store, of a server that does not answer, and one that is
    none, lead nowhere.
    """
    settings = Settings.from_environment()
    gone = subprocess.Popen([sys.executable, "-c", ""])
    gone.wait()
    with answering() as address, answering(status=404) as other, servers.announced(settings, address):
        (note,) = home.glob("dashboard-*")
        true = json.loads(note.read_text("utf-8"))
        notes = [
            json.dumps(true | {"pid": gone.pid}),
            json.dumps(true | {"machine": "elsewhere"}),
            json.dumps(true | {"database": "sqlite:////other.sqlite"}),
            json.dumps(true | {"address": other}),
            json.dumps(true | {"address": f"http://localhost:{free_port()}"}),
            *(json.dumps(true | {"address": wrong}) for wrong in ("file:///etc", "http://[", "http://h:99999", 7)),
            *(json.dumps(true | {"pid": wrong}) for wrong in (0, -1, 2**70, "1", None)),
            "[]", "7", "{", "", "\0" * 5, "[" * 100_000,
        ]  # fmt: skip
        for wrong in notes:
            note.write_text(wrong, "utf-8")
            assert servers.running(settings) == "", wrong[:200]
        note.write_bytes(b"\xff\xfe")
        assert servers.running(settings) == ""
        assert saved(capsys)[0] == "ID\n"
        note.write_text(json.dumps(true), "utf-8")
        assert servers.running(settings) == address


def test_everything_that_is_written_has_the_same_link(capsys: pytest.CaptureFixture[str]) -> None:
    """`compare --save`, and the report on what is saved, lead where `save` does; what was saved is told."""
    with answering() as address, servers.announced(Settings.from_environment(), address):
        assert main(["compare", *FILES, "--save", "--out", "r.md"]) == 0
        (id,) = ids()
        link = f"{address}/?comparison={id}"
        assert f"Saved: {link}\n" in capsys.readouterr().err
        assert main(["report", id, "-o", "report.md"]) == 0
    for file in ("r.md", "report.md"):
        assert f"({link})" in Path(file).read_text("utf-8")
    assert main(["report", id, "-o", "alone.md"]) == 0
    assert id not in Path("alone.md").read_text("utf-8")


def test_the_beginning_of_an_id_is_enough(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """`rankdash open` and `rankdash report` take as much of an id as begins no other, from four signs on, as
    `rankdash.load` does; otherwise those that begin so are told.
    """
    calls: list[tuple[Any, ...]] = []
    monkeypatch.setattr(serve, "serve", lambda *arguments: calls.append(arguments))
    made = iter(["abcd" + "0" * 28, "abce" + "0" * 28, "abcd" + "1" * 28])
    monkeypatch.setattr("rankdash.store.comparisons.new_id", lambda: next(made))
    for _ in range(2):
        assert main(["save", *FILES]) == 0
    for begin in ("abcd", "ABCD0", "abcd" + "0" * 28):
        assert main(["open", begin]) == 0
        assert calls[-1][-1] == "abcd" + "0" * 28
    assert main(["report", "abce", "-o", "r.md"]) == 0
    assert rd.decide(rd.load("abce")) == rd.decide(rd.load("abce" + "0" * 28))
    assert main(["save", *FILES]) == 0
    capsys.readouterr()
    for begin, said in (
        ("abcd", f"2 saved comparisons have an id that begins with 'abcd': {'abcd' + '1' * 28} (a → b), abcd0"),
        ("abc", "at least 4"),
        ("abcd_", "no id"),
        ("beef", "no sav"),
    ):
        assert main(["open", begin]) == 2
        told = capsys.readouterr().err
        assert said in told
        assert told.count("\n") == 1
    store = Store.open(Settings.from_environment())
    store.delete("abcd" + "1" * 28)
    assert main(["open", "abcd"]) == 0
