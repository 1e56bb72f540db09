"""Replicates -> how often each thing happened, in parallel and reproducibly."""

from __future__ import annotations

import math
import os
import zlib
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace

import numpy as np

from benchmarks.policy.evidence import Block, block, check, evidences, votes
from benchmarks.policy.population import PRIMARY, Floats, Population
from benchmarks.policy.worlds import Draw, World, draw
from rankdash.evidence.distributions import normal_quantile
from rankdash.evidence.experts import bootstrap, sign_test, wilcoxon
from rankdash.evidence.gsb import gsb
from rankdash.evidence.paired import holm
from rankdash.policy import Policy
from rankdash.verdict import RULES, Outcome, Status, Verdict, VoteNumbers, decide_from

#: The policies under test, by the name that the tables use; "confirm" is given simulated votes.
POLICIES: Mapping[str, Policy] = {
    "policy": Policy(),
    "confirm": Policy(votes="confirm"),
    "affected": Policy(population="affected"),
    "no_harm": Policy(intent="do_no_harm"),
}
#: What claims that B is worse.
HARM_RULES = tuple(rule.id for rule in RULES if rule.claims_harm)
#: What stops a launch without being a claim, by its tag.
DOUBTS = {"possible": "possible harm", "no gain": "no gain in sight"}

#: Query-replicates in memory at a time; resamples of each bootstrap; replicates of a piece that are checked.
_PIECE, RESAMPLES, _CHECKED = 400_000, 2_000, 3
_MOST_REPLICATES = 500


@dataclass(frozen=True)
class Task:
    """One column of a table: replicates of n queries in a world, under policies, with further statistics.

    ``extra`` names functions of STATISTICS. ``share`` of the replicates that are wished for are made.
    """

    world: World
    n: int
    policies: tuple[str, ...] = ("policy",)
    extra: tuple[str, ...] = ()
    share: float = 1.0


@dataclass(frozen=True)
class Tally:
    """Sums over replicates of one quantity: a share where it is 0 or 1."""

    count: int = 0
    total: float = 0.0
    squares: float = 0.0

    def __add__(self, other: Tally) -> Tally:
        return Tally(self.count + other.count, self.total + other.total, self.squares + other.squares)

    @classmethod
    def of(cls, values: Floats) -> Tally:
        """The sums of the values that are defined."""
        known = values[~np.isnan(values)]
        return cls(len(known), float(known.sum()), float((known**2).sum()))

    @property
    def mean(self) -> float:
        """NaN where nothing was counted."""
        return self.total / self.count if self.count else math.nan

    @property
    def error(self) -> float:
        """The Monte-Carlo standard error of the mean."""
        if not self.count:
            return math.nan
        return math.sqrt(max(self.squares / self.count - self.mean**2, 0.0) / self.count)


Tallies = dict[str, Tally]
Key = tuple[str, int]  # (world, n)


def run(tasks: Iterable[Task], population: Population, replicates: int, seed: int, workers: int) -> dict[Key, Tallies]:
    """Every task's tallies. The same seed gives the same numbers, however many workers share the work."""
    pieces = [piece for task in tasks for piece in _pieces(task, replicates)]
    pieces.sort(key=lambda piece: -piece[0].n)
    results: dict[Key, Tallies] = defaultdict(lambda: defaultdict(Tally))
    with ProcessPoolExecutor(workers, initializer=_start, initargs=(population, seed)) as pool:
        for (task, _, _), found in zip(pieces, pool.map(_piece, pieces), strict=True):
            into = results[task.world.name, task.n]
            for name, tally in found.items():
                into[name] += tally
    return results


def workers() -> int:
    """The cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _pieces(task: Task, replicates: int) -> Iterator[tuple[Task, int, int]]:
    """(task, number, replicates) of each piece; the sizes do not depend on the workers."""
    left, size = max(1, round(replicates * task.share)), max(1, min(_MOST_REPLICATES, _PIECE // task.n))
    number = 0
    while left:
        yield task, number, min(left, size)
        left, number = left - min(left, size), number + 1


_SHARED: dict[str, tuple[Population, int]] = {}


def _start(population: Population, seed: int) -> None:
    _SHARED["all"] = (population, seed)


def _piece(piece: tuple[Task, int, int]) -> Tallies:
    """One piece of one task, in a worker."""
    task, number, replicates = piece
    population, seed = _SHARED["all"]
    random = np.random.default_rng([seed, zlib.crc32(task.world.name.encode()), task.n, number])
    drawn = draw(task.world, population, task.n, replicates, random)
    rated = votes(drawn, random)
    found: dict[str, Floats] = {}
    for name in task.policies:
        found |= _decided(name, drawn, rated if name == "confirm" else None, task.world, checked=number == 0)
    summed = block(drawn, Policy())
    for name in task.extra:
        found |= STATISTICS[name](drawn, summed, rated)
    return {name: Tally.of(np.asarray(values, np.float64)) for name, values in found.items()}


def _decided(name: str, drawn: Draw, rated: list[VoteNumbers] | None, world: World, checked: bool) -> dict[str, Floats]:
    """What the rules say about each replicate under one policy: outcomes, harm rules, inflation given a launch."""
    policy = POLICIES[name]
    summed = block(drawn, policy)
    known = list(evidences(drawn, summed, rated))
    verdicts = [decide_from(one, policy, candidates=world.family) for one in known]
    for i in range(min(_CHECKED, len(known)) if checked else 0):
        check(drawn, policy, known[i], i, world.family)
    found = {f"{name} {outcome}": _where(verdict.outcome is outcome for verdict in verdicts) for outcome in Outcome}
    found |= {f"{name} {rule}": _where(_failed(verdict, rule) for verdict in verdicts) for rule in HARM_RULES}
    found |= {f"{name} {what}": _where(verdict.tag == tag for verdict in verdicts) for what, tag in DOUBTS.items()}
    launched = found[f"{name} {Outcome.LAUNCH}"] > 0
    families = launched[: len(launched) // world.family * world.family].reshape(-1, world.family)
    found[f"{name} family"] = families.any(axis=1)
    if world.effect > 0:
        found[f"{name} inflation"] = np.where(launched, summed.delta[PRIMARY] / world.effect, np.nan)
    return found


def _failed(verdict: Verdict, rule: str) -> bool:
    return any(check.rule == rule and check.status is Status.FAILED for check in verdict.checks)


def _where(answers: Iterable[bool]) -> Floats:
    return np.fromiter(answers, np.float64)


def _signs(drawn: Draw, summed: Block, rated: list[VoteNumbers]) -> dict[str, Floats]:
    """The simple ways to say that B is better: a sign, a t-test, one of five of them."""
    delta, below = summed.delta, summed.p_below()
    p = np.where(np.isnan(below), 1.0, 2 * np.minimum(below, 1 - below))
    better = (delta > 0) & (p < 0.05)
    adjusted = np.array([holm(column) for column in p.T]).T
    return {
        "ahead": delta[PRIMARY] > 0,
        "any ahead": (delta > 0).any(axis=0),
        "t": better[PRIMARY],
        "any t": better.any(axis=0),
        "any Holm": ((delta > 0) & (adjusted < 0.05)).any(axis=0),
    }


def _ranks(drawn: Draw, summed: Block, rated: list[VoteNumbers]) -> dict[str, Floats]:
    """The tests of experts, where they say that B is better, and the votes."""
    rows = drawn.delta[PRIMARY]
    ahead = summed.wins > summed.losses
    z = (summed.wins - summed.losses) / np.sqrt(np.maximum(summed.wins + summed.losses, 1))
    tables = [gsb(one.good, one.same, one.bad) for one in rated]
    return {
        "sign test z": z > normal_quantile(0.975),
        "sign test": np.array([sign_test(row) < 0.05 for row in rows]) & ahead,
        "Wilcoxon": np.array([wilcoxon(row) < 0.05 and _ranks_favour_b(row) for row in rows]),
        "votes ahead": _where(one.good > one.bad for one in tables),
        "votes prove": _where(one.ci95 is not None and one.ci95[0] > 0 for one in tables),
    }


def _ranks_favour_b(row: Floats) -> bool:
    moved = row[row != 0]
    ranks = np.argsort(np.argsort(np.abs(moved))) + 1
    return bool((ranks * np.sign(moved)).sum() > 0)


def _not_inferior(drawn: Draw, summed: Block, rated: list[VoteNumbers]) -> dict[str, Floats]:
    """N1 alone: a loss of the margin on the primary measure is ruled out."""
    lower = summed.delta[PRIMARY] - summed.half(0.90)[PRIMARY]
    return {"N1 alone": lower > -POLICIES["no_harm"].primary_margin}


def _coverage(drawn: Draw, summed: Block, rated: list[VoteNumbers]) -> dict[str, Floats]:
    """Whether 95% intervals of the primary measure hold the true mean, 0."""
    half = summed.half(0.95)[PRIMARY]
    found = (bootstrap(row, draws=RESAMPLES, seed=i) for i, row in enumerate(drawn.delta[PRIMARY]))
    return {
        "t covers": np.abs(summed.delta[PRIMARY]) <= half,
        "BCa covers": np.array([_holds(interval) for interval in found]),
    }


def _holds(interval: tuple[float, float] | None) -> float:
    return math.nan if interval is None else float(interval[0] <= 0 <= interval[1])


STATISTICS: Mapping[str, Callable[[Draw, Block, list[VoteNumbers]], dict[str, Floats]]] = {
    "signs": _signs,
    "ranks": _ranks,
    "not_inferior": _not_inferior,
    "coverage": _coverage,
}


def merged(tasks: Iterable[Task]) -> list[Task]:
    """Tasks of the same world, n and share made one, so that their replicates are drawn once."""
    found: dict[tuple[World, int, float], Task] = {}
    for task in tasks:
        key = (task.world, task.n, task.share)
        before = found.get(key, replace(task, policies=(), extra=()))
        policies = tuple(dict.fromkeys((*before.policies, *task.policies)))
        found[key] = replace(before, policies=policies, extra=tuple(dict.fromkeys((*before.extra, *task.extra))))
    return list(found.values())
