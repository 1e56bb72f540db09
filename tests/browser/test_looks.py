"""What can be said of the looks without a person: what is on the first screen, and that dark mode is dark."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

from tests.browser.pages import first_visit, keyed
from tests.browser.waiting import watched

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Locator, Page


def bottom(locator: Locator) -> float:
    """Where an element ends, in points from the top."""
    box = locator.bounding_box()
    assert box is not None
    return float(box["y"] + box["height"])


@pytest.fixture
def dark_page(browser: Browser) -> Iterator[Page]:
    """A page of somebody who prefers dark."""
    context = watched(browser.new_context(viewport={"width": 1440, "height": 900}, color_scheme="dark"))
    yield context.new_page()
    context.close()


def test_a_laptop_shows_verdict_cards_questions_and_intervals_at_once(
    page: Page, app_url: str, console_errors: list[str]
) -> None:
    """At 1440 by 900 nothing of the first three sections has to be scrolled to, and the console is quiet."""
    first_visit(page, app_url)
    assert bottom(keyed(page, "interval_chart")) <= 900
    assert bottom(keyed(page, "rules_enough")) <= 900
    assert not console_errors


def test_a_projector_shows_verdict_and_cards_at_once(page: Page, app_url: str) -> None:
    """At 1280 by 720 the verdict and all four cards are on the screen, and no card is higher than another."""
    page.set_viewport_size({"width": 1280, "height": 720})
    first_visit(page, app_url)
    assert bottom(keyed(page, "cards")) <= 720
    metrics = keyed(page, "cards").locator("[data-testid=stMetric]").all()
    assert len(metrics) == 4
    cards = [
        metric.locator("xpath=ancestor::*[@data-testid='stVerticalBlock'][1]").bounding_box() for metric in metrics
    ]
    assert len({round(card["height"]) for card in cards if card}) == 1


def test_nothing_is_wider_than_the_page(page: Page, app_url: str) -> None:
    """There is no sideways scrolling at 1280 points."""
    page.set_viewport_size({"width": 1280, "height": 720})
    first_visit(page, app_url)
    assert page.evaluate("document.documentElement.scrollWidth <= window.innerWidth")


def test_dark_mode_is_dark(dark_page: Page, app_url: str) -> None:
    """Who prefers dark gets a dark page, with charts on the same ground."""
    first_visit(dark_page, app_url)
    ground = dark_page.locator(".stApp").evaluate("element => getComputedStyle(element).backgroundColor")
    assert ground == "rgb(18, 20, 26)"
    paper = (
        keyed(dark_page, "query_chart").locator(".main-svg").first.evaluate("e => getComputedStyle(e).backgroundColor")
    )
    assert paper in ("rgba(0, 0, 0, 0)", "rgb(18, 20, 26)")
