"""Measures alone, before a convention replaces what they cannot say: NaN where the definition divides by nothing."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from rankdash.conventions import Convention, Gains
from rankdash.metrics import binary, dcg, incomplete
from rankdash.metrics.lists import JudgedPool, JudgedRun, Lists, gains, ratio

NAN = math.nan
SECOND = 1 / math.log2(3)  # the discount of rank 2


def lists(**axes: Any) -> Lists:
    """Five queries. 0: a document of grade 0 alone. 1: one of grade 0, then the only relevant one. 2: no list.
    3: a document nobody judged, then nothing. 4: grades 1, 3 and 0, in this order, the first two with equal scores.
    """
    pool = JudgedPool(
        query=np.array([0, 1, 1, 2, 3, 4, 4, 4]), relevance=np.array([0.0, 2.0, 0.0, 1.0, 1.0, 3.0, 1.0, 0.0])
    )
    run = JudgedRun(
        length=np.array([1, 2, 0, 1, 3]),
        query=np.array([0, 1, 1, 4, 4, 4]),
        rank=np.array([1, 1, 2, 1, 2, 3]),
        tie_first=np.array([1, 1, 2, 1, 1, 3]),
        tie_last=np.array([1, 1, 2, 2, 2, 3]),
        relevance=np.array([0.0, 0.0, 2.0, 1.0, 3.0, 0.0]),
        pool=pool,
        document=np.array([0, 2, 1, 6, 5, 7]),
    )
    return Lists(run, Convention(**axes))


@pytest.mark.parametrize(
    ("measure", "arguments", "axes", "expected"),
    [
        (binary.precision, (2,), {}, [0, 1 / 2, 0, 0, 1]),
        (binary.precision, (4,), {"p_denominator": "min(k,n)"}, [0, 1 / 2, 0, 0, 2 / 3]),
        (binary.precision, (4,), {"p_denominator": "min(k,n)", "unjudged": "condensed"}, [0, 1 / 2, 0, 0, 2 / 3]),
        (binary.precision, (2,), {"rel": 3}, [0, 0, 0, 0, 1 / 2]),
        (binary.recall, (1,), {}, [NAN, 0, 0, 0, 1 / 2]),
        (binary.f1, (2,), {}, [NAN, 2 * 0.5 * 1 / 1.5, 0, 0, 1]),
        (binary.f1, (3,), {}, [NAN, 2 * (1 / 3) / (1 / 3 + 1), 0, 0, 2 * (2 / 3) / (2 / 3 + 1)]),
        (binary.r_precision, (), {}, [NAN, 0, 0, 0, 1]),
        (binary.average_precision, (None,), {}, [NAN, 1 / 2, 0, 0, 1]),
        (binary.average_precision, (1,), {"ap_denominator": "hits"}, [NAN, 0, 0, 0, 1]),
        (binary.average_precision, (None,), {"ideal": "retrieved"}, [NAN, 1 / 2, NAN, NAN, 1]),
        (binary.reciprocal_rank, (None,), {}, [0, 1 / 2, 0, 0, 1]),
        (binary.reciprocal_rank, (1,), {}, [0, 0, 0, 0, 1]),
        (binary.success, (2,), {}, [0, 1, 0, 0, 1]),
        (binary.set_precision, (), {}, [0, 1 / 2, 0, 0, 2 / 3]),
        (binary.set_recall, (), {}, [NAN, 1, 0, 0, 1]),
        (binary.number_of_queries, (), {}, [1, 1, 1, 1, 1]),
        (binary.number_retrieved, (), {}, [1, 2, 0, 1, 3]),
        (binary.number_retrieved, (), {"unjudged": "condensed"}, [1, 2, 0, 0, 3]),
        (binary.number_relevant, (), {}, [0, 1, 1, 1, 2]),
        (binary.number_relevant_retrieved, (None,), {}, [0, 1, 0, 0, 2]),
        (binary.number_relevant_retrieved, (1,), {}, [0, 0, 0, 0, 1]),
        (binary.rank_biased_precision, (None, 0.75), {}, [0, 0.25 * 0.75, 0, 0, 0.25 * 1.75]),
        (incomplete.judged_share, (2,), {}, [1, 1, NAN, 0, 1]),
        (incomplete.judged_share, (2,), {"unjudged": "condensed"}, [1, 1, NAN, NAN, 1]),
        (dcg.cumulative_gain, (1,), {}, [0, 0, 0, 0, 1]),
        (dcg.dcg, (None,), {}, [0, 2 * SECOND, 0, 0, 1 + 3 * SECOND]),
        (dcg.dcg, (None,), {"ties": "average"}, [0, 2 * SECOND, 0, 0, 4 * (1 + SECOND) / 2]),
        (dcg.dcg, (1,), {"ties": "average"}, [0, 0, 0, 0, 4 / 2]),
        (dcg.dcg, (1,), {"ties": "average", "unjudged": "condensed"}, [0, 0, 0, 0, 4 / 2]),
        (dcg.ideal_dcg, (1,), {}, [0, 2, 1, 1, 3]),
        (dcg.ideal_dcg, (1,), {"ideal_cut": "none"}, [0, 2, 1, 1, 3 + SECOND]),
        (dcg.ideal_dcg, (None,), {"ideal": "retrieved"}, [0, 2, 0, 0, 3 + SECOND]),
        (dcg.ndcg, (1,), {}, [NAN, 0, 0, 0, 1 / 3]),
        (binary.err, (None, None), {}, [0, 3 / 8 / 2, 0, 0, 1 / 8 + 7 / 8 * (7 / 8) / 2]),
        (binary.err, (1, 4), {}, [0, 0, 0, 0, 1 / 16]),
        (incomplete.bpref, (), {}, [NAN, 0, 0, 0, 1]),
        (incomplete.auc, (), {}, [NAN, 0, NAN, NAN, 1]),
        (incomplete.auc, (), {"unjudged": "condensed", "rel": 2}, [NAN, 0, NAN, NAN, 3 / 4]),
    ],
)  # fmt: skip
def test_a_measure_is_its_definition_query_by_query(
    measure: Any, arguments: tuple[Any, ...], axes: dict[str, Any], expected: list[float]
) -> None:
    """Nothing relevant, nothing judged and no list at all included, whatever a convention makes of these later."""
    found = measure(lists(**axes), *arguments)
    assert found.dtype == np.float64
    assert found.tolist() == pytest.approx(expected, abs=1e-12, nan_ok=True)


def test_a_quotient_without_a_denominator_is_what_was_asked_for() -> None:
    """NaN unless said otherwise, a number otherwise; numbers of any type make numbers."""
    above, below = np.array([1, 2]), np.array([2, 0])
    assert ratio(above, below).tolist() == pytest.approx([0.5, NAN], nan_ok=True)
    assert ratio(above, below, nothing=0.0).tolist() == [0.5, 0.0]


def test_the_ideal_is_sorted_by_gain_and_not_by_grade() -> None:
    """A table of gains may prefer a lower grade: the ideal list of grades 3, 2, 1 then gains 3, 2, 1 all the same."""
    pool = JudgedPool(np.array([0, 0, 0, 1]), np.array([3.0, 2.0, 1.0, 1.0]))
    none = np.empty(0, np.int64)
    run = JudgedRun(np.array([0, 0]), none, none, none, none, np.empty(0), pool, none)
    table = Gains.of({1: 2, 2: 1, 3: 3})
    assert dcg.ideal_dcg(Lists(run, Convention(gain=table)), None).tolist() == pytest.approx([3 + 2 * SECOND + 0.5, 2])


def test_one_pool_serves_every_convention() -> None:
    """What negative grades, the threshold and the cutoff make of it is kept apart."""
    pool = JudgedPool(np.array([0, 0, 0]), np.array([2.0, 1.0, -1.0]))
    none = np.empty(0, np.int64)
    run = JudgedRun(np.array([0]), none, none, none, none, np.empty(0), pool, none)
    for _ in range(2):
        seen = [
            Lists(run, Convention(negative=negative, rel=rel)) for negative in ("unjudged", "clip") for rel in (1, 2)
        ]
        assert [one.judged_relevant.tolist() for one in seen] == [[2], [1], [2], [1]]
        assert [one.judged_nonrelevant.tolist() for one in seen] == [[0], [1], [1], [2]]


@pytest.mark.parametrize(
    ("gain_of", "grades", "expected"),
    [("linear", [-1.0, 0.0, 0.5, 1e290], [0, 0, 0.5, 1e290]), ("exp2", [-1.0, 0.0, 1.0, 30.0], [0, 0, 1, 2**30 - 1])],
)
def test_grades_up_to_the_largest_have_their_gain(gain_of: str, grades: list[float], expected: list[float]) -> None:
    """A negative grade gains nothing; the largest that can be added up is still taken."""
    assert gains(np.array(grades), gain_of).tolist() == expected
