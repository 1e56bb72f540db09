"""A worked calculation: every number that it takes to redo a measure by hand."""

from __future__ import annotations

from dataclasses import dataclass

from rankdash.metrics import Measure
from rankdash.records.shown import Shown


@dataclass(frozen=True)
class Rank:
    """A document of a list, and its summand in the measure.

    ``rank`` is None where condensed lists leave the document out; ``relevance`` None where it is unjudged. ``discount``
    is 1 / log2(rank + 1), or the mean of its tie group where the convention averages over ties; ``hits`` the number of
    relevant documents up to here; ``contribution`` its summand in the numerator (beyond the cutoff too, where k cuts a
    group of equal scores whose gain is averaged) and ``running`` the sum so far.
    """

    rank: int | None
    doc_id: str
    relevance: float | None
    relevant: bool
    gain: float
    discount: float
    hits: int
    contribution: float
    running: float
    counted: bool  # within the cutoff
    tied: bool  # its score equals a neighbour's
    repeated: bool  # the run holds it again for this query; the first counts
    row: int  # of the run's table


@dataclass(frozen=True)
class Ideal:
    """A document of the ideal list."""

    rank: int
    relevance: float
    gain: float
    discount: float
    contribution: float
    running: float


@dataclass(frozen=True)
class Explanation(Shown):
    """A measure's value for one query, with everything that it was computed from.

    ``value`` equals ``above`` / ``below`` to the last digit where the measure is a quotient (``below`` None: it is not,
    and ``above`` is the value; ``below`` 0: the convention defines the value). ``above`` is the sum over the ranks, for
    IDCG over the ideal list; without a sum no rank contributes. ``value`` None: undefined. ``tied_at_cutoff``: k cuts a
    group of equal scores, so the order of ties decides.
    """

    measure: Measure
    query_id: str
    value: float | None
    above: float
    below: float | None
    below_is: str
    ranks: tuple[Rank, ...]
    ideal: tuple[Ideal, ...]
    relevant: int  # R, of all judgments of the query
    judged: int
    unjudged_shown: int  # in the first k
    tied_at_cutoff: bool

    def __repr__(self) -> str:
        value = "undefined" if self.value is None else f"{self.value:.6g}"
        return f"Explanation({self.measure.name} of {self.query_id!r}: {value})"
