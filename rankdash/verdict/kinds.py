"""Queries that give the same to every sum are of one kind; kinds that give nearly the same stand in one block.

A search for the query whose removal moves a bound most looks only into the blocks that can have it. Where all weights
are equal, a block is put together when it is looked into: to sort a million differences takes a tenth of the time that
it takes to sort their queries, and the ends of a block tell what it adds at least and at most.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
Bools = npt.NDArray[np.bool_]

#: Kinds in a block. With fewer there is nothing to gain: to look at all of them takes as long as to look at the blocks.
BLOCK = 8192


def moments(weight: Floats, delta: Floats) -> tuple[Floats, ...]:
    """Return what queries add to the sums that a bound is made of, beside their number: five arrays like these."""
    return weight, weight * delta, weight**2, weight**2 * delta, (weight * delta) ** 2


@dataclass(frozen=True)
class Block:
    """Neighbouring kinds. Axis m: queries, g: kinds."""

    rows: Ints  # (m,) kind after kind, ascending in each
    starts: Ints  # (g + 1,) where the kinds begin among the rows
    added: Floats  # (5, g) what one query of the kind adds to each sum


@dataclass(frozen=True)
class Kinds:
    """The queries that have a difference, by weight and difference. Axis b: blocks."""

    least: Floats  # (5, b) what no query of the block adds less than to each sum
    most: Floats  # (5, b) what none adds more than
    _make: Callable[[int], Block]
    _made: dict[int, Block] = field(default_factory=dict, repr=False)

    def __len__(self) -> int:
        return int(self.least.shape[1])

    def block(self, place: int) -> Block:
        """Return the kinds of a block."""
        if place not in self._made:
            self._made[place] = self._make(place)
        return self._made[place]

    @classmethod
    def of(cls, delta: Floats, weight: Floats | None, defined: Bools) -> Kinds:
        """Return the kinds of the queries whose difference is defined, (n,) each, by what they add to the mean; without
        weights each weighs 1.
        """
        if weight is None:
            return cls._alike(delta, 1.0, defined)
        of_defined = weight[defined]
        if (of_defined == of_defined[:1]).all():
            return cls._alike(delta, float(of_defined[0]) if len(of_defined) else 1.0, defined)
        rows = np.flatnonzero(defined)
        w, d = of_defined, delta[rows]
        order = np.lexsort((w, w * d))
        whole = _block(rows[order], w[order], d[order])
        begins = np.arange(0, len(whole.starts) - 1, BLOCK)
        least, most = (end.reduceat(whole.added, begins, axis=1) for end in (np.minimum, np.maximum))

        def make(place: int) -> Block:
            begin, end = place * BLOCK, min((place + 1) * BLOCK, len(whole.starts) - 1)
            starts = whole.starts[begin : end + 1]
            return Block(whole.rows[starts[0] : starts[-1]], starts - starts[0], whole.added[:, begin:end])

        return cls(least, most, make)

    @classmethod
    def _alike(cls, delta: Floats, weight: float, defined: Bools) -> Kinds:
        """Return the kinds of queries that weigh the same."""
        all_defined = bool(defined.all())
        values = np.sort(delta if all_defined else delta[defined])
        new = values[1:] != values[:-1]
        if not new.all():
            values = values[np.concatenate(([True], new))]
        begins = np.arange(0, len(values), BLOCK)
        low, high = values[begins], values[np.minimum(begins + BLOCK, len(values)) - 1]
        ends = [np.stack(moments(np.full(len(begins), weight), end)) for end in (low, high)]
        least, most = np.minimum(*ends), np.maximum(*ends)
        least[-1, (low < 0) & (high > 0)] = 0.0  # squares are not least at an end

        def make(place: int) -> Block:
            inside = (delta >= low[place]) & (delta <= high[place])
            rows = np.flatnonzero(inside if all_defined else inside & defined)
            rows = rows[np.argsort(delta[rows], kind="stable")]
            return _block(rows, np.full(len(rows), weight), delta[rows])

        return cls(least, most, make)


def _block(rows: Ints, weight: Floats, delta: Floats) -> Block:
    """Return the kinds of queries that stand in order, as one block."""
    new = np.flatnonzero((weight[1:] != weight[:-1]) | (delta[1:] != delta[:-1])) + 1
    starts = np.concatenate(([0], new, [len(rows)])) if len(rows) else np.zeros(1, np.int64)
    return Block(rows, starts, np.stack(moments(weight[starts[:-1]], delta[starts[:-1]])))


class Waiting:
    """The first query of each kind that is not removed yet; ``none`` stands for no query."""

    def __init__(self, kinds: Kinds, none: int) -> None:
        self._kinds, self._gone, self.none = kinds, set[int](), none
        self._at, self._first = dict[int, Ints](), dict[int, Ints]()

    def first(self, place: int) -> Ints:
        """Return the first query of each kind of a block, (g,); ``none`` where no query is left."""
        if place not in self._first:
            block = self._kinds.block(place)
            self._at[place] = block.starts[:-1].copy()
            self._first[place] = block.rows[self._at[place]]
        return self._first[place]

    def remove(self, row: int, kind: tuple[int, int]) -> None:
        """Remove one query of a kind, which is told by its block and its place there."""
        self._gone.add(row)
        place, inside = kind
        first, block = self.first(place), self._kinds.block(place)
        at, end = int(self._at[place][inside]), int(block.starts[inside + 1])
        while at < end and int(block.rows[at]) in self._gone:
            at += 1
        self._at[place][inside] = at
        first[inside] = block.rows[at] if at < end else self.none
