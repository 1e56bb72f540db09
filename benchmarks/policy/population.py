"""60,000 queries with two noisy rankers, scored by rankdash's own measures."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from rankdash.evidence.paired import deltas
from rankdash.metrics import JudgedRun, parse_measures, score
from rankdash.metrics.lists import JudgedPool
from rankdash.policy import Policy

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
Bools = npt.NDArray[np.bool_]

QUERIES, DOCUMENTS, SEED = 60_000, 30, 20_260_801
#: The policy's measures, the primary one first; the fifth is for "any of five" only.
MEASURES = (*Policy().measures, "P@10")
PRIMARY, AP = 0, 1

UNTOUCHED = 0.35  # queries on which B shows A's list
RELEVANT = (1.6, 3.0)  # Beta: the share of a query's documents with a grade of 1 to 3
GRADES = (0.65, 0.15, 0.20)  # of these, grade 1, 2 and 3
EFFECTS = np.array([0.0, 0.8, 1.55, 1.75])  # how far a grade lifts a document, in standard deviations of the noise
SPREAD = 0.48  # log-normal: how much easier some queries are for both rankers
SHARED = 0.65  # share of the noise that A and B have in common


@dataclass(frozen=True)
class Population:
    """What a replicate is drawn from. ``delta`` is (measures, q), B - A; ``mean_a`` the primary measure of A.

    ``affected`` says where the first ten documents of A and B differ, (q,).
    """

    delta: Floats
    affected: Bools
    mean_a: float

    def facts(self) -> dict[str, float]:
        """The shape of the differences; kurtosis is that of differences with random signs."""
        primary, ap = self.delta[PRIMARY], self.delta[AP]
        square = float((primary**2).mean())
        return {
            "nDCG@10 of A": self.mean_a,
            "s": float(primary.std(ddof=1)),
            "ties": float((primary == 0).mean()),
            "excess kurtosis": float((primary**4).mean()) / square**2 - 3.0,
            "correlation with AP": float(np.corrcoef(primary, ap)[0, 1]),
        }


def population(queries: int = QUERIES, seed: int = SEED) -> Population:
    """The queries, ranked twice and scored; the same ones for the same seed."""
    random = np.random.default_rng(seed)
    share = random.beta(*RELEVANT, (queries, 1))
    positive = random.random((queries, DOCUMENTS)) < share
    grades = np.where(positive, random.choice((1, 2, 3), (queries, DOCUMENTS), p=GRADES), 0)
    easy = np.exp(SPREAD * random.standard_normal((queries, 1)) - SPREAD**2 / 2)
    shared, own_a, own_b = random.standard_normal((3, queries, DOCUMENTS))
    lift = EFFECTS[grades] * easy + np.sqrt(SHARED) * shared
    order_a, order_b = (_ranked(lift + np.sqrt(1 - SHARED) * own) for own in (own_a, own_b))
    order_b = np.where(random.random((queries, 1)) < UNTOUCHED, order_a, order_b)
    pool = _pool(grades)
    scores_a, scores_b = _scores(grades, order_a, pool), _scores(grades, order_b, pool)
    delta = np.array([deltas(a, b) for a, b in zip(scores_a, scores_b, strict=True)])
    affected = (order_a[:, : Policy().cutoff] != order_b[:, : Policy().cutoff]).any(axis=1)
    return Population(delta, affected, float(scores_a[PRIMARY].mean()))


def _ranked(scores: Floats) -> Ints:
    """The documents of each query, best first, (q, d)."""
    return np.argsort(-scores, axis=1)


def _pool(grades: Ints) -> JudgedPool:
    """The judgments: every document's grade."""
    queries, documents = grades.shape
    return JudgedPool(np.repeat(np.arange(queries), documents), -np.sort(-grades, axis=1).ravel() * 1.0)


def _scores(grades: Ints, order: Ints, pool: JudgedPool) -> Floats:
    """Every measure of every query, (measures, q); all documents are shown and judged."""
    queries, documents = grades.shape
    rank = np.tile(np.arange(1, documents + 1), queries)
    shown = np.take_along_axis(grades, order, axis=1).ravel() * 1.0
    run = JudgedRun(np.full(queries, documents), pool.query, rank, rank, rank, shown, pool, rank)
    return score(run, parse_measures(MEASURES, Policy().scoring))
