"""``python -m benchmarks.store [--kills 200] [--only kills faults saving large listing] [--write]``.

Kills writers, interrupts them at each of their calls, and times saving, opening and listing; prints each number with
its limit. Exit status: 0; 1 where a limit is missed.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from benchmarks.markdown import table, write_between
from benchmarks.store.faults import OPERATIONS, interrupted
from benchmarks.store.kills import killed
from benchmarks.store.large import large
from benchmarks.store.points import FAULTS
from rankdash.edits import Edit
from rankdash.scoring import Comparison
from rankdash.store import Search, Settings, State, Store, comparison_of
from rankdash.verdict import decide
from scripts.find_postgres import installed
from tests.store.journal.rows import results
from tests.store.postgres import new_database, running

README = Path(__file__).parents[1] / "README.md"
SAVES, LISTINGS, COMPARISONS, RESULTS = 300, 20, 10_000, 3
#: How often a large comparison is opened: the median counts.
OPENINGS = 5


@dataclass(frozen=True)
class Measured:
    """One number, and the most that it may be; None: it is only told."""

    what: str
    value: float
    unit: str
    limit: float | None = None

    @property
    def is_missed(self) -> bool:
        """Whether it is more than it may be."""
        return self.limit is not None and self.value > self.limit


def kills(home: Path, count: int) -> Iterator[Measured]:
    """How many comparisons do not open and how many edits are lost after kills, of one writer and of two."""
    for writers in (1, 2):
        found = killed(Settings(home / str(writers)), count, writers)
        told = f"{count} kills, {writers} {'writer' if writers == 1 else 'writers'}"
        for wrong in found.wrong[:20]:
            print(wrong, file=sys.stderr)
        yield Measured(f"{told}: saves that were acknowledged", found.acknowledged, "")
        yield Measured(f"{told}: comparisons that were made", found.comparisons, "")
        yield Measured(f"{told}: not opened, or lost", len(found.wrong), "", 0)


def faults(home: Path, _: int) -> Iterator[Measured]:
    """What is wrong after each operation was interrupted at each of its file and database calls."""
    yield from _faults("SQLite", Settings(home / "sqlite"))
    programs = installed()
    if programs is None:
        print("There is no PostgreSQL here: interrupted in SQLite alone.", file=sys.stderr)
        return
    with running(Path(programs)) as server:
        yield from _faults("PostgreSQL", Settings(home / "postgresql", new_database(server, "faults")))


def _faults(database: str, settings: Settings) -> Iterator[Measured]:
    for operation in OPERATIONS:
        tried = {fault: interrupted(settings, operation, fault) for fault in FAULTS}
        wrong = [one for found in tried.values() for one in found.wrong]
        for one in wrong[:20]:
            print(one[:500], file=sys.stderr)
        points = ", ".join(f"{fault} {found.points}" for fault, found in tried.items())
        yield Measured(f"{database}, {operation} interrupted ({points} points): lost, or half done", len(wrong), "", 0)


def saving(home: Path, _: int) -> Iterator[Measured]:
    """What saving an edit takes, from none to some hundred edits."""
    store = Store.open(Settings(home))
    saved = store.create(large(50, 20), State("x"))
    times, processor = [], time.process_time()
    for i in range(SAVES):
        edit = Edit(f"query-{i % 50}", f"d{i}", "grade", None, None, 1.0)
        state = replace(saved.state, edits=(*saved.state.edits, edit))
        began = time.perf_counter()
        saved = store.save(saved, state)
        times.append(1000 * (time.perf_counter() - began))
    worked = 1000 * (time.process_time() - processor) / SAVES
    heads = [_milliseconds(lambda: store.head(saved.id)) for _ in range(100)]
    yield Measured("saving an edit, median", statistics.median(times), "ms", 15)
    yield Measured("saving an edit, 95% are quicker", statistics.quantiles(times, n=20)[-1], "ms", 15)
    yield Measured("saving an edit, processor time", worked, "ms")
    yield Measured("asking for a newer head, median", statistics.median(heads), "ms")
    yield Measured(f"opening after {SAVES} edits", _milliseconds(lambda: Store.load(store, saved.id)), "ms")


def opening(home: Path, _: int) -> Iterator[Measured]:
    """What a comparison of 7,000 x 1,000 x 2 takes."""
    store, content = Store.open(Settings(home)), large()
    began = time.perf_counter()
    saved = store.create(content, State("x", "A", "B"))
    yield Measured("7,000 x 1,000 x 2: first save", time.perf_counter() - began, "s")
    yield Measured("7,000 x 1,000 x 2: files", sum(file.bytes for file in store.files.listed()) / 1e6, "MB")
    began = time.perf_counter()
    first = comparison_of(saved.content, saved.state)
    assert isinstance(first, Comparison)
    decide(first)
    yield Measured("7,000 x 1,000 x 2: compared, to the first verdict", time.perf_counter() - began, "s")
    known = statistics.median(_milliseconds(lambda: store.load(saved.id)) for _ in range(OPENINGS))
    loads, verdicts = [], []
    del content, first
    for _ in range(OPENINGS):
        cold = Store(store.database, store.files)
        began = time.perf_counter()
        found = cold.load(saved.id)
        loads.append(time.perf_counter() - began)
        decide(comparison_of(found.content, found.state))
        verdicts.append(time.perf_counter() - began)
        del found
    yield Measured("7,000 x 1,000 x 2: tables read", statistics.median(loads), "s")
    yield Measured("7,000 x 1,000 x 2: opened, to the verdict", statistics.median(verdicts), "s", 2)
    yield Measured("7,000 x 1,000 x 2: opened where the tables are known", known / 1000, "s", 0.3)


def listing(home: Path, _: int) -> Iterator[Measured]:
    """What lists and searches take among 10,000 comparisons, without the page around them."""
    store = Store.open(Settings(home))
    with store.database.writing() as connection:
        results(connection, COMPARISONS, RESULTS)
    searches = {
        "the newest": Search(),
        "a word": Search(words="9999"),
        "two words": Search(words="weekly 77"),
    }
    for name, search in searches.items():
        times = [_milliseconds(lambda search=search: store.listed(search)) for _ in range(LISTINGS)]  # type: ignore[misc]
        yield Measured(f"{COMPARISONS:,} comparisons: {name}, median", statistics.median(times), "ms", 150)


PARTS: dict[str, Callable[[Path, int], Iterator[Measured]]] = {
    "kills": kills,
    "faults": faults,
    "saving": saving,
    "large": opening,
    "listing": listing,
}


def main() -> int:
    """Measure, print, and keep the table where that is asked for."""
    options = _options()
    found = []
    with tempfile.TemporaryDirectory(prefix="rankdash-store-") as folder:
        for name in options.only:
            for one in PARTS[name](Path(folder, name), options.kills):
                found.append(one)
                print(*_row(one), sep="  ", flush=True)
    if options.write:
        write_between(README, "store", table(["what", "measured", "limit"], list(map(_row, found)), "lrr"))
    return int(any(one.is_missed for one in found))


def _row(one: Measured) -> tuple[str, str, str]:
    limit = "" if one.limit is None else f"{one.limit:g} {one.unit}".strip()
    value = f"{one.value:,.0f}" if one.value == int(one.value) else f"{one.value:,.{1 if one.value >= 10 else 2}f}"
    return one.what, f"{value} {one.unit}".strip() + (" (missed)" if one.is_missed else ""), limit


def _milliseconds(call: Callable[[], object]) -> float:
    began = time.perf_counter()
    call()
    return 1000 * (time.perf_counter() - began)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.store", description=__doc__)
    parser.add_argument("--kills", type=int, default=200)
    parser.add_argument("--only", nargs="+", choices=PARTS, default=list(PARTS))
    parser.add_argument("--write", action="store_true")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
