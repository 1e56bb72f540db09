"""The gate for golden sets that docs/ci.md shows: its three lines of TOML, its command, and twelve queries."""

import re
import shlex
from pathlib import Path

import pytest

from rankdash.__main__ import main

PAGE = Path(__file__).parents[2] / "docs" / "ci.md"
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
    """The arguments of the command of docs/ci.md, in a folder with all files but the branch's run."""
    text = PAGE.read_text("utf-8")
    (toml,) = re.findall(r"```toml\n(.*?)```", text, re.DOTALL)
    assert toml.count("\n") == 3
    (line,) = re.findall(r"^rankdash (compare .*golden\.toml.*?)\s*(?:#.*)?$", text, re.MULTILINE)
    monkeypatch.chdir(tmp_path)
    Path("golden.toml").write_text(toml, "utf-8")
    Path("golden.txt").write_text("".join(f"g{q} 0 good 2\ng{q} 0 fair 1\ng{q} 0 bad 0\n" for q in QUERIES), "utf-8")
    Path("main.trec").write_text(trec(MAIN), "utf-8")
    return shlex.split(line)


@pytest.mark.parametrize("branch", BRANCHES)
def test_the_gate_of_the_documents_is_green_and_red(
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
