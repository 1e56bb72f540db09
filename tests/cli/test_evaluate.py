"""`rankdash evaluate`: the measures of single runs, in every form, and one line per mistake."""

from __future__ import annotations

import csv
import json
import shlex
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import rankdash as rd
from rankdash import wording
from rankdash.__main__ import main
from rankdash.style import method

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
    assert 'a.run, b.run: The tag of the run, which decides nothing: "x".' in lines
    assert [line for line in lines if "queries" in line.lower()] == [
        f"a.run, b.run: Judged queries without a list, scored as empty lists: 1.{OTHERWISE}{LEFT_OUT}",
        "a.run: Queries left out, for they have no judgments: 1.",
    ]


def test_values_of_each_query_stand_above_the_means(capsys: pytest.CaptureFixture[str]) -> None:
    """--per-query prints a row for each query and measure, and the table of means after it."""
    _, out, _ = printed(capsys, "a.run", "b.run", "-q", "q.txt", "-m", "RR", "Judged@5", "--per-query")
    rows = [line.split() for line in out.splitlines()]
    assert ["q1", "RR", "1.0000", "0.5000"] in rows
    assert ["q3", "Judged@5", "n/a", "n/a"] in rows
    assert rows.index(["q3", "RR", "0.0000", "0.0000"]) < rows.index(["RR", "mean", "0.3333", "0.5000", "3"])


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


def test_runid_is_the_tag_where_tags_tell_the_runs_apart(capsys: pytest.CaptureFixture[str]) -> None:
    """As in trec_eval; of several runs with one tag, and of files without tags, the name is printed."""
    Path("t.run").write_text(B.replace(" x\n", " tagged\n"), "utf-8")
    for runs, ids in ((["a.run"], ["x"]), (["a.run", "t.run"], ["x", "tagged"]), (["a.run", "b.run"], ["a", "b"])):
        out = printed(capsys, *runs, "-q", "q.txt", "-f", "trec_eval", "-m", "map")[1]
        assert [line.split("\t")[2] for line in out.splitlines() if line.startswith("runid")] == ids


def test_a_note_is_told_once_under_what_it_is_about(capsys: pytest.CaptureFixture[str]) -> None:
    """Notes on judgments stand under their file, those that runs share once with all their files, in JSON too."""
    Path("q.txt").write_text(f"{QRELS}q1 0 a 2\nq1 0 b 0\nq3 0 x 0.5\n", "utf-8")
    _, out, err = printed(capsys, "a.run", "b.run", "-q", "q.txt", "-m", "AP", "-f", "json")
    lines = err.splitlines()
    assert len(set(lines)) == len(lines)
    conflict = 'Judgments that contradict an earlier one, which counts (query "q1", document "b"): 1.'
    assert [line for line in lines if "Judgments" in line] == [
        "q.txt: Judgments that repeat an earlier one: 1.",
        f"q.txt: {conflict}",
    ]
    assert [line for line in lines if "gains" in line] == [line for line in lines if line.startswith("Relevant for AP")]
    assert "a.run, b.run: The lists are ordered by score, not by rank." in lines
    whole = json.loads(out)
    noted = [*whole["notes"], *whole["judgments"]["notes"], *(note for run in whole["runs"] for note in run["notes"])]
    assert {line.split(": ", 1)[-1] for line in lines} <= {note.split(": ", 1)[-1] for note in noted} | {*noted}
    assert whole["judgments"]["file"] == "q.txt"
    assert whole["runs"][0]["tag"] == "x"


def test_a_list_that_goes_by_rank_is_told_without_contradiction(capsys: pytest.CaptureFixture[str]) -> None:
    """Where a score is no number the rank orders that list; rows where both disagree are counted, as compare does."""
    Path("n.run").write_text(A.replace("3.0", "nan"), "utf-8")
    Path("r.csv").write_text("query_id,doc_id,rank,score\nq1,a,2,9\nq1,b,1,3\n", "utf-8")
    err = printed(capsys, "n.run", "r.csv", "-q", "q.txt")[2]
    assert "n.run: 1 row has no finite score; their queries are ordered by rank." in err
    assert "n.run: The lists are ordered by score, not by rank, where all scores are finite." in err
    assert "r.csv: 1 row where rank and score disagree: the rank was used, not the score." in err


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


def test_measures_that_leave_queries_out_beside_others_are_named(capsys: pytest.CaptureFixture[str]) -> None:
    """What a judged query without a list counts is told of each measure."""
    asked = ("-c", "trec_eval-9", "-m", "AP(missing_query='zero')", "RR")
    err = printed(capsys, "b.run", "-q", "q.txt", *asked)[2]
    assert "Judged queries without a list, scored as empty lists, and left out of RR: 1." in err
    assert "left out: 1." in printed(capsys, "b.run", "-q", "q.txt", *asked[:3], "RR")[2]


def test_a_name_of_trec_eval_is_printed_for_its_own_number_alone(capsys: pytest.CaptureFixture[str]) -> None:
    """A measure with other axes keeps the name that says so, under other conventions too."""
    _, out, _ = printed(capsys, "a.run", "-q", "q.txt", "-f", "trec_eval", "-m", "AP(rel=2)", "ndcg_burges@3", "map")
    assert [line.split("\t")[0].strip() for line in out.splitlines()] == [
        *("runid", "AP(rel=2)", "nDCG(gain='exp2')@3", "map")
    ]
    _, out, _ = printed(capsys, "a.run", "-q", "q.txt", "-f", "trec_eval", "-m", "ndcg_cut.3", "-c", "ranklib")
    assert out.splitlines()[1].startswith("nDCG(gain='exp2',ideal='retrieved')@3\tall\t")


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


def test_means_as_csv(capsys: pytest.CaptureFixture[str]) -> None:
    """Without --per-query a row is the mean of a run and measure, with its number of queries."""
    _, out, _ = printed(capsys, "a.run", "-q", "q.txt", "-m", "RR", "Judged@5", "-f", "csv")
    assert list(csv.DictReader(out.splitlines())) == [
        {"run": "a", "measure": "RR", "value": "0.3333333333333333", "n": "3"},
        {"run": "a", "measure": "Judged@5", "value": "0.8333333333333333", "n": "2"},
    ]


def test_one_run_has_the_same_values_in_every_form(capsys: pytest.CaptureFixture[str]) -> None:
    """As TREC, CSV, JSON, JSON Lines and Parquet, its rows in any order: bit for bit, with ties and numbers as ids."""
    random = np.random.default_rng(7)
    ids, docs = ["7", "07", "1048585", "qü", "x"], [*map(str, range(20)), "é", "a#b"]
    rows = [(q, d, float(score)) for q in ids for d, score in zip(docs, random.normal(size=22).round(1), strict=True)]
    rows[3] = (*rows[3][:2], 0.1 + 0.2)
    Path("g.json").write_text(json.dumps({q: {d: int(random.integers(0, 4)) for d in docs[::2]} for q in ids}), "utf-8")
    found = set()
    for order in (range(len(rows)), random.permutation(len(rows)), random.permutation(len(rows))):
        some = [rows[at] for at in order]
        records = [dict(zip(("query_id", "doc_id", "score"), row, strict=True)) for row in some]
        nested: dict[str, dict[str, float]] = {}
        for q, d, score in some:
            nested.setdefault(q, {})[d] = score
        texts = {
            "r.trec": "".join(f"{q}\tQ0\t{d}\t0\t{score!r}\tx\n" for q, d, score in some),
            "r.csv": "query_id,doc_id,score\n" + "".join(f"{q},{d},{score!r}\n" for q, d, score in some),
            "r.json": json.dumps(records),
            "r.jsonl": "".join(f"{json.dumps(record)}\n" for record in records),
            "nested.json": json.dumps(nested),
        }
        for name, text in texts.items():
            Path(name).write_text(text, "utf-8")
        pq.write_table(pa.Table.from_pylist(records), "r.parquet")
        for name in (*texts, "r.parquet"):
            out = printed(capsys, name, "-q", "g.json", "-m", "map", "ndcg", "P_5", "-f", "json", "--per-query")[1]
            (one,) = json.loads(out)["runs"]
            found.add(json.dumps([one["values"], one["per_query"]]))
    assert len(found) == 1


def test_a_file_is_written_in_the_form_of_its_ending(capsys: pytest.CaptureFixture[str]) -> None:
    """--out takes the form from .json or .csv; --format decides otherwise, and - is standard output."""
    assert printed(capsys, "a.run", "-q", "q.txt", "-o", "out.json")[:2] == (0, "")
    assert "nDCG@10" in json.loads(Path("out.json").read_text("utf-8"))["runs"][0]["values"]
    assert printed(capsys, "a.run", "-q", "q.txt", "-o", "out.csv", "-f", "trec_eval")[:2] == (0, "")
    assert Path("out.csv").read_text("utf-8").startswith("runid")
    assert printed(capsys, "a.run", "-q", "q.txt", "-o", "-")[1].startswith("3 queries")


def test_runs_of_one_name_are_told_apart_by_their_files(capsys: pytest.CaptureFixture[str]) -> None:
    """Two runs called alike are named by their files."""
    Path("other").mkdir()
    Path("other/a.run").write_text(B, "utf-8")
    _, out, _ = printed(capsys, "a.run", "other/a.run", "-q", "q.txt")
    assert "other/a.run" in out


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
        (("a.run", "-q", "q.txt", "-l", "2"), ["-l is an option of trec_eval: here a measure names the grade"]),
        (("a.run", "-q", "q.txt", "-M1000"), ["-M is an option of trec_eval: here a measure names its cutoff"]),
        (("a.run", "-q", "q.txt", "-J"), ["-J is an option of trec_eval: here a measure leaves out unjudged"]),
        (("a.run", "-q", "q.txt", "-n"), ["-n is an option of trec_eval: --per-query --format csv prints the values"]),
        (("a.run", "-q", "q.txt", "-N", "9"), ["-N is an option of trec_eval: no measure here reads how many"]),
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
            ["a.run: this is a TREC run", "q.txt: these are judgments", "q.txt: judgments go behind -q: rankdash "],
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


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("a.run", "-m", "AP", "-q"), "that trec_eval -q prints are --per-query."),
        (("a.run", "-q", "q.txt", "-c", "-m", "AP"), "as trec_eval -c has it, with -c trec_eval-10, or as"),
        (("a.run", "-q", "q.txt", "-o"), "the lines of trec_eval are --format trec_eval."),
    ],
)
def test_an_option_of_trec_eval_without_a_value_is_answered(
    arguments: tuple[str, ...], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """-q and -c take no value there: who types them so reads what does the same here."""
    with pytest.raises(SystemExit):
        main(["evaluate", *arguments])
    assert said in capsys.readouterr().err


def test_what_official_lacks_is_told_once(capsys: pytest.CaptureFixture[str]) -> None:
    """The measures that trec_eval prints by default are printed without two of them, with one sentence."""
    for arguments in (("-m", "official"), ("-f", "trec_eval")):
        assert printed(capsys, "a.run", "b.run", "-q", "q.txt", *arguments)[2].count("gm_map") == 1
    assert "gm_map" not in printed(capsys, "a.run", "-q", "q.txt", "-f", "trec_eval", "-m", "map")[2]


@pytest.mark.parametrize(("command", "other"), [("evaluate", "rankdash score"), ("score", "rankdash evaluate")])
def test_both_helps_name_the_other(command: str, other: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Whoever wants to print reads of evaluate, whoever wants to keep reads of score: each says the difference."""
    with pytest.raises(SystemExit):
        main([command, "--help"])
    assert f"The difference from {other}: " in " ".join(capsys.readouterr().out.split())


def test_whose_grades_judge_a_run_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    """Without judgments each run is judged by its own grades: a note on each says so, and none where there are some."""
    Path("x.csv").write_text("query_id,doc_id,rank,relevance\nk1,a,1,1\nk1,b,2,0\n", "utf-8")
    Path("k.txt").write_text("k1 0 a 1\n", "utf-8")
    _, _, err = printed(capsys, "x.csv")
    assert "x.csv: Judged by the grades beside its own documents alone" in err
    _, _, err = printed(capsys, "x.csv", "-q", "k.txt")
    assert "Judged by" not in err


@pytest.mark.parametrize(
    ("qrels", "said"),
    [
        ("q1 0 other 1\nq2 0 more 0\n", "a.run: No document of the run is judged: a.run has"),
        ("q1 0 a 0\nq2 0 c 0\n", "a.run: All labels are alike: every judged document has the grade 0"),
    ],
)
def test_what_makes_values_pointless_is_told(qrels: str, said: str, capsys: pytest.CaptureFixture[str]) -> None:
    """What compare tells of files that do not fit, evaluate tells of a single run, in the same words."""
    Path("q.txt").write_text(qrels, "utf-8")
    status, _, err = printed(capsys, "a.run", "-q", "q.txt")
    assert status == 0
    assert said in err


def test_lists_that_may_stand_on_their_heads_are_told(capsys: pytest.CaptureFixture[str]) -> None:
    """Ranks given as scores are told as compare tells them, with the option that settles it."""
    Path("r.run").write_text("q1 Q0 a 1 1 x\nq1 Q0 b 2 2 x\nq1 Q0 d 3 3 x\n", "utf-8")
    err = printed(capsys, "r.run", "-q", "q.txt")[2]
    assert "r.run: The run is read by score, the highest first, and its ranks say the contrary in 100.0%" in err
    assert "--order rank" in err
    assert "on their heads" not in printed(capsys, "r.run", "-q", "q.txt", "--order", "rank")[2]


def test_several_measures_may_stand_in_one_word(capsys: pytest.CaptureFixture[str]) -> None:
    """Between blanks and commas, as ir_measures has them, a word names several measures."""
    apart = printed(capsys, "a.run", "-q", "q.txt", "-m", "nDCG@10", "AP(rel=2)", "P.5,10")
    assert printed(capsys, "a.run", "-q", "q.txt", "-m", "nDCG@10, AP(rel=2) P.5,10") == apart


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


def test_a_number_of_a_tool_that_counts_queries_without_a_list_as_0_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    """Whoever types the printed way out reads that the tool counts 0 where the value here is none."""
    written = "ir_measures:Judged(ties='docid_asc',negative='clip',score_type='float64')@5"
    told = f"scored as empty lists: 1. {written} has no value for them, where ir_measures counts 0."
    assert told in printed(capsys, "a.run", "-q", "q.txt", "-m", written, "-c", "ir_measures")[2]
    assert "counts 0" not in printed(capsys, "a.run", "-q", "q.txt", "-m", "AP", "-c", "ir_measures")[2]


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


def test_what_trec_eval_does_without_c_is_told_of_its_version(capsys: pytest.CaptureFixture[str]) -> None:
    """trec_eval 9 leaves out what a run lacks, trec_eval 10 stops, and the Method page has the same sentences."""
    told = {name: printed(capsys, "a.run", "-q", "q.txt", "-m", "map", "-c", name)[2] for name in rd.PRESETS}
    assert wording.LACKED["trec_eval-9"] in told["standard"]
    assert wording.LACKED["trec_eval-10"] in told["trec_eval-10"]
    assert "trec_eval-9" not in told["trec_eval-10"]
    assert "Without -c" not in told["trec_eval-9"] + told["ir_measures"]
    assert all(sentence in method.PRESET_WHY[name] for name, sentence in wording.LACKED.items())


def test_a_table_names_measures_as_compare_does(capsys: pytest.CaptureFixture[str]) -> None:
    """By the preset, not by its axes; JSON and CSV spell the axes."""
    assert "quepid:nDCG@10 " in printed(capsys, "a.run", "-q", "q.txt", "-m", "nDCG@10", "-c", "quepid")[1]


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


@pytest.mark.parametrize(
    "arguments",
    [
        ["evaluate", "q.txt", "a.run"],
        ["evaluate", "q.txt", "a.run", "b.run", "-m", "P@5"],
        ["evaluate", "q.csv", "a.run"],
        ["evaluate", "-q", "a.run", "q.txt"],
        ["evaluate", "--judgments=a.run", "-m", "P@5", "--", "q.txt"],
        ["explain", "q.txt", "a.run", "--query", "q1"],
        ["compare", "q.txt", "a.run", "b.run"],
        ["compare", "a.run", "q.txt", "b.run", "-m", "P@5"],
        ["compare", "a.run", "b.run", "q.txt"],
        ["report", "q.txt", "a.run", "b.run", "-o", "a report.html"],
        ["score", "q.txt", "a.run", "b.run", "-o", "scored"],
    ],
    ids=" ".join,
)
def test_judgments_that_stand_among_the_runs_are_named_with_the_command_to_type(
    capsys: pytest.CaptureFixture[str], arguments: list[str]
) -> None:
    """Judgments in front, as trec_eval has them: the message ends with a command line, and that one works."""
    Path("q.csv").write_text("query_id,doc_id,relevance\nq1,a,1\nq1,b,0\n", "utf-8")
    assert main(arguments) == 2
    lines = [line for line in capsys.readouterr().err.splitlines() if "behind -q" in line]
    assert len(lines) == 1
    said, command = lines[0].split(": rankdash ")
    assert said == f"{next(word for word in arguments if word.startswith('q.'))}: judgments go behind -q"
    assert main(shlex.split(command)) == 0


def test_a_place_for_the_missing_run_is_in_the_command(capsys: pytest.CaptureFixture[str]) -> None:
    """Where a run is missing beside judgments in its place, the command has a word that stands for it."""
    assert main(["compare", "q.txt", "a.run", "-m", "P@5"]) == 2
    assert "q.txt: judgments go behind -q: rankdash compare -q q.txt a.run B -m P@5\n" in capsys.readouterr().err
    assert main(["compare", "q.txt"]) == 2
    assert "q.txt: judgments go behind -q: rankdash compare -q q.txt A B\n" in capsys.readouterr().err
    assert main(["evaluate", "q.txt"]) == 2
    assert "q.txt: judgments go behind -q: rankdash evaluate -q q.txt RUN\n" in capsys.readouterr().err


def test_judgments_behind_q_are_not_named_again(capsys: pytest.CaptureFixture[str]) -> None:
    """Where judgments stand behind -q, others among the runs are refused alone."""
    Path("more.txt").write_text(QRELS, "utf-8")
    assert main(["evaluate", "more.txt", "a.run", "-q", "q.txt"]) == 2
    assert "behind -q" not in capsys.readouterr().err


def test_a_column_for_the_model_is_heeded(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A column that is named for the model counts where single runs are read: several models in it are refused."""
    (tmp_path / "both.csv").write_text("x,query,rank,doc\nA,q1,1,d1\nB,q2,1,d2\n")
    (tmp_path / "q.csv").write_text("query,doc,grade\nq1,d1,1\n")
    status = main(["evaluate", str(tmp_path / "both.csv"), "-q", str(tmp_path / "q.csv"), "--columns", "model=x"])
    assert status == 2
    assert 'there are 2 models in one file: "A", "B"' in capsys.readouterr().err
