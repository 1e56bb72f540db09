"""Rows of human votes -> one label per query, and whether the raters can be trusted.

A row is one rater's vote on one query, seen from B: above 0 good, 0 same, below 0 bad. Several rows of a query are
never independent: the headline counts queries; the pooled rows are a sensitivity line with a cluster interval.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from rankdash.evidence.distributions import t_quantile
from rankdash.evidence.votes.gsb import Gsb, at_balanced_sides, gsb
from rankdash.evidence.votes.intervals import possible
from rankdash.evidence.votes.sides import UNKNOWN, Sides, sides

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]


@dataclass(frozen=True)
class Pooled:
    """ΔGSB over all rows, with an interval that knows they cluster in queries. None where Q < 2.

    ``ci95`` is that of a mean: with few queries its ends can lie outside [-1, 1]. ``possible95`` is what people see.
    """

    rows: int
    queries: int
    good: int
    same: int
    bad: int
    delta: float | None
    se: float | None
    ci95: tuple[float, float] | None
    se_naive: float | None  # as if rows were independent
    design_effect: float | None  # (se / se_naive)^2

    @property
    def possible95(self) -> tuple[float, float] | None:
        """The interval as far as ΔGSB can lie, both ends in [-1, 1]; None where it leaves out no value at all.

        >>> cluster([1, 2, 3, 4, 5, 6], [1, 1, 1, 1, 1, 0]).possible95[1], cluster([1, 2], [1, -1]).possible95
        (1.0, None)
        """
        return None if self.ci95 is None else possible(*self.ci95)


@dataclass(frozen=True)
class Rated:
    """What votes say: ``labels`` per query in -1, 0, 1 for the queries ``query``, and what the checks need."""

    query: Ints
    labels: Ints
    gsb: Gsb
    pooled: Pooled
    raters: int  # per query, at most
    alpha: float | None
    side: Sides
    repeated: int  # earlier votes of a rater on a query; the last one counts


def rated(
    query: npt.ArrayLike,
    vote: npt.ArrayLike,
    *,
    rater: npt.ArrayLike | None = None,
    about: npt.ArrayLike | None = None,
    left: npt.ArrayLike | None = None,
) -> Rated:
    """What rows of votes say.

    Parameters
    ----------
    query : (r,) int           which query each row is about; any numbering
    vote : (r,) number         above 0 good, 0 same, below 0 bad, seen from B
    rater : (r,) int           who voted, below 0 where that is not known; None: every row is another rater
    about : (r,) int           what of the query each vote is about, a document for instance; None: the query
    left : (r,) int            1 where B stood on the left, -1 where A did, 0 where that is not known; None: for none

    Returns
    -------
    Rated                      a query's label is the strict majority of its rows; 1 of 2 is same
    """
    row_query, codes = np.asarray(query, np.int64), np.sign(np.asarray(vote, np.float64)).astype(np.int64)
    who = _distinct(rater, len(codes))
    kept = last_votes(row_query, who, np.zeros_like(who) if about is None else np.asarray(about, np.int64))
    row_query, codes, who = row_query[kept], codes[kept], who[kept]
    queries, at = np.unique(row_query, return_inverse=True)
    labels = majority(at, codes, len(queries))
    side = UNKNOWN if left is None else _sides(at, labels, np.asarray(left, np.int64)[kept])
    counts = [int((labels == label).sum()) for label in (1, 0, -1)]
    return Rated(
        query=queries,
        labels=labels,
        gsb=at_balanced_sides(gsb(*counts), side),
        pooled=cluster(at, codes),
        raters=int(np.bincount(at[_last_of_equal(at, who)]).max(initial=0)),
        alpha=krippendorff(at, codes),
        side=side,
        repeated=int((~kept).sum()),
    )


def _distinct(rater: npt.ArrayLike | None, rows: int) -> Ints:
    """Who voted in each row; one who is not known is somebody else in every row."""
    if rater is None:
        return np.arange(rows)
    who = np.asarray(rater, np.int64)
    return np.where(who < 0, who.max(initial=0) + 1 + np.arange(rows), who)


def last_votes(query: Ints, rater: Ints, about: Ints) -> npt.NDArray[np.bool_]:
    """Which rows count, (r,): a rater's last one on the same thing.

    >>> last_votes(np.array([0, 0, 0]), np.array([7, 8, 7]), np.array([0, 0, 0])).tolist()
    [False, True, True]
    """
    kept = np.zeros(len(query), bool)
    kept[_last_of_equal(query, rater, about)] = True
    return kept


def _last_of_equal(*columns: Ints) -> Ints:
    """The rows that are the last with their values, one for each combination of values that there is."""
    order = np.lexsort(columns)
    again = [column[order[1:]] == column[order[:-1]] for column in columns]
    return order[np.append(~np.logical_and.reduce(again), True)] if len(order) else order


def _sides(at: Ints, labels: Ints, left: Ints) -> Sides:
    """What sides do to the labels of queries; UNKNOWN where no row says which side B stood on."""
    known = np.abs(left).sum()
    if not known:
        return UNKNOWN
    h = np.bincount(at, weights=left, minlength=len(labels)) / np.bincount(at, minlength=len(labels))
    return sides(labels, h, float((left > 0).sum() / known))


def majority(query: Ints, vote: Ints, queries: int) -> Ints:
    """The strict majority label of each query, (q,), in -1, 0, 1: good or bad if more than half of its rows say so.

    >>> majority(np.array([0, 0, 1, 1, 1]), np.array([1, 0, -1, -1, 1]), 2)
    array([ 0, -1])
    """
    rows = np.bincount(query, minlength=queries)
    good = np.bincount(query[vote > 0], minlength=queries)
    bad = np.bincount(query[vote < 0], minlength=queries)
    return (2 * good > rows).astype(np.int64) - (2 * bad > rows).astype(np.int64)


def cluster(query: npt.ArrayLike, vote: npt.ArrayLike) -> Pooled:
    """ΔGSB over all rows of votes in -1, 0, 1 with the ratio estimator's interval, t with Q - 1 degrees of freedom.

    D = sum y_q / sum m_q, se = sqrt(Q/(Q-1) sum (y_q - D m_q)^2) / sum m_q, y_q the sum and m_q the number of the
    query's rows. Source: Cochran 1977, ratio estimator.
    """
    codes = np.asarray(vote, np.int64)
    _, at = np.unique(np.asarray(query, np.int64), return_inverse=True)
    rows = len(codes)
    good, bad = int((codes > 0).sum()), int((codes < 0).sum())
    sizes = np.bincount(at)
    queries, same = len(sizes), rows - good - bad
    if not rows:
        return Pooled(0, 0, 0, 0, 0, None, None, None, None, None)
    delta = (good - bad) / rows
    if queries < 2:
        return Pooled(rows, queries, good, same, bad, delta, None, None, None, None)
    residual = np.bincount(at, weights=codes.astype(np.float64)) - delta * sizes
    se = math.sqrt(queries / (queries - 1) * float((residual * residual).sum())) / rows
    naive = math.sqrt(((good + bad) / rows - delta**2) / rows)
    half = t_quantile(0.975, queries - 1) * se
    return Pooled(
        rows,
        queries,
        good,
        same,
        bad,
        delta,
        se,
        (delta - half, delta + half),
        naive,
        (se / naive) ** 2 if naive else None,
    )


def krippendorff(query: npt.ArrayLike, vote: npt.ArrayLike) -> float | None:
    """Krippendorff's nominal alpha of rows of labels, at most 1; None where no query has two, or only one label occurs.

    Queries with a single row say nothing about agreement and are left out. Source: Krippendorff 2011.
    """
    codes = np.asarray(vote, np.int64)
    _, at = np.unique(np.asarray(query, np.int64), return_inverse=True)
    values, column = np.unique(codes, return_inverse=True)
    table = np.bincount(at * len(values) + column, minlength=(at.max(initial=-1) + 1) * len(values)).astype(np.float64)
    units = table.reshape(-1, max(len(values), 1))
    sizes = units.sum(axis=1)
    units, sizes = units[sizes >= 2], sizes[sizes >= 2]
    n = float(sizes.sum())
    totals = units.sum(axis=0)
    expected = n**2 - float((totals**2).sum())  # ordered pairs of different labels, over all rows
    if not expected:
        return None
    observed = float(((sizes**2 - (units**2).sum(axis=1)) / (sizes - 1)).sum())
    return 1.0 - (n - 1) * observed / expected
