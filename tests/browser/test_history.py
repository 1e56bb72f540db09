"""Back and Forward, a link that is pasted, and a reload: what is viewed is what the address says."""

from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import Page

from rankdash import style
from rankdash.dashboard.navigation import SCRIPTS
from rankdash.style import editing, method, queries as words
from tests.browser.pages import drop, go, keyed, said, start_with
from tests.browser.test_queries import filters
from tests.browser.waiting import settled

pytestmark = pytest.mark.long


def filtered(page: Page) -> str:
    """Sets filters and another cutoff on the queries page; what the page shows then."""
    go(page, words.QUERIES)
    filters(page)
    keyed(page, "query_outcome").get_by_text(words.OUTCOMES["won"], exact=True).click()
    settled(page)
    keyed(page, "k").get_by_text("5", exact=True).click()
    settled(page)
    box = keyed(page, "query_text").get_by_role("textbox")
    box.fill("1")
    box.press("Enter")
    settled(page)
    page.wait_for_function("location.search.includes('query_text=1')")
    filters(page)
    return shown(page)


def shown(page: Page) -> str:
    """The filters, the number of rows and the query that is open."""
    keyed(page, "two_lists").locator("td").first.wait_for()
    settled(page)
    return " | ".join((said(keyed(page, "view_set")), said(keyed(page, "query_panel"))[:80]))


@pytest.fixture(scope="module")
def demo(shared_page: Page, app_url: str) -> str:
    """What the queries page of the demo shows, with filters set."""
    shared_page.goto(f"{app_url}/queries")
    return filtered(shared_page)


def test_back_leads_to_the_same_filters(page: Page, app_url: str, files: dict[str, Path]) -> None:
    """A link to another page is one step: one back from there, and one forth, and filters, rows and address are those
    that were left; so are they where a link leads back.
    """
    start_with(page, app_url, files)
    before = filtered(page)
    address = page.url
    for name, key in ((editing.EDIT, "edit_lists"), (style.VERDICT, "banner"), (method.METHOD, "find_number")):
        steps = page.evaluate("history.length")
        page.get_by_role("link", name=name, exact=True).click()
        keyed(page, key).wait_for()
        settled(page)
        assert page.evaluate("history.length") == (steps + 1 if name == editing.EDIT else steps)
        there = page.url
        page.go_back()
        assert shown(page) == before
        assert sorted(page.url.split("?")[1].split("&")) == sorted(address.split("?")[1].split("&"))
        page.go_forward()
        keyed(page, key).wait_for()
        settled(page)
        assert page.url == there
        page.go_back()
        assert shown(page) == before
    for name in (style.DATA, words.QUERIES):
        steps = page.evaluate("history.length")
        go(page, name)
        assert page.evaluate("history.length") == steps + (name == words.QUERIES)
    assert shown(page) == before


def test_the_address_of_label_has_what_label_shows(page: Page, app_url: str, files: dict[str, Path]) -> None:
    """The query that is open on Queries, and its filters, are not in a link from Label, and are back on Queries; one
    step back leads to Label.
    """
    start_with(page, app_url, files)
    before, address = filtered(page), page.url
    go(page, editing.LABEL)
    assert {*parse_qs(urlsplit(page.url).query)} == {"c"}
    go(page, words.QUERIES)
    assert shown(page) == before
    assert parse_qs(urlsplit(page.url).query) == parse_qs(urlsplit(address).query)
    page.go_back()
    keyed(page, "label_document").wait_for()
    go(page, words.QUERIES)
    assert parse_qs(urlsplit(page.url).query) == parse_qs(urlsplit(address).query)


#: What React puts off comes late, as in a busy browser: after what a widget sends, with the address before the choice.
_BUSY = """const post = MessagePort.prototype.postMessage
MessagePort.prototype.postMessage = function (...said) { setTimeout(() => post.apply(this, said), 20) }"""


def test_what_a_busy_browser_chooses_stays_in_the_address(page: Page, app_url: str) -> None:
    """A filter that the server hears of before the address says it is in the address once another query is open, and a
    link to another page and back keeps it.
    """
    page.add_init_script(_BUSY)
    page.goto(f"{app_url}/queries")
    keyed(page, "query_panel").wait_for()
    for outcome in ("won", "tied", "lost"):
        filters(page)
        keyed(page, "query_outcome").get_by_text(words.OUTCOMES[outcome], exact=True).click()
        settled(page)
        filters(page)
        page.wait_for_function(
            "chosen => location.search.includes(chosen)", arg=words.OUTCOMES[outcome].replace(" ", "+")
        )
    before = shown(page)
    go(page, editing.EDIT)
    go(page, words.QUERIES)
    assert shown(page) == before


def test_a_pasted_link_and_a_reload_show_the_same_filters(shared_page: Page, demo: str, other_page: Page) -> None:
    """In another tab, after F5, and by way of another page in that tab, the filters are those of the link."""
    go(shared_page, words.QUERIES)
    other_page.goto(shared_page.url)
    assert shown(other_page) == demo
    assert other_page.url == shared_page.url  # so that a reload asks for the same
    go(other_page, editing.EDIT)
    other_page.reload()
    keyed(other_page, "edit_lists").wait_for()
    settled(other_page)
    go(other_page, words.QUERIES)
    assert shown(other_page) == demo


def test_a_page_that_is_opened_by_its_address_asks_for_nothing_that_is_not_there(
    page: Page, app_url: str, console_errors: list[str], files: dict[str, Path]
) -> None:
    """Every page is there, the console is empty, links lead to the others, and files are taken by a whole card."""
    missing: list[str] = []
    page.on("response", lambda answer: missing.append(answer.url) if answer.status >= 400 else None)
    for name in SCRIPTS:
        page.goto(f"{app_url}/{'' if name == 'verdict' else name}")
        keyed(page, "new_comparison").wait_for()
        settled(page)
    page.goto(f"{app_url}/data")
    drop(page, "replace", files["b"])
    page.set_viewport_size({"width": 780, "height": 844})
    cut = "all => all.some(e => e.scrollWidth > e.clientWidth && e.clientWidth > 1)"
    assert not page.locator("[class*=_card_] .stCheckbox *").evaluate_all(cut)
    go(page, words.QUERIES)
    assert page.url.startswith(f"{app_url}/queries?")
    assert (missing, console_errors) == ([], [])
