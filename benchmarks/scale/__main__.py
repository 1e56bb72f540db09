"""``python -m benchmarks.scale [--reps 3] [--rows 100000000] [--without-sail] [--write]``: make bench-scale.

Times rankdash on many queries, on many rows, on rows in any order and on Sail, and prints each number beside its limit.
Works run in turn (A B C A B C ...), each as a process of its own, after its files were read once. Exit status: 0; 1
where a limit is missed or a work fails. Standard library only, because the memory of this process counts into the
peaks (``benchmarks/measure.py``).
"""

from __future__ import annotations

import argparse
import os
import platform
import subprocess
import sys
import tempfile
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from benchmarks.markdown import write_between
from benchmarks.measure import Failed, run
from benchmarks.scale.figures import Results, required, requirements, sailed, timed
from benchmarks.scale.works import ROOT, SAIL, Work, environment, missing, told, works

PACKAGES = ("numpy", "pyarrow", "pysail", "pyspark-client")


def main(arguments: list[str] | None = None) -> int:
    """Make the data, time, print; returns the exit status."""
    options = _options(arguments)
    chosen, results = works(options), Results()
    for data in dict.fromkeys(work.data for work in chosen if work.data is not None):
        for command in data.commands(options.work):
            subprocess.run(command, env=environment(), cwd=ROOT, check=True)
        for path in (options.work / data.name).rglob("*"):
            _read(path)
    for repetition in range(options.reps):
        for work in chosen:
            if work.name not in results.failures and not (work.once and repetition):
                _time(work, options.work, results)
    wanted = requirements(chosen)
    lacking = missing(SAIL)
    left_out = (
        "Sail is left out." if options.without_sail else f"Sail is missing: {', '.join(lacking)}." if lacking else ""
    )
    failed = [f"Failed: {name}: {error}" for name, error in results.failures.items()]
    tables = [required(results, wanted), timed(results, chosen), sailed(results, chosen)]
    text = "\n\n".join(filter(None, [f"{_machine()} {options.reps} repetitions. {left_out}".strip(), *failed, *tables]))
    print(text)
    if options.write and not results.failures:
        write_between(ROOT / "benchmarks" / "README.md", "scale", text)
    return int(bool(results.failures) or any(one.verdict(results)[1] == "MISSED" for one in wanted))


def _time(work: Work, folder: Path, results: Results) -> None:
    """Time one process; what fails is not started again."""
    with tempfile.TemporaryDirectory(prefix="rankdash-scale-", dir=folder) as out:
        try:
            sample = run(work.command(folder, Path(out)), environment())
        except Failed as error:
            results.failures[work.name] = str(error)
            print(f"{work.text}: {error}", file=sys.stderr, flush=True)
            return
        said = told(Path(out))
    results.samples.setdefault(work.name, []).append(sample)
    if said is not None:
        results.cold.setdefault(work.name, []).append(said["cold"][0])
        results.warm.setdefault(work.name, []).append(min(said["warm"]))
    line = f"{work.text}: {sample.wall:.2f} s, {sample.cpu:.2f} s cpu, {sample.peak:.0f} MB"
    print(line, file=sys.stderr, flush=True)


def _read(path: Path) -> None:
    """Bring a file into the page cache, piece by piece."""
    if path.is_file():
        with path.open("rb") as file:
            while file.read(1 << 20):
                pass


def _machine() -> str:
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30
    system = f"{platform.system()} {platform.machine()}, Python {platform.python_version()}"
    return f"{cores} cores, {memory:.0f} GB, {system}; {', '.join(filter(None, map(_version, PACKAGES)))}."


def _version(name: str) -> str:
    try:
        return f"{name} {version(name)}"
    except PackageNotFoundError:
        return ""


def _options(arguments: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.scale", description="Time rankdash on any size.")
    parser.add_argument("--queries", type=int, default=1_000_000, help="scored queries, with 20 results each")
    parser.add_argument(
        "--large", type=int, default=6_980, help="queries of the streamed set; four times as many beside it"
    )
    parser.add_argument("--depth", type=int, default=1_000, help="results of each of these")
    parser.add_argument("--rows", type=int, default=0, help="rows per run of one more set, once: 100000000 takes long")
    parser.add_argument("--without-sail", action="store_true")
    parser.add_argument(
        "--only", nargs="+", help='some works: floor verdict json csv large scattered more sail "sail more" rows'
    )
    parser.add_argument("--reps", type=int, default=3)
    parser.add_argument("--work", type=Path, default=ROOT / "benchmarks" / ".work", help="folder of the generated data")
    parser.add_argument("--write", action="store_true", help="keep the tables in benchmarks/README.md")
    return parser.parse_args(arguments)


if __name__ == "__main__":
    sys.exit(main())
