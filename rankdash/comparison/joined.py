"""Two runs in order against one set of judgments: the slow half of a comparison, made once."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from rankdash import arrow
from rankdash.comparison.rankings import Rankings
from rankdash.judged import (
    Order,
    Pool,
    RankedRun,
    Ranking,
    Side,
    are_apart,
    inline_judgments,
    own_grades,
    pooled,
    same_lists,
    spliced,
)
from rankdash.metrics import Measure, score
from rankdash.tables import Judgments, Run

Floats = npt.NDArray[np.float64]
SIDES: tuple[Side, Side] = ("a", "b")

#: Rows from which it pays to put both runs in order at the same time.
PARALLEL_ROWS = 200_000


class ComparisonError(ValueError):
    """Two runs that cannot be compared at all: there is nothing that says which documents are relevant."""


@dataclass(frozen=True)
class Joined:
    """Two runs against one set of judgments, in order. Axis q: the queries of the judgments, in order of appearance.

    ``depth`` is how many first ranks are kept by row. ``rankings`` are made once per order of ties, of what stands in
    them alone: ``a`` and ``b`` may bear other names. Where the judgments say in ``only_for`` which list a grade is for,
    each run meets its own grades alone: ideal and R are its own.
    """

    a: Run
    b: Run
    judgments: Judgments
    pool: Pool
    depth: int
    rankings: Mapping[Side, Rankings]

    def __repr__(self) -> str:
        return f"Joined({self.a!r}, {self.b!r}, {self.judgments!r})"

    def run(self, side: Side) -> Run:
        """The run of a side."""
        return self.a if side == "a" else self.b

    def lists(self, side: Side) -> int:
        """How many queries a run answers, judged or not."""
        return len(np.unique(arrow.codes(arrow.one_chunk(self.run(side).table.column("query_id")))))

    def decisive(self, side: Side, order: Order) -> Order:
        """An order without what decides nothing in a run."""
        return self.rankings[side].decisive(order)

    def ranked(self, side: Side, order: Order) -> RankedRun:
        """One run in an order of ties."""
        return self.rankings[side].ranked(order)

    @property
    def apart(self) -> bool:
        """Whether A and B share no documents, and each has grades of its own."""
        return are_apart(self.judgments)

    def both(self, a: Order, b: Order | None = None) -> tuple[RankedRun, RankedRun]:
        """Both runs in an order of ties each, the same where one is given, put in order side by side."""
        orders = (a, a if b is None else b)
        begun = any(self.decisive(s, order) in self.rankings[s].made for s, order in zip(SIDES, orders, strict=True))
        if not begun and len(self.a.table) + len(self.b.table) > PARALLEL_ROWS:
            with ThreadPoolExecutor(2) as pool:
                return tuple(pool.map(self.ranked, SIDES, orders))  # type: ignore[return-value]
        return self.ranked("a", orders[0]), self.ranked("b", orders[1])

    def identical(self, order: Order) -> bool:
        """Whether the lists of both runs are the same on every judged query, documents and order."""
        return same_lists(self.a, self.b, self.pool, order)

    def scores(self, side: Side, measures: tuple[Measure, ...]) -> Floats:
        """Per-query values of one run, (measures, q); NaN where undefined or left out."""
        values = np.empty((len(measures), self.pool.queries))
        orders = [Order.of(measure.convention) for measure in measures]
        for order in dict.fromkeys(orders):
            at = [i for i, other in enumerate(orders) if other == order]
            values[at] = score(self.ranked(side, order).lists, [measures[i] for i in at])
        return values


def join(a: Run, b: Run, judgments: Judgments | None = None, *, depth: int = 10) -> Joined:
    """Both runs in order against the judgments; without judgments, against the grades written in the runs.

    ``depth`` is the number of first ranks that are kept by row, for lists on a screen and for what changed in the
    top k. ComparisonError where no document has a grade.
    """
    judgments = judgments or inline_judgments(a, b)
    if judgments is None:
        raise ComparisonError(
            f'There are no judgments: neither a judgments file nor a column "relevance" in {_shown(a)} or {_shown(b)}.'
        )
    pool, depth = pooled(judgments), min(depth, max(_longest(a), _longest(b)))
    apart = are_apart(judgments)
    rankings = {
        side: Rankings(run, pool, depth, own_grades(judgments, pool, side) if apart else None)
        for side, run in zip(SIDES, (a, b), strict=True)
    }
    return Joined(a, b, judgments, pool, depth, rankings)


def _longest(run: Run) -> int:
    """Rows of the query with the most rows, so that no more ranks are kept than there are."""
    codes = arrow.codes(arrow.one_chunk(run.table.column("query_id")))
    if not len(codes):
        return 0
    starts = np.append(0, np.flatnonzero(codes[1:] != codes[:-1]) + 1)  # rows of a query mostly stand together
    lengths = np.diff(np.append(starts, len(codes)))
    return int(np.bincount(codes[starts], weights=lengths).max())


def rejoin(
    base: Joined, a: Run, b: Run, judgments: Judgments | None, query_ids: Iterable[str], *, depth: int = 10
) -> Joined:
    """What ``join`` returns for edited tables, where the named queries alone differ: only these are put in order.

    Where the edits change which queries are judged, or how deep the lists are, everything is.
    """
    again = join(a, b, judgments, depth=depth)
    named = list(query_ids)
    alike = again.pool.queries == base.pool.queries and again.pool.query_ids.equals(base.pool.query_ids)
    if not alike or again.depth != base.depth or again.apart or not named:
        return again
    edited = arrow.from_strings(named)
    for side in SIDES:
        old, new = (Ranking(one.rankings[side].run, one.pool) for one in (base, again))
        for order, found in base.rankings[side].made.items():
            again.rankings[side].keep(order, spliced(found, old, new, edited, order, base.depth))
    return again


def _shown(run: Run) -> str:
    return run.source.name or run.name
