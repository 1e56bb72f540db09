"""Several tests at once."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy.stats import false_discovery_control

from rankdash.evidence.paired import bh, holm
from tests.evidence.cases import all_close, of


@pytest.mark.parametrize("case", of("multiple_testing"))
def test_adjusted_p_agree_with_the_reference(case: dict[str, Any]) -> None:
    """Holm and Benjamini-Hochberg equal the reference, in the order in which the p were given."""
    assert all_close(holm(case["p"]).tolist(), case["holm"])
    assert all_close(bh(case["p"]).tolist(), case["bh"])


@pytest.mark.parametrize("adjust", [holm, bh])
def test_an_undefined_p_is_not_in_the_family(adjust: Any) -> None:
    """NaN stays NaN, and the others are adjusted as if it were not there."""
    with_gap = adjust([0.01, np.nan, 0.04])
    assert np.isnan(with_gap[1])
    assert all_close(with_gap[[0, 2]].tolist(), adjust([0.01, 0.04]).tolist())


@pytest.mark.parametrize("seed", range(20))
def test_benjamini_hochberg_is_that_of_scipy(seed: int) -> None:
    """Random families of any size, equal p-values, 0 and 1 among them, are adjusted as scipy adjusts them."""
    rng = np.random.default_rng(seed)
    p = np.round(rng.random(int(rng.integers(1, 40))) ** 3, int(rng.integers(1, 9)))
    assert all_close(bh(p).tolist(), false_discovery_control(p).tolist())


@pytest.mark.parametrize("seed", range(20))
def test_holm_is_its_definition(seed: int) -> None:
    """The p-value of rank i, ascending, times the number of those not below it; never less than the one before."""
    rng = np.random.default_rng(seed)
    p = np.round(rng.random(int(rng.integers(1, 40))) ** 2, int(rng.integers(1, 9)))
    told, largest = dict[int, float](), 0.0
    for rank, at in enumerate(sorted(range(len(p)), key=lambda i: p[i])):
        largest = max(largest, min(1.0, (len(p) - rank) * float(p[at])))
        told[at] = largest
    assert all_close(holm(p).tolist(), [told[at] for at in range(len(p))])
