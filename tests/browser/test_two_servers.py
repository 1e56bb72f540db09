"""Two dashboards of one store, each with a browser: what is saved on one is there on the other."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from rankdash.style import editing, saving
from scripts.find_postgres import installed
from tests.browser.pages import keyed, start_with
from tests.browser.serving import Server
from tests.browser.test_saved import edit_grade, files, id_of, verdict
from tests.browser.waiting import settled
from tests.store.postgres import new_database, running

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.long

__all__ = ["files"]


def two_servers(folder: Path, database: str = "") -> Iterator[tuple[Server, Server]]:
    """Two dashboards that save in one place, until the tabs are closed."""
    with ExitStack() as started:
        servers = [Server(folder / f"log{n}.txt", folder / "home", database) for n in range(2)]
        for server in servers:
            started.callback(server.stop)
        yield servers[0], servers[1]


@pytest.fixture
def servers(tmp_path: Path) -> Iterator[tuple[Server, Server]]:
    """Two dashboards of one SQLite."""
    yield from two_servers(tmp_path)


@pytest.fixture
def postgres() -> Iterator[str]:
    """The URL of an empty database in PostgreSQL."""
    folder = installed()
    assert folder
    with running(Path(folder)) as url:
        yield new_database(url, "store")


@pytest.fixture
def servers_of_postgres(tmp_path: Path, postgres: str) -> Iterator[tuple[Server, Server]]:
    """Two dashboards of one PostgreSQL."""
    yield from two_servers(tmp_path, postgres)


def edits(page: Page, number: int) -> None:
    """Waits until the page lists so many edits."""
    page.get_by_text(f"{editing.EDITS} {number}").wait_for()


def walk(servers: tuple[Server, Server], page: Page, other: Page, files: dict[str, Path]) -> None:
    """What is opened on one server is opened by its link on the other; both edit other queries, then one document."""
    first, second = servers
    start_with(page, first.url, files)
    before, comparison = verdict(page), id_of(page)
    other.goto(page.url.replace(first.url, second.url))
    assert verdict(other) == before
    for tab, server, query in ((page, first, "q1"), (other, second, "q2")):
        tab.goto(f"{server.url}/edit?comparison={comparison}&query={query}")
        keyed(tab, "edit_lists").wait_for()
        settled(tab)
    edit_grade(page, 4, "1")
    edits(page, 1)
    edit_grade(other, 3, "3")
    edits(other, 2)
    edit_grade(page, 3, "3")
    edits(page, 3)
    other.goto(f"{second.url}/edit?comparison={comparison}&query=q1")
    edits(other, 3)
    edit_grade(page, 1, "2")
    edits(page, 4)
    edit_grade(other, 1, "1")
    other.get_by_text(saving.CLASH[True]).wait_for()
    keyed(other, "clash_earlier").get_by_role("button").click()
    other.get_by_text(saving.CLASH[True]).wait_for(state="detached")
    edits(other, 4)


def test_two_servers_of_one_file_show_what_the_other_saved(
    servers: tuple[Server, Server], page: Page, other: Page, files: dict[str, Path]
) -> None:
    """On SQLite a link opens on another server of the same store, edits of both are seen at the next event of each,
    and of two grades of one document the later one is asked about.
    """
    walk(servers, page, other, files)


def test_two_servers_of_one_postgresql_show_what_the_other_saved(
    servers_of_postgres: tuple[Server, Server], page: Page, other: Page, files: dict[str, Path]
) -> None:
    """The same where the records are in PostgreSQL."""
    walk(servers_of_postgres, page, other, files)
