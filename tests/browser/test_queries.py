"""The queries page in a browser: a bar opens its query, the address brings back the same view, text stays text."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from rankdash.style import editing
from rankdash.style import queries as words
from tests.browsed import HOSTILE, hostile_judgments_csv, hostile_run_csv, judgments_csv, run_csv
from tests.browser.pages import first_visit, keyed, said, start_with
from tests.browser.waiting import answered, one_says, says, settled, slow_line

if TYPE_CHECKING:
    from playwright.sync_api import Page


@pytest.fixture
def files(tmp_path: Path) -> dict[str, Path]:
    """Two runs and their judgments."""
    found = {"a": tmp_path / "old.csv", "b": tmp_path / "new.csv", "judgments": tmp_path / "grades.csv"}
    found["a"].write_bytes(run_csv(False))
    found["b"].write_bytes(run_csv(True))
    found["judgments"].write_bytes(judgments_csv())
    return found


def open_queries(page: Page) -> None:
    """Goes to the queries page and waits until it is whole."""
    page.get_by_role("link", name=words.QUERIES, exact=True).click()
    keyed(page, "worked_b").locator("td").first.wait_for()
    settled(page)


def click_bar(page: Page, share: float) -> None:
    """Clicks into the sorted deltas, at a share of their width from the left."""
    settled(page)
    plot = keyed(page, "view_sorted").locator(".nsewdrag")
    plot.scroll_into_view_if_needed()
    width, height = plot.evaluate("element => [element.getBBox().width, element.getBBox().height]")
    plot.hover(position={"x": share * width, "y": height / 3}, force=True)
    plot.click(position={"x": share * width, "y": height / 3}, force=True)


def test_a_bar_opens_its_query_and_keys_go_on(page: Page, app_url: str, files: dict[str, Path]) -> None:
    """The bar at the right end is the largest gain; P goes to the one before, N back, and neither while typing."""
    start_with(page, app_url, files)
    open_queries(page)
    panel = keyed(page, "query_panel")
    click_bar(page, 0.99)
    panel.get_by_text(words.PLACE.format(place=50, n=50)).wait_for()
    settled(page)  # the name of a query is there a moment before its neighbours' buttons
    page.keyboard.press("p")
    panel.get_by_text(words.PLACE.format(place=49, n=50)).wait_for()
    settled(page)
    page.keyboard.press("n")
    panel.get_by_text(words.PLACE.format(place=50, n=50)).wait_for()
    settled(page)
    box = keyed(page, "query_text").get_by_role("textbox")
    box.press_sequentially("pn")
    settled(page)
    expect(panel.get_by_text(words.PLACE.format(place=50, n=50))).to_be_visible()


def test_what_is_done_quickly_on_a_slow_line_does_not_undo_what_was_done_before(page: Page, app_url: str) -> None:
    """Another cutoff, chosen before the page shows the next query, leaves that one open."""
    slow_line(page, 1500)
    page.goto(f"{app_url}/queries")
    keyed(page, "worked_b").locator("td").first.wait_for()
    settled(page)
    opened = keyed(page, "query_panel").locator("h3")
    first = opened.inner_text()
    page.keyboard.press("n")
    answered(page)
    keyed(page, "k").get_by_text("5", exact=True).click()
    says(page.locator(".stApp"), words.VIEW_DIFFERS.format(viewed="NDCG@5", decided="NDCG@10"))
    expect(keyed(page, "query_panel").get_by_text("NDCG@5", exact=True)).to_be_visible()
    expect(opened).not_to_have_text(first, use_inner_text=True)


def test_the_address_brings_back_the_same_view(page: Page, app_url: str) -> None:
    """Measure, cutoff, chart, filter and query of a copied address stand on the page that opens it."""
    first_visit(page, app_url)
    open_queries(page)
    keyed(page, "k").get_by_text("5", exact=True).click()
    settled(page)
    keyed(page, "chart").get_by_text(words.CHARTS["scatter"]).click()
    settled(page)
    keyed(page, "query_outcome").get_by_text(words.OUTCOMES["lost"]).click()
    keyed(page, "view_scatter").locator(".point").first.wait_for(state="attached")
    settled(page)
    keyed(page, "query_next").get_by_role("button").click()
    panel = keyed(page, "query_panel")
    panel.get_by_text("2 of ").wait_for()
    settled(page)
    page.wait_for_function("location.search.includes('query=')")
    head, address = said(panel).split("\n")[0], page.url
    page.goto("about:blank")
    page.goto(address)
    panel.get_by_text("2 of ").wait_for()
    says(panel, head)
    assert said(panel).split("\n")[0] == head
    says(page.locator(".stApp"), words.VIEW_DIFFERS.format(viewed="NDCG@5", decided="NDCG@10"))
    keyed(page, "view_scatter").wait_for()


def test_a_part_of_the_waterfall_leads_to_its_queries(page: Page, app_url: str) -> None:
    """A click on a bar of the waterfall chooses its reason."""
    first_visit(page, app_url)
    open_queries(page)
    keyed(page, "chart").get_by_text(words.CHARTS["why"], exact=True).click()
    plot = keyed(page, "view_why").locator(".nsewdrag")
    keyed(page, "view_why").locator(".bars .point").first.wait_for(state="attached")
    settled(page)
    width, height = plot.evaluate("element => [element.getBBox().width, element.getBBox().height]")
    plot.hover(position={"x": width * 0.5, "y": height * 0.5}, force=True)
    plot.click(position={"x": width * 0.5, "y": height * 0.5}, force=True)
    page.wait_for_function("location.search.includes('query_part=Relevant+gained')")
    expect(keyed(page, "query_part").get_by_role("combobox")).to_have_value(words.PARTS["relevant_gained"])


def test_hostile_text_stays_text_on_the_queries_page(
    page: Page, app_url: str, tmp_path: Path, console_errors: list[str]
) -> None:
    """Ids, questions, titles and model names full of markup are shown letter for letter."""
    files = {"a": tmp_path / "**b** :red[x] <i>.csv", "b": tmp_path / "b.csv", "judgments": tmp_path / "j.csv"}
    files["a"].write_bytes(hostile_run_csv(False))
    files["b"].write_bytes(hostile_run_csv(True))
    files["judgments"].write_bytes(hostile_judgments_csv())
    start_with(page, app_url, files)
    open_queries(page)
    panel = keyed(page, "query_panel")
    one_says(panel.locator("h3"), HOSTILE)
    lists = keyed(page, "two_lists")
    one_says(lists.locator("td"), HOSTILE)
    one_says(lists.locator("th"), "**b** :red[x] <i>")
    main = page.locator("section.stMain, [data-testid=stMain]")
    named = "td:is(:nth-child(3), :nth-child(8))"  # an id is set in grey, and nothing else in such a cell is set at all
    markup = f"a[href*='evil'], a[href^='mailto'], {named} :not(em), td em *, td code, h3 strong, h3 .katex"
    assert not main.locator(markup).count()
    assert not console_errors


def test_the_query_that_is_open_is_the_one_that_is_edited(page: Page, app_url: str, files: dict[str, Path]) -> None:
    """What a click opens stands in the editors of the edit page, in its address, and is open when one comes back."""
    start_with(page, app_url, files)
    open_queries(page)
    click_bar(page, 0.99)
    panel = keyed(page, "query_panel")
    panel.get_by_text(words.PLACE.format(place=50, n=50)).wait_for()
    page.wait_for_function("location.search.includes('query=')")
    query = page.evaluate("new URLSearchParams(location.search).get('query')")
    page.get_by_role("link", name=editing.EDIT, exact=True).click()
    keyed(page, "edit_lists").wait_for()
    settled(page)
    value = re.compile(re.escape(f"({query})"))
    expect(keyed(page, "edit_query").get_by_role("combobox")).to_have_value(value)
    assert page.evaluate("new URLSearchParams(location.search).get('query')") == query
    open_queries(page)
    panel.get_by_text(words.PLACE.format(place=50, n=50)).wait_for()


def test_a_table_is_saved_by_a_button_of_ours_alone(page: Page, app_url: str, files: dict[str, Path]) -> None:
    """The toolbar of the table offers no download, whose cells a spreadsheet could run; the button above it does."""
    start_with(page, app_url, files)
    open_queries(page)
    table = keyed(page, "view_table")
    table.hover()
    expect(page.get_by_role("button", name="Search").first).to_be_visible()
    downloads = page.get_by_role("button", name="Download as CSV", include_hidden=True)
    assert downloads.count() > 0  # once it bears another name, the rule of the style sheet hides nothing
    assert not any(one.is_visible() for one in downloads.all())
    with page.expect_download() as saved:
        keyed(page, "view_save").get_by_role("button").click()
    assert saved.value.suggested_filename == "queries_nDCG.csv"
    assert len(saved.value.path().read_text("utf-8").splitlines()) == 51
