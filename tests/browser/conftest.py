"""A running dashboard and a real browser, once for all browser tests; a fresh page for each."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.browser.waiting import WAIT_MILLISECONDS, watched

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

ROOT = Path(__file__).parents[2]
START_SECONDS = 120
STOP_SECONDS = 60


def free_port() -> int:
    """A port that nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def is_healthy(url: str) -> bool:
    """Whether the server says that it is ready."""
    try:
        with urllib.request.urlopen(f"{url}/_stcore/health", timeout=1) as answer:
            return bool(answer.status == 200)
    except OSError:
        return False


@pytest.fixture(scope="session")
def app_url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a dashboard of our own, started for these tests and stopped after them."""
    port = free_port()
    url = f"http://127.0.0.1:{port}"
    options = {"port": port, "address": "127.0.0.1", "headless": "true", "fileWatcherType": "none"}
    command = [sys.executable, "-m", "streamlit", "run", "app.py", *(f"--server.{k}={v}" for k, v in options.items())]
    log = tmp_path_factory.mktemp("app") / "log.txt"
    with log.open("wb") as output:
        server = subprocess.Popen(command, cwd=ROOT, stdout=output, stderr=subprocess.STDOUT)
    try:
        deadline = time.monotonic() + START_SECONDS
        while not is_healthy(url):
            if server.poll() is not None or time.monotonic() > deadline:
                pytest.fail(f"The dashboard did not start:\n{log.read_text(errors='replace')}")
            time.sleep(0.1)
        yield url
    finally:
        server.terminate()
        server.wait(timeout=STOP_SECONDS)


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
