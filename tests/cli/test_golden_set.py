"""What the README shows of golden sets, their TOML and command on twelve queries, and of several candidates."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from rankdash.__main__ import main

README = Path(__file__).parents[2] / "README.md"
QUERIES = range(12)


def trec(lists: dict[int, list[str]]) -> str:
    """A TREC run of the twelve queries; best first where nothing else is given."""
    return "".join(
        f"g{query} Q0 {doc} {rank} {9 - rank} x\n"
        for query in QUERIES
        for rank, doc in enumerate(lists.get(query, ["good", "fair", "bad"]), 1)
    )


#: What a branch does to the lists of main, and the exit status of the gate. Main has one list that can get better.
MAIN = {3: ["fair", "good", "bad"]}
BRANCHES = {
    "nothing": (MAIN, 0),
    "one query better": ({}, 0),
    "one query worse": (MAIN | {5: ["bad", "fair", "good"]}, 3),
    "every query worse": ({query: ["bad", "fair", "good"] for query in QUERIES}, 3),
    "one better, one worse by more": ({5: ["bad", "fair", "good"]}, 3),
    "only below what is relevant": (MAIN | {7: ["good", "fair", "worse", "bad"]}, 0),
}


@pytest.fixture
def command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The arguments of the README's command, in a folder with all files but the branch's run."""
    text = README.read_text("utf-8")
    (toml,) = re.findall(r"```toml\n(.*?)```", text, re.DOTALL)
    assert toml.count("\n") == 3
    (line,) = re.findall(r"^rankdash (compare .*golden\.toml.*?)\s*(?:#.*)?$", text, re.MULTILINE)
    monkeypatch.chdir(tmp_path)
    Path("golden.toml").write_text(toml, "utf-8")
    Path("golden.txt").write_text("".join(f"g{q} 0 good 2\ng{q} 0 fair 1\ng{q} 0 bad 0\n" for q in QUERIES), "utf-8")
    Path("main.trec").write_text(trec(MAIN), "utf-8")
    return shlex.split(line)


def test_several_candidates_are_compared_as_the_readme_shows(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Every command and the Python of that part run, on three candidates of which c is the best."""
    part = README.read_text("utf-8").partition("## Several candidates")[2].partition("\n## ")[0]
    commands, python = re.findall(r"```\w*\n(.*?)```", part, re.DOTALL)
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("RANKDASH_STORE", raising=False)
    monkeypatch.setenv("RANKDASH_HOME", str(tmp_path / "home"))
    worse = {query: ["bad", "fair", "good"] for query in QUERIES}
    for name, lists in {"old": MAIN, "b": worse, "c": {}, "d": worse | {1: ["good"]}}.items():
        Path(f"{name}.trec").write_text(trec(lists).replace(" x\n", f" {name}\n"), "utf-8")
    Path("qrels.txt").write_text("".join(f"g{q} 0 good 2\ng{q} 0 fair 1\ng{q} 0 bad 0\n" for q in QUERIES), "utf-8")
    assert [main(shlex.split(line)[1:]) for line in commands.splitlines()] == [5, 0, 0]  # twelve queries prove nothing
    assert "c raises" in capsys.readouterr().out.splitlines()[-1]
    exec(python, {})
    assert "\nc Comparison(" in capsys.readouterr().out


@pytest.mark.parametrize("branch", BRANCHES)
def test_the_gate_of_the_readme_is_green_and_red(
    branch: str, command: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    """Green where nothing changed or got better, red where the set got worse, were it by one query of twelve."""
    lists, status = BRANCHES[branch]
    Path("branch.trec").write_text(trec(lists), "utf-8")
    assert main(command) == status
    printed = capsys.readouterr().out
    assert ("No launch: B is worse" in printed) is bool(status)
    assert status or "Launch: B is as good as A" in printed
    if status:
        assert "on exactly these 12 queries" in printed
