"""What a report takes beyond the comparison, of the demo and of 7,000 queries, and a gate beyond what it imports.

``python -m benchmarks.report [--reps 5] [--write]``. Each repetition is a process of its own that compares first, so
that what loading the writer costs is counted. Exit status: 0; 1 if a requirement is missed.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa

from benchmarks.markdown import table, write_between

ROOT = Path(__file__).parents[1]
README = Path(__file__).parent / "README.md"
DEMO = ROOT / "data" / "demo"
QUERIES, DEPTH, JUDGED, SEED = 7_000, 100, 20, 0
FORMS = ("html", "markdown", "junit", "json")


@dataclass(frozen=True)
class Limit:
    """The most that a report may take beyond the comparison, and its size."""

    seconds: float
    megabytes: float


def _demo() -> Any:
    import rankdash as rd

    files = {name: DEMO / f"{name}.csv" for name in ("run_a", "run_b", "judgments", "queries")}
    return rd.compare(files["run_a"], files["run_b"], files["judgments"], queries=files["queries"])


def _large() -> Any:
    """Two runs of 7,000 queries with 100 titled results each, of 400 documents of which 20 are judged."""
    import rankdash as rd

    random, documents = np.random.default_rng(SEED), 4 * DEPTH
    queries = pa.array([f"query {number}" for number in range(QUERIES)])
    ids, titles = (pa.array([f"{word} {number}" for number in range(documents)]) for word in ("d", "Title of document"))

    def run(name: str) -> Any:
        shown = np.concatenate([random.permutation(documents)[:DEPTH] for _ in range(QUERIES)])
        columns = {"query_id": queries.take(pa.array(np.repeat(np.arange(QUERIES), DEPTH)))}
        columns |= {"doc_id": ids.take(pa.array(shown)), "title": titles.take(pa.array(shown))}
        return rd.read_run(pa.table({**columns, "rank": np.tile(np.arange(1, DEPTH + 1), QUERIES)}), name=name)

    judged = np.concatenate([random.permutation(documents)[:JUDGED] for _ in range(QUERIES)])
    grades = {
        "query_id": queries.take(pa.array(np.repeat(np.arange(QUERIES), JUDGED))),
        "doc_id": ids.take(pa.array(judged)),
        "relevance": random.integers(0, 4, len(judged)),
    }
    return rd.compare(run("old"), run("new"), rd.read_judgments(pa.table(grades)))


#: What is reported, and what a report of it may take.
SETS: Mapping[str, tuple[Callable[[], Any], Limit]] = {
    "296 queries": (_demo, Limit(1.0, 0.6)),
    "7,000 queries": (_large, Limit(4.0, 3.0)),
}


def answer(name: str) -> dict[str, Any]:
    """Seconds and bytes of each form, in this process: the page first, which loads the most."""
    import rankdash as rd

    comparison = SETS[name][0]()
    verdict, found = rd.decide(comparison), {}
    for form in FORMS:
        started = time.perf_counter()
        content = rd.report(comparison, format=form, verdict=verdict)
        found[form] = {"seconds": time.perf_counter() - started, "megabytes": len(content) / 1e6}
    return found


def measured(name: str, reps: int) -> dict[str, dict[str, float]]:
    """Medians over processes."""
    command = [sys.executable, "-m", "benchmarks.report", "--set", name]
    runs = [
        json.loads(subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, text=True, check=True).stdout)
        for _ in range(reps)
    ]
    return {
        form: {what: statistics.median(run[form][what] for run in runs) for what in ("seconds", "megabytes")}
        for form in FORMS
    }


#: A process that only imports what every comparison needs, and a gate on the demo with the files that it writes.
IMPORTS = ("-c", "import numpy, pyarrow")
GATE = ("-m", "rankdash", "compare", *(str(DEMO / f"run_{side}.csv") for side in "ab"), "--gate", "--quiet")
GATES: Mapping[str, tuple[str, ...]] = {
    "status alone": (),
    "JSON, JUnit, Markdown": tuple(word for ending in ("json", "xml", "md") for word in ("-o", f"gate.{ending}")),
}
#: The most that the status alone may take beyond the imports, in seconds of a whole process.
GATE_LIMIT = 0.4


def gates(reps: int) -> dict[str, float]:
    """Median seconds of whole processes beyond those that only import, in turns, the first turn left out."""
    took: dict[str, list[float]] = {form: [] for form in GATES}
    with tempfile.TemporaryDirectory() as folder:
        for _ in range(reps + 1):
            floor = _process(IMPORTS, folder)
            for form, outputs in GATES.items():
                judged = ("-q", str(DEMO / "judgments.csv"))
                took[form].append(_process((*GATE, *judged, *outputs), folder) - floor)
    return {form: statistics.median(seconds[1:]) for form, seconds in took.items()}


def _process(arguments: Sequence[str], folder: str) -> float:
    started = time.perf_counter()
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    subprocess.run([sys.executable, *arguments], cwd=folder, env=environment, capture_output=True, check=True)
    return time.perf_counter() - started


def main() -> int:
    """Measure, print, keep; the exit status."""
    parser = argparse.ArgumentParser(description="Time reports beyond the comparison, and a gate beyond its imports.")
    parser.add_argument("--reps", type=int, default=5)
    parser.add_argument("--write", action="store_true", help="keep the table in benchmarks/README.md")
    parser.add_argument("--set", choices=[*SETS], help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.set is not None:
        print(json.dumps(answer(options.set)))
        return 0
    rows, enough = [], True
    for name, (_, limit) in SETS.items():
        for form, took in measured(name, options.reps).items():
            within = took["seconds"] <= limit.seconds and took["megabytes"] <= limit.megabytes
            asked = f"{limit.seconds:g} s, {limit.megabytes:g} MB" if form == "html" else ""
            enough = enough and (within or form != "html")
            result = ("OK" if within else "MISSED") if asked else ""
            rows.append((name, form, f"{took['seconds']:.2f} s", f"{took['megabytes']:.2f} MB", asked, result))
    for form, seconds in gates(options.reps).items():
        is_limited, within = not GATES[form], seconds <= GATE_LIMIT
        enough = enough and (within or not is_limited)
        asked, result = (f"{GATE_LIMIT:g} s", "OK" if within else "MISSED") if is_limited else ("", "")
        rows.append(("a gate on the demo, beyond imports", form, f"{seconds:.2f} s", "", asked, result))
    text = table(("of", "form", "beyond it", "size", "at most", ""), rows, "llrrrl")
    print(text)
    if options.write:
        write_between(README, "report", text)
    return int(not enough)


if __name__ == "__main__":
    sys.exit(main())
