"""`rankdash evaluate`: the measures of single runs, in every form, and one line per mistake."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest

import rankdash as rd
from rankdash import wording
from rankdash.__main__ import main

QRELS = "q1 0 a 2\nq1 0 b 1\nq1 0 d 0\nq2 0 c 0\nq2 0 e 1\nq3 0 e 1\n"
A = "q1 Q0 a 1 3.0 x\nq1 Q0 x 2 2.0 x\nq1 Q0 b 3 1.0 x\nq2 Q0 c 1 2.0 x\nq9 Q0 z 1 2.0 x\n"
B = "q1 Q0 x 1 3.0 x\nq1 Q0 b 2 2.0 x\nq2 Q0 e 1 2.0 x\n"

OTHERWISE = f" {wording.LACKED['trec_eval-9']}"
LEFT_OUT = " Judged@5 has no value for them, where ir_measures counts 0."


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
    status, out, err = printed(capsys, "a.run", "b.run", "-q", "q.txt", "-m", "mrr", "num_ret", "hits@2", "Judged@5")
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
    lines = err.splitlines()
    assert [line for line in lines if "queries" in line.lower()] == [
        f"a.run, b.run: Judged queries without a list, scored as empty lists: 1.{OTHERWISE}{LEFT_OUT}",
        "a.run: Queries left out, for they have no judgments: 1.",
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
    assert "without a list, left out: 1." in err
    assert printed(capsys, "a.run", "-q", "q.txt", "-f", "trec_eval", "-m", "official")[1] == out
    all_queries = printed(capsys, "a.run", "-q", "q.txt", "-f", "trec_eval", "-c", "standard", "-m", "map", "num_rel")
    assert all_queries[1].splitlines()[1:] == ["map                   \tall\t0.2778", "num_rel               \tall\t4"]


def test_a_note_is_told_once_under_what_it_is_about(capsys: pytest.CaptureFixture[str]) -> None:
    """Notes on judgments stand under their file, those that runs share once with all their files, in JSON too."""
    Path("q.txt").write_text(f"{QRELS}q1 0 a 2\nq1 0 b 0\nq3 0 x 0.5\n", "utf-8")
    _, out, err = printed(capsys, "a.run", "b.run", "-q", "q.txt", "-m", "AP", "-f", "json", "-v")
    lines = err.splitlines()
    assert len(set(lines)) == len(lines)
    conflict = 'Judgments that contradict an earlier one, which counts (query "q1", document "b"): 1.'
    assert [line for line in lines if "Judgments" in line] == [
        "q.txt: Judgments that repeat an earlier one: 1.",
        f"q.txt: {conflict}",
    ]
    assert [line for line in lines if "gains" in line] == [line for line in lines if line.startswith("Relevant for AP")]
    whole = json.loads(out)
    assert whole["judgments"]["file"] == "q.txt"
    assert whole["runs"][0]["tag"] == "x"


def test_tools_that_go_by_score_are_told_where_ranks_order(capsys: pytest.CaptureFixture[str]) -> None:
    """A table with ranks and scores goes by rank, and its number under the convention of such a tool may be another."""
    Path("r.csv").write_text("query_id,doc_id,rank,score\nq1,b,1,3\nq1,a,2,3\nq2,e,1,1\nq3,e,1,1\n", "utf-8")
    for convention, more, is_told in (
        ("trec_eval-9", (), True),
        ("ir_measures", (), True),
        ("standard", (), False),
        ("trec_eval-9", ("--order", "score"), False),
        ("trec_eval-9", ("--order", "rank"), False),
    ):
        err = printed(capsys, "r.csv", "-q", "q.txt", "-m", "AP", "-c", convention, *more)[2]
        assert (f"r.csv: The tools of {convention} go by score:" in err) == is_told
    assert "go by score" not in printed(capsys, "a.run", "-q", "q.txt", "-m", "AP", "-c", "trec_eval-9")[2]


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


def test_a_file_is_written_in_the_form_of_its_ending(capsys: pytest.CaptureFixture[str]) -> None:
    """--out takes the form from .json or .csv; --format decides otherwise, and - is standard output."""
    assert printed(capsys, "a.run", "-q", "q.txt", "-o", "out.json")[:2] == (0, "")
    assert "nDCG@10" in json.loads(Path("out.json").read_text("utf-8"))["runs"][0]["values"]
    assert printed(capsys, "a.run", "-q", "q.txt", "-o", "out.csv", "-f", "trec_eval")[:2] == (0, "")
    assert Path("out.csv").read_text("utf-8").startswith("runid")
    assert printed(capsys, "a.run", "-q", "q.txt", "-o", "-")[1].startswith("3 queries")


def test_what_a_file_says_is_seen_and_drives_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    """Formulas are disarmed in CSV, and control characters of ids do not reach a terminal."""
    rows = [["query_id", "doc_id", "score"], ["=1+1", "a", "1"], ["\x1b[31mq", "a", "1"]]
    Path("c.csv").write_text("".join(f"{','.join(row)}\n" for row in rows), "utf-8")
    Path("g.csv").write_text("query_id,doc_id,relevance\n=1+1,a,1\n\x1b[31mq,a,1\n", "utf-8")
    for form in ("text", "trec_eval"):
        assert "\x1b" not in printed(capsys, "c.csv", "-q", "g.csv", "-m", "RR", "--per-query", "-f", form)[1]
    assert '"\'=1+1"' in printed(capsys, "c.csv", "-q", "g.csv", "-m", "RR", "--per-query", "-f", "csv")[1]


@pytest.mark.parametrize(
    ("arguments", "sentences"),
    [
        (
            ("a.run", "no.run", "-q", "no.txt"),
            ["no.txt: the file cannot be opened", "no.run: the file cannot be opened"],
        ),
        (("a.run", "a.run", "-q", "q.txt"), ["a.run is named twice."]),
        (("a.run", "-q", "q.txt", "-m", "gm_map"), ["'gm_map': gm_map is a geometric mean"]),
        (
            ("a.run", "-q", "q.txt", "-m", "gm_map", "infAP", "iprec_at_recall_0.10"),
            ["'gm_map': gm_map is", "'infAP': infAP estimates", "'iprec_at_recall_0.10': it interpolates"],
        ),
        (("a.run", "-q", "q.txt", "-m", "ndcg.1=2,2=4"), ["'ndcg.1=2,2=4': parameters stand in parentheses"]),
        (("a.run", "-q", "q.txt", "-m", "ndcg_cut_10_l2"), ["'ndcg_cut_10_l2': nDCG reads grades"]),
        (("a.run", "-q", "q.txt", "-m", "RBO"), ["a.run: RBO_ext compares two lists"]),
        (("a.run", "-q", "q.txt", "-c", "nope"), ["'nope' is not a convention."]),
        (
            ("a.run",),
            ['There are no judgments: neither a file of them nor a column "relevance" in a.run. Name them with'],
        ),
        (("-q", "q.txt", "-m", "AP", "a.run"), ["Name the lists of a model. What follows -m is taken for a measure"]),
        (("a.run", "-q", "q.txt", "-m", "AP ncdg@5"), ["'ncdg@5': there is no measure 'ncdg'. Did you mean nDCG@5?"]),
        (("a.run", "-q", "q.txt", "-c", "trec_eval"), ["'trec_eval' is not a convention. Did you mean trec_eval-9?"]),
        (
            ("a.run", "-q", "q.txt", "-c", "Elasticsearch"),
            ["'Elasticsearch' is not a convention. Did you mean rank_eval?"],
        ),
        (
            ("a.run", "q.txt", "--perquery"),
            ["'--perquery' is no option of rankdash evaluate. Did you mean --per-query?"],
        ),
        (
            ("q.txt", "-q", "a.run"),
            ["a.run: this is a TREC run", "q.txt: these are judgments"],
        ),
        (
            ("a.run", "-q", "other.txt"),
            ['a.run, row 1, column "query_id": '],
        ),
    ],
)
def test_a_mistake_is_one_line(
    arguments: tuple[str, ...], sentences: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    """What is wrong is told, one line each, and the exit status is 2."""
    Path("other.txt").write_text("k1 0 a 1\n", "utf-8")
    status, out, err = printed(capsys, *arguments)
    assert (status, out) == (2, "")
    assert len(err.splitlines()) == len(sentences)
    assert all(line.startswith(said) for line, said in zip(err.splitlines(), sentences, strict=True))


def test_the_same_lists_twice_are_told(capsys: pytest.CaptureFixture[str]) -> None:
    """A run under another name, and judgments that are the grades of the run's own rows, are told by their content."""
    Path("again.run").write_text(A, "utf-8")
    err = printed(capsys, "a.run", "b.run", "again.run", "-q", "q.txt")[2]
    assert [line for line in err.splitlines() if "same" in line] == [
        "again.run: The same lists as a.run, by the content of the file."
    ]
    Path("x.csv").write_text("query_id,doc_id,rank,relevance\nq1,a,1,1\nq1,b,2,0\n", "utf-8")
    err = printed(capsys, "x.csv", "-q", "x.csv")[2]
    assert 'x.csv: The judgments are the same file as the run ("x.csv"): the run is judged by grades of its own' in err


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


@pytest.mark.parametrize(
    ("convention", "measures", "said"),
    [
        ("trec_eval-9", ("RR@10", "map", "Judged@5"), ["RR@10, Judged@5: computed by the axes of trec_eval-9, which"]),
        (
            "trec_eval-10",
            ("RR@10", "map", "Judged@5"),
            ["RR@10, Judged@5: computed by the axes of trec_eval-10,"],
        ),
        (
            "trec_eval-10",
            ("rbp",),
            ["RBP: computed by the axes of trec_eval-10,", "of grades 0 and 1 it is RBP(p=0.9)."],
        ),
        ("standard", ("RR@10", "map", "ERR@5"), []),
        ("standard", ("trec_eval-10:RR@10",), ["trec_eval-10:RR@10: computed by the axes of trec_eval-10, which"]),
        ("ir_measures", ("gdeval:ERR(max_grade=4)@10", "map"), []),
        ("ir_measures", ("gdeval:RR", "CG@3"), ["gdeval:RR: computed by the axes of gdeval", "CG@3: computed by the"]),
    ],
)
def test_what_the_tools_of_a_preset_do_not_print_is_told_under_every_preset(
    convention: str, measures: tuple[str, ...], said: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    """A measure is held against the preset before its colon, otherwise the one in force, also where this equals
    standard.
    """
    status, _, err = printed(capsys, "a.run", "-q", "q.txt", "-c", convention, "-m", *measures)
    assert status == 0
    assert all(sentence in err for sentence in said)
    assert ("do not print" in err) == bool(said)


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
        (("a.run", "--query", "q1"), "There are no judgments: neither a file of them"),
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


def test_a_column_for_the_model_is_heeded(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A column that is named for the model counts where single runs are read: several models in it are refused."""
    (tmp_path / "both.csv").write_text("x,query,rank,doc\nA,q1,1,d1\nB,q2,1,d2\n")
    (tmp_path / "q.csv").write_text("query,doc,grade\nq1,d1,1\n")
    status = main(["evaluate", str(tmp_path / "both.csv"), "-q", str(tmp_path / "q.csv"), "--columns", "model=x"])
    assert status == 2
    assert 'there are 2 models in one file: "A", "B"' in capsys.readouterr().err
