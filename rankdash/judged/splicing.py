"""A ranked run after edits of a few queries: these are ranked anew, everything else is kept."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from rankdash import arrow
from rankdash.judged.order import Findings, Order
from rankdash.judged.pool import Pool
from rankdash.judged.ranked import RankedRun, ranked
from rankdash.metrics.lists import JudgedRun
from rankdash.metrics.segments import Bools, Ints
from rankdash.tables import Run


@dataclass(frozen=True)
class Ranking:
    """A run and the judgments that it was, or will be, ranked against."""

    run: Run
    pool: Pool


def spliced(base: RankedRun, old: Ranking, new: Ranking, query_ids: pa.Array, order: Order, depth: int) -> RankedRun:
    """What ``ranked`` returns for the new run and judgments, made from what it returned for the old ones.

    ``query_ids`` names every query that differs; the judged queries of both, and their order, have to be the same.
    """
    edited = np.zeros(new.pool.queries, bool)
    at = arrow.positions(query_ids, new.pool.query_ids)
    edited[at[at >= 0]] = True
    before, _ = _only(old, query_ids, order, depth)
    part, rows = _only(new, query_ids, order, depth)
    found = _difference(base.findings, before.findings) + part.findings
    lists, document = _lists(base, part, old.pool, new.pool, edited)
    shift = _shift(old.pool, new.pool)
    here = edited[:, None]
    kept_row, kept_judgment = base.top_row, base.top_judgment + np.where(base.top_judgment >= 0, shift[:, None], 0)
    if new.run is not old.run:
        kept_row = _moved(base.top_row, old.run, new.run, query_ids)
    part_row = np.append(rows, -1)[part.top_row]
    return RankedRun(
        lists,
        document,
        np.where(here, part_row, kept_row),
        np.where(here, part.top_print, base.top_print),
        np.where(here, part.top_judgment, kept_judgment),
        found,
    )


def _only(ranking: Ranking, query_ids: pa.Array, order: Order, depth: int) -> tuple[RankedRun, Ints]:
    """Some queries of a run, ranked, and the rows of the whole table that its rows are."""
    rows = np.flatnonzero(_rows_of(ranking.run, query_ids)).astype(np.int64)
    table = ranking.run.table.take(arrow.from_numpy(rows))
    columns = [arrow.one_chunk(table.column(name)) for name in table.column_names]
    small = replace(ranking.run, table=pa.Table.from_arrays(columns, names=table.column_names))
    return ranked(small, ranking.pool, order, depth), rows


def _rows_of(run: Run, query_ids: pa.Array) -> Bools:
    ids = arrow.one_chunk(run.table.column("query_id"))
    wanted: Bools = np.append(arrow.positions(ids.dictionary, query_ids) >= 0, False)
    return wanted[arrow.codes(ids)]


def _lists(base: RankedRun, part: RankedRun, old: Pool, new: Pool, edited: Bools) -> tuple[JudgedRun, Ints]:
    """The hits of both, by query; those that are kept point at the new judgments."""
    kept = np.flatnonzero(~edited[base.lists.query])
    document = base.document[kept] + _shift(old, new)[base.lists.query[kept]]
    columns = [
        np.concatenate((getattr(base.lists, name)[kept], getattr(part.lists, name)))
        for name in ("query", "rank", "tie_first", "tie_last")
    ]
    by_query = np.argsort(columns[0], kind="stable")
    query, rank, first, last = (column[by_query] for column in columns)
    document = np.concatenate((document, part.document))[by_query]
    length = np.where(edited, part.lists.length, base.lists.length)
    return JudgedRun(length, query, rank, first, last, new.relevance[document], new.judged), document


def _shift(old: Pool, new: Pool) -> Ints:
    """By how much the first judgment of each query has moved, (q,)."""
    queries = np.arange(new.queries)
    shift: Ints = np.searchsorted(new.query, queries) - np.searchsorted(old.query, queries)
    return shift


def _moved(rows: Ints, old: Run, new: Run, query_ids: pa.Array) -> Ints:
    """Rows of the old table as rows of the new one; rows of edited queries become -1."""
    kept_old, kept_new = (np.flatnonzero(~_rows_of(run, query_ids)) for run in (old, new))
    to_new: npt.NDArray[np.int64] = np.full(len(old.table) + 1, -1, np.int64)
    to_new[kept_old] = kept_new
    return to_new[rows]


def _difference(one: Findings, other: Findings) -> Findings:
    return Findings(*(getattr(one, axis.name) - getattr(other, axis.name) for axis in fields(Findings)))
