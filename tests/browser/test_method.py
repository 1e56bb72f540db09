"""The method page in a real browser: formulas that are typeset, peers' names, axes that move numbers, live examples."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from rankdash.conventions import AXIS_NAMES, PRESETS
from rankdash.metrics import DEFINITIONS
from rankdash.style import method as words
from tests.browser.pages import keyed, said
from tests.browser.waiting import says, settled

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page


@pytest.fixture(scope="module")
def method(shared_page: Page, app_url: str) -> Page:
    """The demo's method page."""
    shared_page.goto(f"{app_url}/method")
    keyed(shared_page, "section").wait_for()
    return shared_page


def section(page: Page, name: str) -> Locator:
    """One section of the method page."""
    settled(page)
    button = keyed(page, "section").get_by_role("radio", name=words.SECTIONS[name], exact=True)
    button.click()
    button.and_(page.get_by_role("radio", checked=True)).wait_for()
    settled(page)
    return keyed(page, "method_section")


def test_every_measure_has_a_typeset_formula(method: Page) -> None:
    """Each row with a formula holds mathematics, none of it in red: the formula could be read."""
    rows = section(method, "measures").locator("tbody tr")
    rows.nth(len(DEFINITIONS) - 1).locator(".katex").first.wait_for()
    assert rows.count() == len(DEFINITIONS)
    for row, about in zip(rows.all(), DEFINITIONS.values(), strict=True):
        assert not about.latex or row.locator(".katex").count()
    assert not method.locator(".katex-error").count()


def test_every_preset_stands_with_the_names_of_its_tool(method: Page) -> None:
    """The same data under every preset, with ndcg_score of scikit-learn and ndcg_cut of trec_eval, and why."""
    part = section(method, "presets")
    part.locator("tbody tr").nth(len(PRESETS) - 1).wait_for()
    says(part, *PRESETS, "ndcg_score(k=10)", "ndcg_cut_10", "recip_rank", words.PRESET_WHY["scikit-learn"])


def test_the_discount_is_a_curve_and_the_examples_are_live(method: Page) -> None:
    """The curve has a line per measure; the textbook's 6.861 and −25.0% are computed on the page."""
    section(method, "cutoff")
    keyed(method, "discount_chart").locator(".scatterlayer .trace").nth(2).wait_for(state="attached")
    part = section(method, "textbook")
    part.get_by_text("good same bad bad").wait_for()
    says(part, "6.8611", "−25.0%", "16.047", "13.8483")


def test_an_axis_changes_and_its_effect_is_shown(method: Page) -> None:
    """All twelve axes are there; another gain says so, and the table shows the numbers before and after."""
    part = section(method, "convention")
    for axis in AXIS_NAMES:
        keyed(method, f"axis_{axis}").wait_for()
    before = said(part.locator("tbody tr").first)
    keyed(method, "axis_gain").locator("input").click()
    method.get_by_role("option", name=words.AXES["gain"].values["exp2"]).click()
    method.get_by_text("Changed: Gain").wait_for()
    settled(method)
    assert said(part.locator("tbody tr").first) != before
    method.wait_for_url("**axis_gain=*")
