"""A copy of the tree to put faults into, with the tests that have to notice them."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Iterable
from filecmp import cmp
from pathlib import Path

ROOT = Path(__file__).parents[2]
WORK = ROOT / "benchmarks" / ".work" / "mutants"

#: The tests that speak about the numbers and rules of a room, few and quick: they are run for every fault.
TESTS: dict[str, tuple[str, ...]] = {
    "metrics": (
        "tests/metrics/test_values.py",
        "tests/metrics/test_scoring.py",
        "tests/metrics/test_likeness.py",
        "tests/metrics/test_names.py",
        "tests/test_gains.py",
        "tests/truth/test_worked_calculations.py",
    ),
    "judged": ("tests/judged", "tests/metrics/test_scoring.py"),
    "comparison": (
        "tests/comparison",
        "tests/judged/test_splicing.py",
        "tests/reading/test_typed_votes.py",
        "tests/truth/test_population.py",
    ),
    "evidence": ("tests/evidence",),
    "verdict": (
        "tests/verdict",
        "tests/comparison/test_comparison_evidence.py",
        "tests/policy/test_tables.py",
        "tests/truth/test_verdict_twin.py",
    ),
}


def copied(folder: Path, *, fresh: bool) -> Path:
    """The folder, with every file of the project that git knows or would add; a fresh one has no old results."""
    if fresh:
        shutil.rmtree(folder, ignore_errors=True)
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"], cwd=ROOT, stdout=subprocess.PIPE,
        check=True,
    )  # fmt: skip
    for name in filter(None, listed.stdout.decode().split("\0")):
        source, target = ROOT / name, folder / name
        if source.is_file() and not (target.is_file() and cmp(source, target, shallow=False)):
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(source, target)
    return folder


def tests(*rooms: str) -> list[str]:
    """The tests of some rooms, each once."""
    return list(dict.fromkeys(name for room in rooms for name in TESTS[room]))


def absent(folder: Path, names: Iterable[str]) -> list[str]:
    """What is named here and stands nowhere in a tree, a sentence each: a test that is not run kills nothing."""
    gone = [name for name in dict.fromkeys(names) if not (folder / name).exists()]
    return [f"{name} does not exist: say in benchmarks/mutants what became of it." for name in gone]
