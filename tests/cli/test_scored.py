"""Queries scored first and weighed later: what is printed is that of one command, whatever the lists."""

import json
import shutil
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from rankdash.__main__ import main
from tests.long import every
from tests.truth.small import some_policy
from tests.truth.test_per_query import MEASURES
from tests.truth.worlds import World, world

Printed = tuple[int, str, str]


def lines(rows: tuple[tuple[str, str, float], ...], as_run: bool) -> str:
    """Rows as TREC writes them."""
    form = "{0} Q0 {1} 1 {2!r} run\n" if as_run else "{0} 0 {1} {2!r}\n"
    return "".join(form.format(*row) for row in rows)


def write(made_up: World, folder: Path) -> None:
    """The files of a world."""
    for name, rows in (("a.run", made_up.a), ("b.run", made_up.b), ("q.qrels", made_up.judged)):
        (folder / name).write_text(lines(rows, name != "q.qrels"), "utf-8")


def printed(capsys: pytest.CaptureFixture[str], *arguments: str) -> Printed:
    """The exit status of a command, what it printed, and what it told beside it."""
    status = main(arguments)
    found = capsys.readouterr()
    return status, found.out, found.err


def outputs(capsys: pytest.CaptureFixture[str], *arguments: str) -> list[Printed | bytes]:
    """All that a comparison can write."""
    return [
        printed(capsys, "compare", *arguments),
        printed(capsys, "compare", *arguments, "--json", "-"),
        printed(capsys, "compare", *arguments, "--gate", "--out", "rows.csv"),
        Path("rows.csv").read_bytes() if Path("rows.csv").exists() else b"",
    ]


@pytest.mark.parametrize("seed", every(3, [0, 1, 5]))
def test_what_is_printed_is_that_of_one_command(
    seed: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Text, JSON, CSV, exit status and what is told beside them, byte for byte, over worlds and policies."""
    monkeypatch.chdir(tmp_path)
    write(world(seed, queries=30, grades=(0, 0, 1, 1, 2, 3, 40) if seed == 5 else (0, 0, 1, 2)), tmp_path)
    policy = some_policy(np.random.default_rng(seed), segments=("kind",) if seed % 2 else ())
    Path("policy.toml").write_text(policy.to_toml(), "utf-8")
    ids = sorted({line.split(" ")[0] for line in Path("q.qrels").read_text("utf-8").splitlines()})
    table = {"query_id": ids, "kind": [str(at % 3) for at in range(len(ids))], "weight": list(range(1, len(ids) + 1))}
    pq.write_table(pa.table(table), "queries.parquet")
    beside = ["--queries", "queries.parquet"] if seed % 2 else []
    files = ["a.run", "b.run", "-q", "q.qrels", "-p", "policy.toml", "-m", *MEASURES]
    whole = outputs(capsys, *files, *beside)
    assert whole[0][0] == 0, whole[0]
    if whole[0][0] == 2:
        assert printed(capsys, "score", *files, "--out", "scored.parquet") == whole[0]
        return
    status, nothing, told = printed(capsys, "score", *files, "--out", "scored.parquet")
    assert (status, nothing) == (0, "")
    assert told in whole[0][2]
    for name in ("a.run", "b.run", "q.qrels"):
        Path(name).unlink()
    Path("elsewhere").mkdir()
    shutil.move("scored.parquet", "elsewhere/moved.parquet")
    assert outputs(capsys, "elsewhere/moved.parquet", *beside) == whole


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with two runs and judgments, and the working directory in it."""
    write(world(1, queries=20, grades=(0, 1, 2)), tmp_path)
    monkeypatch.chdir(tmp_path)
    return tmp_path


FILES = ("a.run", "b.run", "-q", "q.qrels")


@pytest.mark.usefixtures("files")
def test_the_policy_of_the_scores_holds_where_none_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    """Another one may have other limits; another measure or cutoff is refused in one sentence."""
    Path("p.toml").write_text('primary = "nDCG@5"\nmpe = 0.1\n', "utf-8")
    assert printed(capsys, "score", *FILES, "-p", "p.toml", "--out", "s.parquet")[0] == 0
    assert json.loads(printed(capsys, "compare", "s.parquet", "--json", "-")[1])["policy"]["mpe"] == 0.1
    Path("p.toml").write_text('primary = "nDCG@5"\nmpe = 0.2\n', "utf-8")
    assert printed(capsys, "compare", "s.parquet", "-p", "p.toml") == printed(capsys, "compare", *FILES, "-p", "p.toml")
    Path("p.toml").write_text('primary = "nDCG@7"\n', "utf-8")
    status, nothing, told = printed(capsys, "compare", "s.parquet", "-p", "p.toml")
    assert (status, nothing, told.count("\n")) == (2, "", 1)
    assert "not scored for this policy, which asks for nDCG@7" in told


@pytest.mark.usefixtures("files")
def test_what_was_decided_when_the_queries_were_scored_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    """Judgments and how lists are read beside a file of scores, and a measure that was not scored, each in one
    sentence; what tells how votes and queries are read is not.
    """
    assert printed(capsys, "score", *FILES, "-m", "P@5", "--out", "s.parquet")[0] == 0
    assert "Remove --judgments." in printed(capsys, "compare", "s.parquet", "-q", "q.qrels")[2]
    for option, value in (
        ("--order", "rank"),
        ("--columns", "score=mine"),
        ("--columns", "judgments:query_id=topic"),
        ("--grades", "E=3"),
        ("--encoding", "a:latin-1"),
        ("--groups", "sizes.txt"),
        ("--items", "items.csv"),
    ):
        told = f"s.parquet is scored already. Remove {option}.\n"
        assert printed(capsys, "compare", "s.parquet", option, value) == (2, "", told)
    for option, value in (("--encoding", "utf-8"), ("--columns", "weight=w"), ("--order", "auto")):
        assert printed(capsys, "compare", "s.parquet", option, value)[0] == 0
    assert printed(capsys, "compare", "s.parquet", "-m", "P@5")[0] == 0
    status, _, told = printed(capsys, "compare", "s.parquet", "-m", "P@7")
    assert (status, told.startswith("P@7 was not scored. Scored: nDCG@10, ")) == (2, True)


@pytest.mark.usefixtures("files")
def test_a_file_that_cannot_be_used_is_refused_in_one_sentence(capsys: pytest.CaptureFixture[str]) -> None:
    """Not there, of another kind, cut or altered; never a traceback. An ending of another form is refused, too."""
    assert printed(capsys, "score", *FILES, "--out", "s.parquet")[0] == 0
    content = Path("s.parquet").read_bytes()
    for spoiled in (None, Path("a.run").read_bytes(), content[:-100], content[:600] + bytes(400) + content[1000:]):
        Path("s.parquet").unlink()
        if spoiled is not None:
            Path("s.parquet").write_bytes(spoiled)
        status, nothing, told = printed(capsys, "compare", "s.parquet")
        assert (status, nothing, told.count("\n")) == (2, "", 1)
        Path("s.parquet").write_bytes(content)
    assert printed(capsys, "score", *FILES, "--out", "s.csv")[0] == 2
