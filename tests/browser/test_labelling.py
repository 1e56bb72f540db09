"""Documents labelled one after the other, with hands that stay on the keyboard."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rankdash.style import editing as words
from tests.browser.pages import keyed, said
from tests.browser.waiting import says, settled

if TYPE_CHECKING:
    from playwright.sync_api import Page


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
