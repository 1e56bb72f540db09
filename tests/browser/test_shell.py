"""What every page shares: swap and rename, the address, the keyboard, and that nothing leaves the machine."""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import parse_qs, urlsplit

import pytest

from rankdash import style
from rankdash.dashboard import navigation
from rankdash.style import method
from tests.browsed import HOSTILE
from tests.browser.pages import first_visit, keyed, said
from tests.browser.waiting import one_says, says, settled, watched

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

#: The titles of all pages.
PAGES = tuple(page.title for page in navigation.PAGES)


def go(page: Page, name: str) -> None:
    """To a page by the navigation."""
    page.get_by_role("link", name=name, exact=True).click()
    settled(page)


def copied(browser: Browser, page: Page) -> Page:
    """What somebody sees who got the address."""
    other = watched(browser.new_context(viewport={"width": 1440, "height": 900})).new_page()
    other.goto(page.url)
    settled(other)
    return other


def test_no_page_asks_for_anything_from_elsewhere(page: Page, app_url: str) -> None:
    """On all pages every request goes to the dashboard itself, and the icon on the tab is part of the page."""
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.on("websocket", lambda socket: asked.append(socket.url))
    first_visit(page, app_url)
    for name in PAGES:
        go(page, name)
    hosts = {urlsplit(url).netloc for url in asked if urlsplit(url).scheme not in ("data", "blob")}
    assert hosts == {urlsplit(app_url).netloc}
    icon = page.locator("link[rel*=icon]").first.get_attribute("href") or ""
    assert icon.startswith("data:image/svg+xml")


def test_swap_and_rename_reach_every_page(page: Page, app_url: str, console_errors: list[str]) -> None:
    """A swap turns the verdict; names, hostile ones too, stand letter for letter in the row of each page."""
    first_visit(page, app_url)
    before = said(keyed(page, "cards"))
    keyed(page, "swap").get_by_role("button", name=style.SWAP).click()
    page.get_by_text("No launch").first.wait_for()
    says(keyed(page, "cards"), f"−{before.partition('+')[2][:5]}")
    keyed(page, "rename").get_by_role("button", name=style.RENAME).click()
    for which, name in (("name", "Spring"), ("a", HOSTILE[:30]), ("b", "treatment")):
        keyed(page, f"rename_{which}").locator("input").fill(name)
        keyed(page, f"rename_{which}").locator("input").press("Tab")
        settled(page)
    keyed(page, "rename_apply").get_by_role("button").click()
    keyed(page, "rename_apply").wait_for(state="detached")
    for name in PAGES:
        go(page, name)
        one_says(page.locator("p").filter(has_text="Spring"), f"A {HOSTILE[:30].strip()} → B treatment")
    assert not console_errors


@pytest.mark.parametrize("key", ["open_losses_0", "open_gains_1"])
def test_a_row_of_the_largest_losses_and_gains_opens_its_query(page: Page, app_url: str, key: str) -> None:
    """With the keyboard alone: the queries page opens with this query, and the address names it."""
    first_visit(page, app_url)
    button = keyed(page, key).get_by_role("button")
    _, name = said(button).partition("\n")[0].replace("arrow_forward", "").strip().split(maxsplit=1)
    button.focus()
    page.keyboard.press("Enter")
    page.wait_for_url("**/queries?**")
    settled(page)
    assert "query" in parse_qs(urlsplit(page.url).query)
    says(keyed(page, "query_panel"), name)


def test_the_query_on_the_verdict_page_is_in_the_address(browser: Browser, page: Page, app_url: str) -> None:
    """Chosen, copied and opened elsewhere: the same query is open."""
    first_visit(page, app_url)
    keyed(page, "query_open").get_by_role("combobox").click()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    settled(page)
    assert "query=" in page.url
    heading = said(keyed(page, "query_panel").locator("p").filter(has_text="NDCG@10").first)
    other = copied(browser, page)
    keyed(other, "query_panel").get_by_text(heading.partition(" ")[0]).first.wait_for()
    assert said(keyed(other, "query_panel").locator("p").filter(has_text="NDCG@10").first) == heading
    other.context.close()


def test_each_page_opens_elsewhere_as_it_is(browser: Browser, page: Page, app_url: str) -> None:
    """Queries with another measure, edit, and a section of the method page: the address says all of it."""
    page.goto(f"{app_url}/queries?query=q010&k=5")
    keyed(page, "query_panel").wait_for()
    settled(page)
    other = copied(browser, page)
    keyed(other, "query_panel").wait_for()
    assert said(keyed(other, "query_panel").locator("p").first) == said(keyed(page, "query_panel").locator("p").first)
    for one in (page, other):
        keyed(one, "query_panel").get_by_text("5 of 20 documents of A").wait_for()
    other.context.close()
    page.goto(f"{app_url}/edit?query=q020")
    keyed(page, "edit_numbers").wait_for()
    settled(page)
    assert "q020" in keyed(page, "edit_query").locator("input").input_value() + said(keyed(page, "edit_query"))
    page.goto(f"{app_url}/method")
    settled(page)
    page.get_by_role("radio", name=method.SECTIONS["textbook"]).or_(
        page.get_by_role("button", name=method.SECTIONS["textbook"])
    ).first.click()
    page.wait_for_url("**section=*")
    other = copied(browser, page)
    other.get_by_text("good same bad bad").wait_for()
    other.context.close()


def test_a_selection_survives_another_cutoff(page: Page, app_url: str) -> None:
    """The query that is open stays open when the viewed cutoff changes, and the verdict does not follow."""
    page.goto(f"{app_url}/queries?query=q020")
    keyed(page, "query_panel").wait_for()
    settled(page)
    keyed(page, "k").get_by_text("5", exact=True).click()
    page.wait_for_url("**k=5*")
    settled(page)
    says(keyed(page, "query_panel"), "q020")
    assert parse_qs(urlsplit(page.url).query)["query"] == ["q020"]
    go(page, style.VERDICT)
    says(keyed(page, "cards"), "NDCG@10")


def test_the_keyboard_reaches_every_control_of_the_verdict_page(page: Page, app_url: str) -> None:
    """Tab alone comes to the navigation, the row's buttons, the rules, the list of queries, each row, the panel."""
    first_visit(page, app_url)
    settled(page)
    wanted = {"swap", "rename", "open_policy", "new_comparison", "rules_comparable", "rules_enough", "query_open"}
    wanted |= {"open_losses_0", "open_losses_4", "open_gains_0", "experts"}
    reached: set[str] = set()
    for _ in range(90):
        page.keyboard.press("Tab")
        reached |= set(
            page.evaluate(
                "() => { const found = []; for (let e = document.activeElement; e; e = e.parentElement)"
                " found.push(...[...e.classList].filter(c => c.startsWith('st-key-')).map(c => c.slice(7)));"
                " return found }"
            )
        )
        if wanted <= reached:
            break
    assert wanted <= reached


def test_headline_numbers_are_text_and_charts_have_a_name(page: Page, app_url: str) -> None:
    """The four numbers can be searched for; every chart and drawing on every page is a figure with a sentence."""
    first_visit(page, app_url)
    values = keyed(page, "cards").locator("[data-testid=stMetricValue]").all_inner_texts()
    assert len(values) == 4
    assert all(any(letter.isdigit() for letter in value) for value in values)
    seen = 0
    for name in PAGES:
        go(page, name)
        for chart in page.locator("[data-testid=stPlotlyChart], [data-testid=stImage] img").all():
            assert len(chart.get_attribute("aria-label") or chart.get_attribute("alt") or "") > 20
            seen += 1
    assert seen >= 7
