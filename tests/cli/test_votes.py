"""Votes and files with two models at a shell: who is A goes by the names, and is asked for with --pair."""

import json
from pathlib import Path
from typing import Any

import pytest

from rankdash.__main__ import main
from tests.browsed import judgments_csv, models_csv, run_csv

ROWS = [(f"q{i}", *(("new", "old") if i % 2 else ("old", "new")), "new" if i % 5 else "tie") for i in range(50)]


@pytest.fixture(autouse=True)
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Runs, judgments, votes that name the two models in either order; a store of its own."""
    contents = {"old.csv": run_csv(False), "new.csv": run_csv(True), "q.csv": judgments_csv(), "both.csv": models_csv()}
    contents["named.csv"] = models_csv().replace(b",old,", b",bm25,").replace(b",new,", b",dense,")
    contents["votes.csv"] = "\n".join(["query_id,model_a,model_b,vote", *map(",".join, ROWS)]).encode()
    for name, content in contents.items():
        (tmp_path / name).write_bytes(content)
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("RANKDASH_STORE")
    monkeypatch.setenv("RANKDASH_HOME", str(tmp_path / "home"))
    return tmp_path


def told(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[dict[str, Any], str]:
    """The JSON of a comparison, and what was told beside it."""
    assert main(["compare", *arguments, "--json", "-"]) == 0
    printed = capsys.readouterr()
    return json.loads(printed.out), printed.err


def refused(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    """What is told where a comparison is refused."""
    assert main(["compare", *arguments]) == 2
    return capsys.readouterr().err


LISTS = ("old.csv", "new.csv", "-q", "q.csv", "--votes", "votes.csv")


def test_votes_go_by_the_names_of_the_files(capsys: pytest.CaptureFixture[str], files: Path) -> None:
    """Whichever model the first row names first, and turned where the files are exchanged; a line says who is who."""
    for order in (ROWS, ROWS[::-1]):
        (files / "votes.csv").write_text("\n".join(["query_id,model_a,model_b,vote", *map(",".join, order)]), "utf-8")
        found, said = told(capsys, *LISTS)
        assert (found["gsb"]["good"], found["gsb"]["bad"]) == (40, 0)
        assert said == ""
        assert "pair" in {note["code"] for note in found["inputs"]["votes"]["notes"]}
        back, _ = told(capsys, "new.csv", "old.csv", *LISTS[2:])
        assert (back["gsb"]["good"], back["gsb"]["bad"]) == (0, 40)


def test_the_wrong_pair_is_refused_and_what_is_no_pair_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    """The other way round, one name, three names: one line that says what to write."""
    assert "Leave the pair out, or exchange A and B." in refused(capsys, *LISTS, "--pair", "new,old")
    assert "are not two names" in refused(capsys, *LISTS, "--pair", "old")
    assert "are not two names" in refused(capsys, *LISTS, "--pair", "old,new,third")
    assert told(capsys, *LISTS, "--pair", "old,new")[0]["gsb"]["good"] == 40


@pytest.mark.parametrize("quiet", [(), ("--quiet",)])
def test_votes_on_two_other_models_are_asked_and_some_are_set_aside_loudly(
    capsys: pytest.CaptureFixture[str], files: Path, quiet: tuple[str, ...]
) -> None:
    """Votes that name neither run never count: status 2 and --pair; beside others they are counted on stderr."""
    head, other = "query_id,model_a,model_b,winner", [f"q{i},m1,m2,m1" for i in range(50)]
    (files / "votes.csv").write_text("\n".join([head, *other]), "utf-8")
    assert "--pair A,B" in refused(capsys, *LISTS, *quiet)
    assert told(capsys, *LISTS, *quiet, "--pair", "m1,m2")[0]["gsb"]["bad"] == 50
    (files / "votes.csv").write_text("\n".join([head, *map(",".join, ROWS[:40]), *other[:7]]), "utf-8")
    found, said = told(capsys, *LISTS, *quiet)
    assert sum(found["gsb"][name] for name in ("good", "same", "bad")) == 40
    assert "7 votes on other pairs" in said


def test_models_of_one_file_are_told_by_the_pair(capsys: pytest.CaptureFixture[str]) -> None:
    """Names need --pair, whatever words they are, and may come in any order."""
    for file, one, other in (("named.csv", "bm25", "dense"), ("both.csv", "old", "new")):
        assert "--pair A,B" in refused(capsys, file)
        for pair, delta in ((f"{one},{other}", 1), (f"{other},{one}", -1)):
            found, _ = told(capsys, file, "--pair", pair)
            assert [found["inputs"][side]["name"] for side in "ab"] == pair.split(",")
            assert found["measures"][0]["delta"] * delta > 0
    assert 'there is no model "x"' in refused(capsys, "named.csv", "--pair", "x,bm25")


def test_several_models_of_one_file_are_candidates(capsys: pytest.CaptureFixture[str], files: Path) -> None:
    """--pair names A alone, A and some, or two; another command than compare takes two."""
    text = (files / "named.csv").read_text("utf-8").rstrip()
    third = text.partition("\n")[2].replace("bm25", "dense").replace("dense", "sparse")
    (files / "three.csv").write_text(f"{text}\n{third}", "utf-8")
    assert "--pair A" in refused(capsys, "three.csv")
    for pair in ("bm25", "bm25,sparse,dense"):
        found, _ = told(capsys, "three.csv", "--pair", pair)
        assert (found["baseline"], {*found["best_first"]}) == ("bm25", {"dense", "sparse"})
    assert told(capsys, "three.csv", "--pair", "bm25,sparse")[0]["inputs"]["b"]["name"] == "sparse"
    assert main(["save", "three.csv", "--pair", "bm25"]) == 2


def test_one_file_and_votes_have_a_pair_each(capsys: pytest.CaptureFixture[str], files: Path) -> None:
    """--pair is for the file with both models; votes that name them otherwise take one behind votes: ."""
    given = ("named.csv", "--votes", "votes.csv", "--pair", "bm25,dense")
    assert 'votes.csv: the votes are on "old,new"' in refused(capsys, *given)
    assert told(capsys, *given, "--pair", "votes:old,new")[0]["gsb"]["good"] == 40
    assert told(capsys, *given, "--pair", "votes:new,old")[0]["gsb"]["bad"] == 40
    text = (files / "votes.csv").read_text("utf-8").replace("old", "bm25").replace("new", "dense")
    (files / "votes.csv").write_text(text, "utf-8")
    assert told(capsys, *given)[0]["gsb"]["good"] == 40


def test_votes_beside_scored_queries_go_by_the_names_of_what_was_scored(capsys: pytest.CaptureFixture[str]) -> None:
    """The folder knows how its runs are called."""
    assert main(["score", "new.csv", "old.csv", "-q", "q.csv", "--out", "scored"]) == 0
    found, _ = told(capsys, "scored", "--votes", "votes.csv")
    assert (found["gsb"]["good"], found["gsb"]["bad"]) == (0, 40)
    assert main(["score", "named.csv", "--out", "scored"]) == 2
    assert "--pair A,B" in capsys.readouterr().err
    assert main(["score", "named.csv", "--pair", "bm25,dense", "--out", "scored"]) == 0
