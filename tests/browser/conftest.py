"""A running dashboard and a real browser, once for all browser tests; a fresh page for each."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.browsed import written
from tests.browser.pages import first_visit
from tests.browser.serving import Server
from tests.browser.tabs import ONE_PROCESS, PAGES_ALONE, shared, tab
from tests.browser.waiting import WAIT_MILLISECONDS

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, Page


@pytest.fixture(scope="session")
def app_url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a dashboard of our own, started for these tests and stopped after them."""
    server = Server(tmp_path_factory.mktemp("app") / "log.txt")
    yield server.url
    server.stop()


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a store, for the tests of one file."""
    return tmp_path_factory.mktemp("saved") / "home"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory, home: Path) -> Iterator[Server]:
    """A dashboard that saves comparisons there."""
    server = Server(tmp_path_factory.mktemp("server") / "log.txt", home)
    yield server
    server.stop()


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Two runs and their judgments."""
    return written(tmp_path_factory.mktemp("files"))


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """A headless Chrome or Chromium: the one that RANKDASH_BROWSER names, or one found here."""
    from playwright.sync_api import expect, sync_playwright

    from scripts.find_browser import NONE_TO_BE_HAD, installed

    path = os.environ.get("RANKDASH_BROWSER") or installed()
    if path is None:
        pytest.fail(NONE_TO_BE_HAD)
    expect.set_options(timeout=WAIT_MILLISECONDS)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=[ONE_PROCESS, PAGES_ALONE])
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def profile(browser: Browser) -> Iterator[BrowserContext]:
    """What the tabs of these tests share."""
    yield from shared(browser)


@pytest.fixture(scope="session")
def other_profile(browser: Browser) -> Iterator[BrowserContext]:
    """What the tabs of another browser share, which knows nothing of the first."""
    yield from shared(browser)


@pytest.fixture
def console_errors() -> list[str]:
    """What the page of this test has written to the console as an error, or thrown, so far."""
    return []


@pytest.fixture
def page(profile: BrowserContext, console_errors: list[str]) -> Iterator[Page]:
    """An empty page of 1440 by 900 points, with nothing remembered from other tests."""
    with tab(profile, console_errors) as page:
        yield page


@pytest.fixture
def other_page(profile: BrowserContext, console_errors: list[str]) -> Iterator[Page]:
    """A second page: what somebody sees who got an address."""
    with tab(profile, console_errors) as page:
        yield page


@pytest.fixture
def other(other_profile: BrowserContext, console_errors: list[str]) -> Iterator[Page]:
    """A page of another browser, which remembers nothing of the first."""
    with tab(other_profile, console_errors) as page:
        yield page


@pytest.fixture(scope="module")
def shared_errors() -> list[str]:
    """The console of the page that the tests of a file share."""
    return []


@pytest.fixture(scope="module")
def visited(shared_page: Page, app_url: str) -> Page:
    """That page, on the demo's verdict."""
    first_visit(shared_page, app_url)
    return shared_page


@pytest.fixture(scope="module")
def shared_page(profile: BrowserContext, shared_errors: list[str]) -> Iterator[Page]:
    """A page for the tests of one file that walk the same road: loading the dashboard takes most of a short test."""
    with tab(profile, shared_errors) as page:
        yield page
