"""Twenty sessions at once: three in browsers, the others over the wire. Each opens, filters and edits, again and again.

Four share a comparison, and each edits a query of its own; what a session typed last has to be there in the end.
"""

from __future__ import annotations

import os
import random
import statistics
import time
from collections.abc import Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

from benchmarks.store.large import large
from benchmarks.ui import driving
from benchmarks.ui.client import session
from benchmarks.ui.servers import Server, processor_time
from rankdash.store import Settings, State, Store

BROWSERS, WIRES, SECONDS = 3, 17, 120.0
#: Comparisons, their queries and documents, and how many documents a session grades.
COMPARISONS, QUERIES, DEPTH, ROWS = 5, 300, 10, 5
#: Seconds between two things that somebody does: to read two lists and to judge a document takes that long.
PACE = (10.0, 20.0)
#: The same of the one who is alone: how long he waits changes no answer, and there are more of them.
_ALONE = (1.0, 2.0)
#: Sessions without a pause that show what the server can do, and for how long.
BUSY, _BUSY_SECONDS = 4, 20.0
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
    """Milliseconds of answers in a browser alone, in all browsers together, and over the wire; what everybody did; what
    went wrong.
    """

    alone: Sequence[float]
    beside: Sequence[float]
    wire: Sequence[float]
    seconds: float
    edits: int
    #: How many processors the server, the browsers and the sessions over the wire took.
    shares: Mapping[str, float]
    #: Answers in a second where ``BUSY`` sessions make no pause, and the processor time of the server for each.
    most: float
    each: float
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
    people = [Person(n, ids[n % COMPARISONS]) for n in range(BROWSERS + WIRES + 2 + BUSY)]
    working, (alone, first), busy = people[: BROWSERS + WIRES], people[BROWSERS + WIRES :][:2], people[-BUSY:]
    with ThreadPoolExecutor(len(working)) as several:  # a thread has one Playwright, and this one may have it
        several.submit(_over_the_wire, app, first, time.monotonic() + 1, _ALONE).result()  # what is loaded only once
        several.submit(_in_browser, app, alone, path, time.monotonic() + 0.75 * seconds, _ALONE).result()
        before, ends = _processor_time(app), time.monotonic() + seconds
        _all_done(working, [several.submit(_coming, app, one, path, seconds / 100, ends) for one in working])
        took = time.monotonic() - ends + seconds
        shares = {name: (value - before[name]) / took for name, value in _processor_time(app).items()}
        before, ends = _processor_time(app), time.monotonic() + _BUSY_SECONDS
        _all_done(busy, [several.submit(_over_the_wire, app, one, ends, (0, 0)) for one in busy])
        took, answers = _processor_time(app)["server"] - before["server"], sum(len(one.answers) for one in busy)
    printed = log.read_text(errors="replace")
    errors = [f"session {one.number}: {error}" for one in people for error in one.errors]
    return Together(
        alone.answers,
        [took for one in working[:BROWSERS] for took in one.answers],
        [took for one in working[BROWSERS:] for took in one.answers],
        seconds,
        sum(one.edits for one in working),
        shares,
        answers / _BUSY_SECONDS,
        1000 * took / max(answers, 1),
        (*errors, *(["the server printed a traceback"] if "Traceback" in printed else [])),
        tuple(_lost(store, one) for one in people if _lost(store, one)),
    )


def _all_done(people: Sequence[Person], working: Sequence[Future[None]]) -> None:
    """Waits until all have done their work; what stopped one is one of its errors."""
    for one, work in zip(people, working, strict=True):
        one.errors += [repr(error)] if (error := work.exception()) is not None else []


def _processor_time(app: Server) -> dict[str, float]:
    """Seconds of processor time so far: of the server, the browsers, and this process, which is the other sessions."""
    server, own = app.processor_time(), time.process_time()
    return {"server": server, "browsers": processor_time(os.getpid()) - server - own, "other sessions": own}


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
        _in_browser(app, one, path, ends, PACE)
    else:
        _over_the_wire(app, one, ends, PACE)


def _over_the_wire(app: Server, one: Person, ends: float, pace: tuple[float, float]) -> None:
    """A session without a browser, until the time is over."""
    chance = random.Random(one.number)

    def pause() -> None:
        time.sleep(max(0.0, min(chance.uniform(*pace), ends - time.monotonic())))

    while time.monotonic() < ends:
        with session(app.url, f"comparison={one.comparison}", "queries") as client:
            one.answers.append(1000 * client.type_text("query_text", f"query-{chance.randrange(QUERIES)}"))
            one.errors += client.errors
        pause()
        with session(app.url, f"comparison={one.comparison}&query={one.query}", "edit") as client:
            for _ in range(3):
                row, grade = one.next_grade()
                one.answers.append(1000 * client.type_cell("edit_a_", row, "grade", grade))
                one.typed[row] = grade
                pause()
            one.errors += client.errors


def _in_browser(app: Server, one: Person, path: str, ends: float, pace: tuple[float, float]) -> None:
    """A session in a browser of its own, until the time is over."""
    from playwright.sync_api import sync_playwright

    chance = random.Random(one.number)
    address = f"{app.url}/{{page}}?comparison={one.comparison}"

    def pause() -> None:
        time.sleep(max(0.0, min(chance.uniform(*pace), ends - time.monotonic())))

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path)
        while time.monotonic() < ends:
            page = driving.opened(browser, address.format(page="queries"), ".st-key-query_text input")
            word = f"query-{chance.randrange(100, QUERIES)}"
            one.answers.append(driving.search(page, "query_text", word, "query_one"))
            one.errors += driving.exceptions(page)
            pause()
            page.context.close()
            complete = ".st-key-edit_lists tbody tr"
            page = driving.opened(browser, f"{address.format(page='edit')}&query={one.query}", complete)
            for _ in range(3):
                row, grade = one.next_grade()
                one.answers.append(driving.type_grade(page, "edit_lists", _GRADE, row, f"{grade:g}", "edit_log"))
                one.typed[row] = grade
                pause()
            one.errors += driving.exceptions(page)
            page.context.close()
        browser.close()
