"""How much of a difference rests on a few queries."""

from __future__ import annotations

import numpy as np

from rankdash.evidence.influence import reweighted_segment


def test_the_segment_behind_a_reweighted_mean_is_named() -> None:
    """Weights that favour the two German queries, where B loses, explain why the weighted mean is lower."""
    delta, weights = [0.2, 0.2, 0.2, -0.1, -0.1, np.nan], [1, 1, 1, 10, 10, 50]
    language = np.array(["en", "en", "en", "de", "de", "fr"], object)
    long = np.array(["yes", "", "", "yes", "", ""], object)
    assert reweighted_segment(delta, weights, {"long": long, "language": language}) == ("language", "de")
    assert reweighted_segment(delta, weights, {"long": long}) is None


def test_no_segment_is_named_where_weights_change_nothing() -> None:
    """Equal weights, no weights at all, and no queries leave nothing to explain."""
    language = np.array(["en", "de"], object)
    assert reweighted_segment([0.2, -0.1], [3, 3], {"language": language}) is None
    assert reweighted_segment([0.2, -0.1], [0, 0], {"language": language}) is None
    assert reweighted_segment([0.2, -0.1], [1, 9], {}) is None
