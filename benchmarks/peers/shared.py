"""What every contender does alike: the five measures, the paired intervals, and the files of its answer.

Kept cheap, so that no contender is slowed by the frame around it: the quantile of Student's t comes from the
expansion in 1/df (Abramowitz and Stegun 26.7.5) instead of from scipy.stats, whose import alone takes over a second.
"""

from __future__ import annotations

import sys
from statistics import NormalDist

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]

MEASURES = ("nDCG@10", "AP", "P@10", "RR", "R@100")


def arguments() -> tuple[str, str, str, str]:
    """The four arguments of every contender: run A, run B, judgments, and where its answer goes."""
    run_a, run_b, judgments, out = sys.argv[1:]
    return run_a, run_b, judgments, out


def t_quantile(df: int) -> float:
    """The 97.5% quantile of Student's t; from 50 degrees of freedom on exact to 1e-7."""
    z = NormalDist().inv_cdf(0.975)
    terms = (
        (z**3 + z) / 4,
        (5 * z**5 + 16 * z**3 + 3 * z) / 96,
        (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384,
        (79 * z**9 + 776 * z**7 + 1482 * z**5 - 1920 * z**3 - 945 * z) / 92160,
    )
    return z + sum(term / float(df) ** power for power, term in enumerate(terms, start=1))


def summary(a: Floats, b: Floats) -> Floats:
    """Mean of A, mean of B, mean difference and the ends of its 95% paired t interval, (measures, 5)."""
    delta = b - a
    count = delta.shape[1]
    half = t_quantile(count - 1) * delta.std(axis=1, ddof=1) / count**0.5
    mean = delta.mean(axis=1)
    return np.column_stack([a.mean(axis=1), b.mean(axis=1), mean, mean - half, mean + half])


def save(out: str, query_ids: list[str], a: Floats, b: Floats, means: Floats | None = None) -> None:
    """Write an answer: ``out.ids.txt``, ``out.values.npy`` (2, measures, queries), ``out.means.npy`` (measures, 5)."""
    with open(out + ".ids.txt", "w") as file:
        file.write("\n".join(query_ids))
    np.save(out + ".values.npy", np.stack([a, b]))
    np.save(out + ".means.npy", summary(a, b) if means is None else means)
