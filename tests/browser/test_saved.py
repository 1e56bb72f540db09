"""Saved comparisons in a real browser: a reload, another browser, a restart, a link."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from rankdash import style
from rankdash.style import editing, history as history_words
from tests.browsed import run_csv
from tests.browser.grids import type_cell
from tests.browser.pages import compare_new, first_visit, keyed, said, start_with
from tests.browser.serving import Server, restarted
from tests.browser.waiting import settled

#: Columns of an editor: rank, grade.
_GRADE = 1


@pytest.fixture(scope="module")
def opened(server: Server, shared_page: Page) -> Page:
    """A tab in which the tests of this file open one comparison after the other."""
    first_visit(shared_page, server.url)
    return shared_page


def verdict(page: Page) -> tuple[str, ...]:
    """What the verdict page says, once it is there."""
    keyed(page, "query_chart").locator(".bars .point").first.wait_for(state="attached")
    settled(page)
    return tuple(said(keyed(page, key)) for key in ("banner", "cards", "caveats"))


def id_of(page: Page) -> str:
    """The saved comparison that the address names."""
    page.wait_for_function("location.search.includes('comparison=')")
    return page.url.partition("comparison=")[2].partition("&")[0]


def edit_grade(page: Page, row: int, grade: str) -> None:
    """Types a grade into list A of the query that is open on the edit page."""
    grid = keyed(page, "edit_lists").get_by_test_id("stDataFrame").first
    grid.locator("tbody tr").first.wait_for(state="attached")
    settled(page)
    type_cell(page, grid, _GRADE, row, grade)
    settled(page)


def open_edit(page: Page) -> None:
    """Goes to the edit page."""
    page.get_by_role("link", name=editing.EDIT, exact=True).click()
    keyed(page, "edit_lists").wait_for()
    settled(page)


@pytest.mark.long
def test_a_reload_another_browser_and_a_restart_show_the_same_comparison(
    page: Page, other: Page, server: Server, files: dict[str, Path]
) -> None:
    """Files, names, an edit and a policy are there after F5, in another browser by the link, and after a restart."""
    start_with(page, server.url, files)
    open_edit(page)
    edit_grade(page, 4, "1")
    page.get_by_text(f"{editing.EDITS} 1").wait_for()  # a table says what was typed a moment later
    for key in ("rename", "swap"):
        keyed(page, key).get_by_role("button").click()
        settled(page)
    page.get_by_role("link", name=style.VERDICT, exact=True).click()
    before = verdict(page)
    page.get_by_text(editing.EDITED_BADGE, exact=True).first.wait_for()
    page.reload()
    assert verdict(page) == before
    other.goto(page.url)
    assert verdict(other) == before
    restarted(server, page)
    page.get_by_role("link", name=style.DATA).first.click()
    keyed(page, "file_a").wait_for()
    page.get_by_role("link", name=style.VERDICT, exact=True).click()
    assert verdict(page) == before
    other.goto(page.url)
    assert verdict(other) == before
    open_edit(other)
    other.get_by_text(f"{editing.EDITS} 1").wait_for()
    expect(keyed(other, "edit_undo").get_by_role("button")).to_be_disabled()  # another browser made the edit


@pytest.mark.long
def test_a_large_comparison_is_in_its_link_as_soon_as_it_is_saved(opened: Page, other: Page, tmp_path: Path) -> None:
    """The address of many rows names them by itself when they are on the disk, a moment after the verdict; the link
    shows the same, and takes an edit.
    """
    page, lines = opened, [f"q{row // 1000},d{row % 1000:04},{row % 1000 + 1}" for row in range(100_000)]
    contents = {
        "a": "query_id,doc_id,rank\n" + "\n".join(lines),
        "b": "query_id,doc_id,rank\n" + "\n".join(reversed(lines)),
        "judgments": "query_id,doc_id,relevance\n" + "\n".join(f"q{query},d0000,1" for query in range(100)),
    }
    files = {name: tmp_path / f"{name}.csv" for name in contents}
    for name, content in contents.items():
        files[name].write_text(content)
    compare_new(page, files)
    id_of(page)
    page.get_by_text(history_words.SAVING, exact=True).first.wait_for(
        state="detached"
    )  # a badge with help is there twice
    before = verdict(page)
    assert keyed(page, "decision").is_visible()
    other.goto(page.url)
    assert verdict(other) == before
    open_edit(other)
    edit_grade(other, 4, "1")
    other.get_by_text(f"{editing.EDITS} 1").wait_for()
    assert id_of(other) == id_of(page)


@pytest.mark.long
def test_back_leads_to_the_comparison_before(opened: Page, files: dict[str, Path], tmp_path: Path) -> None:
    """A step back in the browser's history over another comparison opens the one that the address names."""
    page = opened
    compare_new(page, files)
    first = id_of(page)
    before = verdict(page)
    half = len(lines := run_csv(True).splitlines()) // 2
    (tmp_path / "b.csv").write_bytes(b"\n".join((*run_csv(False).splitlines()[:half], *lines[half:])))
    compare_new(page, files | {"b": tmp_path / "b.csv"})
    page.wait_for_function(f"!location.search.includes('{first}')")
    second = verdict(page)
    assert second != before
    while first not in page.url:
        page.go_back()
        settled(page)
    assert _but_looks(verdict(page)) == _but_looks(before)


def _but_looks(said_: tuple[str, ...]) -> list[str]:
    """What a verdict says, line by line, without what counts looks and candidates: other files of B are one more."""
    counting = re.compile("This verdict was seen with|[0-9]+ candidates were compared")
    return [line for line in "\n".join(said_).splitlines() if not counting.match(line)]
