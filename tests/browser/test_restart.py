"""A server that is killed and started again under an open tab."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from rankdash import style
from rankdash.style import method, queries
from tests.browsed import judgments_csv, run_csv
from tests.browser.pages import compare_new, first_visit, keyed, said, start_with
from tests.browser.serving import Server, restarted
from tests.browser.waiting import says, settled

if TYPE_CHECKING:
    from playwright.sync_api import Page


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A dashboard of our own, which these tests stop and start again."""
    found = Server(tmp_path_factory.mktemp("server") / "log.txt")
    yield found
    found.stop()


@pytest.fixture
def files(tmp_path: Path) -> dict[str, Path]:
    """Two runs and their judgments."""
    files = {"a": tmp_path / "old.csv", "b": tmp_path / "new.csv", "judgments": tmp_path / "grades.csv"}
    for name, content in (("a", run_csv(False)), ("b", run_csv(True)), ("judgments", judgments_csv())):
        files[name].write_bytes(content)
    return files


def test_a_tab_that_outlives_its_server_never_shows_another_comparison(
    page: Page, server: Server, files: dict[str, Path]
) -> None:
    """After a restart a click on another page says that the files are gone, and so do the next one and a reload of
    that; no verdict of the demo is shown.
    """
    start_with(page, server.url, files)
    restarted(page, server)
    for link in (queries.QUERIES, style.DATA):
        page.get_by_role("link", name=link).first.click()
        settled(page)
        page.get_by_role("heading", name=style.GONE).wait_for()
        assert page.get_by_text(style.DEMO_BADGE, exact=True).count() == 0
    page.reload()
    settled(page)
    page.get_by_role("heading", name=style.GONE).wait_for()
    assert page.get_by_text(style.DEMO_BADGE, exact=True).count() == 0


@pytest.mark.parametrize("turned", [False, True])
def test_a_tab_of_the_demo_that_outlives_its_server_shows_the_demo_again(
    page: Page, server: Server, turned: bool
) -> None:
    """After a restart a click on another page shows that page of the demo, swapped where it was."""
    first_visit(page, server.url)
    if turned:
        keyed(page, "swap").get_by_role("button").click()
        says(keyed(page, "banner"), "No launch")
    settled(page)
    before = said(keyed(page, "sentence"))
    restarted(page, server)
    page.get_by_role("link", name=style.DATA).first.click()
    page.get_by_text(style.DEMO_BADGE, exact=True).wait_for()
    page.get_by_role("link", name=style.VERDICT, exact=True).click()
    says(keyed(page, "sentence"), before)


def test_a_tab_that_showed_the_demo_before_an_upload_says_that_the_files_are_gone(
    page: Page, server: Server, files: dict[str, Path]
) -> None:
    """What was open last counts, on whichever page the server was lost."""
    first_visit(page, server.url)
    compare_new(page, files)
    page.get_by_role("link", name=method.METHOD).first.click()
    keyed(page, "section").wait_for()
    settled(page)
    restarted(page, server)
    page.get_by_role("link", name=style.VERDICT, exact=True).click()
    page.get_by_role("heading", name=style.GONE).wait_for()
    assert page.get_by_text(style.DEMO_BADGE, exact=True).count() == 0
