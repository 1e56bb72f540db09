"""New comparison, walked by somebody who has never seen it: dropped, typed and pasted, and opened again."""

import pytest
from playwright.sync_api import Locator, Page, expect

from rankdash import style
from rankdash.style import editing as words
from tests.browser.pages import cancel_new, keyed
from tests.browser.waiting import settled

pytestmark = pytest.mark.long


@pytest.fixture
def dialog(visited: Page) -> Locator:
    """The dialog of a new comparison, opened anew."""
    if visited.get_by_role("dialog").count():
        cancel_new(visited)
    keyed(visited, "new_comparison").get_by_role("button").first.click()
    settled(visited)
    return visited.get_by_role("dialog")


def test_a_key_or_a_click_beside_it_takes_nothing_of_what_was_typed(dialog: Locator) -> None:
    """Escape in a field, with letters that the server has not heard of, a click beside the dialog and the other way in:
    all is there.
    """
    pick(dialog, "typed")
    field = keyed(dialog.page, "typed_a").locator("textarea")
    field.press_sequentially("3 2 3")
    field.press("Escape")
    dialog.page.mouse.click(4, 4)
    settled(dialog.page)
    pick(dialog, "files")
    pick(dialog, "typed")
    expect(field).to_have_value("3 2 3")
    cancel_new(dialog.page)
    keyed(dialog.page, "new_comparison").get_by_role("button").first.click()
    settled(dialog.page)
    pick(dialog, "typed")
    expect(field).to_have_value("")


def pick(dialog: Locator, door: str) -> None:
    """Goes to one of the two ways in."""
    dialog.get_by_role("tab", name=words.DOORS[door], exact=True).click()
    settled(dialog.page)


def compare(dialog: Locator) -> Locator:
    """The button under typed lists."""
    return keyed(dialog.page, "typed_compare").get_by_role("button")


def test_the_dialog_is_a_fresh_one_after_votes_alone(dialog: Locator) -> None:
    """The click that leaves a field compares what is in it; opened again, the dialog begins with files, its fields are
    empty, and nothing of the result is left.
    """
    page = dialog.page
    pick(dialog, "typed")
    keyed(page, "typed_votes").locator("textarea").press_sequentially("good, same, bad, bad")
    compare(dialog).click()
    dialog.wait_for(state="detached")
    settled(page)
    keyed(page, "new_comparison").get_by_role("button").first.click()
    keyed(page, "new_files").wait_for()
    settled(page)
    pick(dialog, "typed")
    expect(keyed(page, "typed_votes").locator("textarea")).to_have_value("")
    assert not keyed(page, "typed_counted").count()
    expect(dialog).to_contain_text(words.TYPED_NEEDS["nothing"])
    assert style.NEW_COMPARISON in dialog.inner_text()
