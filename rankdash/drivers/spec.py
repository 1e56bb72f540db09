"""A block of queries scored apart from the others: their rows in, their rows of the per-query table out.

``Spec`` holds what a block has to know of the others; what is known of the whole only at the end is added up by
``PerQuery.concatenated``.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from rankdash import arrow
from rankdash.comparison import PerQuery, join, score_queries
from rankdash.metrics import Measure
from rankdash.policy import Policy
from rankdash.tables import Judgments, OrderedBy, Run

Ints = npt.NDArray[np.int64]

#: A column of int64 that tells where a row stands in the whole table; rows of a block are put in its order.
PLACE = "place"
#: The distance between the places of A and those of B, where the judgments are the grades of both.
BEHIND = 1 << 62
#: What no verdict, JSON or per-query CSV reads: how alike the lists are.
UNREAD = ("alike",)


@dataclass(frozen=True)
class Spec:
    """What every query is scored for, and what a block has to know of the whole.

    ``grades`` are the distinct grades of all judgments, ascending; ``ordered_by`` is what orders the lists of A and of
    B; ``without`` names the parts of the per-query table that are left out: their columns do not exist. With
    ``neighbours`` the table also has the columns for the settings beside the policy, which text and JSON report.
    """

    policy: Policy
    measures: tuple[str | Measure, ...] = ()
    grades: tuple[float, ...] = ()
    ordered_by: tuple[OrderedBy, OrderedBy] = ("score", "score")
    without: tuple[str, ...] = UNREAD
    neighbours: bool = False


def score_block(a: pa.Table, b: pa.Table, judgments: pa.Table | None, spec: Spec) -> PerQuery:
    """Return the rows of some queries, computed: tables of blocks, concatenated, equal the table of the whole.

    ``a``, ``b`` and ``judgments`` have all rows of these queries, with the columns of ``Run`` and ``Judgments`` that
    count (``query_id`` as text or dictionary; ``title`` and the like are not read); None: the grades beside the
    documents of A and B, pooled. Rows stand as in the whole table, or have a column ``place`` that says where. The
    queries come in the order of the judgments. MeasureError for a measure that does not exist, or a grade that it does
    not take.
    """
    run_a, run_b = (
        Run(name, _of_block(table), by) for name, table, by in zip("AB", (a, b), spec.ordered_by, strict=True)
    )
    judged = None if judgments is None else Judgments(_of_block(judgments))
    deepest = (2 if spec.neighbours else 1) * spec.policy.cutoff + 1
    rankings = join(run_a, run_b, judged, depth=deepest, grades=spec.grades)
    scored = score_queries(
        rankings, spec.policy, spec.measures, without=spec.without, neighbours=spec.neighbours
    ).computed()
    named = [run.table for run in (run_a, run_b) if "relevance" in run.table.column_names]
    return replace(_placed(scored, named if judged is None else [judged.table]), inputs=None)


def places_of(table: pa.Table) -> Ints | None:
    """Return where each row stands in the whole table, (rows,) int64; None where the rows do not say."""
    return arrow.as_numpy(arrow.one_chunk(table.column(PLACE))) if PLACE in table.column_names else None


def _placed(scored: PerQuery, named: list[pa.Table]) -> PerQuery:
    """Return the table with the places of its queries and of the first conflict.

    ``named`` are the tables that name the judged queries: the judgments, or the runs with grades, A before B.
    """
    places = [places_of(table) for table in named]
    if any(place is None for place in places):
        return scored
    behind = [place + at * BEHIND for at, place in enumerate(places) if place is not None]
    of_query = np.full(len(scored), np.iinfo(np.int64).max)
    for table, here in zip(named, behind, strict=True):
        ids = arrow.one_chunk(table.column("query_id"))
        first = np.full(len(ids.dictionary) + 1, np.iinfo(np.int64).max)
        np.minimum.at(first, arrow.codes(ids), here)
        of_query = np.minimum(of_query, first[arrow.positions(scored.query_ids, ids.dictionary)])
    conflict = scored.noticed.first
    if conflict is not None:
        rows = np.concatenate([here[_graded(table)] for table, here in zip(named, behind, strict=True)])
        conflict = replace(conflict, row=int(rows[conflict.row]))
    return replace(scored, places=of_query, noticed=replace(scored.noticed, first=conflict))


def _graded(table: pa.Table) -> npt.NDArray[np.bool_]:
    """Return which rows have a grade, (rows,); of judgments, all do."""
    graded: npt.NDArray[np.bool_] = ~np.isnan(arrow.as_numpy(arrow.one_chunk(table.column("relevance"))))
    return graded


def _of_block(table: pa.Table) -> pa.Table:
    """Return a table with one chunk per column, in the order of the whole, its query ids as a dictionary."""
    places = places_of(table)
    moved = places is not None and bool((places[1:] < places[:-1]).any())
    if places is not None and moved:
        table = table.take(arrow.from_numpy(np.argsort(places, kind="stable")))
    columns = {name: arrow.one_chunk(table.column(name)) for name in table.column_names}
    ids = columns["query_id"]
    if moved or not pa.types.is_dictionary(ids.type):  # a dictionary has them in the order of their appearance
        ids = ids.cast(pa.string()).dictionary_encode()
    return pa.table(columns | {"query_id": ids})
