"""Baselines at a shell: set, compared with, told of other judgments, listed, removed."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from rankdash.__main__ import main

A = "".join(f"q{i} Q0 bad 1 2 a\nq{i} Q0 good 2 1 a\n" for i in range(40))
B = "".join(
    f"q{i} Q0 {'good' if i % 4 else 'bad'} 1 2 b\nq{i} Q0 {'bad' if i % 4 else 'good'} 2 1 b\n" for i in range(40)
)
Q = "".join(f"q{i} 0 good 1\nq{i} 0 bad 0\n" for i in range(40))


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A working folder with two runs, judgments, and nothing saved."""
    for name, text in (("a.trec", A), ("b.trec", B), ("q.txt", Q)):
        (tmp_path / name).write_text(text, "utf-8")
    monkeypatch.chdir(tmp_path)
    for name in ("RANKDASH_STORE", "RANKDASH_DATABASE_URL", "RANKDASH_FILES_URL", "RANKDASH_BASELINES"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("RANKDASH_HOME", str(tmp_path / "home"))
    return tmp_path


def result(*arguments: str) -> dict[str, object]:
    """What a comparison gives as JSON, without what names the files."""
    assert main(["compare", *arguments, "--json", "result.json"]) == 0
    values = json.loads(Path("result.json").read_text("utf-8"))
    return {key: value for key, value in values.items() if key != "inputs"}


@pytest.mark.parametrize("place", [[], ["--baselines", "kept"]])
def test_a_baseline_is_compared_like_its_file(place: list[str]) -> None:
    """`compare baseline:NAME B` gives what `compare A B` gave, from the store's files or a folder, as A or as B."""
    assert main(["baseline", "set", "main", "a.trec", "-q", "q.txt", *place]) == 0
    of_files, turned = result("a.trec", "b.trec", "-q", "q.txt"), result("b.trec", "a.trec", "-q", "q.txt")
    Path("a.trec").unlink()
    assert result("baseline:main", "b.trec", "-q", "q.txt", *place) == of_files
    assert result("b.trec", "baseline:main", "-q", "q.txt", *place) == turned


def test_the_folder_can_be_set_in_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    """RANKDASH_BASELINES names the folder where --baselines does not; nothing else is written."""
    monkeypatch.setenv("RANKDASH_BASELINES", "in-git")
    assert main(["baseline", "set", "main", "a.trec"]) == 0
    assert [file.name for file in Path("in-git").iterdir()] == ["main.baseline.arrow"]
    assert not Path("home").exists()


def test_other_judgments_are_told(capsys: pytest.CaptureFixture[str]) -> None:
    """A baseline that was set beside other judgments is told on the terminal and in the JSON."""
    assert main(["baseline", "set", "main", "a.trec", "-q", "q.txt"]) == 0
    Path("later.txt").write_text(Q.replace("q1 0 bad 0", "q1 0 bad 1"), "utf-8")
    capsys.readouterr()
    assert main(["compare", "baseline:main", "b.trec", "-q", "later.txt", "--json", "result.json"]) == 0
    assert "kept beside other judgments (q.txt) than it is compared by now (later.txt)" in capsys.readouterr().err
    notes = json.loads(Path("result.json").read_text("utf-8"))["inputs"]["a"]["notes"]
    assert any("other judgments" in note for note in notes)


def test_a_baseline_is_listed_replaced_and_removed(capsys: pytest.CaptureFixture[str]) -> None:
    """The list says what is kept, since when and beside what; a name that is set again holds the new lists."""
    assert main(["baseline", "set", "main", "a.trec", "-q", "q.txt"]) == 0
    assert main(["baseline", "set", "main", "b.trec"]) == 0
    capsys.readouterr()
    assert main(["baseline", "list"]) == 0
    listed = capsys.readouterr().out
    assert listed.count("\n") == 1
    assert "b, 80 rows, from b.trec" in listed
    assert main(["baseline", "remove", "main"]) == 0
    assert main(["baseline", "list"]) == 0
    assert capsys.readouterr().out == ""


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["compare", "baseline:none", "b.trec", "-q", "q.txt"], "No baseline 'none' is kept"),
        (["compare", "baseline:../x", "b.trec", "-q", "q.txt"], "is no name of a baseline"),
        (["compare", "baseline:main", "-q", "q.txt"], "name those of the other, too"),
        (
            ["compare", "baseline:main", "b.trec", "-q", "q.txt", "--columns", "a:rank=x"],
            "what is decided about a",
        ),
        (["score", "baseline:main", "b.trec", "-q", "q.txt", "--out", "scored"], "compare it unscored"),
        (["baseline", "set", "main"], "takes a name and lists"),
        (["baseline", "list", "main"], "takes no name"),
        (["baseline", "set", "main", "none.trec"], "none.trec"),
        (["baseline", "set", "main", "q.txt"], "q.txt"),
    ],
)
def test_what_cannot_be_done_is_one_sentence(
    arguments: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """What is asked wrongly of a baseline is refused with exit status 2 and one sentence, without a traceback."""
    assert main(["baseline", "set", "main", "a.trec"]) == 0
    capsys.readouterr()
    assert main(arguments) == 2
    told = capsys.readouterr()
    assert said in told.err
    assert told.out == ""


def test_nothing_is_kept_where_saving_is_off(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """With RANKDASH_STORE=off a folder has to be named; the sentence says how."""
    monkeypatch.setenv("RANKDASH_STORE", "off")
    assert main(["baseline", "set", "main", "a.trec"]) == 2
    assert "--baselines" in capsys.readouterr().err
    assert main(["baseline", "set", "main", "a.trec", "--baselines", "kept"]) == 0


def test_other_judgments_are_told_where_a_gate_is_quiet(capsys: pytest.CaptureFixture[str]) -> None:
    """No --quiet silences that a baseline stands beside other judgments, and every text that leaves has it."""
    assert main(["baseline", "set", "main", "a.trec", "-q", "q.txt"]) == 0
    Path("later.txt").write_text(Q.replace("q1 0 bad 0", "q1 0 bad 1"), "utf-8")
    capsys.readouterr()
    files = ("r.md", "r.comment.md", "r.html", "r.json")
    named = [word for file in files for word in ("--out", file)]
    assert main(["compare", "baseline:main", "b.trec", "-q", "later.txt", "--quiet", *named]) == 0
    told = capsys.readouterr()
    assert told.out == ""
    assert told.err.count("\n") == 1
    assert "other judgments" in told.err
    for file in files:
        assert "was kept beside other judgments" in Path(file).read_text("utf-8"), file
    assert main(["compare", "baseline:main", "b.trec", "-q", "q.txt", "--quiet"]) == 0
    assert capsys.readouterr() == ("", "")
