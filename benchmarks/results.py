"""What was measured, and what is required of it: one row per requirement, each with how it is read off."""

from __future__ import annotations

import math
import statistics
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from measure import Sample
from peers.shared import t_quantile

Case = tuple[str, str]  # (set, contender)


@dataclass
class Results:
    """``samples`` per (set, contender), one per repetition in order; ``again`` and ``agreements`` per set.

    ``failures`` says per (set, contender) how it ended with an error; it is not started on that set again.
    """

    samples: dict[Case, list[Sample]] = field(default_factory=dict)
    again: dict[str, dict[str, dict[str, float]]] = field(default_factory=dict)
    agreements: dict[str, list[dict[str, Any]]] = field(default_factory=dict)
    failures: dict[Case, str] = field(default_factory=dict)

    def add(self, case: Case, sample: Sample) -> None:
        """Keep one more repetition."""
        self.samples.setdefault(case, []).append(sample)

    def wall(self, case: Case) -> float | None:
        """Median wall time in seconds; None if it did not run."""
        return _median(sample.wall for sample in self.samples.get(case, []))

    def cpu(self, case: Case) -> float | None:
        """Median processor time in seconds; None if it did not run."""
        return _median(sample.cpu for sample in self.samples.get(case, []))

    def peaks(self, case: Case) -> list[float]:
        """The peak of each repetition, MB."""
        return [sample.peak for sample in self.samples.get(case, [])]

    def ratios(self, case: Case, base: Case) -> list[float]:
        """How many times longer ``case`` takes than ``base``, for each repetition that both have."""
        return [a.wall / b.wall for a, b in self._pairs(case, base)]

    def cpu_ratios(self, case: Case, base: Case) -> list[float]:
        """How many times more processor time ``case`` takes than ``base``, for each repetition that both have."""
        return [a.cpu / b.cpu for a, b in self._pairs(case, base)]

    def peak_ratios(self, case: Case, base: Case) -> list[float]:
        """How many times more memory ``case`` takes than ``base``, for each repetition that both have."""
        return [a.peak / b.peak for a, b in self._pairs(case, base)]

    def extras(self, case: Case, base: Case) -> list[float]:
        """How many seconds longer ``case`` takes than ``base``, for each repetition that both have."""
        return [a.wall - b.wall for a, b in self._pairs(case, base)]

    def growths(self, case: Case, base: Case, floor: Case) -> list[float]:
        """The ratios of two cases with the start of the process taken off both."""
        start = self.wall(floor)
        if start is None:
            return []
        return [(a.wall - start) / (b.wall - start) for a, b in self._pairs(case, base) if b.wall > start]

    def slowest_again(self, name: str, questions: Collection[str]) -> list[float]:
        """The slowest of some questions that are asked again in one process, median ms; empty if none was asked."""
        asked = self.again.get(name, {})
        return sorted(asked[question]["median"] for question in questions if question in asked)[-1:]

    def _pairs(self, case: Case, base: Case) -> Iterable[tuple[Sample, Sample]]:
        return zip(self.samples.get(case, []), self.samples.get(base, []), strict=False)


@dataclass(frozen=True)
class Requirement:
    """One promise: what is measured in each repetition, its limit, and whether more or less is better.

    ``taken`` makes one value of the repetitions': their median, or the largest, which is how memory is read. ``floor``
    is what a program would have that only parses the runs with Arrow, where that tells something.
    """

    text: str
    unit: str
    limit: float
    at_least: bool
    measured: Callable[[Results], Sequence[float]]
    taken: Callable[[Sequence[float]], float] = statistics.median
    floor: Callable[[Results], Sequence[float]] = lambda _: ()

    def verdict(self, results: Results) -> tuple[Sequence[float], float | None, str]:
        """The values of the repetitions, the value that is held against the limit, and OK, MISSED or "not measured"."""
        values = self.measured(results)
        if not values:
            return values, None, "not measured"
        value = self.taken(values)
        return values, value, "OK" if (value >= self.limit if self.at_least else value <= self.limit) else "MISSED"


def _median(values: Iterable[float]) -> float | None:
    known = list(values)
    return statistics.median(known) if known else None


def _lower_end(ratios: Sequence[float]) -> float:
    """The lower end of the 95% interval of the geometric mean of ratios; of a single one that one."""
    logs = [math.log(ratio) for ratio in ratios]
    if len(logs) < 2:
        return ratios[0]
    half = t_quantile(len(logs) - 1) * statistics.stdev(logs) / math.sqrt(len(logs))
    return math.exp(statistics.fmean(logs) - half)


def _faster(name: str, peer: str, limit: float) -> Requirement:
    def against(contender: str) -> Callable[[Results], Sequence[float]]:
        return lambda r: r.ratios((name, peer), (name, contender))

    text = f"{name}: times faster than {peer}"
    return Requirement(text, "x", limit, True, against("rankdash"), floor=against("parser"))


def _scored_again(name: str) -> Requirement:
    text = f"{name}: five measures, both runs, after a changed k or gain"
    return Requirement(text, "ms", 40, False, lambda r: r.slowest_again(name, ("k", "gain")))


def _linear(part: str, whole: str, timed_with: str) -> tuple[Requirement, Requirement]:
    """Ten times the rows: the whole process, and the stricter reading that takes the start off both."""
    text = f"{whole}: time for ten times the rows of {part}"
    case, base, floor = (whole, "rankdash"), (part, "rankdash"), (timed_with, "floor")
    return (
        Requirement(text, "x", 13, False, lambda r: r.ratios(case, base)),
        Requirement(f"{text}, process start taken off", "x", 13, False, lambda r: r.growths(case, base, floor)),
    )


REQUIREMENTS = (
    _faster("large", "trec_eval", 6.5),
    _faster("large", "pytrec_eval", 6.5),
    Requirement(
        "large: time against Arrow's parser alone",
        "x",
        1.7,
        False,
        lambda r: r.ratios(("large", "rankdash"), ("large", "parser")),
    ),
    _faster("large", "ranx", 22),
    _faster("large", "ir_measures", 20),
    *(
        Requirement(
            f"large: time of {form} against TREC",
            "x",
            limit,
            False,
            lambda r, form=form: r.ratios((f"large-{form}", "rankdash"), ("large", "rankdash")),
        )
        for form, limit in (("parquet", 1.0), ("shuffled", 3.0))
    ),
    *(
        Requirement(
            f"{what}: rankdash's peak memory",
            "MB",
            limit,
            False,
            lambda r, name=name: r.peaks((name, "rankdash")),
            max,
        )
        for what, name, limit in (
            ("large", "large", 350),
            ("large from Parquet", "large-parquet", 350),
            ("large, shuffled", "large-shuffled", 500),
        )
    ),
    *(
        Requirement(
            f"large: {what} of five candidates against one", "x", 3.0, False, read(("large", "candidates")), taken
        )
        for what, read, taken in (
            ("time", lambda case: lambda r: r.ratios(case, ("large", "rankdash")), statistics.median),
            ("peak memory", lambda case: lambda r: r.peak_ratios(case, ("large", "rankdash")), max),
        )
    ),
    _faster("graded", "pytrec_eval", 1.0),
    _faster("diverse", "pyndeval", 10),
    *(
        Requirement(
            f"{name}: processor time against the commit of --before, lower end of the 95% interval",
            "x",
            1.05,
            False,
            lambda r, name=name: r.cpu_ratios((name, "rankdash"), (name, "before")),
            _lower_end,
        )
        for name in ("large", "graded", "small")
    ),
    *(
        Requirement(
            f"{what}: more than the floor",
            "s",
            limit,
            False,
            lambda r, name=name: r.extras(("small", name), ("small", "floor")),
        )
        for what, name, limit in (
            ("small", "rankdash", 0.20),
            ("`import rankdash`", "import", 0.05),
            ("`rd.compare` of two dicts of 200 queries", "dicts", 0.30),
        )
    ),
    _scored_again("large"),
    _scored_again("graded"),
    _scored_again("small"),
    Requirement(
        "large: the verdict and its robustness",
        "ms",
        2000,
        False,
        lambda r: r.slowest_again("large", ("verdict", "robustness")),
    ),
    *_linear("tenth", "large", timed_with="large"),
    *_linear("graded", "graded10", timed_with="graded"),
)
