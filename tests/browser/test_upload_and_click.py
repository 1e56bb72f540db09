"""The journey of a first comparison: files in, numbers read off the screen, a bar clicked, a broken file refused."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

import rankdash as rd
from rankdash import style
from rankdash.inspect.lists import changes, query_lists
from rankdash.style import queries as words
from rankdash.style import reading
from rankdash.wording import number, points, signed
from tests.browsed import judgments_csv, run_csv
from tests.browser.pages import cards, click_bar, compare_new, drop, first_visit, keyed, said, start_with
from tests.browser.waiting import one_says, says, settled

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


@pytest.fixture
def comparison(files: dict[str, Path]) -> rd.Comparison:
    """The same comparison without a page."""
    return rd.compare(rd.read_run(files["a"]), rd.read_run(files["b"]), rd.read_judgments(files["judgments"]))


def test_the_screen_shows_the_numbers_of_the_comparison(
    page: Page, app_url: str, files: dict[str, Path], comparison: rd.Comparison
) -> None:
    """After an upload the verdict and the cards show what compare() and decide() return."""
    first_visit(page, app_url)
    compare_new(page, files)
    verdict, found = rd.decide(comparison), comparison.primary.paired
    says(keyed(page, "banner"), verdict.screen, verdict.sentence)
    says(
        keyed(page, "cards"), number(found.mean_b), number(found.mean_a), signed(found.delta),
        f"{found.wins} / {found.ties} / {found.losses}", points(comparison.gsb_derived.delta),
    )  # fmt: skip


def test_files_are_compared_from_a_page_whose_view_stands_in_the_address(
    page: Page, app_url: str, files: dict[str, Path], comparison: rd.Comparison
) -> None:
    """With another cutoff and a filter on the queries page, a new comparison opens there as on any other page."""
    page.goto(f"{app_url}/queries?k=5&query_outcome=win")
    keyed(page, "view_table").wait_for()
    settled(page)
    compare_new(page, files)
    says(keyed(page, "banner"), rd.decide(comparison).sentence)


def test_a_click_on_a_bar_opens_the_two_lists_of_its_query(
    page: Page, app_url: str, files: dict[str, Path], comparison: rd.Comparison
) -> None:
    """The bar that was clicked names its query, and both lists stand beside it with title, id and grade."""
    start_with(page, app_url, files)
    shown, panel = changes(comparison), keyed(page, "query_panel")
    for share, place in ((0.99, 49), (0.01, 0), (0.99, 49)):
        click_bar(page, share)
        panel.get_by_text(f"words of {shown.query_ids[place][1:]} {shown.query_ids[place]}").wait_for()
        lists = query_lists(comparison, shown.query_ids[place])
        documents = (row.document for listed in (lists.a, lists.b) for row in listed.placed)
        says(panel, signed(float(shown.delta[place])), *(f"{one.title} {one.doc_id}" for one in documents))
        one_says(panel.locator(".stMarkdownBadge"), words.UNJUDGED_MARK)


def test_the_list_of_queries_opens_one_without_a_mouse(page: Page, app_url: str, files: dict[str, Path]) -> None:
    """Typing a query's name and Enter into the list opens it, also when a bar was clicked since it was open."""
    start_with(page, app_url, files)
    for _ in range(2):
        box = keyed(page, "query_open").get_by_role("combobox")
        expect(box).to_have_value("")
        box.focus()
        page.keyboard.type("words of 31")
        page.get_by_role("option", name="words of 31").wait_for()
        page.keyboard.press("Enter")
        keyed(page, "query_panel").get_by_text("words of 31 q31").wait_for()
        settled(page)
        click_bar(page, 0.01)
        keyed(page, "query_panel").get_by_text("words of 31 q31").wait_for(state="detached")
        settled(page)


def test_a_broken_file_is_told_and_the_open_comparison_stays(
    page: Page, app_url: str, files: dict[str, Path], tmp_path: Path
) -> None:
    """A text among numbers is told on the file's card, with row, column and find; what was open is still open."""
    start_with(page, app_url, files)
    before = said(keyed(page, "cards"))
    broken = tmp_path / "broken.csv"
    broken.write_text("query_id,doc_id,rank\nq1,d1,1\nq1,d2,great\n")
    keyed(page, "new_comparison").get_by_role("button").click()
    drop(page, "new", broken)
    told = said(cards(page, "new"))
    assert [words for words in ("broken.csv", "3", "rank", '"great"', "is not a number") if words not in told] == []
    expect(keyed(page, "new_compare").get_by_role("button")).to_be_disabled()
    page.get_by_role("button", name="Close").click()
    settled(page)
    assert said(keyed(page, "cards")) == before
    assert "Traceback" not in page.content()


def test_a_reload_says_that_the_files_are_gone(page: Page, app_url: str, files: dict[str, Path]) -> None:
    """After a reload the page asks for the files again and does not show the demo in their place."""
    start_with(page, app_url, files)
    page.reload()
    page.get_by_text(style.GONE).wait_for()
    keyed(page, "lost_files").wait_for()
    settled(page)
    assert not keyed(page, "banner").count()


def test_the_open_comparison_stays_open_on_the_other_page(page: Page, app_url: str, files: dict[str, Path]) -> None:
    """The row under the navigation is the same on each page, and the data page names the uploaded files."""
    start_with(page, app_url, files)
    page.get_by_role("link", name=style.DATA).click()
    page.get_by_text("grades.csv").wait_for()
    settled(page)
    assert page.get_by_text(style.UPLOADED).count() == 1
    page.get_by_role("link", name=style.VERDICT).click()
    keyed(page, "banner").wait_for()
    page.wait_for_url("**c=*")


def test_a_file_is_drawn_once_and_its_card_removes_it(page: Page, app_url: str, files: dict[str, Path]) -> None:
    """A file in a dialog stands on its card alone; a key pressed on the card's button takes it out of it."""
    first_visit(page, app_url)
    keyed(page, "new_comparison").get_by_role("button").click()
    drop(page, "new", *files.values())
    dialog = page.get_by_role("dialog")
    expect(dialog.get_by_text("new.csv", exact=True).filter(visible=True)).to_have_count(1)
    remove = dialog.get_by_role("button", name=reading.REMOVE.format(name="new.csv"))
    expect(remove).to_have_count(1)
    remove.focus()
    page.keyboard.press("Enter")
    expect(cards(page, "new")).to_have_count(2)
    expect(keyed(page, "new_compare").get_by_role("button")).to_be_disabled()
    drop(page, "new", files["b"])
    expect(cards(page, "new")).to_have_count(3)
    expect(keyed(page, "new_compare").get_by_role("button")).to_be_enabled()


def test_a_dialog_that_is_closed_forgets_its_files(page: Page, app_url: str, tmp_path: Path) -> None:
    """Opened again it is empty; what is dropped then is all that it knows, and of files dropped twice the new win."""
    first_visit(page, app_url)
    button = keyed(page, "new_comparison").get_by_role("button").first
    button.click()
    files = [tmp_path / name for name in ("one.csv", "two.csv")]
    for file, better in zip(files, (False, True), strict=True):
        file.write_bytes(run_csv(better))
    drop(page, "new", *files)
    page.keyboard.press("Escape")
    keyed(page, "new_files").wait_for(state="detached")
    settled(page)
    button.click()
    keyed(page, "new_files").wait_for()
    settled(page)
    assert cards(page, "new").count() == 0
