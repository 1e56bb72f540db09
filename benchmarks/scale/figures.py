"""What was measured, read off as medians and ratios, and what is required of it: each limit can be missed."""

from __future__ import annotations

import statistics
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from benchmarks.markdown import table
from benchmarks.measure import Sample
from benchmarks.scale.works import Work


@dataclass
class Results:
    """Samples of every work by its name, one per repetition in order; the seconds of Sail beside them."""

    samples: dict[str, list[Sample]] = field(default_factory=dict)
    cold: dict[str, list[float]] = field(default_factory=dict)
    warm: dict[str, list[float]] = field(default_factory=dict)
    failures: dict[str, str] = field(default_factory=dict)

    def wall(self, name: str) -> float | None:
        """Return the median wall time, seconds; None for what did not run."""
        return _median(sample.wall for sample in self.samples.get(name, []))

    def peak(self, name: str) -> float | None:
        """Return the largest peak, MB."""
        return max((sample.peak for sample in self.samples.get(name, [])), default=None)

    def ratio(self, name: str, base: str) -> float | None:
        """Return how many times longer one takes than another: the median over the repetitions that both have."""
        pairs = zip(self.samples.get(name, []), self.samples.get(base, []), strict=False)
        return _median(one.wall / other.wall for one, other in pairs)


@dataclass(frozen=True)
class Requirement:
    """One promise: what is measured of which works, and the most that it may be."""

    text: str
    unit: str
    limit: float
    of: tuple[str, ...]
    measured: Callable[[Results], float | None]

    def verdict(self, results: Results) -> tuple[float | None, str]:
        """Return the measured value, and OK, MISSED or "not measured"."""
        value = self.measured(results)
        if value is None:
            return None, "not measured"
        return value, "OK" if value <= self.limit else "MISSED"


def requirements(works: Sequence[Work]) -> list[Requirement]:
    """Return what is required of these works, and of those beside them that do not run here."""
    rows = {work.name: work.data.rows for work in works if work.data is not None}

    def per_row(name: str, base: str) -> Callable[[Results], float | None]:
        share = rows.get(base, 1) / rows.get(name, 1)
        return lambda results: _times(results.ratio(name, base), share)

    def warm(results: Results) -> float | None:
        pairs = zip(results.warm.get("sail", []), results.samples.get("large", []), strict=False)
        return _median(seconds / sample.wall for seconds, sample in pairs)

    def sail_per_row(results: Results) -> float | None:
        pairs = zip(results.warm.get("sail more", []), results.warm.get("sail", []), strict=False)
        return _times(_median(one / other for one, other in pairs), rows.get("sail", 1) / rows.get("sail more", 1))

    found = [
        Requirement("from the scored table to the verdict", "s", 3, ("verdict",), lambda r: r.wall("verdict")),
        Requirement("the same: peak memory", "MB", 1500, ("verdict",), lambda r: r.peak("verdict")),
        Requirement("rows in any order: times the time of lists that stand together", "x", 3, ("scattered",),
                    lambda r: r.ratio("scattered", "large")),
        Requirement("the same: peak memory", "MB", 500, ("scattered",), lambda r: r.peak("scattered")),
        Requirement("four times the rows: time per row", "x", 1.3, ("more",), per_row("more", "large")),
        Requirement("the same: peak memory", "MB", 1500, ("more",), lambda r: r.peak("more")),
        Requirement("Sail, warm: times the time of the streamed driver", "x", 3, ("sail",), warm),
        Requirement("Sail, warm, four times the rows: time per row", "x", 1.3, ("sail more",), sail_per_row),
    ]  # fmt: skip
    if "rows" in rows:
        text = f"{rows['rows']:,} rows per run"
        found += [
            Requirement(f"{text}: time per row", "x", 1.3, ("rows",), per_row("rows", "large")),
            Requirement(f"{text}: peak memory", "MB", 1500, ("rows",), lambda r: r.peak("rows")),
        ]
    return found


def required(results: Results, wanted: Sequence[Requirement]) -> str:
    """Return the requirements as a table."""
    lines = []
    for one in wanted:
        value, verdict = one.verdict(results)
        lines.append([one.text, f"≤ {one.limit:g} {one.unit}", "" if value is None else _digits(value), verdict])
    return table(["requirement", "limit", "measured", ""], lines, "lrrl")


def timed(results: Results, works: Sequence[Work]) -> str:
    """Return the time and the memory of every work as a table."""
    lines = []
    for work in works:
        samples = results.samples.get(work.name)
        if not samples:
            continue
        walls = [sample.wall for sample in samples]
        wall, cpu = statistics.median(walls), statistics.median(sample.cpu for sample in samples)
        rows = f"{wall / (2 * work.data.rows) * 1e6:.2f}" if work.is_streamed and work.data else ""
        peak = f"{max(sample.peak for sample in samples):,.0f}"
        spread = f"{min(walls):.2f}-{max(walls):.2f}"
        lines.append([work.text, f"{wall:.2f}", spread, f"{cpu:.2f}", rows, peak, str(len(walls))])
    head = ["work, a whole process", "wall s", "min-max", "cpu s", "s per million rows", "peak MB", "n"]
    return table(head, lines, "lrrrrrr")


def sailed(results: Results, works: Sequence[Work]) -> str:
    """Return the seconds of Sail as a table; "" where it did not run."""
    texts: Mapping[str, str] = {work.name: work.text for work in works}
    lines = [
        [texts[name], f"{statistics.median(results.cold[name]):.2f}", f"{statistics.median(seconds):.2f}"]
        for name, seconds in results.warm.items()
        if seconds
    ]
    return table(["Sail in process", "cold s", "warm s"], lines, "lrr") if lines else ""


def _median(values: Iterable[float]) -> float | None:
    known = list(values)
    return statistics.median(known) if known else None


def _times(value: float | None, factor: float) -> float | None:
    return None if value is None else value * factor


def _digits(value: float) -> str:
    return f"{value:,.0f}" if value >= 100 else f"{value:.2f}"
