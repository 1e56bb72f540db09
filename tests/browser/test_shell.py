"""What every page shares: swap and rename, the address, the keyboard, and that nothing leaves the machine."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import pytest

from rankdash import style
from rankdash.dashboard import navigation
from rankdash.style import method, queries
from tests.browsed import HOSTILE
from tests.browser.pages import first_visit, go, keyed, said
from tests.browser.tabs import tab
from tests.browser.waiting import one_says, says, settled

if TYPE_CHECKING:
    from playwright.sync_api import BrowserContext, Page

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
    """The four numbers can be searched for; every chart and drawing on every page is a figure with a sentence."""
    values = keyed(demo, "cards").locator("[data-testid=stMetricValue]").all_inner_texts()
    assert len(values) == 4
    assert all(any(letter.isdigit() for letter in value) for value in values)
    assert len(walked.charts) >= 7
    assert all(len(name) > 20 for name in walked.charts)


@pytest.mark.long
def test_the_query_on_the_verdict_page_is_in_the_address(demo: Page, other_page: Page) -> None:
    """Chosen on the queries page, copied and opened elsewhere: the same query is open."""
    go(demo, queries.QUERIES)
    keyed(demo, "query_next").get_by_role("button").click()
    settled(demo)
    go(demo, style.VERDICT)
    assert "query=" in demo.url
    heading = said(keyed(demo, "query_panel").locator("p").filter(has_text="nDCG@10").first)
    other_page.goto(demo.url)
    settled(other_page)
    keyed(other_page, "query_panel").get_by_text(heading.partition(" ")[0]).first.wait_for()
    assert said(keyed(other_page, "query_panel").locator("p").filter(has_text="nDCG@10").first) == heading


@pytest.fixture(scope="module")
def linked(profile: BrowserContext, app_url: str) -> Iterator[Page]:
    """A tab of somebody who got a link to a query on the edit page."""
    with tab(profile, []) as page:
        page.goto(f"{app_url}/edit?query=q020")
        keyed(page, "edit_numbers").wait_for()
        settled(page)
        yield page


@pytest.mark.long
def test_each_page_opens_elsewhere_as_it_is(linked: Page, other_page: Page) -> None:
    """The query that is edited and a section of the method page: the address says them, as that of the queries page
    does (test_queries.py).
    """
    page = linked
    assert "q020" in keyed(page, "edit_query").locator("input").input_value() + said(keyed(page, "edit_query"))
    go(page, method.METHOD)
    keyed(page, "section").get_by_role("radio", name=method.SECTIONS["textbook"]).click()
    page.wait_for_url("**section=*")
    other_page.goto(page.url)
    other_page.get_by_text("good same bad bad").wait_for()


def test_the_keyboard_reaches_every_control_of_the_verdict_page(demo: Page) -> None:
    """Tab alone comes to the navigation, the row's buttons, the rules, each row, the panel."""
    wanted = {"swap", "rename", "open_policy", "new_comparison", "rules_comparable", "rules_enough"}
    wanted |= {"open_losses_0", "open_losses_4", "open_gains_0"}
    reached: set[str] = set()
    for _ in range(120):
        demo.keyboard.press("Tab")
        reached |= set(
            demo.evaluate(
                "() => { const found = []; for (let e = document.activeElement; e; e = e.parentElement)"
                " found.push(...[...e.classList].filter(c => c.startsWith('st-key-')).map(c => c.slice(7)));"
                " return found }"
            )
        )
        if wanted <= reached:
            break
    assert wanted <= reached


@pytest.mark.long
def test_swap_and_rename_reach_every_page(demo: Page, shared_errors: list[str]) -> None:
    """A swap turns the verdict; names, hostile ones too, stand letter for letter in the row of each page."""
    page = demo
    before = said(keyed(page, "cards"))
    keyed(page, "swap").get_by_role("button", name=style.SWAP).click()
    page.get_by_text("No launch").first.wait_for()
    settled(page)
    says(keyed(page, "cards"), f"−{before.partition('+')[2][:5]}")
    keyed(page, "rename").get_by_role("button", name=style.RENAME).click()
    for which, name in (("name", "Spring"), ("a", HOSTILE[:30]), ("b", "treatment")):
        keyed(page, f"rename_{which}").locator("input").fill(name)
        keyed(page, f"rename_{which}").locator("input").press("Tab")
        settled(page)
    keyed(page, "rename_apply").get_by_role("button").click()
    keyed(page, "rename_apply").wait_for(state="detached")
    for name in (one.title for one in navigation.PAGES if one.has_row):
        go(page, name)
        one_says(page.locator("p").filter(has_text="Spring"), f"A {HOSTILE[:30].strip()} → B treatment")
    assert not shared_errors
