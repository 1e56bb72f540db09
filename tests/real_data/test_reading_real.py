"""Real files of search teams and evaluation campaigns are read as they are."""

from __future__ import annotations

from pathlib import Path

import pytest

from rankdash.reading import ReadError, read_judgments, read_models, read_run


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
        ("esci_products/labels.csv", 3342),
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


def test_words_for_labels_are_told(real_data: Path) -> None:
    """A combined export whose labels are letters says where, what was found and what is allowed."""
    with pytest.raises(ReadError) as error:
        read_models(real_data / "esci_products/both_models_long.csv")
    problem = error.value.problems[0]
    assert str(problem) == (
        'both_models_long.csv, row 2, column "label": "E" is not a number. Use 0, 1, 2, …, or map words to grades.'
    )
    assert len(error.value.problems) == 20
