"""Every file of the real data, dropped without a word: the right part, or the right question."""

from pathlib import Path

import pytest

from rankdash.intake import Decisions, Given, look, place, read

PAIRS = ("cerebras-gpt-6.7B", "opt-7b"), ("bloom-7b", "opt-7b")
#: What is dropped together, and the part that each file gets.
TOGETHER = {
    "esci_products": {
        "run_b_allfields.csv": "b",
        "run_a_title.trec": "a",
        "labels.csv": "none",
        "qrels.gain100.txt": "judgments",
    },
    "cmrc_chinese": {
        "queries.tsv": "queries",
        "run_b_jieba.csv": "b",
        "run_a_char.trec": "a",
        "qrels.txt": "judgments",
    },
    "jsquad_japanese": {
        "queries.tsv": "queries",
        "run_b_janome.trec": "b",
        "run_a_bigram.csv": "a",
        "qrels.txt": "judgments",
    },
    "dl20_passage": {
        "topics.dl20.txt": "queries",
        "run_b.tasb.trec": "b",
        "run_a.bm25.trec": "a",
        "qrels.txt": "judgments",
    },
    "letor_lightgbm": {
        "scores_b_lambdarank.txt": "scores_b",
        "letor.noqid.svm.query": "groups",
        "scores_a_ridge.txt": "scores_a",
        "letor.noqid.svm": "judgments",
    },
    "trec_eval_test": {"results.test": "a", "results.trunc": "b", "qrels.test": "judgments"},
}


@pytest.mark.parametrize("folder", TOGETHER)
def test_files_that_belong_together_get_their_parts(folder: str, real_data: Path) -> None:
    """Runs by their names, judgments, queries, scores and sizes: all of them at once, in any order."""
    expected = TOGETHER[folder]
    looks = [look(Given(name, real_data / folder / name)) for name in expected]
    assert dict(zip(expected, (one.role for one in place(looks, {})), strict=True)) == expected


def test_labels_with_two_columns_of_grades_ask_for_one_and_are_then_read(real_data: Path) -> None:
    """Letters or gains: the columns are offered, and with one of them the judgments are read."""
    file = Given("labels.csv", real_data / "esci_products" / "labels.csv")
    first = look(file)
    assert (first.kind, first.choices[0].key, first.choices[0].values) == (
        "judgments", "relevance", ("esci_label", "gain"),
    )  # fmt: skip
    decided = Decisions(columns=(("relevance", "esci_label"),))
    found = read(file, "judgments", decided, form=look(file, decided).form)
    assert found.error is None
    assert set(found.understood.words) == {"E", "S", "C", "I"}


def test_a_combined_file_is_both_models(real_data: Path) -> None:
    """Two models and their labels in one file need nothing else."""
    file = Given("both_models_long.csv", real_data / "esci_products" / "both_models_long.csv")
    seen = look(file)
    assert place([seen], {})[0].role == "both"
    assert read(file, "models", form=seen.form).error is None


@pytest.mark.parametrize("name", ["judgments_long.csv", "judgments_wide.csv"])
def test_votes_on_two_pairs_ask_for_one(name: str, real_data: Path) -> None:
    """Both forms are votes, and ask which pair of models."""
    file = Given(name, real_data / "gsb_pandalm" / name)
    seen = look(file)
    assert (seen.kind, [choice.option for choice in seen.choices]) == ("votes", ["pair"])
    for pair in PAIRS:
        assert read(file, "votes", Decisions(pair=pair)).error is None


def test_a_table_of_products_is_the_items(real_data: Path) -> None:
    """Titles of documents, without queries, ranks and grades, are facts of documents."""
    seen = look(Given("products.csv.gz", real_data / "esci_products" / "products.csv.gz"))
    assert (seen.kind, seen.choices) == ("items", ())
