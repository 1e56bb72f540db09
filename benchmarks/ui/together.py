"""Twenty sessions at once: three in browsers, the others over the wire. Each opens, filters and edits, again and again.

Four share a comparison, and each edits a query of its own; what a session typed last has to be there in the end.
"""

from __future__ import annotations

import random
import statistics
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

from benchmarks.store.large import large
from benchmarks.ui import driving
from benchmarks.ui.client import session
from benchmarks.ui.servers import Server
from rankdash.store import Settings, State, Store

BROWSERS, WIRES, SECONDS = 3, 17, 120.0
#: Comparisons, their queries and documents, and how many documents a session grades.
COMPARISONS, QUERIES, DEPTH, ROWS = 5, 300, 10, 5
#: Seconds between two things that somebody does: people look at an answer before they go on.
_PAUSE = (4.0, 10.0)
_GRADE = 1  # where the column stands in the editor


@dataclass
class Person:
    """One session, where it works, and what came of it: milliseconds of answers, the grades typed by row, errors."""

    number: int
    comparison: str
    answers: list[float] = field(default_factory=list)
    typed: dict[int, float] = field(default_factory=dict)
    edits: int = 0
    errors: list[str] = field(default_factory=list)

    @property
    def query(self) -> str:
        """The query that nobody else edits."""
        return f"query-{self.number}"

    def next_grade(self) -> tuple[int, float]:
        """A row, and a grade that it did not have."""
        self.edits += 1
        return self.edits % ROWS, 1 + self.edits / 100


@dataclass(frozen=True)
class Together:
    """Milliseconds of answers in a browser alone, and in all browsers together; what everybody did; what went wrong."""

    alone: Sequence[float]
    beside: Sequence[float]
    seconds: float
    answers: int
    edits: int
    errors: tuple[str, ...]
    lost: tuple[str, ...]

    @property
    def ratio(self) -> float:
        """How many times longer an answer takes, of which 95% are quicker."""
        return ninety_five(self.beside) / ninety_five(self.alone)


def ninety_five(times: Sequence[float]) -> float:
    """The time that 95% are quicker than; 0 without any."""
    return statistics.quantiles(times, n=20, method="inclusive")[-1] if len(times) > 1 else sum(times)


def together(app: Server, log: Path, path: str, seconds: float = SECONDS) -> Together:
    """What sessions do to a server that saves in "home" beside its log; ``path`` is the browser to start."""
    store = Store.open(Settings(log.parent / "home"))
    content = large(QUERIES, DEPTH)
    ids = [store.create(content, State(f"comparison {n}", "A", "B")).id for n in range(COMPARISONS)]
    people = [Person(n, ids[n % COMPARISONS]) for n in range(BROWSERS + WIRES + 1)]
    with ThreadPoolExecutor(BROWSERS + WIRES) as several:  # a thread has one Playwright, and this one may have it
        several.submit(_in_browser, app, people[-1], path, time.monotonic() + seconds / 2).result()
        ends = time.monotonic() + seconds
        working = [several.submit(_coming, app, one, path, seconds / 100, ends) for one in people[:-1]]
    for one, work in zip(people, working, strict=False):
        one.errors += [repr(error)] if (error := work.exception()) is not None else []
    printed = log.read_text(errors="replace")
    errors = [f"session {one.number}: {error}" for one in people for error in one.errors]
    return Together(
        people[-1].answers,
        [took for one in people[:BROWSERS] for took in one.answers],
        seconds,
        sum(len(one.answers) for one in people[:-1]),
        sum(one.edits for one in people[:-1]),
        (*errors, *(["the server printed a traceback"] if "Traceback" in printed else [])),
        tuple(_lost(store, one) for one in people if _lost(store, one)),
    )


def _lost(store: Store, one: Person) -> str:
    """What is wrong with the grades of one session in the end; "" where each is as it was typed last."""
    edits = store.load(one.comparison).state.history.edits
    found = {edit.doc_id: edit.after for edit in edits if edit.query_id == one.query}
    there, wanted = sorted(value or 0.0 for value in found.values()), sorted(one.typed.values())
    return "" if there == wanted else f"session {one.number}: typed {wanted}, found {there}"


def _coming(app: Server, one: Person, path: str, apart: float, ends: float) -> None:
    """One of the sessions, which come one after another, so many seconds apart: each opens what it works on."""
    time.sleep(one.number * apart)
    if one.number < BROWSERS:
        _in_browser(app, one, path, ends)
    else:
        _over_the_wire(app, one, ends)


def _over_the_wire(app: Server, one: Person, ends: float) -> None:
    """A session without a browser, until the time is over."""
    pauses = random.Random(one.number)
    while time.monotonic() < ends:
        with session(app.url, f"comparison={one.comparison}", "queries") as client:
            one.answers.append(1000 * client.type_text("query_text", f"query-{pauses.randrange(QUERIES)}"))
            one.errors += client.errors
        time.sleep(pauses.uniform(*_PAUSE))
        with session(app.url, f"comparison={one.comparison}&query={one.query}", "edit") as client:
            for _ in range(3):
                row, grade = one.next_grade()
                one.answers.append(1000 * client.type_cell("edit_a_", row, "grade", grade))
                one.typed[row] = grade
                time.sleep(pauses.uniform(*_PAUSE))
            one.errors += client.errors


def _in_browser(app: Server, one: Person, path: str, ends: float) -> None:
    """A session in a browser of its own, until the time is over."""
    from playwright.sync_api import sync_playwright

    pauses = random.Random(one.number)
    address = f"{app.url}/{{page}}?comparison={one.comparison}"
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path)
        while time.monotonic() < ends:
            page = driving.opened(browser, address.format(page="queries"), ".st-key-query_text input")
            word = f"query-{pauses.randrange(100, QUERIES)}"
            one.answers.append(driving.search(page, "query_text", word, "query_one"))
            one.errors += driving.exceptions(page)
            page.context.close()
            complete = ".st-key-edit_lists tbody tr"
            page = driving.opened(browser, f"{address.format(page='edit')}&query={one.query}", complete)
            for _ in range(3):
                row, grade = one.next_grade()
                one.answers.append(driving.type_grade(page, "edit_lists", _GRADE, row, f"{grade:g}", "edit_log"))
                one.typed[row] = grade
                time.sleep(pauses.uniform(*_PAUSE))
            one.errors += driving.exceptions(page)
            page.context.close()
        browser.close()
