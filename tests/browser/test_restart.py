"""A server that is killed and started again, once, under several open tabs."""

from collections.abc import Iterator, Mapping
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext, Page

from rankdash import style
from rankdash.style import method, queries
from tests.browser.pages import compare_new, first_visit, keyed, said, start_with
from tests.browser.serving import Server, restarted
from tests.browser.tabs import tab
from tests.browser.waiting import says, settled

pytestmark = pytest.mark.long


@dataclass(frozen=True)
class Outlived:
    """Tabs that were open when their server ended, by what was done in them, and the verdict of the demo there."""

    tabs: Mapping[str, Page]
    sentence: str


@pytest.fixture(scope="module")
def outlived(
    profile: BrowserContext, files: dict[str, Path], tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Outlived]:
    """Files; the demo; files in a tab that showed the demo before. Then a restart."""
    server = Server(tmp_path_factory.mktemp("server") / "log.txt")
    with ExitStack() as opened:
        names = ("files", "demo", "both")
        tabs = {name: opened.enter_context(tab(profile, [])) for name in names}
        start_with(tabs["files"], server.url, files)
        for name in names[1:]:
            first_visit(tabs[name], server.url)
        compare_new(tabs["both"], files)
        tabs["both"].get_by_role("link", name=method.METHOD).first.click()
        keyed(tabs["both"], "find_number").wait_for()
        settled(tabs["both"])
        sentence = said(keyed(tabs["demo"], "sentence"))
        restarted(server, *tabs.values())
        yield Outlived(tabs, sentence)
    server.stop()


def says_that_files_are_gone(page: Page) -> None:
    """No verdict of the demo is shown."""
    settled(page)
    page.get_by_role("heading", name=style.GONE).wait_for()
    assert page.get_by_text(style.DEMO_BADGE, exact=True).count() == 0


def test_a_tab_that_outlives_its_server_never_shows_another_comparison(outlived: Outlived) -> None:
    """After a restart a click on another page says that the files are gone, and so do the next one and a reload of
    that; no verdict of the demo is shown.
    """
    page = outlived.tabs["files"]
    for link in (queries.QUERIES, style.DATA):
        page.get_by_role("link", name=link).first.click()
        says_that_files_are_gone(page)
    page.reload()
    says_that_files_are_gone(page)


def test_a_tab_of_the_demo_that_outlives_its_server_shows_the_demo_again(outlived: Outlived) -> None:
    """After a restart a click on another page shows that page of the demo."""
    page = outlived.tabs["demo"]
    page.get_by_role("link", name=style.DATA).first.click()
    page.get_by_text(style.DEMO_BADGE, exact=True).wait_for()
    page.get_by_role("link", name=style.VERDICT, exact=True).click()
    says(keyed(page, "sentence"), outlived.sentence)
