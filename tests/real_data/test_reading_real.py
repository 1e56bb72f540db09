"""Real files of search teams and evaluation campaigns are read as they are."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from rankdash.evidence.votes import rated
from rankdash.reading import read_judgments, read_models, read_queries, read_run, read_votes


@pytest.mark.parametrize(
    ("path", "rows", "queries", "order"),
    [
        ("esci_products/run_a_title.csv", 1410, 72, "rank"),
        ("esci_products/run_a_title.trec", 1410, 72, "score"),
        ("esci_products/run_b_allfields.csv", 1426, 72, "rank"),
        ("cmrc_chinese/run_a_char.csv", 4000, 200, "rank"),
        ("jsquad_japanese/run_b_janome.csv", 4000, 200, "rank"),
        ("dl20_passage/run_a.bm25.trec", 5400, 54, "score"),
        ("letor_lightgbm/run_b.trec", 889, 60, "score"),
        ("trec_eval_test/results.test", 1500, 3, "score"),
        ("trec_eval_test/results.trunc", 584, 2, "score"),
    ],
)
def test_real_runs_are_read(real_data: Path, path: str, rows: int, queries: int, order: str) -> None:
    """Rows, queries and order of runs as tools write them."""
    run = read_run(real_data / path)
    assert run.table.num_rows == rows
    assert len(run.table.column("query_id").chunk(0).dictionary) == queries
    assert run.ordered_by == order


@pytest.mark.parametrize(
    ("path", "rows"),
    [
        ("esci_products/qrels.grade0-3.txt", 3342),
        ("dl20_passage/qrels.txt", 11386),
        ("trec_eval_test/qrels.test", 3681),
    ],
)
def test_real_judgments_are_read(real_data: Path, path: str, rows: int) -> None:
    """Rows of qrels and of a table of labels."""
    assert read_judgments(real_data / path).table.num_rows == rows


def test_csv_and_trec_of_one_run_agree(real_data: Path) -> None:
    """The CSV and the TREC file of a run hold the same rows, ranks and scores."""
    for name in ("esci_products/run_a_title", "cmrc_chinese/run_a_char", "jsquad_japanese/run_a_bigram"):
        columns = ["query_id", "doc_id", "rank", "score"]
        found = read_run(real_data / f"{name}.csv").table.select(columns)
        assert found.equals(read_run(real_data / f"{name}.trec").table)


def test_letters_for_labels_are_read_as_grades(real_data: Path) -> None:
    """A combined export whose labels are E, S, C and I gives grades 3 to 0, blanks unjudged, and a note."""
    models = read_models(real_data / "esci_products/both_models_long.csv")
    assert [run.name for run in models.runs] == ["bm25_title", "bm25_allfields"]
    assert models.judgments is not None
    assert set(models.judgments.table.column("relevance").to_pylist()) == {0.0, 1.0, 2.0, 3.0}
    (note,) = (note for note in models.judgments.source.notes if note.code == "words_as_grades")
    assert "E = 3, S = 2, C = 1, I = 0" in note.phrase("shell")


@pytest.mark.parametrize("form", ["long", "wide"])
@pytest.mark.parametrize("pair", ["cerebras-gpt-6.7B,opt-7b", "bloom-7b,opt-7b"])
def test_real_votes_give_the_oracles_majorities(real_data: Path, form: str, pair: str) -> None:
    """Votes of three raters on two pairs of models give the oracle's majorities, from the long and the wide table."""
    folder = real_data / "gsb_pandalm"
    a, b = pair.split(",")
    expected = json.loads((folder / "oracle.json").read_text("utf-8"))["pairs"][f"{a}_{b}"]
    table = read_votes(folder / f"judgments_{form}.csv", pair=(a, b)).table
    queries = np.unique(np.array(table.column("query_id").to_pylist()), return_inverse=True)[1]
    signs = [{"good": 1, "bad": -1}.get(vote, 0) for vote in table.column("vote").to_pylist()]
    found = rated(queries, signs)
    majority = expected["strict_majority_else_same"]
    names = ("good_B_wins", "same", "bad_A_wins")
    assert (found.gsb.good, found.gsb.same, found.gsb.bad) == tuple(majority[name] for name in names)
    assert found.alpha == pytest.approx(expected["krippendorff_alpha_nominal"], abs=1e-6)


@pytest.mark.parametrize(
    ("path", "rows"),
    [("dl20_passage/topics.dl20.txt", 200), ("cmrc_chinese/queries.tsv", 200), ("jsquad_japanese/queries.tsv", 200)],
)
def test_real_queries_are_read(real_data: Path, path: str, rows: int) -> None:
    """Ids and texts of topics, in English, Chinese and Japanese."""
    table = read_queries(real_data / path).table
    assert (table.num_rows, table.column_names) == (rows, ["query_id", "text"])
