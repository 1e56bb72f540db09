"""What was measured, the limits, and the table."""

from __future__ import annotations

import importlib.metadata
import os
import platform
import statistics
import sys
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from benchmarks.markdown import table
from benchmarks.ui.beside import Beside
from benchmarks.ui.journeys import Pair
from benchmarks.ui.together import BROWSERS, BUSY, PACE, WIRES, Together, ninety_five

SIZES = {"demo": "296 x 10", "large": "7,000 x 1,000"}
#: Where saving is measured: the floor of an edit is the same edit where nothing is saved.
SAVING = {"history": "10,000 comparisons", "saved": "296 x 10"}
#: What is asked for: (size, action) -> how much longer than the floor it may take, in milliseconds.
MORE = {
    **{("demo", name): 150.0 for name in ("cutoff", "convention", "edit")},
    **{("large", name): 500.0 for name in ("cutoff", "convention", "edit")},
    **{("history", name): 150.0 for name in ("history", "search")},
    **{("saved", name): 15.0 for name in ("saved edit", "saved edit, processor")},
    **{(size, f"click on the {page} page"): 100.0 for size in SIZES for page in ("verdict", "queries")},
}
#: Times longer that 95% of the answers in browsers may take while 20 sessions work than alone.
TOGETHER = 3.0
LOAD = 1.5  # times the floor's first page
MEMORY = 3_000.0  # MB
UPLOAD = 20.0  # seconds from both runs uploaded to the verdict
#: MB that a server may take more than at its start, once sessions are closed.
CLOSED = 600.0
#: Milliseconds that a click may take on the server while another session uploads a hostile file.
BESIDE = 500.0
TITLES = {
    "cutoff": "another cutoff",
    "convention": "another convention",
    "edit": "an edited grade",
    "measure": "another measure",
    "filter": "another outcome in the filter",
    "search in queries": "a search in ids and texts",
    "history": "History is opened",
    "search": "History is searched",
    "saved edit": "an edited grade is saved, beside one that is not",
    "saved edit, processor": "the same, processor time of the server",
    "click on the verdict page": "a click on a bar of the verdict page",
    "click on the queries page": "a click on a bar of the queries page",
}


@dataclass
class Results:
    """Pairs by size and action; the very first visits, the seconds of an upload, the server's memory in MB."""

    pairs: dict[tuple[str, str], list[Pair]] = field(default_factory=lambda: defaultdict(list))
    first: tuple[float, float] = (0.0, 0.0)
    upload: float | None = None
    receipt: float = 0.0  # seconds in which the floor app has the same files
    memory: dict[str, float | None] = field(default_factory=dict)
    closed: Mapping[str, float] = field(default_factory=dict)
    beside: Sequence[Beside] = ()
    together: Together | None = None

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
    def left(self) -> float:
        """MB that the server takes more than at its start after all sessions were closed."""
        return [0.0, *self.closed.values()][-1]

    @property
    def most(self) -> float | None:
        """The most memory that the server took."""
        return self.memory.get("the most at any time")

    @property
    def missed(self) -> bool:
        """Whether any limit was missed."""
        over = any(self.more(case) > limit for case, limit in MORE.items() if self.pairs[case])
        over |= any(one.worst > BESIDE for one in self.beside) or self.left > CLOSED
        over |= bool(self.pairs["demo", "load"]) and self.ratio > LOAD
        over |= self.together is not None and any(holds is False for *_, holds in _together(self.together))
        return over or (self.most or 0) > MEMORY or (self.upload or 0) > UPLOAD


def report(results: Results, repetitions: int, seconds: float) -> str:
    """Everything as Markdown."""
    rows = [_row(case, results) for case in MORE if results.pairs[case] and case[0] in ("demo", "large")]
    parts = [
        f"{_machine()} {repetitions} repetitions, {seconds:.0f} s in all.",
        table(_HEADER, rows, "llrrrrrrl"),
        table(_LOAD_HEADER, _loads(results), "lrrrrrrl"),
    ]
    if results.memory:
        lines = [[name, "" if mb is None else f"{mb:,.0f}", "", ""] for name, mb in results.memory.items()]
        lines[-1][2:] = [f"{MEMORY:,.0f}", _verdict(results.most is not None and results.most <= MEMORY)]
        parts.append(table([f"the server's memory, {SIZES['large']} and two runs", "MB", "limit", ""], lines, "lrrl"))
    if results.upload is not None:
        line = [f"{results.upload:.1f}", f"{results.receipt:.1f}", f"{UPLOAD:g}", _verdict(results.upload <= UPLOAD)]
        header = [f"upload of {SIZES['large']} and two runs", "s", "floor s", "limit", ""]
        parts.append(table(header, [["until the verdict is complete", *line]], "lrrrl"))
    return "\n\n".join(parts)


def saving(results: Results) -> str:
    """What saving costs, and what sessions together do, as Markdown."""
    parts = [f"{_machine()} {_busy()}"]
    rows = [_row(case, results) for case in MORE if results.pairs[case] and case[0] in SAVING]
    parts.append(table(_HEADER, rows, "llrrrrrrl"))
    if results.together is not None:
        lines = [[what, value, limit, _verdict(holds)] for what, value, limit, holds in _together(results.together)]
        sessions = (
            f"{BROWSERS + WIRES} sessions for {results.together.seconds:.0f} s, {BROWSERS} of them in browsers; "
            f"each does something every {PACE[0]:.0f} to {PACE[1]:.0f} s"
        )
        parts.append(table([sessions, "measured", "limit", ""], lines, "lrrl"))
    return "\n\n".join(parts)


def _together(found: Together) -> list[tuple[str, str, str, bool | None]]:
    """What was measured of sessions together, the limit, and whether it holds; None where there is no limit."""
    answers = len(found.beside) + len(found.wire)
    shares = [
        (f"processors taken by the {name}", f"{value:.2f} of {os.cpu_count()}", "", None)
        for name, value in found.shares.items()
    ]
    return [
        ("edits that were answered", f"{found.edits:,} of {answers:,} answers", "", None),
        ("errors", f"{len(found.errors):,}", "0", not found.errors),
        ("sessions with a lost edit", f"{len(found.lost):,}", "0", not found.lost),
        ("an answer in a browser alone: half, 95% are quicker than", _half_and_most(found.alone), "", None),
        ("an answer in the browsers: half, 95% are quicker than", _half_and_most(found.beside), "", None),
        ("95%: times as long", f"{found.ratio:.2f}", f"{TOGETHER:g}", found.ratio <= TOGETHER),
        ("an answer over the wire: half, 95% are quicker than", _half_and_most(found.wire), "", None),
        *shares,
        (f"answers per second, {BUSY} sessions over the wire without a pause", f"{found.most:.1f}", "", None),
        ("processor time of the server for each of these", f"{found.each:.0f} ms", "", None),
    ]


def _half_and_most(times: Sequence[float]) -> str:
    """The median of times, and what 95% of them are below."""
    return f"{statistics.median(times or [0.0]):.0f}, {ninety_five(times):.0f} ms, n = {len(times)}"


#: Repetitions from which the interval of a median is shown.
_MANY = 20
_HEADER = ["", "size", "ms", "min-max", "floor ms", "min-max", "more than floor", "limit", ""]
_LOAD_HEADER = ["the first page of the demo", "ms", "min-max", "floor ms", "min-max", "x floor", "limit", ""]


_CLOSED_HEADER = "memory of the server and its workers; each session uploads 20 MB of its own"
_BESIDE_HEADER = [
    "what another session uploads", "MB", "s", "clicks", "click ms", "slowest", "limit", ""
]  # fmt: skip


def closed(results: Results) -> str:
    """What sessions leave behind, as Markdown."""
    lines = [[name, f"{mb:,.0f}", "", ""] for name, mb in results.closed.items()]
    lines[-1][2:] = [f"{CLOSED:,.0f}", _verdict(results.left <= CLOSED)]
    return f"{_machine()}\n\n{table([_CLOSED_HEADER, 'MB', 'limit', ''], lines, 'lrrl')}"


def clicks(results: Results) -> str:
    """What one session feels of another one's files, as Markdown."""
    n = sum(len(one.clicks) for one in results.beside)
    rows = [*map(_clicks, results.beside)]
    return f"{_busy()}{n:,} clicks.\n\n{table(_BESIDE_HEADER, rows, 'lrrrrrrl')}"


def _clicks(one: Beside) -> list[str]:
    return [one.name, f"{one.size:.2f}", f"{one.seconds:.1f}", f"{len(one.clicks)}", f"{one.usual:.0f}",
            f"{one.worst:.0f}", f"{BESIDE:.0f}", _verdict(one.worst <= BESIDE)]  # fmt: skip


def _machine() -> str:
    """Cores, memory, system and versions, in one line."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30
    versions = ", ".join(f"{name} {importlib.metadata.version(name)}" for name in ("streamlit", "plotly", "playwright"))
    python = platform.python_version()
    return f"{cores} cores, {memory:.0f} GB, {platform.system()} {platform.machine()}, Python {python}; {versions}."


def _busy() -> str:
    """How much the machine does, in a sentence; "" where nobody knows."""
    if not hasattr(os, "getloadavg"):
        return ""
    return f"Load of the machine: {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores. "


def _row(case: tuple[str, str], results: Results) -> list[str]:
    pairs, more, limit = results.pairs[case], results.more(case), MORE[case]
    ours, floor = [pair.ours for pair in pairs], [pair.floor for pair in pairs]
    size = {**SIZES, **SAVING}[case[0]]
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
