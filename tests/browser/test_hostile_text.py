"""Text from files that would like to be something else."""

from pathlib import Path

from playwright.sync_api import Page

from rankdash import style
from rankdash.style import queries
from tests.browsed import HOSTILE, hostile_judgments_csv, hostile_run_csv
from tests.browser.pages import go, keyed, start_with
from tests.browser.waiting import one_says, says, settled

NAME = "**b** :red[x] $y$ :material_home: <i>"


def test_names_queries_titles_and_ids_are_shown_letter_for_letter(
    page: Page, app_url: str, tmp_path: Path, console_errors: list[str]
) -> None:
    """Markdown, HTML, addresses, icons and formulas in ids, texts, titles and file names stay what they are: on the
    verdict, with the queries, and beside the data. A move is whole.
    """
    files = {"a": tmp_path / f"{NAME}.csv", "b": tmp_path / "b.csv", "judgments": tmp_path / "j.csv"}
    files["a"].write_bytes(hostile_run_csv(False))
    files["b"].write_bytes(hostile_run_csv(True))
    files["judgments"].write_bytes(hostile_judgments_csv())
    start_with(page, app_url, files)
    one_says(page.locator("p"), NAME)
    go(page, queries.QUERIES)
    one_says(keyed(page, "query_panel").locator("h3"), HOSTILE)
    lists = keyed(page, "two_lists")
    one_says(lists.locator("td"), HOSTILE)
    one_says(lists.locator("th"), NAME[:15])
    main = page.locator(".stMain")
    ids = "td:is(:nth-child(3), :nth-child(8))"  # an id and the beginning of a long one are set, and nothing else
    bad = f"a[href*='evil'], a[href^='mailto'], {ids} :not(em, em > strong, strong > em), td code, h3 strong, h3 .katex"
    assert not main.locator(bad).count()
    whole = "e => (e.innerText = '↓ 973 tied') && e.scrollWidth <= e.clientWidth"
    assert lists.locator("td:nth-child(4)").first.evaluate(whole)
    go(page, style.DATA)
    says(main, "j.csv", NAME[:15])
    settled(page)
    assert not main.locator("a[href*='evil'], a[href^='mailto'], td strong, td code, td b, td .katex").count()
    assert not console_errors
