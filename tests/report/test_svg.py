"""Drawings read back: every mark stands where its number says, and nothing of a file is markup."""

import xml.etree.ElementTree as ET

import pytest

from rankdash import style
from rankdash.inspect.query_order import changes
from rankdash.report.svg import delta_drawing, interval_drawing
from rankdash.wording import signed
from tests.report import reported as given

COMPARISON = given.everything().comparison


def part(text: str | None) -> float:
    """A share of the width as a number."""
    assert text.endswith("%")
    return float(text[:-1]) / 100


def texts(drawing: ET.Element) -> str:
    """Everything that is written on a drawing."""
    return " ".join("".join(one.itertext()) for one in drawing.iter("text"))


def test_intervals_and_points_stand_on_one_axis() -> None:
    """The point of each measure and both ends of its interval, on an axis with 0."""
    drawing = interval_drawing(COMPARISON)
    points = [part(one.get("cx")) for one in drawing.iter("circle")]
    bars = [one for one in drawing.iter("line") if one.get("stroke-width") == "4"]
    deltas = [result.paired.delta for result in COMPARISON.results]
    lows = [result.paired.ci95[0] for result in COMPARISON.results if result.paired.ci95]
    slope = (points[0] - part(bars[0].get("x1"))) / (deltas[0] - lows[0])
    for point, bar, delta, low in zip(points, bars, deltas, lows, strict=True):
        assert point == pytest.approx(points[0] + slope * (delta - deltas[0]), abs=2e-4)
        assert part(bar.get("x1")) == pytest.approx(points[0] + slope * (low - deltas[0]), abs=2e-4)
    assert all(0 <= at <= 1 for at in points)
    assert all(signed(delta) in texts(drawing) for delta in deltas)


def test_each_query_is_a_bar_as_high_as_its_delta() -> None:
    """Bars from the largest loss to the largest gain, in green and pink, and none where nothing changed."""
    found = changes(COMPARISON)
    bars = [*delta_drawing(found, COMPARISON).iter("rect")]
    moved = [delta for delta in found.delta.tolist() if delta]
    assert len(bars) == len(moved)
    heights = [float(bar.get("height", "")) for bar in bars]
    scale = max(heights) / max(map(abs, moved))
    assert heights == pytest.approx([abs(delta) * scale for delta in moved], abs=0.11)
    assert [bar.get("fill") for bar in bars] == [style.tone(delta) for delta in moved]
