"""The method page in a real browser: formulas that are typeset, peers' names, axes that move numbers, live examples."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rankdash.conventions import AXIS_NAMES, PRESETS
from rankdash.metrics import DEFINITIONS
from rankdash.style import method as words
from tests.browser.pages import keyed, said
from tests.browser.waiting import says, settled

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page


def section(page: Page, url: str, name: str) -> Locator:
    """One section of the demo's method page."""
    page.goto(f"{url}/method")
    settled(page)
    keyed(page, "section").get_by_text(words.SECTIONS[name]).click()
    part = keyed(page, "method_section")
    part.locator("h2, h3").first.wait_for()
    if name != "presets":
        page.wait_for_url("**section=*")
    settled(page)
    return part


def test_every_measure_has_a_typeset_formula(page: Page, app_url: str) -> None:
    """Each row with a formula holds mathematics, none of it in red: the formula could be read."""
    rows = section(page, app_url, "measures").locator("tbody tr")
    rows.nth(len(DEFINITIONS) - 1).locator(".katex").first.wait_for()
    assert rows.count() == len(DEFINITIONS)
    for row, about in zip(rows.all(), DEFINITIONS.values(), strict=True):
        assert not about.latex or row.locator(".katex").count()
    assert not page.locator(".katex-error").count()


def test_every_preset_stands_with_the_names_of_its_tool(page: Page, app_url: str) -> None:
    """The same data under every preset, with ndcg_score of scikit-learn and ndcg_cut of trec_eval, and why."""
    part = section(page, app_url, "presets")
    part.locator("tbody tr").nth(len(PRESETS) - 1).wait_for()
    says(part, *PRESETS, "ndcg_score(k=10)", "ndcg_cut_10", "recip_rank", words.PRESET_WHY["scikit-learn"])


def test_an_axis_changes_and_its_effect_is_shown(page: Page, app_url: str) -> None:
    """All twelve axes are there; another gain says so, and the table shows the numbers before and after."""
    part = section(page, app_url, "convention")
    for axis in AXIS_NAMES:
        keyed(page, f"axis_{axis}").wait_for()
    before = said(part.locator("tbody tr").first)
    keyed(page, "axis_gain").locator("input").click()
    page.get_by_role("option", name=words.AXES["gain"].values["exp2"]).click()
    page.get_by_text("Changed: Gain").wait_for()
    settled(page)
    assert said(part.locator("tbody tr").first) != before
    page.wait_for_url("**axis_gain=*")


def test_the_discount_is_a_curve_and_the_examples_are_live(page: Page, app_url: str) -> None:
    """The curve has a line per measure; the textbook's 6.861 and −25.0% are computed on the page."""
    section(page, app_url, "cutoff")
    keyed(page, "discount_chart").locator(".scatterlayer .trace").nth(2).wait_for(state="attached")
    part = section(page, app_url, "textbook")
    part.get_by_text("good same bad bad").wait_for()
    says(part, "6.8611", "−25.0%", "16.047", "13.8483")
