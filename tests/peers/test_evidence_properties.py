"""Properties of the evidence, searched for counterexamples; and agreement with scipy.stats."""

from dataclasses import fields
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given, settings, strategies as st
from hypothesis.extra import numpy as arrays
from scipy import stats

from rankdash.evidence.experts import sign_test, wilcoxon
from rankdash.evidence.gsb import gsb, tango
from rankdash.evidence.paired import Paired, deltas, paired

CLOSE = 1e-9
#: A busy machine is no counterexample.
CALM = settings(deadline=None)
SCORES = st.floats(0, 1).map(lambda x: round(x, 4))


@st.composite
def two_models(draw: st.DrawFn, least: int = 2, most: int = 60) -> tuple[Any, Any]:
    """Scores of two models on the same queries, with ties and now and then a shift of all of B."""
    n = draw(st.integers(least, most))
    a = draw(arrays.arrays(np.float64, n, elements=SCORES))
    b = draw(arrays.arrays(np.float64, n, elements=SCORES))
    same = draw(arrays.arrays(np.bool_, n))
    return a, np.where(same, a, np.clip(b + draw(st.sampled_from([0.0, 0.0, 0.3, -0.3])), 0, 1))


@CALM
@given(st.integers(0, 300), st.integers(0, 300), st.integers(0, 300))
def test_the_score_interval_is_honest_and_mirrors(good: int, same: int, bad: int) -> None:
    """The ends lie in [-1, 1] around ΔGSB, the wider level holds the narrower, and exchanging good and bad mirrors."""
    assume(good + same + bad > 0)
    table, mirror = gsb(good, same, bad), gsb(bad, same, good)
    assert table.ci95 is not None
    assert table.ci90 is not None
    assert mirror.ci95 is not None
    low, high = table.ci95
    assert -1 <= low <= table.ci90[0] <= (table.delta or 0) <= table.ci90[1] <= high <= 1
    assert (-mirror.ci95[1], -mirror.ci95[0]) == pytest.approx((low, high), abs=1e-12)
    assert tango(good, same, bad, 0.99)[0] <= low


@CALM
@given(two_models())
def test_the_t_test_is_that_of_scipy(scores: tuple[Any, Any]) -> None:
    """t, its p, the interval and the harm p equal scipy's paired t-test on the rounded differences."""
    result = paired(*scores)
    assume(result.t is not None)
    reference = stats.ttest_1samp(deltas(*scores), 0)
    low, high = reference.confidence_interval(0.95)
    assert (result.t, result.t_p) == pytest.approx((reference.statistic, reference.pvalue), rel=1e-7, abs=CLOSE)
    assert result.ci95 == pytest.approx((low, high), rel=1e-7, abs=CLOSE)
    harm = stats.ttest_rel(scores[1], scores[0], alternative="less").pvalue
    assert result.p_harm == pytest.approx(harm, abs=1e-6)


@CALM
@given(two_models())
def test_wilcoxon_is_that_of_scipy(scores: tuple[Any, Any]) -> None:
    """The p equals scipy's, with ties in size and ties at zero."""
    delta = np.round(deltas(*scores), 2)
    assume((delta != 0).any())
    reference = stats.wilcoxon(delta, zero_method="wilcox", correction=False, method="approx")
    assert wilcoxon(delta) == pytest.approx(reference.pvalue, abs=CLOSE)


@CALM
@given(two_models())
def test_the_sign_test_is_that_of_scipy(scores: tuple[Any, Any]) -> None:
    """The p of wins against losses equals scipy's exact binomial test."""
    delta = deltas(*scores)
    wins, changed = int((delta > 0).sum()), int((delta != 0).sum())
    expected = stats.binomtest(wins, changed, 0.5).pvalue if changed else 1.0
    assert sign_test(delta) == pytest.approx(expected, abs=CLOSE)


@CALM
@given(two_models(), st.integers(2, 5))
def test_weights_count_like_copies_of_a_query(scores: tuple[Any, Any], copies: int) -> None:
    """The weighted mean is that of queries repeated as often as they weigh, and only proportions matter."""
    a, b = scores
    weights = np.arange(len(a)) % copies + 1
    found = paired(a, b, weights=weights)
    assert found.delta == pytest.approx(np.repeat(deltas(a, b), weights).mean(), abs=1e-12)
    again = paired(a, b, weights=weights * 7.5)
    values = [(getattr(found, part.name), getattr(again, part.name)) for part in fields(Paired)]
    assert all(
        (x is None) == (y is None) and (x is None or x == pytest.approx(y, rel=1e-6, abs=1e-9)) for x, y in values
    )
