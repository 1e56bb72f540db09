"""What is done in the browser, in the dashboard and in the floor app alike, and how long each takes.

A time runs from the event that the browser gives the page (the click, the key) to the last frame that looks different:
a later quiet moment of half a second proves that it was the last.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Locator, Page

WATCH = Path(__file__).with_name("watch.js").read_text(encoding="utf-8")
_QUIET = 500  # milliseconds without a change
_WAIT = 120_000  # milliseconds that an answer may take
_MOMENT = 600  # milliseconds that the keyboard of a table needs between a click and a key
_VIEW = {"width": 1440, "height": 900}
#: Height of the head and of a row of a table; a place within its first column, where rows can be marked before that.
_HEAD, _ROW, _FIRST = 36, 35, 74


def opened(browser: Browser, url: str, complete: str) -> Page:
    """A page with nothing remembered, at an address; it is complete, and what ``complete`` selects is on it."""
    context = browser.new_context(viewport=_VIEW, locale="en-US")
    context.set_default_timeout(_WAIT)
    page = context.new_page()
    page.add_init_script(WATCH)
    page.goto(url)
    page.locator(complete).first.wait_for(state="attached")
    quiet(page)
    return page


def cold_load(browser: Browser, url: str, complete: str) -> float:
    """Milliseconds from an address to the complete first page, in a browser that has never been there."""
    page = opened(browser, url, complete)
    milliseconds = 1000 * painted(page)
    page.context.close()
    return milliseconds


def quiet(page: Page) -> None:
    """Waits until nothing has changed for half a second."""
    page.wait_for_function(f"() => window.__watch && __watch.quiet({_QUIET})", polling=50, timeout=_WAIT)


def keyed(page: Page, key: str) -> Locator:
    """The element with a key."""
    return page.locator(f".st-key-{key}")


def choose_button(page: Page, key: str, label: str, changes: str) -> float:
    """Milliseconds that a button of a row of buttons takes; ``changes`` is the key of a text that is another then."""
    button = keyed(page, key).get_by_text(label, exact=True)
    return _timed(page, "click", changes, button.click)


def choose_option(page: Page, key: str, label: str, changes: str) -> float:
    """The same for an option of a list."""
    keyed(page, key).get_by_role("combobox").click()
    option = page.get_by_role("option", name=label, exact=True)
    option.wait_for()
    return _timed(page, "click", changes, option.click)


def type_grade(page: Page, within: str, column: int, row: int, grade: str, changes: str) -> float:
    """The same for a number typed into a cell (column and row from 0) of the first table inside an element."""
    _into_cell(page, within, row)
    for _ in range(column):
        page.keyboard.press("ArrowRight")
        page.wait_for_timeout(_MOMENT)
    _type(page, grade)
    return _timed(page, "keydown", changes, lambda: page.keyboard.press("Enter"))


def click_bar(page: Page, key: str, share: float, changes: str, within: str = "") -> float:
    """The same for a bar of a chart, at a share of its width from the left; ``within``: only changes inside count."""
    plot = keyed(page, key).locator(".nsewdrag")
    plot.scroll_into_view_if_needed()
    width, height = plot.evaluate("element => [element.getBBox().width, element.getBBox().height]")
    at = {"x": share * width, "y": height / 2}
    plot.hover(position=at, force=True)
    page.wait_for_timeout(_MOMENT)
    return _timed(page, "mousedown", changes, lambda: plot.click(position=at, force=True), within)


def open_dialog(page: Page, key: str, changes: str) -> float:
    """The same for a button that opens a dialog, which is closed again."""
    taken = _timed(page, "click", changes, keyed(page, key).get_by_role("button").click)
    page.get_by_role("dialog").get_by_role("button", name="Close").click()
    page.get_by_role("dialog").wait_for(state="detached")
    return taken


def type_rank(page: Page, row: int) -> None:
    """Sends one more document of A to the top of its list on the edit page, so that its run is another one."""
    said = "document.querySelector('.st-key-edit_log').innerText"
    before = page.evaluate(said)
    _into_cell(page, "edit_lists", row + 2)
    _type(page, "1")
    page.keyboard.press("Enter")
    page.wait_for_function(f"before => {said} !== before", arg=before, timeout=_WAIT)
    quiet(page)


def upload(page: Page, files: Sequence[Path], complete: str) -> float:
    """Seconds from dropping files to the complete verdict, on the page that says that files are gone."""
    started = _dropped(page, "lost_files", files)
    keyed(page, "lost_compare").locator("button:not([disabled])").click()
    page.locator(complete).first.wait_for(state="attached")
    return painted(page, started)


def receive(page: Page, files: Sequence[Path]) -> float:
    """Seconds from dropping files to the sentence that says that they are there, on the page that does nothing else."""
    started = _dropped(page, "files", files)
    size = sum(file.stat().st_size for file in files)
    keyed(page, "received").get_by_text(f"{size:,} bytes").wait_for()
    return painted(page, started)


def _dropped(page: Page, key: str, files: Sequence[Path]) -> float:
    """Drop files into an uploader, and return when that was, by the clock of the page."""
    started = float(page.evaluate("performance.now()"))
    keyed(page, key).locator("input[type=file]").set_input_files(files)
    return started


def painted(page: Page, started: float = 0.0) -> float:
    """Seconds from a time by the clock of the page, which starts when it is asked for, to the last frame that looked
    different.
    """
    quiet(page)
    return (float(page.evaluate("__watch.painted")) - started) / 1000


def _into_cell(page: Page, within: str, row: int) -> None:
    """Clicks the first cell of a row of the first table inside an element, and waits until it takes keys."""
    grid = keyed(page, within).get_by_test_id("stDataFrame").first
    grid.scroll_into_view_if_needed()
    page.wait_for_timeout(_MOMENT)
    box = grid.bounding_box()
    if box is None:
        raise RuntimeError(f"the table of {within} is not on the screen")
    page.mouse.click(box["x"] + _FIRST, box["y"] + _HEAD + (row + 0.5) * _ROW)
    page.wait_for_timeout(_MOMENT)


def _type(page: Page, text: str) -> None:
    """Types into the cell that takes keys; the first one opens its field, and what is typed until then is lost."""
    page.keyboard.press(text[0])
    page.wait_for_function("document.activeElement.tagName === 'INPUT'", timeout=_WAIT)
    page.wait_for_timeout(_MOMENT)
    page.keyboard.press("Control+A")
    page.keyboard.type(text)
    page.wait_for_function("text => document.activeElement.value === text", arg=text, timeout=_WAIT)
    page.wait_for_timeout(_MOMENT)


def _timed(page: Page, event: str, changes: str, act: Callable[[], object], within: str = "") -> float:
    """Milliseconds from an event to the last change on the page, or inside the element with the key ``within``."""
    text = "key => document.querySelector('.st-key-' + key)?.innerText ?? ''"
    before = page.evaluate(text, changes)
    page.evaluate("([kind, within]) => __watch.begin(kind, within)", [event, within])
    act()
    page.wait_for_function(
        """([key, before, quiet]) => __watch.started && __watch.quiet(quiet)
             && (document.querySelector('.st-key-' + key)?.innerText ?? '') !== before""",
        arg=[changes, before, _QUIET], polling=50, timeout=_WAIT,
    )  # fmt: skip
    return float(page.evaluate("__watch.painted - __watch.started"))
