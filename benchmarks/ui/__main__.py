"""``python -m benchmarks.ui [--reps 7] [--work FOLDER] [--small] [--write]``.

Drives the dashboard and the floor app in one browser, in turn, and holds what is measured against the limits. Exit
status: 0; 1 where a limit is missed.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from benchmarks.markdown import write_between
from benchmarks.ui import driving, journeys
from benchmarks.ui.limits import Results, report
from benchmarks.ui.servers import Server, serving

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

ROOT = Path(__file__).parents[2]
README = ROOT / "benchmarks" / "README.md"
FLOOR = Path(__file__).with_name("floor.py")
#: What is on the first page when it is complete, and on the floor's.
FIRST, CHART = ".st-key-query_chart .bars .point", ".bars .point"


def main() -> int:
    """Measure, print, and keep the tables where that is asked for."""
    options = _options()
    from playwright.sync_api import sync_playwright

    from scripts.find_browser import NONE_TO_BE_HAD, find

    path = find()
    if path is None:
        raise SystemExit(NONE_TO_BE_HAD)
    if not options.small:
        _generate(options.work)
    started = time.perf_counter()
    results = Results()
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        here = Path(folder)
        browser = playwright.chromium.launch(executable_path=path)
        with _both(here) as (app, floor):
            _demo(browser, app, floor, options.reps, results)
        if not options.small:
            with _both(here) as (app, floor):
                _large(browser, app, floor, options, results)
        browser.close()
    text = report(results, options.reps, time.perf_counter() - started)
    print(text)
    if options.write:
        write_between(README, "ui", text)
    return int(results.missed)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.ui", description="How fast the pages answer.")
    parser.add_argument("--reps", type=int, default=7, help="repetitions of each action")
    parser.add_argument("--work", type=Path, default=ROOT / "benchmarks" / ".work", help="folder of the generated data")
    parser.add_argument("--small", action="store_true", help="the demo alone, for a quick look")
    parser.add_argument("--write", action="store_true", help="keep the table in benchmarks/README.md")
    return parser.parse_args()


def _served(folder: Path) -> AbstractContextManager[Server]:
    """The dashboard."""
    return serving(ROOT / "app.py", ROOT, folder / "app.txt")


@contextmanager
def _both(folder: Path) -> Iterator[tuple[Server, Server]]:
    """The dashboard and the floor app."""
    large = {"STREAMLIT_SERVER_MAX_UPLOAD_SIZE": "500"}  # MB, as the dashboard takes
    with serving(FLOOR, folder, folder / "floor.txt", **large) as floor, _served(folder) as app:
        yield app, floor


def _generate(work: Path) -> None:
    """The large set, made in a process of its own."""
    command = [sys.executable, str(ROOT / "benchmarks" / "generate.py"), "--work", str(work), "--sets", "large"]
    subprocess.run(command, stdout=sys.stderr, check=True)


def _demo(browser: Browser, app: Server, floor: Server, repetitions: int, results: Results) -> None:
    """First pages, views, clicks and edits of the demo."""
    load = partial(_load, browser)
    results.first = (load(app.url), load(f"{floor.url}/?bars=296"))
    for name, pair in journeys.loads(load, app.url, f"{floor.url}/?bars=296", repetitions):
        results.add("demo", name, pair)
    page = driving.opened(browser, app.url, FIRST)
    _actions("demo", browser, page, f"{floor.url}/?bars=296", 10, repetitions, results)


def _large(browser: Browser, app: Server, floor: Server, options: argparse.Namespace, results: Results) -> None:
    """The same with 7,000 queries of 1,000 results, uploaded like any file; and the memory of the server."""
    page = driving.opened(browser, f"{app.url}/?c=none", ".st-key-lost_compare")
    files = [options.work / "large" / name for name in ("a.trec", "b.trec", "qrels.txt")]
    receiving = driving.opened(browser, f"{floor.url}/?upload=1", ".st-key-files")
    results.receipt = driving.receive(receiving, files)
    receiving.context.close()
    results.upload = driving.upload(page, files, FIRST)
    results.memory["the most until the verdict"] = app.memory("VmHWM")
    results.memory["loaded"] = app.memory("VmRSS")
    _actions("large", browser, page, f"{floor.url}/?bars=400", 1_000, options.reps, results)
    results.memory["pages visited, grades edited"] = app.memory("VmRSS")
    for state in range(4):
        driving.type_rank(page, state)
    results.memory["four more states, lists edited"] = app.memory("VmRSS")
    results.memory["the most at any time"] = app.memory("VmHWM")


def _actions(
    size: str, browser: Browser, page: Page, floor_url: str, rows: int, repetitions: int, results: Results
) -> None:
    """Clicks, views and a dialog on the queries page, edited grades."""
    floor = driving.opened(browser, floor_url, CHART)
    journeys.to_queries(page)
    for name, pair in journeys.clicks(page, floor, "view_sorted", "query_panel", repetitions):
        results.add(size, f"{name} on the queries page", pair)
    for journey in (journeys.views, journeys.dialogs):
        for name, pair in journey(page, floor, repetitions):
            results.add(size, name, pair)
    floor.context.close()
    editing = driving.opened(browser, f"{floor_url}&rows={rows}", CHART)
    for name, pair in journeys.edits(page, editing, repetitions):
        results.add(size, name, pair)
    editing.context.close()


def _load(browser: Browser, url: str) -> float:
    return driving.cold_load(browser, url, CHART if "bars=" in url else FIRST)


if __name__ == "__main__":
    sys.exit(main())
