"""What holds for every measure, searched for counterexamples."""

from __future__ import annotations

import math
from collections.abc import Sequence
from contextlib import suppress
from functools import cache
from typing import Any

import pytest
from hypothesis import assume, given, strategies as st

import rankdash as rd
from rankdash.metrics import check_tool
from tests.made import judgments, run

DOCUMENTS = [f"d{i}" for i in range(14)]
scores = st.sampled_from([-2.0, -0.5, 0.0, 0.25, 1.0, 3.5])
lists = st.dictionaries(st.sampled_from(DOCUMENTS), scores, min_size=1, max_size=12)
grades = st.dictionaries(st.sampled_from(DOCUMENTS), st.integers(-1, 3), min_size=1, max_size=12)
presets = st.sampled_from(list(rd.PRESETS))
#: Every bounded measure of one list, without a cutoff and with one.
ROWS = [row for row in rd.DEFINITIONS.values() if row.of_lists is not None and row.bounded and not row.of_subtopics]
NAMES = [form.replace("@k", "@4") for row in ROWS for form in row.forms]


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
