"""The demo turned around and renamed, in a browser: a reload and a link that is shared open it as it was."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from rankdash import style
from rankdash.style import editing
from tests.browser.pages import first_visit, keyed, said
from tests.browser.waiting import says, settled

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.long

HOSTILE = "**b** <i> =1+1 & ?c=lost#x"


def test_a_reload_of_the_swapped_and_renamed_demo_opens_it_again(page: Page, app_url: str) -> None:
    """Names stand there letter for letter, the verdict is the same, on the page where the reload happened."""
    first_visit(page, app_url)
    keyed(page, "swap").get_by_role("button").click()
    says(keyed(page, "banner"), "No launch")
    settled(page)
    keyed(page, "rename").get_by_role("button").click()
    name = keyed(page, "rename_b").get_by_role("textbox")
    name.fill(HOSTILE)
    name.press("Tab")
    settled(page)
    keyed(page, "rename_apply").get_by_role("button").click()
    main = page.get_by_test_id("stMain")
    says(main, f"B {HOSTILE}")
    settled(page)
    before = said(keyed(page, "sentence")), said(keyed(page, "cards"))
    page.reload()
    says(main, f"B {HOSTILE}")
    settled(page)
    assert (said(keyed(page, "sentence")), said(keyed(page, "cards"))) == before
    assert style.GONE not in said(main)
    page.get_by_role("link", name=editing.EDIT, exact=True).click()
    keyed(page, "edit_lists").wait_for()
    settled(page)
    page.reload()
    keyed(page, "edit_lists").wait_for()
    says(main, f"B {HOSTILE}")
