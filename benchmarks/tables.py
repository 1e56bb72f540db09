"""Results as Markdown: one table per set, the requirements, the agreement, and the machine they were measured on."""

from __future__ import annotations

import importlib.metadata
import os
import platform
import statistics
from collections.abc import Sequence
from pathlib import Path

from contenders import BY_NAME, CONTENDERS
from markdown import table, write_between
from results import REQUIREMENTS, Results

PACKAGES = ("numpy", "pyarrow", "pytrec_eval-terrier", "ir_measures", "ranx", "numba", "pyndeval")


def machine() -> str:
    """Cores, memory, system and versions, in one line."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30
    versions = [f"{name} {version}" for name in PACKAGES if (version := _version(name))]
    return (
        f"{cores} cores, {memory:.0f} GB, {platform.system()} {platform.machine()}, "
        f"Python {platform.python_version()}; {', '.join(versions)}."
    )


def whole_process(name: str, results: Results, also: Sequence[str]) -> str:
    """The timings of one set; ``also`` are the sets of other sizes that only rankdash was timed on."""
    rows = [(name, contender.name) for contender in CONTENDERS] + [(other, "rankdash") for other in also]
    lines = []
    for case in rows:
        samples = results.samples.get(case)
        if not samples:
            continue
        walls = [sample.wall for sample in samples]
        ratios = results.ratios(case, (name, "rankdash"))
        label = case[1] if case[0] == name else f"{case[1]} on `{case[0]}`"
        cells = [
            label,
            f"{results.wall(case):.2f}",
            f"{min(walls):.2f}-{max(walls):.2f}",
            f"{results.cpu(case):.2f}",
            f"{statistics.median(ratios):.2f}" if ratios else "-",
            f"{max(results.peaks(case)):.0f}",
            str(len(samples)),
            BY_NAME[case[1]].note,
        ]
        lines.append(cells)
    header = ["", "wall s", "min-max", "cpu s", "x rankdash", "peak MB", "n", ""]
    return table(header, lines, "lrrrrrrl")


#: What is asked again in one process, and what its column is called.
AGAIN = {"k": "changed k", "gain": "changed gain", "verdict": "verdict", "robustness": "robustness"}


def again(results: Results) -> str:
    """The questions that are asked again in one process: milliseconds per set."""
    lines = [
        [name, *(f"{times[question]['median']:.1f} ({times[question]['max']:.1f})" for question in AGAIN)]
        for name, times in results.again.items()
    ]
    return table(["set", *(f"{title}, ms (max)" for title in AGAIN.values())], lines, "lrrrr")


def requirements(results: Results) -> str:
    """One line per requirement: limit, measured, the least and the most of its repetitions, verdict, and its floor."""
    lines = []
    for requirement in REQUIREMENTS:
        values, value, verdict = requirement.verdict(results)
        sign = "≥" if requirement.at_least else "≤"
        spread = f"{_short(min(values))}-{_short(max(values))}" if len(values) > 1 else ""
        limit = f"{sign} {requirement.limit:g} {requirement.unit}"
        floor = requirement.floor(results)
        alone = _short(statistics.median(floor)) if floor else ""
        lines.append([requirement.text, limit, "" if value is None else _short(value), spread, verdict, alone])
    return table(["requirement", "limit", "measured", "min-max", "", "parser alone"], lines, "lrrrlr")


def _short(value: float) -> str:
    return f"{value:.3g}" if abs(value) < 100 else f"{value:.0f}"


def agreement(results: Results) -> str:
    """How many values differ from the reference, and whether ties can be the reason."""
    lines = []
    for name, rows in results.agreements.items():
        for row in rows:
            means = "none printed" if row["means"] is None else f"{row['means']:.1e}"
            lines.append(
                [
                    f"{name}: {row['name']} - {row['reference']}",
                    f"{row['compared']:,}",
                    f"{row['differing']:,}",
                    f"{row['largest']:.1e}",
                    f"{row['differing_settled']:,}",
                    means,
                    row["verdict"],
                ]
            )
    header = ["set: pair", "values", "differ by > 1e-6", "largest", "of these not by ties", "means, intervals", ""]
    return table(header, lines, "lrrrrrl")


def write(readme: Path, text: str) -> None:
    """Put the text between the two markers of the file."""
    write_between(readme, "table", text)


def _version(package: str) -> str | None:
    try:
        return importlib.metadata.version(package)
    except importlib.metadata.PackageNotFoundError:
        return None
