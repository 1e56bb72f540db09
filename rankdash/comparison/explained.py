"""nDCG@k query by query: why its mean differs, and how far labels could move it.

Everything is about the queries that count, each by its weight: those of the sample with a value of nDCG@k.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from rankdash.comparison.documents import order_of_ids
from rankdash.comparison.paired_results import QuerySample
from rankdash.comparison.scoring import ScoredLists, without_ideal
from rankdash.evidence.documents.decomposition import PARTS
from rankdash.evidence.documents.shown import mean_over
from rankdash.evidence.documents.worklist import LabelBounds, Worklist, worklist
from rankdash.evidence.paired import deltas
from rankdash.metrics import Measure
from rankdash.records.lazy import cached_property
from rankdash.scored import PerQuery

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Explained:
    """The difference of nDCG@k under a convention, k the policy's cutoff. Axis q: the judged queries."""

    scored: PerQuery
    sample: QuerySample
    unjudged_count: bool  # a document without a judgment may be relevant, and a label would tell

    @property
    def measure(self) -> Measure:
        """nDCG@k as the convention computes it."""
        return self.scored.scope.explained

    @cached_property
    def deltas(self) -> Floats:
        """nDCG@k of B minus nDCG@k of A, (q,); NaN where one of them is undefined."""
        return deltas(self.scored.values("explained", "a")[0], self.scored.values("explained", "b")[0])

    @cached_property
    def weights(self) -> Floats:
        """How much each query counts in the mean, (q,); 0 where it does not."""
        return self.sample.weights_where(~np.isnan(self.deltas))

    @cached_property
    def is_sum(self) -> bool:
        """Whether nDCG@k is a sum of what documents add by their grades and ranks, with the same ideal for A and B.

        It is not where each list is its own ideal, the ideal is not cut, documents with equal scores share their gain,
        or unjudged documents are left out before ranks are counted.
        """
        scope = self.scored.scope
        averaged = scope.convention.ties == "average" and any(self.scored.total("tied_rows"))
        return scope.is_sum and not averaged

    @cached_property
    def parts(self) -> Mapping[str, Floats] | None:
        """Return the parts of the difference of each query, (q,) each; None where it is not a sum over documents.

        None also where a query without relevant documents has a difference, as under conventions that give such a query
        1 and a run that lacks it 0: no document explains that.
        """
        without = (self.weights > 0) & (self.scored["ideal"] <= 0) & (self.deltas != 0)
        return None if without.any() or not self.is_sum else {name: self.scored[name] for name in PARTS}

    @property
    def waterfall(self) -> dict[str, float] | None:
        """The mean of each part over the queries that count; None where there are no parts, or no such query."""
        if self.parts is None or not self.weights.any():
            return None
        return {name: mean_over(values, self.weights) for name, values in self.parts.items()}

    @cached_property
    def bounds(self) -> tuple[float, float] | None:
        """The smallest and largest mean difference over all ways to give the unjudged documents the best grade or 0;
        None where labels do not count, or no query does.
        """
        if not self._labels_count:
            return None
        bounds = LabelBounds(*(self.scored[name] for name in ("least", "most", "may_not_count")))
        return bounds.means(self._weights_with_labels)

    def worklist(self, lists: ScoredLists) -> Worklist | None:
        """Return the unjudged documents of the queries that count, or would with a label, by how far one label could
        move the mean, then by ids.

        None where labels do not count. Its rows are those of ``lists.documents``.
        """
        label_gains = self.scored.scope.label_gains
        if label_gains is None or not self._labels_count:
            return None
        shown, (best, worst) = lists.documents, label_gains
        return worklist(
            shown.documents,
            shown.ideal_gains,
            shown.k,
            best=best,
            worst=worst,
            weights=self._weights_with_labels,
            nothing=without_ideal(self.scored.scope.convention, *self.scored.pair("length")),
            order=order_of_ids(lists.rankings, shown),
        )

    @property
    def _labels_count(self) -> bool:
        return self.is_sum and self.unjudged_count and self.scored.scope.label_gains is not None

    @property
    def _weights_with_labels(self) -> Floats:
        """How much each query counts, (q,), also where only a label would give it a value."""
        return self.sample.weights_where(np.ones(len(self.deltas), bool))
