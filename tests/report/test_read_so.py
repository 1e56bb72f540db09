"""How grades, scores and measures were read that other tools read otherwise: the same words wherever they are told."""

import random
from collections.abc import Mapping

import pytest

import rankdash as rd
from rankdash.report.notes import input_notes, notes_of

QUERIES, DOCUMENTS = [f"q{n}" for n in range(30)], [f"d{n}" for n in range(9)]
Numbers = Mapping[str, Mapping[str, float]]


def _some(seed: int, *values: float) -> Numbers:
    rng = random.Random(seed)
    return {q: {d: rng.choice(values) if values else rng.random() for d in DOCUMENTS} for q in QUERIES}


A, B, GRADES = _some(1), _some(2), _some(3, 0, 1, 2)


def _told(a: Numbers, b: Numbers, grades: Numbers, convention: str = "standard") -> tuple[str, str]:
    """What a comparison notes, and what the values of its run A do."""
    compared = "\n".join(notes_of(rd.compare(a, b, grades, convention=convention)))
    return compared, "\n".join(rd.evaluate(a, grades, ["nDCG@10", "AP", "RR"], convention).attrs["notes"])


@pytest.mark.parametrize(("convention", "said"), [("standard", "as unjudged"), ("ranklib", "as 0")])
def test_grades_below_0_are_noted(convention: str, said: str) -> None:
    """Comparisons and values say what such grades count; other grades say nothing."""
    for told in _told(A, B, _some(4, -2, -1, 0, 1), convention):
        assert f"Grades below 0 (−2, −1) count {said}" in told
    assert not any("below 0" in told for told in _told(A, B, GRADES, convention))


def test_measures_that_the_tools_of_a_convention_do_not_print_are_noted() -> None:
    """RR without a cutoff is no measure of RankLib; nDCG@10 and AP are, and of standard all are."""
    for told in _told(A, B, GRADES, "ranklib"):
        assert "ranklib does not print RR." in told
    for convention in ("standard", "trec_eval-9"):
        assert not any("does not print" in told for told in _told(A, B, GRADES, convention))


def test_grades_below_1_that_gain_and_are_not_relevant_are_a_caveat() -> None:
    """Which grades count as relevant is said by the verdict and by values; whole grades say nothing of it."""
    halves = _some(5, 0, 0.25, 0.5, 1)
    verdict = rd.decide(rd.compare(A, B, halves))
    (said,) = [one.sentence for one in verdict.caveats if one.id == "threshold"]
    assert "AP(rel=0.25)" in said
    assert said in _told(A, B, halves)[1]
    assert not [one for one in rd.decide(rd.compare(A, B, GRADES)).caveats if one.id == "threshold"]


def test_lists_of_one_score_are_noted_and_the_first_caveat() -> None:
    """A model whose documents all have one score ranks nothing: no verdict is without this caveat."""
    flat = {q: dict.fromkeys(DOCUMENTS, 1.0) for q in QUERIES}
    said = "All documents have the same score in 30 of 30 lists of {}"
    assert said.format("the run") in _told(flat, B, GRADES)[1]
    best = {q: {d: GRADES[q][d] + 1.5 * A[q][d] for d in DOCUMENTS} for q in QUERIES}
    verdict = rd.decide(rd.compare(flat, best, GRADES))
    assert verdict.launch
    assert (verdict.caveats[0].id, verdict.caveats[0].sentence.startswith(said.format("A"))) == ("order", True)
    scored = rd.decide(rd.compare_scored(rd.score(flat, best, GRADES)))
    assert scored.caveats[0] == verdict.caveats[0]
    two = {q: {d: float(n < 4) for n, d in enumerate(DOCUMENTS)} for q in QUERIES}
    assert "level_scores" not in {note.code for one in input_notes(rd.compare(two, B, GRADES)) for note in one.notes}


@pytest.mark.parametrize(("code", "step"), [("level_scores", 0), ("scores_rise", 1)])
def test_an_order_in_doubt_is_said_once(code: str, step: int) -> None:
    """A note of the run and the caveat are one warning in the terminal; without judgments the note alone is there."""
    rows = (f"{q},{d},{9 + 0.5 * n * step}" for q in QUERIES for n, d in enumerate(DOCUMENTS))
    run = rd.read_run("\n".join(("query_id,doc_id,score", *rows)).encode())
    judged, unjudged = rd.compare(run, B, GRADES), rd.compare(run, B)
    (note,) = (note for note in input_notes(judged)[0].notes if note.code == code)
    told, alone = (notes_of(one) for one in (judged, unjudged))
    assert rd.decide(judged).caveats[0].id == "order"
    assert not [line for line in told if note.phrase("shell") in line]
    assert [line for line in alone if note.phrase("shell") in line]
