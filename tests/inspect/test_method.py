"""Numbers that explain a method: conventions side by side, the discount, and textbook examples."""

from __future__ import annotations

import pytest

import rankdash as rd
from rankdash.conventions import PRESETS
from rankdash.inspect.view import means_under, other_forms, textbook, under_each
from rankdash.metrics import parse_measure
from rankdash.metrics.definitions import COVERS, WRITTEN, peer_name
from rankdash.style import method as words
from tests.browsed import judgments_csv, run_csv

NAMES = ("nDCG@10", "AP", "P@10", "RR")


@pytest.fixture(scope="module")
def comparison() -> rd.Comparison:
    """Fifty queries, B better on most."""
    return rd.compare(rd.read_run(run_csv(False)), rd.read_run(run_csv(True)), rd.read_judgments(judgments_csv()))


@pytest.mark.parametrize("preset", list(PRESETS))
def test_every_preset_shows_what_evaluate_computes(comparison: rd.Comparison, preset: str) -> None:
    """A cell of the table is the mean that one run alone has under that preset."""
    found = under_each(comparison, NAMES)[preset]
    for one in found:
        frame = rd.evaluate(comparison.a, comparison.joined.judgments, [one.measure], preset)
        assert one.a == pytest.approx(frame["value"].mean())


def test_the_convention_in_force_gives_the_numbers_of_the_verdict(comparison: rd.Comparison) -> None:
    """Without weights the mean of a measure is the one that the verdict page shows."""
    (found,) = means_under(comparison, comparison.convention, ["nDCG@10"])
    decided = comparison.primary.paired
    assert (found.a, found.b) == (pytest.approx(decided.mean_a), pytest.approx(decided.mean_b))
    assert found.delta == pytest.approx(decided.delta)
    (other,) = means_under(comparison, comparison.convention.with_axes({"gain": "exp2"}), ["DCG@10"])
    (plain,) = means_under(comparison, comparison.convention, ["DCG@10"])
    assert not other.equals(plain)


def test_a_grade_that_a_convention_refuses_leaves_a_gap() -> None:
    """Gain 2^grade - 1 takes no grade above 30; the other numbers are still shown."""
    run = rd.read_run({"q": ["d"]})
    found = under_each(rd.compare(run, run, rd.read_judgments({"q": {"d": 50}})), ["nDCG@10"])
    assert found["ranklib"][0].a is None
    assert found["standard"][0].a == 1


@pytest.mark.parametrize(
    ("grades", "measure", "missed", "expected"),
    [
        ("3 2 3 0 1 2", "DCG@6", "", 6.861126688594),
        ("3 2 3 0 1 2", "DCG(gain='exp2')@6", "", 13.848263629273),
        ("3 2 3 0 1 2", "IDCG", "3 2", 9.073595698880),
        ("3 2 3 0 1 2", "nDCG@6", "3 2", 0.785002371970),
        ("3 2 3 0 1 2", "nDCG", "3 2", 0.756164029817),
        ("3 2 3 0 1 2", "nDCG(gain='exp2',ideal='retrieved')@6", "", 0.948810748568),
        ("3 2 0 3 1 2", "DCG@6", "", 6.653156362814),
        ("5 3 2 1 4", "DCG@5", "", 9.870877047726),
        ("5 3 2 1 4", "nDCG@5", "", 0.960956890517),
        ("1 0 1 0 1 0", "AP", "", 0.755555555556),
        ("1 0 1 0 1 0", "AP", "1 1", 0.453333333333),
        ("1 0 1 0 1 0", "AP(ap_denominator='min(R,k)')@3", "1 1", 0.555555555556),
        ("0 0 0 1 1", "DCG@5", "", 0.817529365308),
    ],
)
def test_textbook_examples_come_out_right(grades: str, measure: str, missed: str, expected: float) -> None:
    """Worked by hand, to twelve decimals."""
    assert textbook(grades, measure, missed).value == pytest.approx(expected, abs=1e-11)


def test_the_page_names_what_a_preset_covers() -> None:
    """A number is shown as another tool's exactly where the preset covers the measure, and every name is a measure."""
    assert COVERS.keys() == rd.PRESETS.keys()
    a, b, judgments, *_ = rd.demo("diversity")
    forms = (*words.COMPARED, *other_forms(rd.compare(a, b, judgments), words.COMPARED))
    for name, covered in COVERS.items():
        for measure in covered:
            assert parse_measure(f"{name}:{measure.replace('@k', '@10')}").convention is not None
        for form in forms:
            assert (form in covered) == (peer_name(name, form) is not None), (name, form)
    for name, written in WRITTEN.items():
        assert not set(written) & set(COVERS[name])
        for measure in written.values():
            assert parse_measure(measure.replace("@k", "@10")).name
