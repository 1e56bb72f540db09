"""`rankdash evaluate`: the measures of single runs, in every form, and one line per mistake."""

import csv
import json
from pathlib import Path

import pytest

import rankdash as rd
from rankdash.__main__ import main

QRELS = "q1 0 a 2\nq1 0 b 1\nq1 0 d 0\nq2 0 c 0\nq2 0 e 1\nq3 0 e 1\n"
A = "q1 Q0 a 1 3.0 x\nq1 Q0 x 2 2.0 x\nq1 Q0 b 3 1.0 x\nq2 Q0 c 1 2.0 x\nq9 Q0 z 1 2.0 x\n"
B = "q1 Q0 x 1 3.0 x\nq1 Q0 b 2 2.0 x\nq2 Q0 e 1 2.0 x\n"


@pytest.fixture(autouse=True)
def _files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two runs and judgments in the working directory."""
    monkeypatch.chdir(tmp_path)
    for name, text in {"a.run": A, "b.run": B, "q.txt": QRELS}.items():
        Path(name).write_text(text, "utf-8")


def printed(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    """The exit status, what was printed, and what was told beside it."""
    status = main(["evaluate", *arguments])
    return status, *capsys.readouterr()


def test_a_table_has_measures_in_rows_and_runs_in_columns(capsys: pytest.CaptureFixture[str]) -> None:
    """Measures by the one spelling that policies use, sums of numbers, and the number of queries of each mean."""
    status, out, _ = printed(capsys, "a.run", "b.run", "-q", "q.txt", "-m", "mrr", "num_ret", "hits@2", "Judged@5")
    assert status == 0
    lines = [line.split() for line in out.splitlines()]
    assert lines[0] == "3 queries, convention standard".split()
    assert lines[2:] == [
        ["measure", "a", "b", "n"],
        ["RR", "mean", "0.3333", "0.5000", "3"],
        ["NumRet", "sum", "4", "3", "3"],
        ["NumRelRet@2", "mean", "0.3333", "0.6667", "3"],
        ["Judged@5", "mean", "0.8333", "0.7500", "2"],
    ]


def test_trec_eval_leaves_out_what_a_run_does_not_answer(capsys: pytest.CaptureFixture[str]) -> None:
    """In the form of trec_eval its convention is the default, and without a measure its official ones are printed."""
    _, out, err = printed(capsys, "a.run", "-q", "q.txt", "-f", "trec_eval")
    lines = out.splitlines()
    assert lines[:3] == [
        "runid                 \tall\tx",
        "num_q                 \tall\t2",
        "num_ret               \tall\t4",
    ]
    assert "map                   \tall\t0.4167" in lines
    assert [line.split()[0] for line in lines][-9:] == [f"P_{k}" for k in (5, 10, 15, 20, 30, 100, 200, 500, 1000)]
    assert "without a list: 1." in err
    assert printed(capsys, "a.run", "-q", "q.txt", "-f", "trec_eval", "-m", "official")[1] == out
    all_queries = printed(capsys, "a.run", "-q", "q.txt", "-f", "trec_eval", "-c", "standard", "-m", "map", "num_rel")
    assert all_queries[1].splitlines()[1:] == ["map                   \tall\t0.2778", "num_rel               \tall\t4"]


def test_json_and_csv_have_full_precision(capsys: pytest.CaptureFixture[str]) -> None:
    """Their numbers are those of rd.evaluate, and what is undefined is null or an empty cell."""
    names = ["nDCG@10", "AP", "Judged@5"]
    asked = ("a.run", "b.run", "-q", "q.txt", "--per-query", "-m", *names)
    found = json.loads(printed(capsys, *asked, "--format", "json")[1])
    rows = list(csv.DictReader(printed(capsys, *asked, "--format", "csv")[1].splitlines()))
    assert found["convention"]["preset"] == "standard"
    assert [one["measure"] for one in found["measures"]] == names
    for file, one in zip(("a.run", "b.run"), found["runs"], strict=True):
        frame = rd.evaluate(file, "q.txt", names)
        exact = {(q, m): None if v != v else v for q, m, v in frame.itertuples(index=False)}
        assert {(q, m): v for q, of in one["per_query"].items() for m, v in of.items()} == exact
        cells = {(r["query_id"], r["measure"]): r["value"] for r in rows if r["run"] == one["name"]}
        assert {key: float(cell) if cell else None for key, cell in cells.items()} == exact
        defined = [v for (_, m), v in exact.items() if m == "AP" and v is not None]
        assert one["values"]["AP"] == {"value": pytest.approx(sum(defined) / 3, abs=1e-15), "n": 3}


def test_what_a_file_says_is_seen_and_drives_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    """Formulas are disarmed in CSV, and control characters of ids do not reach a terminal."""
    rows = [["query_id", "doc_id", "score"], ["=1+1", "a", "1"], ["\x1b[31mq", "a", "1"]]
    Path("c.csv").write_text("".join(f"{','.join(row)}\n" for row in rows), "utf-8")
    Path("g.csv").write_text("query_id,doc_id,relevance\n=1+1,a,1\n\x1b[31mq,a,1\n", "utf-8")
    for form in ("text", "trec_eval"):
        assert "\x1b" not in printed(capsys, "c.csv", "-q", "g.csv", "-m", "RR", "--per-query", "-f", form)[1]
    assert '"\'=1+1"' in printed(capsys, "c.csv", "-q", "g.csv", "-m", "RR", "--per-query", "-f", "csv")[1]


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        ("a.run no.run -q no.txt", ["no.txt: ", "no.run: "]),
        ("a.run a.run -q q.txt", ["a.run "]),
        ("a.run -q q.txt -m gm_map", ["'gm_map': "]),
        ("a.run -q q.txt -m RBO", ["a.run: "]),
        ("a.run -q q.txt -c nope", ["'nope' "]),
        ("a.run", ["There are no judgments"]),
        ("-q q.txt -m AP a.run", ["Name the lists of a model."]),
        ("q.txt -q a.run", ["a.run: ", "q.txt: "]),
        ("a.run -q other.txt", ["a.run: no query is in "]),
    ],
)
def test_a_mistake_is_one_line(arguments: str, named: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    """What is wrong is told, one line each, and the exit status is 2."""
    Path("other.txt").write_text("k1 0 a 1\n", "utf-8")
    status, out, err = printed(capsys, *arguments.split())
    assert (status, out) == (2, "")
    assert all(line.startswith(said) for line, said in zip(err.splitlines(), named, strict=True))


def test_a_number_that_a_tool_computes_otherwise_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    """Under the preset of a tool, a measure that is not its number is refused, and what is told to write is taken; what
    is printed without names is written so.
    """
    status, _, err = printed(capsys, "a.run", "-q", "q.txt", "-m", "AP", "RR@5", "-c", "ir_measures")
    assert status == 2
    written = err.partition(" Write ")[2].strip().removesuffix(".")
    assert rd.parse_measure(written).key == "RR"
    for asked in (("-m", written), ()):
        assert printed(capsys, "a.run", "-q", "q.txt", *asked, "-c", "ir_measures")[0] == 0


def test_a_number_is_worked_out_rank_by_rank(capsys: pytest.CaptureFixture[str]) -> None:
    """`rankdash explain` prints grades, discounts, sum and divisor; their quotient is the value of `evaluate`."""
    assert main(["explain", "a.run", "-q", "q.txt", "--query", "q1", "-m", "nDCG@2 AP", "P@2"]) == 0
    out = capsys.readouterr().out
    assert [line.split() for line in out.splitlines() if line[:1].isdigit()][:4] == [
        *(
            ["1", "a", "2", "2", "1.000000", "2.000000", "2.000000"],
            ["2", "x", "?", "0", "0.630930", "0.000000", "2.000000"],
        ),
        *(["1", "2", "2", "1.000000", "2.000000", "2.000000"], ["2", "1", "1", "0.630930", "0.630930", "2.630930"]),
    ]
    assert "DCG@2 2.000000 ÷ ideal DCG 2.630930 = 0.760188" in out
    assert "Sum 1.666667 ÷ 2 relevant (R) = 0.833333" in out
    assert "Hits 1 ÷ 2 ranks = 0.500000" in out
    value = json.loads(printed(capsys, "a.run", "-q", "q.txt", "-m", "nDCG@2", "-f", "json", "--per-query")[1])
    assert value["runs"][0]["per_query"]["q1"]["nDCG@2"] == pytest.approx(2 / 2.630930, abs=1e-6)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("a.run", "-q", "q.txt", "--query", "Q1"), "'Q1' is no query of q.txt. Did you mean q1?"),
        (("a.run", "-q", "q.txt", "--query", "q1", "-m", "rbo"), "RBO_ext compares two lists"),
        (("-q", "q.txt", "--query", "q1"), "Name the lists of a model."),
        (("a.run", "--query", "q1"), "There are no judgments."),
        (("x.csv", "--query", "q7"), "The query 'q7' has no judgments."),
    ],
)
def test_what_cannot_be_worked_out_is_one_line(
    arguments: tuple[str, ...], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """A query that nobody judged, a measure of two lists, and lists or judgments that lack."""
    Path("x.csv").write_text("query_id,doc_id,rank,relevance\nq1,a,1,1\nq1,b,2,0\n", "utf-8")
    assert main(["explain", *arguments]) == 2
    out, err = capsys.readouterr()
    assert (out, len(err.splitlines())) == ("", 1)
    assert said in err
