"""What every page shares: numbers and charts that can be read, and that nothing leaves the machine."""

from dataclasses import dataclass, field
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Page

from rankdash import style
from rankdash.dashboard import navigation
from tests.browser.pages import first_visit, go, keyed

#: The titles of all pages.
PAGES = tuple(page.title for page in navigation.PAGES)


@dataclass
class Walk:
    """What was seen on a walk through all pages of the demo, which ends on the first one."""

    page: Page
    asked: list[str] = field(default_factory=list)
    charts: list[str] = field(default_factory=list)


@pytest.fixture(scope="module")
def walked(shared_page: Page, app_url: str) -> Walk:
    """A first visit of the demo, and of all its pages."""
    walk = Walk(shared_page)
    shared_page.on("request", lambda request: walk.asked.append(request.url))
    shared_page.on("websocket", lambda socket: walk.asked.append(socket.url))
    first_visit(shared_page, app_url)
    for name in (*PAGES[1:], PAGES[0]):
        go(shared_page, name)
        for chart in shared_page.locator("[data-testid=stPlotlyChart], [data-testid=stImage] img").all():
            walk.charts.append(chart.get_attribute("aria-label") or chart.get_attribute("alt") or "")
    return walk


@pytest.fixture
def demo(walked: Walk) -> Page:
    """The demo's verdict."""
    go(walked.page, style.VERDICT)
    return walked.page


def test_no_page_asks_for_anything_from_elsewhere(walked: Walk, app_url: str) -> None:
    """On all pages every request goes to the dashboard itself, and the icon on the tab is part of the page."""
    hosts = {urlsplit(url).netloc for url in walked.asked if urlsplit(url).scheme not in ("data", "blob")}
    assert hosts == {urlsplit(app_url).netloc}
    icon = walked.page.locator("link[rel*=icon]").first.get_attribute("href") or ""
    assert icon.startswith("data:image/svg+xml")


def test_headline_numbers_are_text_and_charts_have_a_name(walked: Walk, demo: Page) -> None:
    """The three numbers can be searched for; every chart and drawing on every page is a figure with a sentence."""
    values = keyed(demo, "cards").locator("[data-testid=stMetricValue]").all_inner_texts()
    assert len(values) == 3
    assert all(any(letter.isdigit() for letter in value) for value in values)
    assert len(walked.charts) >= 5
    assert all(len(name) > 20 for name in walked.charts)


#: The sum of all shifts of the layout that nobody caused by a key or a click.
_SHIFTS = """window.shifted = 0; new PerformanceObserver(list => {
    for (const entry of list.getEntries()) if (!entry.hadRecentInput) window.shifted += entry.value
}).observe({type: 'layout-shift', buffered: true})"""


@pytest.mark.parametrize(("width", "height"), [(1280, 720), (390, 844)])
def test_nothing_moves_while_the_first_page_loads(page: Page, app_url: str, width: int, height: int) -> None:
    """What is drawn later has its place, in a browser that has never been here; the names of all pages can be read. On
    1,280 x 720 the verdict of the demo is at most 1,600 pixels high.
    """
    page.set_viewport_size({"width": width, "height": height})
    page.add_init_script(_SHIFTS)
    first_visit(page, app_url)
    assert page.evaluate("window.shifted") < 0.1
    assert width < 1280 or page.locator(".stMainBlockContainer").evaluate("one => one.scrollHeight") <= 1600
    for name in PAGES:
        assert page.get_by_role("link", name=name, exact=True).is_visible()
