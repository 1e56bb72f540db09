"""One query's numbers, as far as the measures of a comparison go."""

from __future__ import annotations

import math
from dataclasses import dataclass

from rankdash.scoring import Comparison


@dataclass(frozen=True)
class QueryNumbers:
    """One measure on one query; None where it is undefined."""

    measure: str
    a: float | None
    b: float | None
    delta: float | None


def query_numbers(comparison: Comparison, query_id: str) -> tuple[QueryNumbers, ...]:
    """Return every measure of a comparison on one query, in the order of its measures; empty for a query without
    judgments.
    """
    if query_id not in comparison.query_ids:
        return ()
    at = comparison.query_ids.index(query_id)
    columns = [
        [None if math.isnan(value) else value for value in values[:, at].tolist()]
        for values in (comparison.scores_a, comparison.scores_b, comparison.deltas)
    ]
    return tuple(QueryNumbers(*row) for row in zip(comparison.measure_names, *columns, strict=True))
