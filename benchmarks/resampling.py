"""10,000 permutations and 10,000 bootstrap resamples over 7,000 queries: rankdash's against scipy's, in one run.

``python -m benchmarks.resampling [--reps 5] [--slow-reps 2] [--write]``. Each contender answers in processes of its
own, in turn; a process times the call and says what it added to the peak of the process's memory. Exit status: 0; 1 if
a requirement is missed or a value disagrees.
"""

from __future__ import annotations

import argparse
import json
import resource
import statistics
import subprocess
import sys
import time
import tracemalloc
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from benchmarks.markdown import table, write_between

ROOT = Path(__file__).parents[1]
README = Path(__file__).parent / "README.md"

QUERIES, DRAWS, SEED = 7_000, 10_000, 0
TIES = {"60% ties": 0.60, "no ties": 0.0}  # the sets of differences: share of zeros
MEAN, SPREAD = 0.0045, 0.18  # of the other differences
BATCH = 500  # scipy: resamples in memory at a time; without it, it takes gigabytes
_MAXRSS_BYTES = 1 if sys.platform == "darwin" else 1024

#: Limits: both together, of rankdash; and how far values may be from scipy's.
SECONDS, MEGABYTES = 1.5, 100.0
P_APART, ENDS_APART = 0.015, 0.05  # p; ends of the BCa interval, in widths of it

Floats = npt.NDArray[np.float64]
Answer = dict[str, Any]


def differences(ties: float) -> Floats:
    """Differences of 7,000 queries, (q,): a share is 0, the others scatter around a small gain. Always the same."""
    random = np.random.default_rng(SEED)
    moved = np.clip(random.normal(MEAN, SPREAD, QUERIES), -1, 1)
    return np.round(np.where(random.random(QUERIES) < ties, 0.0, moved), 12)


def _ours_permutation(values: Floats) -> list[float]:
    from rankdash.evidence.significance_tests import permutation

    return [permutation(values, draws=DRAWS).p]


def _ours_bootstrap(values: Floats) -> list[float]:
    from rankdash.evidence.bootstrap import bootstrap

    return list(bootstrap(values, draws=DRAWS).bca95 or (float("nan"), float("nan")))


def _scipy_permutation(values: Floats) -> list[float]:
    from scipy.stats import permutation_test

    def mean(sample: Floats, axis: int = -1) -> Floats:
        return np.mean(sample, axis=axis)

    found = permutation_test(
        (values,), mean, permutation_type="samples", n_resamples=DRAWS, batch=BATCH, vectorized=True, rng=SEED
    )
    return [float(found.pvalue)]


def _scipy_bootstrap(values: Floats) -> list[float]:
    from scipy.stats import bootstrap

    found = bootstrap((values,), np.mean, n_resamples=DRAWS, batch=BATCH, vectorized=True, method="BCa", rng=SEED)
    return [float(found.confidence_interval.low), float(found.confidence_interval.high)]


JOBS: Mapping[str, Callable[[Floats], list[float]]] = {
    "permutation, rankdash": _ours_permutation,
    "permutation, scipy": _scipy_permutation,
    "BCa bootstrap, rankdash": _ours_bootstrap,
    "BCa bootstrap, scipy": _scipy_bootstrap,
}
OURS = tuple(name for name in JOBS if name.endswith("rankdash"))


def answer(job: str, ties: float, memory: bool) -> Answer:
    """Seconds of the call and what it returned; with ``memory`` what it allocated at most, and then no seconds.

    One small call goes before, so that what is imported at the first use is neither timed nor counted.
    """
    values = differences(ties)
    JOBS[job](values[:40])
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    if memory:
        tracemalloc.start()
    started = time.perf_counter()
    found = JOBS[job](values)
    seconds = time.perf_counter() - started
    added = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) * _MAXRSS_BYTES / 1e6
    if memory:
        return {"allocated": tracemalloc.get_traced_memory()[1] / 1e6, "values": found}
    return {"seconds": seconds, "added": added, "values": found}


def _asked(job: str, ties: float, memory: bool = False) -> Answer:
    """The answer of a process of its own."""
    command = [sys.executable, "-m", "benchmarks.resampling", "--job", job, "--ties", str(ties)]
    command += ["--memory"] if memory else []
    return json.loads(subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, text=True, check=True).stdout)


def measured(ties: float, reps: int, slow_reps: int) -> dict[str, Answer]:
    """Per job: median seconds, the largest growth of the process, the largest allocation, values. Jobs in turn."""
    runs: dict[str, list[Answer]] = {job: [] for job in JOBS}
    for repetition in range(reps):
        for job in JOBS:
            if job in OURS or repetition < slow_reps:
                runs[job].append(_asked(job, ties))
    return {
        job: {
            "seconds": statistics.median(run["seconds"] for run in found),
            "added": max(run["added"] for run in found),
            "allocated": _asked(job, ties, memory=True)["allocated"],
            "n": len(found),
            "values": found[0]["values"],
        }
        for job, found in runs.items()
    }


def requirements(found: Mapping[str, Answer]) -> list[tuple[str, str, str, bool]]:
    """What is asked, its limit, what was measured, and whether that is enough."""
    (p_ours, p_scipy), (ours, scipys) = (
        [found[f"{what}, {who}"]["values"] for who in ("rankdash", "scipy")]
        for what in ("permutation", "BCa bootstrap")
    )
    seconds = sum(found[job]["seconds"] for job in OURS)
    megabytes = max(max(found[job]["added"], found[job]["allocated"]) for job in OURS)
    p_apart = abs(p_ours[0] - p_scipy[0])
    ends_apart = max(abs(a - b) for a, b in zip(ours, scipys, strict=True)) / (scipys[1] - scipys[0])
    return [
        ("rankdash, both together: time", f"≤ {SECONDS} s", f"{seconds:.2f}", seconds <= SECONDS),
        ("rankdash, either: peak memory", f"≤ {MEGABYTES:.0f} MB", f"{megabytes:.0f}", megabytes <= MEGABYTES),
        ("p of rankdash and scipy apart", f"≤ {P_APART}", f"{p_apart:.4f}", p_apart <= P_APART),
        ("ends of BCa apart, in widths", f"≤ {ENDS_APART}", f"{ends_apart:.4f}", ends_apart <= ENDS_APART),
    ]


def report(sets: Mapping[str, Mapping[str, Answer]]) -> str:
    """The tables as Markdown: the requirements, then one table for each set of differences."""
    about = (
        f"{DRAWS:,} permutations and {DRAWS:,} resamples of {QUERIES:,} differences. "
        f"scipy works in batches of {BATCH}. Allocated: tracemalloc's peak, in a process that is not timed."
    )
    lines = [
        [f"{name}: {text}", limit, value, "OK" if holds else "MISSED"]
        for name, found in sets.items()
        for text, limit, value, holds in requirements(found)
    ]
    parts = [about, table(["requirement", "limit", "measured", ""], lines, "lrrl")]
    return "\n\n".join((*parts, *(_timings(name, found) for name, found in sets.items())))


def _timings(name: str, found: Mapping[str, Answer]) -> str:
    rows = []
    for job, one in found.items():
        base = found[job.replace("scipy", "rankdash")]["seconds"]
        values = " to ".join(f"{value:.4f}" for value in one["values"])
        cells = [f"{1e3 * one['seconds']:.0f}", f"{one['seconds'] / base:.1f}"]
        rows.append([job, *cells, f"{one['allocated']:.0f}", f"{one['added']:.0f}", str(one["n"]), values])
    header = [name, "wall ms", "x rankdash", "allocated MB", "process grew MB", "n", "p or 95% interval"]
    return table(header, rows, "lrrrrrr")


def main() -> int:
    """Time all of them, print, and keep the tables where that is asked for; in a child, do one job."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.resampling", description="rankdash against scipy.")
    parser.add_argument("--reps", type=int, default=5, help="repetitions of rankdash")
    parser.add_argument("--slow-reps", type=int, default=2, help="repetitions of scipy")
    parser.add_argument("--write", action="store_true", help="keep the tables in benchmarks/README.md")
    parser.add_argument("--job", choices=list(JOBS), help=argparse.SUPPRESS)
    parser.add_argument("--ties", type=float, default=0.0, help=argparse.SUPPRESS)
    parser.add_argument("--memory", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.job:
        print(json.dumps(answer(options.job, options.ties, options.memory)))
        return 0
    sets = {name: measured(ties, options.reps, options.slow_reps) for name, ties in TIES.items()}
    text = report(sets)
    print(text)
    if options.write:
        write_between(README, "resampling", text)
    return int(not all(holds for found in sets.values() for *_, holds in requirements(found)))


if __name__ == "__main__":
    sys.exit(main())
