"""The History page, its dialogs and what is said about saving: axe-core finds nothing serious, in light and in dark."""

from pathlib import Path

import pytest
from playwright.sync_api import Page

from rankdash.store import Decided, Observed, Saved, Settings, Store, comparison_of
from rankdash.style import history as history_words
from rankdash.verdict import decide
from tests.browser.pages import button, compare_new, go, keyed
from tests.browser.serving import Server
from tests.browser.test_accessible import faults, scheme_of, turn
from tests.browser.test_saved import edit_grade, id_of, open_edit
from tests.browser.waiting import settled

pytestmark = pytest.mark.long


#: The red, green and blue of what is drawn as the label of an axis, over 765: 0 is black, 1 white.
_LIGHTNESS = """() => {
  const label = document.querySelector('.st-key-dot_chart .ytick text')
  const colour = getComputedStyle(label).fill.match(/[\\d.]+/g).slice(0, 3).map(Number)
  const whole = getComputedStyle(label).fill.startsWith('color(') ? 3 : 765
  return colour.reduce((sum, part) => sum + part) / whole
}"""


def decided(store: Store, saved: Saved) -> None:
    """A verdict, a decision and an online test on record."""
    comparison = comparison_of(saved.content, saved.state)
    result = store.seen(saved, comparison, decide(comparison))
    store.decide(saved.id, Decided("launch", "Ada", "Nothing speaks against it."), result)
    store.observe(saved.id, Observed("clicks", "Ada", 0.2))
    store.tag(saved.id, "weekly")


def axis_lightness(page: Page) -> dict[str, float]:
    """How light the labels of the chart are, in either scheme."""
    found = {}
    for _ in range(2):
        found[scheme_of(page)] = page.evaluate(_LIGHTNESS)
        turn(page, "light" if "dark" in found else "dark")
    return found


def test_history_and_its_dialogs_can_be_read(
    page: Page, other: Page, server: Server, home: Path, files: dict[str, Path]
) -> None:
    """The list, empty and full, several side by side, two edits of one document, and what could not be saved."""
    page.goto(f"{server.url}/history")
    page.get_by_text(history_words.EMPTY).wait_for()
    assert keyed(page, "launch_log").count() == 0
    assert not faults(page)
    compare_new(page, files)
    wanted = id_of(page)
    open_edit(page)
    other.goto(page.url)
    keyed(other, "edit_lists").wait_for()
    settled(other)
    edit_grade(page, 1, "2")
    edit_grade(other, 1, "1")
    other.get_by_text(history_words.TAKE_THEIRS).first.wait_for()
    assert not faults(other)
    store = Store.open(Settings(home))
    for number in range(3):
        decided(store, store.load(store.duplicate(wanted, name=f"A candidate with a long name, {number}")))
    go(page, history_words.HISTORY)
    keyed(page, "history_chart").wait_for()
    assert not faults(page)
    grid = page.get_by_test_id("stDataFrame")
    grid.locator("tbody tr").first.wait_for(state="attached")
    for row in range(2):
        grid.locator("canvas").first.click(position={"x": 16, "y": 36 + 17 + 35 * row}, force=True)
        settled(page)
    button(page, "history_side").click()
    keyed(page, "dot_chart").locator(".ytick text").first.wait_for()
    assert not faults(page)
    lightness = axis_lightness(page)
    assert lightness["dark"] > 0.6 > 0.5 > lightness["light"]
    assert len({*keyed(page, "dot_chart").locator(".ytick text").all_text_contents()}) == 2
    page.keyboard.press("Escape")
    keyed(page, "dot_chart").wait_for(state="detached")
    open_edit(page)
    away = home.rename(home.with_name("away"))
    edit_grade(page, 2, "1")
    keyed(page, "not_saved").wait_for()
    assert not faults(page)
    away.rename(home)
    button(page, "save_again").click()
    keyed(page, "not_saved").wait_for(state="detached")
    assert [edit.after for edit in store.load(wanted).state.edits][-1] == 1
