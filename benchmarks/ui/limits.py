"""What was measured, the limits, and the table."""

from __future__ import annotations

import importlib.metadata
import os
import platform
import statistics
import sys
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field

from benchmarks.markdown import table
from benchmarks.ui.journeys import Pair

SIZES = {"demo": "296 x 10", "large": "7,000 x 1,000"}
#: What is asked for: (size, action) -> how much longer than the floor it may take, in milliseconds.
MORE = {
    **{(size, name): more for name in ("cutoff", "convention") for size, more in (("demo", 60.0), ("large", 100.0))},
    ("demo", "edit"): 150.0,
    ("large", "edit"): 250.0,
    **{(size, f"click on the {page} page"): 60.0 for size in SIZES for page in ("verdict", "queries")},
    **{(size, "dialog"): 500.0 for size in SIZES},
}
LOAD = 1.3  # times the floor's first page
MEMORY = {"the most until the verdict": 1_800.0, "the most at any time": 3_000.0}  # MB
UPLOAD = 9.0  # seconds from both runs uploaded to the verdict
TITLES = {
    "cutoff": "another cutoff",
    "convention": "another convention",
    "edit": "an edited grade",
    "click on the queries page": "a click on a bar of the queries page",
    "dialog": "the dialog of the policy, opened",
}


@dataclass
class Results:
    """Pairs by size and action; the very first visits, the seconds of an upload, the server's memory in MB."""

    pairs: dict[tuple[str, str], list[Pair]] = field(default_factory=lambda: defaultdict(list))
    first: tuple[float, float] = (0.0, 0.0)
    upload: float | None = None
    receipt: float = 0.0  # seconds in which the floor app has the same files
    memory: dict[str, float | None] = field(default_factory=dict)

    def add(self, size: str, name: str, pair: Pair) -> None:
        """One repetition more; it is shown at once."""
        self.pairs[size, name].append(pair)
        print(f"{size}, {name}: {pair.ours:.0f} ms, floor {pair.floor:.0f} ms", file=sys.stderr, flush=True)

    def more(self, case: tuple[str, str]) -> float:
        """Milliseconds more than the floor, the median over repetitions of the difference within one."""
        return statistics.median(pair.ours - pair.floor for pair in self.pairs[case])

    @property
    def ratio(self) -> float:
        """The first page against the floor's, the median over repetitions."""
        return statistics.median(pair.ours / pair.floor for pair in self.pairs["demo", "load"])

    @property
    def missed(self) -> bool:
        """Whether any limit was missed."""
        over = any(self.more(case) > limit for case, limit in MORE.items() if self.pairs[case])
        over |= bool(self.pairs["demo", "load"]) and self.ratio > LOAD
        over |= any((self.memory.get(name) or 0) > limit for name, limit in MEMORY.items())
        return over or (self.upload or 0) > UPLOAD


def report(results: Results, repetitions: int, seconds: float) -> str:
    """Everything as Markdown."""
    rows = [_row(case, results) for case in MORE if results.pairs[case] and case[0] in ("demo", "large")]
    parts = [
        f"{_machine()} {repetitions} repetitions, {seconds:.0f} s in all.",
        table(_HEADER, rows, "llrrrrrrl"),
        table(_LOAD_HEADER, _loads(results), "lrrrrrrl"),
    ]
    if results.memory:
        lines = [_held(name, mb) for name, mb in results.memory.items()]
        parts.append(table([f"the server's memory, {SIZES['large']} and two runs", "MB", "limit", ""], lines, "lrrl"))
    if results.upload is not None:
        line = [f"{results.upload:.1f}", f"{results.receipt:.1f}", f"{UPLOAD:g}", _verdict(results.upload <= UPLOAD)]
        header = [f"upload of {SIZES['large']} and two runs", "s", "floor s", "limit", ""]
        parts.append(table(header, [["until the verdict is complete", *line]], "lrrrl"))
    return "\n\n".join(parts)


def _held(name: str, mb: float | None) -> list[str]:
    """A row of the memory that is held at some time."""
    limit = MEMORY.get(name)
    said = "" if limit is None or mb is None else _verdict(mb <= limit)
    return [name, "" if mb is None else f"{mb:,.0f}", "" if limit is None else f"{limit:,.0f}", said]


#: Repetitions from which the interval of a median is shown.
_MANY = 20
_HEADER = ["", "size", "ms", "min-max", "floor ms", "min-max", "more than floor", "limit", ""]
_LOAD_HEADER = ["the first page of the demo", "ms", "min-max", "floor ms", "min-max", "x floor", "limit", ""]


def _machine() -> str:
    """Cores, memory, system and versions, in one line."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30
    versions = ", ".join(f"{name} {importlib.metadata.version(name)}" for name in ("streamlit", "plotly", "playwright"))
    python = platform.python_version()
    return f"{cores} cores, {memory:.0f} GB, {platform.system()} {platform.machine()}, Python {python}; {versions}."


def _row(case: tuple[str, str], results: Results) -> list[str]:
    pairs, more, limit = results.pairs[case], results.more(case), MORE[case]
    ours, floor = [pair.ours for pair in pairs], [pair.floor for pair in pairs]
    size = SIZES[case[0]]
    between = _between([pair.ours - pair.floor for pair in pairs])
    return [TITLES[case[1]], size, *_spread(ours), *_spread(floor), f"{more:+.0f}{between}", f"+{limit:.0f}",
            _verdict(more <= limit)]  # fmt: skip


def _between(values: Sequence[float]) -> str:
    """Between which values the true median lies with 95%, by their ranks; "" of few values."""
    n = len(values)
    if n < _MANY:
        return ""
    low = round((n - 1.96 * n**0.5) / 2)
    return " ({:+.0f} to {:+.0f})".format(*(sorted(values)[place] for place in (low - 1, n - low)))


def _loads(results: Results) -> list[list[str]]:
    pairs = results.pairs["demo", "load"]
    ours, floor = [pair.ours for pair in pairs], [pair.floor for pair in pairs]
    usual = ["a new browser, a server in use", *_spread(ours), *_spread(floor), f"{results.ratio:.2f}", f"{LOAD:g}",
             _verdict(results.ratio <= LOAD)]  # fmt: skip
    first = ["the first visit after the start", f"{results.first[0]:.0f}", "", f"{results.first[1]:.0f}", "",
             f"{results.first[0] / results.first[1]:.2f}", "", ""]  # fmt: skip
    return [usual, first]


def _spread(values: list[float]) -> tuple[str, str]:
    return f"{statistics.median(values):.0f}", f"{min(values):.0f}-{max(values):.0f}"


def _verdict(holds: bool | None) -> str:
    return "" if holds is None else "OK" if holds else "MISSED"
