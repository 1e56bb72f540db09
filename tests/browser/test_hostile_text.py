"""Text from files that would like to be something else."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from rankdash import style
from rankdash.style import evidence as words
from tests.browsed import (
    HOSTILE,
    hostile_judgments_csv,
    hostile_run_csv,
    judgments_csv,
    queries_csv,
    run_csv,
    votes_csv,
)
from tests.browser.pages import keyed, start_with
from tests.browser.waiting import one_says, says, settled

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
    one_says(panel.locator("p"), HOSTILE)
    one_says(panel.locator("td"), f"{HOSTILE} 0 1")
    one_says(page.locator("p"), NAME)
    page.get_by_role("link", name=style.DATA).click()
    main = page.locator(".stMain")
    says(main, "j.csv", f"{NAME}.csv")
    settled(page)
    assert not main.locator("a[href*='evil'], a[href^='mailto'], td strong, td code, td b, td .katex").count()
    assert not console_errors


def test_segments_and_raters_are_shown_letter_for_letter(
    page: Page, app_url: str, tmp_path: Path, console_errors: list[str]
) -> None:
    """A segment column, its values and the raters of votes are text too, in the tables and in the experts' panel."""
    contents = {
        "a": run_csv(False),
        "b": run_csv(True),
        "judgments": judgments_csv(),
        "queries": queries_csv().replace(b",kind", f",{NAME}".encode()).replace(b",head", f",{HOSTILE}".encode()),
        "votes": votes_csv().replace(b",x,", f",{HOSTILE},".encode()),
    }
    files = {slot: tmp_path / f"{slot}.csv" for slot in contents}
    for slot, content in contents.items():
        files[slot].write_bytes(content)
    start_with(page, app_url, files)
    says(keyed(page, "segments"), NAME[:30], HOSTILE[:30])
    keyed(page, "experts").locator("summary").click()
    page.get_by_text(words.ROBUST).wait_for()
    one_says(keyed(page, "experts").locator("td"), HOSTILE[:30])
    settled(page)
    assert not page.locator(".stMain").locator("a[href*='evil'], a[href^='mailto'], td code, td b, td .katex").count()
    for part in ("segments", "experts"):
        assert not keyed(page, part).locator("td em").count()
    assert not console_errors
