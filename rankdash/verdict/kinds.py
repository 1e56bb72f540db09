"""Queries that give the same to every sum are of one kind; kinds that give nearly the same stand in one block.

A search for the query whose removal moves a bound most looks only into the blocks that can have it.
"""

from __future__ import annotations

from dataclasses import dataclass

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
class Kinds:
    """The queries that have a difference, by weight and difference. Axis m: queries, g: kinds, b: blocks."""

    rows: Ints  # (m,) kind after kind, ascending in each
    starts: Ints  # (g + 1,) where the kinds begin among the rows
    added: Floats  # (5, g) what one query of the kind adds to each sum
    blocks: tuple[slice, ...]  # (b,) consecutive kinds
    least: Floats  # (5, b) the least that a query of the block adds to each sum
    most: Floats  # (5, b)

    @classmethod
    def of(cls, delta: Floats, weight: Floats, defined: Bools) -> Kinds:
        """Return the kinds of the queries whose difference is defined, (n,) each, by what they add to the mean."""
        rows = np.flatnonzero(defined)
        w, d = weight[rows], delta[rows]
        order = np.argsort(d, kind="stable") if (w == w[:1]).all() else np.lexsort((w, w * d))
        rows, w, d = rows[order], w[order], d[order]
        new = np.flatnonzero((w[1:] != w[:-1]) | (d[1:] != d[:-1])) + 1
        starts = np.concatenate(([0], new, [len(rows)])) if len(rows) else np.zeros(1, np.int64)
        added = np.stack(moments(w[starts[:-1]], d[starts[:-1]]))
        begins = np.arange(0, added.shape[1], BLOCK)
        least, most = (end.reduceat(added, begins, axis=1) for end in (np.minimum, np.maximum))
        blocks = tuple(slice(begin, begin + BLOCK) for begin in begins.tolist())
        return cls(rows, starts, added, blocks, least, most)


class Waiting:
    """The first query of each kind that is not removed yet."""

    def __init__(self, kinds: Kinds) -> None:
        self._kinds, self._gone, self._at = kinds, set[int](), kinds.starts[:-1].copy()
        #: (g,); ``none`` where no query is left.
        self.first = kinds.rows[self._at]
        self.none = int(kinds.rows.max(initial=-1)) + 1

    def remove(self, row: int, kind: int) -> None:
        """Remove one query of a kind."""
        self._gone.add(row)
        at, end = int(self._at[kind]), int(self._kinds.starts[kind + 1])
        while at < end and int(self._kinds.rows[at]) in self._gone:
            at += 1
        self._at[kind] = at
        self.first[kind] = self._kinds.rows[at] if at < end else self.none
