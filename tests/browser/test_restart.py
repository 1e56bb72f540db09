"""A server that is killed and started again under an open tab."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from rankdash import style
from rankdash.style import queries
from tests.browsed import judgments_csv, run_csv
from tests.browser.conftest import ROOT, START_SECONDS, STOP_SECONDS, free_port, is_healthy
from tests.browser.pages import start_with

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
