"""What is timed: one row per work, each a whole process from its start to its answer, and the data that it takes."""

from __future__ import annotations

import argparse
import importlib.util
import json
import os
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
#: Named like the neighbours' floor: the least that a Python program with these libraries can take.
FLOOR = "floor"
#: What Sail takes.
SAIL = ("pysail", "pyspark")


@dataclass(frozen=True)
class Data:
    """Some data: a folder of scored queries ("scored"), or two runs and judgments ("files"), perhaps in any order."""

    kind: str
    queries: int
    depth: int
    shuffled: bool = False

    @property
    def name(self) -> str:
        """The name of its folder."""
        return f"{self.kind}{self.queries}x{self.depth}" + ("-shuffled" if self.shuffled else "")

    @property
    def rows(self) -> int:
        """Rows of one run."""
        return self.queries * self.depth

    def commands(self, work: Path) -> Iterator[list[str]]:
        """Yield the commands that make it, unless it is there."""
        folder = work / self.name.removesuffix("-shuffled")
        sizes = [str(self.queries), str(self.depth)]
        yield [sys.executable, "-m", "benchmarks.scale.made", self.kind, *sizes, str(folder)]
        if self.shuffled:
            yield [sys.executable, str(ROOT / "benchmarks" / "forms.py"), "--work", str(work), self.name]


@dataclass(frozen=True)
class Work:
    """A work: what it is called, the data that it takes, and the arguments of ``rankdash`` or of Python.

    ``once``: it takes long, and is not repeated.
    """

    name: str
    text: str
    data: Data | None
    arguments: tuple[str, ...]
    once: bool = False

    @property
    def is_streamed(self) -> bool:
        """Whether it is the streamed driver, of which the time per row is told."""
        return "score" in self.arguments

    def command(self, work: Path, out: Path) -> list[str]:
        """Return the command line; the answer goes into the folder ``out``."""
        folder = "" if self.data is None else str(work / self.data.name)
        return [sys.executable, *(one.format(folder=folder, out=out) for one in self.arguments)]


def works(options: argparse.Namespace) -> list[Work]:
    """Return what is to be timed, in the order of a turn."""
    scored = Data("scored", options.queries, 20)
    large = Data("files", options.large, options.depth)
    more = Data("files", 4 * options.large, options.depth)
    weighed, scoring = ("-m", "rankdash", "compare", "--scored", "{folder}/scored"), _scoring()
    found = [
        Work(FLOOR, '`python -c "import numpy, pyarrow.csv"`', None, ("-c", "import numpy, pyarrow.csv")),
        Work("verdict", f"{_size(scored)} scored: to the verdict", scored, weighed),
        Work("json", f"{_size(scored)} scored: to the JSON", scored, (*weighed, "--json", "{out}/verdict.json")),
        Work(
            "csv", f"{_size(scored)} scored: to per-query CSV", scored, (*weighed, "--per-query", "{out}/queries.csv")
        ),
        Work("large", f"{_size(large)}: streamed", large, scoring),
        Work(
            "scattered",
            f"{_size(large)}, rows in any order: streamed",
            Data("files", options.large, options.depth, shuffled=True),
            scoring,
        ),
        Work("more", f"{_size(more)}: streamed", more, scoring),
    ]
    if not options.without_sail and not missing(SAIL):
        sail = ("-m", "benchmarks.scale.sail", "{folder}", "1", "{out}/sail.json")
        found += [
            Work("sail", f"{_size(large)}: Sail in process, twice", large, sail),
            Work("sail more", f"{_size(more)}: Sail in process, twice", more, sail),
        ]
    if options.rows:
        rows = Data("files", max(1, options.rows // options.depth), options.depth)
        found.append(Work("rows", f"{_size(rows)}: streamed", rows, scoring, once=True))
    return [work for work in found if not options.only or work.name in options.only]


def missing(modules: Sequence[str]) -> list[str]:
    """Return those that are not installed."""
    return [name for name in modules if importlib.util.find_spec(name) is None]


def told(out: Path) -> Any:
    """Return what Sail's process wrote about itself; None for any other."""
    path = out / "sail.json"
    return json.loads(path.read_text()) if path.is_file() else None


def environment() -> dict[str, str]:
    """Return the environment of every process: the rankdash that these benchmarks belong to, compiled once."""
    inherited = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    return {**inherited, "PYTHONPATH": str(ROOT)}


def _scoring() -> tuple[str, ...]:
    files = ("{folder}/a.trec", "{folder}/b.trec", "-q", "{folder}/qrels.txt")
    return ("-m", "rankdash", "score", *files, "--out", "{out}/scored")


def _size(data: Data) -> str:
    return f"{data.queries:,} x {data.depth:,}"
