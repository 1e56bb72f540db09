"""In one process, from the joined arrays: five measures for both runs again, the verdict, and how robust it is.

``python benchmarks/again.py A B JUDGMENTS`` prints one JSON object: milliseconds, median and largest of the
repetitions, for a changed cutoff, a changed gain, a verdict and its robustness. Every repetition asks for a cutoff, a
gain or a policy that was not asked for before, so nothing that is kept from an earlier question can help.
"""

from __future__ import annotations

import json
import statistics
import sys
import time
from collections.abc import Callable

import rankdash as rd
from rankdash.metrics import Measure, parse_measures
from rankdash.scoring import SIDES, Comparison, compare_joined

REPETITIONS = 9


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


def compared(comparison: Comparison, repetition: int) -> Comparison:
    """The comparison under a policy whose cutoff no repetition before had."""
    return compare_joined(comparison.joined, rd.Policy(cutoff=11 + repetition))


def milliseconds(question: Callable[[int], object]) -> dict[str, float]:
    """Median and largest over the repetitions of a question that takes the number of the repetition."""
    times = []
    for repetition in range(REPETITIONS):
        started = time.perf_counter()
        question(repetition)
        times.append((time.perf_counter() - started) * 1e3)
    return {"median": statistics.median(times), "max": max(times)}


def main() -> None:
    """Time every question on one comparison."""
    run_a, run_b, judgments = sys.argv[1:]
    comparison = rd.compare(rd.read_run(run_a), rd.read_run(run_b), rd.read_judgments(judgments))
    others = [compared(comparison, repetition) for repetition in range(REPETITIONS)]
    questions: dict[str, Callable[[int], object]] = {
        "k": lambda repetition: rescore(comparison, changed_k(repetition)),
        "gain": lambda repetition: rescore(comparison, changed_gain(repetition)),
        "verdict": lambda repetition: rd.decide(others[repetition]),
        "robustness": lambda repetition: rd.robustness(others[repetition]),
    }
    print(json.dumps({name: milliseconds(question) for name, question in questions.items()}))


if __name__ == "__main__":
    main()
