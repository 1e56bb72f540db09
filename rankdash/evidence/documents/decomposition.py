"""Why the mean nDCG@k differs: an exact sum of four parts, document by document.

Every relevant document in either top k contributes gain * (disc_B - disc_A) / IDCG@k and belongs to one part. A
document that kept its place among the judged documents, but has a lower rank, was pushed down by unjudged documents:
that part says nothing about either model.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from rankdash.evidence.documents.shown import (
    ABSENT,
    Bools,
    Documents,
    Floats,
    Ints,
    in_top,
    mean_over,
    over_ideal,
    per_query,
)

PARTS = ("unjudged_moved_in", "relevant_dropped", "relevant_gained", "reordering")
_UNJUDGED, _DROPPED, _GAINED, _REORDERED = range(len(PARTS))


@dataclass(frozen=True)
class Decomposition:
    """Axes: d the documents, q the queries, p the four PARTS, in the unit of nDCG.

    ``part`` is the index into PARTS, -1 for a document that is not relevant or not in a top k; ``parts`` adds up over
    p to each query's difference. ``unjudged_in`` and ``unjudged_out`` count unjudged documents that came into the top
    k and left it.
    """

    contribution: Floats  # (d,)
    part: Ints  # (d,)
    parts: Floats  # (q, p)
    unjudged_in: Ints  # (q,)
    unjudged_out: Ints  # (q,)

    def waterfall(self, weights: npt.ArrayLike | None = None) -> dict[str, float]:
        """Return the (weighted) mean of each part over the queries; together the mean difference of nDCG@k."""
        return {name: mean_over(self.parts[:, at], weights) for at, name in enumerate(PARTS)}


def decompose(documents: Documents, idcg: npt.ArrayLike, k: int) -> Decomposition:
    """Return the parts of each query's difference of nDCG@k.

    ``idcg`` is (q,), the IDCG@k of each query, the same for A and B; where it is 0 every part is 0. Swapping A and B
    turns every sign and exchanges dropped and gained.
    """
    ideal = np.asarray(idcg, np.float64)
    shown = documents.shown(k)
    relevant = shown & (documents.gain > 0)
    move = documents.moves(k)
    contribution = np.where(relevant, over_ideal(documents.gain * move, ideal[documents.query]), 0.0) + 0.0
    part = np.where(relevant & (ideal[documents.query] > 0), _part(documents, move, k), -1)
    counted = part >= 0
    cell = documents.query[counted] * len(PARTS) + part[counted]
    parts = per_query(cell, contribution[counted], len(ideal) * len(PARTS))
    unjudged = shown & ~documents.judged
    top_a, top_b = in_top(documents.rank_a, k), in_top(documents.rank_b, k)
    return Decomposition(
        contribution=contribution,
        part=part,
        parts=parts.reshape(len(ideal), len(PARTS)),
        unjudged_in=np.bincount(documents.query[unjudged & ~top_a], minlength=len(ideal)),
        unjudged_out=np.bincount(documents.query[unjudged & ~top_b], minlength=len(ideal)),
    )


def _part(documents: Documents, move: Floats, k: int) -> Ints:
    """Return the part to which each document would belong if it were relevant and shown, (d,)."""
    place_a, place_b = _place(documents.condensed_a), _place(documents.condensed_b)
    pushed = ((move < 0) & (place_b <= place_a)) | ((move > 0) & (place_b >= place_a))
    top_a: Bools = in_top(documents.rank_a, k)
    top_b: Bools = in_top(documents.rank_b, k)
    return np.select(
        (pushed, top_a & ~top_b, top_b & ~top_a), (_UNJUDGED, _DROPPED, _GAINED), default=_REORDERED
    ).astype(np.int64)


def _place(condensed: Ints) -> Floats:
    """Return the rank among judged documents, infinite where the list does not hold the document."""
    return np.where(condensed == ABSENT, np.inf, condensed)
