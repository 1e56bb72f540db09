"""What is viewed, query by query: any measure, cutoff and convention, and the filters; and numbers that explain a
method.
"""

from dataclasses import fields, is_dataclass, replace
from itertools import pairwise
from typing import Any

import numpy as np
import pytest

import rankdash as rd
from rankdash.conventions import PRESETS, STANDARD
from rankdash.edits import Edit, apply
from rankdash.evidence.paired import paired
from rankdash.inspect import view
from rankdash.inspect.query_order import Changes, changes
from rankdash.metrics import ListPair, Measure, parse_measure
from rankdash.metrics.names import COVERS, WRITTEN, peer_name
from rankdash.scoring import Order, join
from rankdash.style import method as words
from tests.browsed import judgments_csv, run_csv
from tests.edits.made_edits import random_tables


@pytest.fixture(scope="module")
def comparison() -> rd.Comparison:
    """Fifty queries, B better on most; every list ends in an unjudged document."""
    return rd.compare(rd.read_run(run_csv(False)), rd.read_run(run_csv(True)), rd.read_judgments(judgments_csv()))


def seen(comparison: rd.Comparison, key: str = "nDCG", k: int | None = 10, preset: str = "") -> view.Viewed:
    """A measure of the comparison, query by query."""
    measure = view.measure_of(comparison, key, k, preset)
    return view.viewed(comparison, measure, shared(comparison, measure))


def shared(comparison: rd.Comparison, measure: Measure) -> ListPair:
    """The documents in both lists."""
    return view.shared_lists(comparison, view.orders_of(comparison.joined, measure))


def test_without_a_choice_the_view_is_what_the_verdict_is_on(comparison: rd.Comparison) -> None:
    """The same measure, the same queries in the same order, the same means."""
    found = seen(comparison)
    assert found.measure == comparison.measures[0]
    assert found.changes.query_ids == changes(comparison).query_ids
    assert found.total == replace(comparison.primary.paired, required_n_mpe=None, required_n_seen=None)


@pytest.mark.parametrize(("key", "k", "preset"), [("nDCG", 3, ""), ("AP", None, "ranklib"), ("P", 5, "xgboost")])
def test_another_view_is_the_comparison_of_that_measure(
    comparison: rd.Comparison, key: str, k: int | None, preset: str
) -> None:
    """Measure, cutoff and convention of the view give the numbers that compare() gives for that name."""
    found = seen(comparison, key, k, preset)
    grades, name = comparison.joined.judgments, found.measure.name
    asked = rd.compare(comparison.a, comparison.b, grades, measures=[name]).result(name)
    assert found.total.mean_a == pytest.approx(asked.paired.mean_a)
    assert found.total.delta == pytest.approx(asked.paired.delta)
    assert found.changes.delta.mean() == pytest.approx(asked.paired.delta)


def test_changed_lists_are_those_whose_first_k_differ(comparison: rd.Comparison) -> None:
    """At the policy's cutoff they are the affected queries of the comparison; at another, what a reader would count."""
    found = seen(comparison)
    assert found.changed.tolist() == comparison.scored["changed"][found.changes.query].tolist()
    first = seen(comparison, k=1)
    tops = [(name, int(name[1:])) for name in first.changes.query_ids]
    assert first.changed.tolist() == [bool(number % 5 and number % 7) for _, number in tops]


def test_overlap_and_churn_are_those_of_the_command_line(comparison: rd.Comparison) -> None:
    """Held against each other in their first ranks, the lists are as alike as the measures of two lists say."""
    found = seen(comparison, k=3)
    alike = rd.compare(comparison.a, comparison.b, comparison.joined.judgments, measures=["overlap@3", "RBO"]).likeness
    overlap, churn = view.likeness(comparison, found, shared(comparison, found.measure))
    assert overlap == pytest.approx(alike[0].values[found.changes.query])
    assert churn == pytest.approx(1 - alike[1].values[found.changes.query])


@pytest.mark.parametrize(
    ("wanted", "numbers"),
    [
        (view.Filter(), range(50)),
        (view.Filter(text="WORDS of 31"), [31]),
        (view.Filter(text=" q4 "), [4, *range(40, 50)]),
        (view.Filter(outcome="lost"), range(0, 50, 5)),
        (view.Filter(outcome="tied"), [7, 14, 21, 28, 42, 49]),
        (view.Filter(outcome="tied", changed=True), []),
        (view.Filter(unjudged=True, text="q12"), [12]),
    ],
)
def test_filters_let_through_what_they_say(comparison: rd.Comparison, wanted: view.Filter, numbers: list[int]) -> None:
    """Text in id or question whatever its case, outcome, changed lists, unjudged documents; together they narrow."""
    found = seen(comparison)
    kept = found.only(view.matching(found, wanted))
    assert sorted(int(name[1:]) for name in kept.changes.query_ids) == list(numbers)
    assert sorted(kept.changes.delta.tolist()) == kept.changes.delta.tolist()


def test_the_waterfall_ends_at_the_mean_difference(comparison: rd.Comparison) -> None:
    """Each part begins where the one before ended, and the last bar is the difference of the verdict."""
    steps = view.waterfall(comparison)
    for before, after in pairwise(steps[:-1]):
        assert after.start == before.end
    assert steps[-1].end == pytest.approx(comparison.primary.paired.delta)
    parts = comparison.explained.parts or {}
    assert [step.queries for step in steps[:-1]] == [np.count_nonzero(parts[step.part]) for step in steps[:-1]]


def test_the_curve_holds_the_means_at_each_cutoff(comparison: rd.Comparison) -> None:
    """No further than the longest list, and the same means as a comparison at that cutoff."""
    found = view.curve(comparison, comparison.measures[0])
    assert found.ks == (1, 2, 3, 4, 5)
    at_1 = comparison.result("nDCG@1").paired
    assert (found.a[0], found.b[0]) == (at_1.mean_a, at_1.mean_b)


@pytest.mark.parametrize("seed", range(10))
def test_a_search_finds_what_a_look_at_each_query_finds(seed: int) -> None:
    """Letters of the id, of the text or across both, in any case, of any script: as each query folded for itself."""
    random = np.random.default_rng(seed)
    pieces = ["red ", "SHOE", "Straße", "\u0130x", "q", "7", "日本", ""][: 8 if seed % 2 else 2]
    texts = tuple("".join(random.choice(pieces, 3)) for _ in range(60))
    ids = tuple(f"Q{n}" for n in range(60))
    numbers = np.zeros(60)
    found = Changes(ids, texts, np.arange(60), numbers, numbers, numbers)
    for needle in ("q1", "shoe", "red", "STRASSE", "i", "1 r", "日", "q5 ", "zz", "é"):
        expected = [at for at in range(60) if needle.strip().casefold() in f"{ids[at]} {texts[at]}".casefold()]
        assert view.matching(view_of(found), view.Filter(text=needle)).tolist() == expected, needle


def view_of(found: Changes) -> view.Viewed:
    """A view of queries of which nothing else is known."""
    nothing = np.zeros(len(found))
    total, none = paired(found.a, found.b), view.InOrder({}, found.query)
    return view.Viewed(parse_measure("AP"), 10, found, nothing, nothing > 0, none, total)


@pytest.mark.parametrize("seed", range(30))
def test_after_edited_grades_the_rankings_are_those_of_a_new_comparison(seed: int) -> None:
    """Every array of both runs is the same, whether they are put in order anew or taken over from before the edits."""
    rng = np.random.default_rng(seed)
    a, b, judgments = random_tables(rng, ties=seed % 2 == 0)
    orders = [Order.of(STANDARD), Order.of(STANDARD.with_axes({"ties": "docid_asc"}))]
    before = join(a, b, judgments, depth=10)
    for order in orders:
        before.both(order)
    grades = [None, 0.0, 1.5, 3.0]
    edits = [
        Edit(f"q{rng.integers(12)}", f"d{rng.integers(34)}", "grade", None, None, grades[rng.integers(4)])
        for _ in range(rng.integers(1, 9))
    ]
    after = apply(edits, a, b, judgments)
    anew, taken_over = (join(after.a, after.b, after.judgments, depth=10) for _ in range(2))
    view.regraded(taken_over, before, {edit.query_id for edit in edits})
    for run in taken_over.by_side.values():
        assert set(run._made) == {*before.by_side["a"]._made}
    for order in orders:
        for one, other in zip(taken_over.both(order), anew.both(order), strict=True):
            assert arrays(one) == arrays(other)


def arrays(record: Any) -> dict[str, Any]:
    """Everything in a record, by name, with arrays as lists."""
    values = ((one.name, getattr(record, one.name)) for one in fields(record) if not one.name.startswith("_"))
    return {name: arrays(value) if is_dataclass(value) else np.asarray(value).tolist() for name, value in values}


NAMES = ("nDCG@10", "AP", "P@10", "RR")


@pytest.mark.parametrize("preset", list(PRESETS))
def test_every_preset_shows_what_evaluate_computes(comparison: rd.Comparison, preset: str) -> None:
    """A cell of the table is the mean that one run alone has under that preset."""
    found = view.under_each(comparison, NAMES)[preset]
    for one in found:
        frame = rd.evaluate(comparison.a, comparison.joined.judgments, [one.measure], preset)
        assert one.a == pytest.approx(frame["value"].mean())


def test_the_convention_in_force_gives_the_numbers_of_the_verdict(comparison: rd.Comparison) -> None:
    """Without weights the mean of a measure is the one that the verdict page shows."""
    (found,) = view.means_under(comparison, comparison.convention, ["nDCG@10"])
    decided = comparison.primary.paired
    assert (found.a, found.b) == (pytest.approx(decided.mean_a), pytest.approx(decided.mean_b))
    assert found.delta == pytest.approx(decided.delta)
    (other,) = view.means_under(comparison, comparison.convention.with_axes({"gain": "exp2"}), ["DCG@10"])
    (plain,) = view.means_under(comparison, comparison.convention, ["DCG@10"])
    assert not other.equals(plain)


def test_a_grade_that_a_convention_refuses_leaves_a_gap() -> None:
    """Gain 2^grade - 1 takes no grade above 30; the other numbers are still shown."""
    run = rd.read_run({"q": ["d"]})
    found = view.under_each(rd.compare(run, run, rd.read_judgments({"q": {"d": 50}})), ["nDCG@10"])
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
    assert view.textbook(grades, measure, missed).value == pytest.approx(expected, abs=1e-11)


def test_the_page_names_what_a_preset_covers() -> None:
    """A number is shown as another tool's exactly where the preset covers the measure, and every name is a measure."""
    assert COVERS.keys() == rd.PRESETS.keys()
    a, b, judgments, *_ = rd.demo("diversity")
    forms = (*words.COMPARED, *view.other_forms(rd.compare(a, b, judgments), words.COMPARED))
    for name, covered in COVERS.items():
        for measure in covered:
            assert parse_measure(f"{name}:{measure.replace('@k', '@10')}").convention is not None
        for form in forms:
            assert (form in covered) == (peer_name(name, form) is not None), (name, form)
    for name, written in WRITTEN.items():
        assert not set(written) & set(COVERS[name])
        for measure in written.values():
            assert parse_measure(measure.replace("@k", "@10")).name
