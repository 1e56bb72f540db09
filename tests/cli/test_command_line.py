"""The command line, in this process: outputs, exit statuses, and one sentence per mistake."""

import csv
import json
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from rankdash.__main__ import main
from tests.reading.made_files import workbook

QRELS = "".join(f"q{i} 0 good 2\nq{i} 0 fair 1\nq{i} 0 bad 0\n" for i in range(60))


def trec(best_first: list[str]) -> str:
    """A TREC run that gives every query the same list."""
    lines = [f"q{i} Q0 {doc} {rank} {9 - rank} x\n" for i in range(60) for rank, doc in enumerate(best_first, start=1)]
    return "".join(lines)


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with two runs and judgments, and the working directory in it."""
    (tmp_path / "a.trec").write_text(trec(["bad", "fair", "good"]), "utf-8")
    rows = [["good", "fair", "bad"] if i % 3 else ["fair", "bad", "good"] for i in range(60)]
    better = "".join(f"q{i} Q0 {doc} {r} {9 - r} x\n" for i, row in enumerate(rows) for r, doc in enumerate(row, 1))
    (tmp_path / "b.trec").write_text(better, "utf-8")
    (tmp_path / "q.txt").write_text(QRELS, "utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def compare(*more: str) -> int:
    """The exit status of a comparison of the files."""
    return main(["compare", "a.trec", "b.trec", "--judgments", "q.txt", *more])


def csv_rows(name: str) -> list[dict[str, str]]:
    """The rows of a CSV file by column."""
    return list(csv.DictReader(Path(name).read_text("utf-8").splitlines()))


@pytest.mark.usefixtures("files")
def test_without_an_output_option_a_table_and_the_verdict_are_printed(capsys: pytest.CaptureFixture[str]) -> None:
    """The short table has every measure with its role, and the last lines are the verdict."""
    assert compare("-m", "P@2", "R@2") == 0
    printed = capsys.readouterr()
    assert "convention standard" in printed.out
    assert all(name in printed.out for name in ("nDCG@10", "AP", "nDCG@1", "RR", "P@2", "R@2", "derived from"))
    verdict = [line for line in printed.out.splitlines() if line.startswith("Launch: ")]
    assert len(verdict) == 1
    assert verdict[0].startswith("Launch: B is better. B raises nDCG@10 by 0.")
    assert printed.out.endswith(f"{verdict[0]}\n")


@pytest.mark.usefixtures("files")
def test_the_queries_at_both_ends_are_named_before_the_verdict(capsys: pytest.CaptureFixture[str]) -> None:
    """The three largest losses and gains are those of the file of all queries; no line says that there is none."""
    assert main(["compare", "b.trec", "a.trec", "-q", "q.txt", "--out", "out.csv"]) == 0
    told = [line for line in capsys.readouterr().out.splitlines() if line.startswith("Largest ")]
    deltas = {row["query_id"]: float(row["delta"]) for row in csv_rows("out.csv") if row["measure"] == "nDCG@10"}
    worst = sorted(deltas.items(), key=lambda one: one[1])[:3]
    assert [line.split(": ")[0] for line in told] == ["Largest losses in nDCG@10"]
    assert told[0].split(": ")[1] == ", ".join(f"{query} −{-delta:.3f}" for query, delta in worst)


def test_ids_that_look_like_formulas_are_disarmed_in_csv(files: Path) -> None:
    """A spreadsheet that opens the CSV runs nothing; Parquet keeps the ids as they are."""
    formula = "=HYPERLINK(1)"
    for name in ("a.trec", "b.trec", "q.txt"):
        text = (files / name).read_text("utf-8").replace("q0 ", f"{formula} ")
        (files / name).write_text(text, "utf-8")
    assert compare("--out", "out.csv") == compare("--out", "out.parquet") == 0
    assert csv_rows("out.csv")[0]["query_id"] == f"'{formula}"
    assert pq.read_table("out.parquet")["query_id"][0].as_py() == formula


@pytest.mark.usefixtures("files")
def test_what_a_file_leaves_open_is_decided_by_an_option(capsys: pytest.CaptureFixture[str]) -> None:
    """Two columns that could be the grade are one sentence that names --columns; with it the comparison goes on."""
    rows = "".join(f"q{i},good,3,100\nq{i},fair,1,1\n" for i in range(60))
    Path("labels.csv").write_text("query_id,doc_id,label,gain\n" + rows, "utf-8")
    asked = ["compare", "a.trec", "b.trec", "-q", "labels.csv", "--json", "-"]
    assert main(asked) == 2
    assert "--columns" in capsys.readouterr().err
    deltas = []
    for decision in ("relevance=gain", "judgments:relevance=label"):
        assert main([*asked, "--columns", decision]) == 0
        deltas.append(json.loads(capsys.readouterr().out)["measures"][0]["delta"])
    assert deltas[0] != deltas[1]


@pytest.mark.usefixtures("files")
def test_grades_of_words_with_any_sign(capsys: pytest.CaptureFixture[str]) -> None:
    """The last = stands before the grade: words hold commas, equal signs and other signs."""
    rows = "".join(f'q{i},good,A-\nq{i},bad,"x=y, z"\n' for i in range(60))
    Path("words.csv").write_text("query_id,doc_id,label\n" + rows, "utf-8")
    asked = ["compare", "a.trec", "b.trec", "-q", "words.csv", "-m", "CG@1", "--json", "-", "--grades"]
    assert main([*asked, "A=4", "A-=3", "x=y, z=0.1234567"]) == 0
    found = {one["measure"]: one for one in json.loads(capsys.readouterr().out)["measures"]}
    assert found["CG@1"]["a"] == pytest.approx(0.1234567, abs=1e-12)


BAD = [
    ("b.csv", "query_id,foo,rank\nq0,a,1\n", ["b.csv", "document", '"foo"']),
    ("b.csv", "query_id,doc_id,rank\nq0,a,1\nq0,b,second\n", ["b.csv, row 3", '"rank"', '"second"']),
    ("b.csv", "query_id,doc_id,rank\nother,a,1\n", ["b.csv", '"other"', "q.txt", '"q0"']),
]


@pytest.mark.usefixtures("files")
@pytest.mark.parametrize(("name", "text", "says"), BAD)
def test_a_bad_file_is_one_clear_sentence(
    name: str, text: str, says: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    """Exit status 2, one line on stderr that says where and what, nothing on stdout, no traceback."""
    Path(name).write_text(text, "utf-8")
    assert main(["compare", "a.trec", name, "-q", "q.txt"]) == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    assert len(printed.err.splitlines()) == 1, printed.err
    assert all(part in printed.err for part in says), printed.err


@pytest.mark.usefixtures("files")
def test_the_problems_of_all_files_are_told_together(capsys: pytest.CaptureFixture[str]) -> None:
    """Two bad files and a missing one give three sentences."""
    Path("b.csv").write_text("", "utf-8")
    Path("c.csv").write_text("query_id,doc_id,relevance\nq0,a,great\n", "utf-8")
    assert main(["compare", "nowhere.trec", "b.csv", "-q", "c.csv"]) == 2
    lines = capsys.readouterr().err.splitlines()
    assert [line.split(":")[0].split(",")[0] for line in lines] == ["nowhere.trec", "b.csv", "c.csv"]
    assert '"great" is not a number' in lines[2]


@pytest.mark.usefixtures("files")
@pytest.mark.parametrize(
    ("options", "says"),
    [
        (["--columns", "foo"], "--columns foo: write it like relevance=gain"),
        (["--grades", "good=best"], "'best' is not a number"),
        (["--grades", "good=nan"], "'nan' is not a number"),
        (["c.trec", "d.trec", "d.trec"], "c.trec"),
        (["--policy", "no.toml"], "no.toml"),
        (["--policy", "latin.toml"], "latin.toml: "),
    ],
)
def test_a_bad_option_is_one_clear_sentence(options: list[str], says: str, capsys: pytest.CaptureFixture[str]) -> None:
    """What an option holds that cannot be read is one line, and the exit status is 2."""
    Path("latin.toml").write_bytes(b"# caf\xe9\n")
    assert compare(*options) == 2
    error = capsys.readouterr().err
    assert says in error
    assert len(error.splitlines()) == 1


@pytest.mark.parametrize("sheets", [["--sheet", "x", "y", "z"], ["--sheet", "a:x", "b:y"], ["--sheet", "y", "z"]])
def test_sheets_of_one_workbook_are_runs_under_names_of_their_own(sheets: list[str], files: Path) -> None:
    """As many sheets as runs are those of the runs, in order; a: and b: name one; each is called as its sheet is."""
    rows = [(f"q{q}", doc, 9 - at) for q in range(9) for at, doc in enumerate(("good", "fair", "bad"))]
    book = {name: [["query_id", "doc_id", "score"], *map(list, rows[3 * i :])] for i, name in enumerate("xyz")}
    (files / "w.xlsx").write_bytes(workbook(book))
    names = [sheet.rpartition(":")[2] for sheet in sheets[1:]]
    assert main(["compare", *["w.xlsx"] * 2, "--sheet", *"xyz", "-q", "q.txt"]) == 2
    assert main(["compare", *["w.xlsx"] * len(names), *sheets, "-q", "q.txt", "--json", "out.json"]) == 0
    told = json.loads((files / "out.json").read_text())
    pairs = told["comparisons"] if len(names) > 2 else [told]
    assert [[one["inputs"][side]["name"] for side in "ab"] for one in pairs] == [[names[0], name] for name in names[1:]]
    (files / "o.xlsx").write_bytes(workbook({"x": book["x"], "Read me": [["Lists of May"]]}))
    assert main(["compare", "o.xlsx", *["w.xlsx"] * 2, "--sheet", *"xyz", "-q", "q.txt", "--json", "out.json"]) == 0
    pairs = json.loads((files / "out.json").read_text())["comparisons"]
    assert [[one["inputs"][side]["name"] for side in "ab"] for one in pairs] == [["o/x", "y"], ["o/x", "z"]]
