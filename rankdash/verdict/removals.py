"""Removals of queries that move a bound as far as they can: the best of a few, then one query after the other.

Each is what a look at every query would choose, to the last bit. A block of kinds is looked into only where the least
that its ends allow is not above what another has: the same operations in the same order, of which IEEE arithmetic
rounds each in a monotone way, so that no query of the block can lie below it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np
import numpy.typing as npt

from rankdash.evidence.paired import DECIMALS
from rankdash.verdict.kinds import Kinds, Waiting
from rankdash.verdict.remaining import Series

Floats = npt.NDArray[np.float64]
Range = tuple[Floats, Floats]

#: The number of queries among which all pairs and triples are tried; from four on, queries are removed one by one.
_CANDIDATES, _SUBSETS = 12, 3
#: The sums of a series that a bound is made of: the number of queries, and their moments.
_SUMS = 6


@dataclass(frozen=True)
class Path:
    """A bound that removals move as far as they can: mean + c standard errors of one series, up or down."""

    series: Series
    c: float
    up: bool

    def orders(self, most: int) -> Iterator[tuple[int, ...]]:
        """Yield the removals of 1, 2, 3, ... queries, at most ``most``, that move the bound most, as places in the
        series; of equal ones the first. It ends where no query with a difference is left.
        """
        kind_of = dict(self._best_alone())
        among = list(kind_of)
        for k in range(1, min(_SUBSETS, most, len(among)) + 1):
            subsets = np.array(list(combinations(among, k)))
            chosen: tuple[int, ...] = tuple(subsets[int(np.argmin(self._without(subsets)))].tolist())
            yield chosen
        if len(among) < _SUBSETS or most <= _SUBSETS:
            return
        waiting = Waiting(self.series.kinds, len(self.series.delta))
        for row in chosen:
            waiting.remove(row, kind_of[row])
        while len(chosen) < most:
            left = self.series.sums - self.series.added(np.array(chosen)).sum(axis=1)
            row, kind = self._next(left[:_SUMS], waiting)
            if row == waiting.none:
                return
            chosen = (*chosen, row)
            waiting.remove(row, kind)
            yield chosen

    def _best_alone(self) -> Iterator[tuple[int, tuple[int, int]]]:
        """Yield the queries that move the bound most alone, each with its kind: the first of them first."""
        waiting = Waiting(self.series.kinds, len(self.series.delta))
        for _ in range(_CANDIDATES):
            row, kind = self._next(self.series.sums[:_SUMS], waiting)
            if row == waiting.none:
                return
            waiting.remove(row, kind)
            yield row, kind

    def _next(self, sums: Floats, waiting: Waiting) -> tuple[int, tuple[int, int]]:
        """Return the first query whose removal moves a bound most that has these sums, (6,), so far, and its kind."""
        kinds = self.series.kinds
        least = least_moved(sums[:, None], kinds, self.c, self.up)
        best, row, kind = np.inf, waiting.none, (-1, -1)
        for block in np.argsort(least).tolist():
            if least[block] > best:
                break
            first = waiting.first(block)
            values = moved([sums[0] - 1.0, *(sums[1:, None] - kinds.block(block).added)], self.c, self.up)
            values[first == waiting.none] = np.inf
            value = float(values.min())
            tied = np.flatnonzero(values == value)
            here = int(tied[np.argmin(first[tied])])
            if (value, int(first[here])) < (best, row):
                best, row, kind = value, int(first[here]), (block, here)
        return row, kind

    def _without(self, sets: npt.NDArray[np.int64]) -> Floats:
        """Return the bound without each of the sets, (s, k) -> (s,)."""
        lost = self.series.added(sets)[:_SUMS].sum(axis=2)
        return moved(list(self.series.sums[:_SUMS, None] - lost), self.c, self.up)


def moved(sums: Sequence[Any], c: float, up: bool) -> Floats:
    """Return a bound by its six sums, (n,) each, the best first: negated where it goes up, infinite where it has no
    value.
    """
    n, total, first, w2, w2d, w2d2 = sums
    with np.errstate(all="ignore"):
        mean = first / total
        squares = np.maximum(w2d2 - 2.0 * mean * w2d + mean**2 * w2, 0.0)
        bound = mean + c * np.sqrt(n / (n - 1) * squares) / total
    found: Floats = np.round(-bound if up else bound, DECIMALS)
    found[np.isnan(found)] = np.inf
    return found


def least_moved(sums: Floats, kinds: Kinds, c: float, up: bool) -> Floats:
    """Return what no query of a block goes below in ``moved``, taken away from these sums, (6, 1) -> (b,)."""
    if len(kinds) < 2:  # there is nothing to choose
        return np.full(len(kinds), -np.inf)
    n = sums[0] - 1.0
    ends = zip(sums[1:] - kinds.most, sums[1:] - kinds.least, strict=True)
    total, first, w2, w2d, w2d2 = ends
    with np.errstate(all="ignore"):
        mean = _range(np.divide, first, total)
        twice = _range(np.multiply, (2.0 * mean[0], 2.0 * mean[1]), w2d)
        rest = _range(np.multiply, _squared(mean), w2)
        squares = w2d2[0] - twice[1] + rest[0], w2d2[1] - twice[0] + rest[1]
        low, high = (c * np.sqrt(n / (n - 1) * np.maximum(one, 0.0)) for one in squares)
        error = _range(np.divide, (low, high) if c >= 0 else (high, low), total)
        found: Floats = np.round(-(mean[1] + error[1]) if up else mean[0] + error[0], DECIMALS)
    found[np.isnan(found) | ~(total[0] > 0) | ~(n > 1)] = -np.inf
    return found


def _range(operation: Callable[[Floats, Floats], Floats], one: Range, other: Range) -> Range:
    """Return the least and the most of products, or of quotients by what is above 0."""
    corners = [operation(x, y) for x in one for y in other]
    return np.minimum.reduce(corners), np.maximum.reduce(corners)


def _squared(values: Range) -> Range:
    low, high = values[0] ** 2, values[1] ** 2
    return np.where((values[0] < 0) & (values[1] > 0), 0.0, np.minimum(low, high)), np.maximum(low, high)
