"""Numbers and names as people read them."""

from __future__ import annotations

import pytest

from rankdash import wording


@pytest.mark.parametrize(
    ("x", "text"),
    [(0.015, "+0.015"), (-0.2, "−0.200"), (0.0004, "0.000"), (-0.0004, "0.000"), (0.0, "0.000"), (None, "n/a")],
)
def test_a_delta_has_a_sign_and_a_rounded_zero_has_none(x: float | None, text: str) -> None:
    """Three decimals, a true minus sign, a plus for gains, and no sign on what rounds to zero."""
    assert wording.signed(x) == text


@pytest.mark.parametrize(("share", "text"), [(-0.25, "−25.0%"), (0.1, "+10.0%"), (0.0002, "0.0%"), (None, "n/a")])
def test_delta_gsb_reads_in_points(share: float | None, text: str) -> None:
    """ΔGSB has one decimal in percentage points and a sign."""
    assert wording.points(share) == text


@pytest.mark.parametrize(("p", "text"), [(0.04376, "0.044"), (0.0009, "<0.001"), (0.0, "<0.001"), (1.0, "1.000")])
def test_p_is_never_zero(p: float, text: str) -> None:
    """Three decimals, and "<0.001" below."""
    assert wording.p_value(p) == text


def test_a_limit_is_shown_whole() -> None:
    """A limit has three decimals, or as many as it takes to show it."""
    assert [wording.limit(x) for x in (0.02, 0.005, 0.0025, 0.0, -0.01)] == [
        "0.020",
        "0.005",
        "0.0025",
        "0.000",
        "−0.010",
    ]


def test_counts_are_grouped_and_agree_with_their_noun() -> None:
    """Thousands are separated, one is singular, and an estimate keeps two digits."""
    assert wording.count(12345) == "12,345"
    assert wording.count(1, "query", "queries") == "1 query"
    assert wording.count(0, "query", "queries") == "0 queries"
    assert [wording.about(n) for n in (7, 99, 104, 1250, 98_765)] == ["7", "99", "100", "1,200", "99,000"]
