"""Reading: the hardest files, then a million rows beside pyarrow's own readers.

``python -m benchmarks.reading [--reps 5] [--before FOLDER] [--attacks [NAME ...]] [--write]``.

Each reading is timed in a process of its own, in turn, without the start of Python; memory is read from /proc, which
Linux has. ``--before`` times another checkout of rankdash beside this one. Exit status: 0; 1 where reading is slower
than it may be, or a file of 1 MB takes more than 10 s of a processor or 1 GB.
"""

from __future__ import annotations

import argparse
import json
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet as pq

from benchmarks.markdown import table, write_between

ROOT = Path(__file__).parents[1]
README = Path(__file__).parent / "README.md"
ROWS, DEPTH = 1_000_000, 50
#: How many times as long as pyarrow's reader of the same file.
SLOWEST = 3.0
#: What reading 1 MB may take at most, whatever is in it: of a processor, of memory, of the server's own processor.
SECONDS, MEGABYTES, HERE = 10.0, 1000.0, 0.5
SHOWN = 12

_FRAME = """
import json, sys, time
{imports}
path, peak = sys.argv[1], lambda: int(open("/proc/self/status").read().split("VmHWM:")[1].split()[0])
before, start = peak(), time.perf_counter()
rows = {call}
print(json.dumps([time.perf_counter() - start, (peak() - before) / 1000, rows]))
"""
_PARQUET = "import pyarrow as pa, pyarrow.parquet as pq"
_IMPORTS = f"{_PARQUET}; from rankdash.reading import read_run"
_OURS = _FRAME.format(imports=_IMPORTS, call="read_run(path).table.num_rows")
_FLOORS = {
    ".csv": _FRAME.format(imports="import pyarrow.csv as csv", call="csv.read_csv(path).num_rows"),
    ".parquet": _FRAME.format(imports=_PARQUET, call="pq.ParquetFile(path).read().num_rows"),
}


def made(folder: Path) -> list[Path]:
    """A run of a million rows, as CSV and as Parquet."""
    place = np.arange(ROWS)
    scores = np.round(30 - place % DEPTH * 0.37 + np.random.default_rng(0).random(ROWS) * 0.3, 4)
    run = pa.table(
        {
            "query_id": [f"q{i // DEPTH:05}" for i in range(ROWS)],
            "doc_id": [f"doc{i * 7919 % 10**7:08}" for i in range(ROWS)],
            "rank": place % DEPTH + 1,
            "score": scores,
        }
    )
    pyarrow.csv.write_csv(run, folder / "run.csv")
    pq.write_table(run, folder / "run.parquet")
    return [folder / "run.csv", folder / "run.parquet"]


def timed(script: str, path: Path, root: Path) -> tuple[float, float]:
    """Seconds and MB of one reading."""
    command = [sys.executable, "-c", script, str(path)]
    done = subprocess.run(command, cwd=root, env={"PYTHONPATH": str(root)}, capture_output=True, check=True)
    seconds, size, rows = json.loads(done.stdout)
    if rows != ROWS:
        raise ValueError(f"{rows} rows")
    return seconds, size


def speed(reps: int, before: Path | None) -> tuple[str, bool]:
    """The table of readings, and whether they are as fast as they should be."""
    rows, good = [], True
    with tempfile.TemporaryDirectory() as folder:
        for path in made(Path(folder)):
            contenders = {"rankdash": (_OURS, ROOT), "pyarrow": (_FLOORS[path.suffix], ROOT)}
            if before is not None:
                contenders["rankdash, before"] = (_OURS, before)
            found: dict[str, list[tuple[float, float]]] = {name: [] for name in contenders}
            for _ in range(reps + 1):
                for name, (script, root) in contenders.items():
                    found[name].append(timed(script, path, root))
            medians = {name: [*map(statistics.median, zip(*each[1:], strict=True))] for name, each in found.items()}
            floor = medians["pyarrow"][0]
            good &= medians["rankdash"][0] <= SLOWEST * floor
            for name, (seconds, size) in medians.items():
                rows.append((path.name, name, f"{seconds * 1000:.0f}", f"{seconds / floor:.2f}", f"{size:.0f}"))
    header = ("1,000,000 rows", "reader", "ms", "x pyarrow", "process grew MB")
    return table(header, rows, "llrrr"), good


def attacks(names: Sequence[str]) -> tuple[str, bool]:
    """The table of the files that are most work, and whether each is within its limits."""
    command = [sys.executable, "-m", "benchmarks.attacked", "--shell", *names]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    found = [json.loads(line) for line in done.stdout.splitlines()]
    good = all(
        one["seconds"] <= SECONDS and one["megabytes"] <= MEGABYTES and one["here"] <= HERE and one["shell"] <= SECONDS
        for one in found
    )
    found.sort(key=lambda one: max(one["seconds"], one["shell"]), reverse=True)
    rows = [
        (
            one["name"],
            f"{one['size']:.2f}",
            f"{one['seconds']:.1f}",
            f"{one['shell']:.1f}",
            f"{one['megabytes']:.0f}",
            f"{one['here'] * 1000:.0f}",
            "refused" if ":" in one["said"] else "read",
        )
        for one in found[:SHOWN]
    ]
    header = (
        f"the hardest of {len(found)} attacks",
        "MB",
        "s",
        "s at a shell",
        "peak MB so far",
        "ms of the server",
        "",
    )
    return table(header, rows, "lrrrrrl"), good


def main() -> int:
    """Measure; 1 where a limit is missed."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.reading", description="Reading, fast and safe.")
    parser.add_argument("--reps", type=int, default=5)
    parser.add_argument("--before", type=Path, help="another checkout of rankdash")
    parser.add_argument("--write", action="store_true", help="keep the tables in benchmarks/README.md")
    parser.add_argument("--attacks", nargs="*", help="only the files that are most work, or some of them by name")
    options = parser.parse_args()
    hardest, bounded = attacks(options.attacks or ())
    print(hardest, flush=True)
    if options.write:
        write_between(README, "attacks", hardest)
    if options.attacks is not None:
        return int(not bounded)
    timings, good = speed(options.reps, options.before)
    print(timings, flush=True)
    if options.write:
        write_between(README, "reading", timings)
    return int(not (good and bounded))


if __name__ == "__main__":
    sys.exit(main())
