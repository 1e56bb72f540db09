"""One whole comparison by keyboard alone: from New comparison to a decision, and back to it from the History page."""

import pytest
from playwright.sync_api import Locator, Page, expect

from rankdash import style
from rankdash.style import history, queries
from tests.browser.pages import button, first_visit, keyed
from tests.browser.serving import Server
from tests.browser.waiting import says, settled

pytestmark = pytest.mark.long

#: Steps of the Tab key after which something counts as out of reach.
_MOST = 80
_A, _B = "0 1 3\n0 2 3\n1 0 2", "3 1 0\n3 2 0\n2 1 0"
_HAS_FOCUS = "element => element === document.activeElement || element.contains(document.activeElement)"


def reach(page: Page, wanted: Locator, key: str = "Tab") -> None:
    """Presses the key until an element, or something in it, takes the keys."""
    settled(page)
    wanted.wait_for()
    for _ in range(_MOST):
        if wanted.evaluate(_HAS_FOCUS):
            return
        page.keyboard.press(key)
    pytest.fail(f"{key} does not lead to {wanted}")


def press(page: Page, wanted: Locator, key: str = "Tab") -> None:
    """Goes to a button or a link, and presses Enter there."""
    reach(page, wanted, key)
    page.keyboard.press("Enter")
    settled(page)


def page_link(page: Page, name: str) -> Locator:
    """The link to a page in the navigation."""
    return page.get_by_role("link", name=name, exact=True)


def typed(page: Page, name: str, text: str) -> None:
    """Goes to a field and types into it."""
    reach(page, keyed(page, name).get_by_role("textbox"))
    page.keyboard.type(text)
    page.keyboard.press("Control+Enter" if "\n" in text else "Enter")


def test_a_comparison_is_made_decided_and_found_again_without_a_mouse(page: Page, server: Server) -> None:
    """Lists are typed, compared and read; a query is opened; the decision is recorded; History opens it again."""
    first_visit(page, server.url)
    press(page, button(page, "new_comparison"))
    reach(page, keyed(page, "new_door").get_by_role("tab", selected=True))
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Space")
    typed(page, "typed_a", _A)
    typed(page, "typed_b", _B)
    press(page, button(page, "typed_compare"))
    page.wait_for_function("location.search.includes('comparison=')")
    settled(page)
    verdict, address = keyed(page, "sentence").inner_text(), page.url
    assert verdict

    press(page, page_link(page, queries.QUERIES))
    panel, table = keyed(page, "query_panel"), keyed(page, "view_table")
    says(panel, queries.PLACE.format(place=1, n=3))
    page.keyboard.press("n")
    says(panel, queries.PLACE.format(place=2, n=3))
    reach(page, table.locator("canvas").first)
    for _ in range(2):
        page.keyboard.press("ArrowDown")
    says(panel, queries.PLACE.format(place=3, n=3))

    press(page, page_link(page, style.VERDICT), "Shift+Tab")
    press(page, button(page, "decision_record"))
    reach(page, keyed(page, "decision_choice").get_by_role("radio").first)
    for key in ("ArrowRight", "ArrowRight", "Space"):  # to the last, which contradicts no verdict
        page.keyboard.press(key)
    typed(page, "decision_by", "Ada")
    press(page, button(page, "decision_add"))
    says(keyed(page, "decision"), "Ada")

    press(page, page_link(page, history.HISTORY), "Shift+Tab")
    grid = page.get_by_test_id("stDataFrame").first
    reach(page, grid.locator("canvas").first)
    page.keyboard.press("Shift+Space")
    expect(button(page, "history_open")).to_be_enabled()
    press(page, button(page, "history_open"), "Shift+Tab")
    keyed(page, "banner").wait_for()
    settled(page)
    assert keyed(page, "sentence").inner_text() == verdict
    assert page.url.partition("comparison=")[2][:32] == address.partition("comparison=")[2][:32]
