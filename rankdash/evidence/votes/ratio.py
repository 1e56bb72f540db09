"""ΔGSB over rows that are not independent, such as the documents of a query: a ratio with a cluster interval."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from rankdash.evidence.distributions import t_quantile


@dataclass(frozen=True)
class Pooled:
    """ΔGSB over all rows, with an interval that knows they cluster in queries. None where Q < 2. ``ci95`` is that of a
    mean: with few queries its ends can lie outside [-1, 1].
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


def cluster(query: npt.ArrayLike, vote: npt.ArrayLike) -> Pooled:
    """Return ΔGSB over all rows of votes in -1, 0, 1 with the ratio estimator's interval, t with Q - 1 degrees of
    freedom.

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
