"""A server that is killed and started again under an open tab."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from rankdash import style
from rankdash.style import method, queries
from tests.browsed import judgments_csv, run_csv
from tests.browser.conftest import ROOT, START_SECONDS, STOP_SECONDS, free_port, is_healthy
from tests.browser.pages import compare_new, first_visit, keyed, said, start_with
from tests.browser.waiting import says, settled

if TYPE_CHECKING:
    from playwright.sync_api import Page


@contextmanager
def server(port: int) -> Iterator[str]:
    """A dashboard of our own, killed at the end."""
    options = {"port": port, "address": "127.0.0.1", "headless": "true", "fileWatcherType": "none"}
    command = [sys.executable, "-m", "streamlit", "run", "app.py", *(f"--server.{k}={v}" for k, v in options.items())]
    process = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    url = f"http://127.0.0.1:{port}"
    try:
        deadline = time.monotonic() + START_SECONDS
        while not is_healthy(url):
            assert process.poll() is None
            assert time.monotonic() < deadline
            time.sleep(0.1)
        yield url
    finally:
        process.kill()
        process.wait(timeout=STOP_SECONDS)


def test_a_tab_that_outlives_its_server_never_shows_another_comparison(page: Page, tmp_path: Path) -> None:
    """After a restart a click on another page says that the files are gone; no verdict of the demo is shown."""
    files = {"a": tmp_path / "old.csv", "b": tmp_path / "new.csv", "judgments": tmp_path / "grades.csv"}
    for name, content in (("a", run_csv(False)), ("b", run_csv(True)), ("judgments", judgments_csv())):
        files[name].write_bytes(content)
    port = free_port()
    with server(port) as url:
        start_with(page, url, files)
    with server(port):
        page.wait_for_timeout(4_000)  # the tab connects again by itself
        page.get_by_role("link", name=queries.QUERIES).first.click()
        page.get_by_role("heading", name=style.GONE).wait_for()
        assert page.get_by_text(style.DEMO_BADGE, exact=True).count() == 0


@pytest.mark.parametrize("turned", [False, True])
def test_a_tab_of_the_demo_that_outlives_its_server_shows_the_demo_again(page: Page, turned: bool) -> None:
    """After a restart a click on another page shows that page of the demo, swapped where it was."""
    port = free_port()
    with server(port) as url:
        first_visit(page, url)
        if turned:
            keyed(page, "swap").get_by_role("button").click()
            says(keyed(page, "banner"), "No launch")
        settled(page)
        before = said(keyed(page, "sentence"))
    with server(port):
        page.wait_for_timeout(4_000)  # the tab connects again by itself
        page.get_by_role("link", name=style.DATA).first.click()
        page.get_by_text(style.DEMO_BADGE, exact=True).wait_for()
        page.get_by_role("link", name=style.VERDICT, exact=True).click()
        says(keyed(page, "sentence"), before)


def test_a_tab_that_showed_the_demo_before_an_upload_says_that_the_files_are_gone(page: Page, tmp_path: Path) -> None:
    """What was open last counts, on whichever page the server was lost."""
    files = {"a": tmp_path / "old.csv", "b": tmp_path / "new.csv", "judgments": tmp_path / "grades.csv"}
    for name, content in (("a", run_csv(False)), ("b", run_csv(True)), ("judgments", judgments_csv())):
        files[name].write_bytes(content)
    port = free_port()
    with server(port) as url:
        first_visit(page, url)
        compare_new(page, files)
        page.get_by_role("link", name=method.METHOD).first.click()
        keyed(page, "section").wait_for()
        settled(page)
    with server(port):
        page.wait_for_timeout(4_000)
        page.get_by_role("link", name=style.VERDICT, exact=True).click()
        page.get_by_role("heading", name=style.GONE).wait_for()
        assert page.get_by_text(style.DEMO_BADGE, exact=True).count() == 0
