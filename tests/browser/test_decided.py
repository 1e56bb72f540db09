"""A decision, where people look for it; and every page of a saved comparison, read by
axe-core at the width of a laptop and of a phone.
"""

from pathlib import Path

import pytest
from playwright.sync_api import Page

from rankdash.dashboard.navigation import PAGES
from rankdash.style import history as history_words
from tests.browser import paper
from tests.browser.pages import button, compare_new, first_visit, go, keyed, resize, said
from tests.browser.serving import Server
from tests.browser.test_accessible import faults
from tests.browser.waiting import settled

pytestmark = pytest.mark.long


LAPTOP, PHONE = (1280, 800), (390, 844)


@pytest.fixture(scope="module")
def opened(server: Server, shared_page: Page) -> Page:
    """A tab in which the tests of this file open one comparison after the other."""
    first_visit(shared_page, server.url)
    resize(shared_page, *LAPTOP)
    return shared_page


@pytest.fixture
def saved(opened: Page, files: dict[str, Path]) -> Page:
    """A saved comparison."""
    compare_new(opened, files)
    opened.wait_for_function("location.search.includes('comparison=')")
    return opened


def edge(page: Page, key: str, side: str) -> float:
    """Where an element with a key begins or ends."""
    return float(keyed(page, key).evaluate(f"one => one.getBoundingClientRect().{side}"))


def test_a_decision_is_made_and_seen_without_scrolling(saved: Page) -> None:
    """The button stands beside the policy; the stamp says who decided what and when, and paper why, with nothing over
    it; the next step stands alone on the right.
    """
    page = saved
    assert abs(edge(page, "open_policy", "y") - edge(page, "decision_record", "y")) < 8
    button(page, "decision_record").click()
    keyed(page, "decision_by").locator("input").fill("Ada")
    keyed(page, "decision_choice").get_by_text(history_words.CHOICES["postponed"], exact=True).click()
    keyed(page, "decision_reason").locator("textarea").fill("First the index.")
    keyed(page, "decision_reason").locator("textarea").press("Control+Enter")
    settled(page)
    button(page, "decision_add").click()
    keyed(page, "decision_stamp").wait_for()
    page.emulate_media(media="print")
    assert not page.get_by_test_id("stToast").evaluate("toast => toast.checkVisibility()")
    page.emulate_media(media="null")
    settled(page)
    assert said(keyed(page, "decision_stamp")).splitlines()[0].endswith(", on saved version 1")
    assert "Decided: postponed, Ada, 20" in said(keyed(page, "decision_stamp"))
    assert edge(page, "decision_stamp", "bottom") < LAPTOP[1] / 2
    assert "Firsttheindex." in paper.text(page.pdf())


def test_every_page_can_be_read_on_a_laptop_and_on_a_phone(saved: Page) -> None:
    """Verdict with a decision, Queries, Edit, Data, History and Method, in light and in dark."""
    page = saved
    for one in PAGES:
        go(page, one.title)
        for size in (LAPTOP, PHONE):
            resize(page, *size)
            assert not faults(page), (one.name, size)
        resize(page, *LAPTOP)
