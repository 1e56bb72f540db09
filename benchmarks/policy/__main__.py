"""``python -m benchmarks.policy [--replicates N] [--workers N] [--seed N] [--write]``.

Simulates comparisons whose truth is known and asks the project's own rules about each. Exit status: 0; 1 if a number
is not as expected.
"""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path

from benchmarks.markdown import write_between
from benchmarks.policy.population import population
from benchmarks.policy.report import failed, report
from benchmarks.policy.tables import TABLES
from benchmarks.policy.tally import merged, run, workers

README = Path(__file__).parents[1] / "README.md"


def main() -> int:
    """Simulate, print, and keep the tables where that is asked for."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.policy", description=__doc__.splitlines()[2])
    parser.add_argument("--replicates", type=int, default=1_000, help="replicates of each column of each table")
    parser.add_argument("--workers", type=int, default=workers(), help="processes; the numbers do not depend on it")
    parser.add_argument("--seed", type=int, default=0, help="another seed, other replicates")
    parser.add_argument("--write", action="store_true", help="keep the tables in benchmarks/README.md")
    options = parser.parse_args()
    started = time.perf_counter()
    known = population()
    tasks = merged(task for table in TABLES for task in table.tasks())
    results = run(tasks, known, options.replicates, options.seed, options.workers)
    text = report(known, results, options.replicates, time.perf_counter() - started, options.workers)
    print(text)
    if options.write:
        write_between(README, "policy", text)
    return int(failed(results))


if __name__ == "__main__":
    sys.exit(main())
