"""nDCG@k document by document: why its mean differs, what to label next, and how far labels could move it.

All of it speaks of the queries that count, as much as they count: those of the sample with a value of nDCG@k.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from rankdash.comparison.documents import ShownDocuments, order_of_ids
from rankdash.comparison.joined import SIDES, Joined
from rankdash.comparison.paired_results import Sample
from rankdash.conventions import Convention
from rankdash.evidence.documents.decomposition import Decomposition, decompose
from rankdash.evidence.documents.worklist import Worklist, bounds, worklist
from rankdash.evidence.paired import deltas
from rankdash.judged import Order
from rankdash.metrics import Measure, parse_measure
from rankdash.metrics.lists import gains

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Explained:
    """The difference of nDCG@k under a convention, k the policy's cutoff. Axis q: the judged queries."""

    joined: Joined
    convention: Convention
    shown: ShownDocuments
    sample: Sample
    unjudged_count: bool  # a document without a judgment may be relevant, and a label would say so

    @cached_property
    def measure(self) -> Measure:
        """nDCG@k as the convention computes it."""
        return parse_measure(f"nDCG@{self.shown.k}", self.convention)

    @cached_property
    def deltas(self) -> Floats:
        """nDCG@k of B less that of A, (q,); NaN where one of them is undefined."""
        return deltas(*(self.joined.scores(side, (self.measure,))[0] for side in SIDES))

    @cached_property
    def weights(self) -> Floats:
        """How much each query counts in the mean, (q,); 0 where it does not."""
        return self.sample.weights_where(~np.isnan(self.deltas))

    @cached_property
    def is_sum(self) -> bool:
        """Whether each document adds to nDCG@k by its grade and its ranks alone, against one ideal list for A and B.

        It does not where each list is its own ideal, the ideal is not cut, documents share the gain of those with an
        equal score, or unjudged ones are left out before ranks are counted.
        """
        convention = self.convention
        averaged = convention.ties == "average" and any(
            self.joined.ranked(side, Order.of(convention)).findings.tied_rows for side in SIDES
        )
        axes = (convention.ideal, convention.ideal_cut, convention.unjudged)
        return axes == ("judged", "k", "nonrelevant") and not averaged and not self.joined.apart

    @cached_property
    def decomposition(self) -> Decomposition | None:
        """What the difference of each query is made of; None where it is no sum over documents.

        A convention that gives 1 to a query without relevant documents, and 0 to a run that lacks it, makes a
        difference that no document has: then too.
        """
        without = (self.weights > 0) & (self.shown.ideal <= 0) & (self.deltas != 0)
        return None if without.any() or not self.is_sum else decompose(self.shown.documents, self.shown.ideal, self.k)

    @property
    def waterfall(self) -> dict[str, float] | None:
        """The mean of each part over the queries that count; None where there are no parts, or no such query."""
        parts = self.decomposition
        return None if parts is None or not self.weights.any() else parts.waterfall(self.weights)

    @cached_property
    def worklist(self) -> Worklist | None:
        """Unjudged documents of the queries that count, or would with a label, by how much one label could move the
        mean, then by ids; None where labels do not count. Its rows are those of ``shown.documents``.
        """
        if not self._labels_count:
            return None
        order = order_of_ids(self.joined, self.shown)
        return worklist(self.shown.documents, self.shown.ideal_gains, self.k, order=order, **self._grades_and_queries)

    @cached_property
    def bounds(self) -> tuple[float, float] | None:
        """The smallest and largest mean difference over all ways to give the unjudged documents the best or the worst
        grade; None where labels do not count, or no query does.
        """
        if not self._labels_count:
            return None
        return bounds(self.shown.documents, self.shown.ideal_gains, self.k, **self._grades_and_queries)

    @property
    def k(self) -> int:
        """The cutoff."""
        return self.shown.k

    @property
    def _labels_count(self) -> bool:
        return self.is_sum and self.unjudged_count and bool((self.joined.pool.relevance >= 0).any())

    @property
    def _grades_and_queries(self) -> dict[str, Any]:
        """The gains of the best and the worst grade, what each query weighs, and what it is without relevant ones."""
        grades = self.joined.pool.relevance
        ends = np.array([grades.max(), grades[grades >= 0].min()])
        best, worst = gains(ends, self.convention.gain).tolist()
        weights = self.sample.weights_where(np.ones(len(self.deltas), bool))
        return {"best": best, "worst": worst, "weights": weights, "nothing": self._without_ideal}

    @property
    def _without_ideal(self) -> Floats:
        """The difference of a query while nothing is relevant, (q,): a run that lacks it has 0, one that answers it
        what the convention says; NaN where that is no value.
        """
        instead = np.nan if self.convention.no_relevant == "skip" else float(self.convention.no_relevant)
        lists = (self.joined.ranked(side, Order.of(self.convention)).lists for side in SIDES)
        a, b = (np.where(one.length > 0, instead, 0.0) for one in lists)
        return b - a
