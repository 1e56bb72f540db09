"""How much of a difference rests on a few queries."""

from __future__ import annotations

import numpy as np

from rankdash.evidence.influence import reweighted_segment, without_few


def test_five_queries_that_carry_the_lead_are_named() -> None:
    """Without the five that favour the leader most the sign turns, and these are named, the strongest first."""
    delta = [0.5, -0.01, 0.9, 0.6, -0.02, 0.7, 0.8, -0.01]
    found = without_few(delta)
    assert found.rows == (2, 6, 5, 3, 0)
    assert found.delta is not None
    assert found.delta < 0
    assert found.turns


def test_a_broad_lead_does_not_turn() -> None:
    """Where many queries agree five of them decide nothing, whichever model leads."""
    assert not without_few(np.full(40, 0.1)).turns
    assert not without_few(np.full(40, -0.1)).turns


def test_a_lead_of_few_queries_turns_to_zero() -> None:
    """Where only ties are left the lead is gone."""
    found = without_few([0.2, 0.1, 0.0, 0.0, np.nan])
    assert found.rows == (0, 1)
    assert found.delta == 0
    assert found.turns


def test_nobody_leads_a_tie() -> None:
    """Where the mean is 0, or there is no query, nothing turns."""
    assert without_few([0.1, -0.1]).rows == ()
    assert without_few([]).delta is None


def test_a_heavy_query_favours_more() -> None:
    """With weights it is weight times difference that favours."""
    assert without_few([0.3, 0.1, -0.01], weights=[1, 10, 1], few=1).rows == (1,)


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
