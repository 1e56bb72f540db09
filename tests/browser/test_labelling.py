"""Documents labelled one after the other, with hands that stay on the keyboard."""

from __future__ import annotations

from typing import TYPE_CHECKING

from playwright.sync_api import expect

from rankdash.style import editing as words
from tests.browser.pages import keyed, said
from tests.browser.waiting import says, settled

if TYPE_CHECKING:
    from playwright.sync_api import Page

_HEAD, _ROW, _GRADE = 38, 35, 44
#: The middle card: how many documents are left. The last: how many were labelled.
_CARD = "[data-testid=stMetric]"


def test_grades_are_typed_one_after_the_other_without_a_click(page: Page, app_url: str) -> None:
    """After Enter the cursor stands in the next row, also when the numbers have been computed anew; nothing is lost."""
    page.goto(f"{app_url}/edit?edit_way=Label+next")
    grid = keyed(page, "labels_list").get_by_test_id("stDataFrame").first
    grid.locator("canvas").first.wait_for()
    settled(page)
    cards = keyed(page, "labels_bounds").locator(_CARD)
    left = int(said(cards.nth(1)).split()[-1])
    grid.scroll_into_view_if_needed()
    box = grid.bounding_box()
    assert box is not None
    page.mouse.click(box["x"] + _GRADE, box["y"] + _HEAD + _ROW / 2)
    for row, grade in enumerate("3021"):
        expect(grid.locator(f"[id^=glide-cell-][id$='-{row}']:focus")).to_be_attached()
        page.keyboard.type(grade)
        expect(page.locator("input.gdg-input")).to_have_value(grade)
        page.keyboard.press("Enter")
        says(cards.nth(2), f"{row + 1}")
        settled(page)
    says(cards.nth(1), f"{left - 4}")
    keyed(page, "labels_again").get_by_role("button").click()
    keyed(page, "labels_again").wait_for(state="detached")
    says(cards.nth(2), "4")
    keyed(page, "edit_undo").get_by_role("button").click()
    says(cards.nth(2), "3")
    assert words.REFUSED not in said(keyed(page, "labels_list"))
