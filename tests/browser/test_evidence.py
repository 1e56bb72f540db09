"""Votes, queries, the experts' panel and the policy, from the upload to the stamp."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from rankdash.style import evidence as words
from tests.browsed import HOSTILE, models_csv, queries_csv, votes_csv
from tests.browser.pages import keyed, start_with
from tests.browser.waiting import one_says, says, settled

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.long

NAME = "**b** :red[x] $y$ :material_home: <i>"
FILES = {
    "both": models_csv(),
    "queries": queries_csv().replace(b",kind", f",{NAME}".encode()).replace(b",head", f",{HOSTILE}".encode()),
    "votes": votes_csv().replace(b",x,", f",{HOSTILE},".encode()),
}


def test_votes_and_segments_are_shown_letter_for_letter_and_a_changed_policy_is_seen(
    page: Page, app_url: str, tmp_path: Path, console_errors: list[str]
) -> None:
    """Votes and segments are on the page and the experts' panel opens; a segment column, its values and the raters are
    text there, whatever they are called; a changed policy turns the verdict visibly.
    """
    paths = {slot: tmp_path / f"{slot}.csv" for slot in FILES}
    for slot, path in paths.items():
        path.write_bytes(FILES[slot])
    start_with(page, app_url, paths)
    says(keyed(page, "cards"), "+40.0%")
    says(keyed(page, "segments"), NAME[:30], HOSTILE[:30], "tail")
    keyed(page, "experts").locator("summary").click()
    page.get_by_text(words.ROBUST).wait_for()
    one_says(keyed(page, "experts").locator("td"), HOSTILE[:30])
    settled(page)
    assert not page.locator(".stMain").locator("a[href*='evil'], a[href^='mailto'], td code, td b, td .katex").count()
    for part in ("segments", "experts"):
        assert not keyed(page, part).locator("td em").count()
    keyed(page, "open_policy").get_by_role("button", name=words.POLICY).click()
    limit = keyed(page, "policy_mpe").locator("input")
    limit.fill("0.9")
    limit.press("Enter")
    settled(page)
    keyed(page, "policy_apply").get_by_role("button").click()
    keyed(page, "policy_stamp").wait_for()
    says(keyed(page, "banner"), "No launch", words.POLICY_STAMP)
    settled(page)
    assert not console_errors
