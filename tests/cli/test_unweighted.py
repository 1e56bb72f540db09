"""A table of weights that lacks judged queries, at a shell: every way in refuses it, takes the option, and says so."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from rankdash.__main__ import main

FILES = ("a.trec", "b.trec", "-q", "q.txt")
LACKS = "queries.csv: 60 of 100 judged queries have no weight ('q40', 'q41', 'q42' …), more than 5%. "
COUNT = {"0": (40, 0), "1": (100, 0), None: (0, 2)}
TITLE = {"0": "40 queries", "1": "100 queries"}


def trec(lists: list[list[str]]) -> str:
    """A TREC run of lists, the best document first."""
    rows = [(i, rank, doc) for i, docs in enumerate(lists) for rank, doc in enumerate(docs, 1)]
    return "".join(f"q{i} Q0 {doc} {rank} {9 - rank} x\n" for i, rank, doc in rows)


@pytest.fixture(autouse=True)
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two runs, judgments of 100 queries, weights for 40 of them, and a store of its own."""
    best, second, worst = ["good", "x", "y"], ["x", "good", "y"], ["x", "y", "good"]
    (tmp_path / "a.trec").write_text(trec([second, worst] * 20 + [best] * 60), "utf-8")
    (tmp_path / "b.trec").write_text(trec([best, best] * 20 + [second, worst] * 30), "utf-8")
    (tmp_path / "q.txt").write_text("".join(f"q{i} 0 good 1\nq{i} 0 x 0\nq{i} 0 y 0\n" for i in range(100)), "utf-8")
    (tmp_path / "queries.csv").write_text("query_id,weight\n" + "".join(f"q{i},1\n" for i in range(40)), "utf-8")
    monkeypatch.chdir(tmp_path)
    for name in ("RANKDASH_STORE", "RANKDASH_DATABASE_URL", "RANKDASH_FILES_URL", "RANKDASH_SHARED"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("RANKDASH_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("RANKDASH_URL", "https://rank.example")


def decided(decision: str | None) -> list[str]:
    """The option that settles it."""
    return ["--queries", "queries.csv", *([] if decision is None else ["--missing-weight", decision])]


@pytest.mark.parametrize("decision", [None, "0", "1"])
def test_a_comparison_of_files_asks_for_the_weight(decision: str | None, capsys: pytest.CaptureFixture[str]) -> None:
    """Without the option it ends with 2 and names it, also under --gate; with it table and JSON tell what was done."""
    n, status = COUNT[decision]
    assert main(["compare", *FILES, *decided(decision)]) == status
    found = capsys.readouterr()
    if decision is None:
        assert (found.out, found.err.count("\n")) == ("", 1)
        assert found.err.startswith(LACKS)
        assert "--missing-weight" in found.err
        assert main(["compare", *FILES, *decided(None), "--gate"]) == 2
        return
    assert found.out.splitlines()[0] == f"A a → B b: {TITLE[decision]}, convention standard"
    assert "60 of 100 judged queries " in found.err
    assert main(["compare", *FILES, *decided(decision), "--json", "-", "--gate"]) == (0 if decision == "0" else 3)
    found = capsys.readouterr()
    told = json.loads(found.out)
    assert (told["queries"]["compared"], told["queries"]["judged"], told["queries"]["unweighted"]) == (n, n, 60)
    assert told["inputs"]["queries"]["missing_weight"] == int(decision)


@pytest.mark.parametrize(
    ("options", "says"),
    [
        (["--missing-weight", "0"], "--missing-weight needs a table of weights."),
        (["--missing-weight", "2", "--queries", "queries.csv"], "--missing-weight: invalid choice: 2.0"),
        (["--missing-weight", "one", "--queries", "queries.csv"], "'one'"),
        (["--missing-weight", "0", "--queries", "texts.csv"], "there is no column of weights in texts.csv"),
    ],
)
def test_an_option_that_settles_nothing_is_refused(
    options: list[str], says: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """Without weights it would be silently unused; 0 and 1 are all that it takes."""
    Path("texts.csv").write_text("query_id,text\nq1,one\n", "utf-8")
    assert status_of("compare", *FILES, *options) == 2
    assert says in capsys.readouterr().err


def status_of(*arguments: str) -> object:
    """The exit status of a command, also where its arguments cannot be parsed."""
    try:
        return main(arguments)
    except SystemExit as end:
        return end.code
