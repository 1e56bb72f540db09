"""How alike two ranked lists are: overlap, RBO, Kendall's tau. They describe a change; they do not judge it."""

from __future__ import annotations

from functools import partial

import numpy as np

from rankdash.metrics.lists import Bools, Floats, Ints, ratio, same_as_before
from rankdash.metrics.rows import Definition
from rankdash.records import frozen

#: RBO reads this many ranks of each list: with p = 0.9 the ranks below weigh less than 3 in 100,000.
RBO_DEPTH = 100
_BLOCK = 16_384  # queries whose overlaps by depth are in memory at once


@frozen
class ListPair:
    """The documents that stand in both lists of a query, as flat arrays.

    Axes: q over queries; c over common documents, ascending by query. ``tie_a`` and ``tie_b`` are the first ranks of
    the groups of equal scores: equal exactly where two documents of a list are tied.
    """

    length_a: Ints  # (q,)
    length_b: Ints  # (q,)
    query: Ints  # (c,)
    rank_a: Ints  # (c,) from 1
    rank_b: Ints  # (c,)
    tie_a: Ints  # (c,)
    tie_b: Ints  # (c,)


_similarity = partial(Definition, higher_is_better=None)


def overlap(pair: ListPair, k: int) -> Floats:
    """Return the share of either first k that is in both, (q,), in [0, 1]; NaN where a list is empty. Jaccard."""
    both = np.bincount(pair.query[np.maximum(pair.rank_a, pair.rank_b) <= k], minlength=len(pair.length_a))
    either = np.minimum(pair.length_a, k) + np.minimum(pair.length_b, k) - both
    return np.where(_both_answer(pair), ratio(both, either), np.nan)


OVERLAP = _similarity(
    name="overlap",
    formula="documents in both first k, over documents in either",
    latex=r"\frac{|A_k\cap B_k|}{|A_k\cup B_k|}",
    source="Jaccard 1912",
    of_pair=overlap,
    cutoff="required",
    spellings="jaccard",
)


def rbo(pair: ListPair, p: float) -> Floats:
    """Return the extrapolated rank-biased overlap, (q,), in [0, 1]; NaN where a list is empty. Webber et al. 2010."""
    values = np.full(len(pair.length_a), np.nan)
    depth = np.maximum(pair.rank_a, pair.rank_b)
    for start in range(0, len(values), _BLOCK):
        block = slice(start, start + _BLOCK)
        rows = (pair.query >= start) & (pair.query < start + _BLOCK) & (depth <= RBO_DEPTH)
        values[block] = _rbo_block(pair.length_a[block], pair.length_b[block], pair.query[rows] - start, depth[rows], p)
    return np.where(_both_answer(pair), values, np.nan)


def _rbo_block(length_a: Ints, length_b: Ints, query: Ints, depth: Ints, p: float) -> Floats:
    """Return RBO_ext of some queries from the depth at which each common document has been seen in both lists."""
    queries = len(length_a)
    short = np.maximum(np.minimum(np.minimum(length_a, length_b), RBO_DEPTH), 1)[:, None]
    long = np.maximum(np.minimum(np.maximum(length_a, length_b), RBO_DEPTH), 1)[:, None]
    entered = np.bincount(query * RBO_DEPTH + depth - 1, minlength=queries * RBO_DEPTH)
    common = entered.reshape(queries, RBO_DEPTH).cumsum(axis=1)  # X_d
    d = np.arange(1, RBO_DEPTH + 1)[None, :]
    at_short = np.take_along_axis(common, short - 1, axis=1)
    at_long = np.take_along_axis(common, long - 1, axis=1)
    agreement = common / d + np.where(d > short, at_short * (d - short) / (short * d), 0.0)
    seen = ((d <= long) * agreement * p**d).sum(axis=1)
    tail = ((at_long - at_short) / long + at_short / short)[:, 0] * p ** long[:, 0]
    values: Floats = (1 - p) / p * seen + tail
    return values


RBO = _similarity(
    name="RBO_ext",
    formula="rank-biased overlap of the first 100 ranks, extrapolated (eq. 32)",
    latex=r"\frac{1-p}{p}\sum_{d}\frac{|A_d\cap B_d|}{d}\,p^{d}+\ldots",
    source="Webber et al. 2010",
    of_pair=rbo,
    cutoff="none",
    spellings="rbo",
    defaults={"p": 0.9},
)


def tau_b(pair: ListPair) -> Floats:
    """Return Kendall's tau-b over the documents in both lists, (q,), in [-1, 1]. Kendall 1945; scipy's kendalltau.

    NaN with fewer than two common documents, or where all of them are tied in a list. Knight's way: the discordant
    pairs are the swaps that a merge sort makes, here all queries at once.
    """
    queries = len(pair.length_a)
    order = np.lexsort((pair.tie_b, pair.tie_a, pair.query))
    query, a, b = pair.query[order], pair.tie_a[order], pair.tie_b[order]
    common = np.bincount(query, minlength=queries)
    all_pairs = common * (common - 1) / 2
    by_b = np.lexsort((b, query))
    ties_a = _tied_pairs(queries, query, a)
    ties_b = _tied_pairs(queries, query[by_b], b[by_b])
    ties_both = _tied_pairs(queries, query, a, b)
    discordant = _inversions(queries, query, b)
    difference = all_pairs - ties_a - ties_b + ties_both - 2 * discordant
    return ratio(difference, np.sqrt((all_pairs - ties_a) * (all_pairs - ties_b)))


def _tied_pairs(queries: int, query: Ints, *keys: Ints) -> Floats:
    """Count pairs of rows of a query that are equal in all keys, (q,); equal rows are neighbours."""
    starts = np.flatnonzero(~same_as_before(query, *keys))
    sizes = np.diff(np.append(starts, len(query)))
    return np.bincount(query[starts], weights=sizes * (sizes - 1) / 2, minlength=queries).astype(np.float64)


def _inversions(queries: int, query: Ints, values: Ints) -> Floats:
    """Return the number of pairs of rows of a query in falling order, (q,).

    A merge sort, bottom up: at each pass the neighbours of two sorted blocks are merged by one stable sort of all rows,
    and a row of the right block passes as many larger rows of the left block as it moves forward.
    """
    falls = np.zeros(queries)
    starts = np.concatenate(([0], np.cumsum(np.bincount(query, minlength=queries))))[query]
    width = 1
    place = np.arange(len(query)) - starts
    while width <= place.max(initial=0):
        block = place // (2 * width)
        order = np.lexsort((values, block, query))
        moved = np.empty_like(order)
        moved[order] = np.arange(len(order))
        right = place // width % 2 == 1
        falls += np.bincount(query[right], weights=(np.arange(len(order)) - moved)[right], minlength=queries)
        values = values[order]
        width *= 2
    return falls


def _both_answer(pair: ListPair) -> Bools:
    return (pair.length_a > 0) & (pair.length_b > 0)


TAU_B = _similarity(
    name="tau_b",
    formula="Kendall: (C − D) / sqrt((m − t_A)(m − t_B)) over the m pairs of documents in both lists",
    latex=r"\frac{C-D}{\sqrt{(m-t_A)(m-t_B)}}",
    source="Kendall 1945; scipy kendalltau",
    of_pair=tau_b,
    range="−1..1",
    cutoff="none",
    spellings="kendall",
)

#: In the order in which they are shown.
MEASURES = (OVERLAP, RBO, TAU_B)
