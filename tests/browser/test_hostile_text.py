"""Text from files that would like to be something else."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from rankdash import style
from tests.browsed import HOSTILE, hostile_judgments_csv, hostile_run_csv
from tests.browser.pages import keyed, said, start_with

if TYPE_CHECKING:
    from playwright.sync_api import Page

NAME = "**b** :red[x] $y$ :material_home: <i>"


def test_names_queries_titles_and_ids_are_shown_letter_for_letter(
    page: Page, app_url: str, tmp_path: Path, console_errors: list[str]
) -> None:
    """Markdown, HTML, addresses, icons and formulas in ids, texts, titles and file names stay what they are."""
    files = {"a": tmp_path / f"{NAME}.csv", "b": tmp_path / "b.csv", "judgments": tmp_path / "j.csv"}
    files["a"].write_bytes(hostile_run_csv(False))
    files["b"].write_bytes(hostile_run_csv(True))
    files["judgments"].write_bytes(hostile_judgments_csv())
    start_with(page, app_url, files)
    panel = keyed(page, "query_panel")
    assert HOSTILE in said(panel.locator("p").filter(has_text="**bold**").first)
    cells = [said(cell) for cell in panel.locator("td").all()]
    assert any(f"{HOSTILE} 0 1" in cell for cell in cells)
    assert NAME in said(page.locator("p").filter(has_text="**b**").first)
    page.get_by_role("link", name=style.DATA).click()
    page.get_by_text("j.csv").wait_for()
    assert any(said(cell) == f"{NAME}.csv" for cell in page.locator("td").all())
    main = page.locator("section.stMain")
    assert not main.locator("a[href*='evil'], a[href^='mailto'], td strong, td code, td b, td .katex").count()
    assert not console_errors
