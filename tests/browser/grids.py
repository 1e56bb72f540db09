"""Typing into a table: its cells are drawn on a canvas, and beside it stands a table for who cannot see it.

That table tells what a cell says, and which cell takes the keys. Each step waits for it, so that nothing has to sleep.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from playwright.sync_api import Locator, Page

#: Height of the head and of a row; a place within the first column behind the marks of the rows.
_HEAD, _ROW, _FIRST = 36, 35, 74


def rows(grid: Locator) -> list[tuple[str, ...]]:
    """What the cells of a table say, row by row."""
    grid.locator("tbody tr").first.wait_for(state="attached")
    found: list[list[str]] = grid.locator("tbody tr").evaluate_all(
        "rows => rows.map(row => [...row.querySelectorAll('td[aria-colindex]')].map(cell => cell.textContent))"
    )
    return [tuple(row) for row in found]


def into_cell(page: Page, grid: Locator, column: int, row: int) -> None:
    """Puts the keyboard into a cell; column and row from 0."""
    at = next((one for one in range(column + 1) if _takes_keys(grid, one, row).count()), None)
    if at is None:  # a click into the cell that takes the keys already would open its field
        _click(grid, _FIRST, row, _takes_keys(grid, 0, row))
        at = 0
    for further in range(at + 1, column + 1):
        page.keyboard.press("ArrowRight")
        _takes_keys(grid, further, row).wait_for(state="attached")


def fill(page: Page, text: str) -> None:
    """Types into the cell that takes the keys. The first key opens a field, and only what stands there then counts."""
    page.keyboard.press(text[0])
    field = _field(page)
    field.wait_for()
    field.fill(text)
    page.wait_for_function("text => document.activeElement.value === text", arg=text)


def type_cell(page: Page, grid: Locator, column: int, row: int, text: str) -> None:
    """Types a text into a cell in place of what stands there."""
    into_cell(page, grid, column, row)
    fill(page, text)
    page.keyboard.press("Enter")


def _field(page: Page) -> Locator:
    """The field that is open over a cell; the page has fields of its own."""
    return page.locator("#portal input:focus, #portal textarea:focus")


def _click(grid: Locator, across: int, row: int, until: Locator) -> None:
    """Clicks, once more where the table was drawn anew under the click, which forgets it."""
    from playwright.sync_api import TimeoutError

    for patience in (3_000, 6_000, 12_000, None):
        grid.locator("tbody tr").first.wait_for(state="attached")
        grid.scroll_into_view_if_needed()
        grid.locator("canvas").first.click(position={"x": across, "y": _HEAD + (row + 0.5) * _ROW}, force=True)
        try:
            until.wait_for(state="attached", timeout=patience)
        except TimeoutError:
            if patience is None:
                raise
            grid.page.keyboard.press("Escape")
        else:
            return


def _takes_keys(grid: Locator, column: int, row: int) -> Locator:
    """A cell, where it takes the keys."""
    return grid.locator(f"tr[aria-rowindex='{row + 2}'] td[aria-colindex='{column + 1}']:focus")
