"""What `rankdash compare` writes: several files at once, quietly, and a link where it was saved."""

import json
from pathlib import Path

import pytest

from rankdash.__main__ import main
from rankdash.store import Settings, Store

LISTS = ("good", "bad"), ("bad", "good")


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A working folder with two runs and judgments, and a store of its own."""
    for name, turned in (("a", 3), ("b", 7)):
        rows = [(at, rank, doc) for at in range(60) for rank, doc in enumerate(LISTS[at % turned == 0], 1)]
        text = "".join(f"q{at} Q0 {doc} {rank} {9 - rank} {name}\n" for at, rank, doc in rows)
        (tmp_path / f"{name}.trec").write_text(text, "utf-8")
    (tmp_path / "q.txt").write_text("".join(f"q{at} 0 good 1\nq{at} 0 bad 0\n" for at in range(60)), "utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("RANKDASH_STORE")
    monkeypatch.delenv("GITHUB_ACTIONS", raising=False)
    monkeypatch.setenv("RANKDASH_HOME", str(tmp_path / "home"))
    return tmp_path


COMPARE = ("compare", "a.trec", "b.trec", "-q", "q.txt")


def test_an_ending_that_is_no_form_is_refused_before_anything_is_read(capsys: pytest.CaptureFixture[str]) -> None:
    """A file whose ending stands for no form is refused with those that do, and nothing is written."""
    assert main([*COMPARE, "--out", "r.json", "--out", "r.docx"]) == 2
    assert "r.docx" in capsys.readouterr().err
    assert not Path("r.json").exists()


def test_quiet_keeps_problems_and_the_status(capsys: pytest.CaptureFixture[str]) -> None:
    """--quiet leaves the exit status of the gate and what is wrong between the files."""
    loud = main([*COMPARE, "--gate"])
    capsys.readouterr()
    assert main([*COMPARE, "--gate", "--quiet"]) == loud
    assert capsys.readouterr() == ("", "")
    assert main(["compare", "a.trec", "none.trec", "-q", "q.txt", "--quiet"]) == 2
    assert "none.trec" in capsys.readouterr().err


def test_github_is_for_its_actions(capsys: pytest.CaptureFixture[str]) -> None:
    """--github outside of GitHub Actions is refused in one sentence, before anything is read or written."""
    assert main([*COMPARE, "--out", "r.md", "--github", "gate"]) == 2
    assert "GITHUB_ACTIONS" in capsys.readouterr().err
    assert not Path("r.md").exists()


def test_a_saved_verdict_is_the_one_that_is_printed(capsys: pytest.CaptureFixture[str]) -> None:
    """With --save looks and candidates are those on record; numbers of one's own beside it are refused."""
    assert main([*COMPARE, "--save", "--looks", "3"]) == 2
    assert "--looks" in capsys.readouterr().err
    for _ in range(2):
        assert main([*COMPARE, "--save", "--json", "r.json", "--quiet"]) == 0
    store = Store.open(Settings.from_environment())
    saved = store.load(store.listed().rows[0].id)
    verdict = json.loads(Path("r.json").read_text("utf-8"))["verdict"]
    assert verdict["looks"] == store.looks(saved)
    assert verdict["outcome"] == store.listed().rows[0].outcome


def test_nothing_is_printed_that_github_could_take_for_a_command(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """With --github no file is written to standard output."""
    monkeypatch.setenv("GITHUB_ACTIONS", "true")
    assert main([*COMPARE, "--github", "gate", "--json", "-"]) == 2
    told = capsys.readouterr()
    assert told.out == ""
    assert "Name a file" in told.err


def test_nobody_wins_by_a_measure_that_only_describes(capsys: pytest.CaptureFixture[str]) -> None:
    """In every form for people such a measure has no queries that are won; JSON says in which queries B is higher, as
    of every measure.
    """
    arguments = [*COMPARE, "-m", "IDCG@10", "P@1"]
    assert main(arguments) == 0
    out = capsys.readouterr().out
    assert main([*arguments, "--out", "r.json", "--out", "r.md"]) == 0
    for text in (out, Path("r.md").read_text("utf-8")):
        rows = [line for line in text.splitlines() if "information" in line]
        assert ["IDCG" in row for row in rows] == [True, False]
        assert [" / " in row for row in rows] == [False, True]
    measures = {one["measure"]: one for one in json.loads(Path("r.json").read_text("utf-8"))["measures"]}
    assert (measures["IDCG@10"]["wins"], measures["IDCG@10"]["ties"]) == (0, 60)


@pytest.mark.parametrize("large", [0, 64_000_000])
def test_several_candidates_have_one_table_and_one_verdict(
    large: int, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The best candidate stands on the last line and decides the exit status; every form names each of them, also where
    files are scored block by block.
    """
    monkeypatch.setattr("rankdash.cli.candidates.LARGE", large)
    Path("c.trec").write_text(Path("b.trec").read_text("utf-8").replace("q7 ", "q8 "), "utf-8")
    Path("strange.trec").write_text("x Q0 good 1 1 s\n", "utf-8")
    Path("fixed.toml").write_text('inference = "fixed"\n', "utf-8")
    files = ("r.html", "r.json", "r.md")
    named = [word for file in files for word in ("--out", file)]
    runs = ("compare", "a.trec", "b.trec", "c.trec", "strange.trec", "-q", "q.txt")
    status = main([*runs, *named, "--gate"])
    printed = capsys.readouterr()
    assert "strange.trec" in printed.err
    whole = json.loads(Path("r.json").read_text("utf-8"))
    assert [one["inputs"]["b"]["name"] for one in whole["comparisons"]] == ["b", "c"]
    assert {row["candidate"] for row in whole["table"]} == {"b", "c"}
    assert whole["lead"]["over"] == whole["best_first"][1]
    best = next(one for one in whole["comparisons"] if one["inputs"]["b"]["name"] == whole["best"])
    assert status == {"LAUNCH": 0, "WORSE": 3, "TOO_SMALL": 4, "NOT_PROVEN": 5}[best["verdict"]["outcome"]]
    assert whole["best"] in printed.out.splitlines()[-1]
    for file in files:
        assert all(name in Path(file).read_text("utf-8") for name in ("b", "c", "strange"))
    assert main((*runs, "--policy", "fixed.toml")) == 0
    assert "chance" not in capsys.readouterr().out  # queries that are all that matters stand for no others
    twice = ("compare", "a.trec", "b.trec", "b.trec", "-q", "q.txt")
    assert {main(wrong) for wrong in ((*runs, "--out", "r.xml"), twice)} == {2}


def test_several_candidates_are_saved_as_one_group_and_written_as_one_table(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """With --save each candidate has a comparison, with the verdict that is printed, and reports have one link;
    the table of queries has the rows of each candidate as that of its pair alone.
    """
    Path("c.trec").write_text(Path("b.trec").read_text("utf-8").replace("q7 ", "q8 "), "utf-8")
    monkeypatch.setenv("RANKDASH_URL", "https://rank.example")
    (runs, outputs) = ("a.trec", "b.trec", "c.trec", "-q", "q.txt"), ("--out", "all.csv", "--json", "r.json")
    outputs += ("--out", "r.md", "--out", "r.html")
    assert main(["compare", *runs[:2], *runs[3:], "--save", "--quiet", "--out", "b.csv"]) == 0
    for _ in range(2):
        assert main(["compare", *runs, *outputs, "--save", "--name", "spring"]) == 0
    store, told = Store.open(Settings.from_environment()), capsys.readouterr().err
    group = store.group(store.load(store.listed().rows[0].id))
    assert [(one.state.title, one.state.a, one.state.b) for one in group] == [("spring", "a", name) for name in "bc"]
    link = f"https://rank.example/?comparison={group[0].id}"
    assert all(link in text for text in (told, Path("r.md").read_text("utf-8"), Path("r.html").read_text("utf-8")))
    for one, said in zip(group, json.loads(Path("r.json").read_text("utf-8"))["comparisons"], strict=True):
        assert said["verdict"]["looks"] == store.looks(one)
        assert said["verdict"]["candidates"] == store.candidates(one) == 2
        assert store.results(one.id)[0].outcome == said["verdict"]["outcome"]
    head, *rows = Path("all.csv").read_text("utf-8").splitlines()
    alone = Path("b.csv").read_text("utf-8").splitlines()
    assert head == f'"candidate",{alone[0]}'
    assert [row.removeprefix('"b",') for row in rows if row.startswith('"b"')] == alone[1:]
    assert {row[:3] for row in rows} == {'"b"', '"c"'}
