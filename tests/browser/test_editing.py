"""Typing lists and editing a grade, with a mouse and a keyboard."""

import re

import pytest
from playwright.sync_api import Locator, Page, expect

from rankdash import style
from rankdash.style import editing as words
from tests.browser import grids
from tests.browser.pages import button, go, keyed, open_demo, said
from tests.browser.waiting import says, settled

#: The first grade of list A. The grid is drawn on a canvas, and beside it stands a table for who cannot see it.
GRADE = "#glide-cell-2-0"


@pytest.fixture
def demo(visited: Page) -> Page:
    """The verdict of the demo as its files are, whatever was edited or opened before."""
    open_demo(visited)
    return visited


def test_a_grade_typed_into_a_cell_changes_the_numbers_and_undo_brings_them_back(demo: Page) -> None:
    """The query's numbers stand before beside after, the badge says that lists are edited, and undo
    clears all of it.
    """
    page, grid = demo, _editor(demo)
    numbers = keyed(page, "edit_numbers")
    grid.locator(GRADE).wait_for(state="attached")
    expect(numbers).to_have_count(0)
    grid.scroll_into_view_if_needed()
    box = grid.bounding_box()
    page.mouse.click(box["x"] + 34 + 82 + 44, box["y"] + 36 + 17)
    expect(grid.locator(GRADE)).to_be_focused()
    page.keyboard.type("0")
    expect(page.locator("input.gdg-input")).to_have_value("0")
    page.keyboard.press("Enter")
    page.get_by_text(words.EDITED_BADGE, exact=True).first.wait_for()
    numbers.get_by_text(re.compile("→")).nth(1).wait_for()
    settled(page)
    button(page, "edit_undo").click()
    page.get_by_text(words.NO_EDITS).wait_for()
    settled(page)
    expect(numbers).to_have_count(0)
    assert not page.get_by_text(words.EDITED_BADGE, exact=True).count()


@pytest.mark.long
def test_a_page_left_at_once_takes_the_typed_grade_along(demo: Page) -> None:
    """Who types a grade and clicks a link at once loses nothing, behind Enter or out of a cell that is open."""
    page, grid = demo, _editor(demo)
    link = page.get_by_role("link", name=style.VERDICT, exact=True)
    grids.type_cell(page, grid, 1, 0, "0")
    link.click()
    keyed(page, "banner").wait_for()
    page.get_by_text(words.EDITED_BADGE, exact=True).first.wait_for()

    open_demo(page)
    grid = _editor(page)
    grids.into_cell(page, grid, 1, 0)
    grids.fill(page, "0")
    _pressed_by_hand(page, link)
    page.get_by_text(words.EDITED_BADGE, exact=True).first.wait_for()


@pytest.mark.long
def test_ranks_typed_one_after_another_all_count(demo: Page) -> None:
    """Typing on while a rank takes effect loses no key: the rows stay until a button sorts them."""
    page, grid = demo, _editor(demo)
    before = [row[1:] for row in grids.rows(grid)]
    grids.into_cell(page, grid, 0, 0)
    for row, rank in enumerate("4321"):
        expect(grid.locator(f"#glide-cell-1-{row}")).to_be_focused()
        grids.fill(page, rank)
        page.keyboard.press("Enter")
        expect(grid.locator(f"#glide-cell-1-{row}")).to_have_text(rank)
    settled(page)
    button(page, "edit_sort").click()
    settled(page)
    assert [row[1:] for row in grids.rows(_editor(page))] == [*before[3::-1], *before[4:]]


@pytest.mark.long
def test_a_policy_applied_at_once_has_the_margin_that_was_typed(visited: Page) -> None:
    """A click on Apply out of a field that is typed into applies what was typed there."""
    page = visited
    button(page, "open_policy").click()
    apply = button(page, "policy_apply")
    apply.wait_for()
    settled(page)
    keyed(page, "policy_guardrails_AP").locator("input").fill("0.4")
    _pressed_by_hand(page, apply)
    page.get_by_role("dialog").wait_for(state="detached")
    settled(page)
    button(page, "open_policy").click()
    assert keyed(page, "policy_guardrails_AP").locator("input").input_value() == "0.4"


def _pressed_by_hand(page: Page, what: Locator) -> None:
    """Presses the mouse on something, and lets it go as late as a hand does."""
    what.scroll_into_view_if_needed()
    box = what.bounding_box()
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    page.mouse.down()
    page.wait_for_timeout(80)
    page.mouse.up()


def _editor(page: Page) -> Locator:
    """List A of the query that is open."""
    go(page, words.EDIT)
    keyed(page, "edit_lists").wait_for()
    settled(page)
    return keyed(page, "edit_lists").get_by_test_id("stDataFrame").first


def test_documents_are_graded_by_keys_without_a_click(page: Page, app_url: str) -> None:
    """Each key grades the document on the screen and brings the next; S skips, and U takes back."""
    page.goto(f"{app_url}/label")
    card, done = keyed(page, "label_document"), keyed(page, "label_count")
    keyed(page, "label_grades").wait_for()
    settled(page)
    shown = [said(card)]
    for number, key in enumerate("30S2UU", start=1):
        page.keyboard.press(key)
        count = {1: 1, 2: 2, 3: 2, 4: 3, 5: 2, 6: 2}[number]
        says(done, f"{words.LABELLED} {count}")
        settled(page)
        shown.append(said(card))
    assert len(set(shown[:5])) == 5
    assert shown[5] == shown[3]
    assert shown[6] == shown[2]
