"""The documents that two models show for each query, as flat arrays: what decomposition and worklist are made from."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
Bools = npt.NDArray[np.bool_]

ABSENT = 0


@dataclass(frozen=True)
class Documents:
    """One row per document that A or B shows for a query, in any order; each (query, document) once.

    Axis d over these rows, q over the queries. Ranks count from 1; 0 (ABSENT) means that the document is not in the
    list. Documents outside both top k may be included, and have no effect.
    """

    query: Ints  # (d,) in 0..q-1
    rank_a: Ints  # (d,)
    rank_b: Ints  # (d,)
    gain: Floats  # (d,) >= 0; 0 for the unjudged
    judged: Bools  # (d,)
    condensed_a: Ints  # (d,) rank among the judged documents of A's list, as deep as it goes; 0 if absent
    condensed_b: Ints  # (d,) the same in B's list

    def moves(self, k: int) -> Floats:
        """Return how much discount each document gains from A to B, (d,), in [-1, 1]: disc_B - disc_A in the top k."""
        return discounts(self.rank_b, k) - discounts(self.rank_a, k)

    def shown(self, k: int) -> Bools:
        """Return whether each document is in the top k of A or of B, (d,)."""
        return in_top(self.rank_a, k) | in_top(self.rank_b, k)


def in_top(rank: Ints, k: int) -> Bools:
    """Return whether each rank is in the top k, same shape; ABSENT is not."""
    return (rank > ABSENT) & (rank <= k)


def discounts(rank: Ints, k: int) -> Floats:
    """Return 1 / log2(rank + 1) in the top k, else 0; same shape."""
    deepest = min(k, int(rank.max(initial=0)))  # a cutoff may be far beyond every list
    at = np.append(0.0, 1.0 / np.log2(np.arange(2.0, deepest + 2.0)))
    return at[np.where(in_top(rank, k), rank, 0)]


def per_query(query: Ints, values: Floats, queries: int) -> Floats:
    """Return sums of values per query, (q,)."""
    return np.bincount(query, weights=values, minlength=queries).astype(np.float64, copy=False)


def over_ideal(values: Floats, ideal: Floats) -> Floats:
    """Return values over ideal DCG, same shape; 0 where a query has nothing ideal."""
    return np.divide(values, ideal, out=np.zeros(np.shape(values)), where=ideal > 0)


def mean_over(values: Floats, weights: npt.ArrayLike | None) -> float:
    """Return the mean over queries, weighted where weights are given; 0 without queries."""
    if not len(values):
        return 0.0
    return float(values.mean()) if weights is None else float(np.average(values, weights=np.asarray(weights)))
