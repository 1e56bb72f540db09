"""Worlds in which queries belong together, losses are rare and big, raters differ, and somebody looks or tries again.

Every replicate goes the way of a comparison: ``weigh``, ``reading_of``, ``decide_from``; votes through
``compare_votes``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import partial

import numpy as np

import rankdash as rd
from benchmarks.markdown import table
from benchmarks.policy.cells import Cell
from benchmarks.policy.evidence import data_of
from benchmarks.policy.population import Floats, Population
from benchmarks.policy.tally import Tally
from benchmarks.policy.worlds import World, draw
from rankdash.metrics import parse_measures
from rankdash.policy import Policy
from rankdash.scoring.results import Sample, weigh
from rankdash.verdict import Evidence, Outcome, Verdict, decide_from
from rankdash.verdict.rule_evidence import reading_of

#: What is counted of each replicate, in the order of the columns.
COLUMNS = ("launch", "worse", "possible", "covers")
_POLICY = Policy()
_MEASURES = parse_measures(_POLICY.measures, _POLICY.scoring)


@dataclass(frozen=True)
class Limit:
    """What a rate must keep to: at least ``low`` and at most ``high``, as shares; None: there is no such limit."""

    column: str
    low: float | None = None
    high: float | None = None

    @property
    def text(self) -> str:
        """The limit as it is printed."""
        ends = (f"{sign} {100 * end:.1f}" for sign, end in (("≥", self.low), ("≤", self.high)) if end is not None)
        return f"{self.column} {' and '.join(ends)}"

    def kept(self, tally: Tally) -> bool:
        """Whether the rate is inside, as far as the replicates can tell."""
        error = 2 * Cell(tally, "-", 1).error
        low, high = (tally.mean + error, tally.mean - error)
        return (self.low is None or low >= self.low) and (self.high is None or high <= self.high)


@dataclass(frozen=True)
class Further:
    """One row: its label, what makes the counts of one replicate, and what these must keep to."""

    label: str
    one: Callable[[Population, np.random.Generator], Mapping[str, float]]
    limits: tuple[Limit, ...] = ()
    share: float = 1.0


def _decided(delta: Floats, clusters: np.ndarray | None, truth: float) -> dict[str, float]:
    """The outcome of differences, (measures, q), with or without the groups of the queries."""
    found = weigh(
        _POLICY, _MEASURES, np.zeros(delta.shape), delta, Sample(np.ones(delta.shape[1], bool), None, {}, clusters)
    )
    verdict = decide_from(Evidence(data_of(delta.shape[1], delta.shape[1]), reading_of(found)), _POLICY)
    interval = found.results[0].paired.ci95
    covers = np.nan if interval is None else float(interval[0] <= truth <= interval[1])
    return {**_counted(verdict), "covers": covers}


def _counted(verdict: Verdict) -> dict[str, float]:
    return {
        "launch": float(verdict.launch),
        "worse": float(verdict.outcome is Outcome.WORSE),
        "possible": float(verdict.tag == "possible harm"),
    }


def _drawn(population: Population, effect: float, n: int, random: np.random.Generator) -> Floats:
    delta = draw(World("further", effect), population, n, 1, random).delta[:, 0]
    return np.asarray(delta[: len(_MEASURES)], np.float64)


def _grouped(
    size: int, alike: float, effect: float, told: bool, population: Population, random: np.random.Generator
) -> Mapping[str, float]:
    """300 queries in groups: a query has its group's difference with the probability that makes them so alike."""
    delta = _drawn(population, effect, 300, random)
    groups = np.repeat(np.arange(300 // size), size)
    copies = random.random(300) < np.sqrt(alike)
    shared = _drawn(population, effect, 300 // size, random)[:, groups]
    return _decided(np.where(copies, shared, delta), groups if told else None, effect)


def _rare(
    n: int, effect: float, losses: float, wins: float, population: Population, random: np.random.Generator
) -> Mapping[str, float]:
    """Small differences with a mean, and big ones of 0.3 on some queries; the effect is that of all together."""
    size = 0.3
    small = np.clip(random.normal(0, 0.05, n), -0.15, 0.15) + effect - size * (wins - losses)
    chance = random.random(n)
    one = np.select((chance < losses, chance < losses + wins), (-size, size), small)
    return _decided(np.round(np.tile(one, (len(_MEASURES), 1)), 12), None, effect)


def _voted(
    n: int,
    good: float,
    bad: float,
    differ: float,
    raters: int,
    by_rater: bool,
    population: Population,
    random: np.random.Generator,
) -> Mapping[str, float]:
    """Three votes on each query; queries, and more than three raters, have a lean of their own beside that of all."""
    lean = random.normal(0, differ, (n, 1)) + (random.normal(0, 0.2, raters) if raters > 3 else np.zeros(raters))
    chosen = np.array([random.choice(raters, 3, replace=False) for _ in range(n)])
    lean = np.clip(np.take_along_axis(lean, chosen, axis=1), -min(good, bad), min(good, bad))
    chance = random.random((n, 3))
    said = np.where(chance < good + lean, "good", np.where(chance < good + bad, "bad", "same"))
    rows = [
        {"query_id": f"q{q}", "vote": str(said[q, i]), "rater": f"r{chosen[q, i]}", "left": str(random.choice([*"AB"]))}
        for q in range(n)
        for i in range(3)
    ]
    found = rd.compare_votes(rows)
    rated = found.votes
    interval = (rated.rater_lower95, rated.rater_upper95) if by_rater else rated.gsb.ci95
    counts = _counted(rd.decide(found))
    ends = [np.nan, np.nan] if interval is None else [np.nan if end is None else end for end in interval]
    covers = np.nan if np.isnan(ends).any() else float(ends[0] <= good - bad <= ends[1])
    return {**counts, "covers": covers}


def _family(candidates: int, population: Population, random: np.random.Generator) -> Mapping[str, float]:
    """Several candidates, none of them better, on 200 queries each: does one of them launch?"""
    all_of = [_decided(_drawn(population, 0.0, 200, random), None, 0.0) for _ in range(candidates)]
    return {name: max(one[name] for one in all_of) for name in ("launch", "worse", "possible")}


def _looks(looks: int, population: Population, random: np.random.Generator) -> Mapping[str, float]:
    """No difference; somebody looks while queries come in, 50 to 400, until it launches."""
    delta = _drawn(population, 0.0, 400, random)
    all_of = [_decided(delta[:, : int(n)], None, 0.0) for n in np.linspace(50, 400, looks)]
    return {name: max(one[name] for one in all_of) for name in ("launch", "worse", "possible")}


_NULL = (Limit("launch", high=0.03), Limit("worse", high=0.05), Limit("covers", 0.935))
_GAIN = (Limit("launch", low=0.95), Limit("worse", high=0.01))
_COVERS, _BY_RATER = Limit("covers", 0.93), Limit("covers", 0.90)


def _at_least_one(times: int) -> Limit:
    return Limit("launch", high=1 - 0.975**times)


ROWS = (
    Further("groups of 5, alike .3, true 0, groups not told", partial(_grouped, 5, 0.3, 0.0, False)),
    Further("the same, with `cluster`", partial(_grouped, 5, 0.3, 0.0, True), _NULL),
    Further("groups of 5, alike .3, true +.020, groups not told", partial(_grouped, 5, 0.3, 0.02, False)),
    Further("the same, with `cluster`", partial(_grouped, 5, 0.3, 0.02, True), (_COVERS,)),
    Further("groups of 10, alike .5, true 0, groups not told", partial(_grouped, 10, 0.5, 0.0, False)),
    Further("the same, with `cluster`", partial(_grouped, 10, 0.5, 0.0, True), _NULL),
    Further(
        "n 7,000, +.020, 80 big losses against 50 big wins", partial(_rare, 7_000, 0.02, 80 / 7e3, 50 / 7e3), _GAIN, 0.3
    ),
    Further("n 7,000, +.010, big losses .6%, big wins .3%", partial(_rare, 7_000, 0.01, 0.006, 0.003), _GAIN, 0.3),
    Further("n 7,000, +.010, big losses .3%, big wins .6%", partial(_rare, 7_000, 0.01, 0.003, 0.006), _GAIN, 0.3),
    Further(
        "n 1,000, +.010, big losses 2.5%, big wins .5%",
        partial(_rare, 1_000, 0.01, 0.025, 0.005),
        (Limit("worse", low=0.8),),
    ),
    Further(
        "votes alone, 400 queries by 3 raters, .2 / .3 / .5",
        partial(_voted, 400, 0.2, 0.5, 0.0, 3, False),
        (Limit("worse", low=0.99), _COVERS),
        0.3,
    ),
    Further(
        "votes alone, queries differ by .2, true −.20",
        partial(_voted, 400, 0.3, 0.5, 0.2, 3, False),
        (Limit("worse", low=0.95), _COVERS),
        0.3,
    ),
    Further(
        "votes alone, no preference, 60 queries",
        partial(_voted, 60, 0.35, 0.35, 0.2, 3, False),
        (Limit("worse", high=0.03), Limit("launch", high=0.03), _COVERS),
    ),
    Further("votes alone, no preference, 7 raters who differ", partial(_voted, 100, 0.35, 0.35, 0.1, 7, False)),
    Further("the same; covers: the interval by rater", partial(_voted, 100, 0.35, 0.35, 0.1, 7, True), (_BY_RATER,)),
    *(
        Further(f"family of {k}, 200 queries, none better", partial(_family, k), (_at_least_one(k),), 3 / (2 + k))
        for k in (1, 3, 12)
    ),
    *(
        Further(f"{k} looks, 50 to 400 queries, no difference", partial(_looks, k), (_at_least_one(k),), 3 / (2 + k))
        for k in (2, 5, 12)
    ),
)

_SHARED: dict[str, Population] = {}


def _start(population: Population) -> None:
    _SHARED["all"] = population


def _replicates(task: tuple[int, int, int]) -> dict[str, Tally]:
    """The counts of some replicates of one row; ``task`` is the row, the first replicate, and how many."""
    row, first, many = task
    found = [ROWS[row].one(_SHARED["all"], np.random.default_rng([3, row, first + at])) for at in range(many)]
    return {name: Tally.of(np.array([one[name] for one in found])) for name in COLUMNS if name in found[0]}


def simulate(population: Population, replicates: int, workers: int) -> list[dict[str, Tally]]:
    """Return the counts of each row, by column; the same replicates give the same counts, whoever makes them."""
    results: list[dict[str, Tally]] = [{} for _ in ROWS]
    tasks = list(_tasks(replicates))
    with ProcessPoolExecutor(workers, initializer=_start, initargs=(population,)) as pool:
        for (row, _, _), found in zip(tasks, pool.map(_replicates, tasks), strict=True):
            for name, tally in found.items():
                results[row][name] = results[row].get(name, Tally()) + tally
    return results


def _tasks(replicates: int) -> Iterator[tuple[int, int, int]]:
    for row, further in enumerate(ROWS):
        wanted = max(1, round(replicates * further.share))
        for first in range(0, wanted, 50):
            yield row, first, min(50, wanted - first)


def missed(results: list[dict[str, Tally]]) -> list[str]:
    """Return the limits that a row misses, each with its row."""
    return [
        f"{row.label}: {limit.text}"
        for row, found in zip(ROWS, results, strict=True)
        for limit in row.limits
        if not limit.kept(found[limit.column])
    ]


def markdown(results: list[dict[str, Tally]]) -> str:
    """Return the table: percentages with two standard errors, and each row's limits."""
    rows = []
    for row, found in zip(ROWS, results, strict=True):
        shown = [_rate(found[name]) if name in found else "" for name in COLUMNS]
        broken = [limit.text for limit in row.limits if not limit.kept(found[limit.column])]
        held = "; ".join(limit.text for limit in row.limits)
        rows.append([row.label, *shown, held, f"MISSED {'; '.join(broken)}" if broken else "OK" if held else ""])
    return table(["%", "launch", "worse", "possible harm", "interval covers", "limit", ""], rows, "lrrrrll")


def _rate(tally: Tally) -> str:
    return f"{100 * tally.mean:.1f} ±{200 * Cell(tally, '-', 1).error:.1f}"
