"""Numbers that explain a method: the same data under other conventions, the discount, and textbook examples.

Means here are plain, over the query set of the convention itself, as other tools print them: a policy's weights and
population have no part in them.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable
from dataclasses import dataclass

from rankdash.conventions import PRESETS, Convention, preset
from rankdash.evidence.paired import deltas
from rankdash.evidence.votes.gsb import gsb
from rankdash.explain import explain
from rankdash.metrics import DEFINITIONS, MeasureError, mean, parse_measure
from rankdash.reading.typed import typed_lists
from rankdash.scoring import Comparison


@dataclass(frozen=True)
class Mean:
    """A measure of A and of B, averaged over the queries where it is defined; None where it is undefined or cannot be
    computed.

    ``delta`` is the mean difference over the queries where both are defined.
    """

    measure: str
    a: float | None
    b: float | None
    delta: float | None
    n: int

    def equals(self, other: Mean) -> bool:
        """Return whether two means are the same numbers, to six decimals."""
        pairs = ((self.a, other.a), (self.b, other.b), (self.delta, other.delta))
        return all((x is None) == (y is None) and abs((x or 0.0) - (y or 0.0)) < 5e-7 for x, y in pairs)


@dataclass(frozen=True)
class Weight:
    """What a rank counts in nDCG, in RBP with p = 0.8, and in RR, relative to rank 1."""

    rank: int
    discount: float
    rbp: float
    reciprocal: float


def at_cutoff(forms: Iterable[str], k: int) -> tuple[str, ...]:
    """Return the names of measures at a cutoff: "nDCG@k" is nDCG@10.

    >>> at_cutoff(["nDCG@k", "AP"], 10)
    ('nDCG@10', 'AP')
    """
    return tuple(form.replace("@k", f"@{k}") for form in forms)


def other_forms(forms: Collection[str]) -> list[str]:
    """Return the other measures of a list, in the forms in which they exist: without a cutoff, with @k, or both."""
    rows = (row for row in DEFINITIONS.values() if row.of_lists is not None)
    return [form for row in rows for form in row.forms if form not in forms]


def means_under(comparison: Comparison, convention: Convention, names: Iterable[str]) -> tuple[Mean, ...]:
    """Return the measures of the comparison under a convention, in their order."""
    return tuple(_mean(comparison, convention, name) for name in names)


def under_presets(comparison: Comparison, names: Iterable[str]) -> dict[str, tuple[Mean, ...]]:
    """Return the same measures under every preset: preset -> one mean per measure."""
    measures = tuple(names)
    return {name: means_under(comparison, convention, measures) for name, convention in PRESETS.items()}


def _mean(comparison: Comparison, convention: Convention, name: str) -> Mean:
    measure = parse_measure(name, convention)
    try:
        a, b = (comparison.joined.scores(side, (measure,))[0] for side in ("a", "b"))
    except MeasureError:  # a grade that the gain does not take
        return Mean(name, None, None, None, 0)
    delta, n = mean(deltas(a, b))
    return Mean(name, mean(a)[0], mean(b)[0], delta, n)


def weights(depth: int) -> tuple[Weight, ...]:
    """Return what the ranks from 1 to ``depth`` count; in each measure, rank 1 counts 1."""
    return tuple(Weight(i, 1 / math.log2(i + 1), 0.8 ** (i - 1), 1 / i) for i in range(1, depth + 1))


def textbook_value(grades: str, measure: str, missed: str = "", convention: str = "standard") -> float | None:
    """Return a measure of a list of grades, computed now; ``missed`` are the grades of documents that it misses.

    >>> round(textbook_value("3 2 3 0 1 2", "DCG@6"), 6)
    6.861127
    """
    lists = typed_lists(grades, missed=missed)
    assert lists.judgments is not None
    return explain(lists.a, lists.judgments, measure, lists.query_ids[0], preset(convention), side="a").value


def textbook_gsb(votes: str) -> float | None:
    """Return ΔGSB of one vote per query, good, same or bad, computed now; in [-1, 1].

    >>> textbook_gsb("good same bad bad")
    -0.25
    """
    said = votes.split()
    return gsb(*(said.count(word) for word in ("good", "same", "bad"))).delta
