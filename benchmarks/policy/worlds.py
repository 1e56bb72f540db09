"""What is true in a replicate: queries drawn from the population, and which side their difference favours."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from benchmarks.policy.population import AP, PRIMARY, Bools, Floats, Ints, Population
from rankdash.evidence.paired import DECIMALS

#: The skewed null: the shares of wins and losses, and how the size of a difference is scaled. The mean is 0.
WINS, LOSSES = 0.36, 0.18
WIN_SCALE, LOSS_SCALE = 0.75, 1.50


@dataclass(frozen=True)
class World:
    """``effect`` is the true mean difference of the primary measure, over the affected queries where ``touched`` is.

    The side that a query favours is random, B's with the probability that gives the effect; all measures of a query
    turn together. ``ap`` overrides the true mean difference of AP. ``touched`` is the share of queries that B
    changes at all; None: as in the population. ``skewed``: no effect, many small wins and fewer, bigger losses.
    ``family`` candidates are compared with one A, replicate after replicate; on the share ``alike`` of the queries they
    do what the first of them does.
    """

    name: str
    effect: float = 0.0
    ap: float | None = None
    touched: float | None = None
    skewed: bool = False
    family: int = 1
    alike: float = 0.0


@dataclass(frozen=True)
class Draw:
    """Replicates: ``delta`` is (measures, replicates, n), ``affected`` (replicates, n)."""

    delta: Floats
    affected: Bools


def draw(world: World, population: Population, n: int, replicates: int, random: np.random.Generator) -> Draw:
    """Replicates of n queries each, drawn with replacement."""
    picked = _picked(world, population, (replicates, n), random)
    delta = population.delta[:, picked]
    affected = population.affected[picked]
    delta *= (_skewed if world.skewed else _turned)(world, population, delta[PRIMARY], random)
    if world.ap is not None:
        delta[AP] += np.where(delta[AP] != 0, _shift(world, population), 0.0)
    if world.alike:
        first = np.arange(replicates) // world.family * world.family
        same = random.random((replicates, n)) < world.alike
        delta, affected = np.where(same, delta[:, first], delta), np.where(same, affected[first], affected)
    return Draw(np.round(delta, DECIMALS) + 0.0, affected)


def _picked(world: World, population: Population, shape: tuple[int, int], random: np.random.Generator) -> Ints:
    if world.touched is None:
        return random.integers(0, len(population.affected), shape)
    touched = random.random(shape) < world.touched
    changed, same = np.flatnonzero(population.affected), np.flatnonzero(~population.affected)
    return np.where(touched, random.choice(changed, shape), random.choice(same, shape))


def _turned(world: World, population: Population, primary: Floats, random: np.random.Generator) -> Floats:
    """A factor of 1 or -1 for each query, (replicates, n), that turns B into the winner often enough."""
    favours_b = random.random(primary.shape) < (1 + _bias(world, population)) / 2
    return np.where(favours_b, 1.0, -1.0) * np.where(primary < 0, -1.0, 1.0)


def _bias(world: World, population: Population) -> float:
    """P(B favoured) - P(A favoured) that gives the effect."""
    size = np.abs(population.delta[PRIMARY])
    return world.effect / float((size[population.affected] if world.touched is not None else size).mean())


def _shift(world: World, population: Population) -> float:
    """What every difference of AP that is not 0 is moved by, so that their mean becomes the one wished for."""
    primary, ap = population.delta[PRIMARY], population.delta[AP]
    # A query whose primary measure is tied still has a side: the population's own, which the turning keeps.
    usual = _bias(world, population) * float((np.where(primary < 0, -1.0, 1.0) * ap).mean())
    return ((world.ap or 0.0) - usual) / float((ap != 0).mean())


def _skewed(world: World, population: Population, primary: Floats, random: np.random.Generator) -> Floats:
    """A factor for each query, (replicates, n): a small win, a bigger loss, or 0."""
    changed = float((population.delta[PRIMARY] != 0).mean())
    chance = random.random(primary.shape) * changed
    factor = np.select((chance < WINS, chance < WINS + LOSSES), (WIN_SCALE, -LOSS_SCALE), 0.0)
    # Where the primary measure is tied nothing is won or lost; a random side keeps the other measures at 0, too.
    tied = np.where(random.random(primary.shape) < 0.5, WIN_SCALE, -WIN_SCALE)
    return np.where(primary == 0, tied, factor * np.where(primary < 0, -1.0, 1.0))
