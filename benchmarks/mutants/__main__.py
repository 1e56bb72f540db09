"""``python -m benchmarks.mutants [--rooms metrics ...] [--functions | --tables] [--keep] [--write]``: make mutants.

Prints the share of mutants that the tests kill in each room, and every survivor. Exit status 1 where a room is below
its limit, or a mutant of a table survives. ``--minutes`` bounds each room: what was tried by then is a random sample,
and ``--keep`` goes on from there.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from itertools import chain
from pathlib import Path

from benchmarks.markdown import write_between
from benchmarks.mutants import functions, results, tables
from benchmarks.mutants.copying import ROOT, TESTS, WORK, absent, copied
from benchmarks.mutants.functions import Bounds

#: The last ones have tables only.
ROOMS = (*TESTS, *tables.BESIDE)
#: What part of the mutants of a room's functions has to be killed; of those of a table, every one.
LEAST = 0.90


def main() -> int:
    """Mutate, test, print; returns the exit status."""
    options = _options()
    gone = absent(ROOT, [*chain.from_iterable(TESTS.values()), *tables.named()])
    if gone:
        raise SystemExit("\n".join(gone))
    missed = False
    for room in () if options.tables else [room for room in options.rooms if room in TESTS]:
        began = time.monotonic()
        tree = copied(options.work / room, fresh=not options.keep)
        tally = functions.run(tree, room, Bounds(options.workers, options.seconds, options.minutes * 60))
        minutes = (time.monotonic() - began) / 60
        print(tally.text(room, LEAST), f"  in {minutes:.0f} minutes", sep="\n", flush=True)
        results.keep(
            options.work, room, results.Row(tally.number, tally.killed, tally.equivalent, tally.untried, minutes)
        )
        missed |= tally.share < LEAST
    if not options.functions:
        for room in options.rooms:
            began = time.monotonic()
            tree = copied(options.work / "tables", fresh=False)
            tally = tables.run(tree, room, options.workers)
            minutes = (time.monotonic() - began) / 60
            print(tally.text(), f"  in {minutes:.0f} minutes", sep="\n", flush=True)
            row = results.Row(tally.number, tally.number - len(tally.survivors), tally.equivalent, 0, minutes)
            results.keep(options.work, results.TABLES + room, row)
            missed |= bool(tally.survivors)
    for place, left_out, of_tables in (("mutants", options.tables, False), ("mutant-tables", options.functions, True)):
        if options.write and not left_out:
            text = results.text(options.work, LEAST, tables=of_tables)
            write_between(ROOT / "benchmarks" / "README.md", place, text)
    return int(missed)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description="Put small faults into a copy of the code; the tests have to fail.")
    parser.add_argument("--rooms", nargs="+", choices=ROOMS, default=ROOMS)
    parser.add_argument("--functions", action="store_true", help="mutate functions only")
    parser.add_argument("--tables", action="store_true", help="mutate module-level tables only")
    parser.add_argument("--keep", action="store_true", help="go on with the copies of the last run and its results")
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 2, help="how many mutants are tried at once")
    parser.add_argument("--seconds", type=float, default=4, help="what the tests of one mutant may take together")
    parser.add_argument("--minutes", type=float, default=60, help="after which no mutant of a room is begun")
    parser.add_argument("--work", type=Path, default=WORK, help="folder of the copies")
    parser.add_argument("--write", action="store_true", help="put what was run into benchmarks/README.md")
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
