"""Mutants of functions: made by mutmut, tried in forks (``forking``), tallied by room."""

from __future__ import annotations

import hashlib
import json
import os
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from difflib import unified_diff
from itertools import repeat
from pathlib import Path

from mutmut.mutation.file_mutation import MutatedFile

from benchmarks.mutants.copying import tests
from benchmarks.mutants.forking import ALL, EACH, SURVIVED, TRIED, WANTED, WORKERS
from benchmarks.mutants.places import faulty

EQUIVALENT = Path(__file__).parent / "equivalent.toml"


@dataclass(frozen=True)
class Mutant:
    """One fault: its name while it is tried, where it is, the lines as they were and as they are, and a digest of the
    function with the fault, which stays the same while the function does.
    """

    name: str
    file: str
    function: str
    before: str
    after: str
    digest: str

    @property
    def change(self) -> str:
        """What is changed, as it is printed and as it is listed where it means the same."""
        return f"{self.function}: {self.before} -> {self.after}"


@dataclass(frozen=True)
class Equivalent:
    """The mutants that mean what the code means, by file and change, and replacements that do so wherever they are."""

    mutants: frozenset[tuple[str, str]]
    everywhere: tuple[tuple[str, str], ...]

    @classmethod
    def listed(cls) -> Equivalent:
        """Those of ``equivalent.toml``, where each has its reason."""
        rows = tomllib.loads(EQUIVALENT.read_text("utf-8"))
        mutants = frozenset((row["file"], row["change"]) for row in rows.get("mutant", []))
        return cls(mutants, tuple((row["old"], new) for row in rows.get("everywhere", []) for new in row["new"]))

    def __contains__(self, one: Mutant) -> bool:
        replaced = (
            one.before[: at.start()] + new + one.before[at.end() :]
            for old, new in self.everywhere
            for at in re.finditer(re.escape(old), one.before)
        )
        return (one.file, one.change) in self.mutants or one.after in replaced


@dataclass(frozen=True)
class Bounds:
    """How many mutants are tried at once, the seconds of the processor that the tests of one may take together, and
    after how many seconds no other one is begun.
    """

    workers: int
    each: float
    all: float

    def spelled(self) -> dict[str, str]:
        """The same as the environment of the tests."""
        return {WORKERS: str(self.workers), EACH: str(self.each), ALL: str(self.all)}


@dataclass
class Tally:
    """What became of the mutants of one room; ``survivors`` are ``file: function: old -> new``."""

    killed: int = 0
    equivalent: int = 0
    untried: int = 0
    survivors: list[str] = field(default_factory=list)
    wrong: list[str] = field(default_factory=list)  # listed as equivalent, and yet killed

    @property
    def number(self) -> int:
        """The mutants that were tried and mean something else than the code."""
        return self.killed + len(self.survivors)

    @property
    def share(self) -> float:
        """Killed mutants among these."""
        return self.killed / max(self.number, 1)

    def text(self, room: str, least: float) -> str:
        """The room's line, and its survivors."""
        verdict = "OK" if self.share >= least else "MISSED"
        killed = f"{room}: {self.share:.1%} of {self.number:,} mutants killed (>= {least:.0%} {verdict})"
        rest = f"{len(self.survivors)} survive; {self.equivalent} that are equivalent are not counted"
        sample = f"; a random sample, {self.untried:,} more were not tried" if self.untried else ""
        survivors = (f"  survives: {one}" for one in sorted(self.survivors))
        wrong = (f"  killed, though listed as equivalent: {one}" for one in sorted(self.wrong))
        return "\n".join([f"{killed}, {rest}{sample}", *survivors, *wrong])


def run(tree: Path, room: str, bounds: Bounds) -> Tally:
    """What became of every mutant of a room. Those that an earlier run in the same tree killed stay killed; its
    survivors are tried again, then those that it did not try, in a random order that is always the same.
    """
    mutants = list(_made(tree, room, bounds.workers))
    before = _tried(tree)
    left = [one for one in mutants if not before.get(one.digest)]
    equivalent = Equivalent.listed()
    left.sort(key=lambda one: (one in equivalent, one.digest not in before, one.digest))
    (tree / WANTED).write_text(json.dumps({one.name: one.digest for one in left}), "utf-8")
    _try(tree, room, bounds)
    tried = _tried(tree)
    if not any(tried.values()):
        raise SystemExit(f"no mutant of {room} was killed, which cannot be")
    return _tally(mutants, tried)


def _tried(tree: Path) -> dict[str, bool]:
    """The digests of the mutants that were tried so far, and whether they were ever killed."""
    tried: dict[str, bool] = {}
    lines = (tree / TRIED).read_text("utf-8").splitlines() if (tree / TRIED).exists() else ()
    for digest, status in map(json.loads, lines):
        tried[digest] = tried.get(digest, False) or status != SURVIVED
    return tried


def _made(tree: Path, room: str, workers: int) -> Iterator[Mutant]:
    """The mutants of a room's functions, written into the files of the tree."""
    with ProcessPoolExecutor(workers) as pool:
        for made in pool.map(_of_file, repeat(tree), sorted((tree / "rankdash" / room).rglob("*.py"))):
            yield from made


def _of_file(tree: Path, path: Path) -> list[Mutant]:
    mutated = faulty(path)
    path.write_text(mutated.code, "utf-8")
    file = path.relative_to(tree).as_posix()
    module = file.removesuffix(".py").removesuffix("/__init__").replace("/", ".")
    made = []
    for name in mutated.mutant_names:
        before, after = (_function(mutated, name, end) for end in ("orig", name.rpartition("_")[2]))
        digest = hashlib.sha256(f"{file}\n{after}".encode()).hexdigest()
        function = name.partition("__mutmut_")[0].removeprefix("x_").removeprefix("xǁ").replace("ǁ", ".")
        made.append(Mutant(f"{module}.{name}", file, function, *_differing(before, after), digest))
    return made


def _function(mutated: MutatedFile, name: str, end: str) -> str:
    """The source of a function as it was (``orig``), or with a fault; its name is the same in both."""
    stem = name.rpartition("_")[0]
    span = mutated.line_span_by_function_name[f"{stem}_{end}"]
    lines = mutated.code.split("\n")[span.start - 1 : span.end]
    return "\n".join(lines).replace(f"{stem}_{end}", stem, 1)


def _differing(before: str, after: str) -> tuple[str, str]:
    """The lines of a function that a mutant changes, as they were and as they are."""
    lines = list(unified_diff(before.split("\n"), after.split("\n"), lineterm="", n=0))[2:]
    removed, added = (" ".join(line[1:].strip() for line in lines if line.startswith(sign)) for sign in "-+")
    return removed, added


def _try(tree: Path, room: str, bounds: Bounds) -> None:
    """Runs the tests of a room without a fault, then with every mutant that is wanted."""
    log = tree / "pytest.log"
    command = [sys.executable, "-m", "pytest", "-q", "-s", "--all", "--rootdir=.", "--tb=short"]
    for plugin in ("no:cacheprovider", "no:unraisableexception", "no:threadexception", "benchmarks.mutants.forking"):
        command += ["-p", plugin]
    environment = {**os.environ, **bounds.spelled(), "PYTHONPATH": str(tree)}
    with log.open("wb") as out:
        status = subprocess.run(
            [*command, *tests(room)], cwd=tree, env=environment, stdout=out, stderr=subprocess.STDOUT, check=False
        ).returncode
    if status:
        raise SystemExit(f"the tests of {room} fail without any fault: {log}")


def _tally(mutants: Iterable[Mutant], tried: Mapping[str, bool]) -> Tally:
    equivalent, tally = Equivalent.listed(), Tally()
    for one in mutants:
        if tried.get(one.digest):
            tally.killed += 1
            if (one.file, one.change) in equivalent.mutants:
                tally.wrong.append(f"{one.file}: {one.change}")
        elif one in equivalent:
            tally.equivalent += 1
        elif one.digest in tried:
            tally.survivors.append(f"{one.file}: {one.change}")
        else:
            tally.untried += 1
    return tally
