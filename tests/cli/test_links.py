"""Links to saved comparisons: where they lead, and the id where there is nothing to lead to."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from rankdash.__main__ import main
from rankdash.cli import serve
from rankdash.store import Settings, Store
from tests.noted import besides_notes

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
    """RANKDASH_URL is where links lead."""
    monkeypatch.setenv("RANKDASH_URL", f"{URL}/")
    assert saved(capsys) == (f"{URL}/?comparison=ID\n", "")


def test_without_an_address_there_is_an_id_and_no_link(capsys: pytest.CaptureFixture[str]) -> None:
    """Where no dashboard is named the id is printed, and told how it is opened."""
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


def test_everything_that_is_written_has_the_same_link(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """`compare --save`, and the report on what is saved, lead where `save` does; what was saved is told."""
    monkeypatch.setenv("RANKDASH_URL", URL)
    assert main(["compare", *FILES, "--save", "--out", "r.md"]) == 0
    (id,) = ids()
    link = f"{URL}/?comparison={id}"
    assert f"Saved: {link}\n" in capsys.readouterr().err
    assert main(["report", id, "-o", "report.md"]) == 0
    monkeypatch.delenv("RANKDASH_URL")
    for file in ("r.md", "report.md"):
        assert f"({link})" in Path(file).read_text("utf-8")
    assert main(["report", id, "-o", "alone.md"]) == 0
    assert id not in Path("alone.md").read_text("utf-8")


def test_an_id_is_whole(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """`rankdash open` takes an id or a link; anything else is one sentence."""
    calls: list[tuple[Any, ...]] = []
    monkeypatch.setattr(serve, "serve", lambda *arguments: calls.append(arguments))
    assert main(["save", *FILES]) == 0
    (id,) = ids()
    for named in (id, f"http://localhost:8501/?comparison={id}"):
        assert main(["open", named]) == 0
        assert calls[-1][-1] == id
    capsys.readouterr()
    for wrong, said in ((id[:8], "no sav"), (f"{id[:8]}_", "neither"), ("beef", "no sav")):
        assert main(["open", wrong]) == 2
        told = capsys.readouterr().err
        assert said in told
        assert told.count("\n") == 1
