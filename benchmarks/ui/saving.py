"""What saving costs the pages: an edit that is saved beside one that is not, and History with many comparisons."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from benchmarks.ui import driving
from benchmarks.ui.client import Client, session
from benchmarks.ui.journeys import Pair
from benchmarks.ui.servers import Server, serving
from rankdash.store import Settings, Store
from tests.store.journal.rows import results

if TYPE_CHECKING:
    from playwright.sync_api import Browser

ROOT = Path(__file__).parents[2]
COMPARISONS, RESULTS = 10_000, 3
#: How often a grade of the demo is edited; the first edit makes its record, and does not count.
EDITS = 60
#: Seconds after an answer in which the server ends what it began.
_AFTER = 0.1
_FLOOR = Path(__file__).with_name("floor_list.py")
_WORDS = ("77", "123", "weekly 5", "new42", "9999", "run 8", "base3")


def edits() -> Iterator[tuple[str, Pair]]:
    """Milliseconds that two servers take to answer an edited grade, by the clock and of processor time: one saves it,
    and one saves nothing (the floor).

    Over the wire and in turn, so that whatever else the machine does meanwhile counts in both.
    """
    with tempfile.TemporaryDirectory() as folder:
        here = Path(folder)
        with (
            serving(ROOT / "app.py", ROOT, here / "on.txt", RANKDASH_STORE="on") as on,
            serving(ROOT / "app.py", ROOT, here / "off.txt", RANKDASH_STORE="off") as off,
            session(on.url, page="edit") as saves,
            session(off.url, page="edit") as forgets,
        ):
            ours, below = (on, saves), (off, forgets)
            for server, client in (ours, below):
                _edited(server, client, 0)
            for i in range(1, EDITS + 1):
                took = {server: _edited(server, client, i) for server, client in ((ours, below), (below, ours))[i % 2]}
                for name, *pair in zip(("saved edit", "saved edit, processor"), took[on], took[off], strict=True):
                    yield name, Pair(*pair)


def history(browser: Browser, repetitions: int) -> Iterator[tuple[str, Pair]]:
    """History with many beside a table of as many rows as one page of it: opened by its link, and searched."""
    with tempfile.TemporaryDirectory() as folder:
        here = Path(folder)
        with Store.open(Settings(here / "home")).database.writing() as connection:
            results(connection, COMPARISONS, RESULTS)
        with (
            serving(_FLOOR, here, here / "floor.txt") as floor,
            serving(ROOT / "app.py", ROOT, here / "app.txt", RANKDASH_STORE="on") as app,
        ):
            ours = driving.opened(browser, f"{app.url}/method", "h3")
            below = driving.opened(browser, floor.url, "text=hello")
            for i in range(repetitions):
                opened = [driving.open_page(page, "History", "history_list") for page in (below, ours)]
                yield "history", Pair(opened[1], opened[0])
                word = _WORDS[i % len(_WORDS)]
                found = [driving.search(page, "history_words", word, "history_list") for page in (below, ours)]
                yield "search", Pair(found[1], found[0])
                for page in (below, ours):
                    page.get_by_role("link", name="Method", exact=True).click()
                    driving.keyed(page, "history_list").wait_for(state="detached")
                    driving.quiet(page)


def _edited(server: Server, client: Client, number: int) -> tuple[float, float]:
    """Milliseconds of a grade that no earlier edit has given: by the clock, and of the server's processor time."""
    before = server.own_time()
    took = client.type_cell("edit_a_", number % 10, "grade", 1 + number / 100)
    time.sleep(_AFTER)
    return 1000 * took, 1000 * (server.own_time() - before)
