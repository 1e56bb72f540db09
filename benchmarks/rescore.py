"""In one process: five measures for both runs again, from the joined arrays, after a changed k or gain.

``python benchmarks/rescore.py A B JUDGMENTS`` prints one JSON object: milliseconds, median and largest of the
repetitions, for a changed cutoff and for a changed gain. Every repetition asks for a cutoff or a gain that was not
asked for before, so nothing that is kept from an earlier question can help.
"""

from __future__ import annotations

import json
import statistics
import sys
import time

import rankdash as rd
from rankdash.comparison import Comparison, Side
from rankdash.metrics import Measure, parse_measures

REPETITIONS = 9
SIDES: tuple[Side, Side] = ("a", "b")


def changed_k(repetition: int) -> tuple[Measure, ...]:
    """The five measures with cutoffs of their own."""
    k = 11 + repetition
    return parse_measures([f"nDCG@{k}", "AP", f"P@{k}", "RR", f"R@{10 * k}"])


def changed_gain(repetition: int) -> tuple[Measure, ...]:
    """The five measures with a table of gains of its own."""
    gains = {1: 1, 2: 3, 3: 8 + repetition}
    return parse_measures([f"nDCG(gain={gains})@10", "AP", "P@10", "RR", "R@100"])


def rescore(comparison: Comparison, measures: tuple[Measure, ...]) -> None:
    """Score both runs of a comparison from its joined arrays."""
    for side in SIDES:
        comparison.joined.scores(side, measures)


def main() -> None:
    """Time both changes on one comparison."""
    run_a, run_b, judgments = sys.argv[1:]
    comparison = rd.compare(rd.read_run(run_a), rd.read_run(run_b), rd.read_judgments(judgments))
    answer = {}
    for name, change in (("k", changed_k), ("gain", changed_gain)):
        times = []
        for repetition in range(REPETITIONS):
            started = time.perf_counter()
            rescore(comparison, change(repetition))
            times.append((time.perf_counter() - started) * 1e3)
        answer[name] = {"median": statistics.median(times), "max": max(times)}
    print(json.dumps(answer))


if __name__ == "__main__":
    main()
