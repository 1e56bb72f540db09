"""Good, same and bad derived from the judgments: it explains a difference of means and never counts as a vote."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from rankdash.evidence.documents.shown import Bools, Documents, Floats, Ints, over_ideal, per_query
from rankdash.evidence.paired import DECIMALS
from rankdash.evidence.votes.gsb import Gsb, gsb
from rankdash.evidence.votes.ratio import Pooled, cluster

#: Smucker's minimum difference.
TAU = 0.01
TAU_DOCUMENT = 0.005


@dataclass(frozen=True)
class DerivedDocuments:
    """Labels of documents. Axis d is that of the documents; ``label`` means nothing where ``labelled`` is False."""

    contribution: Floats  # (d,) unit of nDCG; 0 where not labelled
    label: Ints  # (d,) -1, 0, 1
    labelled: Bools  # (d,) judged and in the top k of A or B
    unjudged: int
    pooled: Pooled


def derived(delta: npt.ArrayLike, tau: float = TAU) -> Gsb:
    """Count good, same and bad queries by their difference, (n,): good above tau, bad below -tau; NaN is left out.

    >>> table = derived([0.2, 0.01, -0.011])
    >>> table.good, table.same, table.bad
    (1, 1, 1)
    """
    values = np.round(np.asarray(delta, np.float64), DECIMALS)
    values = values[np.isfinite(values)]
    good, bad = int(np.count_nonzero(values > tau)), int(np.count_nonzero(values < -tau))
    return gsb(good, len(values) - good - bad, bad)


def derived_documents(documents: Documents, idcg: npt.ArrayLike, k: int, tau: float = TAU_DOCUMENT) -> DerivedDocuments:
    """Label documents good, same or bad by what their move did to nDCG@k.

    c = (gain - mean gain) * (disc_B - disc_A) / IDCG@k, the mean over the query's judged documents in either top k:
    without it, junk that moves down would read "same". The c of a query add up to its difference of nDCG exactly
    where both lists hold k judged documents. ``idcg`` is (q,), in the unit of gain.
    """
    ideal = np.asarray(idcg, np.float64)
    shown = documents.shown(k)
    labelled = shown & documents.judged
    query = documents.query[labelled]
    counts = np.bincount(query, minlength=len(ideal))
    mean = per_query(query, documents.gain[labelled], len(ideal)) / np.maximum(counts, 1)
    moved = (documents.gain - mean[documents.query]) * documents.moves(k)
    contribution = np.where(labelled, over_ideal(moved, ideal[documents.query]), 0.0) + 0.0
    rounded = np.round(contribution, DECIMALS)
    label = (rounded > tau).astype(np.int64) - (rounded < -tau).astype(np.int64)
    unjudged = int((shown & ~documents.judged).sum())
    return DerivedDocuments(contribution, label, labelled, unjudged, cluster(query, label[labelled]))
