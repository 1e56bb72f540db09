"""Every door of rankdash with inputs of at most 1 MB: the worst that each of them took, beside its limits.

``python -m benchmarks.doors [--write] [DOOR ...]``. Exit status: 1 where an input takes more than it may, or ends in a
traceback.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from benchmarks.entered import DELAY, MEGABYTES, SECONDS, is_within
from benchmarks.markdown import table, write_between
from tests.doors.table import DOORS

ROOT = Path(__file__).parents[1]
README = Path(__file__).parent / "README.md"
_HEADER = ("door", "inputs", f"s (limit {SECONDS:.0f})", "input", f"MB (limit {MEGABYTES:.0f})",
           f"s that others wait (limit {DELAY})", "input")  # fmt: skip


def doors(names: Iterable[str] = ()) -> tuple[str, bool]:
    """The table of doors, each in a process of its own, and whether every input is within its limits."""
    found = {name: _entered(name) for name in names or DOORS}
    for name, rows in found.items():
        for one in rows:
            if not is_within(one):
                print(name, json.dumps(one), file=sys.stderr, flush=True)
    good = all(is_within(one) for rows in found.values() for one in rows)
    return table(_HEADER, [_worst(name, rows) for name, rows in found.items()], "lrrlrrl"), good


def _entered(name: str) -> list[dict[str, Any]]:
    command = [sys.executable, "-m", "benchmarks.entered", name]
    done = subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, text=True, check=True)
    return [json.loads(line) for line in done.stdout.splitlines()]


def _worst(name: str, rows: Sequence[Mapping[str, Any]]) -> tuple[str, ...]:
    slowest = max(rows, key=lambda one: one["seconds"])
    holds_up = None if DOORS[name].is_shell else max(rows, key=lambda one: one["delay"])
    delay = ("-", "") if holds_up is None else (f"{holds_up['delay']:.2f}", holds_up["input"])
    peak = max(one["megabytes"] for one in rows)
    return name, str(len(rows)), f"{slowest['seconds']:.1f}", slowest["input"], f"{peak:.0f}", *delay


def main() -> int:
    """Print the table; 1 where a limit is missed."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.doors", description="Every door, within limits.")
    parser.add_argument("doors", nargs="*", metavar="DOOR", help="only some of them")
    parser.add_argument("--write", action="store_true", help="keep the table in benchmarks/README.md")
    options = parser.parse_args()
    text, good = doors(options.doors)
    print(text, flush=True)
    if options.write:
        write_between(README, "doors", text)
    return int(not good)


if __name__ == "__main__":
    sys.exit(main())
