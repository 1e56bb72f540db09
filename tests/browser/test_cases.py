"""Comparisons that cannot say much, in a real browser: uploaded, and typed."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from rankdash import style
from rankdash.style import editing
from tests.browsed import CASES
from tests.browser.pages import compare_new, first_visit, go, keyed, said
from tests.browser.test_shell import PAGES
from tests.browser.waiting import says, settled

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.long


@pytest.fixture(scope="module")
def demo(shared_page: Page, app_url: str) -> Page:
    """A page on which these cases are opened one after the other."""
    first_visit(shared_page, app_url)
    return shared_page


def whole(page: Page) -> None:
    """Goes through all pages and finds no error on any."""
    for name in PAGES:
        go(page, name)
        assert not page.locator("[data-testid=stException]").count()
        assert len(said(page.locator(".stMain"))) > 100


@pytest.mark.parametrize("case", ["one", "tied", "unjudged"])
def test_an_uploaded_case_says_what_it_is_and_no_page_breaks(
    demo: Page, tmp_path: Path, case: str, shared_errors: list[str]
) -> None:
    """One query, all tied, all unjudged: a sentence of its own, every page without an error, a quiet console."""
    files = {slot: tmp_path / f"{slot}.csv" for slot in ("a", "b", "judgments")}
    for file, content in zip(files.values(), CASES[case], strict=True):
        file.write_bytes(content)
    compare_new(demo, files)
    says(keyed(demo, "case"), style.CASES[case].format(k=10))
    whole(demo)
    assert not shared_errors


def test_a_typed_query_is_one_query(demo: Page, shared_errors: list[str]) -> None:
    """Typed lists of a single query are compared, and the page says that one query says little."""
    keyed(demo, "new_comparison").get_by_role("button").click()
    keyed(demo, "new_door").get_by_text(editing.DOORS["typed"]).click()
    for side, text in (("a", "0 1 3"), ("b", "3 1 0")):
        box = keyed(demo, f"typed_{side}").locator("textarea")
        box.fill(text)
        box.press("Control+Enter")
        settled(demo)
    keyed(demo, "typed_compare").get_by_role("button").click()
    demo.get_by_text(editing.TYPED).wait_for()
    says(keyed(demo, "case"), style.CASES["one"])
    whole(demo)
    assert not shared_errors
