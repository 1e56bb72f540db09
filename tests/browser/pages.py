"""What browser tests do with the dashboard, by its stable keys (README.md)."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from rankdash import style
from tests.browser.waiting import JOINER, settled

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page


def keyed(page: Page, key: str) -> Locator:
    """The element with a key."""
    return page.locator(f".st-key-{key}")


def button(page: Page, key: str) -> Locator:
    """The button with a key."""
    return keyed(page, key).get_by_role("button")


def first_visit(page: Page, url: str) -> None:
    """Opens the dashboard and waits until the demo's verdict is there, whole."""
    page.goto(url)
    _verdict(page)


def _verdict(page: Page) -> None:
    keyed(page, "banner").wait_for()
    keyed(page, "query_chart").locator(".bars .point").first.wait_for(state="attached")
    settled(page)


def go(page: Page, name: str) -> None:
    """Goes to a page by the navigation, and waits until it is whole."""
    page.get_by_role("link", name=name, exact=True).click()
    settled(page)


def resize(page: Page, width: int, height: int) -> None:
    """Gives the page another size, and waits until its charts have it."""
    page.set_viewport_size({"width": width, "height": height})
    page.wait_for_function(_ARE_FITTED)
    settled(page)


#: Whether every chart is as wide as what it stands in.
_ARE_FITTED = """() => [...document.querySelectorAll('[data-testid=stPlotlyChart]')].every(
    chart => Math.abs(chart.querySelector('.main-svg').clientWidth - chart.clientWidth) < 2)"""


def drop(page: Page, place: str, *files: Path) -> None:
    """Drops files into the zone of a form, all at once, and waits until each has a card."""
    keyed(page, f"{place}_files").locator("input[type=file]").set_input_files(files)
    cards(page, place).nth(len(files) - 1).wait_for()
    settled(page)


def cards(page: Page, place: str) -> Locator:
    """The cards of the files in the zone of a form, in the order of the files."""
    return page.locator(f"[class*=st-key-{place}_card_]")


def compare_new(page: Page, files: dict[str, Path]) -> None:
    """Compares files through the button that stands on every page."""
    keyed(page, "new_comparison").get_by_role("button").click()
    _compare(page, "new", files)


def start_with(page: Page, url: str, files: dict[str, Path]) -> None:
    """Compares files on the page that says that files are gone: the quickest way to an open comparison."""
    page.goto(f"{url}/?c=lost")
    _compare(page, "lost", files)


def cancel_new(page: Page) -> None:
    """Closes the dialog of a new comparison by its button: no key does."""
    keyed(page, "new_cancel").get_by_role("button").click()
    keyed(page, "new_door").wait_for(state="detached")
    settled(page)


def open_demo(page: Page) -> None:
    """Opens the demo through the button that stands on every page, and waits for its verdict: what was edited, swapped
    or renamed is gone, and nothing is loaded anew.
    """
    keyed(page, "new_comparison").get_by_role("button").click()
    keyed(page, "open_demo").get_by_role("button").click()
    keyed(page, "new_files").wait_for(state="detached")
    page.get_by_text(style.DEMO_BADGE, exact=True).wait_for()
    _verdict(page)


def _compare(page: Page, place: str, files: dict[str, Path]) -> None:
    drop(page, place, *files.values())
    keyed(page, f"{place}_compare").get_by_role("button").click()
    keyed(page, f"{place}_files").wait_for(state="detached")
    page.get_by_text(style.DEMO_BADGE, exact=True).wait_for(state="detached")
    _verdict(page)


def said(locator: Locator) -> str:
    """What people read there, without the invisible joiners."""
    return locator.inner_text().replace(JOINER, "")


def click_bar(page: Page, chart: str, share: float) -> None:
    """Clicks into a chart of deltas, at a share of its width from the left."""
    settled(page)
    plot = keyed(page, chart).locator(".nsewdrag")
    plot.scroll_into_view_if_needed()
    width, height = plot.evaluate("element => [element.getBBox().width, element.getBBox().height]")
    plot.hover(position={"x": share * width, "y": height / 3}, force=True)
    plot.click(position={"x": share * width, "y": height / 3}, force=True)
