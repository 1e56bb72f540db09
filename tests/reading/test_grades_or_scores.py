"""Numbers without a name that are given for grades: grades are read, the scores of a run are refused in every form."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import rankdash as rd

SCORES = {"q1": {"d1": 5.63, "d2": -1.27, "d3": 0.88}, "q2": {"d1": 12.5, "d4": 3.0}}
ROWS = [(query, doc, value) for query, docs in SCORES.items() for doc, value in docs.items()]
QRELS = "".join(f"{query} 0 {doc} {value}\n" for query, doc, value in ROWS)
AVERAGES = {"q1": {"d1": 2.67, "d2": 1.33, "d3": 0.5, "d4": 3}, "q2": {"d1": 0.5, "d2": 1.5, "d3": 2.5}}
STEPS = [{query: {doc: round(value * 2) / 2 for doc, value in docs.items()} for query, docs in AVERAGES.items()}]


def written(folder: Path, text: str) -> Path:
    """A file with a text, whose name says nothing."""
    path = folder / "file.txt"
    path.write_text(text, "utf-8")
    return path


@pytest.mark.parametrize(
    "given",
    [
        SCORES,
        {query: [*docs.items()] for query, docs in SCORES.items()},
        ROWS,
        iter(ROWS),
        np.array(ROWS, object),
        json.dumps(SCORES),
        json.dumps({query: [*docs.items()] for query, docs in SCORES.items()}),
        QRELS,
        QRELS.replace(" ", "\t"),
        "".join(f"{query},{doc},{value}\n" for query, doc, value in ROWS),
    ],
    ids="dict pairs tuples iterator array json json_pairs qrels qrels_tabs csv".split(),
)
def test_scores_without_a_name_are_no_judgments(given: Any, tmp_path: Path) -> None:
    """A run given as judgments is refused with what to do, whatever its form, in files and in memory."""
    source = written(tmp_path, given) if isinstance(given, str) else given
    with pytest.raises(rd.ReadError, match=r"the numbers are scores: most are no whole numbers.*relevance"):
        rd.read_judgments(source)


@pytest.mark.parametrize("given", [AVERAGES, *STEPS, {"q1": {"d1": 0.5, "d2": 1, "d3": 0, "d4": 2.37}}])
def test_fractional_grades_are_read(given: dict[str, dict[str, float]], tmp_path: Path) -> None:
    """Averages of a few raters, half steps, and whole numbers with some fractions among them, are grades."""
    rows = [(query, doc, value) for query, docs in given.items() for doc, value in docs.items()]
    qrels = written(tmp_path, "".join(f"{query} 0 {doc} {value}\n" for query, doc, value in rows))
    for source in (given, rows, qrels):
        assert len(rd.read_judgments(source).table) == len(rows)


def test_continuous_grades_are_read(tmp_path: Path) -> None:
    """Probabilities, and a scale of any width, are grades in every form that is told from a run by its shape."""
    given = {"q1": {"d1": 0.83, "d2": 0.417, "d3": 0.0}, "q2": {"d1": 87.5, "d4": 3.14159}}
    rows = [(query, doc, value) for query, docs in given.items() for doc, value in docs.items()]
    qrels = written(tmp_path, "".join(f"{query} 0 {doc} {value}\n" for query, doc, value in rows))
    for source in (given, rows, qrels):
        assert len(rd.read_judgments(source).table) == len(rows)
    assert len(rd.read_judgments(written(tmp_path, json.dumps(given))).table) == len(rows)


def test_what_is_called_a_grade_is_one(tmp_path: Path) -> None:
    """Where the source names the numbers as grades, or somebody chose them, any number is a grade."""
    named = [{"query_id": query, "doc_id": doc, "relevance": value} for query, doc, value in ROWS]
    header = "query_id iteration doc_id relevance\n"
    for source in (named, written(tmp_path, json.dumps({"qrels": SCORES}))):
        assert len(rd.read_judgments(source).table) == len(ROWS)
    assert len(rd.read_judgments(written(tmp_path, header + QRELS)).table) == len(ROWS)


def _listed(number: Callable[[int], float], lists: int = 3) -> dict[str, dict[str, float]]:
    return {f"q{n}": {f"d{n}{place}": number(place) for place in range(6)} for n in range(lists)}


@pytest.mark.parametrize("packed", [True, False], ids=["json", "dict"])
def test_runs_whose_scores_could_be_grades_are_refused_or_noted(packed: bool) -> None:
    """Fractions that fall down every list, as ranx writes runs, are no judgments; where less tells it, a note does."""
    told = {
        "refused": _listed(lambda place: 1 / (place + 1.5)),
        "Most grades are no whole numbers": _listed(lambda place: (place * 7 % 5 + 0.31) / 6),
        "The grades fall down every list": _listed(lambda place: 40 - place),
        "or count through it": _listed(lambda place: place + 1),
        "fall down every list, or": _listed(lambda place: 40 - place // 2),
    }
    for what, lists in told.items():
        given: Any = json.dumps(lists).encode() if packed else lists
        if what == "refused":
            with pytest.raises(rd.ReadError, match="they fall down every list, it seems"):
                rd.read_judgments(given)
            assert len(rd.read_judgments({"qrels": lists}).table) == 18
        else:
            assert any(what in note for note in rd.read_judgments(given).source.notes), what
    rated = _listed(lambda place: 10 - place // 2 * 5)  # best first, as ranx saves qrels, down to 0
    for plain in (_listed(lambda place: place % 3), _listed(lambda place: 5 - place, 1), rated, AVERAGES):
        assert not any("as a run" in note for note in rd.read_judgments(plain).source.notes)
