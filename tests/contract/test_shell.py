"""The command line on the demo: exit statuses and numbers, and no traceback whatever is asked."""

import csv
import json
import shlex
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from rankdash.__main__ import main

DEMO = Path(__file__).parents[2] / "data" / "demo"
Golden = Callable[[str, Any], None]

#: Files beside those of the demo.
POLICIES: Mapping[str, str] = {
    "ap.toml": 'primary = "AP"\nwatch = []\n[guardrails]\n"nDCG@10" = 0.01\n',
    "cutoff5.toml": 'primary = "nDCG@5"\ncutoff = 5\n',
    "no_harm.toml": 'intent = "do_no_harm"\n',
    "affected.toml": 'population = "affected"\n',
    "strict.toml": "mpe = 0.05\n",
    "many.toml": "n_min = 1000\n",
    "segments.toml": 'segments = ["traffic", "language"]\n',
    "convention.toml": 'convention = "trec_eval-9"\n',
    "unknown.toml": "nonsense = 1\n",
    "broken.toml": "primary = [\n",
}
OTHER: Mapping[str, str] = {
    "letor.svm": "2 qid:1 1:3 # d1\n0 qid:1 1:1 # d2\n1 qid:2 1:2 # d3\n0 qid:2 1:2 # d4\n",
    "a.txt": "3\n2\n1\n2\n",
    "b.txt": "1\n2\n3\n2\n",
    "bad.csv": "query_id,doc_id,rank\nq001,P1,x\n",
    "empty.csv": "",
    "zip.csv": "PK",
    "few.csv": "query_id,doc_id,relevance\nq001,P0010,3\nq001,P0033,3\nq002,P1289,1\n",
}
PRESETS = "trec_eval-9 trec_eval-10 scikit-learn ranklib lightgbm xgboost quepid rank_eval srw textbook"
#: Fields of a measure that stay.
MEASURE = "measure role a b delta ci n wins ties losses t_p holm_p permutation_p bca wilcoxon_p sign_p"
AB, ABQ = "A B", "A B -q Q"
#: What is asked, and what of the answer counts: JSON of a comparison unless the call says otherwise.
COMPARED = {
    "the demo": ABQ,
    "the other way round": "B A -q Q",
    "with itself": "A A -q Q",
    "with experts": f"{ABQ} --experts",
    "by score": f"{ABQ} --order score",
    "by rank": f"{ABQ} --order rank",
    "by position": f"{ABQ} --order position",
    "more measures": f"{ABQ} -m nDCG@5 map P.5,10 RBP(p=0.8) ERR@10 R@100 Rprec bpref",
    "with queries": f"{ABQ} --queries T",
    "with two candidates": f"{ABQ} --candidates 2",
    "with looks": f"{ABQ} --looks 3",
    "with votes": f"{ABQ} --votes votes.csv",
    "with votes on names": f"{ABQ} --votes named.csv",
    "votes alone": "--votes votes.csv",
    "few judgments": "A B -q few.csv",
    "weights": f"{ABQ} --queries weights.csv",
    **{f"weights that lack, {n}": f"{ABQ} --queries few_weights.csv --missing-weight {n}" for n in (0, 1)},
    "LETOR with scores": "letor.svm --scores a.txt b.txt",
    "TREC": "a.trec b.trec -q Q",
    "both models in one file": "both.csv -q Q --pair run_a,run_b",
    "columns named": "odd.csv B -q Q --columns a:doc_id=thing",
    **{f"preset {name}": f"{ABQ} -c {name}" for name in PRESETS.split()},
    **{
        f"policy {name}": f"{ABQ} -p {name}.toml" + (" --queries T" if name == "segments" else "")
        for name in "ap cutoff5 no_harm affected strict many segments convention".split()
    },
}
#: Calls whose exit status alone counts.
STATUSES = {
    "--version": 0,
    "measures": 0,
    "compare --help": 0,
    f"compare {ABQ} --quiet": 0,
    f"compare {ABQ} --gate": 0,
    "compare B A -q Q --gate": 3,
    "compare A A -q Q --gate": 4,
    "compare A B -q unseen.csv --gate": 6,
    "compare A B -q few.csv --gate": 5,
    f"compare {ABQ} -p strict.toml --gate": 5,
    f"compare {AB}": 0,
    f"compare {AB} --gate": 6,
    f"score {AB} -o scored.parquet": 2,
    f"compare {ABQ} -p unknown.toml": 2,
    f"compare {ABQ} -p broken.toml": 2,
    f"compare {ABQ} -c nonsense": 2,
    f"compare {ABQ} -m nonsense": 2,
    "compare A missing.csv -q Q": 2,
    "compare A bad.csv -q Q": 2,
    "compare A empty.csv -q Q": 2,
    "compare A zip.csv -q Q": 2,
    f"compare {ABQ} --votes Q": 2,
    f"compare {ABQ} --missing-weight 0": 2,
    f"compare {ABQ} --queries T --missing-weight 0": 2,
    f"compare {ABQ} --queries few_weights.csv --missing-weight 2": 2,
    f"compare {ABQ} --queries few_weights.csv --missing-weight one": 2,
    f"compare {ABQ} --nonsense": 2,
    "compare": 2,
    "nonsense": 2,
    "evaluate A -q missing.csv": 2,
    "explain A -q Q --query nonsense": 2,
    "explain A B -q Q --query q001": 0,
}
EVALUATED = {
    "two runs": "A B -q Q",
    "all of trec_eval": "A -q Q -c trec_eval-9 -m official",
    "each query": "A -q few.csv --per-query -m nDCG@10 AP",
}
#: The forms of a report, by the ending of the file, and what each begins with.
FORMS = {"html": b"<!", "md": b"#", "json": b"{", "xml": b"<?xml", "csv": b'"query_id",'}


@pytest.fixture(scope="session")
def files(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Every file, by the name that calls give it."""
    folder = tmp_path_factory.mktemp("contract")
    named = {"A": "run_a.csv", "B": "run_b.csv", "Q": "judgments.csv", "T": "queries.csv"}
    found = {name: DEMO / file for name, file in named.items()}
    runs = {name: list(csv.DictReader(found[name].open(encoding="utf-8"))) for name in "AB"}
    queries = list(dict.fromkeys(row["query_id"] for row in runs["A"]))
    votes = [(query, ("good", "same", "bad", "good")[at % 4]) for at, query in enumerate(queries[:120])]
    better = {"good": "run_b", "same": "tie", "bad": "run_a"}
    texts = {
        **POLICIES,
        **OTHER,
        "votes.csv": "query_id,vote\n" + "".join(f"{query},{vote}\n" for query, vote in votes),
        "named.csv": "query_id,model_a,model_b,winner\n"
        + "".join(f"{query},run_b,run_a,{better[vote]}\n" for query, vote in votes),
        "unseen.csv": (DEMO / "judgments.csv").read_text("utf-8").replace(",P", ",X"),
        "weights.csv": "query_id,query,weight\n"
        + "".join(f"{q},text {q},{1 + i % 5}\n" for i, q in enumerate(queries)),
        "few_weights.csv": "query_id,weight\n" + "".join(f"{query},1\n" for query in queries[:80]),
        "odd.csv": "query,thing,rank\n" + "".join(f"{r['query_id']},{r['doc_id']},{r['rank']}\n" for r in runs["A"]),
        "both.csv": "model,query_id,doc_id,rank\n"
        + "".join(f"run_{m.lower()},{r['query_id']},{r['doc_id']},{r['rank']}\n" for m in "AB" for r in runs[m]),
    }
    for model in "AB":
        lines = (f"{r['query_id']} Q0 {r['doc_id']} {r['rank']} {1000 - int(r['rank'])} run\n" for r in runs[model])
        texts[f"{model.lower()}.trec"] = "".join(lines)
    for name, text in texts.items():
        found[name] = folder / name
        found[name].write_text(text, "utf-8")
    return found


@pytest.fixture
def shell(
    files: dict[str, Path], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, home: Path
) -> Callable[[str], tuple[int, str, str]]:
    """What runs one call, as typed, and returns its exit status and what it printed."""
    monkeypatch.chdir(home.parent)

    def run(call: str) -> tuple[int, str, str]:
        words = [str(files.get(word, word)) for word in shlex.split(call, posix=False)]
        try:
            status = main(words)
        except SystemExit as ended:
            status = int(ended.code or 0)
        return int(status or 0), *capsys.readouterr()

    return run


def picked(told: Mapping[str, Any]) -> dict[str, Any]:
    """Of the JSON of a comparison what stays, whatever else is said in it."""
    fields = {
        "inputs": ("queries", "rows", "ordered_by", "kind", "sha256"),
        "queries": "compared judged changed missing_a missing_b without_relevant weighted unweighted".split(),
        "measures": MEASURE.split(),
        "gsb": ("good", "same", "bad", "delta_gsb", "ci", "n"),
        "judged": ("cutoff", "a", "b", "gap"),
        "verdict": ("launch", "outcome", "rule"),
    }
    found: dict[str, Any] = {}
    for name, kept in fields.items():
        value = told.get(name)
        if name == "inputs":
            found[name] = {k: _kept(one, kept) for k, one in value.items() if one} if value else None
        elif isinstance(value, list):
            found[name] = [_kept(one, kept) for one in value]
        else:
            found[name] = _kept(value, kept) if value else None
    found["gsb_derived"] = told.get("gsb_derived")
    return found


def _kept(value: Mapping[str, Any], names: Any) -> dict[str, Any]:
    return {name: value[name] for name in names if name in value}


@pytest.mark.parametrize("name", COMPARED)
def test_a_comparison_has_these_numbers(name: str, shell: Any, golden: Golden) -> None:
    """Means, intervals, counts, ΔGSB, outcome and rule are as they were."""
    status, out, error = shell(f"compare {COMPARED[name]} --json -")
    assert status == 0, error
    golden(f"compare: {name}", picked(json.loads(out)))


@pytest.mark.parametrize("call", STATUSES)
def test_a_call_ends_with_this_status(call: str, shell: Any) -> None:
    """0 is done, 2 is a mistake that is told, and a gate has a status for each verdict."""
    status, out, error = shell(call)
    assert status == STATUSES[call], error
    assert "Traceback" not in out + error
    assert bool(error.strip()) or status != 2


@pytest.mark.parametrize("name", EVALUATED)
def test_measures_have_these_values(name: str, shell: Any, golden: Golden) -> None:
    """Values of runs are as they were."""
    status, out, error = shell(f"evaluate {EVALUATED[name]} -f csv")
    assert status == 0, error
    rows = [[_number(cell) for cell in row] for row in csv.reader(out.splitlines())]
    golden(f"evaluate: {name}", rows)


def _number(cell: str) -> float | str:
    try:
        return float(cell)
    except ValueError:
        return cell


def test_every_form_of_a_report_is_written(shell: Any, tmp_path: Path) -> None:
    """One call writes each form, under the name that says which, and with --quiet nothing else."""
    asked = " ".join(f"-o r.{ending}" for ending in FORMS)
    assert shell(f"compare A B -q Q {asked} --quiet") == (0, "", "")
    for ending, begins in FORMS.items():
        assert (tmp_path / f"r.{ending}").read_bytes().startswith(begins)


def test_the_value_of_each_query_is_written(shell: Any, tmp_path: Path, golden: Golden) -> None:
    """The table of queries holds the values of both models."""
    status, _, error = shell("compare A B -q Q --out q.csv")
    assert status == 0, error
    rows = list(csv.DictReader((tmp_path / "q.csv").open(encoding="utf-8")))
    golden("per query: rows", len(rows))
    golden("per query: head", {name: _number(value) for name, value in rows[0].items() if "nDCG@10" in name})


@pytest.mark.parametrize("gate", ["", " --gate"])
def test_a_table_that_lacks_weights_asks_for_the_option(gate: str, shell: Any) -> None:
    """Without the option it is one line that names it, and no verdict, for a gate neither."""
    status, out, error = shell(f"compare {ABQ} --queries few_weights.csv{gate}")
    assert (status, out, error.count("\n")) == (2, "", 1)
    assert "--missing-weight" in error


def test_scores_and_a_letor_file_are_compared_however_they_are_given(shell: Any) -> None:
    """Two files of scores with the LETOR file behind -q are the LETOR file with its scores."""
    calls = ("letor.svm --scores a.txt b.txt", "a.txt b.txt -q letor.svm")
    told = [shell(f"compare {call} --json -") for call in calls]
    assert [status for status, _, _ in told] == [0, 0], told
    assert picked(json.loads(told[0][1])) == picked(json.loads(told[1][1]))
