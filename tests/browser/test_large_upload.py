"""Files of more than 20 MB: from dropping them to the verdict."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import rankdash as rd
from rankdash.dashboard.session.file_cache import LARGEST
from rankdash.wording import number, signed
from tests.browser.pages import drop, keyed
from tests.browser.serving import Server
from tests.browser.waiting import says, settled

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.long
QUERIES, DEPTH = 700, 1_000


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Two runs, and judgments of two documents for each query, which B has higher."""
    folder = tmp_path_factory.mktemp("files")
    found = {name: folder / f"{name}.txt" for name in ("a", "b", "judgments")}
    for name, shift in (("a", 0), ("b", 3)):
        lines = (
            f"query{query} Q0 document{(rank + shift) % DEPTH:09d} {rank + 1} {DEPTH - rank}.25 {name}\n"
            for query in range(QUERIES)
            for rank in range(DEPTH)
        )
        found[name].write_text("".join(lines), encoding="ascii")
        assert found[name].stat().st_size > LARGEST
    judged = (f"query{query} 0 document{place:09d} 1\n" for query in range(QUERIES) for place in (3, 5))
    found["judgments"].write_text("".join(judged), encoding="ascii")
    return found


def test_large_files_are_compared(
    page: Page, console_errors: list[str], server: Server, files: dict[str, Path]
) -> None:
    """The verdict is that of the files, and there is no console error."""
    page.goto(f"{server.url}/?c=lost")
    keyed(page, "lost_files").wait_for()
    settled(page)
    drop(page, "lost", *files.values())
    keyed(page, "lost_compare").get_by_role("button").click()
    keyed(page, "query_chart").locator(".bars .point").first.wait_for(state="attached")
    settled(page)
    comparison = rd.compare(*(rd.read_run(files[name]) for name in "ab"), rd.read_judgments(files["judgments"]))
    found = comparison.primary.paired
    says(keyed(page, "banner"), rd.decide(comparison).sentence)
    says(keyed(page, "cards"), number(found.mean_b), number(found.mean_a), signed(found.delta))
    assert not console_errors
