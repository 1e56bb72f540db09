"""What can be said of the looks without a person: what is on the first screen, and that dark mode is dark."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

from tests.browser.pages import first_visit, keyed, resize
from tests.browser.tabs import tab

if TYPE_CHECKING:
    from playwright.sync_api import BrowserContext, Locator, Page


def bottom(locator: Locator) -> float:
    """Where an element ends, in points from the top."""
    box = locator.bounding_box()
    assert box is not None
    return float(box["y"] + box["height"])


@pytest.fixture(scope="module")
def demo(shared_page: Page, app_url: str) -> Page:
    """The demo's verdict, opened on a laptop."""
    first_visit(shared_page, app_url)
    return shared_page


@pytest.fixture(scope="module")
def dark(profile: BrowserContext, shared_errors: list[str], app_url: str) -> Iterator[Page]:
    """The demo's verdict for somebody who prefers dark."""
    with tab(profile, shared_errors) as page:
        page.emulate_media(color_scheme="dark")
        first_visit(page, app_url)
        yield page


def test_a_laptop_shows_verdict_cards_questions_and_intervals_at_once(demo: Page, shared_errors: list[str]) -> None:
    """At 1440 by 900 nothing of the first three sections has to be scrolled to, and the console is quiet."""
    resize(demo, 1440, 900)
    assert bottom(keyed(demo, "interval_chart")) <= 900
    assert bottom(keyed(demo, "rules_enough")) <= 900
    assert not shared_errors


def test_a_projector_shows_verdict_and_cards_at_once(demo: Page) -> None:
    """At 1280 by 720 the verdict and all four cards are on the screen, and no card is higher than another."""
    resize(demo, 1280, 720)
    assert bottom(keyed(demo, "cards")) <= 720
    metrics = keyed(demo, "cards").locator("[data-testid=stMetric]").all()
    assert len(metrics) == 4
    cards = [
        metric.locator("xpath=ancestor::*[@data-testid='stVerticalBlock'][1]").bounding_box() for metric in metrics
    ]
    assert len({round(card["height"]) for card in cards if card}) == 1


def test_nothing_is_wider_than_the_page(demo: Page) -> None:
    """There is no sideways scrolling at 1280 points."""
    resize(demo, 1280, 720)
    assert demo.evaluate("document.documentElement.scrollWidth <= window.innerWidth")


def test_dark_mode_is_dark(dark: Page) -> None:
    """Who prefers dark gets a dark page, with charts on the same ground."""
    ground = dark.locator(".stApp").evaluate("element => getComputedStyle(element).backgroundColor")
    assert ground == "rgb(18, 20, 26)"
    paper = keyed(dark, "query_chart").locator(".main-svg").first.evaluate("e => getComputedStyle(e).backgroundColor")
    assert paper in ("rgba(0, 0, 0, 0)", "rgb(18, 20, 26)")


@pytest.mark.parametrize("mode", ["light", "dark"])
def test_labels_of_charts_are_read_on_either_ground(mode: str, request: pytest.FixtureRequest) -> None:
    """Every label at an axis has 4.5:1 on a light and on a dark page."""
    page: Page = request.getfixturevalue("demo" if mode == "light" else "dark")
    chart = keyed(page, "query_chart").locator(".js-plotly-plot")
    colours = chart.evaluate(
        "chart => [...chart.querySelectorAll('.ytick text, .ytitle')].map(one => getComputedStyle(one).fill)"
    )
    ground = page.locator(".stApp").evaluate("element => getComputedStyle(element).backgroundColor")
    assert colours
    assert min(_contrast(colour, ground) for colour in colours) >= 4.5


def _contrast(one: str, other: str) -> float:
    """The contrast of two colours by WCAG 2, from 1 to 21."""
    lighter, darker = sorted((_luminance(colour) for colour in (one, other)), reverse=True)
    return (lighter + 0.05) / (darker + 0.05)


def _luminance(colour: str) -> float:
    channels = [int(part) / 255 for part in re.findall(r"\d+", colour)[:3]]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in channels]
    return sum(weight * part for weight, part in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


@pytest.mark.long
def test_the_lines_between_two_lists_stand_between_them_on_a_phone_too(demo: Page) -> None:
    """The table is wider than the screen there, and its lines are over its empty column all the same."""
    for width in (1280, 390):
        resize(demo, width, 844)
        lists = keyed(demo, "two_lists")
        lines, gap = (
            lists.locator("img").bounding_box(),
            lists.locator("tbody tr").first.locator("td").nth(4).bounding_box(),
        )
        assert lines is not None
        assert gap is not None
        assert abs(lines["x"] - gap["x"]) < 12, width
        assert abs(lines["width"] - gap["width"]) < 12, width


@pytest.mark.long
def test_intervals_have_room_beside_their_numbers_on_a_phone(demo: Page) -> None:
    """What is drawn takes more than a quarter of the chart, and no label of its axis is turned."""
    resize(demo, 390, 844)
    chart = keyed(demo, "interval_chart")
    box, plot = chart.bounding_box(), chart.locator(".nsewdrag").bounding_box()
    assert box is not None
    assert plot is not None
    assert plot["width"] > box["width"] / 4
    assert not chart.locator(".xtick text[transform*='rotate(90']").count()
