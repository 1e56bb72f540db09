"""``python -m benchmarks.mutants [--rooms metrics ...] [--functions | --tables] [--keep]``: make mutants.

Prints the share of mutants that the tests kill in each room, and every survivor. Exit status 1 where a room is below
its limit, or a mutant of a table survives.
"""

from __future__ import annotations

import argparse
import os
import shutil
import sys
import time
from pathlib import Path

from benchmarks.mutants import functions, tables
from benchmarks.mutants.copying import WORK, copied

ROOMS = ("metrics", "judged", "comparison", "evidence", "verdict")
#: What part of the mutants of a room's functions has to be killed.
LEAST = 0.90


def main() -> int:
    """Mutate, test, print; returns the exit status."""
    options = _options()
    missed = False
    for room in () if options.tables else options.rooms:
        began = time.monotonic()
        tree = copied(options.work / room, fresh=not options.keep)
        tally = functions.run(tree, room, options.workers)
        print(tally.text(room, LEAST), f"  in {(time.monotonic() - began) / 60:.0f} minutes", sep="\n", flush=True)
        missed |= tally.share < LEAST
    if not options.functions:
        tree = copied(options.work / "tables", fresh=True)
        missed |= bool(tables.run(tree, options.rooms, options.workers))
    if not missed and not options.keep:
        shutil.rmtree(options.work)
    return int(missed)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Put small faults into a copy of the code; the tests have to fail.")
    parser.add_argument("--rooms", nargs="+", choices=ROOMS, default=list(ROOMS))
    parser.add_argument("--functions", action="store_true", help="mutate functions only")
    parser.add_argument("--tables", action="store_true", help="mutate module-level tables only")
    parser.add_argument("--keep", action="store_true", help="go on with the copies of the last run and its results")
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 2, help="how many mutants are tried at once")
    parser.add_argument("--work", type=Path, default=WORK, help="folder of the copies")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
