"""Judgments that say which list a grade is for: typed lists without names share no document, so each has its own."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Literal

import numpy as np

from rankdash import arrow
from rankdash.judged.pool import Pool
from rankdash.judged.ranked import RankedRun
from rankdash.metrics.segments import Bools
from rankdash.tables import Judgments

Side = Literal["a", "b"]
ONLY_FOR = "only_for"
SIDES: tuple[Side, Side] = ("a", "b")
OTHER: Mapping[Side, Side] = {"a": "b", "b": "a"}
#: The sides as tables write them, exchanged.
EXCHANGED = {"A": "B", "B": "A"}


def are_apart(judgments: Judgments) -> bool:
    """Return whether the judgments say which list a grade is for."""
    return ONLY_FOR in judgments.table.column_names


def own_grades(judgments: Judgments, pool: Pool, side: Side) -> Bools:
    """Return which judgments of the pool are for the list of a side, alone or with the other, (j,).

    ValueError where there is no such side.
    """
    if side not in ("a", "b"):
        raise ValueError(f'side is {side!r}; it can be "a", "b" or None')
    said = arrow.one_chunk(judgments.table.column(ONLY_FOR))
    mine: Bools = (arrow.positions(said, arrow.from_strings([side.upper(), ""])) >= 0)[pool.row]
    return mine


def with_own(ranked_run: RankedRun, own: Bools) -> RankedRun:
    """Return a run in order against its ``own`` judgments, (j,): no other grade counts, in the list or its ideal."""
    kept, lists = own[ranked_run.document], ranked_run.lists
    columns = ("query", "rank", "tie_first", "tie_last", "relevance")
    hits = {name: getattr(lists, name)[kept] for name in columns}
    top = ranked_run.top_judgment
    mine = np.append(own, False)[top]  # -1, an unjudged document, stays -1
    return replace(
        ranked_run,
        lists=replace(lists, pool=lists.pool.part(own), **hits),
        document=ranked_run.document[kept],
        top_judgment=np.where(mine, top, -1),
    )


def swapped_judgments(judgments: Judgments) -> Judgments:
    """Return the judgments with A and B exchanged; the same object where they do not say which list a grade is for."""
    if not are_apart(judgments):
        return judgments
    return replace(judgments, table=arrow.reworded(judgments.table, ONLY_FOR, EXCHANGED))
