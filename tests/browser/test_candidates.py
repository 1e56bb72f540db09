"""Three candidates of the demo in a real browser: dropped, opened, switched between, linked, and one row in History."""

from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from rankdash.installation import resource
from rankdash.style import candidates as words, history as history_words
from tests.browser.pages import button, drop, go, keyed, said
from tests.browser.serving import Server
from tests.browser.test_saved import id_of, verdict
from tests.browser.waiting import settled

pytestmark = pytest.mark.long
DEMO = resource("data/demo")


def test_three_candidates_from_the_drop_to_the_link(page: Page, other: Page, server: Server, tmp_path: Path) -> None:
    """The page Candidates comes first; one opens and the list shows another; a link opens all elsewhere; History has
    one row, which unfolds.
    """
    head, *rows = (DEMO / "run_b.csv").read_text("utf-8").splitlines()
    for name, first in (("second", 2), ("fifth", 5)):  # B without its first ranks
        kept = [row for row in rows if int(row.split(",")[1]) >= first]
        (tmp_path / f"{name}.csv").write_text("\n".join([head, *kept]), "utf-8")
    page.goto(f"{server.url}/?c=lost")
    drop(page, "lost", *(DEMO / f"{name}.csv" for name in ("run_a", "run_b", "judgments")), *tmp_path.glob("*.csv"))
    button(page, "lost_compare").click()
    buttons = keyed(page, "candidates").locator("[class*=st-key-open_candidate_]")
    expect(buttons).to_have_count(3)
    settled(page)
    before = said(keyed(page, "candidates"))
    assert before.index("run_b") < before.index("second") < before.index("fifth")
    buttons.nth(1).get_by_role("button").click()
    first = verdict(page)
    page.get_by_role("combobox", name=words.SWITCH).click()
    page.get_by_role("option", name="fifth").click()
    settled(page)
    assert verdict(page) != first
    other.goto(f"{server.url}/?comparison={id_of(page)}")
    assert verdict(other) == verdict(page)
    go(other, words.TITLE)
    assert said(keyed(other, "candidates")) == before
    go(page, history_words.HISTORY)
    grid = page.get_by_test_id("stDataFrame")
    expect(grid.locator("tbody tr")).to_have_count(1)
    grid.locator("canvas").first.click(position={"x": 16, "y": 36 + 17}, force=True)
    button(page, "history_unfold").click()
    expect(grid.locator("tbody tr")).to_have_count(4)
