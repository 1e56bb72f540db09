"""What holds for every measure, searched for counterexamples."""

from __future__ import annotations

import math
from collections.abc import Sequence
from contextlib import suppress
from functools import cache
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import rankdash as rd
from rankdash.metrics import check_tool
from tests.made import judgments, run
from tests.truth.scale import sampled

DOCUMENTS = [f"d{i}" for i in range(14)]
scores = st.sampled_from([-2.0, -0.5, 0.0, 0.25, 1.0, 3.5])
lists = st.dictionaries(st.sampled_from(DOCUMENTS), scores, min_size=1, max_size=12)
grades = st.dictionaries(st.sampled_from(DOCUMENTS), st.integers(-1, 3), min_size=1, max_size=12)
presets = st.sampled_from(list(rd.PRESETS))
#: Every bounded measure of one list, without a cutoff and with one.
ROWS = [row for row in rd.DEFINITIONS.values() if row.of_lists is not None and row.bounded and not row.of_subtopics]
NAMES = [form.replace("@k", "@4") for row in ROWS for form in row.forms]
names = st.sampled_from(NAMES)


@cache
def allowed(name: str, preset: str) -> bool:
    """Whether the tools of a preset print this number under this name, or no other."""
    with suppress(rd.MeasureError):
        return bool(check_tool(rd.parse_measure(name, rd.PRESETS[preset]), rd.PRESETS[preset]).name)
    return False


def value(ranked: Any, judged: dict[str, int], name: str, preset: str = "standard") -> float:
    """One measure of one query; NaN where it is undefined."""
    frame = rd.evaluate(run({"q": ranked}), judgments({"q": judged}), [name], convention=preset)
    return float(frame["value"][0])


def values(ranked: Any, judged: dict[str, int], preset: str = "standard", asked: Sequence[str] = NAMES) -> list[float]:
    """Measures of one query, all bounded ones of the preset if not said which; NaN where one is undefined."""
    asked = [name for name in asked if allowed(name, preset)]
    return list(rd.evaluate(run({"q": ranked}), judgments({"q": judged}), asked, convention=preset)["value"])


def same(a: float, b: float) -> bool:
    """Equal, or both undefined."""
    return (math.isnan(a) and math.isnan(b)) or a == pytest.approx(b, abs=1e-12)


@given(lists, grades, presets)
def test_every_bounded_measure_lies_between_0_and_1(
    ranked: dict[str, float], judged: dict[str, int], preset: str
) -> None:
    """No list, judgments or convention give a value outside [0, 1]."""
    for found in values(ranked, judged, preset):
        assert math.isnan(found) or -1e-12 <= found <= 1 + 1e-12


@given(lists, grades, presets, st.randoms(use_true_random=False))
def test_the_order_of_rows_changes_nothing(
    ranked: dict[str, float], judged: dict[str, int], preset: str, random: Any
) -> None:
    """Shuffled rows give the same value wherever equal scores do not keep the order of the file."""
    assume(rd.PRESETS[preset].ties != "input_order")
    rows = list(ranked.items())
    random.shuffle(rows)
    assert all(map(same, values(dict(rows), judged, preset), values(ranked, judged, preset)))


@given(lists, grades, presets)
def test_only_the_order_of_scores_counts(ranked: dict[str, float], judged: dict[str, int], preset: str) -> None:
    """A strictly increasing transformation of the scores changes no value."""
    stretched = {doc: math.exp(score) * 3 - 100 for doc, score in ranked.items()}
    assert all(map(same, values(stretched, judged, preset), values(ranked, judged, preset)))


@given(lists, grades, st.integers(2, 9))
def test_linear_ndcg_does_not_see_the_unit_of_gain(ranked: dict[str, float], judged: dict[str, int], unit: int) -> None:
    """Multiplying all grades leaves linear nDCG as it is."""
    larger = {doc: grade * unit for doc, grade in judged.items()}
    assert same(value(ranked, larger, "nDCG@5"), value(ranked, judged, "nDCG@5"))


@given(lists, grades, st.sampled_from(["nDCG", "AP", "RR", "DCG", "CG", "ERR"]), presets)
def test_a_cutoff_beyond_the_end_is_no_cutoff(
    ranked: dict[str, float], judged: dict[str, int], name: str, preset: str
) -> None:
    """A cutoff that is longer than list and judgments equals none."""
    assume(not (name == "AP" and rd.PRESETS[preset].ap_denominator == "min(R,k)"))
    assume(allowed(name, preset) and allowed(f"{name}@1000", preset))
    assert same(value(ranked, judged, f"{name}@1000", preset), value(ranked, judged, name, preset))


@given(lists, grades, names, presets)
def test_a_model_against_itself_ties_everywhere(
    ranked: dict[str, float], judged: dict[str, int], name: str, preset: str
) -> None:
    """A against A: no win, no loss, delta 0, ΔGSB 0, and never a launch."""
    assume(allowed(name, preset))
    once = run({"q": ranked, "r": ranked})
    comparison = rd.compare(once, once, judgments({"q": judged, "r": judged}), convention=preset, measures=[name])
    for result in comparison.results:
        assert (result.paired.wins, result.paired.losses) == (0, 0)
        assert result.paired.delta in (0.0, None)
    assert comparison.gsb_derived.delta in (0.0, None)
    assert not rd.decide(comparison).launch


@settings(max_examples=sampled(10))
@given(st.lists(st.tuples(lists, lists, grades), min_size=2, max_size=6), presets)
def test_swapping_a_and_b_flips_every_sign(cases: list[tuple[Any, Any, Any]], preset: str) -> None:
    """The other way round, deltas, intervals and ΔGSB change their sign, wins and losses their places."""
    a = run({f"q{i}": case[0] for i, case in enumerate(cases)})
    b = run({f"q{i}": case[1] for i, case in enumerate(cases)})
    judged = judgments({f"q{i}": case[2] for i, case in enumerate(cases)})
    asked = [name for name in NAMES if allowed(name, preset)]
    one = rd.compare(a, b, judged, convention=preset, measures=asked)
    other = rd.compare(b, a, judged, convention=preset, measures=asked)
    assert np.array_equal(one.deltas, -other.deltas, equal_nan=True)
    for there, back in zip(one.results, other.results, strict=True):
        assert (there.paired.wins, there.paired.losses) == (back.paired.losses, back.paired.wins)
        if there.paired.ci95 is not None and back.paired.ci95 is not None:
            assert there.paired.ci95 == pytest.approx([-end for end in back.paired.ci95[::-1]], abs=1e-12)
    assert (one.gsb_derived.good, one.gsb_derived.bad) == (other.gsb_derived.bad, other.gsb_derived.good)


@given(lists, grades)
def test_a_better_document_further_up_never_hurts(ranked: dict[str, float], judged: dict[str, int]) -> None:
    """Swapping two neighbours so that the higher grade comes first does not lower DCG, nDCG or AP."""
    asked = ("DCG@5", "nDCG@5", "AP", "RR", "ERR", "RBP")
    worse = sorted(ranked)
    before = values(worse, judged, asked=asked)
    for i in range(len(worse) - 1):
        first, second = (max(judged.get(doc, 0), 0) for doc in worse[i : i + 2])
        if second <= first:
            continue
        better = [*worse[:i], worse[i + 1], worse[i], *worse[i + 2 :]]
        for name, old, new in zip(asked, before, values(better, judged, asked=asked), strict=True):
            assert new >= old - 1e-12, name


@settings(max_examples=sampled(80))
@given(grades, st.lists(st.sampled_from(DOCUMENTS), min_size=1, max_size=10, unique=True), names, presets)
def test_the_worked_calculation_is_the_value(judged: dict[str, int], ranked: list[str], name: str, preset: str) -> None:
    """explain() and evaluate() agree on every list, measure and convention."""
    assume(allowed(name, preset))
    worked = rd.explain(run({"q": ranked}), judgments({"q": judged}), name, "q", convention=preset)
    assert same(math.nan if worked.value is None else worked.value, value(ranked, judged, name, preset))
