"""A running dashboard and a real browser, once for all browser tests; a fresh page for each."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

from tests.browser.serving import Server
from tests.browser.waiting import WAIT_MILLISECONDS, watched

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page


@pytest.fixture(scope="session")
def app_url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a dashboard of our own, started for these tests and stopped after them."""
    server = Server(tmp_path_factory.mktemp("app") / "log.txt")
    yield server.url
    server.stop()


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
        browser = playwright.chromium.launch(executable_path=path)
        yield browser
        browser.close()


@pytest.fixture
def console_errors() -> list[str]:
    """What the page of this test has written to the console as an error, or thrown, so far."""
    return []


@pytest.fixture
def page(browser: Browser, console_errors: list[str]) -> Iterator[Page]:
    """An empty page of 1440 by 900 points, with nothing remembered from other tests."""
    context = watched(
        browser.new_context(viewport={"width": 1440, "height": 900}, locale="en-US", accept_downloads=True)
    )
    page = context.new_page()
    page.on("console", lambda message: console_errors.append(message.text) if message.type == "error" else None)
    page.on("pageerror", lambda error: console_errors.append(str(error)))
    yield page
    context.close()
