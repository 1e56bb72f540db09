"""Every chart, tab, fold and dialog of every page, under a view that is not the policy's: nothing fails, and the server
has nothing to complain of.

What there is to click is read off the page, so that what is new is tried too.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Locator, Page

from rankdash.dashboard.navigation import PAGES
from rankdash.style import queries
from tests.browsed import judgments_csv, queries_csv, run_csv
from tests.browser.pages import said, start_with
from tests.browser.serving import Server
from tests.browser.waiting import settled

#: Another measure, cutoff and convention than the policy's.
VIEW = "k=5&measure=AP&convention=trec_eval-9"
#: What is clicked, in this order: what shows another part of a page, then what does something.
CLICKED = (
    "[data-testid=stExpander] summary",
    "[data-testid=stButtonGroup] button",
    "[data-testid=stTabs] [role=tab]",
    "[data-testid=stRadio] label",
    "[data-testid=stCheckbox] label",
    "[data-testid=stPopover] button",
    "[data-testid=stButton] button",
)
#: What opens over a page.
OVER = "[role=dialog], [data-testid=stPopoverBody]"
#: What has to have been clicked, so that a walk that finds nothing is no success: keys, and at least how many of each.
HAVE_TO_BE_THERE = {
    "chart": len(queries.CHARTS), "method_axes": 1, "k": 7, "query_outcome": 4, "label_grade2_card": 1,
    "rename": 1, "open_export": 1, "open_policy": 1, "decision_record": 1, "new_comparison": 1,
    "rules": 1,
}  # fmt: skip
#: All that a server says of its own.
_AT_START = re.compile(r"(\s*You can now view your Streamlit app in your browser\.|\s*URL: \S+)?\s*")
#: The key of each element, without the number of a row.
_KEYS = """elements => elements.map(element => {
    const key = [...element.closest('[class*=st-key-]')?.classList ?? []].find(name => name.startsWith('st-key-'))
    return (key ?? '').slice(7).replace(/_?\\d+$/, '')})"""
#: A key, and the place among those of the same key.
Name = tuple[str, int]


@dataclass
class Walk:
    """A tab with a page at ``url``; what was clicked on it, and in what opens over it."""

    page: Page
    url: str
    above: set[Name]
    clicked: set[Name] = field(default_factory=set)

    def over(self, selectors: Sequence[str] = CLICKED, *, backwards: bool = False) -> None:
        """Click all on the page that was not clicked yet; ``backwards``: the last first."""
        root, above = self.page.get_by_test_id("stMain"), self.page.locator(OVER)
        for selector in selectors:
            while self._click(root, selector, self.clicked, backwards=backwards):
                for inner in CLICKED:
                    while above.count() and self._click(above.last, inner, self.above):
                        pass
                self._close(above)
                if urlsplit(self.page.url).path != urlsplit(self.url).path:
                    self.open()

    def _click(self, root: Locator, selector: str, clicked: set[Name], *, backwards: bool = False) -> bool:
        """Click one element of those left; return whether there was one."""
        found = next(_left(root.locator(selector), clicked, backwards), None)
        if found is None:
            return False
        name, element = found
        clicked.add(name)
        element.click()
        self.holds(f"a click on {name}")
        return True

    def _close(self, above: Locator) -> None:
        """Close what is over the page, by a key, or by the button of a form that no key closes."""
        if above.count():
            self.page.keyboard.press("Escape")
            settled(self.page)
        if above.count():
            above.last.locator("[class*=_cancel] button").click()
        self.holds("closing a dialog")

    def open(self) -> None:
        """Open the page by its address."""
        self.page.goto(self.url)
        self.holds("opening it")

    def holds(self, after: str) -> None:
        """Wait until the page is at rest; no box with an exception is on it."""
        settled(self.page)
        failed = self.page.get_by_test_id("stException")
        assert not failed.count(), f"after {after} on {self.url}: {said(failed.first)}"


def _left(elements: Locator, clicked: set[Name], backwards: bool) -> Iterator[tuple[Name, Locator]]:
    keys: list[str] = elements.evaluate_all(_KEYS)
    named = [((key, keys[:at].count(key)), elements.nth(at)) for at, key in enumerate(keys)]
    for name, element in reversed(named) if backwards else named:
        if name not in clicked and element.is_visible() and element.is_enabled():
            yield name, element


@pytest.mark.long
def test_no_chart_tab_or_dialog_fails_under_another_view(
    server: Server, page: Page, console_errors: list[str], tmp_path: Path
) -> None:
    """Whatever is clicked, in either order: no exception, nothing on the console, nothing in the server's log."""
    files = {"a": run_csv(False), "b": run_csv(True), "judgments": judgments_csv(), "queries": queries_csv()}
    for name, content in files.items():
        (tmp_path / f"{name}.csv").write_bytes(content)
    start_with(page, server.url, {name: tmp_path / f"{name}.csv" for name in files})
    settled(page)
    opened = page.url.partition("?")[2]
    clicked, above = set[Name](), set[Name]()
    for one in PAGES:
        walk = Walk(page, f"{server.url}/{'' if one is PAGES[0] else one.name}?{opened}&{VIEW}", above)
        walk.open()
        walk.over()
        clicked |= walk.clicked
        for backwards in (False, True):  # each part once more after those that come later
            walk.clicked.clear()
            walk.over(CLICKED[1:2], backwards=backwards)
    found = [key for key, _ in clicked | above]
    assert [key for key, n in HAVE_TO_BE_THERE.items() if found.count(key) < n] == []
    assert console_errors == []
    assert [line for line in server.log.read_text(errors="replace").splitlines() if not _AT_START.fullmatch(line)] == []
