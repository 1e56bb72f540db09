"""A million scored queries in the dashboard: how long until the verdict stands, and how each thing is answered."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import time
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from benchmarks.scale.works import Data
from benchmarks.ui import driving, journeys
from benchmarks.ui.journeys import Pair
from benchmarks.ui.servers import Server, serving

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

    from benchmarks.ui.limits import Results

ROOT = Path(__file__).parents[2]
_FLOOR = Path(__file__).with_name("floor.py")
_COMPLETE, _CHART = ".st-key-query_chart .bars .point", ".bars .point"
_MEASURES = ("AP", "nDCG@1", "RR", "nDCG@10")
_OUTCOMES = ("B wins", "B loses", "Tied", "All")


def million(browser: Browser, here: Path, work: Path, queries: int, repetitions: int, results: Results) -> None:
    """Make the scored queries, save them as ``rankdash DIR`` does, and open them in a browser that was never there: on
    a server that has shown nothing yet, and on one that has shown the demo.
    """
    data = Data("scored", queries, 20)
    for command in data.commands(work):
        subprocess.run(command, env={**os.environ, "PYTHONPATH": str(ROOT)}, cwd=ROOT, check=True)
    home = here / "home"
    served = partial(serving, ROOT / "app.py", ROOT, RANKDASH_STORE="on", RANKDASH_HOME=str(home))
    started = time.perf_counter()
    link = _saved(work / data.name / "scored", home)
    results.million["`rankdash save`, seconds"] = time.perf_counter() - started
    with served(here / "new.txt") as app:
        results.million["from its link to the complete verdict, a new server, seconds"] = _open(browser, app, link)[1]
    with serving(_FLOOR, here, here / "floor.txt") as floor, served(here / "app.txt") as app:
        driving.opened(browser, app.url, _COMPLETE).context.close()
        page, seconds = _open(browser, app, link)
        results.million["from its link to the complete verdict, a server in use, seconds"] = seconds
        _act(browser, page, f"{floor.url}/?bars=400", repetitions, results)
        results.million["the most memory of the server, MB"] = app.memory("VmHWM") or 0.0


def _open(browser: Browser, app: Server, link: str) -> tuple[Page, float]:
    """The page that a link opens, and seconds from its address to the last frame that looked different."""
    page = driving.opened(browser, f"{app.url}/?{link}", _COMPLETE)
    return page, driving.painted(page)


def _saved(folder: Path, home: Path) -> str:
    """The query of the link that ``rankdash save`` prints."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "RANKDASH_HOME": str(home), "RANKDASH_STORE": "on"}
    command = [sys.executable, "-m", "rankdash", "save", str(folder)]
    printed = subprocess.run(command, env=environment, stdout=subprocess.PIPE, text=True, check=True).stdout
    found = re.search(r"comparison=\w+", printed)
    if found is None:
        raise RuntimeError(f"rankdash save printed no link: {printed[:200]}")
    return found[0]


def _act(browser: Browser, page: Page, floor_url: str, repetitions: int, results: Results) -> None:
    """Clicks on both pages, other measures, filters and searches, each beside the floor."""
    floor = driving.opened(browser, floor_url, _CHART)
    for name, pair in journeys.clicks(page, floor, "query_chart", "query_panel", repetitions):
        results.add("million", f"{name} on the verdict page", pair)
    journeys.to_queries(page)
    for name, pair in journeys.clicks(page, floor, "view_sorted", "query_one", repetitions):
        results.add("million", f"{name} on the queries page", pair)
    for i in range(repetitions):
        below = driving.choose_option(floor, "convention", f"convention {1 + i % 3}", "number")
        measure = _MEASURES[i % len(_MEASURES)]
        results.add("million", "measure", Pair(_chosen(page, measure), below))
        below = driving.choose_button(floor, "k", ("5", "3", "20", "1")[i % 4], "number")
        outcome = _OUTCOMES[i % len(_OUTCOMES)]
        ours = driving.choose_button(page, "query_outcome", outcome, "query_one")
        results.add("million", "filter", Pair(ours, below))
        below = driving.choose_button(floor, "k", ("10", "100")[i % 2], "number")
        ours = driving.search(page, "query_text", f"q{i + 1}7", "query_one")
        results.add("million", "search in queries", Pair(ours, below))
    floor.context.close()


def _chosen(page: Page, measure: str) -> float:
    return driving.choose_option(page, "measure_scored", measure, "view_controls")
