"""The same data in each of its forms gives the oracle's numbers: TREC, CSV, combined, letters, gains, LETOR."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

import rankdash as rd
from rankdash.reading import read_judgments, read_models, read_run
from tests.long import every

Loaded = tuple[rd.Run, rd.Run, rd.Judgments]
ESCI = {"E": 3, "S": 2, "C": 1, "I": 0}
LABELS = {"relevance": "esci_label"}


def files(a: str, b: str, judgments: str, **how: object) -> Callable[[Path], Loaded]:
    """Two runs and the judgments, each a file of its own."""
    return lambda folder: (read_run(folder / a), read_run(folder / b), read_judgments(folder / judgments, **how))


def combined(folder: Path) -> Loaded:
    """Both runs and the judgments from one file."""
    models = read_models(folder / "both_models_long.csv")
    assert models.judgments is not None
    return (*models.runs, models.judgments)


def joined(folder: Path) -> Loaded:
    """Both runs from one file, the judgments from another, which names the queries by their text."""
    models = read_models(folder / "both_models_long.csv")
    return (*models.runs, read_judgments(folder / "labels.csv", columns={"query_id": "query", **LABELS}))


def letor(name: str, groups: str | None = None) -> Callable[[Path], Loaded]:
    """A LETOR file with the scores of two models."""

    def load(folder: Path) -> Loaded:
        how = {} if groups is None else {"groups": folder / groups}
        runs = (
            read_run(folder / name, scores=folder / f"scores_{one}.txt", **how) for one in ("a_ridge", "b_lambdarank")
        )
        return (*runs, read_judgments(folder / name, **how))

    return load


#: Forms that are named by their files: two runs and judgments.
FILES = {
    "esci_products": (
        "run_a_title.trec + run_b_allfields.trec + qrels.grade0-3.txt",
        "run_a_title.csv + run_b_allfields.csv + qrels.grade0-3.txt",
        "run_a_title.csv + run_b_allfields.trec + qrels.grade0-3.txt",
        "run_a_title.csv + run_b_allfields.csv + qrels.gain100.txt",
    ),
    "cmrc_chinese": (
        "run_a_char.trec + run_b_jieba.trec + qrels.txt",
        "run_a_char.csv + run_b_jieba.csv + qrels.txt",
        "run_a_char.csv + run_b_jieba.trec + qrels.txt",
    ),
    "jsquad_japanese": (
        "run_a_bigram.trec + run_b_janome.trec + qrels.txt",
        "run_a_bigram.csv + run_b_janome.csv + qrels.txt",
        "run_a_bigram.csv + run_b_janome.trec + qrels.txt",
    ),
    "letor_lightgbm": ("run_a.trec + run_b.trec + qrels.txt",),
}
_LABELLED, _LETTERS = "run_a_title.csv + run_b_allfields.csv + labels.csv", "esci_label read as E 3, S 2, C 1, I 0"
_NO_QID = "letor.noqid.svm + letor.noqid.svm.query"
_SCORES = "scores_a_ridge.txt + scores_b_lambdarank.txt"
FORMS: dict[tuple[str, str], Callable[[Path], Loaded]] = {
    **{(folder, form): files(*form.split(" + ")) for folder, forms in FILES.items() for form in forms},
    ("esci_products", f"{_LABELLED}, relevance = gain"): files(*_LABELLED.split(" + "), columns={"relevance": "gain"}),
    ("esci_products", f"{_LABELLED}, relevance = {_LETTERS}"): files(
        *_LABELLED.split(" + "), columns=LABELS, grades=ESCI
    ),
    ("esci_products", "both_models_long.csv alone, label read as E 3, S 2, C 1, I 0"): combined,
    ("esci_products", f"both_models_long.csv + labels.csv, relevance = {_LETTERS}"): joined,
    ("letor_lightgbm", f"letor.qid.svm + {_SCORES}"): letor("letor.qid.svm"),
    ("letor_lightgbm", f"{_NO_QID} + {_SCORES}"): letor("letor.noqid.svm", "letor.noqid.svm.query"),
}


@pytest.mark.parametrize(("folder", "form"), every(4, FORMS), ids=lambda name: name[:60])
def test_each_form_gives_the_oracles_numbers(folder: str, form: str, real_data: Path) -> None:
    """Means of four measures, and wins, ties and losses, of each form that the oracle knows."""
    expected = json.loads((real_data / folder / "oracle.json").read_text("utf-8"))["forms"][form]
    a, b, judgments = FORMS[folder, form](real_data / folder)
    comparison = rd.compare(a, b, judgments, measures=list(expected["measures"]))
    for name, numbers in expected["measures"].items():
        found = comparison.results[comparison.measure_names.index(name)].paired
        assert (found.wins, found.ties, found.losses) == (numbers["win_B"], numbers["tie"], numbers["loss_B"]), name
        for side, scores in (("A", comparison.scores_a), ("B", comparison.scores_b)):
            mean = float(scores[comparison.measure_names.index(name)].mean())
            assert mean == pytest.approx(numbers[f"mean_{side}"], abs=5.0001e-9), (name, side)


def test_every_form_of_the_oracles_is_tested(real_data: Path) -> None:
    """No form that an oracle lists is left out."""
    found = set()
    for path in sorted(real_data.glob("*/oracle.json")):
        forms = json.loads(path.read_text("utf-8")).get("forms", {})
        found |= {(path.parent.name, form) for form, numbers in forms.items() if isinstance(numbers, dict)}
    assert found == set(FORMS)
